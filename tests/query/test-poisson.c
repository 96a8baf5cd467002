/* test-poisson.c: intervals and tests against values known from elsewhere
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>

#include "pen-poisson.h"

/* P (X <= k) for a Poisson variable, term by term. */
static double
sum_terms (guint k, double mean)
{
  double term = exp (-mean), sum = term;

  for (guint i = 1; i <= k; i++) {
    term *= mean / i;
    sum += term;
  }
  return sum;
}

/* Tables of Garwood's interval, and R: poisson.test (k)$conf.int */
static void
test_intervals (void)
{
  static const struct {
    guint64 count;
    double low, high;
  } known[] = {
    { 0, 0, 3.688879454113936 },
    { 1, 0.02531780798428984, 5.571643390938898 },
    { 2, 0.2422092785439647, 7.22468766772396 },
    { 10, 4.795388696132432, 18.390356042017775 },
    { 100, 81.36399125092322, 121.62679379242638 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    double low, high;

    pen_poisson_interval (known[i].count, &low, &high);
    g_assert_cmpfloat_with_epsilon (low, known[i].low, 1e-8);
    g_assert_cmpfloat_with_epsilon (high, known[i].high, 1e-8);
  }
}

/* By definition: each end leaves 2.5 % beyond what was seen. */
static void
test_tails (void)
{
  for (guint k = 1; k < 300; k += 7) {
    double low, high;

    pen_poisson_interval (k, &low, &high);
    g_assert_cmpfloat_with_epsilon (1 - sum_terms (k - 1, low), 0.025, 1e-8);
    g_assert_cmpfloat_with_epsilon (sum_terms (k, high), 0.025, 1e-8);
  }
}

/* Where counts are large, the interval is that of the normal distribution, nearly. */
static void
test_large (void)
{
  guint64 count = 1000000000;
  double low, high, root = sqrt ((double) count);

  pen_poisson_interval (count, &low, &high);
  g_assert_cmpfloat_with_epsilon (((double) count - low) / root, 1.959964, 1e-3);
  g_assert_cmpfloat_with_epsilon ((high - (double) count) / root, 1.959964, 1e-3);
}

/* R's own example: poisson.test (c (11, 6 + 8 + 7), c (800, 1083 + 1050 + 878)) */
static void
test_ratio (void)
{
  PenRateTest test = pen_poisson_compare (21, 3011, 11, 800);

  g_assert_cmpfloat_with_epsilon (test.ratio, 1.971488095, 1e-9);
  g_assert_cmpfloat_with_epsilon (test.low, 0.8584264, 1e-6);
  g_assert_cmpfloat_with_epsilon (test.high, 4.2772659, 1e-6);
  /* Twice the smaller tail; R adds up what is no likelier instead, and has 0.0797. */
  g_assert_cmpfloat_with_epsilon (test.p, 0.11201731957539907, 1e-9);

  /* A fair coin: 2 of 10, or fewer. */
  test = pen_poisson_compare (8, 1, 2, 1);
  g_assert_cmpfloat_with_epsilon (test.p, 0.109375, 1e-12);
}

static void
test_nothing_seen (void)
{
  PenRateTest test = pen_poisson_compare (0, 1, 0, 2);

  g_assert_true (isnan (test.ratio));
  g_assert_cmpfloat (test.p, ==, 1);

  test = pen_poisson_compare (0, 1, 10, 1);
  g_assert_true (isinf (test.ratio) && isinf (test.high));
  g_assert_cmpfloat (test.low, >, 1);
  g_assert_cmpfloat_with_epsilon (test.p, 2 * pow (0.5, 10), 1e-12);

  test = pen_poisson_compare (10, 1, 0, 1);
  g_assert_cmpfloat (test.ratio, ==, 0);
  g_assert_cmpfloat (test.low, ==, 0);
  g_assert_cmpfloat (test.high, <, 1);
  g_assert_cmpfloat_with_epsilon (test.p, 2 * pow (0.5, 10), 1e-12);
}

/* The test and the interval say the same. */
static void
test_agreement (void)
{
  for (guint first = 0; first < 60; first += 3) {
    for (guint second = 0; second < 60; second += 4) {
      PenRateTest test = pen_poisson_compare (first, 1.5, second, 1);

      if (first + second > 0)
        g_assert_true ((test.p < PEN_POISSON_ALPHA) == (test.low > 1 || test.high < 1));
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/poisson/intervals", test_intervals);
  g_test_add_func ("/poisson/tails", test_tails);
  g_test_add_func ("/poisson/large", test_large);
  g_test_add_func ("/poisson/ratio", test_ratio);
  g_test_add_func ("/poisson/nothing-seen", test_nothing_seen);
  g_test_add_func ("/poisson/agreement", test_agreement);
  return g_test_run ();
}
