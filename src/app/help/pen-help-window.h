/* pen-help-window.h: the manual, as it comes with the program
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define PEN_TYPE_HELP_WINDOW (pen_help_window_get_type ())
G_DECLARE_FINAL_TYPE (PenHelpWindow, pen_help_window, PEN, HELP_WINDOW, AdwWindow)

/* One for the application. */
PenHelpWindow *pen_help_window_show (GtkApplication *application);

/* For tests. */
GtkTextBuffer *pen_help_window_get_buffer (PenHelpWindow *self);
/* Selects the next place, from the start again after the last. FALSE: there is none */
gboolean pen_help_window_find (PenHelpWindow *self, const char *text);

G_END_DECLS
