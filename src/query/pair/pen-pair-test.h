/* pen-pair-test.h: counts of two recordings, compared
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-pair.h"

G_BEGIN_DECLS

/* What samples of each side are divided by for a rate that can be compared; NAN where none can. */
void pen_pairs_get_times (const PenPairs *self, double times[2]);
/* The same for shares. */
void pen_pairs_get_totals (const PenPairs *self, double totals[2]);

/* Those of the two that rows are ordered by. */
void pen_pairs_get_test_times (const PenPairs *self, double times[2]);

/* @times: of A and of B; nothing is said where one is not above 0 */
PenPairTest pen_pair_test (guint64 a, guint64 b, const double times[2], double alpha);
/* @rates: of A and of B, with their samples; the rest is filled in */
void pen_pairs_find_rates (const PenPairs *self, PenRate *rates);

G_END_DECLS
