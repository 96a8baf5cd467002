/* pen-heat-map.h: samples by column of time and by its fraction, drawn
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-plot.h"
#include "pen-query-heat.h"
#include "pen-raster.h"

G_BEGIN_DECLS

/* Where a line of text is PEN_EM high. */
#define PEN_HEAT_GUTTER 76

/* The stretch that whole columns cover: of the plot that they are drawn into. */
PenSpan pen_heat_map_get_span (const PenHeat *heat);

/* Draws cells and patches to all of @raster. @scale: its pixels to a logical one */
void pen_heat_map_draw (const PenHeat *heat, PenRaster *raster, int scale, gboolean dark);
/* Draws the fractions of a column along the gutter. */
void pen_heat_map_draw_words (const PenHeat *heat, const PenPlot *plot, PenPainter *painter,
                              const PenTheme *theme);
/* The cell at (@x, @y), from the plot's corner in logical pixels. FALSE: there is none. */
gboolean pen_heat_map_find (const PenHeat *heat, const PenPlot *plot, double x, double y,
                            guint *column, guint *row);
/* Frames the stretch [@from, @to), which may begin and end within columns. */
void pen_heat_map_draw_selection (const PenHeat *heat, const PenPlot *plot, PenPainter *painter,
                                  const PenTheme *theme, guint64 from, guint64 to);

G_END_DECLS
