/* pen-progress.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-progress.h"

#define INTERVAL_US 50000

void
pen_progress_init (PenProgress *self, PenImportFunc func, gpointer user_data,
                   GCancellable *cancellable)
{
  *self = (PenProgress){ .func = func, .user_data = user_data, .cancellable = cancellable };
}

gboolean
pen_progress_start (PenProgress *self, PenImportStage stage, guint64 total, GError **error)
{
  self->state.stage = stage;
  self->state.done = 0;
  self->state.total = total;
  self->last = 0;
  return pen_progress_step (self, 0, error);
}

gboolean
pen_progress_step (PenProgress *self, guint64 done, GError **error)
{
  gint64 now;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;

  /* A stage may have several parts: it never seems to go back, nor past its end. */
  done = MAX (done, self->state.done);
  self->state.done = self->state.total > 0 ? MIN (done, self->state.total) : done;
  if (!self->func)
    return TRUE;

  now = g_get_monotonic_time ();
  if (self->last == 0 || now - self->last >= INTERVAL_US) {
    self->last = now;
    self->func (&self->state, self->user_data);
  }
  return TRUE;
}

gboolean
pen_progress_may_go_on (gpointer data)
{
  PenProgress *self = data;

  return pen_progress_step (self, self->state.done, NULL);
}
