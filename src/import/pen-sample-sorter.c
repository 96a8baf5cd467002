/* pen-sample-sorter.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-sorter.h"

#include "pen-scratch-file.h"

#define MIN_RUN 16u
/* Samples read at once from each spilled run. */
#define READ_SAMPLES 1024u

/* A sample's time, and where it stands in the run. */
typedef struct {
  guint64 time;
  guint32 index;
} Key;

/* A sorted stretch of the temporary file, being read. */
typedef struct {
  guint64 offset;
  guint64 left; /* samples not yet read from the file */
  PenSortedSample *buffer;
  guint at;
  guint filled;
} Run;

struct _PenSampleSorter {
  PenScratchFile file;
  guint capacity;  /* of a run, in samples */
  GArray *samples; /* of the run that is being filled */
  Key *keys;
  guint at; /* next of keys, when the samples stayed in memory */
  guint64 count;
  GArray *runs;
  guint *heap; /* indexes of runs with samples left, the smallest first */
  guint heap_length;
};

PenSampleSorter *
pen_sample_sorter_new (const char *directory, gsize memory)
{
  PenSampleSorter *self = g_new0 (PenSampleSorter, 1);

  pen_scratch_file_init (&self->file, directory);
  self->capacity = (guint) CLAMP (memory / sizeof (PenSortedSample), MIN_RUN, G_MAXINT32 / 64);
  self->samples = g_array_new (FALSE, FALSE, sizeof (PenSortedSample));
  self->runs = g_array_new (FALSE, TRUE, sizeof (Run));

  return self;
}

void
pen_sample_sorter_free (PenSampleSorter *self)
{
  if (self == NULL)
    return;

  for (guint i = 0; i < self->runs->len; i++)
    g_free (g_array_index (self->runs, Run, i).buffer);

  pen_scratch_file_clear (&self->file);
  g_array_unref (self->runs);
  g_array_unref (self->samples);
  g_free (self->heap);
  g_free (self->keys);
  g_free (self);
}

guint64
pen_sample_sorter_get_count (PenSampleSorter *self)
{
  return self->count;
}

/* One pass of a radix sort: stable, so that samples of one time stay in stream order. */
static void
sort_by_digit (const Key *from, Key *to, guint n, guint shift, const guint32 *counts)
{
  guint32 starts[256];
  guint32 start = 0;

  for (guint digit = 0; digit < 256; digit++) {
    starts[digit] = start;
    start += counts[digit];
  }

  for (guint i = 0; i < n; i++)
    to[starts[(from[i].time >> shift) & 0xff]++] = from[i];
}

/* Sorts self->samples into self->keys. */
static void
sort_run (PenSampleSorter *self)
{
  guint n = self->samples->len;
  const PenSortedSample *samples = (const PenSortedSample *) (gpointer) self->samples->data;
  guint32 counts[8][256] = { 0 };
  gboolean is_sorted = TRUE;
  Key *keys = g_new (Key, MAX (n, 1));
  Key *other;

  g_clear_pointer (&self->keys, g_free);
  for (guint i = 0; i < n; i++) {
    keys[i] = (Key){ samples[i].time, i };
    is_sorted = is_sorted && (i == 0 || samples[i - 1].time <= samples[i].time);
    for (guint byte = 0; byte < 8; byte++)
      counts[byte][(samples[i].time >> (8 * byte)) & 0xff]++;
  }

  if (is_sorted) {
    self->keys = keys;
    return;
  }

  other = g_new (Key, n);
  for (guint byte = 0; byte < 8; byte++) {
    Key *sorted = other;

    if (counts[byte][(samples[0].time >> (8 * byte)) & 0xff] == n)
      continue;

    sort_by_digit (keys, other, n, 8 * byte, counts[byte]);
    other = keys;
    keys = sorted;
  }

  g_free (other);
  self->keys = keys;
}

static gboolean
spill_run (PenSampleSorter *self, GError **error)
{
  g_autofree PenSortedSample *buffer = g_new (PenSortedSample, READ_SAMPLES);
  Run run = { .offset = self->file.length, .left = self->samples->len };
  guint filled = 0;

  sort_run (self);
  for (guint i = 0; i < self->samples->len; i++) {
    buffer[filled++] = g_array_index (self->samples, PenSortedSample, self->keys[i].index);
    if (filled == READ_SAMPLES || i + 1 == self->samples->len) {
      if (!pen_scratch_file_append (&self->file, buffer, filled * sizeof *buffer, error))
        return FALSE;
      filled = 0;
    }
  }

  g_array_append_val (self->runs, run);
  g_array_set_size (self->samples, 0);

  return TRUE;
}

gboolean
pen_sample_sorter_add (PenSampleSorter *self, const PenSortedSample *sample, GError **error)
{
  if (self->samples->len == self->capacity && !spill_run (self, error))
    return FALSE;

  g_array_append_vals (self->samples, sample, 1);
  self->count++;

  return TRUE;
}

static gboolean
run_fill (PenSampleSorter *self, Run *run, GError **error)
{
  run->filled = (guint) MIN (run->left, READ_SAMPLES);
  if (!pen_scratch_file_read (&self->file, run->offset, run->buffer,
                              run->filled * sizeof (PenSortedSample), error))
    return FALSE;

  run->offset += run->filled * sizeof (PenSortedSample);
  run->left -= run->filled;
  run->at = 0;

  return TRUE;
}

static inline const PenSortedSample *
run_head (PenSampleSorter *self, guint index)
{
  const Run *run = &g_array_index (self->runs, Run, index);

  return &run->buffer[run->at];
}

/* Positions ascend from run to run, and (time, position) is what a moment is. */
static inline gboolean
run_is_before (PenSampleSorter *self, guint a, guint b)
{
  const PenSortedSample *x = run_head (self, a);
  const PenSortedSample *y = run_head (self, b);

  return x->time != y->time ? x->time < y->time : x->position < y->position;
}

static void
heap_sink (PenSampleSorter *self, guint at)
{
  for (;;) {
    guint least = at;
    guint swapped;

    for (guint child = 2 * at + 1; child <= 2 * at + 2 && child < self->heap_length; child++)
      if (run_is_before (self, self->heap[child], self->heap[least]))
        least = child;

    if (least == at)
      return;

    swapped = self->heap[at];
    self->heap[at] = self->heap[least];
    self->heap[least] = swapped;
    at = least;
  }
}

gboolean
pen_sample_sorter_sort (PenSampleSorter *self, GError **error)
{
  if (self->runs->len == 0) {
    sort_run (self);
    return TRUE;
  }

  if (self->samples->len > 0 && !spill_run (self, error))
    return FALSE;

  /* What memory the runs took is free again for those who place the samples. */
  g_array_unref (self->samples);
  self->samples = g_array_new (FALSE, FALSE, sizeof (PenSortedSample));
  g_clear_pointer (&self->keys, g_free);
  self->heap = g_new (guint, self->runs->len);
  for (guint i = 0; i < self->runs->len; i++) {
    Run *run = &g_array_index (self->runs, Run, i);

    run->buffer = g_new (PenSortedSample, READ_SAMPLES);
    if (!run_fill (self, run, error))
      return FALSE;
    self->heap[self->heap_length++] = i;
  }

  for (guint i = self->heap_length / 2; i-- > 0;)
    heap_sink (self, i);

  return TRUE;
}

static gboolean
next_of_runs (PenSampleSorter *self, PenSortedSample *sample, GError **error)
{
  Run *run;

  if (self->heap_length == 0)
    return FALSE;

  run = &g_array_index (self->runs, Run, self->heap[0]);
  *sample = run->buffer[run->at++];

  if (run->at == run->filled && run->left > 0 && !run_fill (self, run, error))
    return FALSE;
  if (run->at == run->filled)
    self->heap[0] = self->heap[--self->heap_length];

  heap_sink (self, 0);

  return TRUE;
}

gboolean
pen_sample_sorter_next (PenSampleSorter *self, PenSortedSample *sample, GError **error)
{
  if (self->runs->len > 0)
    return next_of_runs (self, sample, error);

  if (self->at == self->samples->len)
    return FALSE;

  *sample = g_array_index (self->samples, PenSortedSample, self->keys[self->at++].index);

  return TRUE;
}
