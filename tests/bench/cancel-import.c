/* cancel-import.c: how long an import takes to stop
 *
 * cancel-import CAPTURE STORE [RUNS]: imports again and again, cancels each at another moment, and
 * prints for each stage how long it took until all was cleaned up: milliseconds, median and most,
 * and the most time of processors in it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "pen-import.h"

typedef struct {
  gint64 begun[PEN_IMPORT_STAGES + 1]; /* when each stage was first told of */
  GMutex lock;
  GCond changed;
  gboolean is_done;

  GCancellable *cancellable;
  guint aimed;
  gint64 delay;     /* from the beginning of that stage */
  gint64 cancelled; /* when; 0: not */
  gint64 processed; /* µs of processor time until then */
} Run;

static void
note_stage (const PenImportProgress *progress, gpointer user_data)
{
  Run *run = user_data;

  g_mutex_lock (&run->lock);
  if (run->begun[progress->stage] == 0)
    run->begun[progress->stage] = g_get_monotonic_time ();
  g_cond_signal (&run->changed);
  g_mutex_unlock (&run->lock);
}

/* Of all threads, µs: what is left of it when other programs take the processors, too. */
static gint64
get_processor_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (gint64) time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static gpointer
stop_later (gpointer user_data)
{
  Run *run = user_data;

  g_mutex_lock (&run->lock);
  while (!run->is_done && run->begun[run->aimed] == 0)
    g_cond_wait (&run->changed, &run->lock);
  while (!run->is_done
         && g_cond_wait_until (&run->changed, &run->lock, run->begun[run->aimed] + run->delay))
    ;
  if (!run->is_done) {
    run->cancelled = g_get_monotonic_time ();
    run->processed = get_processor_time ();
    g_cancellable_cancel (run->cancellable);
  }
  g_mutex_unlock (&run->lock);
  return NULL;
}

/* Returns: µs between the cancelling and the end; -1: it was done before. */
static gint64
run_once (const char *capture, const char *store, guint aimed, gint64 delay, gint64 *processed)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Run run = { .cancellable = cancellable, .aimed = aimed, .delay = delay };
  GThread *thread = g_thread_new ("stop", stop_later, &run);
  gboolean ok = pen_import (capture, store, NULL, note_stage, &run, cancellable, &error);
  gint64 end = g_get_monotonic_time ();
  gint64 processed_end = get_processor_time ();

  g_mutex_lock (&run.lock);
  run.is_done = TRUE;
  g_cond_signal (&run.changed);
  g_mutex_unlock (&run.lock);
  g_thread_join (thread);

  *processed = MAX (*processed, run.cancelled != 0 ? processed_end - run.processed : 0);
  return ok || run.cancelled == 0 ? -1 : end - run.cancelled;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a;
  gint64 y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

static void
print_row (const char *what, gint64 length, GArray *took, gint64 processed)
{
  g_array_sort (took, compare);
  printf ("%-24s %10.0f %6u", what, (double) length / 1000, took->len);
  if (took->len > 0)
    printf (" %8.1f %8.1f %8.1f", (double) g_array_index (took, gint64, took->len / 2) / 1000,
            (double) g_array_index (took, gint64, took->len - 1) / 1000, (double) processed / 1000);
  putchar ('\n');
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  guint runs = argc > 3 ? (guint) MAX (atoi (argv[3]), 1) : 40;
  Run whole = { 0 };
  g_autoptr (GError) error = NULL;

  if (argc < 3 || !pen_import (argv[1], argv[2], NULL, note_stage, &whole, NULL, &error)) {
    fprintf (stderr, "%s\n", error ? error->message : "cancel-import CAPTURE STORE [RUNS]");
    return 1;
  }
  whole.begun[PEN_IMPORT_STAGES] = g_get_monotonic_time ();

  printf ("%-24s %10s %6s %8s %8s %8s\n", "cancelled while", "takes (ms)", "runs", "median", "most",
          "CPU");
  for (guint stage = 0; stage < PEN_IMPORT_STAGES; stage++) {
    gint64 length = whole.begun[stage + 1] - whole.begun[stage];
    g_autoptr (GArray) took = g_array_new (FALSE, FALSE, sizeof (gint64));
    gint64 processed = 0;

    for (guint i = 0; i < runs; i++) {
      gint64 delay = (gint64) (g_random_double () * (double) length);
      gint64 micro = run_once (argv[1], argv[2], stage, delay, &processed);

      if (micro >= 0)
        g_array_append_val (took, micro);
    }
    print_row (pen_import_stage_to_string (stage), length, took, processed);
  }
  return 0;
}
