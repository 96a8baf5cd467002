/* pen-load-pictures.h: what the overview and the text map draw, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-address-axis.h"
#include "pen-flame-state.h"
#include "pen-query-heat.h"
#include "pen-query-map.h"
#include "pen-query-overview.h"
#include "pen-query-tasks.h"
#include "pen-span.h"
#include "pen-view-state.h"
#include "pen-worker.h"

G_BEGIN_DECLS

/* @flame: (nullable): whose measure the window has: of samples, or of time off CPU */
void pen_load_overview_async (PenWorker *worker, const PenFilter *filter,
                              const PenFlameState *flame, PenSpan span, guint n_bins,
                              GAsyncReadyCallback callback, gpointer user_data);
PenOverview *pen_load_overview_finish (GAsyncResult *result, GError **error);

/* @axis: NULL: it is asked for, too; @edges: n_rows + 1, or NULL: only the axis is asked for */
typedef struct {
  PenAddressAxis *axis;
  guint64 *edges;
  guint n_rows;
  guint n_columns;
} PenMapCells;

/* @bins: NULL where only the axis was asked for */
typedef struct {
  PenAddressAxis *axis;
  PenMapBins *bins;
} PenMapAnswer;

void pen_map_answer_free (PenMapAnswer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenMapAnswer, pen_map_answer_free)

/* @kind: PEN_JOB_MAP, or PEN_JOB_REFINE: however long that takes */
void pen_load_map_async (PenWorker *worker, PenJobKind kind, const PenFilter *filter,
                         const PenFlameState *flame, PenSpan span, const PenMapCells *cells,
                         GAsyncReadyCallback callback, gpointer user_data);
PenMapAnswer *pen_load_map_finish (GAsyncResult *result, GError **error);

/* @flame: as above; @n_columns: the most that there is room for, of a length that is easy to read
 */
void pen_load_heat_async (PenWorker *worker, const PenFilter *filter, const PenFlameState *flame,
                          PenSpan span, guint n_columns, GAsyncReadyCallback callback,
                          gpointer user_data);
PenHeat *pen_load_heat_finish (GAsyncResult *result, GError **error);

/* @kind: that of @key, or PEN_JOB_REFINE: however long that takes */
void pen_load_tasks_async (PenWorker *worker, PenJobKind kind, const PenViewState *view,
                           PenTaskKey key, guint n_bins, GAsyncReadyCallback callback,
                           gpointer user_data);
PenTaskBins *pen_load_tasks_finish (GAsyncResult *result, GError **error);

G_END_DECLS
