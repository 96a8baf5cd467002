/* pen-cause-order.h: the tree of causes, sorted and searched
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-names.h"
#include "pen-query-causes.h"

G_BEGIN_DECLS

struct _PenCauseRows {
  GArray *rows; /* (element-type PenCauseRow) */
  guint n_causes;
  gboolean has_programs;
  guint programs;    /* index of the row for all of them */
  PenNames *strings; /* those of the rows */
};

PenCauseRows *pen_cause_rows_new (void);
void pen_cause_rows_unref (PenCauseRows *self);

/* Sorts the rows below each row of those found, and leaves those that are searched for. */
void pen_cause_tree_put_in_order (PenCauseTree *tree, const PenCauseOrder *order);

G_END_DECLS
