/* pen-release.h: lets go of what is pressed, where it would keep a window that was closed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * A gesture of GTK 4.8 keeps the widget that was pressed until the button is released, and forever
 * if that widget went out of sight meanwhile: closed by key, say. A modal dialog is kept by a press
 * in its parent as well. What such a widget has with it, as a recording, would stay open.
 */

/* All gestures of @widget, and of all below it, begin anew. */
void pen_release_below (GtkWidget *widget);
/* The same for each window that opens from now on, when it is closed. */
void pen_release_closed_windows (void);

G_END_DECLS
