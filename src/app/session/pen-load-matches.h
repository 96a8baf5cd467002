/* pen-load-matches.h: stacks through frames that are searched for, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-view-state.h"
#include "pen-worker.h"

G_BEGIN_DECLS

void pen_load_matches_async (PenWorker *worker, const PenViewState *view, const char *search,
                             GAsyncReadyCallback callback, gpointer user_data);
PenMatchAnswer *pen_load_matches_finish (GAsyncResult *result, GError **error);

/* Whether the name of a group of @groups, as it is shown, has @folded in it, which is case folded.
 */
gboolean pen_load_matches_is_match (const PenStackGroup *groups, guint32 group, const char *folded);

G_END_DECLS
