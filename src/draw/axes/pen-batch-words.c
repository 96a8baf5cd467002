/* pen-batch-words.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-batch-words.h"

#include "pen-display.h"
#include "pen-format.h"
#include "pen-palette.h"

char *
pen_batch_words_title (const PenBatch *batch)
{
  GString *text = g_string_new (pen_palette_cause_title (batch->cause));

  if (batch->key != NULL) {
    g_autofree char *key = pen_display_text (batch->key);

    g_string_append_printf (text, " %s", key);
  }
  g_string_append_printf (text, ": %u %s", batch->n_sites, batch->n_sites == 1 ? "site" : "sites");
  if (batch->to > batch->from) {
    g_autofree char *length = pen_format_duration (batch->to - batch->from);

    g_string_append_printf (text, " in %s", length);
  }
  if (batch->comm != NULL && batch->comm[0] != '\0') {
    g_autofree char *comm = pen_display_text (batch->comm);

    g_string_append_printf (text, " by %s", comm);
    if (batch->tid >= 0)
      g_string_append_printf (text, " [%d]", batch->tid);
  }
  return g_string_free (text, FALSE);
}

char *
pen_batch_words_describe (const PenBatch *batch, guint count)
{
  g_autofree char *title = pen_batch_words_title (batch);
  g_autofree char *sentence = pen_display_text (batch->sentence);
  GString *text = g_string_new (title);

  if (count < batch->n_sites)
    g_string_append_printf (text, count == 1 ? "\nhere, one of them" : "\nhere, %u of them", count);
  g_string_append_printf (text, "\n%s", sentence);
  return g_string_free (text, FALSE);
}

char *
pen_batch_words_label (const PenBatch *batch, const char *symbol, guint count)
{
  gboolean is_whole = batch && batch->key && count >= batch->n_sites;
  g_autofree char *name = is_whole               ? pen_display_text (batch->key)
                          : count == 1 && symbol ? pen_display_text (symbol)
                                                 : NULL;

  if (count < 2)
    return g_steal_pointer (&name);
  return name ? g_strdup_printf ("%s ×%u", name, count) : g_strdup_printf ("×%u", count);
}
