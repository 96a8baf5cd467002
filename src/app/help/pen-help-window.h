/* pen-help-window.h: the text of the help, as it comes with the program
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define PEN_TYPE_HELP_WINDOW (pen_help_window_get_type ())
G_DECLARE_FINAL_TYPE (PenHelpWindow, pen_help_window, PEN, HELP_WINDOW, AdwWindow)

/* One for the application.
 *
 * @topic: (nullable): name of the page that it goes to: "callers" */
PenHelpWindow *pen_help_window_show (GtkApplication *application, const char *topic);

G_END_DECLS
