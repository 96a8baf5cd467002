/* pen-load-lists.h: counts, lists and what they are made of, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-worker.h"

G_BEGIN_DECLS

/* @flame: (nullable): whose measure the window has: of samples, or of time off CPU */
void pen_load_counts_async (PenWorker *worker, const PenFilter *filter, const PenFlameState *flame,
                            GAsyncReadyCallback callback, gpointer user_data);
PenCounts *pen_load_counts_finish (GAsyncResult *result, GError **error);

/* @flame: as above */
void pen_load_functions_async (PenWorker *worker, const PenFilter *filter,
                               const PenFlameState *flame, GAsyncReadyCallback callback,
                               gpointer user_data);
PenFunctionList *pen_load_functions_finish (GAsyncResult *result, GError **error);

/* @flame: as above */
void pen_load_occupants_async (PenWorker *worker, const PenFilter *filter,
                               const PenFlameState *flame, GAsyncReadyCallback callback,
                               gpointer user_data);
PenOccupantTable *pen_load_occupants_finish (GAsyncResult *result, GError **error);

void pen_load_recording_async (PenWorker *worker, GAsyncReadyCallback callback, gpointer user_data);
PenRecording *pen_load_recording_finish (GAsyncResult *result, GError **error);

void pen_load_choices_async (PenWorker *worker, GAsyncReadyCallback callback, gpointer user_data);
PenFilterChoices *pen_load_choices_finish (GAsyncResult *result, GError **error);

/* Loads the file of notes @path. Returns: (element-type PenNoteRow) */
void pen_load_notes_async (PenWorker *worker, const char *path, GAsyncReadyCallback callback,
                           gpointer user_data);
GPtrArray *pen_load_notes_finish (GAsyncResult *result, GError **error);

/* @causes: (nullable): only the changes of its row @row, which are under its own filter */
void pen_load_changes_async (PenWorker *worker, const PenFilter *filter,
                             const PenChangeOrder *order, PenCauseTable *causes, guint row,
                             GAsyncReadyCallback callback, gpointer user_data);
PenChangeTable *pen_load_changes_finish (GAsyncResult *result, GError **error);

/* Loads rows for the changes @ids (element-type guint32). Returns: (element-type PenChangeRow) */
void pen_load_change_rows_async (PenWorker *worker, GArray *ids, GAsyncReadyCallback callback,
                                 gpointer user_data);
GPtrArray *pen_load_change_rows_finish (GAsyncResult *result, GError **error);

/* The id of the change at @moment. Returns: freed with g_free() */
void pen_load_change_id_async (PenWorker *worker, PenMoment moment, GAsyncReadyCallback callback,
                               gpointer user_data);
guint32 *pen_load_change_id_finish (GAsyncResult *result, GError **error);

G_END_DECLS
