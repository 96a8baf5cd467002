/* pen-amount.h: how much was counted: samples, or waits with their time off CPU
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

/*
 * PenAmount:
 * @n: samples, or waits
 * @period: of samples, the sum of their periods; of waits, ns off CPU of those with a known end
 */
typedef struct {
  PenPopulation population;
  guint64 n;
  guint64 period;
} PenAmount;

/* As @query counts. */
static inline PenAmount
pen_amount (PenQuery *query, guint64 n, guint64 period)
{
  return (PenAmount){ pen_store_get_population (pen_query_get_store (query)), n, period };
}

/* What order, shares and bars are of: samples, or ns off CPU. */
static inline guint64
pen_amount_get (PenAmount amount)
{
  return amount.population == PEN_POPULATION_WAITS ? amount.period : amount.n;
}

/* Of waits, as pen_query_count() has it of samples; of samples, the periods are left at 0. Cost: of
 * waits, as pen_query_functions(). */
gboolean pen_query_count_amounts (PenQuery *self, const PenFilter *filter, PenAmount *matching,
                                  PenAmount *total, GError **error);

G_END_DECLS
