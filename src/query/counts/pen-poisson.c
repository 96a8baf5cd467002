/* pen-poisson.c: how far counts of samples can be trusted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-poisson.h"

#include <math.h>

#include "pen-poisson-private.h"

#define STEPS_MAX 100000
#define PRECISION 1e-15
#define QUANTILE_PRECISION 1e-13
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

/* A distribution that rises from 0 to 1: of a gamma variable with @a, or of a beta one with @a and
 * @b. @front: the logarithm of what its density has in front */
typedef struct {
  double a;
  double b;
  double front;
  gboolean is_beta;
} Distribution;

static double
get_chance (const Distribution *self, double x)
{
  return self->is_beta ? beta (self->a, self->b, x) : gamma_lower (self->a, x);
}

static double
get_density (const Distribution *self, double x)
{
  return self->is_beta ? exp (self->front + (self->a - 1) * log (x) + (self->b - 1) * log1p (-x))
                       : exp (self->front + (self->a - 1) * log (x) - x);
}

/*
 * Where it takes @value, between @low and @high: Newton's steps from its mean, which lie between
 * that and the result, halving where one leaves the bounds. A chance takes some microseconds, and
 * halving alone 50 of them.
 */
static double
find_quantile (const Distribution *self, double value, double low, double high, double mean)
{
  double x = mean;

  for (int i = 0; i < 200 && high - low > QUANTILE_PRECISION * high; i++) {
    double above = get_chance (self, x) - value;
    double next = x - above / get_density (self, x);
    gboolean is_found;

    if (above < 0)
      low = x;
    else
      high = x;
    if (!(next > low && next < high))
      next = (low + high) / 2;
    is_found = fabs (next - x) <= QUANTILE_PRECISION * x;
    x = next;
    if (is_found)
      break;
  }
  return x;
}

static double
find_gamma (double a, double value, double high)
{
  const Distribution gamma = { .a = a, .front = -lgamma (a) };

  while (gamma_lower (a, high) < value)
    high *= 2;
  return find_quantile (&gamma, value, 0, high, a);
}

double
pen_beta_quantile (double a, double b, double value)
{
  const Distribution distribution
      = { .a = a, .b = b, .front = lgamma (a + b) - lgamma (a) - lgamma (b), .is_beta = TRUE };

  return find_quantile (&distribution, value, 0, 1, a / (a + b));
}

void
pen_poisson_interval (guint64 count, double *low, double *high)
{
  double k = (double) count;

  *low = count > 0 ? find_gamma (k, PEN_POISSON_ALPHA / 2, k + 1) : 0;
  *high = find_gamma (k + 1, 1 - PEN_POISSON_ALPHA / 2, 2 * k + 4);
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
    test.low = odds (pen_beta_quantile (k, n - k + 1, alpha / 2)) * times;
  if (first > 0)
    test.high = odds (pen_beta_quantile (k + 1, n - k, 1 - alpha / 2)) * times;
  test.p = pen_poisson_test (first, first_time, second, second_time);
  return test;
}

PenRateTest
pen_poisson_compare (guint64 first, double first_time, guint64 second, double second_time)
{
  return pen_poisson_compare_at (first, first_time, second, second_time, PEN_POISSON_ALPHA);
}
