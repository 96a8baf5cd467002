/* pen-span-builder.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-span-builder.h"

#include "pen-span-counter.h"
#include "pen-span-merger.h"

/*
 * Level: spans that are not yet in one of the next level
 * @waiting: (element-type PenWrittenSpan): as many as the fan, at most
 * @merger: of those before @waiting; NULL: there are none, or they are merged
 * @blocks: since the merger began, and @n_blocks: in how many it shall have done all: half of what
 *   passes before the next one begins
 */
typedef struct {
  GPtrArray *waiting;
  guint n_spans; /* of the level, so far */
  PenSpanMerger *merger;
  guint blocks;
  guint n_blocks;
} Level;

/* @samples: that are not yet in a span */
struct _PenSpanBuilder {
  guint fan;
  gboolean is_flat;
  PenStoreWriter *writer;
  PenSpanCounter *counter;
  GArray *levels;

  guint first_block;
  guint n_blocks;    /* since first_block */
  gboolean is_ended; /* the next block completes the span */
  gboolean was_ended;
  guint32 first_bucket;

  PenSpanSamples samples;
};

static void
level_clear (gpointer data)
{
  Level *level = data;

  g_ptr_array_unref (level->waiting);
  pen_span_merger_free (level->merger);
}

PenSpanBuilder *
pen_span_builder_new (guint fan, PenStoreWriter *writer)
{
  PenSpanBuilder *self = g_new0 (PenSpanBuilder, 1);

  g_return_val_if_fail (fan >= 2, NULL);

  self->fan = fan;
  self->writer = writer;
  self->counter = pen_span_counter_new ();
  self->levels = g_array_new (FALSE, TRUE, sizeof (Level));
  g_array_set_clear_func (self->levels, level_clear);
  return self;
}

void
pen_span_builder_free (PenSpanBuilder *self)
{
  g_array_unref (self->levels);
  pen_span_counter_free (self->counter);
  pen_span_samples_clear (&self->samples);
  g_free (self);
}

gboolean
pen_span_builder_ends_span (PenSpanBuilder *self)
{
  return self->is_ended || self->n_blocks + 1 == self->fan;
}

void
pen_span_builder_end_span (PenSpanBuilder *self)
{
  self->is_ended = self->was_ended = TRUE;
}

static GPtrArray *
new_waiting (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) pen_written_span_free);
}

static Level *
get_level (PenSpanBuilder *self, guint number)
{
  if (number == self->levels->len) {
    Level level = { .waiting = new_waiting () };

    g_array_append_val (self->levels, level);
  }
  return &g_array_index (self->levels, Level, number);
}

static gboolean add_span (PenSpanBuilder *self, guint number, PenWrittenSpan *span, GError **error);

static gboolean
finish_merger (PenSpanBuilder *self, guint number, GError **error)
{
  PenSpanMerger *merger = get_level (self, number)->merger;
  PenWrittenSpan *merged;

  if (!merger)
    return TRUE;

  merged = pen_span_merger_finish (merger, error);
  get_level (self, number)->merger = NULL;
  pen_span_merger_free (merger);
  return merged && add_span (self, number + 1, merged, error);
}

/* The waiting spans of a level. */
static gboolean
begin_merger (PenSpanBuilder *self, guint number, GError **error)
{
  Level *level;

  if (!finish_merger (self, number, error))
    return FALSE;

  level = get_level (self, number);
  level->merger = pen_span_merger_new (level->waiting, self->writer);
  level->waiting = new_waiting ();
  level->blocks = 0;
  level->n_blocks = self->fan * self->fan / 2;
  for (guint i = 0; i < number && level->n_blocks < G_MAXUINT / self->fan; i++)
    level->n_blocks *= self->fan;
  return TRUE;
}

/* A level gets one above it only when it has more spans than the fan: so they are merged when
 * another one comes. Calls itself once per level at most, of which there are few. */
static gboolean
add_span (PenSpanBuilder *self, guint number, PenWrittenSpan *span, GError **error)
{
  Level *level;

  if (self->is_flat) {
    pen_written_span_free (span);
    return TRUE;
  }
  if (get_level (self, number)->waiting->len == self->fan && !begin_merger (self, number, error)) {
    pen_written_span_free (span);
    return FALSE;
  }

  level = get_level (self, number);
  level->n_spans++;
  g_ptr_array_add (level->waiting, span);
  return TRUE;
}

/* A little with every block, so that no block waits for all of it. */
static gboolean
merge_on (PenSpanBuilder *self, GError **error)
{
  for (guint i = 0; i < self->levels->len; i++) {
    Level *level = get_level (self, i);
    guint64 n_pieces;

    if (!level->merger)
      continue;

    level->blocks++;
    n_pieces = (guint64) pen_span_merger_count_pieces (level->merger) * level->blocks
               / MAX (level->n_blocks, 1);
    if (level->blocks < level->n_blocks) {
      if (!pen_span_merger_run (level->merger, (guint) n_pieces, error))
        return FALSE;
    } else if (!finish_merger (self, i, error)) {
      return FALSE;
    }
  }
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

  if (!output)
    return TRUE;

  written = pen_span_output_finish (output, self->writer, error);
  return written && add_span (self, 0, written, error);
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

  span.id = pen_store_writer_begin_span (self->writer);

  pen_span_counter_start (self->counter, &span, &self->samples, buckets, self->first_bucket);
  self->first_block += self->n_blocks;
  self->n_blocks = 0;
  self->is_ended = FALSE;
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
  if (!merge_on (self, error))
    return FALSE;
  return (self->n_blocks < self->fan && !self->is_ended) || end_span (self, buckets, error);
}

void
pen_span_builder_stay_flat (PenSpanBuilder *self)
{
  self->is_flat = TRUE;
}

gboolean
pen_span_builder_settle (PenSpanBuilder *self, GError **error)
{
  return finish_counted (self, error);
}

gboolean
pen_span_builder_finish (PenSpanBuilder *self, const PenBucket *buckets, guint32 first_bucket,
                         GError **error)
{
  g_return_val_if_fail (self->n_blocks == 0 || first_bucket == self->first_bucket, FALSE);

  /* Few blocks are read as fast as their spans: the one that may have been counted is left. */
  if (self->first_block + self->n_blocks <= self->fan && !self->was_ended)
    return TRUE;

  if (self->n_blocks > 0 && !end_span (self, buckets, error))
    return FALSE;
  if (!finish_counted (self, error))
    return FALSE;

  for (guint i = 0; get_level (self, i)->n_spans > self->fan; i++)
    if (!begin_merger (self, i, error) || !finish_merger (self, i, error))
      return FALSE;
  return TRUE;
}
