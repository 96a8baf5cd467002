/* pen-recorder-move.h: a recording to the folder where it stays
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * pen_recorder_link_async:
 * @source: (transfer full): for @callback
 * @path: of the recording while it is made
 * @folder: is made if it is not there
 *
 * Makes a link to it, under a name with the time, which nothing else has: whoever opens that finds
 * the recording, before it is moved and after. In a thread, as all here.
 */
void pen_recorder_link_async (gpointer source, const char *path, const char *folder,
                              GAsyncReadyCallback callback);

/*
 * pen_recorder_move_async:
 * @source: (transfer full): for @callback
 * @path: a directory, of which nothing is left, nor of the two above it, which are empty then
 * @link: from pen_recorder_link_async()
 *
 * Puts it in the place of the link, where something is at any time; copies it first where that is
 * another disk.
 */
void pen_recorder_move_async (gpointer source, const char *path, const char *link,
                              GAsyncReadyCallback callback);

/* Of both. Returns: (transfer full): the path in its folder; or NULL with @error: the recording is
 * where it was */
char *pen_recorder_move_finish (GAsyncResult *result, GError **error);

G_END_DECLS
