/* pen-query-loads.c: the loads of a program that had one name at one place
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-loads.h"

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
    PenLoad load = { g_array_index (tenures, PenTenure, i), 0 };

    if (is_own (function, &load.tenure))
      g_array_append_val (loads->loads, load);
    else if (load.tenure.layer != PEN_LAYER_MAP)
      loads->n_others++;
  }
  g_array_sort (loads->loads, compare_loads);
  return TRUE;
}

static gboolean
count (PenQuery *self, const PenFilter *filter, guint32 function, PenLoads *loads, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) places = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (PenBucketSet) set = NULL;
  g_autofree PenBucketCount *counts = NULL;

  if (!matcher)
    return FALSE;
  g_array_append_val (functions, function);
  set = pen_bucket_set_new (self, functions, NULL, NULL, error);
  if (!set)
    return FALSE;
  counts = pen_query_count_set (self, matcher, set, FALSE, error);
  if (!counts)
    return FALSE;
  for (guint i = 0; i < loads->loads->len; i++)
    g_hash_table_insert (places,
                         GUINT_TO_POINTER (g_array_index (loads->loads, PenLoad, i).tenure.id),
                         &g_array_index (loads->loads, PenLoad, i));
  for (guint i = 0; i < set->buckets->len; i++) {
    PenLoad *load
        = g_hash_table_lookup (places, GUINT_TO_POINTER (pen_bucket_set_get (set, i)->tenure));

    if (load)
      load->samples += counts[i].samples;
  }
  return TRUE;
}

PenLoads *
pen_query_list_loads (PenQuery *self, const PenFilter *filter, guint32 id, GError **error)
{
  g_autoptr (PenLoads) loads = g_new0 (PenLoads, 1);
  const PenFunction *function;

  if (!pen_query_load (self, error))
    return NULL;
  function = pen_query_get_function (self, id);
  loads->loads = g_array_new (FALSE, FALSE, sizeof (PenLoad));
  if (!function || !pen_query_has_text (function) || pen_query_is_jit (function))
    return g_steal_pointer (&loads);
  if (!find_tenures (self, function, loads, error))
    return NULL;
  if (loads->loads->len + loads->n_others > 1 && !count (self, filter, id, loads, error))
    return NULL;
  return g_steal_pointer (&loads);
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
