/* pen-screenshot.h: a picture of a window, once everything is shown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-window.h"

G_BEGIN_DECLS

/* Waits for the import and for the answers, chooses the hottest patched function and its most
 * sampled patched line, opens that, and writes the window as a PNG. The source object is the
 * window. */
void pen_screenshot_async (PenWindow *window, const char *path, GAsyncReadyCallback callback,
                           gpointer user_data);
gboolean pen_screenshot_finish (GAsyncResult *result, GError **error);

/* Writes @widget, a window of whatever sort, as it is. @mode: of which the umask takes away */
gboolean pen_screenshot_write (GtkWidget *widget, const char *path, mode_t mode, GError **error);

G_END_DECLS
