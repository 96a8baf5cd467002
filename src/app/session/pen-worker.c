/* pen-worker.c: the one thread of a session that may wait for the disk
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-worker.h"

#define WAIT_TURN (20 * G_TIME_SPAN_MILLISECOND)

typedef struct {
  PenWorker *worker;
  PenJobKind kind;
  guint64 serial;
  PenWorkFunc func;
  gpointer input;
  GDestroyNotify input_free;
  GDestroyNotify result_free;
  PenDoneFunc done;
  GCancellable *cancellable;
  gpointer result;
  GError *error;
} PenJob;

struct _PenWorker {
  GObject parent_instance;

  gpointer owner;
  gboolean closed; /* main thread only */

  GMutex lock;
  GCond wake;
  GQueue pending; /* (element-type PenJob) */
  PenJob *running;
  gboolean quit;
  guint64 newest[PEN_JOBS];
  guint unfinished[PEN_JOBS]; /* waiting, running, or on the way back */
  guint64 serial;
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

/* Pictures move on while they are dragged: a late one is better than none. */
static gboolean
is_picture (PenJobKind kind)
{
  return kind == PEN_JOB_OVERVIEW || kind == PEN_JOB_MAP || kind == PEN_JOB_CPUS
         || kind == PEN_JOB_PROCESSES;
}

static gboolean
deliver (gpointer data)
{
  PenJob *job = data;
  PenWorker *self = job->worker;
  gboolean wanted;

  g_mutex_lock (&self->lock);
  wanted = is_picture (job->kind) || self->newest[job->kind] == job->serial;
  self->unfinished[job->kind]--;
  g_mutex_unlock (&self->lock);

  if (wanted && !self->closed)
    job->done (g_steal_pointer (&job->result), job->error, self->owner);

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
    self->running = job;
    g_mutex_unlock (&self->lock);
    run_job (job, &query);
    g_mutex_lock (&self->lock);
    self->running = NULL;
    g_idle_add_full (G_PRIORITY_DEFAULT, deliver, job, NULL);
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

static void
pen_worker_finalize (GObject *object)
{
  PenWorker *self = PEN_WORKER (object);

  g_assert (g_queue_is_empty (&self->pending));
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
pen_worker_new (gpointer owner)
{
  PenWorker *self = g_object_new (PEN_TYPE_WORKER, NULL);

  self->owner = owner;
  g_mutex_lock (&threads_lock);
  n_threads++;
  g_mutex_unlock (&threads_lock);
  g_thread_unref (g_thread_new ("pen-worker", pen_worker_thread, g_object_ref (self)));
  return self;
}

/* With the lock held. Takes waiting jobs of @kind out (any kind: PEN_JOBS). */
static GList *
take_pending (PenWorker *self, PenJobKind kind)
{
  GList *taken = NULL;

  for (GList *l = self->pending.head, *next; l; l = next) {
    PenJob *job = l->data;

    next = l->next;
    if (kind != PEN_JOBS && job->kind != kind)
      continue;
    g_queue_unlink (&self->pending, l);
    self->unfinished[job->kind]--;
    taken = g_list_concat (l, taken);
  }
  return taken;
}

void
pen_worker_submit (PenWorker *self, PenJobKind kind, PenWorkFunc func, gpointer input,
                   GDestroyNotify input_free, GDestroyNotify result_free, PenDoneFunc done)
{
  PenJob *job = g_new0 (PenJob, 1);
  GList *replaced;

  job->worker = g_object_ref (self);
  job->kind = kind;
  job->func = func;
  job->input = input;
  job->input_free = input_free;
  job->result_free = result_free;
  job->done = done;
  job->cancellable = g_cancellable_new ();

  g_mutex_lock (&self->lock);
  job->serial = ++self->serial;
  self->newest[kind] = job->serial;
  self->unfinished[kind]++;
  replaced = take_pending (self, kind);
  if (self->running && self->running->kind == kind && !is_picture (kind))
    g_cancellable_cancel (self->running->cancellable);
  g_queue_push_tail (&self->pending, job);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);

  g_list_free_full (replaced, (GDestroyNotify) pen_job_free);
}

gboolean
pen_worker_is_busy (PenWorker *self, PenJobKind kind)
{
  gboolean busy;

  g_mutex_lock (&self->lock);
  busy = self->unfinished[kind] > 0;
  g_mutex_unlock (&self->lock);
  return busy;
}

void
pen_worker_cancel (PenWorker *self, PenJobKind kind)
{
  GList *taken;

  g_mutex_lock (&self->lock);
  taken = take_pending (self, kind);
  if (self->running && self->running->kind == kind)
    g_cancellable_cancel (self->running->cancellable);
  g_mutex_unlock (&self->lock);

  g_list_free_full (taken, (GDestroyNotify) pen_job_free);
}

void
pen_worker_shutdown (PenWorker *self)
{
  GList *taken;

  self->closed = TRUE;
  g_mutex_lock (&self->lock);
  self->quit = TRUE;
  taken = take_pending (self, PEN_JOBS);
  if (self->running)
    g_cancellable_cancel (self->running->cancellable);
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);

  g_list_free_full (taken, (GDestroyNotify) pen_job_free);
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
