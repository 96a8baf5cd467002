/* pen-span-merger.h: makes one span of several
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-span-output.h"

G_BEGIN_DECLS

/*
 * pen_span_merge:
 * @children: the spans of one level that follow one another, @n of them
 *
 * Reads their pieces again, one at a time of each.
 *
 * Returns: (transfer full): the span of the next level
 */
PenWrittenSpan *pen_span_merge (PenSpanOutput *output, PenStoreWriter *writer,
                                PenWrittenSpan *const *children, guint n, GError **error);

G_END_DECLS
