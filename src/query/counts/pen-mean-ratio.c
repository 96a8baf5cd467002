/* pen-mean-ratio.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-mean-ratio.h"

#include <math.h>

#include "pen-poisson-private.h"

/* Of like size: with fewer, the differences between them say too little. */
#define PARTS_MIN 5

/* @variance: of the mean, relative to its square
 * @parts: as many of like size would be as good */
typedef struct {
  double mean;
  double variance;
  double parts;
} Mean;

static Mean
find_mean (const PenMeanPart *parts, guint n_parts)
{
  double sum = 0, n = 0, squares = 0, rest = 0;
  Mean mean = { NAN, NAN, 0 };

  for (guint i = 0; i < n_parts; i++) {
    sum += parts[i].sum;
    n += parts[i].n;
    squares += parts[i].n * parts[i].n;
  }
  if (n <= 0 || sum <= 0)
    return mean;
  mean.mean = sum / n;
  mean.parts = n * n / squares;
  for (guint i = 0; i < n_parts; i++) {
    double distance = parts[i].sum - mean.mean * parts[i].n;

    rest += distance * distance;
  }
  if (mean.parts > 1)
    mean.variance = rest / (sum * sum) * mean.parts / (mean.parts - 1);
  return mean;
}

/* Two-sided. */
static double
find_student (double freedom, double alpha)
{
  double x = pen_beta_quantile (freedom / 2, 0.5, alpha);

  return sqrt (freedom * (1 - x) / x);
}

PenRateTest
pen_mean_ratio_compare (const PenMeanPart *first, guint n_first, const PenMeanPart *second,
                        guint n_second, double alpha)
{
  Mean from = find_mean (first, n_first), to = find_mean (second, n_second);
  double parts = MIN (from.parts, to.parts);
  PenRateTest test = { to.mean / from.mean, NAN, NAN, NAN };
  double width;

  if (isnan (test.ratio) || parts < PARTS_MIN)
    return test;
  width = find_student (parts - 1, alpha) * sqrt (from.variance + to.variance);
  test.low = test.ratio * exp (-width);
  test.high = test.ratio * exp (width);
  return test;
}
