/* pen-query.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query.h"
#include "pen-binary-search.h"
#include "pen-ksymbol-ends.h"
#include "pen-query-private.h"

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
  g_clear_pointer (&self->spare_block, pen_sample_block_free);
  g_clear_pointer (&self->spare_rows, g_free);
  g_clear_pointer (&self->bucket_functions, pen_bucket_functions_free);
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

/* ---- loading ---- */

static int
compare_ranges (gconstpointer a, gconstpointer b)
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

static gboolean
add_ksymbol (const PenTenure *tenure, gpointer user_data)
{
  if (tenure->layer == PEN_LAYER_KSYMBOL && tenure->name != NULL)
    g_array_append_val (user_data, *tenure);
  return TRUE;
}

static guint
hash_ksymbol (gconstpointer data)
{
  const PenTenure *tenure = data;

  return g_int64_hash (&tenure->start) ^ g_str_hash (tenure->name);
}

/* Of the same function. */
static gboolean
equal_ksymbols (gconstpointer a, gconstpointer b)
{
  const PenTenure *x = a;
  const PenTenure *y = b;

  return x->start == y->start && x->end == y->end && x->kind == y->kind
         && g_str_equal (x->name, y->name);
}

/* @ends: by tenure; a function's end is that of the tenure that had most room. */
static void
find_ends (const GArray *tenures, GHashTable *ends, GHashTable *functions)
{
  g_autoptr (PenKsymbolEnds) ksymbols
      = pen_ksymbol_ends_new ((const PenTenure *) tenures->data, tenures->len);

  for (guint i = 0; i < tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (tenures, PenTenure, i);
    guint64 *end = g_new (guint64, 1);
    const guint64 *last = g_hash_table_lookup (functions, tenure);

    *end = pen_ksymbol_ends_get (ksymbols, tenure);
    g_hash_table_insert (ends, GUINT_TO_POINTER (tenure->id), end);
    if (last == NULL || *last < *end)
      g_hash_table_replace (functions, (gpointer) tenure, end);
  }
}

static guint64
get_own_end (GHashTable *ends, const PenFunction *function)
{
  const PenTenure key = {
    .name = function->symbol != NULL ? function->symbol : "",
    .kind = function->kind,
    .start = function->start,
    .end = function->start + function->length,
  };
  const guint64 *end = g_hash_table_lookup (ends, &key);

  return end != NULL ? *end : key.end;
}

static gboolean
index_functions (PenQuery *self, GError **error)
{
  g_autoptr (GArray) tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  g_autoptr (GHashTable) ends = g_hash_table_new (hash_ksymbol, equal_ksymbols);
  guint64 max_end = 0;

  if (!pen_store_foreach_tenure (self->store, FALSE, add_ksymbol, tenures, error))
    return FALSE;
  self->ksymbol_ends = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  find_ends (tenures, self->ksymbol_ends, ends);

  self->n_samples = 0;
  self->ranges = g_array_new (FALSE, FALSE, sizeof (PenFunctionRange));
  self->unranged = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < self->n_functions; i++) {
    const PenFunction *function = &self->functions[i];
    PenFunctionRange range = { function->start, get_own_end (ends, function), 0, i };

    self->n_samples += function->samples;
    if (function->length > 0 && range.end > range.start
        && pen_query_is_kernel_kind (function->kind))
      g_array_append_val (self->ranges, range);
    else
      g_array_append_val (self->unranged, function->id);
  }
  g_array_sort (self->ranges, compare_ranges);
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
  if (self->functions == NULL || !index_functions (self, error))
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
  if (self->buckets == NULL)
    self->buckets = pen_store_get_buckets (self->store, &self->n_buckets, error);
  return self->buckets != NULL;
}

gboolean
pen_query_load_threads (PenQuery *self, GError **error)
{
  if (self->threads == NULL)
    self->threads = pen_store_get_threads (self->store, &self->n_threads, error);
  return self->threads != NULL;
}

gboolean
pen_query_load_ticks (PenQuery *self, GError **error)
{
  if (self->ticks == NULL)
    self->ticks = pen_store_load_poke_ticks (self->store, error);
  return self->ticks != NULL;
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

/* ---- shared cells ---- */

void
pen_query_write_text_or_empty (PenTableWriter *writer, const char *text)
{
  if (text == NULL || *text == '\0')
    pen_table_writer_empty (writer);
  else
    pen_table_writer_text (writer, text);
}

void
pen_query_write_cause (PenTableWriter *writer, gboolean is_poke, PenConfidence confidence,
                       const char *key, guint32 batch, guint32 n_sites)
{
  pen_table_writer_text (writer, is_poke ? pen_confidence_to_string (confidence) : NULL);
  pen_query_write_text_or_empty (writer, is_poke ? key : NULL);
  if (is_poke && batch != 0) {
    pen_table_writer_unsigned (writer, batch);
    pen_table_writer_unsigned (writer, n_sites);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
}

void
pen_query_write_task (PenTableWriter *writer, gboolean has_task, gint32 pid, gint32 tid,
                      const char *comm)
{
  if (has_task) {
    pen_table_writer_signed (writer, pid);
    pen_table_writer_signed (writer, tid);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  pen_query_write_text_or_empty (writer, comm);
}

void
pen_query_write_cpu (PenTableWriter *writer, guint32 cpu)
{
  if (cpu == G_MAXUINT32)
    pen_table_writer_empty (writer);
  else
    pen_table_writer_unsigned (writer, cpu);
}

void
pen_query_write_occupant (PenTableWriter *writer, PenKind kind, const char *occupant)
{
  pen_table_writer_text (writer, pen_kind_to_string (kind));
  pen_query_write_text_or_empty (writer, kind == PEN_KIND_UNKNOWN ? NULL : occupant);
}

void
pen_query_write_span (PenTableWriter *writer, PenMoment from, gboolean is_bounded_below,
                      PenMoment to, gboolean is_bounded_above)
{
  gboolean is_table = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;

  if (is_bounded_below && from.time != 0)
    pen_table_writer_time (writer, from.time);
  else
    pen_table_writer_text (writer, is_table ? "start" : NULL);
  if (is_bounded_above && to.time != G_MAXUINT64)
    pen_table_writer_time (writer, to.time);
  else
    pen_table_writer_text (writer, is_table ? "end" : NULL);
}

gboolean
pen_query_is_unverified (const PenTenure *tenure, PenMoment to)
{
  return tenure != NULL && pen_moment_compare (tenure->unverified_from, to) < 0;
}

void
pen_query_write_evidence (PenTableWriter *writer, PenEvidence evidence, gboolean is_unverified)
{
  pen_query_write_evidence_of (writer, evidence, NULL, is_unverified);
}

void
pen_query_write_evidence_of (PenTableWriter *writer, PenEvidence evidence, const char *source,
                             gboolean is_unverified)
{
  g_autofree char *words = g_strconcat (
      pen_evidence_to_string (evidence), source != NULL ? " (" : "", source != NULL ? source : "",
      source != NULL ? ")" : "", is_unverified ? ", unverified" : "", NULL);

  pen_table_writer_text (writer, words);
}
