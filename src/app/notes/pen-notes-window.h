/* pen-notes-window.h: the notes about a capture: go there, change, remove
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_NOTES_WINDOW (pen_notes_window_get_type ())
G_DECLARE_FINAL_TYPE (PenNotesWindow, pen_notes_window, PEN, NOTES_WINDOW, AdwWindow)

PenNotesWindow *pen_notes_window_new (GtkWindow *parent, PenSession *session);

/* Asks for the text of @note: of a new one, where its id is 0, and writes it; or takes it away, as
 * pen_notes_window_remove() does. (transfer none) */
AdwMessageDialog *pen_notes_edit (GtkWindow *parent, AdwToastOverlay *toasts, PenSession *session,
                                  const PenNote *note);
/* Removes the note, or shows in a dialog why it cannot. A toast brings it back. */
void pen_notes_window_remove (GtkWindow *parent, AdwToastOverlay *toasts, PenSession *session,
                              gint64 id);

G_END_DECLS
