/* pen-stack-chart.h: stacks in time order, drawn
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-plot.h"
#include "pen-query-flame.h"
#include "pen-raster.h"

G_BEGIN_DECLS

/* Where a line of text is PEN_EM high. */
#define PEN_CHART_GUTTER 116

/* The height of a frame, logical pixels. */
int pen_stack_chart_get_row (double em);
/* The height of all rows. */
int pen_stack_chart_get_height (const PenStackChart *chart, double em);

/* Draws the frames to all of @raster. @scale: its pixels to a logical one */
void pen_stack_chart_draw (const PenStackChart *chart, PenRaster *raster, int scale, double em,
                           gboolean dark);
/* Draws the names of rows, and of frames that have room for them. */
void pen_stack_chart_draw_words (const PenStackChart *chart, const PenPlot *plot,
                                 PenPainter *painter, const PenTheme *theme);

G_END_DECLS
