/* pen-pair-source-lines.h: the lines of source of a function in two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cancel-check.h"
#include "pen-query-pair-text.h"

G_BEGIN_DECLS

/* Fills in @sources of @function, but for rates and tests. @strings: outlives them. Cost: a few
 * steps for each of its lines. */
void pen_pair_list_source_lines (PenPairFunction *function, PenNames *strings,
                                 PenCancelCheck *check);

G_END_DECLS
