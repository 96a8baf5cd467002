/* test-streams.c: captures through a FIFO or standard input
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-test-lines.h"
#include "pen-test-samples.h"
#include "pen-test-stream.h"

#define AUXTRACE_SIZE 100000

static void
test_fifo (Fixture *fixture, gconstpointer data)
{
  const StreamShape *shape = data;
  g_autofree char *fifo = stream_make_fifo (fixture);
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (GPtrArray) expected = stream_write_expected (fixture, shape, &bytes, &length);
  StreamWriter writer = { fifo, -1, (const guint8 *) bytes, length, 50000, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = NULL;

  stream_writer_start (&writer);
  reader = pen_reader_open (fifo, NULL, &error);
  g_assert_no_error (error);
  stream_check (reader, shape, expected, length);
  g_thread_join (writer.thread);
}

/* Makes @fd standard input; returns the one that was. */
static int
replace_standard_input (int fd)
{
  int saved = fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, 3);

  g_assert_cmpint (dup2 (fd, STDIN_FILENO), ==, STDIN_FILENO);
  close (fd);
  return saved;
}

static void
restore_standard_input (int saved)
{
  if (saved < 0) {
    close (STDIN_FILENO);
    return;
  }
  g_assert_cmpint (dup2 (saved, STDIN_FILENO), ==, STDIN_FILENO);
  close (saved);
}

static void
test_standard_input (Fixture *fixture, gconstpointer data)
{
  const StreamShape *shape = data;
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (GPtrArray) expected = stream_write_expected (fixture, shape, &bytes, &length);
  StreamWriter writer = { NULL, -1, (const guint8 *) bytes, length, 0, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = NULL;
  int ends[2], saved;

  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  writer.fd = ends[1];
  saved = replace_standard_input (ends[0]);
  stream_writer_start (&writer);
  reader = pen_reader_open ("-", NULL, &error);
  g_assert_no_error (error);
  stream_check (reader, shape, expected, length);
  g_thread_join (writer.thread);
  restore_standard_input (saved);
}

/* `< perf.data`, and a shell's `{ head -c 5 >/dev/null; pentimento-cli info -; } < file` */
static void
test_redirected_file (Fixture *fixture, gconstpointer data)
{
  gboolean is_partly_read = GPOINTER_TO_INT (data);
  g_autofree char *bytes = NULL;
  g_autofree char *longer = NULL;
  gsize length;
  g_autoptr (GPtrArray) expected
      = stream_write_expected (fixture, &stream_shapes[STREAM_SHAPE_FILE], &bytes, &length);
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GError) error = NULL;
  int fd, saved;

  if (is_partly_read) {
    longer = g_malloc (length + 5);
    memcpy (longer, "12345", 5);
    memcpy (longer + 5, bytes, length);
    fixture_write_bytes (fixture, longer, length + 5);
  }
  fd = open (fixture->path, O_RDONLY | O_CLOEXEC);
  g_assert_cmpint (lseek (fd, is_partly_read ? 5 : 0, SEEK_SET), >=, 0);
  saved = replace_standard_input (fd);
  lines = pen_test_read_lines ("-", NULL, &error);
  g_assert_no_error (error);
  pen_test_assert_same_lines (lines, expected);
  restore_standard_input (saved);
}

static void
test_bad_standard_input (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    const char *bytes;
    int code;
  } cases[] = {
    { "", PEN_READER_ERROR_EMPTY },
    { "PERFILE2", PEN_READER_ERROR_DAMAGED },
    { "some text, no recording", PEN_READER_ERROR_NOT_PERF_DATA },
  };
  int saved;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    int ends[2];

    g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
    g_assert_cmpint (write (ends[1], cases[i].bytes, strlen (cases[i].bytes)), >=, 0);
    close (ends[1]);
    saved = replace_standard_input (ends[0]);
    g_assert_null (pen_reader_open ("-", NULL, &error));
    g_assert_error (error, PEN_READER_ERROR, cases[i].code);
    restore_standard_input (saved);
  }

  saved = replace_standard_input (open ("/dev/null", O_RDONLY | O_CLOEXEC));
  {
    g_autoptr (GError) error = NULL;

    g_assert_null (pen_reader_open ("-", NULL, &error));
    g_assert_error (error, PEN_READER_ERROR, PEN_READER_ERROR_NOT_REGULAR);
  }
  restore_standard_input (saved);
  g_assert_false (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
}

/* A stream that ends anywhere gives the records that a file of that length gives. */
static void
test_stream_cut (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gsize length;
  g_autofree char *bytes = fixture_write_everything (fixture, PEN_TEST_CAPTURE_PIPE, &length);
  g_autofree char *fifo = stream_make_fifo (fixture);

  for (gsize cut = 17; cut < length; cut += 41) {
    StreamWriter writer = { fifo, -1, (const guint8 *) bytes, cut, 0, NULL };
    g_autoptr (GPtrArray) of_file = NULL;
    g_autoptr (GPtrArray) of_stream = NULL;
    g_autoptr (GPtrArray) file_problems = NULL;
    g_autoptr (GPtrArray) stream_problems = NULL;
    g_autoptr (GError) error = NULL;

    fixture_write_bytes (fixture, bytes, cut);
    of_file = pen_test_read_lines (fixture->path, &file_problems, &error);
    g_assert_no_error (error);
    stream_writer_start (&writer);
    of_stream = pen_test_read_lines (fifo, &stream_problems, &error);
    g_assert_no_error (error);
    g_thread_join (writer.thread);
    pen_test_assert_same_lines (of_stream, of_file);
    pen_test_assert_same_lines (stream_problems, file_problems);
  }
}

/* A payload that is passed over, and a stream that ends within it. */
static void
test_stream_skips (Fixture *fixture, gconstpointer data)
{
  gboolean is_cut = GPOINTER_TO_INT (data);
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autofree char *fifo = stream_make_fifo (fixture);
  g_autofree char *bytes = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GError) error = NULL;
  StreamWriter writer = { .fifo = fifo };

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_at (capture, 1, 1, 1, 0);
  pen_test_capture_add_comm (capture, 1, 1, FALSE, "before");
  pen_test_capture_add_auxtrace (capture, 6 * AUXTRACE_SIZE);
  pen_test_capture_add_comm (capture, 1, 1, FALSE, "after");
  pen_test_capture_write (capture, fixture->path, PEN_TEST_CAPTURE_PIPE, &error);
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &writer.length, NULL));
  writer.bytes = (const guint8 *) bytes;
  if (is_cut)
    writer.length -= AUXTRACE_SIZE;
  stream_writer_start (&writer);
  lines = pen_test_read_lines (fifo, &problems, &error);
  g_assert_no_error (error);
  g_thread_join (writer.thread);
  g_assert_cmpuint (lines->len, ==, is_cut ? 1 : 2);
  g_assert_cmpuint (problems->len, ==, is_cut);
  if (is_cut)
    g_assert_true (pen_test_has_problem (problems, "2 unknown 1 The recording ends within data"));
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (50000);
  g_cancellable_cancel (data);
  return NULL;
}

/* Nobody writes: opening can be given up. */
static void
test_cancel_wait (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *fifo = stream_make_fifo (fixture);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_autoptr (GError) error = NULL;

  g_assert_null (pen_reader_open (fifo, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
}

/* The writer is still there, but writes nothing more. */
static void
test_cancel_next (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *fifo = stream_make_fifo (fixture);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = NULL;
  g_autofree char *bytes = NULL;
  GThread *thread;
  PenRecord record;
  gsize length;
  int fd;

  bytes = fixture_write_everything (fixture, PEN_TEST_CAPTURE_PIPE, &length);
  fd = open (fifo, O_RDWR | O_CLOEXEC);
  g_assert_cmpint (write (fd, bytes, length), ==, (gssize) length);
  reader = pen_reader_open (fifo, NULL, &error);
  g_assert_no_error (error);
  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  while (pen_reader_next (reader, &record, cancellable, &error))
    ;
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  close (fd);
}

/* All that was written is handed on, though the writer is there and writes nothing more. */
static void
test_at_once (Fixture *fixture, gconstpointer data)
{
  const StreamShape *shape = data;
  g_autofree char *fifo = stream_make_fifo (fixture);
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (GPtrArray) expected = stream_write_expected (fixture, shape, &bytes, &length);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = NULL;
  int fd = open (fifo, O_RDWR | O_CLOEXEC);

  g_assert_cmpint (write (fd, bytes, length), ==, (gssize) length);
  reader = pen_reader_open (fifo, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < expected->len;) {
    g_autofree char *line = NULL;
    PenRecord record;

    g_assert_true (pen_reader_next (reader, &record, NULL, &error));
    if (record.type >= PEN_RECORD_HEADER_ATTR)
      continue;
    line = pen_test_describe (reader, &record);
    g_assert_cmpstr (line, ==, expected->pdata[i]);
    i++;
  }
  close (fd);
}

static void
add_shapes (const char *name, void (*func) (Fixture *, gconstpointer))
{
  for (guint i = 0; i < STREAM_SHAPES; i++) {
    g_autofree char *path = g_strdup_printf ("/perfdata/%s/%s", name, stream_shapes[i].name);

    g_test_add (path, Fixture, &stream_shapes[i], stream_set_up, func, stream_tear_down);
  }
}

int
main (int argc, char *argv[])
{
#define ADD(name, data, func)                                                                      \
  g_test_add ("/perfdata/" name, Fixture, GINT_TO_POINTER (data), stream_set_up, func,             \
              stream_tear_down)
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  add_shapes ("fifo", test_fifo);
  add_shapes ("standard-input", test_standard_input);
  ADD ("standard-input/redirected", FALSE, test_redirected_file);
  ADD ("standard-input/partly-read", TRUE, test_redirected_file);
  ADD ("standard-input/bad", 0, test_bad_standard_input);
  g_test_add ("/perfdata/fifo/at-once", Fixture, &stream_shapes[STREAM_SHAPE_PIPE], stream_set_up,
              test_at_once, stream_tear_down);
  ADD ("fifo/cut", 0, test_stream_cut);
  ADD ("fifo/skips", FALSE, test_stream_skips);
  ADD ("fifo/cut-in-payload", TRUE, test_stream_skips);
  ADD ("fifo/cancel-wait", 0, test_cancel_wait);
  ADD ("fifo/cancel-next", 0, test_cancel_next);
  return g_test_run ();
}
