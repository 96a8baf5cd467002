/* pen-history-heading.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-history-heading.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"
#include "pen-history-item.h"
#include "pen-phrases.h"
#include "pen-table-hash.h"

/* Whether the text that is shown is this holder's. */
static gboolean
is_of_text (const PenStrips *strips, const PenHistoryRow *row)
{
  if (!strips || row->tenure == 0)
    return FALSE;
  return strips->text->load != 0
             ? row->tenure == strips->text->load
             : strips->text->loads && pen_loads_find_tenure (strips->text->loads, row->tenure);
}

const PenHistoryRow *
pen_history_heading_find_holder (const PenHistoryTable *table, const PenStrips *strips,
                                 guint64 playhead, gboolean is_at_start)
{
  const PenHistoryRow *present = NULL, *shown = NULL;

  for (guint i = 0; i < table->rows->len; i++) {
    const PenHistoryRow *row = table->rows->pdata[i];

    if (!present && pen_history_row_has_time (row, playhead))
      present = row;
    if (!shown && is_of_text (strips, row))
      shown = row;
  }
  if (present && (!is_at_start || !shown))
    return present;
  return shown || table->rows->len == 0 ? shown : table->rows->pdata[0];
}

char *
pen_history_heading_describe (const PenHistoryTable *table, const PenHistoryRow *holder,
                              char **name)
{
  g_autoptr (GHashTable) tenures = g_hash_table_new (pen_direct_hash, NULL);
  g_autofree char *symbol = pen_display_text (holder->symbol);
  g_autofree char *count = NULL;
  GString *text;
  guint changes = 0, number = 0;

  for (guint i = 0; i < table->rows->len; i++) {
    const PenHistoryRow *row = table->rows->pdata[i];

    if (row->tenure != 0)
      g_hash_table_add (tenures, GUINT_TO_POINTER (row->tenure));
    if (row->tenure != holder->tenure)
      continue;
    number = number > 0 ? number : g_hash_table_size (tenures);
    changes += row->poke > 0;
  }
  *name = pen_phrase_program (symbol, holder->bpf_id);
  text = g_string_new (*name);
  count = pen_phrase_changes (changes, FALSE);
  g_string_append_printf (text, "+0x%" G_GINT64_MODIFIER "x · %s", holder->offset, count);
  if (g_hash_table_size (tenures) > 1) {
    g_string_append (text, " · ");
    g_string_append_printf (text, _ ("occupant %u of %u"), number, g_hash_table_size (tenures));
  }
  return g_string_free (text, FALSE);
}
