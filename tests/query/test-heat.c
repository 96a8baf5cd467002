/* test-heat.c: samples and patches by column of time and its fraction
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "query-fixture.h"

#include "pen-query-heat.h"

static PenHeat *
heat_of (QueryFixture *fixture, const PenFilter *filter, guint64 from, guint64 to, guint64 column)
{
  g_autoptr (GError) error = NULL;
  PenHeat *heat = pen_query_heat (fixture->query, filter, from, to, column, &error);

  g_assert_no_error (error);
  return heat;
}

static guint64
count_all (const PenHeat *heat)
{
  guint64 n = 0;

  for (guint i = 0; i < heat->n_columns * heat->n_rows; i++)
    n += heat->counts[i];
  return n;
}

static void
test_cells (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenHeat) heat = heat_of (fixture, NULL, 1000, 5000, 1000);
  const PenHeatTick *tick;

  g_assert_cmpuint (heat->n_columns, ==, 4);
  g_assert_cmpuint (heat->n_rows, ==, PEN_HEAT_ROWS);
  g_assert_cmpuint (count_all (heat), ==, FIXTURE_SAMPLES);
  /* 1000, 1700, three times 4500, twice 3100: rows of 20 ns. */
  g_assert_cmpuint (heat->counts[0], ==, 1);
  g_assert_cmpuint (heat->counts[35], ==, 1);
  g_assert_cmpuint (heat->counts[2 * PEN_HEAT_ROWS + 5], ==, 2);
  g_assert_cmpuint (heat->counts[3 * PEN_HEAT_ROWS + 25], ==, 3);
  g_assert_cmpuint (heat->max, ==, 3);
  g_assert_cmpuint (pen_heat_get_time (heat, 3, 25), ==, 4500);

  /* The patches of 2000 and 4000. */
  g_assert_cmpuint (heat->ticks->len, ==, 2);
  tick = &g_array_index (heat->ticks, PenHeatTick, 1);
  g_assert_cmpuint (tick->column, ==, 3);
  g_assert_cmpuint (tick->row, ==, 0);
  g_assert_cmpuint (tick->n, ==, 1);
  g_assert_cmpint (tick->cause, ==, PEN_CAUSE_STATIC_CALL);
}

/* Both patches in one cell. */
static void
test_causes (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenHeat) heat = heat_of (fixture, NULL, 1000, 5000, 1000000);
  const PenHeatTick *tick = &g_array_index (heat->ticks, PenHeatTick, 0);
  const PenHeatTick *cause = &g_array_index (heat->causes, PenHeatTick, 0);

  g_assert_cmpuint (heat->ticks->len, ==, 1);
  g_assert_cmpuint (tick->n, ==, 2);
  g_assert_cmpuint (heat->causes->len, ==, 1);
  g_assert_cmpuint (cause->n, ==, 2);
  g_assert_cmpint (cause->cause, ==, tick->cause);
}

/* A cell begins where the one before ends, and its times are found in it. */
static void
test_times (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenHeat) heat = heat_of (fixture, NULL, 1003, 4321, 1000);
  guint64 before = heat->from;

  g_assert_cmpuint (heat->to, ==, 4321);
  for (guint i = 1; i < heat->n_columns * heat->n_rows; i++) {
    guint64 time = pen_heat_get_time (heat, i / heat->n_rows, i % heat->n_rows);
    guint column, row;

    g_assert_cmpuint (time, >, before);
    pen_heat_find_cell (heat, time, &column, &row);
    g_assert_cmpuint (column * heat->n_rows + row, ==, i);
    pen_heat_find_cell (heat, time - 1, &column, &row);
    g_assert_cmpuint (column * heat->n_rows + row, ==, i - 1);
    before = time;
  }
}

static void
test_parts (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autoptr (PenHeat) part = heat_of (fixture, NULL, 2500, 3101, 400);
  g_autoptr (PenHeat) narrow = heat_of (fixture, NULL, 4500, 4501, 3);
  g_autoptr (PenHeat) by_cpu = NULL;
  guint32 cpu = 1;

  /* The end is not in it: 2500, 2600, twice 3100. */
  g_assert_cmpuint (part->n_columns, ==, 2);
  g_assert_cmpuint (count_all (part), ==, 4);
  g_assert_cmpuint (part->ticks->len, ==, 0);

  /* No row is shorter than a nanosecond. */
  g_assert_cmpuint (narrow->n_columns, ==, 1);
  g_assert_cmpuint (narrow->n_rows, ==, 3);
  g_assert_cmpuint (narrow->counts[0], ==, 3);

  filter->only.cpus = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (filter->only.cpus, cpu);
  by_cpu = heat_of (fixture, filter, 1000, 5000, 1000);
  g_assert_cmpuint (count_all (by_cpu), ==, 8);
  g_assert_cmpuint (by_cpu->counts[0], ==, 0);
}

static void
test_columns (void)
{
  g_assert_cmpuint (pen_heat_choose_column (0, 100, 100), ==, 1);
  g_assert_cmpuint (pen_heat_choose_column (0, 101, 100), ==, 2);
  g_assert_cmpuint (pen_heat_choose_column (0, 25400000000ull, 100), ==, 500000000);
  g_assert_cmpuint (pen_heat_choose_column (5, 5 + 60000000000ull, 60), ==, 1000000000);
  g_assert_cmpuint (pen_heat_choose_column (0, G_MAXUINT64, 50), ==, 500000000000000000ull);
  g_assert_cmpuint (pen_heat_choose_column (0, G_MAXUINT64, 1), ==, G_MAXUINT64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/heat/cells", QueryFixture, NULL, query_fixture_set_up, test_cells,
              query_fixture_tear_down);
  g_test_add ("/heat/parts", QueryFixture, NULL, query_fixture_set_up, test_parts,
              query_fixture_tear_down);
  g_test_add ("/heat/causes", QueryFixture, NULL, query_fixture_set_up, test_causes,
              query_fixture_tear_down);
  g_test_add ("/heat/times", QueryFixture, NULL, query_fixture_set_up, test_times,
              query_fixture_tear_down);
  g_test_add_func ("/heat/columns", test_columns);
  return g_test_run ();
}
