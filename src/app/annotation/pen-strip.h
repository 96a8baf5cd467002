/* pen-strip.h: an annotation row over time: who stood there, and when samples landed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-session.h"
#include "pen-slot.h"

G_BEGIN_DECLS

/* Shows the session's visible time, with its playhead, second marker, selected and pointed-at time.
 * A click goes to the version and the time there, Shift+click sets the second marker, a drag
 * selects a stretch of time. */
#define PEN_TYPE_STRIP (pen_strip_get_type ())
G_DECLARE_FINAL_TYPE (PenStrip, pen_strip, PEN, STRIP, GtkWidget)

GtkWidget *pen_strip_new (void);
/* The session that the strips of @table show. */
void pen_strip_set_session (GtkColumnView *table, PenSession *session);
void pen_strip_set_slot (PenStrip *self, PenSlot *slot);
/* @x: of the widget. FALSE: there is no time */
gboolean pen_strip_find_time (PenStrip *self, double x, guint64 *time);
/* The version at @x. Returns: (transfer none) (nullable): NULL: none stood there. @time: (out): in
 * it, if there is one */
const PenAnnotationLine *pen_strip_find_version (PenStrip *self, double x, guint64 *time);

G_END_DECLS
