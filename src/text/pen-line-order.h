/* pen-line-order.h: annotation lines by address and tenure, to find those that stood at a time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"

G_BEGIN_DECLS

typedef struct _PenLineOrder PenLineOrder;

/* Places [first, end) in an order: lines of one address and tenure, or of one revision of these,
 * by the times when they began. */
typedef struct {
  guint first;
  guint end;
} PenLineRange;

/*
 * pen_line_order_new:
 * @lines: (element-type PenAnnotationLine): stays the caller's, and as it is
 * @by_revision: lines of a tenure are apart by their revisions
 * @check: (nullable)
 *
 * Cost: n log n of the lines.
 *
 * Returns: (nullable): NULL once @check was stopped
 */
PenLineOrder *pen_line_order_new (const GPtrArray *lines, gboolean by_revision,
                                  PenCancelCheck *check);
void pen_line_order_free (PenLineOrder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenLineOrder, pen_line_order_free)

/* The places of the lines of @address: the same ones in both orders of the same lines. O(log n) */
PenLineRange pen_line_order_find_address (const PenLineOrder *self, guint64 address);
/* The same of addresses that come in order, or nearly so: O(1) for the address of @before, which
 * is what the last one gave, or for the next one that has lines. */
PenLineRange pen_line_order_find_next_address (const PenLineOrder *self, PenLineRange before,
                                               guint64 address);
/* Of the lines of one address, those of @tenure. @revision: counts if the order is by revision.
 * O(log n) of these lines */
PenLineRange pen_line_order_find (const PenLineOrder *self, PenLineRange of_address, guint32 tenure,
                                  guint32 revision);

/* The line at a place: its index in the lines. */
guint pen_line_order_get (const PenLineOrder *self, guint place);

/* The places of the first and of the last line of @range that stood at @time, ends included, or
 * G_MAXUINT. O(log n); the last, where more than one may stand at a time, their number. */
guint pen_line_order_find_first_at (const PenLineOrder *self, PenLineRange range, guint64 time);
guint pen_line_order_find_last_at (const PenLineOrder *self, PenLineRange range, guint64 time);

G_END_DECLS
