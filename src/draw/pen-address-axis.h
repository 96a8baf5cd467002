/* pen-address-axis.h: kernel addresses on a line: those that were used, gaps between them
 * compressed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-map.h"

G_BEGIN_DECLS

/* @from, @to: where it lies on the axis */
typedef struct {
  guint64 start;
  guint64 end;
  double from;
  double to;
  PenKind kind;
  const char *occupant;
} PenAxisRange;

/*
 * PenAddressAxis: positions run from 0 to 1. Inside of a range they are in proportion to addresses;
 * a range of a hundred times the length of another is not a hundred times as long, so that
 * programs of some hundred bytes are still to be seen beside the kernel. Not changed once made;
 * shared between threads by reference.
 * @ranges: (element-type PenAxisRange): by start
 */
typedef struct {
  PenQuery *query;
  GArray *ranges;
} PenAddressAxis;

/* A stretch of the axis that is looked at. */
typedef struct {
  double from;
  double to;
} PenAxisView;

/* Cost: as pen_query_list_used_ranges(). */
PenAddressAxis *pen_address_axis_load (PenQuery *query, GError **error);
/* @ranges: (element-type PenUsedRange): by start, without overlap. @query: may be NULL */
PenAddressAxis *pen_address_axis_new (PenQuery *query, const GArray *ranges);
PenAddressAxis *pen_address_axis_ref (PenAddressAxis *self);
void pen_address_axis_unref (PenAddressAxis *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenAddressAxis, pen_address_axis_unref)

gboolean pen_address_axis_is_empty (const PenAddressAxis *self);
/* Rises with the address; in a gap, in proportion. O(log ranges) */
double pen_address_axis_get_position (const PenAddressAxis *self, guint64 address);
guint64 pen_address_axis_get_address (const PenAddressAxis *self, double position);
/* The first range that ends after @position; the number of ranges: none. */
guint pen_address_axis_find_range (const PenAddressAxis *self, double position);

/* The addresses where @n_rows equal parts of @view begin, and the end of the last; rising.
 * Returns: (transfer full): n_rows + 1 */
guint64 *pen_address_axis_make_edges (const PenAddressAxis *self, PenAxisView view, guint n_rows);

/* @factor: of its length: below 1 zooms in; not further than to some dozens of bytes. @anchor: a
 * position that stays where it is. */
PenAxisView pen_address_axis_zoom (const PenAddressAxis *self, PenAxisView view, double anchor,
                                   double factor);
/* By @fraction of its length, downwards where positive. */
PenAxisView pen_axis_view_pan (PenAxisView view, double fraction);

G_END_DECLS
