/* pen-load-text.h: the code of a function, its samples and its changes, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-view-state.h"
#include "pen-worker.h"

G_BEGIN_DECLS

/* @view: its function is asked for, or the occupant of its address then; of its loads the selected
 * one, or that of the playhead; in its measure. The strips are of the visible time. */
void pen_load_annotation_async (PenWorker *worker, const PenViewState *view, PenSyntax syntax,
                                GAsyncReadyCallback callback, gpointer user_data);
PenStrips *pen_load_annotation_finish (GAsyncResult *result, GError **error);

/* Loads another span of a text that is there already. */
void pen_load_strips_async (PenWorker *worker, const PenFilter *filter, PenAnnotatedText *text,
                            PenSpan span, GAsyncReadyCallback callback, gpointer user_data);
PenStrips *pen_load_strips_finish (GAsyncResult *result, GError **error);

void pen_load_sides_async (PenWorker *worker, const PenFilter *filter, PenAnnotatedText *text,
                           GAsyncReadyCallback callback, gpointer user_data);
PenSides *pen_load_sides_finish (GAsyncResult *result, GError **error);

/* @times: those of the two instants, after the changes at them */
void pen_load_instants_async (PenWorker *worker, const PenFilter *filter, PenAnnotatedText *text,
                              const guint64 *times, PenSyntax syntax, GAsyncReadyCallback callback,
                              gpointer user_data);
PenInstantTable *pen_load_instants_finish (GAsyncResult *result, GError **error);

/* @function: with a range in the kernel's space */
void pen_load_verdict_async (PenWorker *worker, const PenFilter *filter, guint32 function,
                             GAsyncReadyCallback callback, gpointer user_data);
PenVerdictAnswer *pen_load_verdict_finish (GAsyncResult *result, GError **error);

/* Of the line of @view, in its measure. */
void pen_load_history_async (PenWorker *worker, const PenViewState *view, PenSyntax syntax,
                             GAsyncReadyCallback callback, gpointer user_data);
PenHistoryTable *pen_load_history_finish (GAsyncResult *result, GError **error);

G_END_DECLS
