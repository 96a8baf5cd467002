/* pen-batch-words.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-batch-words.h"

#include <glib/gi18n-lib.h>

#include "pen-display.h"
#include "pen-format.h"
#include "pen-palette.h"
#include "pen-poke-phrases.h"

static char *
dup_title (const PenBatch *batch)
{
  GString *text = g_string_new (pen_palette_cause_title (batch->cause));

  if (batch->key) {
    g_autofree char *key = pen_display_text (batch->key);

    g_string_append_printf (text, " %s", key);
  }
  /* Translators: follows the cause of a batch of patches */
  g_string_append_printf (text, ngettext (": %u site", ": %u sites", batch->n_sites),
                          batch->n_sites);
  if (batch->to > batch->from) {
    g_autofree char *length = pen_format_duration (batch->to - batch->from);

    /* Translators: follows "141 sites"; %s is a duration */
    g_string_append_printf (text, _ (" in %s"), length);
  }
  if (batch->comm && batch->comm[0] != '\0') {
    g_autofree char *comm = pen_display_text (batch->comm);

    /* Translators: follows "141 sites"; %s is the name of a process */
    g_string_append_printf (text, _ (" by %s"), comm);
    if (batch->tid >= 0)
      g_string_append_printf (text, " [%d]", batch->tid);
  }
  return g_string_free (text, FALSE);
}

char *
pen_batch_words_describe (const PenBatch *batch, guint count)
{
  g_autofree char *title = dup_title (batch);
  g_autofree char *phrase = pen_batch_describe (batch);
  g_autofree char *sentence = pen_display_text (phrase);
  GString *text = g_string_new (title);

  if (count < batch->n_sites)
    /* Translators: the number of these sites at a place on screen */
    g_string_append_printf (text, ngettext ("\n%u of them here", "\n%u of them here", count),
                            count);
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
