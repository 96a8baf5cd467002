/* test-files.c: files that change while they are read, and files that cannot be read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "pen-reader.h"
#include "pen-reason.h"
#include "pen-test-fixture.h"
#include "pen-test-lines.h"

#define SAMPLES 60000
#define NOBODY 65534

typedef struct {
  const char *name;
  PenTestCaptureFlags flags;
  const char *file; /* in the directory; NULL: the capture is a file */
} Shape;

static const Shape shapes[] = {
  { "file", PEN_TEST_CAPTURE_FILE, NULL },
  { "pipe", PEN_TEST_CAPTURE_PIPE, NULL },
  { "zstd", PEN_TEST_CAPTURE_ZSTD, NULL },
  { "directory", PEN_TEST_CAPTURE_DIRECTORY, "data" },
  { "threads", PEN_TEST_CAPTURE_THREADS, "data.0" },
  { "threads-last", PEN_TEST_CAPTURE_THREADS, "data.1" },
  { "threads-zstd", PEN_TEST_CAPTURE_THREADS | PEN_TEST_CAPTURE_ZSTD, "data.1" },
};

static char *
write_capture (Fixture *fixture, const Shape *shape)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (GError) error = NULL;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_finished_round (capture);
  for (guint i = 0; i < SAMPLES; i++) {
    /* Hard to compress, so that compressed files are too large for the reader's buffer as well. */
    pen_test_capture_at (capture, 1 + g_random_int (), (gint32) g_random_int (), 1, i % 2);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL,
                                 (guint64) g_random_int () << 32 | g_random_int (), i);
  }
  pen_test_capture_write (capture, fixture->path, shape->flags, &error);
  g_assert_no_error (error);
  return shape->file ? g_build_filename (fixture->path, shape->file, NULL)
                     : g_strdup (fixture->path);
}

/* The rest of the samples. */
static guint
read_rest (PenReader *reader)
{
  g_autoptr (GError) error = NULL;
  guint count = 0;
  PenRecord record;

  while (pen_reader_next (reader, &record, NULL, &error))
    count += record.type == PEN_RECORD_SAMPLE;
  g_assert_no_error (error);
  return count;
}

static PenReader *
open_and_read_some (Fixture *fixture, guint *count)
{
  g_autoptr (GError) error = NULL;
  PenReader *reader = pen_reader_open (fixture->path, NULL, &error);
  PenRecord record;

  g_assert_no_error (error);
  *count = 0;
  while (*count < 10) {
    g_assert_true (pen_reader_next (reader, &record, NULL, &error));
    *count += record.type == PEN_RECORD_SAMPLE;
  }
  return reader;
}

static void
assert_tells_of_shrinking (PenReader *reader)
{
  GPtrArray *problems = pen_reader_get_problems (reader);
  gboolean tells = FALSE;

  for (guint i = 0; i < problems->len; i++) {
    const PenProblem *problem = g_ptr_array_index (problems, i);

    tells |= problem->action == PEN_PROBLEM_ENDED
             && g_str_equal (problem->reason, PEN_REASON_FILE_SHRANK);
  }
  g_assert_true (tells);
}

static void
test_shrinks (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_capture (fixture, data);
  guint count;
  g_autoptr (PenReader) reader = open_and_read_some (fixture, &count);
  GStatBuf info;

  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_size, >, 600000);
  g_assert_cmpint (truncate (path, info.st_size / 2 + 3), ==, 0);
  count += read_rest (reader);
  g_assert_cmpuint (count, >, SAMPLES / 5);
  g_assert_cmpuint (count, <, SAMPLES);
  assert_tells_of_shrinking (reader);
}

static void
test_vanishes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_capture (fixture, data);
  guint count;
  g_autoptr (PenReader) reader = open_and_read_some (fixture, &count);

  g_assert_cmpint (truncate (path, 0), ==, 0);
  g_assert_cmpuint (count + read_rest (reader), <, SAMPLES);
  assert_tells_of_shrinking (reader);
}

/* The recorder's next recording takes its name, or it is deleted: what was opened is read on. */
static void
test_replaced (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_capture (fixture, data);
  guint count;
  g_autoptr (PenReader) reader = open_and_read_some (fixture, &count);

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_true (g_file_set_contents (path, "something else", -1, NULL));
  g_assert_cmpuint (count + read_rest (reader), ==, SAMPLES);
  g_assert_cmpuint (pen_reader_get_problems (reader)->len, ==, 0);
}

/* Written over in place, as `cp` does: it ends, with rows that tell of the damage. */
static void
test_written_over (Fixture *fixture, gconstpointer data)
{
  static const guint8 fillers[] = { 0x00, 0x09, 0x55, 0xff };

  for (guint i = 0; i < G_N_ELEMENTS (fillers); i++) {
    g_autofree char *path = write_capture (fixture, data);
    guint count;
    g_autoptr (PenReader) reader = open_and_read_some (fixture, &count);
    GStatBuf info;
    g_autofree char *bytes = NULL;
    FILE *file;

    g_assert_cmpint (g_stat (path, &info), ==, 0);
    bytes = g_malloc ((gsize) info.st_size);
    memset (bytes, fillers[i], (gsize) info.st_size);
    file = g_fopen (path, "r+");
    g_assert_cmpuint (fwrite (bytes, 1, (gsize) info.st_size, file), ==, info.st_size);
    fclose (file);
    g_assert_cmpuint (count + read_rest (reader), <, SAMPLES);
    g_assert_cmpuint (pen_reader_get_problems (reader)->len, >, 0);
  }
}

/* It grows, as a recording that is still going on: what it was is what is read. */
static void
test_grows (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_capture (fixture, data);
  guint count;
  g_autoptr (PenReader) reader = open_and_read_some (fixture, &count);
  FILE *file = g_fopen (path, "a");

  for (guint i = 0; i < 100000; i++)
    fputs ("more and more ", file);
  fclose (file);
  g_assert_cmpuint (count + read_rest (reader), ==, SAMPLES);
  g_assert_cmpuint (pen_reader_get_problems (reader)->len, ==, 0);
}

static void
assert_refused (const char *path, GQuark domain, int code, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (pen_reader_open (path, NULL, &error));
  g_assert_error (error, domain, code);
  g_assert_nonnull (strstr (error->message, path));
  g_assert_nonnull (strstr (error->message, part));
}

/* root reads everything, so that the rights to do so are given up for a while. */
static gboolean
become_nobody (void)
{
  return geteuid () != 0 || seteuid (NOBODY) == 0;
}

static void
become_oneself (gboolean was_root)
{
  if (was_root)
    g_assert_cmpint (seteuid (0), ==, 0);
}

static void
test_unreadable (Fixture *fixture, gconstpointer data)
{
  const Shape *shape = data;
  gboolean was_root = geteuid () == 0;
  g_autofree char *path = write_capture (fixture, shape);

  g_assert_cmpint (chmod (fixture->directory, 0755), ==, 0);
  g_assert_cmpint (chmod (path, 0), ==, 0);
  if (!become_nobody ()) {
    g_test_skip ("root cannot give up its rights here");
    return;
  }
  if (shape->file && !g_str_equal (shape->file, "data")) {
    /* One of several files: the others are read. */
    g_autoptr (GPtrArray) problems = NULL;
    g_autoptr (GPtrArray) lines = pen_test_read_lines (fixture->path, &problems, NULL);

    g_assert_cmpuint (lines->len, ==, SAMPLES / 2);
    g_assert_true (pen_test_has_problem (problems, "1 unknown 1 Cannot read"));
  } else {
    assert_refused (path, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "sudo chown -R");
  }
  become_oneself (was_root);
}

/* The whole directory belongs to root, with mode 0700. */
static void
test_unreadable_directory (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gboolean was_root = geteuid () == 0;
  g_autofree char *path = write_capture (fixture, &shapes[3]);

  g_assert_cmpint (chmod (fixture->directory, 0755), ==, 0);
  g_assert_cmpint (chmod (fixture->path, 0), ==, 0);
  if (!become_nobody ()) {
    g_test_skip ("root cannot give up its rights here");
    return;
  }
  assert_refused (fixture->path, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "sudo chown -R");
  become_oneself (was_root);
  g_assert_cmpint (chmod (fixture->path, 0755), ==, 0);
}

static int
bind_socket (const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  g_assert_cmpuint (strlen (path), <, sizeof address.sun_path);
  strcpy (address.sun_path, path);
  g_assert_cmpint (bind (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  return fd;
}

static void
test_not_regular (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *inner = g_build_filename (fixture->path, "data", NULL);
  g_autofree char *missing = g_build_filename (fixture->directory, "missing", NULL);
  int fd;

  assert_refused (fixture->path, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "No such file");
  assert_refused (fixture->directory, PEN_READER_ERROR, PEN_READER_ERROR_NOT_PERF_DATA,
                  "without a file “data”");
  fd = bind_socket (fixture->path);
  assert_refused (fixture->path, PEN_READER_ERROR, PEN_READER_ERROR_NOT_REGULAR, "save the");
  close (fd);
  g_unlink (fixture->path);

  g_assert_cmpint (symlink (missing, fixture->path), ==, 0);
  assert_refused (fixture->path, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "No such file");
  g_unlink (fixture->path);
  g_assert_cmpint (symlink (fixture->path, fixture->path), ==, 0);
  assert_refused (fixture->path, G_IO_ERROR, G_IO_ERROR_TOO_MANY_LINKS, "symbolic links");
  g_unlink (fixture->path);

  /* A directory, a FIFO, and a device where a directory's `data` should be. */
  g_assert_cmpint (g_mkdir_with_parents (inner, 0755), ==, 0);
  assert_refused (fixture->path, PEN_READER_ERROR, PEN_READER_ERROR_NOT_REGULAR,
                  "is a directory, not a file");
  g_rmdir (inner);
  g_assert_cmpint (mkfifo (inner, 0600), ==, 0);
  assert_refused (fixture->path, PEN_READER_ERROR, PEN_READER_ERROR_NOT_REGULAR, "save the");
  g_unlink (inner);
  g_assert_cmpint (symlink ("/dev/zero", inner), ==, 0);
  assert_refused (fixture->path, PEN_READER_ERROR, PEN_READER_ERROR_NOT_REGULAR, "save the");
}

static void
add_shapes (const char *name, void (*func) (Fixture *, gconstpointer))
{
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    g_autofree char *path = g_strdup_printf ("/perfdata/files/%s/%s", name, shapes[i].name);

    g_test_add (path, Fixture, &shapes[i], fixture_set_up, func, fixture_tear_down);
  }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add_shapes ("shrinks", test_shrinks);
  add_shapes ("vanishes", test_vanishes);
  add_shapes ("replaced", test_replaced);
  add_shapes ("written-over", test_written_over);
  add_shapes ("grows", test_grows);
  add_shapes ("unreadable", test_unreadable);
  g_test_add ("/perfdata/files/unreadable-directory", Fixture, NULL, fixture_set_up,
              test_unreadable_directory, fixture_tear_down);
  g_test_add ("/perfdata/files/not-regular", Fixture, NULL, fixture_set_up, test_not_regular,
              fixture_tear_down);
  return g_test_run ();
}
