/* pen-work-line.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-work-line.h"

#include <stdio.h>
#include <unistd.h>

#include "pen-import-speed.h"

#define QUIET_TIME (G_USEC_PER_SEC / 2)
#define STEP (G_USEC_PER_SEC / 5)
#define MILLION 1000000

static void
show (PenWorkLine *self, gint64 now)
{
  gint share = g_atomic_int_get (&self->share);
  double seconds = (double) (now - self->begun) / G_USEC_PER_SEC;
  g_autofree char *text = share > 0 ? g_strdup_printf ("%d %%", share / (MILLION / 100))
                                    : pen_import_speed_format_seconds (seconds);

  fprintf (stderr, "\r\033[K%s: %s", self->name, text);
  fflush (stderr);
}

static gpointer
work (gpointer data)
{
  PenWorkLine *self = data;
  gint64 next = self->begun + QUIET_TIME;
  gboolean is_shown = FALSE;

  g_mutex_lock (&self->mutex);
  while (!self->is_ended) {
    if (g_cond_wait_until (&self->ended, &self->mutex, next))
      continue;
    next = g_get_monotonic_time ();
    show (self, next);
    is_shown = TRUE;
    next += STEP;
  }
  g_mutex_unlock (&self->mutex);
  if (is_shown)
    fputs ("\r\033[K", stderr);
  return NULL;
}

void
pen_work_line_begin (PenWorkLine *self, const char *name, gboolean writes_to_terminal)
{
  *self = (PenWorkLine){ .name = g_strdup (name), .begun = g_get_monotonic_time () };
  g_mutex_init (&self->mutex);
  g_cond_init (&self->ended);
  if (isatty (STDERR_FILENO) == 1 && !writes_to_terminal)
    self->thread = g_thread_new ("work line", work, self);
}

void
pen_work_line_set (PenWorkLine *self, guint64 done, guint64 total)
{
  double share = total > 0 ? MIN ((double) done / (double) total, 1) : 0;

  g_atomic_int_set (&self->share, (gint) (share * MILLION));
}

void
pen_work_line_end (PenWorkLine *self)
{
  if (!self->name)
    return;
  g_mutex_lock (&self->mutex);
  self->is_ended = TRUE;
  g_cond_signal (&self->ended);
  g_mutex_unlock (&self->mutex);
  if (self->thread)
    g_thread_join (g_steal_pointer (&self->thread));
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->ended);
  g_clear_pointer (&self->name, g_free);
}
