/* pen-timeline.h: the overview of a capture: samples, patches, programs and losses over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-plot-view.h"

G_BEGIN_DECLS

/*
 * PenTimeline: a double click zooms to the selection or, as on the ruler, back to all. A click on a
 * lane's name folds it; in the gutter the wheel scrolls rows.
 * Actions, each with a key: those of PenPlotView as timeline.zoom-in …, .select-visible, .rows-up,
 * .rows-down, .fold, .toggle-cpus, .toggle-processes; and timeline.fold-lane(s): the word of a lane
 */
#define PEN_TYPE_TIMELINE (pen_timeline_get_type ())
G_DECLARE_FINAL_TYPE (PenTimeline, pen_timeline, PEN, TIMELINE, PenPlotView)

/* All of it, to 72 pixels: samples and a row of patches. Its button needs the action
 * win.fold-overview. */
void pen_timeline_set_folded (PenTimeline *self, gboolean folded);
gboolean pen_timeline_get_folded (PenTimeline *self);

/* The menu of the button beside the ruler. */
void pen_timeline_set_times_menu (PenTimeline *self, GMenuModel *menu);

G_END_DECLS
