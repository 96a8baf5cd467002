/* pen-cause-cost.h: samples in the detours of causes, and of the leaves of their tree
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cause-leaves.h"
#include "pen-detour-counts.h"

G_BEGIN_DECLS

/*
 * PenCauseCosts:
 * @counts: NULL: no callchains were recorded, or no patches that lead to detours: nothing is known
 * @of_leaves: (element-type PenDetourCount): of leaves with samples: element PenCauseLeaf.cost - 1
 */
typedef struct {
  PenPopulation population;
  PenDetourCounts *counts;
  GArray *of_leaves;
} PenCauseCosts;

/* Fills PenCauseLeaf.cost, too. Cost: that of pen_query_cost(), where it is known. */
PenCauseCosts *pen_cause_costs_new (PenCauseLeaves *leaves, const PenFilter *filter,
                                    GError **error);
void pen_cause_costs_free (PenCauseCosts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenCauseCosts, pen_cause_costs_free)

/* Does a row of the cause have a cost? */
gboolean pen_cause_costs_has (const PenCauseCosts *self, PenCause cause);
/* Adds samples of the leaf. */
void pen_cause_costs_add (const PenCauseCosts *self, const PenCauseLeaf *leaf, PenDetourCount *sum);
/*
 * pen_cause_costs_finish:
 * @row: its time on is there already
 * @sum: samples of its leaves
 *
 * Returns: its cost
 */
PenCauseCost pen_cause_costs_finish (const PenCauseCosts *self, const PenCauseRow *row,
                                     const PenDetourCount *sum);

G_END_DECLS
