/* pen-timeline-private.h: what is drawn of PenTimeline, and what over it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-lane-words.h"
#include "pen-plot-view.h"
#include "pen-timeline.h"

G_BEGIN_DECLS

struct _PenTimeline {
  PenPlotView parent_instance;

  GtkMenuButton *times; /* beside the ruler: what its numbers are */
  GtkWidget *folder;    /* beside that: a button that folds all of it */
  gboolean is_folded;
  PenLanes lanes;
  guint first_row;
  double pressed_x;
  double pressed_y;
};

/* Draws the selection over the picture. Words come over it: what is not selected is paler, and can
 * be read. */
void pen_timeline_draw_selection (PenTimeline *self, const PenPlot *plot, PenPainter *painter,
                                  const PenTheme *theme);
/* Draws the place pointed at over all, and the words of a selection while it is made. */
void pen_timeline_draw_over (PenPlotView *view, const PenPlot *plot, PenPainter *painter,
                             const PenTheme *theme);

G_END_DECLS
