/* test-span-builder.c: spans against a count of every sample
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "pen-span-builder.h"
#include "pen-store-buckets.h"

#define N_EVENTS 2

/*
 * Stream: what a test has its spans made of
 * @span_of_time: times are up to this, ns
 * @disorder: one of so many samples is at any time at all; 0: none
 * @per_generation: buckets begin anew when there are so many; 0: never
 * @ended: one of so many blocks completes its span; 0: none
 */
typedef struct {
  guint fan;
  guint n_blocks;
  guint max_samples; /* per block */
  guint n_buckets;   /* that may occur at a time */
  guint n_functions;
  guint64 first_time;
  guint64 span_of_time;
  guint disorder;
  guint per_generation;
  guint ended;
} Stream;

typedef struct {
  const Stream *stream;
  char *directory;
  char *path;
  GPtrArray *blocks; /* of PenSampleBlock */
  GArray *buckets;   /* all of them, by id */
  GArray *starts;    /* of generations: first ids */
  GArray *spans;     /* guint: first blocks of those of level 1 */
  gboolean is_ended; /* one was completed before there were as many as the fan */
  PenStore *store;
} Model;

static guint
draw (guint n)
{
  return (guint) g_test_rand_int_range (0, (gint32) n);
}

static guint64
draw64 (guint64 n)
{
  return ((guint64) (guint32) g_test_rand_int () << 32 | (guint32) g_test_rand_int ()) % n;
}

static PenSampleBlock *
copy_block (const PenSampleBlock *block)
{
  PenSampleBlock *copy = pen_sample_block_new ();

  copy->n = block->n;
  memcpy (copy->time, block->time, block->n * sizeof *block->time);
  memcpy (copy->has, block->has, block->n * sizeof *block->has);
  memcpy (copy->bucket, block->bucket, block->n * sizeof *block->bucket);
  memcpy (copy->period, block->period, block->n * sizeof *block->period);
  return copy;
}

static void
fill_times (const Stream *stream, guint number, PenSampleBlock *block)
{
  guint64 step = stream->span_of_time / stream->n_blocks;
  guint64 from = stream->first_time + number * step;

  for (guint i = 0; i < block->n; i++) {
    block->has[i] = PEN_SAMPLE_HAS_TIME | PEN_SAMPLE_HAS_PERIOD;
    block->time[i] = from + step * i / block->n;
    if (stream->disorder == 0 || draw (stream->disorder) != 0)
      continue;

    switch (draw (4)) {
    case 0:
      block->has[i] = PEN_SAMPLE_HAS_PERIOD;
      break;
    case 1:
      block->time[i] = draw (2) == 0 ? 0 : G_MAXUINT64;
      break;
    default:
      block->time[i] = stream->first_time + draw64 (stream->span_of_time);
      break;
    }
  }
}

/* Buckets get their functions when a span ends, as in an import. */
static void
fill_buckets (Model *model, PenSampleBlock *block)
{
  const Stream *stream = model->stream;
  guint32 start = g_array_index (model->starts, guint32, model->starts->len - 1);

  for (guint i = 0; i < block->n; i++) {
    guint32 id = start + draw (draw (3) == 0 ? stream->n_buckets : (stream->n_buckets + 9) / 10);

    block->bucket[i] = id;
    block->period[i] = draw (9) == 0 ? draw64 (G_MAXUINT64) : 1000;
    while (model->buckets->len <= id) {
      PenBucket bucket = {
        .id = model->buckets->len,
        .event = (int) draw (N_EVENTS),
        .function = G_MAXUINT32,
        .kind = PEN_KINDS,
      };

      g_array_append_val (model->buckets, bucket);
    }
  }
}

static void
name_functions (Model *model, guint32 start)
{
  for (guint32 i = start; i < model->buckets->len; i++) {
    PenBucket *bucket = &g_array_index (model->buckets, PenBucket, i);

    if (bucket->function != G_MAXUINT32)
      continue;
    bucket->function = draw (model->stream->n_functions);
    bucket->kind = bucket->function % PEN_KINDS;
  }
}

static const PenBucket *
get_buckets (Model *model, guint32 start)
{
  return (const PenBucket *) (gpointer) model->buckets->data + start;
}

static void
build (Model *model, PenStoreWriter *writer)
{
  const Stream *stream = model->stream;
  g_autoptr (PenSpanBuilder) builder = pen_span_builder_new (stream->fan, writer);
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  GError *error = NULL;
  guint32 start = 0;
  guint first = 0; /* block of the span */

  g_array_append_val (model->starts, start);
  for (guint i = 0; i < stream->n_blocks; i++) {
    gboolean ends = pen_span_builder_ends_span (builder);

    g_assert_cmpint (ends, ==, i - first == stream->fan - 1);
    if (i == first)
      g_array_append_val (model->spans, first);
    if (stream->ended != 0 && draw (stream->ended) == 0) {
      pen_span_builder_end_span (builder);
      g_assert_true (pen_span_builder_ends_span (builder));
      ends = model->is_ended = TRUE;
    }
    block->n = draw (stream->max_samples + 1);
    fill_times (stream, i, block);
    fill_buckets (model, block);
    if (ends)
      name_functions (model, start);

    g_ptr_array_add (model->blocks, copy_block (block));
    pen_span_builder_add_block (builder, block, get_buckets (model, start), start, &error);
    g_assert_no_error (error);
    pen_store_writer_add_block (writer, block, &error);
    g_assert_no_error (error);

    if (ends)
      first = i + 1;
    if (ends && stream->per_generation != 0
        && model->buckets->len - start > stream->per_generation) {
      start = model->buckets->len;
      g_array_append_val (model->starts, start);
    }
  }

  name_functions (model, start);
  pen_span_builder_finish (builder, get_buckets (model, start), start, &error);
  g_assert_no_error (error);
}

static int
compare_functions (gconstpointer a, gconstpointer b)
{
  const PenBucket *x = a;
  const PenBucket *y = b;

  if (x->function != y->function)
    return x->function < y->function ? -1 : 1;
  return (x->id > y->id) - (x->id < y->id);
}

static void
write_rest (Model *model, PenStoreWriter *writer)
{
  g_autoptr (GArray) sorted = g_array_copy (model->buckets);
  PenStoreEvent event = { .name = (char *) "cycles" };
  PenThread thread = { .comm = "" };
  GError *error = NULL;

  g_array_sort (sorted, compare_functions);
  for (guint done = 0; done < sorted->len && !error; done += PEN_BLOCK_BUCKETS)
    pen_store_writer_add_buckets (writer, &g_array_index (sorted, PenBucket, done),
                                  MIN (sorted->len - done, PEN_BLOCK_BUCKETS), &error);
  g_assert_no_error (error);
  for (guint32 i = 0; i < model->stream->n_functions; i++) {
    PenFunction function = { .id = i, .occupant = "" };

    pen_store_writer_add_function (writer, &function, &error);
  }
  for (guint32 i = 0; i < N_EVENTS; i++)
    pen_store_writer_add_event (writer, i, &event, &error);
  pen_store_writer_add_thread (writer, 0, &thread, &error);
  pen_store_writer_finish (writer, &error);
  g_assert_no_error (error);
}

static void
model_init (Model *model, const Stream *stream)
{
  g_autoptr (PenStoreWriter) writer = NULL;
  GError *error = NULL;

  *model = (Model){
    .stream = stream,
    .directory = g_dir_make_tmp ("pen-spans-XXXXXX", NULL),
    .blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_sample_block_free),
    .buckets = g_array_new (FALSE, FALSE, sizeof (PenBucket)),
    .starts = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .spans = g_array_new (FALSE, FALSE, sizeof (guint)),
  };
  model->path = g_build_filename (model->directory, "spans.pentimento", NULL);

  writer = pen_store_writer_new (model->path, 0666, NULL, &error);
  g_assert_no_error (error);
  build (model, writer);
  write_rest (model, writer);

  model->store = pen_store_open (model->path, &error);
  g_assert_no_error (error);
}

static void
model_clear (Model *model)
{
  g_unlink (model->path);
  g_rmdir (model->directory);
  g_object_unref (model->store);
  g_array_unref (model->starts);
  g_array_unref (model->spans);
  g_array_unref (model->buckets);
  g_ptr_array_unref (model->blocks);
  g_free (model->path);
  g_free (model->directory);
}

/* ---- the count of every sample ---- */

typedef struct {
  PenStoreSpan span;
  guint32 *tiles;   /* by tile and kind */
  guint32 *cells;   /* by bucket and tile */
  guint64 *samples; /* by bucket */
  guint64 *periods;
} Count;

typedef void (*SampleFunc) (Model *model, Count *count, guint64 time, guint32 bucket,
                            guint64 period);

static void
foreach_sample (Model *model, Count *count, SampleFunc func)
{
  const PenStoreSpan *span = &count->span;

  for (guint i = span->first_block; i < span->first_block + span->n_blocks; i++) {
    const PenSampleBlock *block = g_ptr_array_index (model->blocks, i);

    for (guint k = 0; k < block->n; k++)
      if ((block->has[k] & PEN_SAMPLE_HAS_TIME) != 0 && block->time[k] != 0
          && block->time[k] != G_MAXUINT64)
        func (model, count, block->time[k], block->bucket[k], block->period[k]);
  }
}

static void
note_time (G_GNUC_UNUSED Model *model, Count *count, guint64 time, G_GNUC_UNUSED guint32 bucket,
           G_GNUC_UNUSED guint64 period)
{
  PenStoreSpan *span = &count->span;

  if (span->samples++ == 0)
    span->first = span->last = time;
  span->first = MIN (span->first, time);
  span->last = MAX (span->last, time);
}

static void
note_sample (Model *model, Count *count, guint64 time, guint32 bucket, guint64 period)
{
  guint64 width = (guint64) 1 << count->span.shift;
  guint64 tile = time / width - count->span.first / width;

  count->tiles[tile * PEN_KINDS + get_buckets (model, bucket)->kind]++;
  count->cells[(gsize) bucket * PEN_SPAN_TILES + tile]++;
  count->samples[bucket]++;
  count->periods[bucket] += period;
}

static void
count_samples (Model *model, Count *count, const PenStoreSpan *blocks)
{
  gsize n = model->buckets->len;

  *count = (Count){ .span = { .first_block = blocks->first_block, .n_blocks = blocks->n_blocks } };
  foreach_sample (model, count, note_time);
  while (count->span.last / ((guint64) 1 << count->span.shift)
             - count->span.first / ((guint64) 1 << count->span.shift)
         > PEN_SPAN_TILES - 1)
    count->span.shift++;

  count->tiles = g_new0 (guint32, PEN_SPAN_TILES * PEN_KINDS);
  count->cells = g_new0 (guint32, n * PEN_SPAN_TILES);
  count->samples = g_new0 (guint64, n);
  count->periods = g_new0 (guint64, n);
  foreach_sample (model, count, note_sample);
}

static void
count_clear (Count *count)
{
  g_free (count->tiles);
  g_free (count->cells);
  g_free (count->samples);
  g_free (count->periods);
}

/* ---- what the store says ---- */

typedef struct {
  Model *model;
  Count *count; /* what was found is taken out of it */
  guint64 last_key;
  guint n;
  guint stop_after;
} Check;

static gboolean
check_bucket (const PenSpanBucket *bucket, gpointer user_data)
{
  Check *check = user_data;
  guint32 *cells = check->count->cells + (gsize) bucket->bucket * PEN_SPAN_TILES;
  guint64 key = (guint64) bucket->function << 32 | bucket->bucket;

  g_assert_true (check->n == 0 || key > check->last_key);
  check->last_key = key;
  check->n++;

  g_assert_cmpuint (bucket->bucket, <, check->model->buckets->len);
  g_assert_cmpuint (bucket->function, ==, get_buckets (check->model, bucket->bucket)->function);
  g_assert_cmpuint (bucket->samples, ==, check->count->samples[bucket->bucket]);
  g_assert_cmpuint (bucket->period, ==, check->count->periods[bucket->bucket]);
  check->count->samples[bucket->bucket] = 0;

  for (guint i = 0; i < bucket->n_cells; i++) {
    g_assert_true (i == 0 || bucket->tiles[i] > bucket->tiles[i - 1]);
    g_assert_cmpuint (bucket->counts[i], >, 0);
    g_assert_cmpuint (bucket->counts[i], ==, cells[bucket->tiles[i]]);
    cells[bucket->tiles[i]] = 0;
  }
  return check->stop_after == 0 || check->n < check->stop_after;
}

static void
check_buckets (Model *model, Count *count, guint32 first, guint32 last)
{
  Check check = { .model = model, .count = count };
  GError *error = NULL;

  pen_store_foreach_span_bucket (model->store, &count->span, first, last, check_bucket, &check,
                                 &error);
  g_assert_no_error (error);

  for (guint32 i = 0; i < model->buckets->len; i++) {
    guint32 function = get_buckets (model, i)->function;

    if (function >= first && function <= last)
      g_assert_cmpuint (count->samples[i], ==, 0);
  }
}

static void
check_span (Model *model, const PenStoreSpan *span)
{
  guint n_functions = model->stream->n_functions;
  g_autofree guint32 *tiles = g_new (guint32, PEN_SPAN_TILES * PEN_KINDS);
  GError *error = NULL;
  Count count;
  guint n_tiles;

  count_samples (model, &count, span);
  g_assert_cmpuint (span->samples, ==, count.span.samples);
  g_assert_cmpuint (span->first, ==, count.span.first);
  g_assert_cmpuint (span->last, ==, count.span.last);
  g_assert_cmpuint (span->shift, ==, count.span.shift);

  n_tiles = pen_store_span_get_n_tiles (span);
  pen_store_read_span_tiles (model->store, span, tiles, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (tiles, n_tiles * PEN_KINDS * sizeof *tiles, count.tiles,
                   n_tiles * PEN_KINDS * sizeof *tiles);

  /* One function, then some, then all that are left. */
  count.span = *span;
  check_buckets (model, &count, n_functions / 2, n_functions / 2);
  check_buckets (model, &count, 0, n_functions / 2 - 1);
  check_buckets (model, &count, n_functions / 2 + 1, G_MAXUINT32);
  for (gsize i = 0; i < (gsize) model->buckets->len * PEN_SPAN_TILES; i++)
    g_assert_cmpuint (count.cells[i], ==, 0);
  count_clear (&count);

  count_samples (model, &count, span);
  count.span = *span;
  check_buckets (model, &count, 0, G_MAXUINT32);
  count_clear (&count);
}

static guint
get_first_block (Model *model, guint span)
{
  return span < model->spans->len ? g_array_index (model->spans, guint, span)
                                  : model->stream->n_blocks;
}

/* Groups of so many as the fan, of spans as they were completed and then of those of the level
 * below, until there are no more than that. */
static void
check_shape (Model *model, const PenStoreSpan *spans, guint n)
{
  guint fan = model->stream->fan;
  guint below = model->spans->len;
  guint group = 1; /* how many of level 1 are in one of the level */
  guint end = n;

  if (model->stream->n_blocks <= fan && !model->is_ended) {
    g_assert_cmpuint (n, ==, 0);
    return;
  }

  for (guint level = 1;; level++) {
    g_assert_cmpuint (end, >=, below);
    for (guint i = 0; i < below; i++) {
      const PenStoreSpan *span = &spans[end - below + i];

      g_assert_cmpuint (span->level, ==, level);
      g_assert_cmpuint (span->first_block, ==, get_first_block (model, i * group));
      g_assert_cmpuint (span->first_block + span->n_blocks, ==,
                        get_first_block (model, (i + 1) * group));
    }
    end -= below;
    if (below <= fan)
      break;
    below = (below + fan - 1) / fan;
    group *= fan;
  }

  g_assert_cmpuint (end, ==, 0);
}

static void
check_stream (const Stream *stream)
{
  Model model;
  const PenStoreSpan *spans;
  guint n;

  model_init (&model, stream);
  spans = pen_store_get_spans (model.store, &n);
  check_shape (&model, spans, n);
  for (guint i = 0; i < n; i++)
    check_span (&model, &spans[i]);
  model_clear (&model);
}

static void
test_few_blocks (void)
{
  /* Up to three levels of two, and of three, and numbers of blocks around each. */
  for (guint fan = 2; fan <= 3; fan++)
    for (guint n_blocks = 1; n_blocks <= 20; n_blocks++) {
      Stream stream = { fan, n_blocks, 30, 20, 6, 1000, 5000, 9, 0, 0 };

      check_stream (&stream);
    }
}

static void
test_random (void)
{
  for (guint round = 0; round < 60; round++) {
    Stream stream = {
      .fan = 2 + draw (4),
      .n_blocks = 1 + draw (70),
      .max_samples = 1 + draw (60),
      .n_buckets = 10 + draw (50),
      .n_functions = 2 + draw (20),
      .first_time = 1 + draw64 ((guint64) 1 << (1 + draw (62))),
      .span_of_time = 100 + draw64 ((guint64) 1 << (1 + draw (61))),
      .disorder = draw (3) == 0 ? 0 : 1 + draw (30),
      .per_generation = draw (2) == 0 ? 0 : 1 + draw (20),
      .ended = draw (2) == 0 ? 0 : 1 + draw (10),
    };

    check_stream (&stream);
  }
}

static void
test_all_at_one_time (void)
{
  static const Stream stream = { 2, 9, 50, 10, 4, 12345, 1, 0, 0, 0 };

  check_stream (&stream);
}

static void
test_no_times (void)
{
  /* Every sample is one that has no time, or one out of order; some spans have none at all. */
  static const Stream stream = { 2, 33, 1, 10, 4, 12345, 1 << 20, 1, 0, 0 };

  check_stream (&stream);
}

/* More cells, and then more buckets, than a piece can have. */
static void
test_many_pieces (void)
{
  static const Stream cells = { 2, 9, 60000, 60, 4, 1000000, (guint64) 1 << 40, 1000, 0, 0 };
  static const Stream buckets = { 2, 5, 20000, 12000, 3000, 1000000, 1000, 0, 0, 0 };

  check_stream (&cells);
  check_stream (&buckets);
}

static void
test_stop (void)
{
  static const Stream stream = { 2, 9, 50, 40, 4, 1000, 1000000, 0, 0, 0 };
  GError *error = NULL;
  const PenStoreSpan *spans;
  Model model;
  Count count;
  guint n;

  model_init (&model, &stream);
  spans = pen_store_get_spans (model.store, &n);
  count_samples (&model, &count, &spans[0]);

  for (guint i = 1; i < 5; i++) {
    Check check = { .model = &model, .count = &count, .stop_after = i };

    count_clear (&count);
    count_samples (&model, &count, &spans[0]);
    pen_store_foreach_span_bucket (model.store, &spans[0], 0, G_MAXUINT32, check_bucket, &check,
                                   &error);
    g_assert_no_error (error);
    g_assert_cmpuint (check.n, ==, i);
  }

  count_clear (&count);
  model_clear (&model);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/span-builder/few-blocks", test_few_blocks);
  g_test_add_func ("/span-builder/random", test_random);
  g_test_add_func ("/span-builder/all-at-one-time", test_all_at_one_time);
  g_test_add_func ("/span-builder/no-times", test_no_times);
  g_test_add_func ("/span-builder/many-pieces", test_many_pieces);
  g_test_add_func ("/span-builder/stop", test_stop);
  return g_test_run ();
}
