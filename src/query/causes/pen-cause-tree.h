/* pen-cause-tree.h: the tree of causes, with programs or without
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-causes.h"

G_BEGIN_DECLS

/* As pen_query_causes(). @has_programs: else there is no row for BPF programs, and nothing is asked
 * about them */
PenCauseTree *pen_cause_tree_new (PenQuery *query, const PenFilter *filter,
                                  const PenCauseOrder *order, gboolean has_programs,
                                  GError **error);

G_END_DECLS
