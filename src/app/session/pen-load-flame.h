/* pen-load-flame.h: stacks of samples, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-view-state.h"
#include "pen-worker.h"

G_BEGIN_DECLS

/*
 * pen_load_flame_fill_options:
 * @state: (nullable): as at first
 * @options: (out): @options->zoom is that of @state
 * @hidden: (out caller-allocates) (element-type guint32): the groups that are hidden; has to
 * outlive
 *   @options
 *
 * For the thread of @query: the functions of @state as groups.
 */
gboolean pen_load_flame_fill_options (PenQuery *query, const PenFlameState *state,
                                      PenFlameOptions *options, GArray *hidden, GError **error);

/* The stretches that are compared; for the thread of @query. */
/* What stacks are measured by: where two stretches are compared, or the recording has no time off
 * CPU, not by that. @state: (nullable) */
PenStackMeasure pen_load_flame_get_measure (PenQuery *query, const PenFlameState *state);
/* Returns: (transfer none): @query, or the same about waits */
PenQuery *pen_load_flame_choose (PenQuery *query, const PenFlameState *state, GError **error);

gboolean pen_load_flame_find_windows (PenQuery *query, const PenFlamePair *pair,
                                      PenFlameWindow windows[2], GError **error);

/* @pixels: the width of the picture */
void pen_load_flame_async (PenWorker *worker, const PenFilter *filter, const PenFlameState *state,
                           guint pixels, GAsyncReadyCallback callback, gpointer user_data);
PenFlameAnswer *pen_load_flame_finish (GAsyncResult *result, GError **error);

/* Callers and callees of the subject; NULL without an error if there is none. */
void pen_load_neighbours_async (PenWorker *worker, const PenViewState *view,
                                GAsyncReadyCallback callback, gpointer user_data);
PenNeighbourAnswer *pen_load_neighbours_finish (GAsyncResult *result, GError **error);

/* The function whose callers and callees are listed; G_MAXUINT32: none */
guint32 pen_load_flame_find_subject (const PenViewState *view);

G_END_DECLS
