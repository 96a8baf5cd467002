/* test-spans.c: what spans answer against a look at every sample
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "random-store.h"

#include "pen-query-functions.h"
#include "pen-query-history.h"
#include "pen-query-overview.h"
#include "pen-query-strips.h"
#include "pen-store-samples.h"

/*
 * Series: random stores of one shape
 * @n_stores: each with a seed of its own; most mistakes show only with some
 * @n_rounds: questions to each
 * @n_stretches: of time, with all functions in each
 */
typedef struct {
  RandomStoreShape shape;
  guint n_stores;
  guint n_rounds;
  guint n_stretches;
} Series;

/* Small blocks and spans of three; of many levels. */
static const Series small = { { .seed = 1,
                                .n_blocks = 61,
                                .block_samples = 40,
                                .fan = 3,
                                .step = 900,
                                .n_places = 200,
                                .n_generations = 4 },
                              12,
                              14,
                              0 };
/* Half of them, with samples that have no time. */
static const Series odd = { { .seed = 2,
                              .n_blocks = 40,
                              .block_samples = 30,
                              .fan = 2,
                              .step = 90000,
                              .n_odd = 50,
                              .n_places = 100,
                              .n_generations = 3 },
                            10,
                            16,
                            0 };
/* A tile lies in several blocks, and ends of stretches in the middle of it. */
static const Series bursts = { { .seed = 6,
                                 .n_blocks = 40,
                                 .block_samples = 16,
                                 .fan = 3,
                                 .step = 20,
                                 .n_places = 50,
                                 .n_generations = 2,
                                 .is_bursty = TRUE },
                               10,
                               4,
                               3 };
/* Pieces of spans end after 8192 buckets: enough of them for several. */
static const Series wide = { { .seed = 3,
                               .n_blocks = 45,
                               .block_samples = 1500,
                               .fan = 3,
                               .step = 300,
                               .n_odd = 10,
                               .n_places = 1000000,
                               .n_generations = 2 },
                             2,
                             6,
                             0 };

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

/* Of stretches that begin and end at samples: those beside an end may share a tile with it. */
static void
check_ends (RandomStore *random)
{
  g_autoptr (PenFilter) filter = pen_filter_new ();
  guint64 a = get_sample (random, random_store_draw (random, random->samples->len))->time;
  guint64 b = get_sample (random, random_store_draw (random, random->samples->len))->time;

  filter->has_time = TRUE;
  filter->from = MIN (a, b) + random_store_draw (random, 2);
  filter->to = MAX (MAX (a, b) - random_store_draw (random, 2), filter->from);
  for (guint32 function = 0; function < N_FUNCTIONS; function++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PenAnnotated) annotated
        = pen_query_annotate (random->query, filter, function, PEN_SYNTAX_ATT, &error);

    g_assert_no_error (error);
    check_annotation (random, filter, annotated);
  }
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
check_store (const RandomStoreShape *shape, guint n_rounds, guint n_stretches)
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
    random_store_draw_view (random, &from, &to);
    check_overview (random, filter, from, to);
    check_text (random, filter, from, to);
    check_history (random, filter);
    check_functions (random, filter);
  }
  for (guint i = 0; i < n_stretches; i++)
    check_ends (random);
}

static void
test_random (gconstpointer data)
{
  const Series *series = data;
  RandomStoreShape shape = series->shape;

  for (guint i = 0; i < series->n_stores; i++) {
    shape.seed += 100;
    g_test_message ("seed %u", shape.seed);
    check_store (&shape, series->n_rounds, series->n_stretches);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/spans/small", &small, test_random);
  g_test_add_data_func ("/spans/odd-times", &odd, test_random);
  g_test_add_data_func ("/spans/bursts", &bursts, test_random);
  g_test_add_data_func ("/spans/many-buckets", &wide, test_random);
  return g_test_run ();
}
