/* pen-pair-found.c: functions that have neither samples nor changes in one of two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-found.h"

#include "pen-query-private.h"
#include "pen-store-symbols.h"
#include "pen-table-hash.h"

static gboolean
is_wanted (const PenPairRow *row, guint side)
{
  return row->symbol && row->functions[side]->len == 0
         && (row->kind == PEN_KIND_KERNEL || row->kind == PEN_KIND_MODULE);
}

/* Returns: (transfer full): occupant → (symbol → row) */
static GHashTable *
list_wanted (PenPairs *self, guint side)
{
  GHashTable *wanted = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL,
                                              (GDestroyNotify) g_hash_table_unref);

  for (guint i = 0; i < self->rows->len; i++) {
    PenPairRow *row = self->rows->pdata[i];
    GHashTable *rows;

    if (!is_wanted (row, side))
      continue;
    rows = g_hash_table_lookup (wanted, row->occupant);
    if (!rows) {
      rows = g_hash_table_new (pen_str_hash, g_str_equal);
      g_hash_table_insert (wanted, (gpointer) row->occupant, rows);
    }
    g_hash_table_insert (rows, (gpointer) row->symbol, row);
  }
  return wanted;
}

/* Of several functions of one name, it is not known which one it is: one of length 0 stands for
 * them. */
static void
take (PenPairRow *row, guint side, const char *name, guint64 start, guint64 end)
{
  if (row->found[side]) {
    row->found[side]->length = 0;
    return;
  }
  row->found[side] = g_new0 (PenFunction, 1);
  *row->found[side] = (PenFunction){ .id = G_MAXUINT32,
                                     .symbol = name,
                                     .kind = row->kind,
                                     .occupant = row->occupant,
                                     .start = start,
                                     .length = end - start };
}

static gboolean
find_in (PenStore *store, const char *occupant, GHashTable *rows, guint side, PenCancelCheck *check)
{
  guint64 address = pen_store_find_symbol_above (store, occupant, 0);

  for (; address != G_MAXUINT64 && pen_cancel_check_step (check);
       address = pen_store_find_symbol_above (store, occupant, address)) {
    const char *name;
    guint64 start, end;
    PenPairRow *row
        = pen_store_find_symbol (store, occupant, address, &name, &start, &end) && end > start
              ? g_hash_table_lookup (rows, name)
              : NULL;

    if (row)
      take (row, side, name, start, end);
  }
  return !check->is_stopped;
}

gboolean
pen_pair_find_functions (PenPairs *self, const PenPairSource sources[2], GError **error)
{
  for (guint side = 0; side < 2; side++) {
    PenQuery *query = sources[side].query;
    PenCancelCheck check = pen_query_make_check (query);
    g_autoptr (GHashTable) wanted = list_wanted (self, side);
    GHashTableIter iter;
    gpointer occupant, rows;

    g_hash_table_iter_init (&iter, wanted);
    while (g_hash_table_iter_next (&iter, &occupant, &rows)
           && find_in (query->store, occupant, rows, side, &check))
      ;
    if (!pen_query_end_check (query, &check, error))
      return FALSE;
  }
  return TRUE;
}
