/* pen-command-watch.c: watch
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command-run.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixoutputstream.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "pen-record-list.h"
#include "pen-record-probe.h"
#include "pen-text-rings.h"
#include "pen-watch-rows.h"

/* Rings are looked at as often, or sooner when they fill. */
#define ROUND_MS 200
/* So many rounds later, CPUs that came are watched, too. */
#define ROUNDS_OF_CPUS 300u
/* When a patch that this program itself caused must have been recorded. */
#define ROUNDS_OF_POKES 10u
/* Of one list of users, bytes: a tracer of all functions makes three times as many. */
#define LIST_MAX (1u << 20)

typedef struct {
  PenTextRings *rings;
  GArray *cpus;
  PenWatchText *text;
  PenWatchTasks *tasks;
  PenWatchUsers *users;
  PenWatcher *watcher;
  PenTableWriter *writer;
  gboolean has_pokes; /* one was recorded */
  gboolean may_have_pokes;
  GError *error;
} Watch;

static guint64
read_clock (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (guint64) now.tv_sec * 1000000000u + (guint64) now.tv_nsec;
}

/* ---- what is missing ---- */

static void
print_lack (const char *lack, const char *reason)
{
  /* Translators: a thing that is missing, and why */
  fprintf (stderr, _ ("  missing: %s: %s\n"), lack, reason);
}

static void
print_start (Watch *self, const GError *no_names)
{
  struct utsname machine;
  gboolean is_recorded = uname (&machine) != 0 || pen_cause_is_recorded (machine.machine);

  fprintf (stderr,
           ngettext ("watching %u CPU; Ctrl-C ends it\n", "watching %u CPUs; Ctrl-C ends it\n",
                     pen_text_rings_get_n_cpus (self->rings)),
           pen_text_rings_get_n_cpus (self->rings));
  if (!pen_text_rings_has_pokes (self->rings))
    print_lack (_ ("patches of text"), _ ("the kernel is older than Linux 5.9"));
  else if (!is_recorded)
    print_lack (_ ("patches of text"), _ ("kernels of this machine do not record them"));
  else
    self->may_have_pokes = TRUE;
  if (no_names)
    print_lack (_ ("names of the kernel's functions"), no_names->message);
  if (g_file_test ("/proc/modules", G_FILE_TEST_EXISTS)
      && !pen_text_rings_has_event (self->rings, PEN_TEXT_EVENT_MODULE_LOAD))
    print_lack (_ ("loads of modules"), _ ("tracefs cannot be read"));
}

/* Some kernels that know text pokes write none. */
static void
print_no_pokes (const Watch *self)
{
  if (self->may_have_pokes && !self->has_pokes)
    print_lack (_ ("patches of text"),
                _ ("opening an event patches the kernel, and no record of it came; other programs "
                   "with events can be the cause, or a kernel that records no patches"));
}

/* ---- events ---- */

static GArray *
list_cpus (void)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents ("/sys/devices/system/cpu/online", &text, NULL, NULL))
    return NULL;
  return pen_record_probe_parse_cpus (g_strstrip (text));
}

static gboolean
is_same (const GArray *a, const GArray *b)
{
  return a->len == b->len && memcmp (a->data, b->data, a->len * sizeof (guint)) == 0;
}

static void
add_events (Watch *self)
{
  for (guint i = 0; i < PEN_TEXT_EVENTS; i++) {
    gsize n;
    const guint8 *bytes = pen_text_rings_get_attr (self->rings, (PenTextEvent) i, &n);
    const GArray *ids = pen_text_rings_get_ids (self->rings, (PenTextEvent) i);
    PenAttr *attr;

    if (!pen_text_rings_has_event (self->rings, (PenTextEvent) i))
      continue;
    attr = pen_attr_new_from_bytes (bytes, n, G_BYTE_ORDER == G_BIG_ENDIAN);
    g_array_append_vals (attr->ids, ids->data, ids->len);
    pen_watcher_add_event (self->watcher, attr,
                           pen_text_rings_get_format (self->rings, (PenTextEvent) i),
                           i == PEN_TEXT_EVENT_MODULE_FREE);
  }
}

static gboolean
open_rings (Watch *self, GError **error)
{
  self->rings = pen_text_rings_open (self->cpus, PEN_TEXT_RINGS_CHANGES, error);
  if (self->rings)
    add_events (self);
  return self->rings != NULL;
}

/* ---- rounds ---- */

static gboolean
write_change (const PenWatchChange *change, gpointer user_data)
{
  Watch *self = user_data;
  gint64 offset = (gint64) (read_clock (CLOCK_REALTIME) - read_clock (CLOCK_MONOTONIC));

  self->has_pokes |= change->poke != NULL;
  return pen_watch_rows_write (self->writer, change, offset, &self->error);
}

static void
take_record (const guint8 *record, guint32 size, gpointer user_data)
{
  pen_watcher_take (((Watch *) user_data)->watcher, record, size);
}

static GString *
read_list (const char *list, gpointer user_data G_GNUC_UNUSED)
{
  return pen_record_list_read (list, LIST_MAX, &(gboolean){ FALSE });
}

static guint64
read_now (gpointer user_data G_GNUC_UNUSED)
{
  return read_clock (CLOCK_MONOTONIC);
}

/* @until: G_MAXUINT64: all. */
static gboolean
run_round (Watch *self, guint64 until)
{
  if (pen_text_rings_drain (self->rings, take_record, self) > 0)
    pen_watcher_add_loss (self->watcher, read_clock (CLOCK_MONOTONIC), 0);
  pen_watch_users_update (self->users);
  return pen_watcher_run (self->watcher, until)
         && pen_table_writer_flush (self->writer, &self->error);
}

/* Between the old events and the new ones, changes may be missed: that is a loss. */
static gboolean
follow_cpus (Watch *self)
{
  g_autoptr (GArray) cpus = list_cpus ();

  if (!cpus || is_same (cpus, self->cpus))
    return TRUE;
  if (!run_round (self, G_MAXUINT64))
    return FALSE;
  pen_watcher_clear_events (self->watcher);
  g_clear_pointer (&self->rings, pen_text_rings_free);
  g_array_unref (self->cpus);
  self->cpus = g_steal_pointer (&cpus);
  pen_watcher_add_loss (self->watcher, read_clock (CLOCK_MONOTONIC), 0);
  return open_rings (self, &self->error);
}

static void
watch (Watch *self, GCancellable *cancellable)
{
  int cancel = g_cancellable_get_fd (cancellable);

  for (guint round = 1; !g_cancellable_is_cancelled (cancellable); round++) {
    guint64 now = read_clock (CLOCK_MONOTONIC);

    if (!run_round (self, now) || (round % ROUNDS_OF_CPUS == 0 && !follow_cpus (self)))
      return;
    if (round == ROUNDS_OF_POKES)
      print_no_pokes (self);
    pen_text_rings_wait (self->rings, ROUND_MS, cancel);
  }
  run_round (self, G_MAXUINT64);
}

/* ---- run ---- */

/* A log grows: lines are added to a file. */
static GOutputStream *
open_output (const char *path, GError **error)
{
  int file = STDOUT_FILENO;

  if (path && !g_str_equal (path, "-")) {
    file = open (path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
    if (file < 0) {
      int code = errno;
      g_autofree char *name = g_filename_display_name (path);

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", name,
                   g_strerror (code));
      return NULL;
    }
  }
  return g_unix_output_stream_new (file, file != STDOUT_FILENO);
}

static void
clear (Watch *self)
{
  g_clear_pointer (&self->watcher, pen_watcher_free);
  g_clear_pointer (&self->rings, pen_text_rings_free);
  g_clear_pointer (&self->text, pen_watch_text_free);
  g_clear_pointer (&self->tasks, pen_watch_tasks_free);
  g_clear_pointer (&self->users, pen_watch_users_free);
  g_clear_pointer (&self->writer, pen_table_writer_free);
  g_clear_pointer (&self->cpus, g_array_unref);
}

static gboolean
run (Watch *self, const PenArguments *arguments, GError **error)
{
  g_autoptr (GOutputStream) stream = NULL;
  g_autoptr (GError) no_names = NULL;
  struct utsname system;

  self->cpus = list_cpus ();
  if (!self->cpus) {
    g_set_error_literal (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_FAILED,
                         _ ("the list of CPUs cannot be read"));
    return FALSE;
  }
  self->text = pen_watch_text_new ("/proc/kallsyms", "/proc/modules",
                                   uname (&system) == 0 ? system.release : NULL);
  self->tasks = pen_watch_tasks_new ("/proc");
  self->users = pen_watch_users_new (read_list, read_now, NULL);
  self->watcher = pen_watcher_new (self->text, self->tasks, self->users, write_change, self);
  if (!open_rings (self, error))
    return FALSE;
  stream = open_output (arguments->output, error);
  if (!stream)
    return FALSE;
  self->writer = pen_table_writer_new_open (stream, arguments->format);
  pen_table_writer_set_shown (self->writer, !arguments->output && isatty (STDOUT_FILENO));
  pen_watch_rows_begin (self->writer);
  pen_watch_text_read (self->text, &no_names);
  print_start (self, no_names);
  if (self->may_have_pokes)
    pen_text_rings_provoke (self->rings);
  watch (self, arguments->cancellable);
  if (!self->error)
    pen_table_writer_finish (self->writer, &self->error);
  if (!self->error)
    return TRUE;
  g_propagate_error (error, self->error);
  return FALSE;
}

int
pen_command_watch (const PenArguments *arguments, GError **error)
{
  Watch self = { 0 };
  gboolean is_done = run (&self, arguments, error);

  clear (&self);
  return is_done ? PEN_EXIT_DONE : PEN_EXIT_FAILED;
}
