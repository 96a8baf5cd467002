/* pen-session-find.h: looking for what is typed or pasted, and going to what was found
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-load-find.h"
#include "pen-session.h"

G_BEGIN_DECLS

/*
 * pen_session_find_async:
 * @is_fixed: as of the playhead; else a pasted trace is resolved as of its own time, if that is in
 *   the recording
 *
 * The session has to be ready. A newer question takes the place of an older one, which is then
 * dropped: see pen_worker_was_dropped().
 */
void pen_session_find_async (PenSession *self, const char *text, gboolean is_fixed,
                             GAsyncReadyCallback callback, gpointer user_data);
PenFoundAnswer *pen_session_find_finish (GAsyncResult *result, GError **error);

/* To the code as of the time of the row; to a time; to the changes of a key; a task becomes a
 * filter. Returns: FALSE: it leads nowhere */
gboolean pen_session_show_found (PenSession *self, const PenFoundAnswer *answer,
                                 const PenFoundRow *row);

G_END_DECLS
