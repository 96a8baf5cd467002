/* test-wrappers.c: captures in gzip, xz and zstd
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <lzma.h>
#include <signal.h>
#include <string.h>
#include <zstd.h>

#include "pen-magic.h"
#include "pen-test-lines.h"
#include "pen-test-samples.h"
#include "pen-test-stream.h"

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
    g_assert_cmpint (
        lzma_easy_buffer_encode (1, LZMA_CHECK_CRC32, NULL, data, length, output, &used, room), ==,
        LZMA_OK);
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
  for (guint i = 0; i < STREAM_SHAPES; i++) {
    g_autofree char *bytes = NULL;
    gsize length;
    g_autoptr (GPtrArray) expected
        = stream_write_expected (fixture, &stream_shapes[i], &bytes, &length);

    for (guint j = 0; j < G_N_ELEMENTS (wrappers); j++) {
      StreamShape shape = stream_shapes[i];
      g_autofree char *name
          = g_strdup_printf ("%s, %s", shape.shape, pen_wrapper_get_name (wrappers[j]));
      g_autoptr (GError) error = NULL;
      g_autoptr (PenReader) reader = NULL;

      write_packed (fixture, wrappers[j], bytes, length);
      reader = pen_reader_open (fixture->path, NULL, &error);
      g_assert_no_error (error);
      assert_no_file_left (fixture);
      shape.shape = name;
      shape.is_streamed = FALSE;
      stream_check (reader, &shape, expected, length);
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
  g_autoptr (GPtrArray) expected
      = stream_write_expected (fixture, &stream_shapes[STREAM_SHAPE_FILE], &bytes, &length);

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
  g_autofree char *fifo = stream_make_fifo (fixture);
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (GPtrArray) expected
      = stream_write_expected (fixture, &stream_shapes[STREAM_SHAPE_PIPE], &bytes, &length);
  g_autoptr (GBytes) packed = pack (PEN_WRAPPER_XZ, bytes, length);
  StreamWriter writer = { .fifo = fifo };
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GError) error = NULL;

  writer.bytes = g_bytes_get_data (packed, &writer.length);
  stream_writer_start (&writer);
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
  g_autoptr (GPtrArray) expected
      = stream_write_expected (fixture, &stream_shapes[STREAM_SHAPE_PIPE], &bytes, &length);

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
  g_autoptr (GPtrArray) expected
      = stream_write_expected (fixture, &stream_shapes[STREAM_SHAPE_FILE], &bytes, &length);

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

  g_assert_null (pen_reader_open (fixture->path, NULL, &error));
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
    g_autofree char *start = g_strdup_printf ("is compressed by %s, and does not contain", name);
    g_autofree char *inner_name = g_strdup_printf ("it is compressed by %s", name);
    g_autofree char *tar = g_malloc0 (10240);
    g_autoptr (GBytes) inner = pack (wrappers[i], "abc", 3);

    write_packed (fixture, wrappers[i], "a text of no use", 16);
    assert_refused (fixture, PEN_READER_ERROR_NOT_PERF_DATA, start);
    write_packed (fixture, wrappers[i], "", 0);
    assert_refused (fixture, PEN_READER_ERROR_EMPTY, "and empty");
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
  g_assert_null (pen_reader_open (fixture->path, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "Set TMPDIR"));
}

int
main (int argc, char *argv[])
{
#define ADD(name, data, func)                                                                      \
  g_test_add ("/perfdata/" name, Fixture, GINT_TO_POINTER (data), stream_set_up, func,             \
              stream_tear_down)
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
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
