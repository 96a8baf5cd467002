/* count-looks.c: preloaded into pentimento-cli: counts how often it looks whether it is cancelled
 *
 * PEN_LOOKS_TO: a file for what was counted: how many looks there were, and ms of processors and of
 * the clock from the cancel to the end; then the looks after which the process worked longest until
 * it looked again, the longest first, in ms of processors
 * PEN_LOOKS_CANCEL: the number of the look after which it is cancelled. Under callgrind that does
 * not count from the start, what is counted is the work from there to the end. PEN_LOOKS_PROGRAM:
 * what the program's name begins with (default: pentimento-cli)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <dlfcn.h>
#include <errno.h>
#include <gio/gio.h>
#include <stdio.h>
#include <time.h>
#include <valgrind/callgrind.h>

#define KEPT 8u

typedef struct {
  guint look;
  gint64 work; /* ns of processors, which choose the looks that are tried; none is judged by them */
} Gap;

static GMutex lock;
static guint n_looks;
static guint cancel_at;
static gint64 last;
static gint64 work_at_cancel;
static gint64 time_at_cancel; /* µs */
static Gap longest[KEPT];
static char *to;

static gint64
get_work (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (gint64) time.tv_sec * 1000000000 + time.tv_nsec;
}

static void
note_gap (void)
{
  gint64 now = get_work ();
  Gap gap = { n_looks, now - last };

  last = now;
  for (guint i = 0; i < KEPT; i++)
    if (gap.work > longest[i].work) {
      Gap swap = longest[i];

      longest[i] = gap;
      gap = swap;
    }
}

/* Others that start it, or that it starts, are none of what is counted. */
__attribute__ ((constructor)) static void
begin (void)
{
  const char *word = g_getenv ("PEN_LOOKS_CANCEL");
  const char *program = g_getenv ("PEN_LOOKS_PROGRAM");

  if (!g_str_has_prefix (program_invocation_short_name, program ? program : "pentimento-cli"))
    return;

  to = g_strdup (g_getenv ("PEN_LOOKS_TO"));
  cancel_at = word ? (guint) g_ascii_strtoull (word, NULL, 10) : 0;
  g_unsetenv ("LD_PRELOAD");
  g_unsetenv ("PEN_LOOKS_TO");
  g_unsetenv ("PEN_LOOKS_CANCEL");
  last = get_work ();
}

__attribute__ ((destructor)) static void
end (void)
{
  FILE *file = to ? fopen (to, "we") : NULL;

  if (!file)
    return;
  note_gap ();
  fprintf (file, "%u %.1f %.1f\n", n_looks,
           time_at_cancel > 0 ? (double) (get_work () - work_at_cancel) / 1e6 : 0,
           time_at_cancel > 0 ? (double) (g_get_monotonic_time () - time_at_cancel) / 1e3 : 0);
  for (guint i = 0; i < KEPT && longest[i].work > 0; i++)
    fprintf (file, "%u %.1f\n", longest[i].look, (double) longest[i].work / 1e6);
  fclose (file);
}

static void
look (GCancellable *cancellable)
{
  gboolean is_it;

  if (!cancellable)
    return;
  g_mutex_lock (&lock);
  note_gap ();
  is_it = ++n_looks == cancel_at;
  g_mutex_unlock (&lock);
  if (is_it) {
    g_cancellable_cancel (cancellable);
    work_at_cancel = get_work ();
    time_at_cancel = g_get_monotonic_time ();
    CALLGRIND_START_INSTRUMENTATION;
  }
}

/* As GLib's, and what is answered is as of before. */
gboolean
g_cancellable_is_cancelled (GCancellable *cancellable)
{
  static gboolean (*real) (GCancellable *);
  gboolean is_cancelled;

  if (!real)
    real = (gboolean (*) (GCancellable *)) dlsym (RTLD_NEXT, "g_cancellable_is_cancelled");
  is_cancelled = real (cancellable);
  look (cancellable);
  return is_cancelled;
}

gboolean
g_cancellable_set_error_if_cancelled (GCancellable *cancellable, GError **error)
{
  static gboolean (*real) (GCancellable *, GError **);
  gboolean is_cancelled;

  if (!real)
    real = (gboolean (*) (GCancellable *, GError **)) dlsym (
        RTLD_NEXT, "g_cancellable_set_error_if_cancelled");
  is_cancelled = real (cancellable, error);
  look (cancellable);
  return is_cancelled;
}
