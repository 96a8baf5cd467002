/* pen-cause-programs.h: BPF programs and their loads, below the causes of patches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-causes.h"

G_BEGIN_DECLS

/* Appends a row for all programs, one for each name, and one for each load, to @rows (element-type
 * PenCauseRow), with their lanes and costs in @tree. Nothing, where callchains are not recorded or
 * no sample is in a program. Cost: that of pen_query_cost(). */
gboolean pen_cause_programs_append (PenQuery *query, const PenFilter *filter, PenCauseTree *tree,
                                    GError **error);

G_END_DECLS
