/* pen-sample-count.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-count.h"

#include "pen-sample-ends.h"
#include "pen-sample-walk.h"

static void
get_stretch (const PenMatcher *matcher, guint64 *from, guint64 *to)
{
  *from = matcher->asks_time ? matcher->filter->from : 0;
  *to = matcher->asks_time ? matcher->filter->to : G_MAXUINT64;
}

/* All samples of the matcher's stretch: from spans, unless only the samples themselves can tell. */
static gboolean
walk (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to,
      const PenWalkFuncs *funcs, gpointer user_data, GError **error)
{
  if (matcher->asks_rows)
    return pen_query_scan (self, matcher, from, to, funcs->rows, user_data, error);
  return pen_query_walk_spans (self, matcher, from, to, funcs, user_data, error);
}

static guint64
get_period (const PenSampleBlock *block, guint row)
{
  return block->has[row] & PEN_SAMPLE_HAS_PERIOD ? block->period[row] : 0;
}

/* ---- by function ---- */

typedef struct {
  PenQuery *query;
  const PenMatcher *matcher;
  PenFunctionCount *counts;
} FunctionCounting;

static gboolean
add_function_rows (const PenSampleBatch *batch, gpointer user_data, GError **error)
{
  FunctionCounting *counting = user_data;
  const PenBucketFunctions *functions = counting->query->bucket_functions;
  const PenSampleBlock *block = batch->block;

  if (!pen_bucket_functions_learn (counting->query->bucket_functions, batch->number, block, error))
    return FALSE;
  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    guint32 function = pen_bucket_functions_get (functions, block->bucket[row]);

    counting->counts[function].samples++;
    counting->counts[function].period += get_period (block, row);
  }
  return TRUE;
}

static gboolean
add_function_bucket (const PenSpanBucket *bucket, gpointer user_data)
{
  FunctionCounting *counting = user_data;

  if (pen_matcher_has_bucket (counting->matcher, bucket->bucket, bucket->function)) {
    counting->counts[bucket->function].samples += bucket->samples;
    counting->counts[bucket->function].period += bucket->period;
  }
  return TRUE;
}

/* Where the filter knows no difference between a function's buckets, its sum is enough. */
static gboolean
add_function_sums (FunctionCounting *counting, const PenStoreSpan *span, GError **error)
{
  g_autoptr (GArray) sums = pen_store_load_span_functions (counting->query->store, span, error);

  for (guint i = 0; sums && i < sums->len; i++) {
    const PenSpanFunction *sum = &g_array_index (sums, PenSpanFunction, i);
    PenFunctionCount *count = &counting->counts[sum->function];

    if (!counting->matcher->counted || counting->matcher->counted[sum->function]) {
      count->samples += sum->samples;
      count->period += sum->period;
    }
  }
  return sums != NULL;
}

static gboolean
add_function_span (const PenStoreSpan *span, gpointer user_data, GError **error)
{
  FunctionCounting *counting = user_data;

  if (!counting->matcher->buckets)
    return add_function_sums (counting, span, error);
  return pen_store_foreach_span_bucket (counting->query->store, span, 0, G_MAXUINT32,
                                        add_function_bucket, counting, error);
}

static void
take_whole_functions (PenQuery *self, const PenMatcher *matcher, PenFunctionCount *counts)
{
  for (guint i = 0; i < self->n_functions; i++) {
    const PenFunction *function = &self->functions[i];

    if (!matcher->counted || matcher->counted[i])
      counts[i] = (PenFunctionCount){ function->samples, function->period };
  }
}

static void
add_whole_buckets (PenQuery *self, const PenMatcher *matcher, PenFunctionCount *counts)
{
  for (guint i = 0; i < self->n_buckets; i++) {
    const PenBucket *bucket = &self->buckets[i];

    if (matcher->buckets[i]) {
      counts[bucket->function].samples += bucket->samples;
      counts[bucket->function].period += bucket->period;
    }
  }
}

PenFunctionCount *
pen_query_count_functions (PenQuery *self, const PenMatcher *matcher, GError **error)
{
  static const PenWalkFuncs funcs = { .span = add_function_span, .rows = add_function_rows };
  g_autofree PenFunctionCount *counts = g_new0 (PenFunctionCount, (gsize) self->n_functions + 1);
  FunctionCounting counting = { self, matcher, counts };
  guint64 from;
  guint64 to;

  get_stretch (matcher, &from, &to);
  if (matcher->asks_rows || matcher->asks_time) {
    if (!walk (self, matcher, from, to, &funcs, &counting, error))
      return NULL;
  } else if (matcher->buckets) {
    add_whole_buckets (self, matcher, counts);
  } else {
    take_whole_functions (self, matcher, counts);
  }
  return g_steal_pointer (&counts);
}

/* ---- all of them ---- */

static gboolean
add_rows (const PenSampleBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  *(guint64 *) user_data += batch->n_rows;
  return TRUE;
}

static gboolean
add_span (const PenStoreSpan *span, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  *(guint64 *) user_data += span->samples;
  return TRUE;
}

gboolean
pen_query_count_samples (PenQuery *self, const PenMatcher *matcher, guint64 *n, GError **error)
{
  static const PenWalkFuncs funcs = { .span = add_span, .rows = add_rows, .only_places = TRUE };
  g_autofree PenFunctionCount *counts = NULL;
  guint64 from;
  guint64 to;

  *n = 0;
  get_stretch (matcher, &from, &to);
  if (matcher->asks_rows || (matcher->asks_time && pen_matcher_has_all_samples (matcher)))
    return walk (self, matcher, from, to, &funcs, n, error);

  counts = pen_query_count_functions (self, matcher, error);
  for (guint i = 0; counts && i < self->n_functions; i++)
    *n += counts[i].samples;
  return counts != NULL;
}

gboolean
pen_query_count (PenQuery *self, const PenFilter *filter, guint64 *matching, guint64 *total,
                 GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);

  if (!matcher)
    return FALSE;
  *total = self->n_samples;
  return pen_query_count_samples (self, matcher, matching, error);
}

gboolean
pen_query_count_amount (PenQuery *self, const PenMatcher *matcher, PenAmount *amount,
                        GError **error)
{
  g_autofree PenFunctionCount *counts = NULL;

  *amount = pen_amount (self, 0, 0);
  if (!pen_query_is_of_waits (self))
    return pen_query_count_samples (self, matcher, &amount->n, error);
  counts = pen_query_count_functions (self, matcher, error);
  for (guint i = 0; counts && i < self->n_functions; i++) {
    amount->n += counts[i].samples;
    amount->period += counts[i].period;
  }
  return counts != NULL;
}

gboolean
pen_query_count_amounts (PenQuery *self, const PenFilter *filter, PenAmount *matching,
                         PenAmount *total, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);

  if (!matcher)
    return FALSE;
  *total = pen_amount (self, self->n_samples, 0);
  for (guint i = 0; pen_query_is_of_waits (self) && i < self->n_functions; i++)
    total->period += self->functions[i].period;
  return pen_query_count_amount (self, matcher, matching, error);
}

/* ---- by bucket ---- */

typedef struct {
  PenQuery *query;
  const PenMatcher *matcher;
  const PenBucketSet *set; /* NULL: all buckets; a bucket's index is its id */
  PenBucketCount *counts;
} BucketCounting;

static inline PenBucketCount *
find_count (const BucketCounting *counting, guint32 bucket)
{
  guint index = counting->set ? pen_bucket_set_find (counting->set, bucket) : bucket;

  return index != G_MAXUINT ? &counting->counts[index] : NULL;
}

static gboolean
add_bucket_rows (const PenSampleBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  const PenSampleBlock *block = batch->block;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    PenBucketCount *count = find_count (user_data, block->bucket[row]);

    if (!count)
      continue;
    count->samples++;
    count->first = MIN (count->first, block->time[row]);
    count->last = MAX (count->last, block->time[row]);
    count->period += get_period (block, row);
  }
  return TRUE;
}

static gboolean
add_span_bucket (const PenSpanBucket *bucket, gpointer user_data)
{
  BucketCounting *counting = user_data;
  PenBucketCount *count = find_count (counting, bucket->bucket);

  if (count && pen_matcher_has_bucket (counting->matcher, bucket->bucket, bucket->function)) {
    count->samples += bucket->samples;
    count->period += bucket->period;
  }
  return TRUE;
}

static gboolean
add_bucket_span (const PenStoreSpan *span, gpointer user_data, GError **error)
{
  BucketCounting *counting = user_data;
  PenStore *store = counting->query->store;
  const GArray *functions = counting->set ? counting->set->functions : NULL;

  if (!functions)
    return pen_store_foreach_span_bucket (store, span, 0, G_MAXUINT32, add_span_bucket, counting,
                                          error);
  for (guint i = 0; i < functions->len; i++) {
    guint32 function = g_array_index (functions, guint32, i);

    if (!pen_store_foreach_span_bucket (store, span, function, function, add_span_bucket, counting,
                                        error))
      return FALSE;
  }
  return TRUE;
}

static const PenWalkFuncs bucket_funcs = { .span = add_bucket_span, .rows = add_bucket_rows };

PenBucketCount *
pen_query_count_buckets (PenQuery *self, const PenMatcher *matcher, GError **error)
{
  g_autofree PenBucketCount *counts = NULL;
  BucketCounting counting = { self, matcher, NULL, NULL };
  guint64 from;
  guint64 to;

  if (!pen_query_load_buckets (self, error))
    return NULL;
  counting.counts = counts = g_new0 (PenBucketCount, (gsize) self->n_buckets + 1);
  get_stretch (matcher, &from, &to);
  if (matcher->asks_rows || matcher->asks_time) {
    if (!walk (self, matcher, from, to, &bucket_funcs, &counting, error))
      return NULL;
    return g_steal_pointer (&counts);
  }
  for (guint i = 0; i < self->n_buckets; i++) {
    const PenBucket *bucket = &self->buckets[i];

    if (pen_matcher_has_bucket (matcher, i, bucket->function))
      counts[i] = (PenBucketCount){ bucket->samples, bucket->period, bucket->first, bucket->last };
  }
  return g_steal_pointer (&counts);
}

gboolean
pen_query_add_set (PenQuery *self, const PenMatcher *matcher, const PenBucketSet *set, guint64 from,
                   guint64 to, PenBucketCount *counts, GError **error)
{
  BucketCounting counting = { self, matcher, set, counts };
  guint64 first;
  guint64 last;

  get_stretch (matcher, &first, &last);
  first = MAX (first, from);
  last = MIN (last, to);
  if (set->buckets->len == 0 || first > last)
    return TRUE;
  return walk (self, matcher, first, last, &bucket_funcs, &counting, error);
}

static void
take_whole_set (const PenMatcher *matcher, const PenBucketSet *set, PenBucketCount *counts)
{
  for (guint i = 0; i < set->buckets->len; i++) {
    const PenBucket *bucket = pen_bucket_set_get (set, i);

    if (pen_matcher_has_bucket (matcher, bucket->id, bucket->function))
      counts[i] = (PenBucketCount){ bucket->samples, bucket->period, bucket->first, bucket->last };
  }
}

PenBucketCount *
pen_query_count_set (PenQuery *self, const PenMatcher *matcher, const PenBucketSet *set,
                     gboolean with_ends, GError **error)
{
  g_autofree PenBucketCount *counts = g_new0 (PenBucketCount, (gsize) set->buckets->len + 1);
  guint64 from;
  guint64 to;

  if (!matcher->asks_rows && !matcher->asks_time) {
    take_whole_set (matcher, set, counts);
    return g_steal_pointer (&counts);
  }
  get_stretch (matcher, &from, &to);
  for (guint i = 0; i < set->buckets->len; i++)
    counts[i].first = G_MAXUINT64;
  if (!pen_query_add_set (self, matcher, set, from, to, counts, error))
    return NULL;
  /* Without spans, and where only samples can tell, each of them was looked at. */
  if (with_ends && self->tree.n_top > 0 && !matcher->asks_rows
      && !pen_query_find_ends (self, set, from, to, counts, error))
    return NULL;
  return g_steal_pointer (&counts);
}
