/* test-mean-ratio.c: ratios of means, and how often their intervals hold what is so
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>

#include "pen-mean-ratio.h"
#include "pen-poisson.h"

#define PARTS 8
#define ROUNDS 2000

/* Weights of one stretch are alike, those of several differ by a third or so. */
static void
draw_parts (GRand *rand, PenMeanPart *parts, guint n, double mean)
{
  for (guint i = 0; i < n; i++) {
    double noise = 0;

    for (guint k = 0; k < 12; k++)
      noise += g_rand_double (rand) - 0.5;
    parts[i].n = g_rand_int_range (rand, 10, 30);
    parts[i].sum = parts[i].n * mean * exp (0.3 * noise);
  }
}

static double
count_held (double ratio)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  guint n_held = 0;

  for (guint i = 0; i < ROUNDS; i++) {
    PenMeanPart first[PARTS], second[PARTS];
    PenRateTest test;

    draw_parts (rand, first, PARTS, 1000);
    draw_parts (rand, second, PARTS, 1000 * ratio);
    test = pen_mean_ratio_compare (first, PARTS, second, PARTS, PEN_POISSON_ALPHA);
    g_assert_true (isfinite (test.low) && isfinite (test.high));
    g_assert_cmpfloat (test.low, <=, test.ratio);
    g_assert_cmpfloat (test.high, >=, test.ratio);
    n_held += test.low <= ratio && ratio <= test.high;
  }
  return (double) n_held / ROUNDS;
}

/* 95 % of the intervals hold the ratio, or some more: bounds are on the safe side. */
static void
test_held (void)
{
  const double ratios[] = { 1, 1.5, 0.2 };

  for (guint i = 0; i < G_N_ELEMENTS (ratios); i++) {
    double held = count_held (ratios[i]);

    g_test_message ("%.1f: %.3f of the intervals", ratios[i], held);
    g_assert_cmpfloat (held, >=, 0.945);
    g_assert_cmpfloat (held, <, 0.995);
  }
}

/* One long stretch among short ones is one stretch. */
static void
test_too_few (void)
{
  PenMeanPart even[PARTS], uneven[PARTS];
  PenRateTest test;

  for (guint i = 0; i < PARTS; i++) {
    even[i] = (PenMeanPart){ 1000 + i, 1 };
    uneven[i] = (PenMeanPart){ i == 0 ? 200000 : 2000 + i, i == 0 ? 100 : 1 };
  }
  test = pen_mean_ratio_compare (even, PARTS, even, PARTS, PEN_POISSON_ALPHA);
  g_assert_cmpfloat_with_epsilon (test.ratio, 1, 1e-12);
  g_assert_cmpfloat (test.low, <, 1);
  test = pen_mean_ratio_compare (even, PARTS, uneven, PARTS, PEN_POISSON_ALPHA);
  g_assert_cmpfloat_with_epsilon (test.ratio, 2, 0.01);
  g_assert_true (isnan (test.low) && isnan (test.high));
  test = pen_mean_ratio_compare (even, 4, even, PARTS, PEN_POISSON_ALPHA);
  g_assert_true (isnan (test.low) && isfinite (test.ratio));
  test = pen_mean_ratio_compare (even, 0, even, PARTS, PEN_POISSON_ALPHA);
  g_assert_true (isnan (test.ratio) && isnan (test.low));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mean-ratio/held", test_held);
  g_test_add_func ("/mean-ratio/too-few", test_too_few);
  return g_test_run ();
}
