/* pen-sample-sorter.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-sorter.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pen-mapped-memory.h"
#include "pen-sample-codec.h"
#include "pen-sample-run.h"
#include "pen-scratch-file.h"

/* The samples of a run: about what a core's own cache holds, so that sorting does not wait for
 * memory, and little is left to sort when the last one is read. */
#define MIN_RUN 16u
#define MAX_RUN 65536u
/* Rooms for runs: one is being filled, one sorted and packed; the last one is sorted into the
 * other. */
#define ROOMS 2u
/* A run is at most so small a part of the memory. */
#define FEW_RUNS 5u
/* Samples that are packed together, and unpacked at once from a run. */
#define PIECE_SAMPLES 1024u
/* A length, and that many bytes, of @n samples. */
#define PIECE_MAX(n) (sizeof (guint32) + PEN_SAMPLE_CODE_MAX (n))

/*
 * Run: a sorted stretch of the samples, in stream order of their first ones
 * @samples: @filled of them: all of the run, in a room; or those unpacked last, owned
 * @is_packed: in pieces, in memory from @code on, or in the file where that is NULL
 * @left: not yet unpacked, from @offset on
 */
typedef struct {
  guint64 first_time;
  guint64 first_position;
  PenSortedSample *samples;
  guint filled;
  guint at;
  gboolean is_packed;
  const guint8 *code;
  guint64 offset;
  guint64 left;
} Run;

struct _PenSampleSorter {
  PenScratchFile file;
  gboolean is_mixed; /* positions need not ascend */
  guint capacity;    /* of a run, in samples */
  guint64 count;

  PenSortedSample *rooms; /* ROOMS of @capacity */
  guint8 *codes;          /* @codes_size bytes: packed runs, of which the thread adds more */
  gsize codes_size;
  gsize codes_filled;

  PenSortedSample *samples; /* the room that is being filled */
  PenSortedSample *spare;   /* the other one; NULL while the thread has it */
  guint filled;

  GArray *runs; /* Run */

  /* what the thread works on, between its start and its end */
  GThread *thread;
  int is_stopped; /* its result is not wanted any more */
  Run run;
  GError *error;

  guint8 *piece;
  guint begun; /* runs that have been in the heap, in the order of their first samples */
  guint *heap; /* indexes of runs with samples left, the smallest first */
  guint heap_length;
  Run *run_at_head; /* NULL: not known */
  guint64 limit_time;
  guint64 limit_position;
};

/* Gives @size bytes back, for placing the samples. */
static void
release (gconstpointer memory, gsize size)
{
  guintptr page = (guintptr) sysconf (_SC_PAGESIZE);
  guintptr start = ((guintptr) memory + page - 1) & ~(page - 1);
  guintptr end = ((guintptr) memory + size) & ~(page - 1);

  if (start < end)
    madvise ((gpointer) start, end - start, MADV_DONTNEED);
}

static gsize
get_rooms_size (PenSampleSorter *self)
{
  return ROOMS * (gsize) self->capacity * sizeof *self->rooms;
}

/* Where the kernel has them, since a fault for each small one takes longer than to sort what is in
 * it. Samples that fill no run leave most of a large one empty. */
static void
use_large_pages (PenSampleSorter *self)
{
  madvise (self->rooms, get_rooms_size (self), MADV_HUGEPAGE);
  if (self->codes)
    madvise (self->codes, self->codes_size, MADV_HUGEPAGE);
}

PenSampleSorter *
pen_sample_sorter_new (const char *directory, gsize memory)
{
  PenSampleSorter *self = g_new0 (PenSampleSorter, 1);
  gsize n = memory / sizeof (PenSortedSample);

  pen_scratch_file_init (&self->file, directory);
  self->capacity = (guint) CLAMP (n / FEW_RUNS, MIN_RUN, MAX_RUN);
  self->runs = g_array_new (FALSE, TRUE, sizeof (Run));

  self->rooms = pen_mapped_memory_new (get_rooms_size (self));
  self->samples = self->rooms;
  self->spare = self->rooms + self->capacity;
  if (memory > get_rooms_size (self)) {
    self->codes_size = memory - get_rooms_size (self);
    self->codes = pen_mapped_memory_new (self->codes_size);
  }
  return self;
}

void
pen_sample_sorter_free (PenSampleSorter *self)
{
  g_atomic_int_set (&self->is_stopped, TRUE);
  if (self->thread)
    g_thread_join (self->thread);
  for (guint i = 0; i < self->runs->len; i++)
    if (g_array_index (self->runs, Run, i).is_packed)
      g_free (g_array_index (self->runs, Run, i).samples);

  pen_scratch_file_clear (&self->file);
  g_array_unref (self->runs);
  pen_mapped_memory_free (self->rooms, get_rooms_size (self));
  pen_mapped_memory_free (self->codes, self->codes_size);
  g_clear_error (&self->error);
  g_free (self->piece);
  g_free (self->heap);
  g_free (self);
}

void
pen_sample_sorter_mix_positions (PenSampleSorter *self)
{
  self->is_mixed = TRUE;
}

guint64
pen_sample_sorter_get_count (PenSampleSorter *self)
{
  return self->count;
}

static void
gather (const PenSortedSample *samples, const guint32 *order, guint n, PenSortedSample *sorted)
{
  for (guint i = 0; i < n; i++)
    sorted[i] = samples[order[i]];
}

/* Into memory where there is room for it, else to the file.
 * @order: see pen_sample_run_order() */
static void
pack_run (PenSampleSorter *self, Run *run, const guint32 *order)
{
  g_autofree guint8 *piece = g_malloc (PIECE_MAX (PIECE_SAMPLES));
  g_autofree PenSortedSample *sorted = g_new (PenSortedSample, PIECE_SAMPLES);
  gsize n_pieces = (run->filled + PIECE_SAMPLES - 1) / PIECE_SAMPLES;

  run->offset = self->file.length;
  if (n_pieces * PIECE_MAX (MIN (run->filled, PIECE_SAMPLES))
      <= self->codes_size - self->codes_filled) {
    run->code = self->codes + self->codes_filled;
    run->offset = 0;
  }
  run->left = run->filled;
  run->filled = 0;
  for (guint i = 0; i < run->left && !g_atomic_int_get (&self->is_stopped); i += PIECE_SAMPLES) {
    guint8 *bytes = run->code ? self->codes + self->codes_filled : piece;
    guint n = MIN (PIECE_SAMPLES, (guint) run->left - i);
    guint32 length;

    if (order)
      gather (run->samples, order + i, n, sorted);
    length = (guint32) pen_sample_codec_encode (order ? sorted : run->samples + i, n,
                                                bytes + sizeof length);
    memcpy (bytes, &length, sizeof length);
    if (run->code)
      self->codes_filled += sizeof length + length;
    else if (!pen_scratch_file_append (&self->file, bytes, sizeof length + length, &self->error))
      return;
  }
}

/* Sorts self->run, and packs it if it shall not stay. */
static gpointer
sort_run (gpointer data)
{
  PenSampleSorter *self = data;
  Run *run = &self->run;
  g_autofree guint32 *order = self->is_mixed
                                  ? pen_sample_run_order_mixed (run->samples, run->filled)
                                  : pen_sample_run_order (run->samples, run->filled);
  const PenSortedSample *first = &run->samples[order ? order[0] : 0];

  run->first_time = first->time;
  run->first_position = first->position;
  if (run->is_packed) {
    pack_run (self, run, order);
  } else if (order) {
    PenSortedSample *unsorted = run->samples;

    gather (unsorted, order, run->filled, self->spare);
    run->samples = self->spare;
    self->spare = unsorted;
  }
  return NULL;
}

/* Waits for the thread. */
static gboolean
end_sorting (PenSampleSorter *self, GError **error)
{
  if (!self->thread)
    return TRUE;

  g_thread_join (g_steal_pointer (&self->thread));
  self->spare = g_steal_pointer (&self->run.samples);
  g_array_append_val (self->runs, self->run);
  self->run = (Run){ 0 };
  if (self->error) {
    g_propagate_error (error, g_steal_pointer (&self->error));
    return FALSE;
  }
  return TRUE;
}

/* Hands what was collected to the thread. */
static gboolean
begin_sorting (PenSampleSorter *self, GError **error)
{
  if (self->runs->len == 0 && !self->thread)
    use_large_pages (self);
  if (!end_sorting (self, error))
    return FALSE;

  self->run = (Run){ .samples = self->samples, .filled = self->filled, .is_packed = TRUE };
  self->samples = g_steal_pointer (&self->spare);
  self->filled = 0;
  self->thread = g_thread_new ("sort", sort_run, self);
  return TRUE;
}

PenSortedSample *
pen_sample_sorter_add (PenSampleSorter *self, GError **error)
{
  if (G_UNLIKELY (self->filled == self->capacity) && !begin_sorting (self, error))
    return NULL;

  self->count++;
  return &self->samples[self->filled++];
}

gboolean
pen_sample_sorter_ends_run (PenSampleSorter *self)
{
  return self->filled == self->capacity;
}

/* Positions ascend from run to run, and (time, position) is what a moment is. */
static int
compare_runs (gconstpointer a, gconstpointer b)
{
  const Run *x = a;
  const Run *y = b;

  if (x->first_time != y->first_time)
    return x->first_time < y->first_time ? -1 : 1;
  return x->first_position < y->first_position ? -1 : 1;
}

gboolean
pen_sample_sorter_sort (PenSampleSorter *self, GError **error)
{
  if (!end_sorting (self, error))
    return FALSE;

  if (self->filled > 0) {
    self->run = (Run){ .samples = g_steal_pointer (&self->samples), .filled = self->filled };
    sort_run (self);
    g_array_append_val (self->runs, self->run);
    self->run = (Run){ 0 };
    self->filled = 0;
  }
  release (self->spare, self->capacity * sizeof *self->spare);

  g_array_sort (self->runs, compare_runs);
  self->piece = g_malloc (PEN_SAMPLE_CODE_MAX (PIECE_SAMPLES));
  self->heap = g_new (guint, MAX (self->runs->len, 1));
  return TRUE;
}

static gboolean
read_piece (PenSampleSorter *self, Run *run, GError **error)
{
  const guint8 *bytes;
  guint32 length;

  if (run->code)
    memcpy (&length, run->code + run->offset, sizeof length);
  else if (!pen_scratch_file_read (&self->file, run->offset, &length, sizeof length, error))
    return FALSE;
  length = MIN (length, PEN_SAMPLE_CODE_MAX (PIECE_SAMPLES));
  run->offset += sizeof length;
  bytes = run->code ? run->code + run->offset : self->piece;
  if (!run->code && !pen_scratch_file_read (&self->file, run->offset, self->piece, length, error))
    return FALSE;
  run->offset += length;

  if (!pen_sample_codec_decode (bytes, length, run->samples, run->filled)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                         _ ("A temporary file has changed"));
    return FALSE;
  }
  return TRUE;
}

static gboolean
run_fill (PenSampleSorter *self, Run *run, GError **error)
{
  run->filled = (guint) MIN (run->left, PIECE_SAMPLES);
  run->at = 0;
  if (run->filled == 0) {
    if (run->is_packed)
      g_free (run->samples);
    else
      release (run->samples, self->capacity * sizeof *run->samples);
    if (run->code)
      release (run->code, run->offset);
    run->samples = NULL;
    return TRUE;
  }

  if (!run->samples)
    run->samples = g_new (PenSortedSample, PIECE_SAMPLES);
  if (!read_piece (self, run, error))
    return FALSE;

  run->left -= run->filled;
  return TRUE;
}

static inline gboolean
is_before (const PenSortedSample *a, guint64 time, guint64 position)
{
  return a->time != time ? a->time < time : a->position < position;
}

static inline const PenSortedSample *
run_head (PenSampleSorter *self, guint index)
{
  const Run *run = &g_array_index (self->runs, Run, index);

  return &run->samples[run->at];
}

static gboolean
is_less (PenSampleSorter *self, guint a, guint b)
{
  const PenSortedSample *other = run_head (self, self->heap[b]);

  return is_before (run_head (self, self->heap[a]), other->time, other->position);
}

static void
heap_swap (PenSampleSorter *self, guint a, guint b)
{
  guint swapped = self->heap[a];

  self->heap[a] = self->heap[b];
  self->heap[b] = swapped;
}

static void
heap_sink (PenSampleSorter *self, guint at)
{
  for (;;) {
    guint least = at;

    for (guint child = 2 * at + 1; child <= 2 * at + 2 && child < self->heap_length; child++)
      if (is_less (self, child, least))
        least = child;

    if (least == at)
      return;

    heap_swap (self, at, least);
    at = least;
  }
}

static gboolean
heap_add (PenSampleSorter *self, guint index, GError **error)
{
  Run *run = &g_array_index (self->runs, Run, index);
  guint at = self->heap_length;

  if (!run->samples && !run_fill (self, run, error))
    return FALSE;

  self->heap[self->heap_length++] = index;
  while (at > 0 && is_less (self, at, (at - 1) / 2)) {
    heap_swap (self, at, (at - 1) / 2);
    at = (at - 1) / 2;
  }
  return TRUE;
}

/* A recording is nearly in order, so that few of many runs are open at a time. */
static gboolean
begin_runs (PenSampleSorter *self, GError **error)
{
  for (; self->begun < self->runs->len; self->begun++) {
    const Run *run = &g_array_index (self->runs, Run, self->begun);

    if (self->heap_length > 0
        && is_before (run_head (self, self->heap[0]), run->first_time, run->first_position))
      break;
    if (!heap_add (self, self->begun, error))
      return FALSE;
  }
  return TRUE;
}

/* Moves the rest of the first run to its place among the others. */
static gboolean
settle_head (PenSampleSorter *self, GError **error)
{
  Run *run;

  if (self->heap_length == 0)
    return TRUE;

  run = &g_array_index (self->runs, Run, self->heap[0]);
  if (run->at == run->filled && !run_fill (self, run, error))
    return FALSE;
  if (run->filled == 0)
    self->heap[0] = self->heap[--self->heap_length];
  heap_sink (self, 0);
  return TRUE;
}

static void
lower_limit (PenSampleSorter *self, guint64 time, guint64 position)
{
  if (time < self->limit_time || (time == self->limit_time && position < self->limit_position)) {
    self->limit_time = time;
    self->limit_position = position;
  }
}

/* How far the first run goes before another one has the next sample. */
static void
find_limit (PenSampleSorter *self)
{
  self->limit_time = self->limit_position = G_MAXUINT64;
  for (guint child = 1; child <= 2 && child < self->heap_length; child++) {
    const PenSortedSample *head = run_head (self, self->heap[child]);

    lower_limit (self, head->time, head->position);
  }
  if (self->begun < self->runs->len) {
    const Run *run = &g_array_index (self->runs, Run, self->begun);

    lower_limit (self, run->first_time, run->first_position);
  }
}

static gboolean
change_run (PenSampleSorter *self, GError **error)
{
  self->run_at_head = NULL;
  if (!settle_head (self, error) || !begin_runs (self, error) || self->heap_length == 0)
    return FALSE;

  find_limit (self);
  self->run_at_head = &g_array_index (self->runs, Run, self->heap[0]);
  return TRUE;
}

const PenSortedSample *
pen_sample_sorter_next (PenSampleSorter *self, GError **error)
{
  Run *run = self->run_at_head;

  if (G_UNLIKELY (!run || run->at == run->filled
                  || !is_before (&run->samples[run->at], self->limit_time, self->limit_position))) {
    if (!change_run (self, error))
      return NULL;
    run = self->run_at_head;
  }
  return &run->samples[run->at++];
}
