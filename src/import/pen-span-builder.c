/* pen-span-builder.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-span-builder.h"

#include "pen-span-counter.h"
#include "pen-span-merger.h"

/* Spans of a level that are not yet in one of the next: as many as the fan, at most. */
typedef struct {
  GPtrArray *waiting; /* of PenWrittenSpan */
  guint n_spans;      /* of the level, so far */
} Level;

/*
 * @output: of the spans that are merged
 * @samples: that are not yet in a span
 */
struct _PenSpanBuilder {
  guint fan;
  PenStoreWriter *writer;
  PenSpanOutput output;
  PenSpanCounter *counter;
  GArray *levels;

  guint first_block;
  guint n_blocks; /* since first_block */
  guint32 first_bucket;

  PenSpanSamples samples;
};

static void
level_clear (gpointer data)
{
  Level *level = data;

  g_ptr_array_unref (level->waiting);
}

PenSpanBuilder *
pen_span_builder_new (guint fan, PenStoreWriter *writer)
{
  PenSpanBuilder *self = g_new0 (PenSpanBuilder, 1);

  g_return_val_if_fail (fan >= 2, NULL);

  self->fan = fan;
  self->writer = writer;
  pen_span_output_init (&self->output);
  self->counter = pen_span_counter_new ();
  self->levels = g_array_new (FALSE, TRUE, sizeof (Level));
  g_array_set_clear_func (self->levels, level_clear);

  return self;
}

void
pen_span_builder_free (PenSpanBuilder *self)
{
  if (self == NULL)
    return;

  pen_span_output_clear (&self->output);
  g_array_unref (self->levels);
  pen_span_counter_free (self->counter);
  pen_span_samples_clear (&self->samples);
  g_free (self);
}

gboolean
pen_span_builder_ends_span (PenSpanBuilder *self)
{
  return self->n_blocks + 1 == self->fan;
}

static Level *
get_level (PenSpanBuilder *self, guint number)
{
  if (number == self->levels->len) {
    Level level = { g_ptr_array_new_with_free_func ((GDestroyNotify) pen_written_span_free), 0 };

    g_array_append_val (self->levels, level);
  }

  return &g_array_index (self->levels, Level, number);
}

static gboolean add_span (PenSpanBuilder *self, guint level, PenWrittenSpan *span, GError **error);

static gboolean
merge_level (PenSpanBuilder *self, guint number, GError **error)
{
  GPtrArray *waiting = get_level (self, number)->waiting;
  PenWrittenSpan *merged = pen_span_merge (
      &self->output, self->writer, (PenWrittenSpan *const *) waiting->pdata, waiting->len, error);

  if (merged == NULL)
    return FALSE;

  g_ptr_array_set_size (waiting, 0);

  return add_span (self, number + 1, merged, error);
}

/* A level gets one above it only when it has more spans than the fan: so they are merged when
 * another one comes. Calls itself once per level at most, of which there are few. */
static gboolean
add_span (PenSpanBuilder *self, guint level, PenWrittenSpan *span, GError **error)
{
  if (get_level (self, level)->waiting->len == self->fan && !merge_level (self, level, error)) {
    pen_written_span_free (span);
    return FALSE;
  }

  get_level (self, level)->n_spans++;
  g_ptr_array_add (get_level (self, level)->waiting, span);

  return TRUE;
}

/* ---- samples of blocks ---- */

static void
reserve (PenSpanSamples *samples, guint n)
{
  if (n <= samples->size)
    return;

  samples->size = n;
  samples->times = g_renew (guint64, samples->times, n);
  samples->buckets = g_renew (guint32, samples->buckets, n);
  samples->periods = g_renew (guint64, samples->periods, n);
}

static void
take_samples (PenSpanSamples *samples, const PenSampleBlock *block, guint32 first_bucket)
{
  guint64 first = samples->n == 0 ? G_MAXUINT64 : samples->first;
  guint64 last = samples->n == 0 ? 0 : samples->last;
  guint32 greatest = 0;
  guint n = samples->n;

  reserve (samples, n + block->n);
  for (guint i = 0; i < block->n; i++) {
    guint64 time = block->time[i];
    guint32 bucket = block->bucket[i] - first_bucket;

    if ((block->has[i] & PEN_SAMPLE_HAS_TIME) == 0 || time == 0 || time == G_MAXUINT64)
      continue;

    samples->times[n] = time;
    samples->buckets[n] = bucket;
    samples->periods[n] = block->period[i];
    first = MIN (first, time);
    last = MAX (last, time);
    greatest = MAX (greatest, bucket);
    n++;
  }

  if (n > samples->n)
    samples->n_buckets = MAX (samples->n_buckets, greatest + 1);
  samples->n = n;
  samples->first = first;
  samples->last = last;
}

/* Writes the span that was counted meanwhile, before the next one is. */
static gboolean
finish_counted (PenSpanBuilder *self, GError **error)
{
  PenSpanOutput *output = pen_span_counter_wait (self->counter);
  PenWrittenSpan *written;

  if (output == NULL)
    return TRUE;

  written = pen_span_output_finish (output, self->writer, error);

  return written != NULL && add_span (self, 0, written, error);
}

static gboolean
end_span (PenSpanBuilder *self, const PenBucket *buckets, GError **error)
{
  PenStoreSpan span = {
    .level = 1,
    .first_block = self->first_block,
    .n_blocks = self->n_blocks,
  };

  if (!finish_counted (self, error))
    return FALSE;

  pen_span_counter_start (self->counter, &span, &self->samples, buckets, self->first_bucket);
  self->first_block += self->n_blocks;
  self->n_blocks = 0;

  return TRUE;
}

gboolean
pen_span_builder_add_block (PenSpanBuilder *self, const PenSampleBlock *block,
                            const PenBucket *buckets, guint32 first_bucket, GError **error)
{
  g_return_val_if_fail (self->n_blocks == 0 || first_bucket == self->first_bucket, FALSE);

  self->first_bucket = first_bucket;
  take_samples (&self->samples, block, first_bucket);
  self->n_blocks++;

  return self->n_blocks < self->fan || end_span (self, buckets, error);
}

gboolean
pen_span_builder_finish (PenSpanBuilder *self, const PenBucket *buckets, guint32 first_bucket,
                         GError **error)
{
  g_return_val_if_fail (self->n_blocks == 0 || first_bucket == self->first_bucket, FALSE);

  /* Few blocks are read as fast as their spans: the one that may have been counted is left. */
  if (self->first_block + self->n_blocks <= self->fan)
    return TRUE;

  if (self->n_blocks > 0 && !end_span (self, buckets, error))
    return FALSE;
  if (!finish_counted (self, error))
    return FALSE;

  for (guint i = 0; get_level (self, i)->n_spans > self->fan; i++)
    if (!merge_level (self, i, error))
      return FALSE;

  return TRUE;
}
