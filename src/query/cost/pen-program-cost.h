/* pen-program-cost.h: samples through each BPF program, load by load
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-matcher.h"
#include "pen-query-cost.h"
#include "pen-stack-index.h"

G_BEGIN_DECLS

PenCostTable *pen_cost_table_new (void);

/* @from, @to: of samples, both included. A load is a program by its id, with its subprograms; where
 * no id is known, a tenure. */
PenCostTable *pen_program_cost_count (PenStackIndex *index, const PenMatcher *matcher, guint64 from,
                                      guint64 to, GError **error);

/* Its weight, share and rate, and the interval. */
void pen_cost_row_weigh (PenCostRow *row, const PenCostTable *table, PenQuery *query);

G_END_DECLS
