/* pen-stack-chart.h: stacks in time order, drawn
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-clock.h"
#include "pen-plot.h"
#include "pen-query-flame.h"
#include "pen-raster.h"

G_BEGIN_DECLS

/* The most rows and levels of a picture on a page: more are no picture any more. */
#define PEN_CHART_MOST_CPUS 16
#define PEN_CHART_MOST_TASKS 12
#define PEN_CHART_MOST_LEVELS 28

/*
 * pen_stack_chart_load: pen_query_stack_chart() for a picture that is @width pixels wide
 *
 * Columns are no narrower than samples are apart, in the row that has most: a sample stands for the
 * time to the next one.
 */
PenStackChart *pen_stack_chart_load (PenQuery *query, const PenFilter *filter,
                                     PenStackGrouping grouping, PenChartKey key, PenSpan span,
                                     guint width, guint max_rows, guint max_levels, GError **error);

/* The height of a frame, logical pixels. */
int pen_stack_chart_get_row (double em);
/* The height of all rows. */
int pen_stack_chart_get_height (const PenStackChart *chart, double em);

/* Draws the frames to all of @raster, from the @top-th logical pixel of all rows on, where they are
 * in the time of @plot. @scale: pixels of the raster to a logical one; @matches: (nullable): flag
 * of each group: it is searched for */
void pen_stack_chart_draw (const PenStackChart *chart, const PenPlot *plot, int top,
                           const guint8 *matches, PenRaster *raster, int scale, gboolean dark);
/* Draws the names of rows, and of frames that have room for them. @matches: as above */
void pen_stack_chart_draw_words (const PenStackChart *chart, const PenPlot *plot, int top,
                                 const guint8 *matches, PenPainter *painter, const PenTheme *theme);
/* The frame at (@x, @y), from the plot's corner; NULL: there is none. A step for each frame. */
const PenChartBox *pen_stack_chart_find (const PenStackChart *chart, const PenPlot *plot, int top,
                                         double x, double y);
/* The name of a frame. */
char *pen_stack_chart_dup_name (const PenStackChart *chart, const PenChartBox *box);
/* Its time: [@from, @to). */
void pen_stack_chart_get_time (const PenStackChart *chart, const PenChartBox *box, guint64 *from,
                               guint64 *to);
/* A frame, for a tooltip: name, occupant, row, time. */
char *pen_stack_chart_describe (const PenStackChart *chart, const PenClock *clock,
                                const PenChartBox *box);
/* The innermost frame of each row at @time, for those who listen, in the first rows: "CPU 0:
 * vfs_read". "" outside of the chart. */
char *pen_stack_chart_speak (const PenStackChart *chart, guint64 time);

G_END_DECLS
