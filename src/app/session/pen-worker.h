/* pen-worker.h: the one thread of a session that may wait for the disk
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-query.h"

G_BEGIN_DECLS

/* What a job is about: a newer job takes the place of an older one of its kind. */
typedef enum {
  PEN_JOB_OPEN,
  PEN_JOB_OVERVIEW,
  PEN_JOB_MAP,
  PEN_JOB_CPUS,
  PEN_JOB_PROCESSES,
  PEN_JOB_COUNT,
  PEN_JOB_FUNCTIONS,
  PEN_JOB_LOOK_UP,
  PEN_JOB_ANNOTATION,
  PEN_JOB_STRIPS,
  PEN_JOB_SIDES,
  PEN_JOB_HISTORY,
  PEN_JOB_CHANGES,
  PEN_JOB_CHANGE_ROWS,
  PEN_JOB_FIND_CHANGE,
  PEN_JOB_OCCUPANTS,
  PEN_JOB_RECORDING,
  PEN_JOB_EXPORT,
  PEN_JOB_CHOICES,
  PEN_JOB_NOTES,
  PEN_JOB_REFINE, /* while there is nothing else to do */
  PEN_JOBS,
} PenJobKind;

/*
 * PenWorkFunc: the work itself, in the worker's thread.
 * @query: (inout): the thread's own query; the job that opens a capture sets it
 *
 * Returns: (transfer full): the result, or NULL with @error
 */
typedef gpointer (*PenWorkFunc) (PenQuery **query, gpointer input, GCancellable *cancellable,
                                 GError **error);

/* In the main thread. @result: (transfer full); NULL with @error. Never called after the worker was
 * shut down, nor for a job that a newer one replaced. */
typedef void (*PenDoneFunc) (gpointer result, const GError *error, gpointer owner);

#define PEN_TYPE_WORKER (pen_worker_get_type ())
G_DECLARE_FINAL_TYPE (PenWorker, pen_worker, PEN, WORKER, GObject)

/* @owner: handed to PenDoneFunc; must shut the worker down before it goes. */
PenWorker *pen_worker_new (gpointer owner);

/* @input: (transfer full): freed with @input_free in either thread
 * @result_free: for results that nobody waits for any more */
void pen_worker_submit (PenWorker *self, PenJobKind kind, PenWorkFunc func, gpointer input,
                        GDestroyNotify input_free, GDestroyNotify result_free, PenDoneFunc done);

/* Whether a job of that kind waits, runs, or has its result on the way. */
gboolean pen_worker_is_busy (PenWorker *self, PenJobKind kind);
void pen_worker_cancel (PenWorker *self, PenJobKind kind);

/* Cancels everything and lets the thread end; returns at once. */
void pen_worker_shutdown (PenWorker *self);

/* Waits until the threads of all workers that were shut down have cleaned up behind themselves. */
void pen_worker_wait_all (void);

G_END_DECLS
