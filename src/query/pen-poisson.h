/* pen-poisson.h: how far counts of samples can be trusted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Samples of a timer or counter fall on a piece of code as a Poisson process does, as long as what
 * it runs stays the same. All that is here holds with a confidence of 95 %, unless another is asked
 * for.
 */
#define PEN_POISSON_ALPHA 0.05

/* The exact interval for the mean of which @count was seen (Garwood 1936): from the quantiles of
 * the chi-squared distribution. It holds the mean with at least 95 % at every count. */
void pen_poisson_interval (guint64 count, double *low, double *high);

/*
 * PenRateTest: two counts, each over a time of its own
 * @ratio: of the rates, second by first; infinite where the first count is 0, NAN where both are
 * @low, @high: its interval (Clopper and Pearson, of the second count given the sum); @high may be
 *   infinite
 * @p: how likely so large a difference is, or a larger one, if there is none: the conditional test
 *   of Przyborowski and Wilenski (1940), twice the smaller tail, so that it is below 0.05 exactly
 *   where the interval does not hold 1
 */
typedef struct {
  double ratio;
  double low;
  double high;
  double p;
} PenRateTest;

/* @first_time, @second_time: above 0, in the same unit */
PenRateTest pen_poisson_compare (guint64 first, double first_time, guint64 second,
                                 double second_time);
/* The same with another confidence: the interval holds the ratio with 1 - @alpha. The p-value stays
 * as it is. */
PenRateTest pen_poisson_compare_at (guint64 first, double first_time, guint64 second,
                                    double second_time, double alpha);
/* The p-value alone, at a fraction of the cost. */
double pen_poisson_test (guint64 first, double first_time, guint64 second, double second_time);

G_END_DECLS
