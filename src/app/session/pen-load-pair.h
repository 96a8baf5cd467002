/* pen-load-pair.h: questions about two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-session.h"
#include "pen-progress-box.h"
#include "pen-worker.h"

G_BEGIN_DECLS

/* Both, opened for the worker's thread. */
typedef struct {
  PenQuery *queries[2];
  char *names[2];
  char *paths[2];
} PenPairOpened;

PenPairOpened *pen_pair_opened_ref (PenPairOpened *self);
void pen_pair_opened_unref (PenPairOpened *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairOpened, pen_pair_opened_unref)

/* @store: the file of the open recording, which is called @name and was opened from @own_path;
 * @path: of the other */
void pen_load_pair_async (PenWorker *worker, const char *store, const char *name,
                          const char *own_path, const char *path, PenProgressBox *progress,
                          GAsyncReadyCallback callback, gpointer user_data);
PenPairOpened *pen_load_pair_finish (GAsyncResult *result, GError **error);

/* @filter: of A; its time is moved for B, unless @compared has one of its own */
void pen_load_pair_list_async (PenWorker *worker, PenPairOpened *opened, const PenFilter *filter,
                               const PenCompared *compared, GAsyncReadyCallback callback,
                               gpointer user_data);
PenPairList *pen_load_pair_list_finish (GAsyncResult *result, GError **error);

/* @index: of the list's rows */
void pen_load_pair_lines_async (PenWorker *worker, const PenPairList *list, guint index,
                                PenSyntax syntax, GAsyncReadyCallback callback, gpointer user_data);
PenPairLines *pen_load_pair_lines_finish (GAsyncResult *result, GError **error);

/* @index: of the list's rows; G_MAXUINT: all call paths */
void pen_load_pair_tree_async (PenWorker *worker, const PenPairList *list, guint index,
                               GAsyncReadyCallback callback, gpointer user_data);
PenPairTree *pen_load_pair_tree_finish (GAsyncResult *result, GError **error);

void pen_load_pair_causes_async (PenWorker *worker, const PenPairList *list,
                                 GAsyncReadyCallback callback, gpointer user_data);
PenPairCauseList *pen_load_pair_causes_finish (GAsyncResult *result, GError **error);

G_END_DECLS
