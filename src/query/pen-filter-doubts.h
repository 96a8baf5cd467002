/* pen-filter-doubts.h: values of a filter that nothing in the capture has
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-filter.h"
#include "pen-query.h"

G_BEGIN_DECLS

/*
 * pen_filter_list_doubts:
 *
 * Names and tasks that the filter asks for or leaves out, and that the capture does not know: slips
 * of the finger, mostly, which would be answered by an empty table. A sentence for each, with what
 * is near: "no comm is “bsh”; similar: bash, sh".
 *
 * Cost: nothing for a filter without such values; else threads and functions, once; tenures, where
 * an occupant has neither samples nor changes.
 *
 * Returns: (transfer full) (element-type utf8); NULL on error
 */
GPtrArray *pen_filter_list_doubts (const PenFilter *filter, PenQuery *query, GError **error);

G_END_DECLS
