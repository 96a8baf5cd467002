/* pen-task-samples.h: weighted stacks, task by task, each in time order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-weighted-stacks.h"

G_BEGIN_DECLS

/* Samples that are kept at a time: 64 MiB. */
#define PEN_TASK_SAMPLES_KEPT (1u << 21)

/*
 * PenTaskTotal: a task that has samples
 * @thread: of pen_store_get_threads()
 * @first, @last: ns, with @has_time
 */
typedef struct {
  guint32 thread;
  guint64 n;
  guint64 period;
  gboolean has_time;
  guint64 first;
  guint64 last;
} PenTaskTotal;

/* @has: PEN_SAMPLE_HAS_… */
typedef struct {
  guint64 time;
  guint64 period;
  guint32 stack;
  guint32 cpu;
  guint32 task;
  guint8 has;
} PenTaskSample;

/* Return FALSE to stop, with an error. */
typedef gboolean (*PenTaskFunc) (const PenTaskSample *sample, gpointer user_data, GError **error);

/*
 * PenTaskSamples:
 * @tasks: (element-type PenTaskTotal): most samples first, or most time off CPU
 * @events: flag of each event: some sample is of it
 */
typedef struct _PenTaskSamples PenTaskSamples;

/* Cost: all samples under the filter, once. @measure: of the order; @most: samples that are kept,
 * PEN_TASK_SAMPLES_KEPT but in tests */
PenTaskSamples *pen_task_samples_new (PenWeightedStacks *stacks, PenStackMeasure measure,
                                      guint most, GError **error);
void pen_task_samples_free (PenTaskSamples *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTaskSamples, pen_task_samples_free)

const PenTaskTotal *pen_task_samples_get (PenTaskSamples *self, guint *n);
/* All of them together. */
PenTaskTotal pen_task_samples_get_total (PenTaskSamples *self);

/* The samples of task @task, in the order of the sample table. Cost: nothing is read where tasks
 * are asked for in their order; else, and for a task with more samples than are kept, all samples
 * under the filter. */
gboolean pen_task_samples_foreach (PenTaskSamples *self, guint task, PenTaskFunc func,
                                   gpointer user_data, GError **error);

G_END_DECLS
