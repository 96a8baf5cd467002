/* monkey-eyes.h: what there is to aim at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  int x; /* on the screen */
  int y;
  char name[64]; /* of the widget's class */
} MonkeyAim;

/* The window that is in front; NULL: there is none. */
GtkWindow *monkey_eyes_get_window (void);
/* The windows that are on the screen. (transfer container) (element-type GtkWindow) */
GList *monkey_eyes_list_windows (void);
/* A widget of @window, a kind of widget and then one of that kind by @choice, and the place in it
 * that is @x and @y of its width and height, from 0 to 1. A menu that is open is aimed at as often
 * as all that is below it. */
gboolean monkey_eyes_aim (GtkWindow *window, guint32 choice, double x, double y, MonkeyAim *aim);
/* The same of a widget that something can be dragged out of to another program. */
gboolean monkey_eyes_aim_source (GtkWindow *window, guint32 choice, double x, double y,
                                 MonkeyAim *aim);
/* A place anywhere in @window. */
gboolean monkey_eyes_aim_anywhere (GtkWindow *window, double x, double y, MonkeyAim *aim);
/* One of the shortcuts of the application and of all that is in @window, as xdotool takes it.
 * Returns: (transfer full) (nullable) */
char *monkey_eyes_dup_shortcut (GtkWindow *window, guint32 choice);

G_END_DECLS
