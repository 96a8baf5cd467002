/* test-spans.c: what spans answer against a look at every sample
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "random-store.h"

#include "pen-query-bars.h"
#include "pen-query-functions.h"
#include "pen-query-history.h"
#include "pen-query-overview.h"
#include "pen-query-strips.h"
#include "pen-store-samples.h"
#include "pen-store-spans.h"

/* Small blocks and spans of three; of many levels. Half of them, with samples that have no time.
 * Pieces of spans end after 8192 buckets: enough of them for several. */
static const RandomStoreShape small = { 1, 61, 40, 3, 900, 0, 200, 4, FALSE, 0, 0, 0 };
static const RandomStoreShape odd = { 2, 40, 30, 2, 90000, 50, 100, 3, FALSE, 0, 0, 0 };
static const RandomStoreShape wide = { 3, 45, 1500, 3, 300, 10, 1000000, 2, FALSE, 0, 0, 0 };

static const RandomSample *
get_sample (const RandomStore *random, guint i)
{
  return &g_array_index (random->samples, RandomSample, i);
}

static const PenBucket *
get_bucket (const RandomStore *random, const RandomSample *sample)
{
  return &g_array_index (random->buckets, PenBucket, sample->bucket);
}

static guint64
get_period (const RandomSample *sample)
{
  return sample->has & PEN_SAMPLE_HAS_PERIOD ? sample->period : 0;
}

/* ---- functions ---- */

static void
check_functions (RandomStore *random, const PenFilter *filter)
{
  g_autoptr (GError) error = NULL;
  guint64 samples[N_FUNCTIONS] = { 0 };
  guint64 periods[N_FUNCTIONS] = { 0 };
  guint64 expected = 0;
  guint64 total;
  guint64 matching;
  g_autoptr (GArray) rows = pen_query_functions (random->query, filter, &total, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < random->samples->len; i++) {
    const RandomSample *sample = get_sample (random, i);

    if (!random_store_has_sample (random, filter, sample))
      continue;
    expected++;
    samples[get_bucket (random, sample)->function]++;
    periods[get_bucket (random, sample)->function] += get_period (sample);
  }
  g_assert_cmpuint (total, ==, expected);
  for (guint i = 0; i < rows->len; i++) {
    const PenFunction *function = &g_array_index (rows, PenFunctionRow, i).function;

    g_assert_cmpuint (function->samples, ==, samples[function->id]);
    g_assert_cmpuint (function->period, ==, periods[function->id]);
    samples[function->id] = 0;
  }
  for (guint i = 0; i < N_FUNCTIONS; i++)
    g_assert_cmpuint (samples[i], ==, 0);

  g_assert_true (pen_query_count (random->query, filter, &matching, &total, NULL));
  g_assert_cmpuint (matching, ==, expected);
  g_assert_cmpuint (total, ==, random->samples->len);
}

/* ---- overview ---- */

#define N_BINS 37

/* The bin that a sample itself belongs to; -1: it is not in the overview. */
static int
find_bin (const RandomStore *random, const PenFilter *filter, const RandomSample *sample,
          guint64 from, guint64 to)
{
  g_autoptr (PenFilter) in_view = pen_filter_copy (filter);

  in_view->has_time = TRUE;
  in_view->from = from;
  in_view->to = to - 1;
  if (!random_store_has_sample (random, in_view, sample))
    return -1;
  return (int) MIN ((double) (sample->time - from) * (N_BINS / (double) (to - from)), N_BINS - 1);
}

/* A tile that reaches into the next bin is shared out, and is no wider than a bin: samples move to
 * the bin before or behind, if at all, and none is lost. @exact, @drawn: by bin, @stride apart */
static void
check_bins (const guint64 *exact, const guint64 *drawn, guint stride)
{
  guint64 sum_exact = 0;
  guint64 sum_drawn = 0;

  for (guint bin = 0; bin < N_BINS; bin++) {
    guint64 next = bin + 1 < N_BINS ? exact[(bin + 1) * stride] : 0;

    sum_exact += exact[bin * stride];
    sum_drawn += drawn[bin * stride];
    g_assert_cmpuint (sum_drawn + exact[bin * stride], >=, sum_exact);
    g_assert_cmpuint (sum_drawn, <=, sum_exact + next);
  }
  g_assert_cmpuint (sum_drawn, ==, sum_exact);
}

static void
check_overview (RandomStore *random, const PenFilter *filter, guint64 from, guint64 to)
{
  g_autoptr (GError) error = NULL;
  g_autofree guint64 *exact = g_new0 (guint64, N_BINS * PEN_KINDS);
  g_autofree guint64 *drawn = g_new0 (guint64, N_BINS * PEN_KINDS);
  g_autoptr (PenOverview) overview = NULL;
  guint64 total = 0;

  overview = pen_query_overview (random->query, filter, from, to, N_BINS, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < random->samples->len; i++) {
    const RandomSample *sample = get_sample (random, i);
    int bin = find_bin (random, filter, sample, from, to);

    if (bin < 0)
      continue;
    exact[bin * PEN_KINDS + (int) get_bucket (random, sample)->kind]++;
    total++;
  }
  g_assert_cmpuint (overview->total, ==, total);
  for (guint i = 0; i < N_BINS * PEN_KINDS; i++)
    drawn[i] = (guint32) overview->samples[i];
  for (guint kind = 0; kind < PEN_KINDS; kind++)
    check_bins (exact + kind, drawn + kind, PEN_KINDS);
}

/* ---- annotation and strips ---- */

typedef struct {
  guint64 samples;
  guint64 period;
  guint64 first;
  guint64 last;
} Sums;

static void
add_sums (GHashTable *table, guint64 address, guint32 tenure, guint32 revision, Sums more)
{
  g_autofree char *key
      = g_strdup_printf ("%" G_GINT64_MODIFIER "x of %u, revision %u", address, tenure, revision);
  Sums *sums = g_hash_table_lookup (table, key);

  if (!sums) {
    sums = g_new0 (Sums, 1);
    sums->first = G_MAXUINT64;
    g_hash_table_insert (table, g_steal_pointer (&key), sums);
  }
  sums->samples += more.samples;
  sums->period += more.period;
  sums->first = MIN (sums->first, more.first);
  sums->last = MAX (sums->last, more.last);
}

static gboolean
is_in_range (const PenBucket *bucket, const PenAnnotated *annotated)
{
  if (bucket->function == annotated->function)
    return TRUE;
  return annotated->symbol && bucket->kind != PEN_KIND_DSO && bucket->address >= annotated->start
         && bucket->address < annotated->end;
}

static void
assert_same_sums (GHashTable *expected, GHashTable *found)
{
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  g_assert_cmpuint (g_hash_table_size (expected), ==, g_hash_table_size (found));
  g_hash_table_iter_init (&iter, expected);
  while (g_hash_table_iter_next (&iter, &key, &value)) {
    const Sums *x = value;
    const Sums *y = g_hash_table_lookup (found, key);

    g_assert_nonnull (y);
    g_assert_cmpuint (x->samples, ==, y->samples);
    g_assert_cmpuint (x->period, ==, y->period);
    g_assert_cmpuint (x->first, ==, y->first);
    g_assert_cmpuint (x->last, ==, y->last);
  }
}

static void
check_annotation (RandomStore *random, const PenFilter *filter, const PenAnnotated *annotated)
{
  g_autoptr (GHashTable) expected = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  guint64 total = 0;
  guint64 own = 0;

  for (guint i = 0; i < random->samples->len; i++) {
    const RandomSample *sample = get_sample (random, i);
    const PenBucket *bucket = get_bucket (random, sample);
    Sums one = { 1, get_period (sample), sample->time, sample->time };

    if (!random_store_has_sample (random, filter, sample))
      continue;
    total++;
    own += bucket->function == annotated->function;
    if (is_in_range (bucket, annotated))
      add_sums (expected, bucket->address, bucket->tenure, bucket->revision, one);
  }
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];
    Sums sums = { line->samples, line->period, line->first, line->last };

    if (line->samples > 0)
      add_sums (found, line->address, line->tenure, line->revision, sums);
  }
  g_assert_cmpuint (annotated->total_samples, ==, total);
  g_assert_cmpuint (annotated->samples, ==, own);
  assert_same_sums (expected, found);
}

/* By line: where time decides, the line that stands at a sample's time has it. */
static guint
find_line (const PenAnnotated *annotated, const PenBucket *bucket, guint64 time)
{
  guint best = G_MAXUINT;
  gboolean is_best_live = FALSE;
  gboolean is_best_exact = FALSE;

  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];
    gboolean is_live = line->from.time <= time && time <= line->to.time;
    gboolean is_exact = line->revision == bucket->revision;

    if (line->address != bucket->address || line->tenure != bucket->tenure)
      continue;
    if (best == G_MAXUINT || (is_exact && !is_best_exact)
        || (is_exact == is_best_exact && is_live && !is_best_live)) {
      best = i;
      is_best_live = is_live;
      is_best_exact = is_exact;
    }
  }
  return best;
}

static void
check_strips (RandomStore *random, const PenFilter *filter, const PenAnnotated *annotated,
              guint64 from, guint64 to)
{
  g_autoptr (GError) error = NULL;
  gsize n = (gsize) annotated->lines->len * N_BINS;
  g_autofree guint64 *exact = g_new0 (guint64, n + 1);
  g_autofree guint64 *drawn = g_new0 (guint64, n + 1);
  g_autoptr (PenStripCounts) counts
      = pen_query_strips (random->query, filter, annotated, from, to, N_BINS, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < annotated->lines->len; i++)
    pen_strip_counts_sum (counts, i, 1, drawn + (gsize) i * N_BINS);
  for (guint i = 0; i < random->samples->len; i++) {
    const RandomSample *sample = get_sample (random, i);
    int bin = find_bin (random, filter, sample, from, to);
    guint line = G_MAXUINT;

    if (bin >= 0 && is_in_range (get_bucket (random, sample), annotated))
      line = find_line (annotated, get_bucket (random, sample), sample->time);
    if (line != G_MAXUINT)
      exact[line * N_BINS + (guint) bin]++;
  }
  for (guint i = 0; i < annotated->lines->len; i++)
    check_bins (exact + (gsize) i * N_BINS, drawn + (gsize) i * N_BINS, 1);
}

static void
check_text (RandomStore *random, const PenFilter *filter, guint64 from, guint64 to)
{
  static const guint32 functions[] = { 0, 5, OVERLAID, N_KERNEL, N_FUNCTIONS - 4, N_FUNCTIONS - 1 };
  guint32 function
      = g_rand_boolean (random->rand)
            ? OVERLAID
            : functions[g_rand_int_range (random->rand, 0, (gint32) G_N_ELEMENTS (functions))];
  g_autoptr (GError) error = NULL;
  g_autoptr (PenAnnotated) annotated
      = pen_query_annotate (random->query, filter, function, PEN_SYNTAX_ATT, &error);

  g_assert_no_error (error);
  check_annotation (random, filter, annotated);
  check_strips (random, filter, annotated, from, to);
}

/* ---- history ---- */

/* The last row of the sample's tenure and revision that has begun by then; the first one, if none
 * had. */
static guint
find_row (const GPtrArray *rows, const PenBucket *bucket, const RandomSample *sample)
{
  guint found = G_MAXUINT;

  for (guint i = 0; i < rows->len; i++) {
    const PenHistoryRow *row = rows->pdata[i];

    if (row->tenure != bucket->tenure || row->revision != bucket->revision)
      continue;
    if (found == G_MAXUINT || row->from.time <= sample->time)
      found = i;
  }
  return found;
}

static void
check_history (RandomStore *random, const PenFilter *filter)
{
  gboolean is_overlaid = g_rand_boolean (random->rand);
  guint64 address = TEXT + (is_overlaid ? OVERLAID : 3) * FUNCTION_LENGTH
                    + (guint) g_rand_int_range (random->rand, 0, FUNCTION_LENGTH / 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows
      = pen_query_history (random->query, filter, address, PEN_SYNTAX_ATT, &error);
  g_autofree Sums *sums = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, ==, is_overlaid ? 5 : 1);
  sums = g_new0 (Sums, rows->len);
  for (guint i = 0; i < random->samples->len; i++) {
    const RandomSample *sample = get_sample (random, i);
    const PenBucket *bucket = get_bucket (random, sample);
    guint row;

    if (bucket->address != address || !random_store_has_sample (random, filter, sample))
      continue;
    row = find_row (rows, bucket, sample);
    if (row == G_MAXUINT)
      continue;
    sums[row].samples++;
    sums[row].period += get_period (sample);
  }
  for (guint i = 0; i < rows->len; i++) {
    const PenHistoryRow *row = rows->pdata[i];

    g_assert_cmpuint (row->samples, ==, sums[i].samples);
    g_assert_cmpuint (row->period, ==, sums[i].period);
  }
}

/* ---- everything ---- */

static void
check_range (RandomStore *random)
{
  guint64 first;
  guint64 last;

  g_assert_true (pen_query_get_sample_time_range (random->query, &first, &last));
  g_assert_cmpuint (first, ==, random->first);
  g_assert_cmpuint (last, ==, random->last);
}

static void
draw_view (RandomStore *random, guint64 *from, guint64 *to)
{
  guint64 length = random->last + 1 - random->first;

  /* from the whole down to a few ns */
  length >>= g_rand_int_range (random->rand, 0, g_rand_int_range (random->rand, 1, 20));
  length = MAX (length, 50);
  *from = random->first
          + (guint64) (g_rand_double (random->rand)
                       * (double) (random->last + 1 - random->first - length / 2));
  *to = *from + length;
}

static void
check_store (const RandomStoreShape *shape, guint n_rounds)
{
  g_autoptr (RandomStore) random = random_store_new (shape);

  check_range (random);
  for (guint i = 0; i < n_rounds; i++) {
    g_autoptr (PenFilter) filter = random_store_make_filter (random);
    guint64 from;
    guint64 to;

    /* Each question has to load what it needs by itself. */
    if (i % 5 == 0)
      random_store_reopen (random);
    draw_view (random, &from, &to);
    check_overview (random, filter, from, to);
    check_text (random, filter, from, to);
    check_history (random, filter);
    check_functions (random, filter);
  }
}

#define N_STORES 8

static void
test_random (gconstpointer data)
{
  RandomStoreShape shape = *(const RandomStoreShape *) data;
  guint n_rounds = shape.block_samples > 1000 ? 6 : 30;
  guint n_stores = shape.block_samples > 1000 ? N_STORES / 4 : N_STORES;

  for (guint i = 0; i < n_stores; i++) {
    shape.seed += 100;
    check_store (&shape, n_rounds);
  }
}

/* ---- costs ---- */

static struct {
  guint blocks;
  guint spans;
  guint pieces; /* walks through them */
  guint learnt;
  guint all_buckets;
} n_read;

gboolean __real_pen_store_read_block (PenStore *, guint, PenSampleBlock *, GError **);
gboolean __wrap_pen_store_read_block (PenStore *, guint, PenSampleBlock *, GError **);
gboolean __real_pen_store_read_block_places (PenStore *, guint, PenSampleBlock *, GError **);
gboolean __wrap_pen_store_read_block_places (PenStore *, guint, PenSampleBlock *, GError **);
gboolean __real_pen_store_foreach_span_function (PenStore *, const PenStoreSpan *,
                                                 PenSpanBucketFunc, gpointer, GError **);
gboolean __wrap_pen_store_foreach_span_function (PenStore *, const PenStoreSpan *,
                                                 PenSpanBucketFunc, gpointer, GError **);
GArray *__real_pen_store_load_span_functions (PenStore *, const PenStoreSpan *, GError **);
GArray *__wrap_pen_store_load_span_functions (PenStore *, const PenStoreSpan *, GError **);
gboolean __real_pen_store_read_span_tiles (PenStore *, const PenStoreSpan *, guint32 *, GError **);
gboolean __wrap_pen_store_read_span_tiles (PenStore *, const PenStoreSpan *, guint32 *, GError **);
gboolean __real_pen_store_foreach_span_bucket (PenStore *, const PenStoreSpan *, guint32, guint32,
                                               PenSpanBucketFunc, gpointer, GError **);
gboolean __wrap_pen_store_foreach_span_bucket (PenStore *, const PenStoreSpan *, guint32, guint32,
                                               PenSpanBucketFunc, gpointer, GError **);
const PenBucket *__real_pen_store_get_buckets (PenStore *, guint *, GError **);
const PenBucket *__wrap_pen_store_get_buckets (PenStore *, guint *, GError **);

gboolean
__wrap_pen_store_read_block (PenStore *store, guint index, PenSampleBlock *block, GError **error)
{
  n_read.blocks++;
  return __real_pen_store_read_block (store, index, block, error);
}

gboolean
__wrap_pen_store_read_block_places (PenStore *store, guint index, PenSampleBlock *block,
                                    GError **error)
{
  n_read.blocks++;
  return __real_pen_store_read_block_places (store, index, block, error);
}

gboolean
__wrap_pen_store_foreach_span_function (PenStore *store, const PenStoreSpan *span,
                                        PenSpanBucketFunc func, gpointer user_data, GError **error)
{
  n_read.learnt++;
  return __real_pen_store_foreach_span_function (store, span, func, user_data, error);
}

GArray *
__wrap_pen_store_load_span_functions (PenStore *store, const PenStoreSpan *span, GError **error)
{
  n_read.spans++;
  return __real_pen_store_load_span_functions (store, span, error);
}

gboolean
__wrap_pen_store_read_span_tiles (PenStore *store, const PenStoreSpan *span, guint32 *counts,
                                  GError **error)
{
  n_read.spans++;
  return __real_pen_store_read_span_tiles (store, span, counts, error);
}

gboolean
__wrap_pen_store_foreach_span_bucket (PenStore *store, const PenStoreSpan *span, guint32 first,
                                      guint32 last, PenSpanBucketFunc func, gpointer user_data,
                                      GError **error)
{
  n_read.pieces++;
  return __real_pen_store_foreach_span_bucket (store, span, first, last, func, user_data, error);
}

const PenBucket *
__wrap_pen_store_get_buckets (PenStore *store, guint *n, GError **error)
{
  n_read.all_buckets++;
  return __real_pen_store_get_buckets (store, n, error);
}

static void
begin_count (RandomStore *random)
{
  random_store_reopen (random);
  memset (&n_read, 0, sizeof n_read);
}

/* Many small blocks: 243 of them are five levels of three. */
static const RandomStoreShape deep = { 4, 243, 16, 3, 500, 0, 50, 1, FALSE, 0, 0, 0 };
#define DEEP_LEVELS 4 /* the fifth would be one span of everything */
#define DEEP_FAN 3

/* A question without a filter, or with one that functions answer, reads no sample and no span. */
static void
test_cost_whole (void)
{
  g_autoptr (RandomStore) random = random_store_new (&deep);
  g_autoptr (PenFilter) kind = pen_filter_new ();
  g_autoptr (GArray) all = NULL;
  g_autoptr (GArray) some = NULL;
  g_autoptr (GArray) bars = NULL;
  guint64 a;
  guint64 b;
  guint n;

  kind->only.kinds = 1u << PEN_KIND_KERNEL;
  begin_count (random);
  g_assert_true (pen_query_get_time_range (random->query, &a, &b));
  g_assert_true (pen_query_count (random->query, NULL, &a, &b, NULL));
  all = pen_query_functions (random->query, NULL, NULL, NULL);
  some = pen_query_functions (random->query, kind, NULL, NULL);
  bars = pen_query_bars (random->query, &n, NULL);
  g_assert_nonnull (all);
  g_assert_nonnull (some);
  g_assert_nonnull (bars);
  g_assert_cmpuint (n_read.blocks + n_read.spans + n_read.pieces + n_read.all_buckets, ==, 0);
}

/* At each end and level the spans of one span, and the blocks of one; that is all. */
static void
test_cost_stretch (void)
{
  g_autoptr (RandomStore) random = random_store_new (&deep);

  for (guint i = 0; i < 50; i++) {
    g_autoptr (PenFilter) filter = pen_filter_new ();
    g_autoptr (GArray) rows = NULL;
    guint64 a;
    guint64 b;

    filter->has_time = TRUE;
    draw_view (random, &filter->from, &filter->to);
    begin_count (random);
    rows = pen_query_functions (random->query, filter, NULL, NULL);
    g_assert_nonnull (rows);
    g_assert_cmpuint (n_read.blocks, <=, 2 * DEEP_FAN);
    g_assert_cmpuint (n_read.spans, <=, DEEP_FAN + 2 * DEEP_FAN * DEEP_LEVELS);
    /* the functions of rows */
    g_assert_cmpuint (n_read.learnt, <=, 2);
    g_assert_cmpuint (n_read.pieces + n_read.all_buckets, ==, 0);

    begin_count (random);
    g_assert_true (pen_query_count (random->query, filter, &a, &b, NULL));
    g_assert_cmpuint (n_read.blocks, <=, 2 * DEEP_FAN);
    g_assert_cmpuint (n_read.spans + n_read.learnt + n_read.pieces + n_read.all_buckets, ==, 0);
  }
}

static void
test_cost_overview (void)
{
  g_autoptr (RandomStore) random = random_store_new (&deep);

  for (guint i = 0; i < 50; i++) {
    g_autoptr (PenOverview) overview = NULL;
    guint64 from = random->first;
    guint64 to = random->last + 1;

    if (i > 0)
      draw_view (random, &from, &to);
    if ((to - from) / N_BINS < 32)
      continue;
    begin_count (random);
    overview = pen_query_overview (random->query, NULL, from, to, N_BINS, NULL);
    g_assert_nonnull (overview);
    /* a block at each end, and none where the overview has no ends; a tile may lie in two */
    g_assert_cmpuint (n_read.blocks, <=, i > 0 ? 4 : 0);
    g_assert_cmpuint (n_read.spans, <=, DEEP_FAN + 4 * DEEP_LEVELS);
    g_assert_cmpuint (n_read.learnt, <=, 4);
    g_assert_cmpuint (n_read.pieces + n_read.all_buckets, ==, 0);
  }
}

/* Samples that come evenly are drawn as a plain, not as a comb. */
static void
test_even (void)
{
  static const RandomStoreShape even = { 5, 243, 400, 3, 512, 0, 50, 1, TRUE, 0, 0, 0 };
  g_autoptr (RandomStore) random = random_store_new (&even);

  for (guint n_bins = 48; n_bins <= 480; n_bins += 9) {
    g_autoptr (PenOverview) overview
        = pen_query_overview (random->query, NULL, random->first, random->last + 1, n_bins, NULL);
    double mean = (double) overview->total / n_bins;

    for (guint bin = 0; bin < n_bins; bin++) {
      guint64 sum = 0;

      for (guint kind = 0; kind < PEN_KINDS; kind++)
        sum += overview->samples[bin * PEN_KINDS + kind];
      /* a sample of each kind may be rounded away */
      g_assert_cmpfloat_with_epsilon ((double) sum, mean, 0.02 * mean);
    }
  }
}

/* What a function's lines cost beyond that: two blocks for each bucket's first and last sample. */
static void
test_cost_function (void)
{
  g_autoptr (RandomStore) random = random_store_new (&deep);

  for (guint i = 0; i < 30; i++) {
    g_autoptr (PenFilter) filter = pen_filter_new ();
    g_autoptr (PenAnnotated) annotated = NULL;
    g_autoptr (GPtrArray) rows = NULL;
    guint n_buckets = 0;

    filter->has_time = TRUE;
    draw_view (random, &filter->from, &filter->to);
    begin_count (random);
    annotated = pen_query_annotate (random->query, filter, 1, PEN_SYNTAX_ATT, NULL);
    g_assert_nonnull (annotated);
    for (guint j = 0; j < random->buckets->len; j++)
      n_buckets += g_array_index (random->buckets, PenBucket, j).function == 1;
    g_assert_cmpuint (n_read.blocks, <=, 4 * DEEP_FAN + 2 * n_buckets);
    g_assert_cmpuint (n_read.all_buckets, ==, 0);

    begin_count (random);
    rows = pen_query_history (random->query, filter, TEXT + FUNCTION_LENGTH + 7, PEN_SYNTAX_ATT,
                              NULL);
    g_assert_nonnull (rows);
    g_assert_cmpuint (n_read.blocks, <=, 2 * DEEP_FAN);
    g_assert_cmpuint (n_read.all_buckets, ==, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/spans/small", &small, test_random);
  g_test_add_data_func ("/spans/odd-times", &odd, test_random);
  g_test_add_data_func ("/spans/many-buckets", &wide, test_random);
  g_test_add_func ("/spans/cost/whole", test_cost_whole);
  g_test_add_func ("/spans/cost/stretch", test_cost_stretch);
  g_test_add_func ("/spans/even", test_even);
  g_test_add_func ("/spans/cost/overview", test_cost_overview);
  g_test_add_func ("/spans/cost/function", test_cost_function);
  return g_test_run ();
}
