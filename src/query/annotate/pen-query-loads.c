/* pen-query-loads.c: the loads of a program that had one name at one place
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-loads.h"

#include <stdlib.h>

#include "pen-binary-search.h"
#include "pen-compare.h"
#include "pen-filter-term.h"
#include "pen-query-private.h"
#include "pen-sample-count.h"
#include "pen-store-occupants.h"
#include "pen-table-hash.h"

void
pen_loads_free (PenLoads *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->loads, g_array_unref);
  g_free (self);
}

static int
compare_loads (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const PenLoad *x = a, *y = b;

  return pen_moment_compare (x->tenure.from, y->tenure.from);
}

/*
 * Functions: of a kind and an occupant each, by where they begin
 * @reach: of each: the greatest end up to it
 */
typedef struct {
  const PenFunction **list;
  guint64 *reach;
  guint64 *starts; /* of all, whatever they are of, sorted */
  guint64 *ends;
  guint n;
} Functions;

static void
functions_clear (Functions *self)
{
  g_free (self->list);
  g_free (self->reach);
  g_free (self->starts);
  g_free (self->ends);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Functions, functions_clear)

static int
compare_owners (PenKind kind, const char *occupant, const PenFunction *function)
{
  return kind != function->kind ? (kind < function->kind ? -1 : 1)
                                : g_strcmp0 (occupant, function->occupant);
}

static int
compare_functions (gconstpointer a, gconstpointer b)
{
  const PenFunction *x = *(const PenFunction *const *) a;
  const PenFunction *y = *(const PenFunction *const *) b;
  int order = compare_owners (x->kind, x->occupant, y);

  if (order != 0)
    return order;
  return x->start < y->start ? -1 : x->start > y->start;
}

static void
functions_init (Functions *self, PenQuery *query, const guint32 *ids, guint n)
{
  self->list = g_new (const PenFunction *, n);
  self->reach = g_new (guint64, n);
  self->starts = g_new (guint64, n);
  self->ends = g_new (guint64, n);
  for (guint i = 0; i < n; i++) {
    const PenFunction *function = pen_query_get_function (query, ids[i]);

    if (!function || !pen_query_has_text (function) || pen_query_is_jit (function))
      continue;
    self->starts[self->n] = function->start;
    self->ends[self->n] = function->start + function->length;
    self->list[self->n++] = function;
  }
  qsort (self->list, self->n, sizeof *self->list, compare_functions);
  qsort (self->starts, self->n, sizeof *self->starts, pen_compare_u64);
  qsort (self->ends, self->n, sizeof *self->ends, pen_compare_u64);
  for (guint i = 0; i < self->n; i++) {
    const PenFunction *function = self->list[i];
    gboolean is_first
        = i == 0 || compare_owners (function->kind, function->occupant, self->list[i - 1]) != 0;

    self->reach[i] = MAX (is_first ? 0 : self->reach[i - 1], function->start + function->length);
  }
}

/* Is the function before what a tenure of this @kind, @occupant, and address can hold? */
static gboolean
is_before (const Functions *self, guint i, const PenTenure *tenure)
{
  int order = compare_owners (tenure->kind, tenure->occupant, self->list[i]);

  return order > 0 || (order == 0 && self->reach[i] <= tenure->start);
}

/* A program or stub is its own symbol; a module's function comes with each load of the module.
 * Returns: how many of the functions are the tenure's own */
static guint
add_loads (const Functions *self, const PenTenure *tenure, PenLoads *loads)
{
  guint n = 0;

  for (guint i = PEN_BINARY_SEARCH (k, 0, self->n, is_before (self, k, tenure)); i < self->n; i++) {
    const PenFunction *function = self->list[i];
    PenLoad load = { function->id, *tenure, { PEN_POPULATION_SAMPLES, 0, 0 } };

    if (function->start >= tenure->end
        || compare_owners (tenure->kind, tenure->occupant, function) != 0)
      break;
    if (function->start + function->length <= tenure->start
        || (tenure->layer == PEN_LAYER_KSYMBOL && tenure->start != function->start))
      continue;
    g_array_append_val (loads->loads, load);
    n++;
  }
  return n;
}

/* How many of the functions a tenure has bytes of. */
static guint
count_touched (const Functions *self, const PenTenure *tenure)
{
  return PEN_BINARY_SEARCH (i, 0, self->n, self->starts[i] < tenure->end)
         - PEN_BINARY_SEARCH (k, 0, self->n, self->ends[k] <= tenure->start);
}

static gboolean
find_tenures (PenQuery *self, const Functions *functions, PenLoads *loads, GError **error)
{
  PenCancelCheck check = pen_query_make_check (self);
  g_autoptr (GArray) tenures = NULL;

  if (functions->n == 0)
    return TRUE;
  tenures = pen_store_load_tenures (self->store, PEN_SPACE_KERNEL, functions->starts[0],
                                    functions->ends[functions->n - 1], error);
  if (!tenures)
    return FALSE;
  for (guint i = 0; i < tenures->len && pen_cancel_check_step (&check); i++) {
    const PenTenure *tenure = &g_array_index (tenures, PenTenure, i);
    guint n_own = add_loads (functions, tenure, loads);

    if (tenure->layer != PEN_LAYER_MAP && count_touched (functions, tenure) > n_own)
      loads->n_others++;
  }
  pen_cancel_check_sort (&check, loads->loads->data, loads->loads->len, sizeof (PenLoad),
                         compare_loads, NULL);
  return pen_query_end_check (self, &check, error);
}

/* A load of a module has several functions: each of them counts for itself. */
static guint64
get_key (guint32 function, guint32 tenure)
{
  return (guint64) function << 32 | tenure;
}

static gboolean
count (PenQuery *self, const PenFilter *filter, const guint32 *ids, guint n, PenLoads *loads,
       GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) places = g_hash_table_new (pen_int64_hash, g_int64_equal);
  g_autofree guint64 *keys = g_new (guint64, MAX (loads->loads->len, 1));
  g_autoptr (PenBucketSet) set = NULL;
  g_autofree PenBucketCount *counts = NULL;
  PenCancelCheck check = pen_query_make_check (self);

  if (!matcher)
    return FALSE;
  g_array_append_vals (functions, ids, n);
  set = pen_bucket_set_new (self, functions, NULL, NULL, error);
  if (!set)
    return FALSE;
  counts = pen_query_count_set (self, matcher, set, FALSE, error);
  if (!counts)
    return FALSE;
  for (guint i = 0; i < loads->loads->len && pen_cancel_check_step (&check); i++) {
    PenLoad *load = &g_array_index (loads->loads, PenLoad, i);

    load->amount = pen_amount (self, 0, 0);
    keys[i] = get_key (load->function, load->tenure.id);
    g_hash_table_insert (places, &keys[i], load);
  }
  for (guint i = 0; i < set->buckets->len && pen_cancel_check_step (&check); i++) {
    const PenBucket *bucket = pen_bucket_set_get (set, i);
    guint64 key = get_key (bucket->function, bucket->tenure);
    PenLoad *load = g_hash_table_lookup (places, &key);

    if (!load)
      continue;
    load->amount.n += counts[i].samples;
    load->amount.period += counts[i].period;
  }
  return pen_query_end_check (self, &check, error);
}

PenLoads *
pen_query_list_loads_of (PenQuery *self, const PenFilter *filter, const guint32 *functions, guint n,
                         GError **error)
{
  g_autoptr (PenLoads) loads = g_new0 (PenLoads, 1);
  g_auto (Functions) list = { 0 };

  if (!pen_query_load (self, error))
    return NULL;
  loads->loads = g_array_new (FALSE, FALSE, sizeof (PenLoad));
  functions_init (&list, self, functions, n);
  if (!find_tenures (self, &list, loads, error))
    return NULL;
  if (loads->loads->len + loads->n_others > 1 && !count (self, filter, functions, n, loads, error))
    return NULL;
  return g_steal_pointer (&loads);
}

PenLoads *
pen_query_list_loads (PenQuery *self, const PenFilter *filter, guint32 function, GError **error)
{
  return pen_query_list_loads_of (self, filter, &function, 1, error);
}

PenFilter *
pen_loads_dup_filter (const PenFilter *filter, guint32 tenure)
{
  PenFilter *copy = filter ? pen_filter_copy (filter) : pen_filter_new ();
  g_autofree char *number = g_strdup_printf ("%u", tenure);

  pen_filter_add_value (copy, PEN_FILTER_TENURE, number, NULL);
  return copy;
}

PenAnnotated *
pen_query_annotate_load (PenQuery *self, const PenFilter *filter, guint32 function, guint32 tenure,
                         PenSyntax syntax, GError **error)
{
  g_autoptr (PenFilter) one = pen_loads_dup_filter (filter, tenure);
  g_autoptr (PenAnnotated) annotated = pen_query_annotate (self, one, function, syntax, error);
  PenAmount matching, all;

  if (!annotated || !pen_query_count_amounts (self, filter, &matching, &all, error))
    return NULL;
  annotated->total_samples = matching.n;
  annotated->total_period = matching.period;
  return g_steal_pointer (&annotated);
}

static gboolean
is_there (const PenLoad *load, const PenMoment *at)
{
  return !at
         || (pen_moment_compare (load->tenure.from, *at) < 0
             && pen_moment_compare (*at, load->tenure.to) <= 0);
}

const PenLoad *
pen_loads_find_busiest (const PenLoads *self, const PenMoment *at)
{
  const PenLoad *busiest = NULL;

  for (guint i = 0; i < self->loads->len; i++) {
    const PenLoad *load = &g_array_index (self->loads, PenLoad, i);

    if (is_there (load, at)
        && (!busiest || pen_amount_get (load->amount) > pen_amount_get (busiest->amount)))
      busiest = load;
  }
  return busiest;
}

const PenLoad *
pen_loads_find_tenure (const PenLoads *self, guint32 tenure)
{
  for (guint i = 0; i < self->loads->len; i++) {
    const PenLoad *load = &g_array_index (self->loads, PenLoad, i);

    if (load->tenure.id == tenure)
      return load;
  }
  return NULL;
}

const PenLoad *
pen_loads_find (const PenLoads *self, guint64 time)
{
  const PenLoad *sampled = NULL;

  for (guint i = 0; i < self->loads->len; i++) {
    const PenLoad *load = &g_array_index (self->loads, PenLoad, i);

    if (load->tenure.from.time <= time && time < load->tenure.to.time)
      return load;
    if (load->amount.n > 0 && (!sampled || sampled->tenure.from.time <= time))
      sampled = load;
  }
  if (!sampled && self->loads->len > 0)
    return &g_array_index (self->loads, PenLoad, 0);
  return sampled;
}
