/* pen-poisson.c: how far counts of samples can be trusted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-poisson.h"

#include <math.h>

#define STEPS_MAX 100000
#define PRECISION 1e-15
#define TINY 1e-300

/* The continued fraction of the incomplete beta function, by Lentz' method (DLMF 8.17.22).
 * Converges fast for x < (a + 1) / (a + b + 2). */
static double
beta_fraction (double a, double b, double x)
{
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  double value;

  d = 1 / (fabs (d) < TINY ? TINY : d);
  value = d;
  for (int m = 1; m < STEPS_MAX; m++) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double change;

    d = 1 + even * d;
    d = 1 / (fabs (d) < TINY ? TINY : d);
    c = 1 + even / c;
    c = fabs (c) < TINY ? TINY : c;
    value *= d * c;
    d = 1 + odd * d;
    d = 1 / (fabs (d) < TINY ? TINY : d);
    c = 1 + odd / c;
    c = fabs (c) < TINY ? TINY : c;
    change = d * c;
    value *= change;
    if (fabs (change - 1) < PRECISION)
      break;
  }
  return value;
}

/* The regularised incomplete beta function: a binomial's tail. */
static double
beta (double a, double b, double x)
{
  double front;

  if (x <= 0)
    return 0;
  if (x >= 1)
    return 1;
  front = exp (lgamma (a + b) - lgamma (a) - lgamma (b) + a * log (x) + b * log1p (-x));
  if (x < (a + 1) / (a + b + 2))
    return front * beta_fraction (a, b, x) / a;
  return 1 - front * beta_fraction (b, a, 1 - x) / b;
}

/* The regularised lower incomplete gamma function: the chance of @a events or more at mean @x. */
static double
gamma_lower (double a, double x)
{
  double front = exp (a * log (x) - x - lgamma (a));

  if (x <= 0)
    return 0;
  if (x < a + 1) {
    double term = 1 / a, sum = term;

    for (int n = 1; n < STEPS_MAX && term > sum * PRECISION; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return sum * front;
  }

  double b = x + 1 - a, c = 1 / TINY, d = 1 / b, value = d;

  for (int n = 1; n < STEPS_MAX; n++) {
    double factor = -n * (n - a), change;

    b += 2;
    d = factor * d + b;
    d = 1 / (fabs (d) < TINY ? TINY : d);
    c = b + factor / c;
    c = fabs (c) < TINY ? TINY : c;
    change = d * c;
    value *= change;
    if (fabs (change - 1) < PRECISION)
      break;
  }
  return 1 - front * value;
}

/* Where a function that rises from 0 to 1 over [@low, @high] takes @value. */
static double
find_gamma (double a, double value, double low, double high)
{
  while (gamma_lower (a, high) < value)
    high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) {
    double middle = (low + high) / 2;

    if (gamma_lower (a, middle) < value)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

static double
find_beta (double a, double b, double value)
{
  double low = 0, high = 1;

  for (int i = 0; i < 200 && high - low > 1e-15; i++) {
    double middle = (low + high) / 2;

    if (beta (a, b, middle) < value)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

void
pen_poisson_interval (guint64 count, double *low, double *high)
{
  double k = (double) count;

  *low = count > 0 ? find_gamma (k, PEN_POISSON_ALPHA / 2, 0, k + 1) : 0;
  *high = find_gamma (k + 1, 1 - PEN_POISSON_ALPHA / 2, 0, 2 * k + 4);
}

static double
odds (double chance)
{
  return chance < 1 ? chance / (1 - chance) : INFINITY;
}

double
pen_poisson_test (guint64 first, double first_time, guint64 second, double second_time)
{
  double k = (double) second, n = (double) first + k;
  double chance = second_time / (first_time + second_time);
  double below, above;

  if (first + second == 0)
    return 1;
  /* P (X <= k) and P (X >= k) of a binomial with n and chance. */
  below = second < first + second ? beta (n - k, k + 1, 1 - chance) : 1;
  above = second > 0 ? beta (k, n - k + 1, chance) : 1;
  return MIN (1, 2 * MIN (below, above));
}

PenRateTest
pen_poisson_compare_at (guint64 first, double first_time, guint64 second, double second_time,
                        double alpha)
{
  PenRateTest test = { NAN, 0, INFINITY, 1 };
  double k = (double) second, n = (double) first + k;
  double times = first_time / second_time;

  if (first + second == 0)
    return test;
  test.ratio = first > 0 ? k / (double) first * times : INFINITY;
  if (second > 0)
    test.low = odds (find_beta (k, n - k + 1, alpha / 2)) * times;
  if (first > 0)
    test.high = odds (find_beta (k + 1, n - k, 1 - alpha / 2)) * times;
  test.p = pen_poisson_test (first, first_time, second, second_time);
  return test;
}

PenRateTest
pen_poisson_compare (guint64 first, double first_time, guint64 second, double second_time)
{
  return pen_poisson_compare_at (first, first_time, second, second_time, PEN_POISSON_ALPHA);
}
