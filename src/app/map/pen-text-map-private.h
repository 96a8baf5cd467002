/* pen-text-map-private.h: what the parts of PenTextMap share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-map.h"
#include "pen-note-flags.h"
#include "pen-plot-input.h"
#include "pen-snapshot-painter.h"
#include "pen-text-map.h"

G_BEGIN_DECLS

struct _PenTextMap {
  GtkWidget parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  PenSnapshotPainter *painter;
  double em;
  GskRenderNode *picture; /* until something in it changes */

  PenPlotInput input;
  gboolean brushing;
  double brush_x0;
  double brush_y0;
  double brush_x1;
  double brush_y1;
  PenSpan pinched_span;
  PenAxisView pinched_view;
};

/* FALSE: there is nothing to draw yet. */
gboolean pen_text_map_get_map (PenTextMap *self, PenMap *map, PenPlot *plot);
/* A note about an address, or about a time, whose flag is there; NULL: none. */
const PenNoteRow *pen_text_map_find_note (PenTextMap *self, const PenMap *map, const PenPlot *plot,
                                          double x, double y);
/* What the tooltip at a point says, or NULL. */
char *pen_text_map_describe_point (PenTextMap *self, double x, double y);

void pen_text_map_draw_over (PenTextMap *self, GtkSnapshot *snapshot, const PenMap *map,
                             const PenPlot *plot);

void pen_text_map_install_actions (GtkWidgetClass *widget_class);
extern const PenPlotInputFuncs pen_text_map_input_funcs;

G_END_DECLS
