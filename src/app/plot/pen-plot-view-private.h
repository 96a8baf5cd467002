/* pen-plot-view-private.h: what the files of PenPlotView share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-plot-view.h"

G_BEGIN_DECLS

/* Something is open, and there is an axis where one is needed. */
gboolean pen_plot_view_is_ready (PenPlotView *self);

void pen_plot_view_zoom_time (PenPlotView *self, guint64 anchor, double factor);
/* Zooms @view; does nothing where there are no addresses. */
void pen_plot_view_zoom_addresses (PenPlotView *self, const PenPlot *plot, PenAxisView view,
                                   double y, double factor);
/* By shares of what is visible. */
void pen_plot_view_pan (PenPlotView *self, double time, double addresses);
/* How far down in the plot @y is, 0–1. */
double pen_plot_view_get_share (const PenPlot *plot, double y);

/* The note at a point, or NULL. */
const PenNoteRow *pen_plot_view_find_note (PenPlotView *self, const PenPlot *plot, double x,
                                           double y);

/* Pointer, wheel, buttons and fingers. */
void pen_plot_view_add_controllers (PenPlotView *self);
/* Two fingers, @scale times as far from each other as when they began. */
void pen_plot_view_begin_pinch (PenPlotView *self);
void pen_plot_view_pinch (PenPlotView *self, double x, double y, double scale);

G_END_DECLS
