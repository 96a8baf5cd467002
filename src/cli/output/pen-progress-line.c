/* pen-progress-line.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-progress-line.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define QUIET_TIME (G_USEC_PER_SEC / 2)
#define DEFAULT_WIDTH 80u

void
pen_progress_line_begin (PenProgressLine *self, const char *name)
{
  *self = (PenProgressLine){
    .name = g_strdup (name),
    .is_terminal = isatty (STDERR_FILENO) == 1,
    .begun = g_get_monotonic_time (),
  };
}

/* ---- the parts of the line, the most important first ---- */

static char *
describe_stage (const PenImportProgress *progress)
{
  g_autoptr (GString) text = g_string_new (_ (pen_import_stage_to_string (progress->stage)));
  gboolean is_of_bytes = progress->stage == PEN_IMPORT_READ;
  g_autofree char *size = g_format_size (progress->total > 0 ? progress->total : progress->done);

  g_string_append_printf (text, " (%u/%u)", progress->stage + 1, PEN_IMPORT_STAGES);
  if (progress->total > 0)
    g_string_append_printf (text, " %u %%",
                            (guint) (100.0 * (double) progress->done / (double) progress->total));
  if (is_of_bytes && progress->total > 0)
    /* Translators: follows a percentage; %s is the size of the file */
    g_string_append_printf (text, _ (" of %s"), size);
  else if (is_of_bytes)
    g_string_append_printf (text, " %s", size);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
describe_time_left (const PenImportSpeed *speed)
{
  double seconds = pen_import_speed_get_seconds_left (speed);
  g_autofree char *text = NULL;

  if (seconds < 0)
    return NULL;
  text = pen_import_speed_format_seconds (seconds);
  return speed->newest.stage + 1 == PEN_IMPORT_STAGES
             /* Translators: %s is a duration */
             ? g_strdup_printf (_ ("%s left"), text)
             : g_strdup_printf (_ ("%s to the next stage"), text);
}

static char *
describe_rate (const PenImportSpeed *speed)
{
  double rate = pen_import_speed_get_samples_rate (speed);

  if (rate <= 0)
    return NULL;
  return rate < 100000 ? g_strdup_printf (_ ("%.0f samples/s"), rate)
                       : g_strdup_printf (_ ("%.1f M samples/s"), rate / 1e6);
}

static char *
describe_samples (const PenImportProgress *progress)
{
  return progress->stage == PEN_IMPORT_READ || progress->samples == 0
             ? NULL
             : g_strdup_printf (
                 ngettext ("%" PRIu64 " sample", "%" PRIu64 " samples", progress->samples),
                 progress->samples);
}

static char *
describe (const PenImportSpeed *speed, guint width)
{
  char *parts[] = {
    describe_stage (&speed->newest),
    describe_time_left (speed),
    describe_rate (speed),
    describe_samples (&speed->newest),
  };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    glong length = parts[i] ? g_utf8_strlen (parts[i], -1) + 2 : 0;

    if (length > 0 && g_utf8_strlen (text->str, -1) + length <= (glong) width)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", parts[i]);
    g_free (parts[i]);
  }
  return g_string_free (text, FALSE);
}

/* ---- the terminal ---- */

static guint
get_width (void)
{
  struct winsize size;

  return ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                          : DEFAULT_WIDTH;
}

static void
erase (PenProgressLine *self)
{
  if (self->is_shown)
    fputs ("\r\033[K", stderr);
  self->is_shown = FALSE;
}

static void
print_notes (PenProgressLine *self, guint32 notes)
{
  for (guint i = 0; i < PEN_IMPORT_NOTES; i++) {
    if ((notes & ~self->printed_notes & 1u << i) == 0)
      continue;
    erase (self);
    fprintf (stderr, "%s: %s\n", self->name, _ (pen_import_note_to_string (i)));
  }
  self->printed_notes |= notes;
}

static void
print_wait (PenProgressLine *self)
{
  if (self->has_printed_wait)
    return;
  self->has_printed_wait = TRUE;
  fprintf (stderr, _ ("%s: waiting for another process to import this recording (Ctrl+C stops)\n"),
           self->name);
}

void
pen_progress_line_show (const PenImportProgress *progress, gpointer user_data)
{
  PenProgressLine *self = user_data;
  gint64 now = g_get_monotonic_time ();
  g_autofree char *text = NULL;

  pen_import_speed_add (&self->speed, progress, now);
  print_notes (self, progress->notes);
  if (now - self->begun < QUIET_TIME)
    return;
  if (progress->is_waiting) {
    print_wait (self);
    return;
  }
  if (!self->is_terminal)
    return;

  text = describe (&self->speed, get_width () - 1);
  fprintf (stderr, "\r\033[K%s", text);
  fflush (stderr);
  self->is_shown = TRUE;
}

void
pen_progress_line_end (PenProgressLine *self)
{
  erase (self);
  g_clear_pointer (&self->name, g_free);
}
