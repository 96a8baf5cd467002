/* pen-help.h: the help, where F1 leads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Where the desktop's program for help has the page @topic, a file of help/C without its suffix:
 * "help:pentimento/callers".
 *
 * Returns: (transfer full) (nullable): NULL where there is no such program, as in a Flatpak, or
 * where our pages are not installed in a place that it knows */
char *pen_help_dup_uri (const char *topic);

/* Opens the page in that program, or else in a window of ours (pen-help-window.h).
 *
 * @parent: (nullable): the window that is in front */
void pen_help_show (GtkApplication *application, GtkWindow *parent, const char *topic);

G_END_DECLS
