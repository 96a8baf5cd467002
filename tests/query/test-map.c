/* test-map.c: the text map against every single sample; used ranges; tasks over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-map-private.h"
#include "pen-query-tasks.h"
#include "query-fixture.h"
#include "random-store.h"

#include <math.h>

#define N_COLUMNS 29
#define N_STORES 6
#define N_VIEWS 25

/* Rows of 16 bytes each, of the kernel's functions and what lies over the last of them. */
#define ROW 16
#define N_ROWS (N_KERNEL * FUNCTION_LENGTH / ROW)

static const RandomStoreShape shapes[] = {
  /* Without spans; with two levels; with several generations of buckets. */
  { .n_blocks = 3,
    .block_samples = 200,
    .fan = 8,
    .step = 2000,
    .n_places = 40,
    .n_generations = 1 },
  { .n_blocks = 40,
    .block_samples = 60,
    .fan = 3,
    .step = 900,
    .n_odd = 7,
    .n_places = 30,
    .n_generations = 1 },
  { .n_blocks = 60,
    .block_samples = 40,
    .fan = 4,
    .step = 5000,
    .n_places = 20,
    .n_generations = 3 },
};

static guint64 *
make_edges (void)
{
  guint64 *edges = g_new (guint64, N_ROWS + 1);

  for (guint i = 0; i <= N_ROWS; i++)
    edges[i] = TEXT + (guint64) i * ROW;
  return edges;
}

static const PenBucket *
get_bucket (const RandomStore *random, const RandomSample *sample)
{
  return &g_array_index (random->buckets, PenBucket, sample->bucket);
}

/* Row of a sample; -1: not on the map. */
static int
find_row (const RandomStore *random, const PenFilter *filter, const RandomSample *sample,
          guint64 from, guint64 to)
{
  const PenBucket *bucket = get_bucket (random, sample);
  g_autoptr (PenFilter) in_view = pen_filter_copy (filter);

  in_view->has_time = TRUE;
  in_view->from = from;
  in_view->to = to - 1;
  if (!bucket->has_address || bucket->address < TEXT
      || bucket->address >= TEXT + (guint64) N_ROWS * ROW
      || !random_store_has_sample (random, in_view, sample))
    return -1;
  return (int) ((bucket->address - TEXT) / ROW);
}

static void
draw_view (RandomStore *random, guint64 *from, guint64 *to)
{
  double length = (double) (random->last - random->first + 1);
  double width = length * pow (10, -g_rand_double_range (random->rand, 0, 3));

  *from = random->first + (guint64) g_rand_double_range (random->rand, 0, length - width + 1);
  *to = *from + (guint64) width + N_COLUMNS;
}

/* A tile goes where it begins, and is no wider than a column: samples move to the column before, if
 * at all, and none is lost. */
static void
check_exact (RandomStore *random, const PenFilter *filter, guint64 from, guint64 to,
             const PenMapLimits *limits)
{
  g_autoptr (GError) error = NULL;
  g_autofree guint64 *edges = make_edges ();
  g_autofree guint32 *exact = g_new0 (guint32, N_ROWS * N_COLUMNS);
  g_autoptr (PenMapBins) map = pen_query_map_within (random->query, filter, from, to, N_COLUMNS,
                                                     edges, N_ROWS, limits, &error);
  guint total = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (map->grain, ==, 0);
  for (guint i = 0; i < random->samples->len; i++) {
    const RandomSample *sample = &g_array_index (random->samples, RandomSample, i);
    int row = find_row (random, filter, sample, from, to);
    guint column;

    if (row < 0)
      continue;
    column = (guint) MIN ((double) (sample->time - from) * (N_COLUMNS / (double) (to - from)),
                          N_COLUMNS - 1);
    exact[(guint) row * N_COLUMNS + column]++;
    total++;
  }
  g_assert_cmpfloat_with_epsilon (map->total, total, 0.01);
  for (guint row = 0; row < N_ROWS; row++) {
    double sum_exact = 0;
    double sum_drawn = 0;

    for (guint column = 0; column < N_COLUMNS; column++) {
      guint32 next = column + 1 < N_COLUMNS ? exact[row * N_COLUMNS + column + 1] : 0;

      sum_exact += exact[row * N_COLUMNS + column];
      sum_drawn += (double) map->counts[row * N_COLUMNS + column];
      g_assert_cmpfloat (sum_drawn, >=, sum_exact - 0.01);
      g_assert_cmpfloat (sum_drawn, <=, sum_exact + next + 0.01);
    }
    g_assert_cmpfloat_with_epsilon (sum_drawn, sum_exact, 0.01);
  }
}

/* In a picture of all, each function has all of its samples, wherever in it they are. */
static void
check_rough (RandomStore *random)
{
  static const PenMapLimits limits = { .max_loaded = 0, .max_exact = 0, .max_spans = 5 };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autofree guint64 *edges = make_edges ();
  guint64 to = random->last + 1;
  g_autoptr (PenMapBins) map = pen_query_map_within (random->query, filter, random->first, to,
                                                     N_COLUMNS, edges, N_ROWS, &limits, &error);
  guint rows = FUNCTION_LENGTH / ROW;

  g_assert_no_error (error);
  if (map->grain == 0)
    return; /* there are no spans */
  for (guint function = 0; function < OVERLAID; function++) {
    double drawn = 0;
    guint n = 0;

    for (guint i = 0; i < rows * N_COLUMNS; i++)
      drawn += (double) map->counts[function * rows * N_COLUMNS + i];
    for (guint i = 0; i < random->samples->len; i++) {
      const RandomSample *sample = &g_array_index (random->samples, RandomSample, i);

      n += get_bucket (random, sample)->function == function
           && find_row (random, filter, sample, random->first, to) >= 0;
    }
    g_assert_cmpfloat_with_epsilon (drawn, n, 0.01 * (n + 1));
  }
}

static void
test_random (gconstpointer data)
{
  static const PenMapLimits limits[] = {
    { .max_loaded = G_MAXUINT, .max_exact = G_MAXUINT, .max_spans = 256 },
    { .max_loaded = 0, .max_exact = G_MAXUINT, .max_spans = 256 },
  };
  RandomStoreShape shape = *(const RandomStoreShape *) data;

  for (guint i = 0; i < N_STORES; i++) {
    g_autoptr (RandomStore) random = NULL;

    shape.seed = 100 + i;
    random = random_store_new (&shape);
    for (guint k = 0; k < N_VIEWS; k++) {
      g_autoptr (PenFilter) filter = random_store_make_filter (random);
      guint64 from, to;

      filter->has_time = FALSE;
      draw_view (random, &from, &to);
      check_exact (random, filter, from, to, &limits[k % 2]);
      if (k % 5 == 0)
        random_store_reopen (random);
    }
    check_rough (random);
  }
}

/* What is estimated at first is exact when there is time. */
static void
test_exactly (void)
{
  static const PenMapLimits few = { .max_loaded = 0, .max_exact = 0, .max_spans = 2 };
  RandomStoreShape shape = shapes[1];
  g_autoptr (RandomStore) random = NULL;
  g_autoptr (PenMapBins) rough = NULL;
  g_autoptr (PenMapBins) exact = NULL;
  g_autofree guint64 *edges = make_edges ();
  g_autoptr (GError) error = NULL;

  shape.seed = 3;
  random = random_store_new (&shape);
  rough = pen_query_map_within (random->query, NULL, random->first, random->last + 1, N_COLUMNS,
                                edges, N_ROWS, &few, &error);
  g_assert_no_error (error);
  exact = pen_query_map_exactly (random->query, NULL, random->first, random->last + 1, N_COLUMNS,
                                 edges, N_ROWS, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rough->grain, >, 0);
  g_assert_cmpuint (exact->grain, ==, 0);
  g_assert_cmpuint (exact->n_spread, ==, 0);
  g_assert_cmpfloat (exact->total, >, 100);
}

/* Functions with fewer rows than a line of letters needs, most samples first. */
static void
test_hot_names (void)
{
  RandomStoreShape shape = shapes[0];
  g_autoptr (RandomStore) random = NULL;
  g_autoptr (PenMapBins) map = NULL;
  g_autofree guint64 *edges = make_edges ();
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autoptr (PenMapBins) none = NULL;
  g_autoptr (GError) error = NULL;

  shape.seed = 4;
  random = random_store_new (&shape);
  map = pen_query_map (random->query, NULL, random->first, random->last + 1, N_COLUMNS, edges,
                       N_ROWS, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (map->hot->len, >, 3);
  for (guint i = 0; i < map->hot->len; i++) {
    const PenMapName *name = &g_array_index (map->hot, PenMapName, i);

    g_assert_nonnull (name->name);
    g_assert_cmpuint (name->samples, >, 0);
    if (i > 0)
      g_assert_cmpuint (name[-1].samples, >=, name->samples);
  }
  /* Of what a filter leaves out, nothing is named. */
  filter->only.kinds = 1u << PEN_KIND_MODULE;
  none = pen_query_map (random->query, filter, random->first, random->last + 1, N_COLUMNS, edges,
                        N_ROWS, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (none->hot->len, ==, 0);
}

/* ---- a small capture ---- */

static gboolean
is_in (const GArray *ranges, guint64 address, PenKind *kind)
{
  for (guint i = 0; i < ranges->len; i++) {
    const PenUsedRange *range = &g_array_index (ranges, PenUsedRange, i);

    if (address >= range->start && address < range->end) {
      *kind = range->kind;
      return TRUE;
    }
  }
  return FALSE;
}

static void
test_used_ranges (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ranges = pen_query_list_used_ranges (fixture->query, &error);
  PenKind kind = PEN_KIND_UNKNOWN;

  g_assert_no_error (error);
  g_assert_cmpuint (ranges->len, >, 1);
  for (guint i = 0; i < ranges->len; i++) {
    const PenUsedRange *range = &g_array_index (ranges, PenUsedRange, i);

    g_assert_cmphex (range->start, <, range->end);
    if (i > 0)
      g_assert_cmphex (range->start, >=, range[-1].end);
  }
  g_assert_true (is_in (ranges, ALPHA, &kind));
  g_assert_cmpint (kind, ==, PEN_KIND_KERNEL);
  g_assert_true (is_in (ranges, A, &kind));
  g_assert_true (is_in (ranges, B, &kind));
  g_assert_false (is_in (ranges, ALPHA + 0x100000, &kind));
  g_assert_false (is_in (ranges, 0x400000, &kind));
}

/* However many there are, a picture has to look at no more than so many. */
static void
test_merge_ranges (void)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (PenUsedRange));
  g_autoptr (GArray) all = NULL;
  g_autoptr (GArray) few = NULL;

  for (guint i = 0; i < 2000; i++) {
    guint64 start = ALPHA + (guint64) (i * 7919 % 2000) * 0x10000;
    PenUsedRange range = { start, start + 100, i % 2 ? PEN_KIND_KERNEL : PEN_KIND_UNKNOWN, "" };

    g_array_append_val (ranges, range);
  }
  all = pen_query_merge_ranges (ranges, 5000);
  few = pen_query_merge_ranges (ranges, 10);
  g_assert_cmpuint (all->len, ==, 2000);
  g_assert_cmpuint (few->len, <=, 10);
  g_assert_cmphex (g_array_index (few, PenUsedRange, 0).start, ==, ALPHA);
  g_assert_cmphex (g_array_index (few, PenUsedRange, few->len - 1).end, ==,
                   ALPHA + 1999 * 0x10000 + 100);
}

static void
test_marks_and_names (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  guint64 edges[9];
  g_autoptr (PenMapBins) map = NULL;
  const PenMapMark *mark;

  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    edges[i] = ALPHA + 8 * (guint64) i;
  map = pen_query_map (fixture->query, NULL, 1000, 5000, 40, edges, G_N_ELEMENTS (edges) - 1,
                       &error);
  g_assert_no_error (error);
  g_assert_cmpuint (map->marks->len, ==, 2);
  mark = &g_array_index (map->marks, PenMapMark, 0);
  g_assert_cmpuint (mark->first, ==, 2000);
  g_assert_cmphex (mark->address, ==, ALPHA);
  g_assert_cmpuint (mark->count, ==, 1);
  g_assert_cmpuint (mark->function, !=, G_MAXUINT32);
  g_assert_cmpuint (map->names->len, ==, 1);
  g_assert_cmpstr (g_array_index (map->names, PenMapName, 0).name, ==, "alpha");
  /* alpha+0 at 1000, 2500, and three times at 4500; +2 and +5 are in the same row. */
  g_assert_cmpfloat (map->counts[0], ==, 1);
  g_assert_cmpfloat (map->counts[35], ==, 3);
  g_assert_cmpfloat (map->counts[36], ==, 1);
  g_assert_cmpfloat (map->total, ==, 7);
}

/* Two patches in one cell are one mark. */
static void
test_marks_together (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  guint64 edges[] = { ALPHA, ALPHA + 64 };
  g_autoptr (PenMapBins) map
      = pen_query_map (fixture->query, NULL, 1000, 5000, 1, edges, 1, &error);
  const PenMapMark *mark;

  g_assert_no_error (error);
  g_assert_cmpuint (map->marks->len, ==, 1);
  mark = &g_array_index (map->marks, PenMapMark, 0);
  g_assert_cmpuint (mark->count, ==, 2);
  g_assert_cmpuint (mark->first, ==, 2000);
  g_assert_cmpuint (mark->last, ==, 4000);
}

static void
test_tasks (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenTaskBins) cpus = pen_query_task_bins (fixture->query, NULL, PEN_TASKS_BY_CPU, 1000,
                                                      5000, 4, 64, 100, &error);
  g_autoptr (PenTaskBins) busiest = NULL;
  guint64 sum = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (cpus->stride, ==, 1);
  g_assert_cmpuint (cpus->n_left_out, ==, 0);
  g_assert_cmpuint (cpus->rows->len, ==, 2);
  g_assert_cmpint (g_array_index (cpus->rows, PenTaskTotal, 0).number, ==, 0);
  g_assert_cmpint (g_array_index (cpus->rows, PenTaskTotal, 1).number, ==, 1);
  for (guint i = 0; i < cpus->rows->len; i++)
    sum += g_array_index (cpus->rows, PenTaskTotal, i).samples;
  g_assert_cmpuint (sum, ==, FIXTURE_SAMPLES);
  /* alpha+0 and A, on CPU 0, in the first quarter; A+5 on CPU 1. */
  g_assert_cmpuint (cpus->counts[0], ==, 3);
  g_assert_cmpuint (cpus->counts[4], ==, 1);

  busiest = pen_query_task_bins (fixture->query, NULL, PEN_TASKS_BY_PROCESS, 1000, 5000, 4, 1, 100,
                                 &error);
  g_assert_no_error (error);
  g_assert_cmpuint (busiest->rows->len, ==, 1);
  g_assert_cmpuint (busiest->n_left_out, ==, 1);
  g_assert_cmpint (g_array_index (busiest->rows, PenTaskTotal, 0).number, ==, 8);
  g_assert_cmpstr (g_array_index (busiest->rows, PenTaskTotal, 0).comm, ==, "two");
}

/* Some blocks stand for all: no more than about as many samples as there are, all over the time. */
static void
test_some_blocks (void)
{
  RandomStoreShape shape = shapes[1];
  g_autoptr (RandomStore) random = NULL;
  g_autoptr (PenTaskBins) all = NULL;
  g_autoptr (PenTaskBins) some = NULL;
  g_autoptr (GError) error = NULL;
  double n_all = 0, n_some = 0;
  guint n_filled = 0;

  shape.seed = 5;
  shape.n_odd = 0;
  random = random_store_new (&shape);
  all = pen_query_task_bins (random->query, NULL, PEN_TASKS_BY_CPU, random->first, random->last + 1,
                             10, 64, G_MAXUINT, &error);
  g_assert_no_error (error);
  some = pen_query_task_bins (random->query, NULL, PEN_TASKS_BY_CPU, random->first,
                              random->last + 1, 10, 64, 10, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (all->stride, ==, 1);
  g_assert_cmpuint (some->stride, ==, 4);
  for (guint i = 0; i < all->rows->len; i++)
    n_all += (double) g_array_index (all->rows, PenTaskTotal, i).samples;
  for (guint i = 0; i < some->rows->len; i++) {
    n_some += (double) g_array_index (some->rows, PenTaskTotal, i).samples;
    for (guint bin = 0; bin < 10; bin++)
      n_filled += some->counts[i * 10 + bin] > 0;
  }
  g_assert_cmpfloat (n_some, >, n_all * 0.6);
  g_assert_cmpfloat (n_some, <, n_all * 1.5);
  g_assert_cmpuint (n_filled, >=, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/map/random/blocks", &shapes[0], test_random);
  g_test_add_data_func ("/map/random/spans", &shapes[1], test_random);
  g_test_add_data_func ("/map/random/generations", &shapes[2], test_random);
  g_test_add ("/map/used-ranges", QueryFixture, NULL, query_fixture_set_up, test_used_ranges,
              query_fixture_tear_down);
  g_test_add_func ("/map/merge-ranges", test_merge_ranges);
  g_test_add_func ("/map/exactly", test_exactly);
  g_test_add_func ("/map/hot-names", test_hot_names);
  g_test_add ("/map/marks-and-names", QueryFixture, NULL, query_fixture_set_up,
              test_marks_and_names, query_fixture_tear_down);
  g_test_add ("/map/marks-together", QueryFixture, NULL, query_fixture_set_up, test_marks_together,
              query_fixture_tear_down);
  g_test_add ("/tasks/rows", QueryFixture, NULL, query_fixture_set_up, test_tasks,
              query_fixture_tear_down);
  g_test_add_func ("/tasks/some-blocks", test_some_blocks);
  return g_test_run ();
}
