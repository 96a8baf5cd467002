/* pen-progress-line.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-progress-line.h"

#include <stdio.h>
#include <unistd.h>

#define QUIET_TIME (G_USEC_PER_SEC / 2)

void
pen_progress_line_begin (PenProgressLine *self)
{
  self->is_terminal = isatty (STDERR_FILENO) == 1;
  self->begun = g_get_monotonic_time ();
  self->is_shown = FALSE;
}

void
pen_progress_line_show (const PenImportProgress *progress, gpointer user_data)
{
  PenProgressLine *self = user_data;
  gint64 elapsed = g_get_monotonic_time () - self->begun;

  if (!self->is_terminal || elapsed < QUIET_TIME)
    return;

  fprintf (stderr, "\r\033[K%s", pen_import_stage_to_string (progress->stage));
  if (progress->total > 0)
    fprintf (stderr, " %u %%",
             (guint) (100.0 * (double) progress->done / (double) progress->total));
  fprintf (stderr, ", %" G_GUINT64_FORMAT " records (%.0f/s)", progress->records,
           (double) progress->records * G_USEC_PER_SEC / (double) elapsed);
  fflush (stderr);
  self->is_shown = TRUE;
}

void
pen_progress_line_end (PenProgressLine *self)
{
  if (self->is_shown)
    fputs ("\r\033[K", stderr);
  self->is_shown = FALSE;
}
