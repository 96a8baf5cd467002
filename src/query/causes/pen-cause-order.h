/* pen-cause-order.h: the tree of causes, sorted and searched
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-causes.h"

G_BEGIN_DECLS

/* Sorts the rows below each row, and leaves those that are searched for. */
void pen_cause_tree_put_in_order (PenCauseTree *tree, const PenCauseOrder *order);

G_END_DECLS
