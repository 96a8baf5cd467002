/* pen-chart-picture.h: stacks in time order, a row for each CPU or task
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-plot-view.h"

G_BEGIN_DECLS

/*
 * PenChartPicture: a PenPlotView. A click sets the playhead and makes the frame's function the
 * subject of callers and callees; frames have a menu; up and down and the gutter's wheel scroll.
 */
#define PEN_TYPE_CHART_PICTURE (pen_chart_picture_get_type ())
G_DECLARE_FINAL_TYPE (PenChartPicture, pen_chart_picture, PEN, CHART_PICTURE, PenPlotView)

/* How far down one looks. */
GtkAdjustment *pen_chart_picture_get_adjustment (PenChartPicture *self);

/* Emphasizes frames with @text in their names; "": none. */
void pen_chart_picture_search (PenChartPicture *self, const char *text);

G_END_DECLS
