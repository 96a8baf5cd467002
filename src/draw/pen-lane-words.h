/* pen-lane-words.h: the words beside and on the lanes of the overview
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-lanes.h"
#include "pen-plot.h"
#include "pen-query-overview.h"

G_BEGIN_DECLS

/* Draws the names of lanes and rows. @overview: may be NULL */
void pen_lane_words_draw_gutter (const PenLanes *lanes, const PenPlot *plot, PenPainter *painter,
                                 const PenTheme *theme, const PenOverview *overview);
/* Names on bars that are wide enough, and how many patches a mark is of where there is room. */
void pen_lane_words_draw_names (const PenLanes *lanes, const PenPlot *plot, PenPainter *painter,
                                const PenTheme *theme, const PenOverview *overview);

/* The words for a point of the plot (from its left top), for a person; NULL: nothing.
 * @overview: may be NULL */
char *pen_lane_words_describe (const PenLanes *lanes, const PenPlot *plot,
                               const PenOverview *overview, const PenClock *clock, int x, int y);
/* The name of a tenure as it is drawn: a module is recorded by its path. */
char *pen_lane_words_dup_name (const PenTenure *tenure);

G_END_DECLS
