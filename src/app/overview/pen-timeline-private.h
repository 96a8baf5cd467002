/* pen-timeline-private.h: what the halves of PenTimeline share: drawing and input
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-lane-words.h"
#include "pen-note-flags.h"
#include "pen-plot-input.h"
#include "pen-snapshot-painter.h"
#include "pen-timeline.h"

G_BEGIN_DECLS

struct _PenTimeline {
  GtkWidget parent_instance;

  PenSession *session;
  GSignalGroup *signals;

  GtkMenuButton *times; /* beside the ruler: what its numbers are */
  PenSnapshotPainter *painter;
  PenLanes lanes;
  double em; /* that they were laid out for */
  guint first_row;
  GskRenderNode *picture; /* the lanes, until something in them changes */

  PenPlotInput input;
  gboolean brushing;
  double brush_x0;
  double brush_x1;
  PenSpan pinched; /* what was visible when a pinch began */
};

/* Where things are now. */
PenPlot pen_timeline_get_plot (PenTimeline *self);
/* NULL: nothing is open. */
const PenOutline *pen_timeline_get_outline (PenTimeline *self);
/* The lanes have to be drawn anew. */
void pen_timeline_invalidate (PenTimeline *self);
void pen_timeline_describe (PenTimeline *self);

/* What the tooltip at a point says, or NULL. */
char *pen_timeline_describe_point (PenTimeline *self, double x, double y);

/* Gestures, keys and actions. */
void pen_timeline_install_actions (GtkWidgetClass *widget_class);
extern const PenPlotInputFuncs pen_timeline_input_funcs;

/* Everything over the picture: labels, ruler, selection, hover, playhead. */
void pen_timeline_draw_over (PenTimeline *self, GtkSnapshot *snapshot);

G_END_DECLS
