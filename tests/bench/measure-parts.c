/* measure-parts.c: what each part of a recording costs while it is made
 *
 * The recording is written once more, half a second of its time after the other, as fast as the
 * parts are made. Prints for each tenth part (or @EVERY-th) its time, samples, CPU time in ms, and
 * how far it is behind.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pen-kept-names.h"
#include "pen-part-importer.h"
#include "pen-reader.h"

#define STEP (500 * (guint64) 1000000)
/* kernel's tools/perf/Documentation/perf.data-file-format.txt */
#define AT_DATA_SIZE 48

typedef struct {
  guint64 end;  /* offset */
  guint64 time; /* the newest, ns since the first */
} Step;

static double
get_cpu_ms (void)
{
  struct timespec spent;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &spent);
  return (double) spent.tv_sec * 1e3 + (double) spent.tv_nsec / 1e6;
}

/* Rounds that end half a second after the last one that counted. */
static GArray *
find_steps (const char *path)
{
  g_autoptr (PenReader) reader = pen_reader_open (path, NULL, NULL);
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (Step));
  guint64 first = 0;
  guint64 last = 0;
  guint64 next = 0;
  PenRecord record;

  while (reader && pen_reader_next (reader, &record, NULL, NULL)) {
    if (record.type == PEN_RECORD_SAMPLE) {
      first = first == 0 ? record.time : MIN (first, record.time);
      last = MAX (last, record.time);
    }
    if (record.type == PEN_RECORD_FINISHED_ROUND && first != 0 && last - first >= next) {
      Step step = { record.offset + 8, last - first };

      g_array_append_val (steps, step);
      next = last - first + STEP;
    }
  }
  return steps;
}

static void
put (int from, int to, guint64 *at, guint64 end)
{
  static guint8 bytes[1 << 20];

  while (*at < end) {
    gssize n = pread (from, bytes, MIN (sizeof bytes, end - *at), (off_t) *at);

    if (n <= 0 || pwrite (to, bytes, (gsize) n, (off_t) *at) != n)
      g_error ("cannot copy");
    if (*at <= AT_DATA_SIZE && *at + (guint64) n > AT_DATA_SIZE
        && pwrite (to, &(guint64){ 0 }, 8, AT_DATA_SIZE) != 8)
      g_error ("cannot write");
    *at += (guint64) n;
  }
}

static PenStore *
import_whole (const char *path, const char *directory, const PenSources *sources)
{
  g_autofree char *place = g_build_filename (directory, "whole.pentimento", NULL);
  g_autoptr (GError) error = NULL;
  PenStore *store = NULL;

  if (pen_import_growing (path, place, sources, NULL, &error))
    store = pen_store_open (place, &error);
  if (!store)
    g_printerr ("%s\n", error->message);
  return store;
}

static PenStore *
import_next (PenPartImporter *parts)
{
  g_autoptr (GError) error = NULL;
  gboolean is_fit;
  PenStore *store = pen_part_importer_next (parts, &is_fit, NULL, &error);

  if (error || !is_fit)
    g_printerr ("%s\n", error ? error->message : "not fit");
  return store;
}

int
main (int argc, char **argv)
{
  g_autofree char *directory = g_dir_make_tmp ("measure-parts-XXXXXX", NULL);
  g_autofree char *copy = g_build_filename (directory, "perf.data", NULL);
  PenKeptNames *names = pen_kept_names_new ();
  const PenSources sources = { .kept = names };
  g_autoptr (PenPartImporter) parts = pen_part_importer_new (copy, directory, &sources);
  gboolean is_whole = argc > 3 && strcmp (argv[3], "whole") == 0;
  guint every = argc > 2 ? (guint) atoi (argv[2]) : 10;
  g_autoptr (GArray) steps = NULL;
  guint64 at = 0;
  double sum = 0;
  int from, to;

  if (argc < 2 || every == 0) {
    g_printerr ("measure-parts CAPTURE [EVERY [whole]]\n");
    return 2;
  }
  steps = find_steps (argv[1]);
  from = open (argv[1], O_RDONLY | O_CLOEXEC);
  to = open (copy, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  for (guint i = 0; i < steps->len; i++) {
    const Step *step = &g_array_index (steps, Step, i);
    g_autoptr (PenStore) store = NULL;
    double begin;

    put (from, to, &at, step->end);
    if (is_whole && i % every != 0)
      continue;
    begin = get_cpu_ms ();
    store = is_whole ? import_whole (copy, directory, &sources) : import_next (parts);
    sum += get_cpu_ms () - begin;
    if (store && i % every == 0) {
      printf ("%8.1f s %10" G_GINT64_FORMAT " samples %8.1f ms\n", (double) step->time / 1e9,
              pen_store_get_fact_int (store, "samples", 0),
              sum / (is_whole ? 1 : MIN (i + 1, every)));
      fflush (stdout);
      sum = 0;
    }
  }
  g_clear_pointer (&parts, pen_part_importer_free);
  pen_kept_names_free (names);
  g_unlink (copy);
  g_rmdir (directory);
  return 0;
}
