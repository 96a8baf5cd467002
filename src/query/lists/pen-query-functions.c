/* pen-query-functions.c: functions with their samples and changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include <string.h>

#include "pen-compare.h"
#include "pen-query-cells.h"
#include "pen-query-functions.h"
#include "pen-sample-count.h"
#include "pen-store-occupants.h"
#include "pen-table-hash.h"

static const PenColumn columns[] = {
  { "symbol", PEN_COLUMN_TEXT },     { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },   { "start", PEN_COLUMN_HEX },
  { "length", PEN_COLUMN_NUMBER },   { "samples", PEN_COLUMN_NUMBER },
  { "period", PEN_COLUMN_NUMBER },   { "changes", PEN_COLUMN_NUMBER },
  { "versions", PEN_COLUMN_NUMBER },
};

/* ---- changes under a filter ---- */

typedef struct {
  PenQuery *query;
  const PenMatcher *matcher;
  const PenChange *change;
  PenFunction *functions;
} ChangeCount;

static void
count_change_at (const PenFunction *function, gpointer user_data)
{
  ChangeCount *count = user_data;

  count->functions[function->id].changes++;
  if (count->change->poke != 0)
    count->functions[function->id].pokes++;
}

/* A function without a symbol has no range to be found by. */
static void
count_poke_of_unranged (const PenFunction *function, gpointer user_data)
{
  ChangeCount *count = user_data;

  if (!function->symbol && function->kind == count->change->kind
      && g_strcmp0 (function->occupant, count->change->occupant) == 0)
    count_change_at (function, count);
}

/* As the import counts for the whole capture (docs/store.md): the initial state is no change. */
static gboolean
count_change (const PenChange *change, gpointer user_data)
{
  ChangeCount *count = user_data;
  const guint64 *ksymbol_end
      = g_hash_table_lookup (count->query->ksymbol_ends, GUINT_TO_POINTER (change->tenure));
  guint64 end = change->address + MIN (change->length, G_MAXUINT64 - change->address);

  if (change->moment.time == 0 || change->length == 0
      || !pen_matcher_has_change (count->matcher, change))
    return TRUE;
  if (change->poke == 0 && ksymbol_end)
    end = MIN (end, *ksymbol_end);
  count->change = change;
  pen_query_foreach_function_in (count->query, change->address, end, count_change_at, count);
  if (change->poke != 0 && !change->symbol
      && (change->kind != PEN_KIND_UNKNOWN || change->tenure == 0))
    pen_query_foreach_unranged (count->query, TRUE, count_poke_of_unranged, count);
  return TRUE;
}

/* The store's counts hold for the whole capture; what a filter takes away has to be counted. */
static gboolean
recount_changes (PenQuery *self, const PenMatcher *matcher, PenFunction *functions, GError **error)
{
  ChangeCount count = { self, matcher, NULL, functions };
  const PenFilter *filter = matcher->filter;

  if (!filter->has_time && !matcher->asks_rows && !pen_filter_asks (filter, PEN_FILTER_CAUSE)
      && !filter->has_address && !matcher->tenures)
    return TRUE;
  for (guint i = 0; i < self->n_functions; i++)
    functions[i].changes = functions[i].pokes = 0;
  return pen_store_foreach_change (self->store, count_change, &count, error);
}

/* ---- rows ---- */

/* What order and shares are of. */
static guint64
get_size (PenQuery *self, const PenFunction *function)
{
  return pen_store_get_population (self->store) == PEN_POPULATION_WAITS ? function->period
                                                                        : function->samples;
}

static gboolean
is_meant (const PenMatcher *matcher, const PenFunction *function)
{
  const PenFilter *filter = matcher->filter;

  if (!pen_matcher_has_function (matcher, function->id))
    return FALSE;
  if (!pen_filter_admits_kind (filter, function->kind))
    return FALSE;
  return function->samples > 0 || function->changes > 0;
}

/* Numbers of functions are those of one import: another version of the program may give others. */
static int
compare_names (const PenFunction *x, const PenFunction *y)
{
  int order = strcmp (x->occupant, y->occupant);

  if (order == 0)
    order = g_strcmp0 (x->symbol, y->symbol);
  if (order == 0)
    order = PEN_COMPARE (x->kind, y->kind);
  return order != 0 ? order : PEN_COMPARE (x->id, y->id);
}

/* Of waits by their time. */
static int
compare_rows (gconstpointer a, gconstpointer b, gpointer query)
{
  const PenFunction *x = &((const PenFunctionRow *) a)->function;
  const PenFunction *y = &((const PenFunctionRow *) b)->function;
  guint64 size_x = get_size (query, x);
  guint64 size_y = get_size (query, y);

  if (size_x != size_y)
    return size_x > size_y ? -1 : 1;
  if (x->samples != y->samples)
    return x->samples > y->samples ? -1 : 1;
  if (x->changes != y->changes)
    return x->changes > y->changes ? -1 : 1;
  return x->start != y->start ? PEN_COMPARE (x->start, y->start) : compare_names (x, y);
}

/* ---- which of the loads ---- */

/* The program that was loaded at an address under a name: SEVERAL, if there were more. */
#define SEVERAL G_MAXUINT32

typedef struct {
  GHashTable *ids;   /* "address name" → id */
  GHashTable *names; /* that functions of programs have, → how many */
} Loads;

static char *
make_load_key (guint64 start, const char *name)
{
  return g_strdup_printf ("%" G_GINT64_MODIFIER "x %s", start, name);
}

static gboolean
add_load (const PenTenure *tenure, gpointer user_data)
{
  Loads *loads = user_data;
  g_autofree char *key = NULL;
  guint32 known;

  if (tenure->bpf_id == 0 || !g_hash_table_contains (loads->names, tenure->occupant))
    return TRUE;
  key = make_load_key (tenure->start, tenure->occupant);
  known = GPOINTER_TO_UINT (g_hash_table_lookup (loads->ids, key));
  g_hash_table_insert (
      loads->ids, g_steal_pointer (&key),
      GUINT_TO_POINTER (known == 0 || known == tenure->bpf_id ? tenure->bpf_id : SEVERAL));
  return TRUE;
}

static void
count_name (GHashTable *names, const PenFunction *function)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (names, function->symbol));

  g_hash_table_insert (names, (gpointer) function->symbol, GUINT_TO_POINTER (n + 1));
}

static void
tell_load (const Loads *loads, PenFunctionRow *row)
{
  const PenFunction *function = &row->function;
  g_autofree char *key = NULL;
  guint32 id;

  if (function->kind != PEN_KIND_BPF || !function->symbol
      || GPOINTER_TO_UINT (g_hash_table_lookup (loads->names, function->symbol)) < 2)
    return;
  key = make_load_key (function->start, function->symbol);
  id = GPOINTER_TO_UINT (g_hash_table_lookup (loads->ids, key));
  row->bpf_id = id != SEVERAL ? id : 0;
}

/* Names that repeat get the number of the program. Cost: where programs are among the rows, the
 * kernel's tenures. */
static gboolean
tell_loads (PenQuery *self, GArray *rows, GError **error)
{
  g_autoptr (GHashTable) ids = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) names = g_hash_table_new (pen_str_hash, g_str_equal);
  Loads loads = { ids, names };

  for (guint i = 0; i < rows->len; i++) {
    const PenFunction *function = &g_array_index (rows, PenFunctionRow, i).function;

    if (function->kind == PEN_KIND_BPF && function->symbol)
      count_name (names, function);
  }
  if (g_hash_table_size (names) == 0)
    return TRUE;
  if (!pen_store_foreach_tenure (self->store, FALSE, add_load, &loads, error))
    return FALSE;
  for (guint i = 0; i < rows->len; i++)
    tell_load (&loads, &g_array_index (rows, PenFunctionRow, i));
  return TRUE;
}

/* ---- all ---- */

static guint64
set_samples (PenQuery *self, const PenFunctionCount *counts, PenFunction *functions)
{
  guint64 total = 0;

  for (guint i = 0; i < self->n_functions; i++) {
    functions[i].samples = counts[i].samples;
    functions[i].period = counts[i].period;
    total += get_size (self, &functions[i]);
  }
  return total;
}

GArray *
pen_query_functions (PenQuery *self, const PenFilter *filter, guint64 *total_samples,
                     GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autofree PenFunctionCount *counts = NULL;
  g_autofree PenFunction *functions = NULL;
  guint64 total;

  if (!matcher)
    return NULL;
  counts = pen_query_count_functions (self, matcher, error);
  if (!counts)
    return NULL;
  functions = g_new (PenFunction, self->n_functions + 1);
  if (self->n_functions > 0)
    memcpy (functions, self->functions, self->n_functions * sizeof *functions);
  total = set_samples (self, counts, functions);
  if (!recount_changes (self, matcher, functions, error))
    return NULL;

  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (PenFunctionRow));

  for (guint i = 0; i < self->n_functions; i++) {
    PenFunctionRow row
        = { functions[i], total > 0 ? (double) get_size (self, &functions[i]) / (double) total : 0,
            0 };

    if (is_meant (matcher, &functions[i]))
      g_array_append_val (rows, row);
  }
  g_array_sort_with_data (rows, compare_rows, self);
  if (total_samples)
    *total_samples = total;
  return tell_loads (self, rows, error) ? g_steal_pointer (&rows) : NULL;
}

static void
write_function (PenTableWriter *writer, const PenFunction *function)
{
  pen_table_writer_text (writer, function->symbol);
  pen_query_write_occupant (writer, function->kind, function->occupant);
  if (function->length > 0) {
    pen_table_writer_hex (writer, function->start);
    pen_table_writer_unsigned (writer, function->length);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  pen_table_writer_unsigned (writer, function->samples);
  pen_table_writer_unsigned (writer, function->period);
  pen_table_writer_unsigned (writer, function->changes);
  pen_table_writer_unsigned (writer, function->versions);
}

gboolean
pen_query_write_functions (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                           GError **error)
{
  g_autoptr (GArray) rows = pen_query_functions (self, filter, NULL, error);

  if (!rows)
    return FALSE;
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < rows->len; i++) {
    write_function (writer, &g_array_index (rows, PenFunctionRow, i).function);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
