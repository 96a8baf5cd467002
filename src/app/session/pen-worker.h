/* pen-worker.h: the one thread of a session that may wait for the disk
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-query.h"

G_BEGIN_DECLS

/* The subject of a job: a newer job takes the place of an older one of its kind. */
typedef enum {
  PEN_JOB_OPEN,
  PEN_JOB_OVERVIEW,
  PEN_JOB_MAP,
  PEN_JOB_CPUS,
  PEN_JOB_PROCESSES,
  PEN_JOB_COUNT,
  PEN_JOB_FUNCTIONS,
  PEN_JOB_ANNOTATION,
  PEN_JOB_STRIPS,
  PEN_JOB_SIDES,
  PEN_JOB_INSTANTS,
  PEN_JOB_VERDICT,
  PEN_JOB_HISTORY,
  PEN_JOB_FLAME,
  PEN_JOB_NEIGHBOURS,
  PEN_JOB_HEAT,
  PEN_JOB_CHART,
  PEN_JOB_MATCHES,
  PEN_JOB_CAUSES,
  PEN_JOB_CHANGES,
  PEN_JOB_CHANGE_ROWS,
  PEN_JOB_FIND_CHANGE,
  PEN_JOB_OCCUPANTS,
  PEN_JOB_RECORDING,
  PEN_JOB_EXPORT,
  PEN_JOB_CHOICES,
  PEN_JOB_NOTES,
  PEN_JOB_FIND,
  PEN_JOB_REFINE, /* while there is nothing else to do: it yields, as pen_worker_set_yields() says
                   */
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

/* In the main thread: what is on its way has become another. */
typedef void (*PenAnsweredFunc) (gpointer owner);

#define PEN_TYPE_WORKER (pen_worker_get_type ())
G_DECLARE_FINAL_TYPE (PenWorker, pen_worker, PEN, WORKER, GObject)

/* @owner: handed to @answered; must shut the worker down before it goes. */
PenWorker *pen_worker_new (PenAnsweredFunc answered, gpointer owner);

/*
 * pen_worker_run_async: for the questions, which give it types
 * @question: the name of one of them
 * @input: (transfer full): freed with @input_free in the main thread
 *
 * A newer job of its kind cancels it; those of pictures, once begun, are answered nevertheless: a
 * late picture is better than none while it is dragged.
 */
void pen_worker_run_async (PenWorker *self, PenJobKind kind, const char *question, PenWorkFunc func,
                           gpointer input, GDestroyNotify input_free, GDestroyNotify result_free,
                           GAsyncReadyCallback callback, gpointer user_data);
gpointer pen_worker_run_finish (GAsyncResult *result, const char *question, GError **error);
/* The end of a question pen_load_NAME_async(), with its type. Returns: (transfer full) (nullable)
 */
#define PEN_DEFINE_LOAD_FINISH(name, Type)                                                         \
  Type *pen_load_##name##_finish (GAsyncResult *result, GError **error)                            \
  {                                                                                                \
    return pen_worker_run_finish (result, #name, error);                                           \
  }

/* It was cancelled, a newer one took its place, or the worker was shut down: whoever asked may be
 * gone. */
gboolean pen_worker_was_dropped (GAsyncResult *result);

/* Whether the job of that kind that waits or runs, if there is one, is dropped as soon as anything
 * else is asked. */
void pen_worker_set_yields (PenWorker *self, PenJobKind kind, gboolean yields);
/* Whether a job of that kind waits, runs, or has its result on the way. */
gboolean pen_worker_is_busy (PenWorker *self, PenJobKind kind);
void pen_worker_cancel (PenWorker *self, PenJobKind kind);
/* Why the newest answer of that kind is none, or NULL. */
const GError *pen_worker_get_error (PenWorker *self, PenJobKind kind);

/* Cancels everything and lets the thread end; returns at once. */
void pen_worker_shutdown (PenWorker *self);

/* Waits until the threads of all workers that were shut down have cleaned up. */
void pen_worker_wait_all (void);

G_END_DECLS
