/* pen-import-timeline.h: the overview of a capture while it is imported
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-session.h"

G_BEGIN_DECLS

/*
 * PenImportTimeline: draws what the import has seen so far, as the timeline draws what it has found
 * in the end, and where that will be. It is to be looked at and pointed at only.
 */
#define PEN_TYPE_IMPORT_TIMELINE (pen_import_timeline_get_type ())
G_DECLARE_FINAL_TYPE (PenImportTimeline, pen_import_timeline, PEN, IMPORT_TIMELINE, GtkWidget)

/* @session: for what is folded, and for how many steps an overview should have */
void pen_import_timeline_set_session (PenImportTimeline *self, PenSession *session);
/* @sketch: NULL: nothing. @part: of the file that was read, 0–1; negative: not known */
void pen_import_timeline_show (PenImportTimeline *self, PenSketch *sketch, double part);

G_END_DECLS
