/* pen-pair-found.c: functions that have neither samples nor changes in one of two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-found.h"

#include "pen-query-private.h"
#include "pen-store-symbols.h"
#include "pen-table-hash.h"

/* ---- names ---- */

/* @occupants: occupant → (symbol → PenFunction): without a start until it is found */
struct _PenPairNames {
  GHashTable *occupants;
};

PenPairNames *
pen_pair_names_new (void)
{
  PenPairNames *self = g_new0 (PenPairNames, 1);

  self->occupants = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL,
                                           (GDestroyNotify) g_hash_table_unref);
  return self;
}

void
pen_pair_names_free (PenPairNames *self)
{
  g_hash_table_unref (self->occupants);
  g_free (self);
}

void
pen_pair_names_want (PenPairNames *self, PenKind kind, const char *occupant, const char *symbol)
{
  GHashTable *functions = g_hash_table_lookup (self->occupants, occupant);
  PenFunction *function;

  if (!functions) {
    functions = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL, g_free);
    g_hash_table_insert (self->occupants, (gpointer) occupant, functions);
  }
  if (g_hash_table_contains (functions, symbol))
    return;
  function = g_new0 (PenFunction, 1);
  *function = (PenFunction){ .id = G_MAXUINT32, .kind = kind, .occupant = occupant };
  g_hash_table_insert (functions, (gpointer) symbol, function);
}

static gboolean
is_found (const PenFunction *function)
{
  return function->symbol != NULL;
}

static void
take (PenFunction *function, const char *name, guint64 start, guint64 end)
{
  function->length = is_found (function) ? 0 : end - start;
  function->symbol = name;
  function->start = start;
}

static gboolean
find_in (PenStore *store, const char *occupant, GHashTable *functions, PenCancelCheck *check)
{
  guint64 address = pen_store_find_symbol_above (store, occupant, 0);

  for (; address != G_MAXUINT64 && pen_cancel_check_step (check);
       address = pen_store_find_symbol_above (store, occupant, address)) {
    const char *name;
    guint64 start, end;
    PenFunction *function
        = pen_store_find_symbol (store, occupant, address, &name, &start, &end) && end > start
              ? g_hash_table_lookup (functions, name)
              : NULL;

    if (function)
      take (function, name, start, end);
  }
  return !check->is_stopped;
}

gboolean
pen_pair_names_find (PenPairNames *self, PenQuery *query, GError **error)
{
  PenCancelCheck check = pen_query_make_check (query);
  GHashTableIter iter;
  gpointer occupant, functions;

  g_hash_table_iter_init (&iter, self->occupants);
  while (g_hash_table_iter_next (&iter, &occupant, &functions)
         && find_in (query->store, occupant, functions, &check))
    ;
  return pen_query_end_check (query, &check, error);
}

const PenFunction *
pen_pair_names_get (const PenPairNames *self, const char *occupant, const char *symbol)
{
  GHashTable *functions = g_hash_table_lookup (self->occupants, occupant);
  const PenFunction *function = functions ? g_hash_table_lookup (functions, symbol) : NULL;

  return function && is_found (function) ? function : NULL;
}

/* ---- rows ---- */

static gboolean
is_wanted (const PenPairRow *row, guint side)
{
  return row->symbol && row->functions[side]->len == 0
         && (row->kind == PEN_KIND_KERNEL || row->kind == PEN_KIND_MODULE);
}

gboolean
pen_pair_find_functions (PenPairs *self, const PenPairSource sources[2], GError **error)
{
  for (guint side = 0; side < 2; side++) {
    g_autoptr (PenPairNames) names = pen_pair_names_new ();

    for (guint i = 0; i < self->rows->len; i++) {
      const PenPairRow *row = self->rows->pdata[i];

      if (is_wanted (row, side))
        pen_pair_names_want (names, row->kind, row->occupant, row->symbol);
    }
    if (!pen_pair_names_find (names, sources[side].query, error))
      return FALSE;
    for (guint i = 0; i < self->rows->len; i++) {
      PenPairRow *row = self->rows->pdata[i];
      const PenFunction *found
          = is_wanted (row, side) ? pen_pair_names_get (names, row->occupant, row->symbol) : NULL;

      if (found)
        row->found[side] = g_memdup2 (found, sizeof *found);
    }
  }
  return TRUE;
}
