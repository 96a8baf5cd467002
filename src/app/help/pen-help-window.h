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

/*
 * pen_help_window_find_manual:
 * @languages: as g_get_language_names() has them, the preferred one first
 *
 * Returns: (transfer full): the text in the first of them that there is; else in English
 */
GBytes *pen_help_window_find_manual (const char *const *languages);

G_END_DECLS
