/* test-hostile.c: damaged and malicious captures lose what is damaged, and nothing else
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "pen-test-fixture.h"
#include "pen-test-lines.h"
#include "pen-test-samples.h"

static void
patch_u64 (char *bytes, guint64 at, guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (bytes + at, &value, 8);
}

static guint64
peek_u64 (const char *bytes, guint64 at)
{
  guint64 value;

  memcpy (&value, bytes + at, 8);
  return GUINT64_FROM_LE (value);
}

static void
test_ids_beyond_end (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint64 values[][2]
      = { { 1ull << 40, 32 }, { G_MAXUINT64 - 8, 32 }, { 104, 1ull << 40 }, { 104, 31 } };
  gsize length;
  g_autofree char *bytes = fixture_write_everything (fixture, PEN_TEST_CAPTURE_FILE, &length);
  guint64 section = peek_u64 (bytes, 24) + 128;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autoptr (GPtrArray) lines = NULL;
    g_autoptr (GPtrArray) problems = NULL;
    g_autoptr (GError) error = NULL;

    patch_u64 (bytes, section, values[i][0]);
    patch_u64 (bytes, section + 8, values[i][1]);
    fixture_write_bytes (fixture, bytes, length);
    lines = pen_test_read_lines (fixture->path, &problems, &error);
    g_assert_no_error (error);
    g_assert_true (pen_test_has_problem (problems, "1 unknown 1 The list of an event's ids"));
    g_assert_cmpuint (lines->len, >, 10);
  }
}

/* Every feature in turn lies outside the file, or is filled with each of some bytes. */
static void
test_damaged_features (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint8 fillers[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
  gsize length;
  g_autofree char *bytes = fixture_write_everything (fixture, PEN_TEST_CAPTURE_FILE, &length);
  guint64 table = peek_u64 (bytes, 40) + peek_u64 (bytes, 48);
  guint count = (guint) __builtin_popcountll (peek_u64 (bytes, 72));

  for (guint i = 0; i < count; i++) {
    guint64 section = table + 16 * i;
    guint64 at = peek_u64 (bytes, section);
    guint64 size = peek_u64 (bytes, section + 8);

    for (guint j = 0; j < G_N_ELEMENTS (fillers) + 2; j++) {
      g_autofree char *damaged = g_memdup2 (bytes, length);
      g_autoptr (GPtrArray) lines = NULL;
      g_autoptr (GPtrArray) problems = NULL;
      g_autoptr (GError) error = NULL;

      if (j < G_N_ELEMENTS (fillers))
        memset (damaged + at, fillers[j], size);
      else
        patch_u64 (damaged, section + 8 * (j - G_N_ELEMENTS (fillers)), G_MAXUINT64 - 3);
      fixture_write_bytes (fixture, damaged, length);
      lines = pen_test_read_lines (fixture->path, &problems, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (lines->len, ==, g_strv_length ((char **) pen_test_everything_lines));
      if (j >= G_N_ELEMENTS (fillers))
        g_assert_true (
            pen_test_has_problem (problems, "1 unknown 1 A part of the recording's header"));
    }
  }
}

/* Functions of a BPF program whose lengths add up to more than its image. */
static void
test_bpf_lengths (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint64 addresses[4] = { 0x1000, 0x2000, 0, 0x4000 };
  static const guint32 lengths[4] = { 4, 0xffffffff, 1, 2 };
  static const guint8 image[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (PenReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  const PenBpfProgram *program;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_bpf_program (capture, 1, "x", image, 0, addresses, lengths, 4, image, 8);
  pen_test_capture_add_finished_round (capture);
  pen_test_capture_write (capture, fixture->path, PEN_TEST_CAPTURE_FILE, &error);
  reader = pen_reader_open (fixture->path, NULL, &error);
  g_assert_no_error (error);
  program = g_ptr_array_index (pen_reader_get_features (reader)->bpf_programs, 0);
  g_assert_cmpuint (program->functions->len, ==, 3); /* the one at address 0 was hidden */
  g_assert_nonnull (g_array_index (program->functions, PenBpfFunction, 0).bytes);
  g_assert_null (g_array_index (program->functions, PenBpfFunction, 1).bytes);
  g_assert_null (g_array_index (program->functions, PenBpfFunction, 2).bytes);
}

/* The name of an event is not the same with and without features. */
static char *
without_event (const char *line)
{
  const char *event = strstr (line, " event=");
  const char *rest = event ? strchr (event + 1, ' ') : NULL;

  if (!event)
    return g_strdup (line);
  return g_strdup_printf ("%.*s%s", (int) (event - line), line, rest ? rest : "");
}

static void
assert_prefix (GPtrArray *part, GPtrArray *whole)
{
  g_assert_cmpuint (part->len, <=, whole->len);
  for (guint i = 0; i < part->len; i++) {
    g_autofree char *left = without_event (g_ptr_array_index (part, i));
    g_autofree char *right = without_event (g_ptr_array_index (whole, i));

    g_assert_cmpstr (left, ==, right);
  }
}

static void
test_truncated (Fixture *fixture, gconstpointer data)
{
  PenTestCaptureFlags flags = (PenTestCaptureFlags) GPOINTER_TO_UINT (data);
  gsize length;
  g_autofree char *bytes = fixture_write_everything (fixture, flags, &length);
  g_autoptr (GPtrArray) whole = pen_test_read_lines (fixture->path, NULL, NULL);
  guint least;

  g_assert_nonnull (whole);
  least = whole->len;
  for (gsize cut = length; cut-- > 0;) {
    g_autoptr (GPtrArray) lines = NULL;
    g_autoptr (GPtrArray) problems = NULL;
    g_autoptr (GError) error = NULL;

    g_assert_cmpint (truncate (fixture->path, (off_t) cut), ==, 0);
    lines = pen_test_read_lines (fixture->path, &problems, &error);
    if (!lines) {
      g_assert_nonnull (error);
      continue;
    }
    assert_prefix (lines, whole);
    g_assert_cmpuint (lines->len, <=, least);
    least = lines->len;
    /* A pipe may end after any record; all else tells that something is missing. */
    if (!(flags & PEN_TEST_CAPTURE_PIPE))
      g_assert_cmpuint (problems->len, >, 0);
  }
  g_assert_cmpuint (least, ==, 0);
}

/* Whatever is changed: it ends, and nothing is read or written out of bounds. */
static void
test_mutated (Fixture *fixture, gconstpointer data)
{
  PenTestCaptureFlags flags = (PenTestCaptureFlags) GPOINTER_TO_UINT (data);
  static const guint8 favourites[] = { 0x00, 0x01, 0x07, 0x08, 0x7f, 0x80, 0xff };
  gsize length;
  g_autofree char *bytes = fixture_write_everything (fixture, flags, &length);
  /* What is compressed may become as much as 60 records of the recorder's largest buffer. */
  gint64 most = flags & PEN_TEST_CAPTURE_ZSTD ? 60 * 100000 : (gint64) length / 8;

  for (guint round = 0; round < 1500; round++) {
    g_autofree char *mutated = g_memdup2 (bytes, length);
    guint changes = (guint) g_test_rand_int_range (1, 6);

    for (guint i = 0; i < changes; i++) {
      gsize at = (gsize) g_test_rand_int_range (16, (gint32) length);

      if (g_test_rand_bit ())
        mutated[at] = (char) favourites[g_test_rand_int_range (0, G_N_ELEMENTS (favourites))];
      else
        mutated[at] ^= (char) (1 << g_test_rand_int_range (0, 8));
    }
    fixture_write_bytes (fixture, mutated, length);
    g_assert_cmpint (pen_test_count_records (fixture->path, NULL), <=, most);
  }
}

/* 64 KiB that become gigabytes: it stops at what the recorder's buffers could hold. */
static void
test_bomb (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const gsize size = 256u * 1024 * 1024;
  g_autofree guint8 *records = g_malloc0 (size);
  gsize bound = ZSTD_compressBound (size);
  g_autofree guint8 *bomb = g_malloc (bound);
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  for (gsize at = 0; at < size; at += 65528) {
    records[at] = PEN_RECORD_FINISHED_ROUND;
    records[at + 6] = 0xf8;
    records[at + 7] = 0xff;
  }
  length = ZSTD_compress (bomb, bound, records, size, 1);
  g_assert_cmpuint (length, <, 65000);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_raw (capture, PEN_RECORD_COMPRESSED, 0, bomb, length, FALSE);
  pen_test_capture_add_raw (capture, PEN_RECORD_COMM, 0, "\0\0\0\0\0\0\0\0x\0\0\0\0\0\0", 16,
                            FALSE);
  pen_test_capture_write (capture, fixture->path, PEN_TEST_CAPTURE_FILE, &error);
  lines = pen_test_read_lines (fixture->path, &problems, &error);
  g_assert_no_error (error);
  g_assert_true (pen_test_has_problem (problems, "2 COMPRESSED 1 A compressed record holds more"));
  g_assert_cmpuint (lines->len, ==, 1);
}

static void
test_nested_compression (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint8 inner[16] = { PEN_RECORD_COMPRESSED, 0, 0, 0, 0, 0, 16, 0 };
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GError) error = NULL;
  guint8 outer[256];
  gsize length = ZSTD_compress (outer, sizeof outer, inner, sizeof inner, 1);

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_raw (capture, PEN_RECORD_COMPRESSED, 0, outer, length, FALSE);
  pen_test_capture_add_raw (capture, PEN_RECORD_COMM, 0, "\0\0\0\0\0\0\0\0x\0\0\0\0\0\0", 16,
                            FALSE);
  pen_test_capture_write (capture, fixture->path, PEN_TEST_CAPTURE_FILE, &error);
  lines = pen_test_read_lines (fixture->path, &problems, &error);
  g_assert_no_error (error);
  g_assert_true (pen_test_has_problem (problems, "1 COMPRESSED 1 A compressed record cannot"));
  g_assert_cmpuint (lines->len, ==, 1);
}

/* Damage in the middle of compressed data: what came before it, and what was not compressed. */
static void
test_damaged_compression (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gsize length;
  g_autofree char *bytes = fixture_write_everything (fixture, PEN_TEST_CAPTURE_ZSTD, &length);
  g_autoptr (PenReader) reader = pen_reader_open (fixture->path, NULL, NULL);
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  guint64 second = 0;
  PenRecord record;

  while (pen_reader_next (reader, &record, NULL, NULL)) {
    if (record.type == PEN_RECORD_COMPRESSED && second == 0)
      second = record.offset;
  }
  memset (bytes + second + 24, 0xff, 32);
  fixture_write_bytes (fixture, bytes, length);
  lines = pen_test_read_lines (fixture->path, &problems, NULL);
  g_assert_nonnull (lines);
  g_assert_cmpuint (lines->len, >=, 4); /* the recorder's own */
  g_assert_true (pen_test_has_problem (problems, "2 COMPRESSED 1 The compressed data is damaged"));
  g_assert_true (pen_test_has_problem (problems, "1 COMPRESSED 1 It is compressed, and needs"));
}

static void
test_problems_are_few (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (PenReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  guint64 sum = 0;
  GPtrArray *problems;
  PenRecord record;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  for (guint i = 0; i < 10000; i++)
    pen_test_capture_add_raw (capture, i % 23, 0, "", 0, FALSE);
  for (guint i = 0; i < 3000; i++)
    pen_test_capture_add_raw (capture, 1000 + i, 0, "abc", 3, FALSE);
  pen_test_capture_write (capture, fixture->path, PEN_TEST_CAPTURE_FILE, &error);
  reader = pen_reader_open (fixture->path, NULL, &error);
  g_assert_no_error (error);
  while (pen_reader_next (reader, &record, NULL, &error))
    sum++;
  problems = pen_reader_get_problems (reader);
  g_assert_cmpuint (problems->len, <=, 201);
  for (guint i = 0; i < problems->len; i++)
    sum += ((const PenProblem *) g_ptr_array_index (problems, i))->count;
  g_assert_cmpuint (sum, ==, 13000);
}

static void
assert_refused (const char *path, GQuark domain, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (pen_reader_open (path, NULL, &error));
  g_assert_error (error, domain, code);
  g_assert_nonnull (strstr (error->message, path));
}

static void
test_no_capture (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  assert_refused (fixture->path, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  assert_refused ("/dev/null", PEN_READER_ERROR, PEN_READER_ERROR_NOT_REGULAR);
  assert_refused (fixture->directory, PEN_READER_ERROR, PEN_READER_ERROR_NOT_PERF_DATA);
  assert_refused ("/dev/zero", PEN_READER_ERROR, PEN_READER_ERROR_NOT_REGULAR);
  fixture_write_bytes (fixture, "", 0);
  assert_refused (fixture->path, PEN_READER_ERROR, PEN_READER_ERROR_EMPTY);
  fixture_write_bytes (fixture, "text\n", 5);
  assert_refused (fixture->path, PEN_READER_ERROR, PEN_READER_ERROR_NOT_PERF_DATA);
  fixture_write_bytes (fixture, "PERFILE2", 8);
  assert_refused (fixture->path, PEN_READER_ERROR, PEN_READER_ERROR_DAMAGED);
}

/* A directory whose data.N are not what perf makes. */
static void
test_links_in_directory (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenTestCapture) capture = pen_test_make_everything ();
  g_autofree char *link = g_build_filename (fixture->path, "data.7", NULL);
  g_autofree char *fifo = g_build_filename (fixture->path, "data.8", NULL);
  g_autofree char *folder = g_build_filename (fixture->path, "data.9", NULL);
  g_autofree char *other = g_build_filename (fixture->path, "data.old", NULL);
  g_autofree char *first = g_build_filename (fixture->path, "data.0", NULL);
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GError) error = NULL;

  pen_test_capture_write (capture, fixture->path, PEN_TEST_CAPTURE_THREADS, &error);
  g_assert_no_error (error);
  g_assert_cmpint (symlink (first, link), ==, 0);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (other, "abc", 3, NULL));
  lines = pen_test_read_lines (fixture->path, &problems, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (lines->len, ==, g_strv_length ((char **) pen_test_everything_lines));
  g_assert_cmpuint (problems->len, ==, 3);
}

/* In pipe form, attr.size comes from the record, and must be read in the right byte order. */
static void
test_bad_header_attr (Fixture *fixture, gconstpointer data)
{
  PenTestCaptureFlags flags = (PenTestCaptureFlags) GPOINTER_TO_UINT (data) | PEN_TEST_CAPTURE_PIPE;
  static const guint32 sizes[] = { 0x7fffffff, 0xffffffff, 4096 };
  gsize length;
  g_autofree char *bytes = fixture_write_everything (fixture, flags, &length);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (GPtrArray) problems = NULL;
    g_autoptr (GPtrArray) lines = NULL;
    g_autoptr (GError) error = NULL;
    gboolean is_big = (flags & PEN_TEST_CAPTURE_BIG_ENDIAN) != 0;
    guint32 size = is_big ? GUINT32_TO_BE (sizes[i]) : GUINT32_TO_LE (sizes[i]);

    memcpy (bytes + 16 + 8 + 4, &size, 4);
    fixture_write_bytes (fixture, bytes, length);
    lines = pen_test_read_lines (fixture->path, &problems, &error);
    g_assert_no_error (error);
    g_assert_true (pen_test_has_problem (problems, "1 HEADER_ATTR 1 An event says"));
    g_assert_cmpuint (lines->len, >, 10); /* the other event's */
  }
}

static void
add_shapes (const char *name, void (*func) (Fixture *, gconstpointer))
{
  static const struct {
    const char *name;
    guint flags;
  } shapes[] = {
    { "file", PEN_TEST_CAPTURE_FILE },
    { "inflated", PEN_TEST_CAPTURE_INFLATED },
    { "pipe", PEN_TEST_CAPTURE_PIPE },
    { "zstd", PEN_TEST_CAPTURE_ZSTD },
    { "pipe-zstd-2", PEN_TEST_CAPTURE_PIPE | PEN_TEST_CAPTURE_ZSTD | PEN_TEST_CAPTURE_COMPRESSED2 },
    { "big-endian", PEN_TEST_CAPTURE_BIG_ENDIAN },
  };

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    g_autofree char *path = g_strdup_printf ("/perfdata/%s/%s", name, shapes[i].name);

    g_test_add (path, Fixture, GUINT_TO_POINTER (shapes[i].flags), fixture_set_up, func,
                fixture_tear_down);
  }
}

int
main (int argc, char *argv[])
{
#define ADD(name, func)                                                                            \
  g_test_add ("/perfdata/hostile/" name, Fixture, NULL, fixture_set_up, func, fixture_tear_down)
  g_test_init (&argc, &argv, NULL);
  add_shapes ("truncated", test_truncated);
  add_shapes ("mutated", test_mutated);
  ADD ("ids-beyond-end", test_ids_beyond_end);
  ADD ("damaged-features", test_damaged_features);
  ADD ("bpf-lengths", test_bpf_lengths);
  ADD ("zstd-bomb", test_bomb);
  ADD ("nested-compression", test_nested_compression);
  ADD ("damaged-compression", test_damaged_compression);
  ADD ("problems-are-few", test_problems_are_few);
  ADD ("no-capture", test_no_capture);
  ADD ("links-in-directory", test_links_in_directory);
  g_test_add ("/perfdata/hostile/header-attr", Fixture, GUINT_TO_POINTER (0), fixture_set_up,
              test_bad_header_attr, fixture_tear_down);
  g_test_add ("/perfdata/hostile/header-attr-big-endian", Fixture,
              GUINT_TO_POINTER (PEN_TEST_CAPTURE_BIG_ENDIAN), fixture_set_up, test_bad_header_attr,
              fixture_tear_down);
  return g_test_run ();
}
