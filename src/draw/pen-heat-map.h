/* pen-heat-map.h: samples by column of time and by its fraction, drawn
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-clock.h"
#include "pen-plot.h"
#include "pen-query-heat.h"
#include "pen-raster.h"

G_BEGIN_DECLS

/* Columns of at least so many logical pixels. */
#define PEN_HEAT_COLUMN_WIDTH 12

/* Cells that follow each other in time, from @first to @last: row r of column c is number
 * c * n_rows + r. */
typedef struct {
  guint first;
  guint last;
} PenHeatCells;

/* The stretch that whole columns cover: of the plot that they are drawn into. */
PenSpan pen_heat_map_get_span (const PenHeat *heat);

/* Draws cells and patches to all of @raster. @scale: its pixels to a logical one */
void pen_heat_map_draw (const PenHeat *heat, PenRaster *raster, int scale, gboolean dark);
/* Draws the fractions of a column along the gutter. */
void pen_heat_map_draw_words (const PenHeat *heat, const PenPlot *plot, PenPainter *painter,
                              const PenTheme *theme);
/* Veils the cells after the last one that was counted. */
void pen_heat_map_draw_end (const PenHeat *heat, const PenPlot *plot, PenPainter *painter,
                            const PenTheme *theme);
/* The cell at (@x, @y), from the plot's corner in logical pixels. FALSE: there is none, or nothing
 * was counted there. */
gboolean pen_heat_map_find (const PenHeat *heat, const PenPlot *plot, double x, double y,
                            guint *cell);
/* The cell that @time is in; the first or last one for times before or after all. */
guint pen_heat_map_find_time (const PenHeat *heat, guint64 time);
/* The last cell in which something was counted. */
guint pen_heat_map_get_last (const PenHeat *heat);
/* The time that cells cover, as far as it was counted; and the samples in them. */
PenSpan pen_heat_map_get_cells_span (const PenHeat *heat, PenHeatCells cells);
guint64 pen_heat_map_count (const PenHeat *heat, PenHeatCells cells);
/* Frames cells, and veils the others. */
void pen_heat_map_draw_selection (const PenHeat *heat, const PenPlot *plot, PenPainter *painter,
                                  const PenTheme *theme, PenHeatCells cells);
/* A line around cells, on a ground of its own. */
void pen_heat_map_draw_frame (const PenHeat *heat, const PenPlot *plot, PenPainter *painter,
                              const PenTheme *theme, PenHeatCells cells, guint32 color);

/* "6.50–6.51 s", samples and patches by cause, each in a line; or spoken, in one. */
char *pen_heat_map_describe (const PenHeat *heat, const PenClock *clock, PenHeatCells cells);
char *pen_heat_map_speak (const PenHeat *heat, const PenClock *clock, PenHeatCells cells);
/* "1 s a column, 20 ms a row; darkest: 12 samples" */
char *pen_heat_map_describe_scale (const PenHeat *heat);

G_END_DECLS
