/* pen-load-capture.h: from a path to a capture that is open
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-progress-box.h"
#include "pen-worker.h"

G_BEGIN_DECLS

/* Opens a capture or a store. The questions that follow are about it. A damaged import in the cache
 * is imported once more. */
void pen_load_capture_async (PenWorker *worker, const char *path, PenProgressBox *progress,
                             GAsyncReadyCallback callback, gpointer user_data);
PenOpened *pen_load_capture_finish (GAsyncResult *result, GError **error);

/* The next part of a recording that is being made (PenOpened.live), or all of it if it has ended.
 * The questions that follow are about it. @path: as it was opened */
void pen_load_part_async (PenWorker *worker, PenLive *live, const char *path,
                          GAsyncReadyCallback callback, gpointer user_data);
PenOpened *pen_load_part_finish (GAsyncResult *result, GError **error);

G_END_DECLS
