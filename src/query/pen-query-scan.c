/* pen-query-scan.c: samples scanned and counted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

/* ---- scanning ---- */

static guint
select_rows (const PenMatcher *matcher, const PenSampleBlock *block, guint64 from, guint64 to,
             guint32 *rows)
{
  gboolean asks_time = from > 0 || to < G_MAXUINT64;
  gboolean asks_more = !pen_matcher_has_all_samples (matcher);
  guint n = 0;

  for (guint i = 0; i < block->n; i++) {
    if (asks_time
        && (!(block->has[i] & PEN_SAMPLE_HAS_TIME) || block->time[i] < from || block->time[i] > to))
      continue;
    if (asks_more && !pen_matcher_has_sample (matcher, block, i))
      continue;
    rows[n++] = i;
  }
  return n;
}

/* The bucket and thread of each row index arrays of this query: a damaged block must not. */
static gboolean
check_block (PenQuery *self, const PenSampleBlock *block, GError **error)
{
  guint32 bucket = 0;
  guint32 thread = 0;

  for (guint i = 0; i < block->n; i++) {
    bucket = MAX (bucket, block->bucket[i]);
    thread = MAX (thread, block->thread[i]);
  }
  if (block->n > 0 && (bucket >= self->n_buckets || thread >= self->n_threads)) {
    g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED,
                 "%s: a block of samples names a bucket or thread that is not there; import the "
                 "capture again",
                 pen_store_get_path (self->store));
    return FALSE;
  }
  return TRUE;
}

gboolean
pen_query_scan (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to,
                gboolean ignore_time, PenScanFunc func, gpointer user_data, GError **error)
{
  guint n_blocks;
  const PenBlockInfo *blocks = pen_store_get_blocks (self->store, &n_blocks);
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autofree guint32 *rows = g_new (guint32, PEN_BLOCK_SAMPLES);

  if (matcher->filter->has_time && !ignore_time) {
    from = MAX (from, matcher->filter->from);
    to = MIN (to, matcher->filter->to);
  }
  for (guint i = 0; i < n_blocks; i++) {
    if (blocks[i].last < from || blocks[i].first > to)
      continue;
    if (!pen_store_read_block (self->store, i, block, error) || !check_block (self, block, error))
      return FALSE;

    PenSampleBatch batch = { i, block, rows, select_rows (matcher, block, from, to, rows) };

    if (batch.n_rows > 0 && !func (&batch, user_data, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- counting ---- */

static gboolean
count_rows (const PenSampleBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  const PenSampleBlock *block = batch->block;
  PenBucketCount *counts = user_data;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    PenBucketCount *count = &counts[block->bucket[row]];

    if (count->samples++ == 0)
      count->first = block->time[row];
    count->first = MIN (count->first, block->time[row]);
    count->last = MAX (count->last, block->time[row]);
    if (block->has[row] & PEN_SAMPLE_HAS_PERIOD)
      count->period += block->period[row];
  }
  return TRUE;
}

PenBucketCount *
pen_query_count_buckets (PenQuery *self, const PenMatcher *matcher, GError **error)
{
  g_autofree PenBucketCount *counts = g_new0 (PenBucketCount, self->n_buckets + 1);

  if (matcher->asks_samples) {
    if (!pen_query_scan (self, matcher, 0, G_MAXUINT64, FALSE, count_rows, counts, error))
      return NULL;
    return g_steal_pointer (&counts);
  }
  for (guint i = 0; i < self->n_buckets; i++) {
    const PenBucket *bucket = &self->buckets[i];

    if (pen_matcher_has_bucket (matcher, i))
      counts[i] = (PenBucketCount){ bucket->samples, bucket->period, bucket->first, bucket->last };
  }
  return g_steal_pointer (&counts);
}

gboolean
pen_query_count (PenQuery *self, const PenFilter *filter, guint64 *matching, guint64 *total,
                 GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autofree PenBucketCount *counts = NULL;

  if (matcher == NULL)
    return FALSE;
  counts = pen_query_count_buckets (self, matcher, error);
  if (counts == NULL)
    return FALSE;
  *matching = *total = 0;
  for (guint i = 0; i < self->n_buckets; i++) {
    *matching += counts[i].samples;
    *total += self->buckets[i].samples;
  }
  return TRUE;
}
