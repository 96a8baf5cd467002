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

G_END_DECLS
