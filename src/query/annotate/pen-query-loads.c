/* pen-query-loads.c: the loads of a program that had one name at one place
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-loads.h"

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

/* A program or stub is its own symbol; a module's function comes with each load of the module. */
static gboolean
is_own (const PenFunction *function, const PenTenure *tenure)
{
  return tenure->kind == function->kind && g_strcmp0 (tenure->occupant, function->occupant) == 0
         && (tenure->layer != PEN_LAYER_KSYMBOL || tenure->start == function->start);
}

static int
compare_loads (gconstpointer a, gconstpointer b)
{
  const PenLoad *x = a, *y = b;

  return pen_moment_compare (x->tenure.from, y->tenure.from);
}

static gboolean
find_tenures (PenQuery *self, const PenFunction *function, PenLoads *loads, GError **error)
{
  g_autoptr (GArray) tenures = pen_store_load_tenures (
      self->store, PEN_SPACE_KERNEL, function->start, function->start + function->length, error);

  if (!tenures)
    return FALSE;
  for (guint i = 0; i < tenures->len; i++) {
    PenLoad load = { function->id, g_array_index (tenures, PenTenure, i), 0 };

    if (is_own (function, &load.tenure))
      g_array_append_val (loads->loads, load);
    else if (load.tenure.layer != PEN_LAYER_MAP)
      loads->n_others++;
  }
  return TRUE;
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

  if (!matcher)
    return FALSE;
  g_array_append_vals (functions, ids, n);
  set = pen_bucket_set_new (self, functions, NULL, NULL, error);
  if (!set)
    return FALSE;
  counts = pen_query_count_set (self, matcher, set, FALSE, error);
  if (!counts)
    return FALSE;
  for (guint i = 0; i < loads->loads->len; i++) {
    PenLoad *load = &g_array_index (loads->loads, PenLoad, i);

    keys[i] = get_key (load->function, load->tenure.id);
    g_hash_table_insert (places, &keys[i], load);
  }
  for (guint i = 0; i < set->buckets->len; i++) {
    const PenBucket *bucket = pen_bucket_set_get (set, i);
    guint64 key = get_key (bucket->function, bucket->tenure);
    PenLoad *load = g_hash_table_lookup (places, &key);

    if (load)
      load->samples += counts[i].samples;
  }
  return TRUE;
}

PenLoads *
pen_query_list_loads_of (PenQuery *self, const PenFilter *filter, const guint32 *functions, guint n,
                         GError **error)
{
  g_autoptr (PenLoads) loads = g_new0 (PenLoads, 1);

  if (!pen_query_load (self, error))
    return NULL;
  loads->loads = g_array_new (FALSE, FALSE, sizeof (PenLoad));
  for (guint i = 0; i < n; i++) {
    const PenFunction *function = pen_query_get_function (self, functions[i]);

    if (function && pen_query_has_text (function) && !pen_query_is_jit (function)
        && !find_tenures (self, function, loads, error))
      return NULL;
  }
  g_array_sort (loads->loads, compare_loads);
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
  guint64 all;

  if (!annotated || !pen_query_count (self, filter, &annotated->total_samples, &all, error))
    return NULL;
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

    if (is_there (load, at) && (!busiest || load->samples > busiest->samples))
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
    if (load->samples > 0 && (!sampled || sampled->tenure.from.time <= time))
      sampled = load;
  }
  if (!sampled && self->loads->len > 0)
    return &g_array_index (self->loads, PenLoad, 0);
  return sampled;
}
