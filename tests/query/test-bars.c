/* test-bars.c: lanes of tenures, beside a search of all lanes for each
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-bars.h"

#define STARTS 6
#define TIMES 60

static guint32
choose (GRand *random, gint n)
{
  return (guint32) g_rand_int_range (random, 0, n);
}

/* All of one group: the first one lies under all others. By their beginnings. */
static GArray *
make_bars (GRand *random, guint n)
{
  GArray *bars = g_array_new (FALSE, TRUE, sizeof (PenBar));
  guint64 time = 0;

  for (guint i = 0; i < n; i++) {
    PenBar bar = { 0 };

    time += choose (random, 3);
    bar.tenure.id = i + 1;
    bar.tenure.start = 0x1000 + (i > 0 ? choose (random, STARTS) : 0);
    bar.tenure.end = 0x1000 + STARTS;
    bar.tenure.from = (PenMoment){ time, i };
    bar.tenure.to = (PenMoment){ time + choose (random, TIMES / 4), choose (random, 4) };
    g_array_append_val (bars, bar);
  }
  return bars;
}

/* The first lane that is free and held the start, else the first free one, else a new one. */
static guint
find_lane (const GArray *bars, guint i, guint n_lanes)
{
  const PenBar *bar = &g_array_index (bars, PenBar, i);
  guint found = n_lanes;

  for (guint lane = 0; lane < n_lanes; lane++) {
    const PenBar *latest = NULL;

    for (guint k = 0; k < i; k++)
      if (g_array_index (bars, PenBar, k).lane == lane)
        latest = &g_array_index (bars, PenBar, k);
    /* Each lane has been begun. */
    g_assert_nonnull (latest);
    if (pen_moment_compare (latest->tenure.to, bar->tenure.from) > 0)
      continue;
    if (latest->tenure.start == bar->tenure.start)
      return lane;
    found = MIN (found, lane);
  }
  return found;
}

static void
test_random (void)
{
  guint most = 0;

  for (guint32 seed = 0; seed < 200; seed++) {
    g_autoptr (GRand) random = g_rand_new_with_seed (seed);
    g_autoptr (GArray) bars = make_bars (random, seed % 80);
    guint n_lanes = pen_query_place_bars (bars);
    guint n_expected = 0;

    for (guint i = 0; i < bars->len; i++) {
      guint lane = find_lane (bars, i, n_expected);

      g_assert_cmpuint (g_array_index (bars, PenBar, i).lane, ==, lane);
      n_expected = MAX (n_expected, lane + 1);
    }
    g_assert_cmpuint (n_lanes, ==, n_expected);
    most = MAX (most, n_lanes);
  }
  g_assert_cmpuint (most, >, 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bars/random", test_random);
  return g_test_run ();
}
