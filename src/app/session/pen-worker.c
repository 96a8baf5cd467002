/* pen-worker.c: the one thread of a session that may wait for the disk
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-worker.h"

#include <glib/gi18n-lib.h>

#define WAIT_TURN (20 * G_TIME_SPAN_MILLISECOND)

typedef struct {
  PenWorker *worker;
  PenJobKind kind;
  PenWorkFunc func;
  gpointer input;
  GDestroyNotify input_free;
  GCancellable *cancellable;
  gboolean yields; /* to any other; main thread only */
  GDestroyNotify result_free;
  GTask *task; /* main thread only; NULL: whoever asked has been told */
  gpointer result;
  GError *error;
} PenJob;

struct _PenWorker {
  GObject parent_instance;

  PenAnsweredFunc answered;
  gpointer owner;
  GList *jobs; /* (element-type PenJob): that are to be answered; main thread only, as is: */
  GError *errors[PEN_JOBS];

  GMutex lock;
  GCond wake;
  GQueue pending; /* (element-type PenJob) */
  gboolean quit;
};

G_DEFINE_FINAL_TYPE (PenWorker, pen_worker, G_TYPE_OBJECT)

static GMutex threads_lock;
static GCond threads_gone;
static guint n_threads;

static void
pen_job_free (PenJob *job)
{
  if (job->input_free)
    job->input_free (job->input);
  if (job->result && job->result_free)
    job->result_free (job->result);
  g_clear_error (&job->error);
  g_object_unref (job->cancellable);
  g_object_unref (job->worker);
  g_free (job);
}

/* A picture that has begun is wanted, however late. */
static gboolean
is_picture (PenJobKind kind)
{
  return kind == PEN_JOB_OVERVIEW || kind == PEN_JOB_MAP || kind == PEN_JOB_CPUS
         || kind == PEN_JOB_PROCESSES || kind == PEN_JOB_HEAT || kind == PEN_JOB_CHART;
}

/* ---- the thread ---- */

static gboolean
deliver (gpointer data)
{
  PenJob *job = data;
  g_autoptr (PenWorker) self = g_object_ref (job->worker);
  g_autoptr (GTask) task = g_steal_pointer (&job->task);

  if (task) {
    self->jobs = g_list_remove (self->jobs, job);
    g_clear_error (&self->errors[job->kind]);
    if (job->error) {
      self->errors[job->kind] = g_error_copy (job->error);
      g_task_return_error (task, g_steal_pointer (&job->error));
    } else {
      g_task_return_pointer (task, g_steal_pointer (&job->result), job->result_free);
    }
    if (self->answered)
      self->answered (self->owner);
  }
  pen_job_free (job);
  return G_SOURCE_REMOVE;
}

static void
run_job (PenJob *job, PenQuery **query)
{
  if (*query)
    pen_store_set_cancellable (pen_query_get_store (*query), job->cancellable);

  if (!g_cancellable_set_error_if_cancelled (job->cancellable, &job->error))
    job->result = job->func (query, job->input, job->cancellable, &job->error);

  if (*query)
    pen_store_set_cancellable (pen_query_get_store (*query), NULL);
}

static gpointer
pen_worker_thread (gpointer data)
{
  PenWorker *self = data;
  PenQuery *query = NULL;

  g_mutex_lock (&self->lock);
  while (!self->quit) {
    PenJob *job = g_queue_pop_head (&self->pending);

    if (!job) {
      g_cond_wait (&self->wake, &self->lock);
      continue;
    }
    g_mutex_unlock (&self->lock);
    run_job (job, &query);
    g_idle_add_full (G_PRIORITY_DEFAULT, deliver, job, NULL);
    g_mutex_lock (&self->lock);
  }
  g_mutex_unlock (&self->lock);

  g_clear_object (&query);
  g_object_unref (self);

  g_mutex_lock (&threads_lock);
  n_threads--;
  g_cond_broadcast (&threads_gone);
  g_mutex_unlock (&threads_lock);
  return NULL;
}

/* ---- object ---- */

static void
pen_worker_finalize (GObject *object)
{
  PenWorker *self = PEN_WORKER (object);

  g_assert (g_queue_is_empty (&self->pending) && !self->jobs);
  for (guint i = 0; i < PEN_JOBS; i++)
    g_clear_error (&self->errors[i]);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->wake);

  G_OBJECT_CLASS (pen_worker_parent_class)->finalize (object);
}

static void
pen_worker_class_init (PenWorkerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_worker_finalize;
}

static void
pen_worker_init (PenWorker *self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
  g_queue_init (&self->pending);
}

PenWorker *
pen_worker_new (PenAnsweredFunc answered, gpointer owner)
{
  PenWorker *self = g_object_new (PEN_TYPE_WORKER, NULL);

  self->answered = answered;
  self->owner = owner;
  g_mutex_lock (&threads_lock);
  n_threads++;
  g_mutex_unlock (&threads_lock);
  g_thread_unref (g_thread_new ("pen-worker", pen_worker_thread, g_object_ref (self)));
  return self;
}

/* ---- asking ---- */

/* A job that has begun is stopped, and its answer dropped. */
static void
drop (PenWorker *self, PenJob *job)
{
  g_autoptr (GTask) task = g_steal_pointer (&job->task);
  gboolean waits;

  self->jobs = g_list_remove (self->jobs, job);
  g_cancellable_cancel (job->cancellable);
  g_mutex_lock (&self->lock);
  waits = g_queue_remove (&self->pending, job);
  g_mutex_unlock (&self->lock);
  if (waits)
    pen_job_free (job);
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("The recording was closed"));
}

static gboolean
has_begun (PenWorker *self, PenJob *job)
{
  gboolean waits;

  g_mutex_lock (&self->lock);
  waits = g_queue_find (&self->pending, job) != NULL;
  g_mutex_unlock (&self->lock);
  return !waits;
}

/* @kind: PEN_JOBS: all */
static void
drop_jobs (PenWorker *self, PenJobKind kind, gboolean with_pictures)
{
  for (GList *l = self->jobs, *next; l; l = next) {
    PenJob *job = l->data;

    next = l->next;
    if ((kind == PEN_JOBS || job->kind == kind)
        && (with_pictures || !is_picture (job->kind) || !has_begun (self, job)))
      drop (self, job);
  }
}

static void
drop_those_that_yield (PenWorker *self)
{
  for (GList *l = self->jobs, *next; l; l = next) {
    PenJob *job = l->data;

    next = l->next;
    if (job->yields)
      drop (self, job);
  }
}

void
pen_worker_run_async (PenWorker *self, PenJobKind kind, const char *question, PenWorkFunc func,
                      gpointer input, GDestroyNotify input_free, GDestroyNotify result_free,
                      GAsyncReadyCallback callback, gpointer user_data)
{
  PenJob *job = g_new0 (PenJob, 1);

  job->worker = g_object_ref (self);
  job->kind = kind;
  job->yields = kind == PEN_JOB_REFINE;
  job->func = func;
  job->input = input;
  job->input_free = input_free;
  job->result_free = result_free;
  job->cancellable = g_cancellable_new ();
  job->task = g_task_new (self, job->cancellable, callback, user_data);
  g_task_set_source_tag (job->task, (gpointer) g_intern_string (question));
  g_task_set_check_cancellable (job->task, FALSE);

  drop_jobs (self, kind, FALSE);
  drop_those_that_yield (self);
  self->jobs = g_list_append (self->jobs, job);
  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->pending, job);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

gpointer
pen_worker_run_finish (GAsyncResult *result, const char *question, GError **error)
{
  g_return_val_if_fail (g_task_get_source_tag (G_TASK (result)) == g_intern_string (question),
                        NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

gboolean
pen_worker_was_dropped (GAsyncResult *result)
{
  return g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result)));
}

void
pen_worker_set_yields (PenWorker *self, PenJobKind kind, gboolean yields)
{
  for (GList *l = self->jobs; l; l = l->next) {
    PenJob *job = l->data;

    if (job->kind == kind)
      job->yields = yields;
  }
}

gboolean
pen_worker_is_busy (PenWorker *self, PenJobKind kind)
{
  for (GList *l = self->jobs; l; l = l->next) {
    if (((PenJob *) l->data)->kind == kind)
      return TRUE;
  }
  return FALSE;
}

void
pen_worker_cancel (PenWorker *self, PenJobKind kind)
{
  drop_jobs (self, kind, TRUE);
}

const GError *
pen_worker_get_error (PenWorker *self, PenJobKind kind)
{
  return self->errors[kind];
}

void
pen_worker_shutdown (PenWorker *self)
{
  self->answered = NULL;
  drop_jobs (self, PEN_JOBS, TRUE);
  g_mutex_lock (&self->lock);
  self->quit = TRUE;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
}

void
pen_worker_wait_all (void)
{
  gboolean waiting = TRUE;

  while (waiting) {
    gint64 turn = g_get_monotonic_time () + WAIT_TURN;

    /* A session that lives until its answer comes, lives until the main loop brings it. */
    while (g_main_context_iteration (NULL, FALSE))
      ;
    g_mutex_lock (&threads_lock);
    if (n_threads > 0)
      g_cond_wait_until (&threads_gone, &threads_lock, turn);
    waiting = n_threads > 0;
    g_mutex_unlock (&threads_lock);
  }

  /* Results that were still on their way are freed there. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
}
