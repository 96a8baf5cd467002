/* pen-mean-ratio.h: the ratio of two means of weights, of which sums are known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poisson.h"

G_BEGIN_DECLS

/* A stretch of time: @n weights, and their @sum. */
typedef struct {
  double sum;
  double n;
} PenMeanPart;

/*
 * pen_mean_ratio_compare:
 * @alpha: the interval holds the ratio with 1 - @alpha
 *
 * Weights of one stretch may depend on each other, as periods do that a kernel adapts: the interval
 * rests on how much the stretches differ (the linearised ratio estimator, Cochran 1977, 6.4), in
 * logarithms, by Student's quantile. It needs some stretches of like size on both sides.
 *
 * Returns: second by first; @low and @high are NAN where the stretches are too few, @p always
 */
PenRateTest pen_mean_ratio_compare (const PenMeanPart *first, guint n_first,
                                    const PenMeanPart *second, guint n_second, double alpha);

G_END_DECLS
