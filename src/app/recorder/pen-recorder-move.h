/* pen-recorder-move.h: a recording to the folder where it stays
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * pen_recorder_move_async:
 * @source: (transfer full): for @callback
 * @path: a directory, of which nothing is left, nor of the two above it, which are empty then
 * @folder: is made if it is not there
 *
 * Moves it under a name with the time, which nothing else has; copies it where that is another
 * disk. In a thread.
 */
void pen_recorder_move_async (gpointer source, const char *path, const char *folder,
                              GAsyncReadyCallback callback);

/* Returns: (transfer full): its new path; or NULL with @error: it is where it was */
char *pen_recorder_move_finish (GAsyncResult *result, GError **error);

G_END_DECLS
