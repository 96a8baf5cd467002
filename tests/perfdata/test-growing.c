/* test-growing.c: a recording that is read while its recorder writes it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-reader.h"
#include "pen-test-fixture.h"
#include "pen-test-lines.h"

/* The layout is described in the kernel's tools/perf/Documentation/perf.data-file-format.txt. */
#define AT_DATA_SIZE 48
#define SECTION_SIZE 16

static GPtrArray *
read_part (const char *path)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = pen_reader_open_growing (path, NULL, &error);
  PenRecord record;

  g_assert_no_error (error);
  while (pen_reader_next (reader, &record, NULL, &error)) {
    if (record.type < PEN_RECORD_HEADER_ATTR)
      g_ptr_array_add (lines, pen_test_describe (reader, &record));
  }
  g_assert_no_error (error);
  g_assert_cmpuint (pen_reader_get_problems (reader)->len, ==, 0);
  return lines;
}

/* Each part gives the first records of the whole, and no problem. */
static void
test_parts (Fixture *fixture, gconstpointer data)
{
  PenTestCaptureFlags flags = GPOINTER_TO_UINT (data);
  gsize length;
  g_autofree char *bytes = fixture_write_everything (fixture, flags, &length);
  g_autoptr (GPtrArray) whole = read_part (fixture->path);
  guint n_last = 0;

  for (gsize cut = 1024; cut <= length; cut += 7) {
    g_autoptr (GPtrArray) part = NULL;

    fixture_write_bytes (fixture, bytes, cut);
    part = read_part (fixture->path);
    g_assert_cmpuint (part->len, >=, n_last);
    g_assert_cmpuint (part->len, <=, whole->len);
    n_last = part->len;
    if (n_last > 0)
      g_assert_cmpstr (part->pdata[n_last - 1], ==, whole->pdata[n_last - 1]);
  }
  g_assert_cmpuint (n_last, >, whole->len / 2);
}

/* Damage is no growth: a record that cannot be is told of. */
static void
test_damage (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gsize length;
  g_autofree char *bytes
      = fixture_write_everything (fixture, PEN_TEST_CAPTURE_UNTERMINATED, &length);
  g_autofree char *longer = g_malloc0 (length + 8);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenReader) reader = NULL;
  PenRecord record;

  memcpy (longer, bytes, length);
  fixture_write_bytes (fixture, longer, length + 8);
  reader = pen_reader_open_growing (fixture->path, NULL, &error);
  g_assert_no_error (error);
  while (pen_reader_next (reader, &record, NULL, &error))
    ;
  g_assert_no_error (error);
  g_assert_cmpuint (pen_reader_get_problems (reader)->len, ==, 1);
}

static int
open_writer (const char *path)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  return fd;
}

/* As perf does: a header without an end, records, and in the end the header again. */
static void
test_life (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gsize length;
  g_autofree char *bytes
      = fixture_write_everything (fixture, PEN_TEST_CAPTURE_UNTERMINATED, &length);
  int fd = open_writer (fixture->path);
  guint64 size = 1;
  PenGrowth growth;

  g_assert_cmpint (ftruncate (fd, 0), ==, 0);
  growth = pen_growth_look (fixture->path);
  g_assert_true (growth.is_growing);
  g_assert_cmpuint (growth.size, ==, 0);

  g_assert_cmpint (write (fd, bytes, 20), ==, 20);
  g_assert_true (pen_growth_look (fixture->path).is_growing);
  g_assert_cmpint (write (fd, bytes + 20, length - 20), ==, (gssize) (length - 20));
  growth = pen_growth_look (fixture->path);
  g_assert_true (growth.is_growing);
  g_assert_cmpuint (growth.size, ==, length);

  g_assert_cmpint (pwrite (fd, &size, sizeof size, AT_DATA_SIZE), ==, sizeof size);
  g_assert_false (pen_growth_look (fixture->path).is_growing);
  close (fd);
}

/* A recorder that was killed. */
static void
test_killed (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gsize length;
  g_autofree char *bytes
      = fixture_write_everything (fixture, PEN_TEST_CAPTURE_UNTERMINATED, &length);
  PenGrowth growth;
  int fd = open_writer (fixture->path);

  g_assert_true (pen_growth_look (fixture->path).is_growing);
  close (fd);
  growth = pen_growth_look (fixture->path);
  g_assert_false (growth.is_growing);
  g_assert_cmpuint (growth.size, ==, length);
}

static void
test_others (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *text = g_strnfill (8192, 'x');
  g_autofree char *fifo = g_build_filename (fixture->directory, "fifo", NULL);
  int fd;

  g_assert_false (pen_growth_look (fixture->path).is_growing);
  g_assert_false (pen_growth_look (fixture->directory).is_growing);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_false (pen_growth_look (fifo).is_growing);

  fixture_write_bytes (fixture, text, 8192);
  fd = open_writer (fixture->path);
  g_assert_false (pen_growth_look (fixture->path).is_growing);
  close (fd);
}

int
main (int argc, char *argv[])
{
#define ADD(name, data, func)                                                                      \
  g_test_add ("/perfdata/growing/" name, Fixture, GUINT_TO_POINTER (data), fixture_set_up, func,   \
              fixture_tear_down)
  g_test_init (&argc, &argv, NULL);
  ADD ("parts", PEN_TEST_CAPTURE_UNTERMINATED, test_parts);
  ADD ("parts-compressed", PEN_TEST_CAPTURE_UNTERMINATED | PEN_TEST_CAPTURE_ZSTD, test_parts);
  ADD ("parts-big-endian", PEN_TEST_CAPTURE_UNTERMINATED | PEN_TEST_CAPTURE_BIG_ENDIAN, test_parts);
  ADD ("damage", 0, test_damage);
  ADD ("life", 0, test_life);
  ADD ("killed", 0, test_killed);
  ADD ("others", 0, test_others);
  return g_test_run ();
}
