/* pen-load-find.h: what is typed or pasted into the box, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-find.h"
#include "pen-worker.h"

G_BEGIN_DECLS

/*
 * PenFoundAnswer: not changed once made; shared by reference
 * @text: that was asked for
 * @query: whose store has the strings
 */
typedef struct {
  PenQuery *query;
  char *text;
  PenFound *found;
} PenFoundAnswer;

PenFoundAnswer *pen_found_answer_ref (PenFoundAnswer *self);
void pen_found_answer_unref (PenFoundAnswer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFoundAnswer, pen_found_answer_unref)

/* @is_fixed: as of @time; else as of the time in a pasted trace, if it is in the recording */
void pen_load_found_async (PenWorker *worker, const char *text, guint64 time, gboolean is_fixed,
                           GAsyncReadyCallback callback, gpointer user_data);
PenFoundAnswer *pen_load_found_finish (GAsyncResult *result, GError **error);

G_END_DECLS
