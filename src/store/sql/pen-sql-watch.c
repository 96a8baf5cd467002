/* pen-sql-watch.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sql-watch.h"

/* How often the thread looks, and how long a function may go on after it was to stop. */
#define LOOK_US (G_USEC_PER_SEC / 10)
#define GRACE_US G_USEC_PER_SEC

/* The thread that works writes all but @is_over; it holds the lock where the other one reads. */
struct _PenSqlWatch {
  guint seconds;
  GCancellable *cancellable;
  PenSqlStuckFunc func;
  gpointer user_data;
  GThread *thread;

  GMutex lock;
  GCond changed;
  gboolean is_over;
  gboolean is_working;
  guint64 stretch; /* which one */
  gint64 spent;    /* µs, in stretches that are done */
  gint64 resumed;  /* when the current one began */
  gboolean is_late;
};

static gboolean
has_no_time_left (const PenSqlWatch *self)
{
  return self->seconds > 0
         && self->spent + g_get_monotonic_time () - self->resumed
                > (gint64) self->seconds * G_USEC_PER_SEC;
}

static gboolean
set_error (const PenSqlWatch *self, gboolean is_late, GError **error)
{
  if (is_late)
    g_set_error (
        error, PEN_SQL_ERROR, PEN_SQL_ERROR_TIME,
        "the query was stopped after %u s; ask for less, such as a range of time, or give it "
        "more time",
        self->seconds);
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
  return FALSE;
}

/* With the lock: the other thread can no more come back from its stretch meanwhile. */
static void
call_func (const PenSqlWatch *self)
{
  g_autoptr (GError) error = NULL;

  set_error (self, has_no_time_left (self), &error);
  self->func (error, self->user_data);
}

static gpointer
watch (gpointer user_data)
{
  PenSqlWatch *self = user_data;
  guint64 stretch = 0; /* which one was to stop @since */
  gint64 since = 0;

  g_mutex_lock (&self->lock);
  while (!self->is_over) {
    gint64 now = g_get_monotonic_time ();

    if (self->is_working
        && (has_no_time_left (self) || g_cancellable_is_cancelled (self->cancellable))) {
      if (stretch != self->stretch) {
        stretch = self->stretch;
        since = now;
      } else if (now - since >= GRACE_US) {
        call_func (self);
      }
    }
    g_cond_wait_until (&self->changed, &self->lock, now + LOOK_US);
  }
  g_mutex_unlock (&self->lock);
  return NULL;
}

PenSqlWatch *
pen_sql_watch_new (guint seconds, GCancellable *cancellable, PenSqlStuckFunc func,
                   gpointer user_data)
{
  PenSqlWatch *self = g_new0 (PenSqlWatch, 1);

  self->seconds = seconds;
  g_set_object (&self->cancellable, cancellable);
  self->func = func;
  self->user_data = user_data;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  if (func)
    self->thread = g_thread_new ("query watch", watch, self);
  return self;
}

void
pen_sql_watch_free (PenSqlWatch *self)
{
  if (!self)
    return;

  g_mutex_lock (&self->lock);
  self->is_over = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&self->thread, g_thread_join);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
  g_clear_object (&self->cancellable);
  g_free (self);
}

void
pen_sql_watch_begin (PenSqlWatch *self)
{
  g_mutex_lock (&self->lock);
  self->is_working = TRUE;
  self->stretch++;
  self->resumed = g_get_monotonic_time ();
  g_mutex_unlock (&self->lock);
}

void
pen_sql_watch_end (PenSqlWatch *self)
{
  g_mutex_lock (&self->lock);
  self->is_working = FALSE;
  self->spent += g_get_monotonic_time () - self->resumed;
  g_mutex_unlock (&self->lock);
}

gboolean
pen_sql_watch_must_stop (PenSqlWatch *self)
{
  self->is_late |= has_no_time_left (self);
  return self->is_late || g_cancellable_is_cancelled (self->cancellable);
}

gboolean
pen_sql_watch_is_late (const PenSqlWatch *self)
{
  return self->is_late;
}

gboolean
pen_sql_watch_set_error (const PenSqlWatch *self, GError **error)
{
  return set_error (self, self->is_late, error);
}
