/* pen-span-counter.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-span-counter.h"

/* How many buckets ahead memory is asked for. */
#define PREFETCH 12

/* A copy of a bucket's fields: the bucket may move while the thread runs. */
typedef struct {
  guint32 function;
  guint32 kind;
} Known;

/*
 * Slot: a bucket that occurs in the span
 * @end: how many samples it has; then where in @tiles they begin, and then end
 */
typedef struct {
  guint64 period;
  guint32 end;
  guint32 kind;
} Slot;

/*
 * @known: (element-type Known): by number in the array of buckets
 * @slot_of: by number in the array of buckets: its slot plus 1; 0 between two spans
 * @samples: their buckets become slots
 *
 * A span's, while it is counted, in arrays of @size:
 * @keys, @other_keys: of the @n slots: function and number in the array of buckets
 * @order: slots by key
 * @tiles: of the samples, by key
 */
struct _PenSpanCounter {
  GThread *thread; /* NULL: nothing is in the works */
  PenSpanOutput output;
  guint32 first_bucket;
  GArray *known;
  guint32 *slot_of;
  guint n_slot_of;
  PenSpanSamples samples;

  guint size;
  guint n;
  guint64 *keys;
  guint64 *other_keys;
  guint32 *order;
  Slot *slots;
  guint16 *tiles;
};

void
pen_span_samples_clear (PenSpanSamples *samples)
{
  g_free (samples->times);
  g_free (samples->buckets);
  g_free (samples->periods);
}

PenSpanCounter *
pen_span_counter_new (void)
{
  PenSpanCounter *self = g_new0 (PenSpanCounter, 1);

  pen_span_output_init (&self->output);
  self->known = g_array_new (FALSE, FALSE, sizeof (Known));
  return self;
}

void
pen_span_counter_free (PenSpanCounter *self)
{
  if (!self)
    return;

  pen_span_counter_wait (self);
  pen_span_output_clear (&self->output);
  pen_span_samples_clear (&self->samples);
  g_array_unref (self->known);
  g_free (self->slot_of);
  g_free (self->keys);
  g_free (self->other_keys);
  g_free (self->order);
  g_free (self->slots);
  g_free (self->tiles);
  g_free (self);
}

/* Gives each bucket a slot, in which its samples are counted, and puts it in each sample's place
 * of the bucket. */
static void
find_buckets (PenSpanCounter *self)
{
  const PenSpanSamples *samples = &self->samples;
  const Known *known = (const Known *) (gpointer) self->known->data;
  guint n = 0;

  for (guint i = 0; i < samples->n; i++) {
    guint32 bucket = samples->buckets[i];
    guint32 slot = self->slot_of[bucket];

    if (slot == 0) {
      self->keys[n] = bucket;
      self->slots[n] = (Slot){ 0 };
      slot = self->slot_of[bucket] = ++n;
    }

    slot--;
    self->slots[slot].end++;
    self->slots[slot].period += samples->periods[i];
    samples->buckets[i] = slot;
  }

  for (guint i = 0; i < n; i++) {
    const Known *bucket = &known[self->keys[i]];

    self->keys[i] |= (guint64) bucket->function << 32;
    self->slots[i].kind = bucket->kind;
  }
  self->n = n;
}

/* Byte by byte from the lowest on; bytes in which no two keys differ are passed over. */
static void
sort_keys (PenSpanCounter *self)
{
  guint64 differing = 0;

  for (guint i = 0; i < self->n; i++)
    differing |= self->keys[i] ^ self->keys[0];

  for (guint shift = 0; shift < 64; shift += 8) {
    guint32 places[256] = { 0 };
    guint32 place = 0;
    guint64 *sorted = self->other_keys;

    if ((differing >> shift & 0xff) == 0)
      continue;

    for (guint i = 0; i < self->n; i++)
      places[self->keys[i] >> shift & 0xff]++;
    for (guint i = 0; i < 256; i++) {
      guint32 n = places[i];

      places[i] = place;
      place += n;
    }
    for (guint i = 0; i < self->n; i++)
      sorted[places[self->keys[i] >> shift & 0xff]++] = self->keys[i];

    self->other_keys = self->keys;
    self->keys = sorted;
  }
}

static void
sort_tiles (PenSpanCounter *self, const PenStoreSpan *span)
{
  const PenSpanSamples *samples = &self->samples;
  guint64 first_tile = span->first >> span->shift;
  guint32 end = 0;

  for (guint i = 0; i < self->n; i++) {
    guint32 *slot = &self->slot_of[(guint32) self->keys[i]];

    self->order[i] = *slot - 1;
    *slot = 0;
  }

  for (guint i = 0; i < self->n; i++) {
    Slot *slot = &self->slots[self->order[i]];
    guint32 n = slot->end;

    slot->end = end;
    end += n;
  }

  for (guint i = 0; i < samples->n; i++)
    self->tiles[self->slots[samples->buckets[i]].end++]
        = (guint16) ((samples->times[i] >> span->shift) - first_tile);
}

static void
put_buckets (PenSpanCounter *self)
{
  guint32 *counts = self->output.written->counts;
  guint32 at = 0;

  for (guint i = 0; i < self->n; i++) {
    const Slot *slot = &self->slots[self->order[i]];
    guint32 begin = at;

    __builtin_prefetch (&self->slots[self->order[MIN (i + PREFETCH, self->n - 1)]]);
    while (at < slot->end) {
      guint16 tile = self->tiles[at];
      guint32 n = 1;

      while (++at < slot->end && self->tiles[at] == tile)
        n++;
      pen_span_output_put_cell (&self->output, tile, n);
      counts[tile * PEN_KINDS + slot->kind] += n;
    }

    pen_span_output_put_bucket (&self->output, (guint32) (self->keys[i] >> 32),
                                self->first_bucket + (guint32) self->keys[i], at - begin,
                                slot->period);
  }
}

static void
reserve (PenSpanCounter *self, guint n)
{
  if (n <= self->size)
    return;

  self->size = n;
  self->keys = g_renew (guint64, self->keys, n);
  self->other_keys = g_renew (guint64, self->other_keys, n);
  self->order = g_renew (guint32, self->order, n);
  self->slots = g_renew (Slot, self->slots, n);
  self->tiles = g_renew (guint16, self->tiles, n);
}

static gpointer
count_samples (gpointer data)
{
  PenSpanCounter *self = data;

  reserve (self, self->samples.n);
  find_buckets (self);
  sort_keys (self);
  sort_tiles (self, &self->output.written->span);
  put_buckets (self);
  pen_span_output_pack (&self->output);
  return NULL;
}

/* A bucket keeps its function. */
static void
know_buckets (PenSpanCounter *self, const PenBucket *buckets, guint32 first_bucket, guint32 n)
{
  if (first_bucket != self->first_bucket)
    g_array_set_size (self->known, 0);
  self->first_bucket = first_bucket;

  for (guint32 i = self->known->len; i < n; i++) {
    Known known = { buckets[i].function, buckets[i].kind };

    g_array_append_val (self->known, known);
  }

  if (n <= self->n_slot_of)
    return;

  g_free (self->slot_of);
  self->n_slot_of = MAX (n, self->n_slot_of + self->n_slot_of / 2);
  self->slot_of = g_new0 (guint32, self->n_slot_of);
}

void
pen_span_counter_start (PenSpanCounter *self, const PenStoreSpan *span, PenSpanSamples *samples,
                        const PenBucket *buckets, guint32 first_bucket)
{
  PenSpanSamples taken = *samples;
  PenStoreSpan counted = *span;

  g_return_if_fail (!self->thread);

  /* The arrays change places: nothing is copied. */
  *samples = self->samples;
  samples->n = samples->n_buckets = 0;
  self->samples = taken;

  counted.samples = taken.n;
  if (taken.n > 0) {
    counted.first = taken.first;
    counted.last = taken.last;
    counted.shift = pen_span_choose_shift (taken.first, taken.last);
  }
  know_buckets (self, buckets, first_bucket, taken.n_buckets);
  pen_span_output_start (&self->output, &counted);
  self->thread = g_thread_new ("spans", count_samples, self);
}

PenSpanOutput *
pen_span_counter_wait (PenSpanCounter *self)
{
  if (!self->thread)
    return NULL;

  g_thread_join (g_steal_pointer (&self->thread));
  return &self->output;
}
