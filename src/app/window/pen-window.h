/* pen-window.h: one window, one session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_WINDOW (pen_window_get_type ())
G_DECLARE_FINAL_TYPE (PenWindow, pen_window, PEN, WINDOW, AdwApplicationWindow)

PenWindow *pen_window_new (GtkApplication *application);

PenSession *pen_window_get_session (PenWindow *self);
/* A file or a folder; what is not on a disk of this machine is refused with a message. */
void pen_window_open (PenWindow *self, GFile *file);
/* Compares the recording that is open, or is being opened, with another one: @file, a capture or a
 * store. Where none is, does nothing. */
void pen_window_compare_with (PenWindow *self, GFile *file);
/* Presents it, as large as the last window was when it was closed, once that is read. */
void pen_window_present_as_left (PenWindow *self);
/* The same of an empty window at the start of the program: it, and windows beside it, open what was
 * open when the program ended, if the preferences say so. */
void pen_window_present_with_last (PenWindow *self);
/* Keeps for that what is open: when the program ends, before windows go. */
void pen_window_keep_all (GtkApplication *application);
/* Chooses a line of the annotated text and opens it into its versions. */
void pen_window_show_line (PenWindow *self, guint64 address);
/* The name of the page of the help (help/C) about what is shown, or has the focus. */
const char *pen_window_get_help_topic (PenWindow *self);

G_END_DECLS
