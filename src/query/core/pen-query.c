/* pen-query.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query.h"
#include "pen-annotation.h"
#include "pen-binary-search.h"
#include "pen-ksymbol-ends.h"
#include "pen-query-private.h"
#include "pen-store-buckets.h"
#include "pen-store-occupants.h"
#include "pen-store-pokes.h"
#include "pen-store-records.h"
#include "pen-table-hash.h"

G_DEFINE_QUARK (pen_query_error_quark, pen_query_error)

G_DEFINE_FINAL_TYPE (PenQuery, pen_query, G_TYPE_OBJECT)

static void
pen_query_finalize (GObject *object)
{
  PenQuery *self = PEN_QUERY (object);

  g_clear_pointer (&self->ranges, g_array_unref);
  g_clear_pointer (&self->unranged, g_array_unref);
  g_clear_pointer (&self->ticks, g_array_unref);
  g_clear_pointer (&self->ksymbol_ends, g_hash_table_unref);
  g_clear_pointer (&self->places, g_hash_table_unref);
  g_clear_pointer (&self->near, g_array_unref);
  g_clear_pointer (&self->spare_block, pen_sample_block_free);
  g_clear_pointer (&self->spare_rows, g_free);
  g_clear_pointer (&self->bucket_functions, pen_bucket_functions_free);
  g_clear_object (&self->waits);
  g_clear_object (&self->samples);
  g_clear_object (&self->store);
  G_OBJECT_CLASS (pen_query_parent_class)->finalize (object);
}

static void
pen_query_class_init (PenQueryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_query_finalize;
}

static void
pen_query_init (PenQuery *self G_GNUC_UNUSED)
{
}

PenQuery *
pen_query_new (PenStore *store)
{
  PenQuery *self = g_object_new (PEN_TYPE_QUERY, NULL);

  self->store = g_object_ref (store);
  return self;
}

PenStore *
pen_query_get_store (PenQuery *self)
{
  return self->store;
}

gboolean
pen_query_is_of_waits (PenQuery *self)
{
  return pen_store_get_population (self->store) == PEN_POPULATION_WAITS;
}

PenQuery *
pen_query_get_waits (PenQuery *self, GError **error)
{
  if (!self->waits) {
    g_autoptr (PenStore) store = pen_store_open_waits (self->store, error);

    if (!store)
      return NULL;
    self->waits = pen_query_new (store);
  }
  pen_store_set_cancellable (self->waits->store, pen_store_get_cancellable (self->store));
  return self->waits;
}

PenQuery *
pen_query_get_samples (PenQuery *self)
{
  PenStore *store = pen_store_get_samples (self->store);

  if (!store || store == self->store)
    return self;
  if (!self->samples)
    self->samples = pen_query_new (store);
  pen_store_set_cancellable (store, pen_store_get_cancellable (self->store));
  return self->samples;
}

/* ---- loading ---- */

static int
compare_ranges (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const PenFunctionRange *x = a;
  const PenFunctionRange *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->function < y->function ? -1 : x->function > y->function;
}

gboolean
pen_query_is_kernel_kind (PenKind kind)
{
  return kind == PEN_KIND_KERNEL || kind == PEN_KIND_MODULE || kind == PEN_KIND_BPF
         || kind == PEN_KIND_STUB;
}

gboolean
pen_query_is_kernel_text (const PenFunction *function)
{
  return function->length > 0
         && (pen_query_is_kernel_kind (function->kind) || function->kind == PEN_KIND_UNKNOWN);
}

static gboolean
add_ksymbol (const PenTenure *tenure, gpointer user_data)
{
  if (tenure->layer == PEN_LAYER_KSYMBOL && tenure->name)
    g_array_append_val (user_data, *tenure);
  return TRUE;
}

static guint
hash_ksymbol (gconstpointer data)
{
  const PenTenure *tenure = data;

  guint64 key[] = { tenure->start, tenure->end, tenure->kind, pen_str_hash (tenure->name) };

  return pen_data_hash (key, sizeof key);
}

/* The same function has the same start and name. */
static gboolean
equal_ksymbols (gconstpointer a, gconstpointer b)
{
  const PenTenure *x = a;
  const PenTenure *y = b;

  return x->start == y->start && x->end == y->end && x->kind == y->kind
         && g_str_equal (x->name, y->name);
}

/* @ends: by tenure; a function's end is that of the tenure that had most room. */
static gboolean
find_ends (const GArray *tenures, GHashTable *ends, GHashTable *functions, PenCancelCheck *check)
{
  g_autoptr (PenKsymbolEnds) ksymbols
      = pen_ksymbol_ends_new ((const PenTenure *) tenures->data, tenures->len, check);

  if (!ksymbols)
    return FALSE;
  for (guint i = 0; i < tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (tenures, PenTenure, i);
    guint64 *end = g_new (guint64, 1);
    const guint64 *last = g_hash_table_lookup (functions, tenure);

    *end = pen_ksymbol_ends_get (ksymbols, tenure);
    g_hash_table_insert (ends, GUINT_TO_POINTER (tenure->id), end);
    if (!last || *last < *end)
      g_hash_table_replace (functions, (gpointer) tenure, end);
    if (!pen_cancel_check_step (check))
      return FALSE;
  }
  return TRUE;
}

static guint64
get_own_end (GHashTable *ends, const PenFunction *function)
{
  const PenTenure key = {
    .name = function->symbol ? function->symbol : "",
    .kind = function->kind,
    .start = function->start,
    .end = function->start + function->length,
  };
  const guint64 *end = g_hash_table_lookup (ends, &key);

  return end ? *end : key.end;
}

static gboolean
may_go_on (gpointer user_data)
{
  return pen_store_goes_on (user_data, NULL);
}

PenCancelCheck
pen_query_make_check (PenQuery *self)
{
  /* The first step looks: of short loops there may be many. */
  return (PenCancelCheck){ .func = may_go_on,
                           .user_data = self->store,
                           .steps = PEN_CANCEL_CHECK_STEPS - 1 };
}

gboolean
pen_query_end_check (PenQuery *self, const PenCancelCheck *check, GError **error)
{
  if (check->is_stopped)
    pen_store_goes_on (self->store, error);
  return !check->is_stopped;
}

/* Whoever is cancelled may be asked again. Returns: FALSE */
static gboolean
forget_functions (PenQuery *self, GError **error)
{
  g_clear_pointer (&self->ksymbol_ends, g_hash_table_unref);
  g_clear_pointer (&self->ranges, g_array_unref);
  g_clear_pointer (&self->unranged, g_array_unref);
  pen_store_goes_on (self->store, error);
  return FALSE;
}

static gboolean
index_functions (PenQuery *self, GError **error)
{
  PenCancelCheck check = pen_query_make_check (self);
  g_autoptr (GArray) tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  g_autoptr (GHashTable) ends = g_hash_table_new (hash_ksymbol, equal_ksymbols);
  guint64 max_end = 0;

  if (!pen_store_foreach_tenure (self->store, FALSE, add_ksymbol, tenures, error))
    return FALSE;
  self->ksymbol_ends = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);
  if (!find_ends (tenures, self->ksymbol_ends, ends, &check))
    return forget_functions (self, error);

  self->n_samples = 0;
  self->ranges = g_array_new (FALSE, FALSE, sizeof (PenFunctionRange));
  self->unranged = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < self->n_functions; i++) {
    const PenFunction *function = &self->functions[i];
    PenFunctionRange range = { function->start, get_own_end (ends, function), 0, i };

    self->n_samples += function->samples;
    if (range.end > range.start && pen_query_is_kernel_text (function))
      g_array_append_val (self->ranges, range);
    else
      g_array_append_val (self->unranged, function->id);
    if (!pen_cancel_check_step (&check))
      break;
  }
  if (check.is_stopped
      || !pen_cancel_check_sort (&check, self->ranges->data, self->ranges->len,
                                 sizeof (PenFunctionRange), compare_ranges, NULL))
    return forget_functions (self, error);
  for (guint i = 0; i < self->ranges->len; i++) {
    PenFunctionRange *range = &g_array_index (self->ranges, PenFunctionRange, i);

    max_end = MAX (max_end, range->end);
    range->max_end = max_end;
  }
  return TRUE;
}

gboolean
pen_query_load (PenQuery *self, GError **error)
{
  if (self->is_loaded)
    return TRUE;

  self->events = pen_store_get_events (self->store);
  self->functions = pen_store_get_functions (self->store, &self->n_functions, error);
  if (!self->functions || !index_functions (self, error))
    return FALSE;
  pen_span_tree_init (&self->tree, self->store);
  self->n_buckets = pen_store_count_buckets (self->store);
  self->bucket_functions = pen_bucket_functions_new (self->store, &self->tree, self->n_functions);
  self->is_loaded = TRUE;
  return TRUE;
}

gboolean
pen_query_load_buckets (PenQuery *self, GError **error)
{
  if (!self->buckets)
    self->buckets = pen_store_get_buckets (self->store, &self->n_buckets, error);
  return self->buckets != NULL;
}

gboolean
pen_query_load_threads (PenQuery *self, GError **error)
{
  if (!self->threads)
    self->threads = pen_store_get_threads (self->store, &self->n_threads, error);
  return self->threads != NULL;
}

gboolean
pen_query_load_ticks (PenQuery *self, GError **error)
{
  if (!self->ticks)
    self->ticks = pen_store_load_poke_ticks (self->store, error);
  return self->ticks != NULL;
}

guint
pen_query_find_tick (PenQuery *self, guint64 time)
{
  const GArray *ticks = self->ticks;

  return PEN_BINARY_SEARCH (i, 0, ticks->len, g_array_index (ticks, PenPokeTick, i).time < time);
}

/* ---- functions ---- */

gboolean
pen_query_is_jit (const PenFunction *function)
{
  return function->kind == PEN_KIND_ANON && function->symbol && function->name_file == 0
         && function->length > 0 && function->length <= PEN_ANNOTATION_MAX;
}

gboolean
pen_query_has_text (const PenFunction *function)
{
  return function->length <= PEN_ANNOTATION_MAX && pen_query_is_kernel_text (function);
}

void
pen_query_foreach_function_in (PenQuery *self, guint64 start, guint64 end, PenFunctionFunc func,
                               gpointer user_data)
{
  const PenFunctionRange *ranges = (const PenFunctionRange *) self->ranges->data;
  guint low;

  /* The first range that starts at or after the end; all that can overlap stand before it. */
  low = PEN_BINARY_SEARCH (i, 0, self->ranges->len, ranges[i].start < end);
  while (low > 0 && ranges[low - 1].max_end > start) {
    low--;
    if (ranges[low].end > start)
      func (&self->functions[ranges[low].function], user_data);
  }
}

void
pen_query_foreach_unranged (PenQuery *self, gboolean kernel, PenFunctionFunc func,
                            gpointer user_data)
{
  for (guint i = 0; i < self->unranged->len; i++) {
    const PenFunction *function = &self->functions[g_array_index (self->unranged, guint32, i)];

    if (!kernel || pen_query_is_kernel_kind (function->kind) || function->kind == PEN_KIND_UNKNOWN)
      func (function, user_data);
  }
}

static void
add_function (const PenFunction *function, gpointer user_data)
{
  GArray *functions = user_data;

  if (function->samples > 0 && function->id != g_array_index (functions, guint32, 0))
    g_array_append_val (functions, function->id);
}

GArray *
pen_query_list_functions_near (PenQuery *self, guint32 id)
{
  const PenFunction *function = pen_query_get_function (self, id);
  GArray *functions = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (!function)
    return functions;
  g_array_append_val (functions, id);
  if (pen_query_has_text (function)) {
    pen_query_foreach_function_in (self, function->start, function->start + function->length,
                                   add_function, functions);
    pen_query_foreach_unranged (self, TRUE, add_function, functions);
  }
  return functions;
}
