/* test-streams.c: captures through a FIFO or standard input, and in wrappers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <lzma.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "pen-reader.h"
#include "pen-magic.h"
#include "pen-test-fixture.h"
#include "pen-test-lines.h"
#include "pen-test-samples.h"

#define AUXTRACE_SIZE 100000

/* Writes to a FIFO or a pipe as another process would: in pieces of odd sizes, and not at once. */
typedef struct {
  const char *fifo; /* NULL: @fd is open */
  int fd;
  const guint8 *bytes;
  gsize length;
  guint delay_us;
  GThread *thread;
} Writer;

static gpointer
writer_run (gpointer data)
{
  Writer *self = data;
  gsize done = 0;

  g_usleep (self->delay_us);
  if (self->fifo)
    self->fd = open (self->fifo, O_WRONLY | O_CLOEXEC);
  g_assert_cmpint (self->fd, >=, 0);
  for (gsize piece = 1; done < self->length; piece = piece * 3 % 65521 + 1) {
    ssize_t n = write (self->fd, self->bytes + done, MIN (piece, self->length - done));

    if (n < 0)
      break; /* nobody reads on */
    done += (gsize) n;
  }
  close (self->fd);
  return NULL;
}

static void
writer_start (Writer *self)
{
  self->thread = g_thread_new ("writer", writer_run, self);
}

static char *
make_fifo (Fixture *fixture)
{
  char *fifo = g_build_filename (fixture->directory, "fifo", NULL);

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  return fifo;
}

static void
collect (PenReader *reader, GPtrArray *lines)
{
  g_autoptr (GError) error = NULL;
  PenRecord record;

  while (pen_reader_next (reader, &record, NULL, &error)) {
    if (record.type < PEN_RECORD_HEADER_ATTR)
      g_ptr_array_add (lines, pen_test_describe (reader, &record));
  }
  g_assert_no_error (error);
}

typedef struct {
  const char *name;
  PenTestCaptureFlags flags;
  const char *shape;
  gboolean is_streamed;
} Shape;

static const Shape shapes[] = {
  { "pipe", PEN_TEST_CAPTURE_PIPE, "pipe", TRUE },
  { "pipe-big-endian", PEN_TEST_CAPTURE_PIPE | PEN_TEST_CAPTURE_BIG_ENDIAN, "pipe", TRUE },
  { "pipe-zstd", PEN_TEST_CAPTURE_PIPE | PEN_TEST_CAPTURE_ZSTD, "pipe, compressed", TRUE },
  { "pipe-version-1",
    PEN_TEST_CAPTURE_PIPE | PEN_TEST_CAPTURE_VERSION_1 | PEN_TEST_CAPTURE_BIG_ENDIAN, "pipe",
    TRUE },
  { "file", PEN_TEST_CAPTURE_FILE, "file", FALSE },
  { "file-zstd-2", PEN_TEST_CAPTURE_ZSTD | PEN_TEST_CAPTURE_COMPRESSED2, "file, compressed",
    FALSE },
  { "file-unterminated", PEN_TEST_CAPTURE_UNTERMINATED, "file", FALSE },
  { "file-attrs-last", PEN_TEST_CAPTURE_ATTRS_LAST, "file", FALSE },
};

static void
check_reader (PenReader *reader, const Shape *shape, GPtrArray *expected, gsize length)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) again = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (pen_reader_get_size (reader), ==, shape->is_streamed ? 0 : length);
  collect (reader, lines);
  pen_test_assert_same_lines (lines, expected);
  g_assert_cmpstr (pen_reader_get_shape (reader), ==, shape->shape);
  g_assert_cmpuint (pen_reader_get_size (reader), ==, length);
  g_assert_cmpuint (pen_reader_get_bytes_read (reader), ==, length);

  if (shape->is_streamed) {
    g_assert_false (pen_reader_rewind (reader, &error));
    g_assert_error (error, PEN_READER_ERROR, PEN_READER_ERROR_UNSUPPORTED);
    return;
  }
  g_assert_true (pen_reader_rewind (reader, &error));
  collect (reader, again);
  pen_test_assert_same_lines (again, expected);
}

static GPtrArray *
write_expected (Fixture *fixture, const Shape *shape, char **bytes, gsize *length)
{
  GPtrArray *expected;

  *bytes = fixture_write_everything (fixture, shape->flags, length);
  expected = pen_test_read_lines (fixture->path, NULL, NULL);
  g_assert_nonnull (expected);
  return expected;
}

static void
test_fifo (Fixture *fixture, gconstpointer data)
{
  const Shape *shape = data;
  g_autofree char *fifo = make_fifo (fixture);
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (GPtrArray) expected = write_expected (fixture, shape, &bytes, &length);
  Writer writer = { fifo, -1, (const guint8 *) bytes, length, 50000, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = NULL;

  writer_start (&writer);
  reader = pen_reader_open (fifo, &error);
  g_assert_no_error (error);
  check_reader (reader, shape, expected, length);
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
  const Shape *shape = data;
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (GPtrArray) expected = write_expected (fixture, shape, &bytes, &length);
  Writer writer = { NULL, -1, (const guint8 *) bytes, length, 0, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = NULL;
  int ends[2], saved;

  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  writer.fd = ends[1];
  saved = replace_standard_input (ends[0]);
  writer_start (&writer);
  reader = pen_reader_open ("-", &error);
  g_assert_no_error (error);
  check_reader (reader, shape, expected, length);
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
  g_autoptr (GPtrArray) expected = write_expected (fixture, &shapes[4], &bytes, &length);
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
    g_assert_null (pen_reader_open ("-", &error));
    g_assert_error (error, PEN_READER_ERROR, cases[i].code);
    restore_standard_input (saved);
  }

  saved = replace_standard_input (open ("/dev/null", O_RDONLY | O_CLOEXEC));
  {
    g_autoptr (GError) error = NULL;

    g_assert_null (pen_reader_open ("-", &error));
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
  g_autofree char *fifo = make_fifo (fixture);

  for (gsize cut = 17; cut < length; cut += 41) {
    Writer writer = { fifo, -1, (const guint8 *) bytes, cut, 0, NULL };
    g_autoptr (GPtrArray) of_file = NULL;
    g_autoptr (GPtrArray) of_stream = NULL;
    g_autoptr (GPtrArray) file_problems = NULL;
    g_autoptr (GPtrArray) stream_problems = NULL;
    g_autoptr (GError) error = NULL;

    fixture_write_bytes (fixture, bytes, cut);
    of_file = pen_test_read_lines (fixture->path, &file_problems, &error);
    g_assert_no_error (error);
    writer_start (&writer);
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
  g_autofree char *fifo = make_fifo (fixture);
  g_autofree char *bytes = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GError) error = NULL;
  Writer writer = { .fifo = fifo };

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
  writer_start (&writer);
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
  g_autofree char *fifo = make_fifo (fixture);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_autoptr (GError) error = NULL;

  g_assert_null (pen_reader_open_cancellable (fifo, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
}

/* The writer is still there, but writes nothing more. */
static void
test_cancel_next (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *fifo = make_fifo (fixture);
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
  reader = pen_reader_open (fifo, &error);
  g_assert_no_error (error);
  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  while (pen_reader_next (reader, &record, cancellable, &error))
    ;
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  close (fd);
}

static GBytes *
pack (PenWrapper wrapper, gconstpointer data, gsize length)
{
  gsize room = length + length / 2 + 4096;
  guint8 *output = g_malloc (room);
  gsize used = 0;

  if (wrapper == PEN_WRAPPER_GZIP) {
    g_autoptr (GConverter) gzip
        = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6));
    gsize taken;

    g_assert_cmpint (g_converter_convert (gzip, data, length, output, room,
                                          G_CONVERTER_INPUT_AT_END, &taken, &used, NULL),
                     ==, G_CONVERTER_FINISHED);
  } else if (wrapper == PEN_WRAPPER_XZ) {
    g_assert_cmpint (lzma_easy_buffer_encode (1, LZMA_CHECK_CRC32, NULL, data, length, output,
                                              &used, room),
                     ==, LZMA_OK);
  } else {
    used = ZSTD_compress (output, room, data, length, 3);
    g_assert_false (ZSTD_isError (used));
  }
  return g_bytes_new_take (output, used);
}

static void
write_packed (Fixture *fixture, PenWrapper wrapper, gconstpointer data, gsize length)
{
  g_autoptr (GBytes) packed = pack (wrapper, data, length);
  gsize packed_length;
  const char *bytes = g_bytes_get_data (packed, &packed_length);

  fixture_write_bytes (fixture, bytes, packed_length);
}

static const PenWrapper wrappers[] = { PEN_WRAPPER_GZIP, PEN_WRAPPER_XZ, PEN_WRAPPER_ZSTD };

static void
assert_no_file_left (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)))
    g_assert_cmpstr (name, ==, "perf.data");
}

static void
test_wrapper (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    g_autofree char *bytes = NULL;
    gsize length;
    g_autoptr (GPtrArray) expected = write_expected (fixture, &shapes[i], &bytes, &length);

    for (guint j = 0; j < G_N_ELEMENTS (wrappers); j++) {
      Shape shape = shapes[i];
      g_autofree char *name
          = g_strdup_printf ("%s, %s", shape.shape, pen_wrapper_get_name (wrappers[j]));
      g_autoptr (GError) error = NULL;
      g_autoptr (PenReader) reader = NULL;

      write_packed (fixture, wrappers[j], bytes, length);
      reader = pen_reader_open (fixture->path, &error);
      g_assert_no_error (error);
      assert_no_file_left (fixture);
      shape.shape = name;
      shape.is_streamed = FALSE;
      check_reader (reader, &shape, expected, length);
      g_unlink (fixture->path);
    }
  }
}

/* As `cat a.gz b.gz` makes them; behind the last there may be what is none. */
static void
test_wrapper_parts (Fixture *fixture, gconstpointer data)
{
  gboolean with_rest = GPOINTER_TO_INT (data);
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (GPtrArray) expected = write_expected (fixture, &shapes[4], &bytes, &length);

  for (guint i = 0; i < G_N_ELEMENTS (wrappers); i++) {
    g_autoptr (GByteArray) all = g_byte_array_new ();
    g_autoptr (GPtrArray) lines = NULL;
    g_autoptr (GPtrArray) problems = NULL;
    g_autoptr (GError) error = NULL;
    gsize step = length / 3 + 1;

    for (gsize at = 0; at < length; at += step) {
      g_autoptr (GBytes) part = pack (wrappers[i], bytes + at, MIN (step, length - at));

      g_byte_array_append (all, g_bytes_get_data (part, NULL), (guint) g_bytes_get_size (part));
    }
    if (with_rest && wrappers[i] != PEN_WRAPPER_XZ) /* which knows padding of zeros only */
      g_byte_array_append (all, (const guint8 *) "trailing", 8);
    fixture_write_bytes (fixture, (const char *) all->data, all->len);
    lines = pen_test_read_lines (fixture->path, &problems, &error);
    g_assert_no_error (error);
    pen_test_assert_same_lines (lines, expected);
    g_assert_cmpuint (problems->len, ==, 0);
  }
}

/* Through a FIFO as well. */
static void
test_wrapper_in_fifo (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *fifo = make_fifo (fixture);
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (GPtrArray) expected = write_expected (fixture, &shapes[0], &bytes, &length);
  g_autoptr (GBytes) packed = pack (PEN_WRAPPER_XZ, bytes, length);
  Writer writer = { .fifo = fifo };
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GError) error = NULL;

  writer.bytes = g_bytes_get_data (packed, &writer.length);
  writer_start (&writer);
  lines = pen_test_read_lines (fifo, NULL, &error);
  g_assert_no_error (error);
  pen_test_assert_same_lines (lines, expected);
  g_thread_join (writer.thread);
}

/* Cut anywhere: what was good is read, and a row says why it ends; or there is a message. */
static void
test_wrapper_cut (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (GPtrArray) expected = write_expected (fixture, &shapes[0], &bytes, &length);

  for (guint i = 0; i < G_N_ELEMENTS (wrappers); i++) {
    g_autoptr (GBytes) packed = pack (wrappers[i], bytes, length);
    guint read = 0;

    for (gsize cut = 1; cut < g_bytes_get_size (packed); cut += 13) {
      g_autoptr (GPtrArray) lines = NULL;
      g_autoptr (GPtrArray) problems = NULL;
      g_autoptr (GError) error = NULL;

      fixture_write_bytes (fixture, g_bytes_get_data (packed, NULL), cut);
      lines = pen_test_read_lines (fixture->path, &problems, &error);
      if (!lines) {
        g_assert_nonnull (strstr (error->message, fixture->path));
        continue;
      }
      read++;
      g_assert_cmpuint (lines->len, <=, expected->len);
      for (guint k = 0; k < lines->len; k++)
        g_assert_cmpstr (g_ptr_array_index (lines, k), ==, g_ptr_array_index (expected, k));
      g_assert_true (pen_test_has_problem (problems, "2 unknown 1 The file is compressed by"));
    }
    /* zstd gives a block only when all of it is there. */
    if (wrappers[i] != PEN_WRAPPER_ZSTD)
      g_assert_cmpuint (read, >, 0);
  }
}

static void
test_wrapper_mutated (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (GPtrArray) expected = write_expected (fixture, &shapes[4], &bytes, &length);

  for (guint i = 0; i < 300; i++) {
    g_autoptr (GBytes) packed = pack (wrappers[i % 3], bytes, length);
    gsize packed_length = g_bytes_get_size (packed);
    g_autofree char *mutated = g_memdup2 (g_bytes_get_data (packed, NULL), packed_length);

    mutated[g_test_rand_int_range (0, (gint32) packed_length)] ^= 1 << g_test_rand_int_range (0, 8);
    fixture_write_bytes (fixture, mutated, packed_length);
    g_assert_cmpint (pen_test_count_records (fixture->path, NULL), <=, length / 8);
  }
  g_assert_cmpuint (expected->len, >, 0);
}

static void
assert_refused (Fixture *fixture, int code, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (pen_reader_open (fixture->path, &error));
  g_assert_error (error, PEN_READER_ERROR, code);
  g_assert_nonnull (strstr (error->message, fixture->path));
  if (!strstr (error->message, part))
    g_error ("“%s” is not in: %s", part, error->message);
}

static void
test_wrapper_of_others (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < G_N_ELEMENTS (wrappers); i++) {
    const char *name = pen_wrapper_get_name (wrappers[i]);
    g_autofree char *start = g_strdup_printf ("is compressed by %s, and what is in it", name);
    g_autofree char *inner_name = g_strdup_printf ("it is compressed by %s", name);
    g_autofree char *tar = g_malloc0 (10240);
    g_autoptr (GBytes) inner = pack (wrappers[i], "abc", 3);

    write_packed (fixture, wrappers[i], "a text of no use", 16);
    assert_refused (fixture, PEN_READER_ERROR_NOT_PERF_DATA, start);
    write_packed (fixture, wrappers[i], "", 0);
    assert_refused (fixture, PEN_READER_ERROR_EMPTY, "there is nothing in it");
    memcpy (tar, "perf.data", 9);
    memcpy (tar + 257, "ustar", 5);
    write_packed (fixture, wrappers[i], tar, 10240);
    assert_refused (fixture, PEN_READER_ERROR_NOT_PERF_DATA, "it is a tar archive");
    write_packed (fixture, wrappers[i], g_bytes_get_data (inner, NULL), g_bytes_get_size (inner));
    assert_refused (fixture, PEN_READER_ERROR_NOT_PERF_DATA, inner_name);
    fixture_write_bytes (fixture, tar, 10240);
    assert_refused (fixture, PEN_READER_ERROR_NOT_PERF_DATA, "it is a tar archive");
  }
}

/* A megabyte at most that becomes 300: it ends with a message, and leaves no file. */
static void
test_wrapper_bomb (Fixture *fixture, gconstpointer data)
{
  PenWrapper wrapper = (PenWrapper) GPOINTER_TO_INT (data);
  const gsize size = 300u * 1024 * 1024;
  g_autofree char *zeros = g_malloc0 (size);
  g_autoptr (GBytes) packed = NULL;

  memcpy (zeros, "PERFILE2\x10\0\0\0\0\0\0\0", 16);
  packed = pack (wrapper, zeros, size);
  g_assert_cmpuint (g_bytes_get_size (packed), <, 1024 * 1024);
  fixture_write_bytes (fixture, g_bytes_get_data (packed, NULL), g_bytes_get_size (packed));
  assert_refused (fixture, PEN_READER_ERROR_DAMAGED, "made to fill the disk");
  assert_no_file_left (fixture);
}

static void
test_no_room (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *nowhere = g_build_filename (fixture->directory, "missing", NULL);
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (GError) error = NULL;

  bytes = fixture_write_everything (fixture, PEN_TEST_CAPTURE_FILE, &length);
  write_packed (fixture, PEN_WRAPPER_GZIP, bytes, length);
  g_setenv ("TMPDIR", nowhere, TRUE);
  g_assert_null (pen_reader_open (fixture->path, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "Set TMPDIR"));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_unsetenv ("TMPDIR");
  fixture_set_up (fixture, data);
  g_setenv ("TMPDIR", fixture->directory, TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unsetenv ("TMPDIR");
  fixture_tear_down (fixture, data);
}

static void
add_shapes (const char *name, void (*func) (Fixture *, gconstpointer))
{
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    g_autofree char *path = g_strdup_printf ("/perfdata/%s/%s", name, shapes[i].name);

    g_test_add (path, Fixture, &shapes[i], set_up, func, tear_down);
  }
}

int
main (int argc, char *argv[])
{
#define ADD(name, data, func)                                                                      \
  g_test_add ("/perfdata/" name, Fixture, GINT_TO_POINTER (data), set_up, func, tear_down)
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  add_shapes ("fifo", test_fifo);
  add_shapes ("standard-input", test_standard_input);
  ADD ("standard-input/redirected", FALSE, test_redirected_file);
  ADD ("standard-input/partly-read", TRUE, test_redirected_file);
  ADD ("standard-input/bad", 0, test_bad_standard_input);
  ADD ("fifo/cut", 0, test_stream_cut);
  ADD ("fifo/skips", FALSE, test_stream_skips);
  ADD ("fifo/cut-in-payload", TRUE, test_stream_skips);
  ADD ("fifo/cancel-wait", 0, test_cancel_wait);
  ADD ("fifo/cancel-next", 0, test_cancel_next);
  ADD ("wrapper/shapes", 0, test_wrapper);
  ADD ("wrapper/parts", FALSE, test_wrapper_parts);
  ADD ("wrapper/parts-and-rest", TRUE, test_wrapper_parts);
  ADD ("wrapper/in-fifo", 0, test_wrapper_in_fifo);
  ADD ("wrapper/cut", 0, test_wrapper_cut);
  ADD ("wrapper/mutated", 0, test_wrapper_mutated);
  ADD ("wrapper/of-others", 0, test_wrapper_of_others);
  ADD ("wrapper/bomb-gzip", PEN_WRAPPER_GZIP, test_wrapper_bomb);
  ADD ("wrapper/bomb-xz", PEN_WRAPPER_XZ, test_wrapper_bomb);
  ADD ("wrapper/bomb-zstd", PEN_WRAPPER_ZSTD, test_wrapper_bomb);
  ADD ("wrapper/no-room", 0, test_no_room);
  return g_test_run ();
}
