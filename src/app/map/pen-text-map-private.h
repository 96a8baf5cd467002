/* pen-text-map-private.h: what is drawn of PenTextMap, and what over it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-map.h"
#include "pen-plot-view.h"
#include "pen-text-map.h"

G_BEGIN_DECLS

struct _PenTextMap {
  PenPlotView parent_instance;
};

/* There has to be an axis. */
PenMap pen_text_map_get_map (PenTextMap *self, const PenPlot *plot);

/* Only notes about an address: flags are there besides. NULL: none */
const PenNoteRow *pen_text_map_find_note (PenPlotView *view, const PenPlot *plot, double x,
                                          double y);
/* Notes, and what is selected and pointed at, over the picture. */
void pen_text_map_draw_over (PenPlotView *view, const PenPlot *plot, PenPainter *painter,
                             const PenTheme *theme);

G_END_DECLS
