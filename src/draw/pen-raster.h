/* pen-raster.h: time drawn into pixels, without a toolkit
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <cairo.h>
#include <glib.h>

#include "pen-span.h"

G_BEGIN_DECLS

/*
 * PenRaster: opaque pixels, 0xffRRGGBB in the machine's byte order (cairo's RGB24); or, for
 * pictures that have no pixels, the same rectangles handed on to cairo.
 * The cost of each function is that of the pixels that it writes plus one step per item given,
 * however long the capture is.
 * @pixels: NULL where @cr is set
 */
typedef struct {
  guint32 *pixels;
  cairo_t *cr;
  int width;
  int height;
} PenRaster;

typedef struct {
  int x;
  int y;
  int width;
  int height;
} PenBox;

/* Its pixels are undefined until they are filled. */
PenRaster *pen_raster_new (int width, int height);
/* @cr: whose unit is a pixel of the raster; it has to outlive the raster. */
PenRaster *pen_raster_new_vector (cairo_t *cr, int width, int height);
void pen_raster_free (PenRaster *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRaster, pen_raster_free)

/* Everything is cut to the raster's edges. */
void pen_raster_fill (PenRaster *self, PenBox box, guint32 color);
/* Diagonal stripes of @color, @period pixels apart; what is between stays as it is. */
void pen_raster_hatch (PenRaster *self, PenBox box, guint32 color, int period);

/* @color over what is there; @opacity: 0–256. Pixels only. */
void pen_raster_tint (PenRaster *self, PenBox box, guint32 color, guint opacity);

/* @color over @ground with @opacity 0–1. */
guint32 pen_raster_blend (guint32 color, guint32 ground, double opacity);

/*
 * pen_raster_stack:
 * @box: where; its left edge is @view.from, its right edge @view.to
 * @counts: n_bins × n_series, bin after bin: equal steps of @span
 * @order: n_series indexes, from the bottom of the stack
 * @max: the count that fills the height
 *
 * Stacked columns. A series that is not empty gets at least one pixel.
 */
void pen_raster_stack (PenRaster *self, PenBox box, PenSpan view, PenSpan span,
                       const guint64 *counts, guint n_bins, guint n_series, const guint8 *order,
                       guint64 max, const guint32 *colors);

/* Which of @n_bins equal steps of @span is drawn @x pixels from the left of @box; -1: none. */
int pen_raster_find_bin (PenBox box, PenSpan view, PenSpan span, guint n_bins, int x);

/* An upright line @width pixels wide at @time, if it is in view. */
void pen_raster_tick (PenRaster *self, PenBox box, PenSpan view, guint64 time, int width,
                      guint32 color);

/* The pixels of [@from, @to) in @box: at least one wide. FALSE: not in view. */
gboolean pen_raster_interval (PenBox box, PenSpan view, guint64 from, guint64 to, PenBox *part);

G_END_DECLS
