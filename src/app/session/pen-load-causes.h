/* pen-load-causes.h: the tree of causes, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-worker.h"

G_BEGIN_DECLS

/* @flame: (nullable): whose measure the window has: of samples, or of time off CPU
 * @known: (nullable): the answer before: where order or search alone differ, it is sorted anew */
void pen_load_causes_async (PenWorker *worker, const PenFilter *filter, const PenFlameState *flame,
                            const PenCauseOrder *order, const PenCauseTable *known,
                            GAsyncReadyCallback callback, gpointer user_data);
PenCauseTable *pen_load_causes_finish (GAsyncResult *result, GError **error);

G_END_DECLS
