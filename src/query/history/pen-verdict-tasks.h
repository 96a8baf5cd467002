/* pen-verdict-tasks.h: samples of a place, task by task, while a cause was on, and while off
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-patched-place.h"
#include "pen-query-verdict.h"
#include "pen-text-causes.h"

G_BEGIN_DECLS

void pen_verdict_task_free (gpointer task);

/* Judges on against off at @level, and sets the phases' rates and shares. */
void pen_two_phases_judge (PenTwoPhases *self, double level);

/*
 * pen_verdict_tasks_load: sets @cause->tasks
 * @cause: judged before
 * @stride: (out): every @stride-th block was read
 *
 * A task that differs does so from all others: the intervals of the two ratios part, where each
 * holds with 95 % for all tasks that have enough samples to be looked at.
 */
gboolean pen_verdict_tasks_load (const PenPatchedPlace *place, const PenTextCause *turns,
                                 PenVerdictCause *cause, guint *stride, GError **error);

G_END_DECLS
