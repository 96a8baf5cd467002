/* pen-test-stream.c: captures that come from elsewhere than a plain file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-test-stream.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-test-lines.h"
#include "pen-test-samples.h"

static gpointer
writer_run (gpointer data)
{
  StreamWriter *self = data;
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

void
stream_writer_start (StreamWriter *self)
{
  self->thread = g_thread_new ("writer", writer_run, self);
}

char *
stream_make_fifo (Fixture *fixture)
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

const StreamShape stream_shapes[STREAM_SHAPES] = {
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

void
stream_check (PenReader *reader, const StreamShape *shape, GPtrArray *expected, gsize length)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  g_assert_cmpuint (pen_reader_get_size (reader), ==, shape->is_streamed ? 0 : length);
  collect (reader, lines);
  pen_test_assert_same_lines (lines, expected);
  g_assert_cmpstr (pen_reader_get_shape (reader), ==, shape->shape);
  g_assert_cmpuint (pen_reader_get_size (reader), ==, length);
  g_assert_cmpuint (pen_reader_get_bytes_read (reader), ==, length);
}

GPtrArray *
stream_write_expected (Fixture *fixture, const StreamShape *shape, char **bytes, gsize *length)
{
  GPtrArray *expected;

  *bytes = fixture_write_everything (fixture, shape->flags, length);
  expected = pen_test_read_lines (fixture->path, NULL, NULL);
  g_assert_nonnull (expected);
  return expected;
}

void
stream_set_up (Fixture *fixture, gconstpointer data)
{
  g_unsetenv ("TMPDIR");
  fixture_set_up (fixture, data);
  g_setenv ("TMPDIR", fixture->directory, TRUE);
}

void
stream_tear_down (Fixture *fixture, gconstpointer data)
{
  g_unsetenv ("TMPDIR");
  fixture_tear_down (fixture, data);
}
