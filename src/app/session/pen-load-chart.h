/* pen-load-chart.h: stacks in time order, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-view-state.h"
#include "pen-worker.h"

G_BEGIN_DECLS

/* @pixels: as wide as it is drawn */
void pen_load_chart_async (PenWorker *worker, const PenViewState *view, guint pixels,
                           GAsyncReadyCallback callback, gpointer user_data);
PenChartAnswer *pen_load_chart_finish (GAsyncResult *result, GError **error);

G_END_DECLS
