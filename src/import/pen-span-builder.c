/* pen-span-builder.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-span-builder.h"

#include <string.h>

#include "pen-span-merger.h"

/* How many buckets ahead memory is asked for. */
#define PREFETCH 12

/* Spans of a level that are not yet in one of the next: as many as the fan, at most. */
typedef struct {
  GPtrArray *waiting; /* of PenWrittenSpan */
  guint n_spans;      /* of the level, so far */
} Level;

/*
 * @times, @buckets, @periods: of the @n samples that are not yet in a span; @buckets: numbers in
 *   the array of buckets, and, while they are counted, slots of Sorting
 * @slots: by number in the array of buckets: its slot plus 1; 0 between two spans
 */
struct _PenSpanBuilder {
  guint fan;
  PenSpanOutput output;
  GArray *levels;

  guint first_block;
  guint n_blocks; /* since first_block */
  guint32 first_bucket;

  guint n;
  guint size;
  guint64 *times;
  guint32 *buckets;
  guint64 *periods;
  guint64 first; /* of times */
  guint64 last;

  guint32 *slots;
  guint n_slots;
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
  pen_span_output_init (&self->output, writer);
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
  g_free (self->times);
  g_free (self->buckets);
  g_free (self->periods);
  g_free (self->slots);
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
  PenWrittenSpan *merged = pen_span_merge (&self->output, (PenWrittenSpan *const *) waiting->pdata,
                                           waiting->len, error);

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
reserve (PenSpanBuilder *self, guint n)
{
  if (n <= self->size)
    return;

  self->size = n;
  self->times = g_renew (guint64, self->times, n);
  self->buckets = g_renew (guint32, self->buckets, n);
  self->periods = g_renew (guint64, self->periods, n);
}

static void
take_samples (PenSpanBuilder *self, const PenSampleBlock *block, guint32 first_bucket)
{
  guint n = self->n;

  reserve (self, n + block->n);
  for (guint i = 0; i < block->n; i++) {
    guint64 time = block->time[i];

    if ((block->has[i] & PEN_SAMPLE_HAS_TIME) == 0 || time == 0 || time == G_MAXUINT64)
      continue;

    self->times[n] = time;
    self->buckets[n] = block->bucket[i] - first_bucket;
    self->periods[n] = block->period[i];
    self->first = n == 0 ? time : MIN (self->first, time);
    self->last = n == 0 ? time : MAX (self->last, time);
    n++;
  }
  self->n = n;
}

static void
reserve_slots (PenSpanBuilder *self)
{
  guint32 greatest = 0;

  for (guint i = 0; i < self->n; i++)
    greatest = MAX (greatest, self->buckets[i]);
  if (greatest < self->n_slots)
    return;

  g_free (self->slots);
  self->n_slots = MAX (greatest + 1, self->n_slots + self->n_slots / 2);
  self->slots = g_new0 (guint32, self->n_slots);
}

/*
 * Slot: a bucket that occurs in the span
 * @end: how many samples it has; then where in Sorting.tiles they begin, and then end
 */
typedef struct {
  guint64 period;
  guint32 end;
  guint32 kind;
} Slot;

/*
 * Sorting: the samples of a span by function and bucket
 * @keys: of the @n slots: function and number in the array of buckets
 * @order: slots by key
 * @tiles: of the samples, by key
 */
typedef struct {
  guint n;
  guint64 *keys;
  guint32 *order;
  Slot *slots;
  guint16 *tiles;
} Sorting;

static void
sorting_clear (Sorting *sorting)
{
  g_free (sorting->keys);
  g_free (sorting->order);
  g_free (sorting->slots);
  g_free (sorting->tiles);
}

/* Gives each bucket a slot, in which its samples are counted, and puts it in each sample's place
 * of the bucket. */
static void
find_buckets (PenSpanBuilder *self, const PenBucket *buckets, Sorting *sorting)
{
  guint n = 0;

  for (guint i = 0; i < self->n; i++) {
    guint32 bucket = self->buckets[i];
    guint32 slot = self->slots[bucket];

    if (slot == 0) {
      sorting->keys[n] = bucket;
      sorting->slots[n] = (Slot){ 0 };
      slot = self->slots[bucket] = ++n;
    }

    slot--;
    sorting->slots[slot].end++;
    sorting->slots[slot].period += self->periods[i];
    self->buckets[i] = slot;
  }

  /* Apart, since a bucket is far from the others in memory. */
  for (guint i = 0; i < n; i++) {
    const PenBucket *bucket = &buckets[sorting->keys[i]];

    sorting->keys[i] |= (guint64) bucket->function << 32;
    sorting->slots[i].kind = bucket->kind;
  }
  sorting->n = n;
}

/* Byte by byte from the lowest on; bytes in which no two keys differ are passed over. */
static void
sort_keys (Sorting *sorting)
{
  g_autofree guint64 *other = g_new (guint64, sorting->n + 1);
  guint64 differing = 0;

  for (guint i = 0; i < sorting->n; i++)
    differing |= sorting->keys[i] ^ sorting->keys[0];

  for (guint shift = 0; shift < 64; shift += 8) {
    guint32 places[256] = { 0 };
    guint32 place = 0;
    guint64 *sorted = other;

    if ((differing >> shift & 0xff) == 0)
      continue;

    for (guint i = 0; i < sorting->n; i++)
      places[sorting->keys[i] >> shift & 0xff]++;
    for (guint i = 0; i < 256; i++) {
      guint32 n = places[i];

      places[i] = place;
      place += n;
    }
    for (guint i = 0; i < sorting->n; i++)
      sorted[places[sorting->keys[i] >> shift & 0xff]++] = sorting->keys[i];

    other = sorting->keys;
    sorting->keys = sorted;
  }
}

static void
sort_tiles (PenSpanBuilder *self, const PenStoreSpan *span, Sorting *sorting)
{
  guint64 first_tile = span->first >> span->shift;
  guint32 end = 0;

  for (guint i = 0; i < sorting->n; i++) {
    guint32 *slot = &self->slots[(guint32) sorting->keys[i]];

    sorting->order[i] = *slot - 1;
    *slot = 0;
  }

  for (guint i = 0; i < sorting->n; i++) {
    Slot *slot = &sorting->slots[sorting->order[i]];
    guint32 n = slot->end;

    slot->end = end;
    end += n;
  }

  for (guint i = 0; i < self->n; i++)
    sorting->tiles[sorting->slots[self->buckets[i]].end++]
        = (guint16) ((self->times[i] >> span->shift) - first_tile);
}

static gboolean
put_buckets (PenSpanBuilder *self, const Sorting *sorting, GError **error)
{
  guint32 *counts = self->output.written->counts;
  guint32 at = 0;

  for (guint i = 0; i < sorting->n; i++) {
    const Slot *slot = &sorting->slots[sorting->order[i]];
    guint32 begin = at;

    __builtin_prefetch (&sorting->slots[sorting->order[MIN (i + PREFETCH, sorting->n - 1)]]);
    while (at < slot->end) {
      guint16 tile = sorting->tiles[at];
      guint32 n = 1;

      while (++at < slot->end && sorting->tiles[at] == tile)
        n++;
      pen_span_output_put_cell (&self->output, tile, n);
      counts[tile * PEN_KINDS + slot->kind] += n;
    }

    if (!pen_span_output_put_bucket (&self->output, (guint32) (sorting->keys[i] >> 32),
                                     self->first_bucket + (guint32) sorting->keys[i], at - begin,
                                     slot->period, error))
      return FALSE;
  }

  return TRUE;
}

static gboolean
put_samples (PenSpanBuilder *self, const PenStoreSpan *span, const PenBucket *buckets,
             GError **error)
{
  Sorting sorting = {
    .keys = g_new (guint64, self->n),
    .order = g_new (guint32, self->n),
    .slots = g_new (Slot, self->n),
    .tiles = g_new (guint16, self->n),
  };
  gboolean ok;

  reserve_slots (self);
  find_buckets (self, buckets, &sorting);
  sort_keys (&sorting);
  sort_tiles (self, span, &sorting);
  ok = put_buckets (self, &sorting, error);
  sorting_clear (&sorting);

  return ok;
}

static gboolean
end_span (PenSpanBuilder *self, const PenBucket *buckets, GError **error)
{
  PenStoreSpan span = {
    .level = 1,
    .first_block = self->first_block,
    .n_blocks = self->n_blocks,
    .samples = self->n,
  };
  PenWrittenSpan *written;

  if (self->n > 0) {
    span.first = self->first;
    span.last = self->last;
    span.shift = pen_span_choose_shift (span.first, span.last);
  }

  pen_span_output_start (&self->output, &span);
  if (self->n > 0 && !put_samples (self, &span, buckets, error))
    return FALSE;

  written = pen_span_output_finish (&self->output, error);
  if (written == NULL)
    return FALSE;

  self->first_block += self->n_blocks;
  self->n_blocks = 0;
  self->n = 0;

  return add_span (self, 0, written, error);
}

gboolean
pen_span_builder_add_block (PenSpanBuilder *self, const PenSampleBlock *block,
                            const PenBucket *buckets, guint32 first_bucket, GError **error)
{
  g_return_val_if_fail (self->n_blocks == 0 || first_bucket == self->first_bucket, FALSE);

  self->first_bucket = first_bucket;
  take_samples (self, block, first_bucket);
  self->n_blocks++;

  return self->n_blocks < self->fan || end_span (self, buckets, error);
}

gboolean
pen_span_builder_finish (PenSpanBuilder *self, const PenBucket *buckets, guint32 first_bucket,
                         GError **error)
{
  g_return_val_if_fail (self->n_blocks == 0 || first_bucket == self->first_bucket, FALSE);

  /* Few blocks are read as fast as their spans. */
  if (self->first_block + self->n_blocks <= self->fan)
    return self->first_block == 0 || pen_store_writer_drop_spans (self->output.writer, error);

  if (self->n_blocks > 0 && !end_span (self, buckets, error))
    return FALSE;

  for (guint i = 0; get_level (self, i)->n_spans > self->fan; i++)
    if (!merge_level (self, i, error))
      return FALSE;

  return TRUE;
}
