/* pen-timeline.h: the overview of a capture: samples, patches, programs and losses over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-session.h"

G_BEGIN_DECLS

/*
 * PenTimeline: wheel zooms at the pointer, Shift+wheel, sideways scrolling and the middle button
 * pan, dragging selects time, a click sets the playhead (on a note's flag, to its time), a double
 * click zooms to the selection or, as on the ruler, back to all. A click on a lane's name folds it.
 * Actions, each with a key: timeline.zoom-in, .zoom-out, .zoom-fit, .zoom-selection, .pan-left,
 * .pan-right, .pan-begin, .pan-end, .previous-change, .next-change, .select-visible,
 * .clear-selection, .add-note, .previous-note, .next-note, .rows-up, .rows-down, .fold,
 * .toggle-cpus, .toggle-processes; and timeline.fold-lane(s): the word of a lane
 */
#define PEN_TYPE_TIMELINE (pen_timeline_get_type ())
G_DECLARE_FINAL_TYPE (PenTimeline, pen_timeline, PEN, TIMELINE, GtkWidget)

void pen_timeline_set_session (PenTimeline *self, PenSession *session);
/* What the button beside the ruler offers. */
void pen_timeline_set_times_menu (PenTimeline *self, GMenuModel *menu);

/* The time under @x of the widget, for tests and for what is drawn beside it. */
guint64 pen_timeline_get_time_at (PenTimeline *self, double x);

G_END_DECLS
