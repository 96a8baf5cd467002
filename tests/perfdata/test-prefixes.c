/* test-prefixes.c: every bundled capture, cut off everywhere
 *
 * As if the recorder's disk was full, or a copy ended early: what is left gives the first of the
 * records that the whole gives, and a row tells where it ended. Each byte of the first 8 KiB is an
 * end, and then each 64th; with PENTIMENTO_EXHAUSTIVE unset, of the latter only as many as take
 * little time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "pen-reader.h"
#include "pen-test-fixture.h"

#define FINE_END 8192
#define COARSE_STEP 64
/* How many of the coarse ends are tried of each capture, unless all are. */
#define COARSE_MAX 1500

typedef struct {
  guint32 type;
  guint8 has;
  guint64 position;
  guint64 time;
} Seen;

static const char *const captures[] = {
  "a-jump-labels.data", "a-pipe.data",         "b-ftrace.data",     "c-kprobes.data", "d-bpf.data",
  "e-modules.data",     "f-everything-z.data", "k7-c-kprobes.data", "k7-d-bpf.data",
};

static void
take (const PenRecord *record, Seen *seen)
{
  memset (seen, 0, sizeof *seen);
  seen->type = record->type;
  seen->has = record->has;
  seen->position = record->position;
  seen->time = record->time;
}

static GArray *
read_whole (const char *path)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Seen));
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = pen_reader_open (path, NULL, &error);
  PenRecord record;

  g_assert_no_error (error);
  while (pen_reader_next (reader, &record, NULL, &error)) {
    Seen seen;

    take (&record, &seen);
    g_array_append_val (all, seen);
  }
  g_assert_no_error (error);
  g_assert_cmpuint (all->len, >, 1000);
  return all;
}

/* A row says where the file ended, and lies within it. Where only features are missing, those are
 * set aside. */
static void
assert_tells_its_end (PenReader *reader, gsize cut, gboolean is_whole)
{
  GPtrArray *problems = pen_reader_get_problems (reader);
  gboolean tells = FALSE;

  for (guint i = 0; i < problems->len; i++) {
    const PenProblem *problem = g_ptr_array_index (problems, i);

    g_assert_cmpuint (problem->offset, <=, cut);
    tells |= is_whole || problem->action == PEN_PROBLEM_ENDED;
  }
  g_assert_true (tells);
}

/* How many records there are; none if it cannot be opened. */
static guint
check_prefix (const char *path, gsize cut, const GArray *whole, gboolean is_pipe)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = pen_reader_open (path, NULL, &error);
  guint count = 0;
  PenRecord record;

  if (!reader) {
    g_assert_nonnull (strstr (error->message, path));
    return 0;
  }
  while (pen_reader_next (reader, &record, NULL, &error)) {
    Seen seen;

    take (&record, &seen);
    g_assert_cmpuint (count, <, whole->len);
    g_assert_cmpmem (&seen, sizeof seen, &g_array_index (whole, Seen, count), sizeof seen);
    count++;
  }
  g_assert_no_error (error);
  /* A pipe may end after any record; a file's header says how long it is to be. */
  if (!is_pipe)
    assert_tells_its_end (reader, cut, count == whole->len);
  return count;
}

/* From the whole down: each end is made by cutting a little more off. */
static void
test_prefixes (Fixture *fixture, gconstpointer data)
{
  const char *name = data;
  g_autofree char *given = g_test_build_filename (G_TEST_DIST, "data", name, NULL);
  gboolean is_pipe = !g_file_test (given, G_FILE_TEST_IS_DIR);
  g_autofree char *source = is_pipe ? g_strdup (given) : g_build_filename (given, "data", NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (GArray) whole = NULL;
  gsize length, step;
  guint least, ends = 0;

  g_assert_true (g_file_get_contents (source, &bytes, &length, NULL));
  fixture_write_bytes (fixture, bytes, length);
  whole = read_whole (fixture->path);
  least = whole->len;

  step = COARSE_STEP;
  if (!g_getenv ("PENTIMENTO_EXHAUSTIVE"))
    while ((length - FINE_END) / step > COARSE_MAX)
      step += COARSE_STEP;
  for (gsize cut = (length - 1) / step * step; cut > 0; ends++) {
    guint count;

    g_assert_cmpint (truncate (fixture->path, (off_t) cut), ==, 0);
    count = check_prefix (fixture->path, cut, whole, is_pipe);
    g_assert_cmpuint (count, <=, least);
    least = count;
    cut = cut <= FINE_END ? cut - 1 : MAX (cut - step, FINE_END);
  }
  g_test_message ("%s: %u ends", name, ends);
  g_assert_cmpuint (ends, >, FINE_END);
  g_assert_cmpuint (least, ==, 0);
}

/* Of a directory with several files of records, each is cut in turn: the others are read. */
static void
test_prefixes_of_directory (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const names[] = { "data", "data.0", "data.1" };
  static const PenTestCaptureFlags shapes[]
      = { PEN_TEST_CAPTURE_THREADS, PEN_TEST_CAPTURE_THREADS | PEN_TEST_CAPTURE_ZSTD };

  for (guint i = 0; i < G_N_ELEMENTS (shapes) * G_N_ELEMENTS (names); i++) {
    g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
    g_autofree char *path = g_build_filename (fixture->path, names[i % G_N_ELEMENTS (names)], NULL);
    g_autofree char *bytes = NULL;
    guint64 whole[2] = { 0, 0 };
    gsize length;

    pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
    for (guint k = 0; k < 60; k++) {
      pen_test_capture_at (capture, 1000 + k, 1, 1, k % 2);
      pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0x1000, 1);
    }
    g_assert_true (
        pen_test_capture_write (capture, fixture->path, shapes[i / G_N_ELEMENTS (names)], NULL));
    g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));

    for (gsize cut = length + 1; cut-- > 0;) {
      g_autoptr (GError) error = NULL;
      g_autoptr (PenReader) reader = NULL;
      guint64 counts[2] = { 0, 0 };
      PenRecord record;

      g_assert_cmpint (truncate (path, (off_t) cut), ==, 0);
      reader = pen_reader_open (fixture->path, NULL, &error);
      if (!reader) {
        g_assert_cmpstr (names[i % G_N_ELEMENTS (names)], ==, "data");
        continue;
      }
      while (pen_reader_next (reader, &record, NULL, &error)) {
        if (record.type == PEN_RECORD_SAMPLE)
          counts[record.cpu % 2]++;
      }
      g_assert_no_error (error);
      for (guint cpu = 0; cpu < 2; cpu++) {
        if (g_str_equal (names[i % G_N_ELEMENTS (names)], "data")
            || cpu != (guint) (path[strlen (path) - 1] - '0'))
          g_assert_cmpuint (counts[cpu], ==, 30);
        whole[cpu] = MAX (whole[cpu], counts[cpu]);
      }
    }
    g_assert_cmpuint (whole[0] + whole[1], ==, 60);
  }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (captures); i++) {
    g_autofree char *path = g_strdup_printf ("/perfdata/prefixes/%s", captures[i]);

    g_test_add (path, Fixture, captures[i], fixture_set_up, test_prefixes, fixture_tear_down);
  }
  g_test_add ("/perfdata/prefixes/directory", Fixture, NULL, fixture_set_up,
              test_prefixes_of_directory, fixture_tear_down);
  return g_test_run ();
}
