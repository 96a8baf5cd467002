/* test-stack-views.c: callers, callees and stack charts against a look at every sample's callchain
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "stack-twin.h"

#include "pen-stack-index.h"
#include "pen-store-pokes.h"
#include "pen-store-samples.h"

/* ---- callers and callees ---- */

/* The row that a stack counts in: "neighbour tenure revision poke". Returns: NULL: none */
static char *
get_row (const RandomStore *random, const GArray *stack, const PenStackPlace *place,
         PenStackSide side, gboolean has_versions)
{
  gint at = -1;
  const StackStep *here;
  const StackStep *near;
  const StackStep *calling;
  PenFlameVersion version = { 0 };

  for (guint i = 0; i < stack->len; i++) {
    if (stack_twin_is_at (random, place, &g_array_index (stack, StackStep, i))
        && (side == PEN_STACK_CALLERS || at < 0))
      at = (gint) i;
  }
  if (at < 0)
    return NULL;
  here = &g_array_index (stack, StackStep, (guint) at);
  near = side == PEN_STACK_CALLERS ? here - 1 : here + 1;
  if (side == PEN_STACK_CALLERS ? at == 0 : (guint) at + 1 == stack->len)
    near = NULL;
  calling = side == PEN_STACK_CALLERS && near && near->function != G_MAXUINT32 ? near : here;
  if (has_versions)
    version = stack_twin_get_version (random, calling);
  return g_strdup_printf ("%d %u %u %u", near ? (int) near->group : -1, version.tenure,
                          version.revision, version.poke);
}

static char *
get_found_row (const PenStackNeighbour *row)
{
  int group = row->what == PEN_NEIGHBOUR_FRAME  ? (int) row->group
              : row->what == PEN_NEIGHBOUR_NONE ? -1
                                                : (int) PEN_STACK_UNRECORDED;

  return g_strdup_printf ("%d %u %u %u", group, row->tenure, row->revision, row->poke);
}

/* Asked for with the other side. */
static void
check_both (RandomStore *random, const PenFilter *filter, const PenNeighbourQuestion *question,
            PenStackSide side, const PenStackNeighbours *alone)
{
  g_autoptr (GError) error = NULL;
  PenStackNeighbours *sides[PEN_STACK_SIDES] = { NULL };
  const PenStackNeighbours *found;

  g_assert_true (pen_query_stack_all_neighbours (random->query, filter, question, sides, &error));
  g_assert_no_error (error);
  found = sides[side];
  stack_twin_assert_count (found->total, alone->total);
  stack_twin_assert_count (found->through, alone->through);
  stack_twin_assert_count (found->own, alone->own);
  g_assert_cmpuint (found->rows->len, ==, alone->rows->len);
  for (guint i = 0; i < found->rows->len; i++) {
    const PenStackNeighbour *a = &g_array_index (found->rows, PenStackNeighbour, i);
    const PenStackNeighbour *b = &g_array_index (alone->rows, PenStackNeighbour, i);
    g_autofree char *name = get_found_row (a);
    g_autofree char *name_alone = get_found_row (b);

    g_assert_cmpstr (name, ==, name_alone);
    stack_twin_assert_count (a->count, b->count);
    g_assert_cmpuint (a->first, ==, b->first);
    g_assert_cmpuint (a->last, ==, b->last);
  }
  for (guint i = 0; i < PEN_STACK_SIDES; i++)
    pen_stack_neighbours_free (sides[i]);
}

static void
check_neighbours (RandomStore *random, const PenFilter *filter, const PenStackPlace *place,
                  PenStackSide side, PenStackGrouping grouping, gboolean has_versions)
{
  g_autoptr (GError) error = NULL;
  PenNeighbourQuestion question = { *place, grouping, PEN_STACK_SAMPLES, has_versions };
  g_autoptr (PenStackNeighbours) found
      = pen_query_stack_neighbours (random->query, filter, &question, side, &error);
  g_autoptr (GHashTable) expected = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  PenStackCount total = { 0 };
  PenStackCount through = { 0 };
  PenStackCount own = { 0 };

  g_assert_no_error (error);
  check_both (random, filter, &question, side, found);
  for (guint i = 0; i < random->samples->len; i++) {
    const RandomSample *sample = &g_array_index (random->samples, RandomSample, i);
    g_autoptr (GArray) stack = stack_twin_get_stack (random, sample, grouping);
    char *row = get_row (random, stack, place, side, has_versions);
    PenStackCount *count = row ? g_hash_table_lookup (expected, row) : NULL;

    if (!random_store_has_sample (random, filter, sample)) {
      g_free (row);
      continue;
    }
    stack_twin_add (&total, sample);
    if (!row)
      continue;
    stack_twin_add (&through, sample);
    if (stack_twin_is_at (random, place, &g_array_index (stack, StackStep, stack->len - 1))
        && (side == PEN_STACK_CALLERS || g_str_has_prefix (row, "-1 ")))
      stack_twin_add (&own, sample);
    if (!count) {
      count = g_new0 (PenStackCount, 1);
      g_hash_table_insert (expected, g_strdup (row), count);
    }
    stack_twin_add (count, sample);
    g_free (row);
  }
  stack_twin_assert_count (found->total, total);
  stack_twin_assert_count (found->through, through);
  stack_twin_assert_count (found->own, own);
  g_assert_cmpuint (found->rows->len, ==, g_hash_table_size (expected));
  for (guint i = 0; i < found->rows->len; i++) {
    const PenStackNeighbour *row = &g_array_index (found->rows, PenStackNeighbour, i);
    g_autofree char *word = get_found_row (row);
    const PenStackCount *count = g_hash_table_lookup (expected, word);

    g_assert_nonnull (count);
    stack_twin_assert_count (row->count, *count);
    g_assert_cmpfloat_with_epsilon (row->share, (double) count->samples / (double) through.samples,
                                    1e-9);
  }
}

/* From now on samples are not kept, but read by so many. */
static void
read_by (RandomStore *random, guint n_readers)
{
  g_autoptr (GError) error = NULL;
  PenStackIndex *index = pen_stack_index_get (random->query, PEN_STACK_BY_FUNCTION, &error);

  g_assert_no_error (error);
  g_clear_pointer (&index->kept, g_array_unref);
  index->is_streamed = TRUE;
  index->n_readers = n_readers;
}

static void
test_neighbours (gconstpointer data)
{
  const RandomStoreShape *shape = data;
  g_autoptr (RandomStore) random = random_store_new (shape);

  for (guint i = 0; i < 60; i++) {
    g_autoptr (PenFilter) filter = random_store_make_filter (random);
    PenStackPlace place;

    if (i == 40)
      read_by (random, 3);
    do
      place = stack_twin_draw_place (random);
    while (shape->n_chains == 0 && place.parts & PEN_STACK_PLACE_POKE);
    check_neighbours (random, filter, &place, stack_twin_draw (random, 2),
                      stack_twin_draw (random, 2), stack_twin_draw (random, 2) > 0);
  }
}

static char *
fold (RandomStore *random, const PenFilter *filter)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) error = NULL;

  g_assert_true (pen_query_write_folded (random->query, filter, PEN_STACK_BY_FUNCTION,
                                         PEN_STACK_SAMPLES, 0, stream, &error));
  g_assert_no_error (error);
  g_assert_true (g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL));
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

/* The same lines in the same order, however many read. */
static void
test_folded (gconstpointer data)
{
  g_autoptr (RandomStore) one = random_store_new (data);
  g_autoptr (RandomStore) more = random_store_new (data);

  read_by (more, 3);
  for (guint i = 0; i < 20; i++) {
    g_autoptr (PenFilter) filter = random_store_make_filter (one);
    g_autofree char *a = fold (one, filter);
    g_autofree char *b = fold (more, filter);

    g_assert_cmpstr (a, ==, b);
  }
}

/* Whether any function of the group changed from @a to @b, whichever is earlier. */
static gboolean
changes_between (RandomStore *random, guint32 group, guint64 a, guint64 b)
{
  g_autoptr (GArray) pokes
      = pen_store_load_pokes (random->store, TEXT, TEXT + N_KERNEL * FUNCTION_LENGTH, NULL);

  for (guint i = 0; i < pokes->len; i++) {
    const PenPoke *poke = &g_array_index (pokes, PenPoke, i);

    if (poke->time > MIN (a, b) && poke->time <= MAX (a, b)
        && pen_query_get_stack_group (random->query, PEN_STACK_BY_FUNCTION, poke->function, NULL)
               == group)
      return TRUE;
  }
  return FALSE;
}

/* The first or the last time from @time on that has the same text. */
static guint64
find_end (RandomStore *random, guint32 group, guint64 time, int step)
{
  guint64 end = step < 0 ? random->first - 1 : random->first + 2 * N_KERNEL;
  guint64 at = time;

  while (at != end && !changes_between (random, group, time, at + (guint64) (gint64) step))
    at += (guint64) (gint64) step;
  return at;
}

/* All pokes are within the first ns: a function's text has two stretches. */
static void
test_as_of (gconstpointer data)
{
  g_autoptr (RandomStore) random = random_store_new (data);

  for (guint i = 0; i < 60; i++) {
    guint32 function = stack_twin_draw (random, OVERLAID);
    PenStackPlace place = { .parts = PEN_STACK_PLACE_GROUP,
                            .group = pen_query_get_stack_group (
                                random->query, PEN_STACK_BY_FUNCTION, function, NULL) };
    guint64 time = random->first - 1 + stack_twin_draw (random, 2 * N_KERNEL);
    g_autoptr (PenFilter) filter = random_store_make_filter (random);
    g_autoptr (PenFilter) expected = pen_filter_copy (filter);
    g_autoptr (GError) error = NULL;
    guint64 from, to, first = find_end (random, place.group, time, -1),
                      last = find_end (random, place.group, time, 1);

    g_assert_true (pen_query_select_stack_text (
        random->query, &place, (PenMoment){ time, G_MAXUINT64 }, filter, &from, &to, &error));
    g_assert_no_error (error);
    g_assert_cmpuint (from, ==, first < random->first ? 0 : first);
    g_assert_cmpuint (to, ==, last == random->first + 2 * N_KERNEL ? G_MAXUINT64 : last);
    expected->from = expected->has_time ? MAX (expected->from, from) : from;
    expected->to = expected->has_time ? MIN (expected->to, to) : to;
    expected->has_time = TRUE;
    g_assert_true (pen_filter_equal (filter, expected));
    check_neighbours (random, filter, &place, stack_twin_draw (random, 2), PEN_STACK_BY_FUNCTION,
                      stack_twin_draw (random, 2) > 0);
  }
}

/* ---- in time order ---- */

#define COLUMNS 12
#define LEVELS 40

/* Samples of a cell, whose stacks begin with @path. */
static guint
count_through (const GPtrArray *stacks, const guint32 *path, guint n, gboolean ends)
{
  guint found = 0;

  for (guint i = 0; i < stacks->len; i++) {
    const GArray *stack = stacks->pdata[i];
    gboolean is_alike = ends ? stack->len == n : stack->len >= n;

    for (guint k = 0; is_alike && k < n; k++)
      is_alike = g_array_index (stack, StackLevel, k).group == path[k];
    found += is_alike;
  }
  return found;
}

/* @path: of a cell, 0 from where it ends: each level is what most samples went through. */
static void
check_cell (const GPtrArray *stacks, const guint32 *path, guint max_levels, guint n_groups)
{
  guint32 other[LEVELS + 1];
  guint n = 0;

  while (n < max_levels && path[n] != 0) {
    guint through = count_through (stacks, path, n + 1, FALSE);

    memcpy (other, path, sizeof other);
    for (other[n] = 0; other[n] < n_groups; other[n]++)
      g_assert_cmpuint (count_through (stacks, other, n + 1, FALSE), <=, through);
    g_assert_cmpuint (through, >, 0);
    g_assert_cmpuint (through, >=, count_through (stacks, path, n, TRUE));
    n++;
  }
  memcpy (other, path, sizeof other);
  for (other[n] = 0; n < max_levels && other[n] < n_groups; other[n]++) {
    guint through = count_through (stacks, other, n + 1, FALSE);

    g_assert_true (through == 0 || through < count_through (stacks, path, n, TRUE));
  }
}

/* Which row of the chart a sample is in. Threads: 7 + number, or none. */
static gboolean
is_in_row (const RandomSample *sample, const PenChartRow *row, PenChartKey key)
{
  gint64 number = sample->thread > 0 ? 7 + (gint64) sample->thread : -1;

  if (key == PEN_CHART_BY_CPU)
    number = sample->has & PEN_SAMPLE_HAS_CPU ? (gint64) sample->cpu : -1;
  return number == row->number;
}

static void
check_row (RandomStore *random, const PenFilter *filter, const PenStackChart *chart,
           PenStackGrouping grouping, PenChartKey key, guint index, guint max_levels)
{
  const PenChartRow *row = &g_array_index (chart->rows, PenChartRow, index);
  PenFlameOptions options = { .grouping = grouping };
  guint32 paths[COLUMNS][LEVELS + 1] = { { 0 } };
  guint n_levels = 0;
  guint64 n_samples = 0;

  for (guint i = 0; i < chart->boxes->len; i++) {
    const PenChartBox *box = &g_array_index (chart->boxes, PenChartBox, i);

    if (box->row != index)
      continue;
    g_assert_cmpuint (box->first, <=, box->last);
    g_assert_cmpuint (box->last, <, COLUMNS);
    g_assert_cmpuint (box->depth, <=, max_levels);
    n_levels = MAX (n_levels, box->depth);
    for (guint column = box->first; column <= box->last; column++) {
      g_assert_cmpuint (paths[column][box->depth - 1], ==, 0);
      /* Callers that were not recorded are group 0: here the group after the last. */
      paths[column][box->depth - 1] = box->group > 0 ? box->group : chart->n_groups;
    }
    if (box->last + 1 < COLUMNS)
      for (guint k = 0; k < chart->boxes->len; k++) {
        const PenChartBox *other = &g_array_index (chart->boxes, PenChartBox, k);

        /* The outermost frames go on. */
        g_assert_false (box->depth == 1 && other->depth == 1 && other->row == index
                        && other->first == box->last + 1 && other->group == box->group);
      }
  }
  g_assert_cmpuint (row->n_levels, ==, n_levels);
  for (guint column = 0; column < COLUMNS; column++) {
    g_autoptr (GPtrArray) stacks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

    for (guint i = 0; i < random->samples->len; i++) {
      const RandomSample *sample = &g_array_index (random->samples, RandomSample, i);
      GArray *path;

      if (!(sample->has & PEN_SAMPLE_HAS_TIME) || sample->time < chart->from
          || sample->time >= chart->to || !is_in_row (sample, row, key)
          || (guint) ((double) (sample->time - chart->from)
                      * (COLUMNS / (double) (chart->to - chart->from)))
                 != column
          || (filter && !random_store_has_sample (random, filter, sample)))
        continue;
      path = stack_twin_get_path (random, &options, sample);
      for (guint k = 0; k < path->len; k++) {
        StackLevel *level = &g_array_index (path, StackLevel, k);

        level->group = level->group > 0 ? level->group : chart->n_groups;
      }
      g_ptr_array_add (stacks, path);
    }
    n_samples += stacks->len;
    check_cell (stacks, paths[column], max_levels, chart->n_groups + 1);
  }
  g_assert_cmpuint (row->samples, ==, n_samples);
}

static void
test_chart (gconstpointer data)
{
  g_autoptr (RandomStore) random = random_store_new (data);

  for (guint i = 0; i < 24; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PenFilter) filter = random_store_make_filter (random);
    PenStackGrouping grouping = stack_twin_draw (random, 2);
    PenChartKey key = stack_twin_draw (random, 2);
    guint max_levels = stack_twin_draw (random, 2) == 0 ? 3 : LEVELS;
    guint64 from
        = random->first + stack_twin_draw (random, (guint) (random->last - random->first) / 2);
    guint64 to = from + 1 + stack_twin_draw (random, (guint) (random->last - from));
    g_autoptr (PenStackChart) chart = NULL;

    filter->has_time = FALSE;
    chart = pen_query_stack_chart (random->query, i % 2 > 0 ? filter : NULL, grouping, key, from,
                                   to, COLUMNS, 3, max_levels, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (chart->rows->len, <=, 3);
    for (guint k = 0; k < chart->rows->len; k++)
      check_row (random, i % 2 > 0 ? filter : NULL, chart, grouping, key, k, max_levels);
    if (key == PEN_CHART_BY_CPU && chart->rows->len == 3)
      g_assert_cmpuint (chart->n_left_out, <=, 2);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/stack-views/neighbours/short", &stack_twin_shapes[0], test_neighbours);
  g_test_add_data_func ("/stack-views/neighbours/many", &stack_twin_shapes[1], test_neighbours);
  g_test_add_data_func ("/stack-views/folded/short", &stack_twin_shapes[0], test_folded);
  g_test_add_data_func ("/stack-views/folded/many", &stack_twin_shapes[1], test_folded);
  g_test_add_data_func ("/stack-views/neighbours/no-chains", &stack_twin_shapes[2],
                        test_neighbours);
  g_test_add_data_func ("/stack-views/as-of/short", &stack_twin_shapes[0], test_as_of);
  g_test_add_data_func ("/stack-views/as-of/many", &stack_twin_shapes[1], test_as_of);
  g_test_add_data_func ("/stack-views/chart/short", &stack_twin_shapes[0], test_chart);
  g_test_add_data_func ("/stack-views/chart/many", &stack_twin_shapes[1], test_chart);
  return g_test_run ();
}
