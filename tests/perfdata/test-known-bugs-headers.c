/* test-known-bugs-headers.c: what other readers got wrong in headers and features, case by case
 *
 * The numbers are those of a series of fixes to perf's own reader in May 2026; cases with a name
 * are from reports to other readers (google/perf_data_converter, KDAB/hotspot). Each capture has
 * the case between two good records, which must come out whatever becomes of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-reader.h"
#include "pen-test-between.h"
#include "pen-test-lines.h"

/* The index of AUXTRACE records says where in the file they are: nothing goes there. */
static void
test_peek (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint64 offsets[] = { 0, 3, 1ull << 40, G_MAXUINT64 };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (offsets); i++) {
      PenTestCapture *capture = between_start ();
      PenTestBytes *index = pen_test_bytes_new ();

      pen_test_bytes_u64 (index, 1);
      pen_test_bytes_u64 (index, offsets[i]);
      pen_test_bytes_u64 (index, 64);
      pen_test_capture_set_feature (capture, 18, index);
      between_check (fixture, capture, flags, NULL, 0);
    }
  }
}

static void
test_attr_size_order (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint32 sizes[] = { 129, 4096, 0x00010000, 0x80000000, G_MAXUINT32 };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
      PenTestCapture *capture = between_start ();
      PenTestBytes *body = pen_test_bytes_new ();

      pen_test_bytes_u32 (body, 1);
      pen_test_bytes_u32 (body, sizes[i]);
      pen_test_bytes_zeros (body, 120);
      pen_test_capture_add_bytes (capture, PEN_RECORD_HEADER_ATTR, 0, body, NULL, FALSE);
      between_check (fixture, capture, flags | PEN_TEST_CAPTURE_PIPE,
                     "1 HEADER_ATTR 1 An event says", 0);
    }
  }
}

static void
put_build_id (PenTestBytes *bytes, gint32 pid, const char *name, gsize length)
{
  pen_test_bytes_u32 (bytes, 67);
  pen_test_bytes_u16 (bytes, PEN_TEST_USER);
  pen_test_bytes_u16 (bytes, (guint16) (36 + length));
  pen_test_bytes_u32 (bytes, (guint32) pid);
  pen_test_bytes_raw (bytes, "ABCDEFGHIJKLMNOPQRST\24\0\0\0", 24);
  pen_test_bytes_raw (bytes, name, length);
}

static void
test_build_id (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  BOTH_ORDERS (flags)
  {
    PenTestCapture *capture = between_start ();
    PenTestBytes *bytes = pen_test_bytes_new ();
    g_autoptr (PenReader) reader = NULL;
    const PenBuildId *build_id;
    GPtrArray *build_ids;

    put_build_id (bytes, 0x01020304, "no NUL!!", 8);
    put_build_id (bytes, -1, "ends\0\0\0\0", 8);
    put_build_id (bytes, 1, "", 0);
    pen_test_capture_set_feature (capture, 2, bytes);
    between_check (fixture, capture, flags, NULL, 0);
    reader = pen_reader_open (fixture->path, NULL, NULL);
    build_ids = pen_reader_get_features (reader)->build_ids;
    g_assert_cmpuint (build_ids->len, ==, 2);
    build_id = g_ptr_array_index (build_ids, 0);
    g_assert_cmpint (build_id->pid, ==, 0x01020304);
    g_assert_cmpstr (build_id->name, ==, "no NUL!!");
    g_assert_cmpmem (build_id->id, 20, "ABCDEFGHIJKLMNOPQRST", 20);
    build_id = g_ptr_array_index (build_ids, 1);
    g_assert_cmpint (build_id->pid, ==, -1);
    g_assert_cmpstr (build_id->name, ==, "ends");
  }
}

/* What is behind attr.size in the entry is none of the event's. */
static void
test_attr_beyond_size (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;
  g_autofree char *bytes = NULL;
  g_autoptr (PenReader) reader = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  const guint32 size = GUINT32_TO_LE (64);
  const PenAttr *attr;
  guint64 attrs_at;
  gsize length;

  event.branch_sample_type = event.sample_regs_user = event.sample_regs_intr = G_MAXUINT64;
  between_check (fixture, between_start_with (&event), PEN_TEST_CAPTURE_FILE, NULL, 0);
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  memcpy (&attrs_at, bytes + 24, 8);
  memcpy (bytes + GUINT64_FROM_LE (attrs_at) + 4, &size, 4);
  fixture_write_bytes (fixture, bytes, length);
  reader = pen_reader_open (fixture->path, NULL, NULL);
  attr = g_ptr_array_index (pen_reader_get_attrs (reader), 0);
  g_assert_cmpuint (attr->size, ==, 64);
  g_assert_cmpuint (attr->branch_sample_type, ==, 0);
  g_assert_cmpuint (attr->sample_regs_user, ==, 0);
  g_assert_cmpuint (attr->sample_regs_intr, ==, 0);
  lines = pen_test_read_lines (fixture->path, NULL, NULL);
  g_assert_cmpuint (lines->len, ==, 2);
}

static void
test_feature_errors (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint known[] = { 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 21, 23, 25, 26, 29 };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
      PenTestCapture *capture = between_start ();

      pen_test_capture_set_raw_feature (capture, known[i], "\xff\xff", 2);
      between_check (fixture, capture, flags,
                     known[i] == 1 ? "1 unknown 1 The formats of tracepoints are damaged"
                                   : "1 unknown 1 A part of the recording's header is damaged",
                     0);
    }
  }
}

/* Where the first event's ids, or the first feature, are said to be. */
static void
check_section (Fixture *fixture, gboolean is_feature, const char *problem)
{
  static const guint64 sections[][2]
      = { { 0, G_MAXUINT64 },         { G_MAXUINT64, 0x20 }, { G_MAXUINT64 - 7, 0x10 },
          { 1ull << 63, 1ull << 63 }, { 104, 1ull << 40 },   { 1ull << 40, 64 } };
  g_autofree char *bytes = NULL;
  guint64 fields[13];
  gsize length;

  between_check (fixture, between_start (), PEN_TEST_CAPTURE_FILE, NULL, 0);
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  memcpy (fields, bytes, sizeof fields);
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++) {
    g_autofree char *damaged = g_memdup2 (bytes, length);
    guint64 at = is_feature ? GUINT64_FROM_LE (fields[5]) + GUINT64_FROM_LE (fields[6])
                            : GUINT64_FROM_LE (fields[3]) + GUINT64_FROM_LE (fields[2]) - 16;
    guint64 values[2] = { GUINT64_TO_LE (sections[i][0]), GUINT64_TO_LE (sections[i][1]) };
    g_autoptr (GPtrArray) lines = NULL;
    g_autoptr (GPtrArray) problems = NULL;

    memcpy (damaged + at, values, sizeof values);
    fixture_write_bytes (fixture, damaged, length);
    lines = pen_test_read_lines (fixture->path, &problems, NULL);
    g_assert_cmpuint (lines->len, ==, 2);
    g_assert_true (pen_test_has_problem (problems, problem));
  }
}

static void
test_ids (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  check_section (fixture, FALSE, "1 unknown 1 The list of an event's ids is not within the file");
}

static void
test_feature_section (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  check_section (fixture, TRUE, "1 unknown 1 A part of the recording's header is not within");
}

/* How large the events are that come with the names. */
static void
test_event_desc (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint32 sizes[] = { 0, 8, 16, 1u << 31, G_MAXUINT32 };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
      PenTestCapture *capture = between_start ();
      PenTestBytes *feature = pen_test_bytes_new ();

      pen_test_bytes_u64 (feature, 12);
      pen_test_bytes_u32 (feature, G_MAXUINT16);
      pen_test_bytes_u32 (feature, sizes[i]);
      pen_test_bytes_zeros (feature, 16);
      pen_test_bytes_u32 (feature, G_MAXUINT32);
      pen_test_bytes_u32 (feature, G_MAXUINT32);
      pen_test_capture_add_bytes (capture, PEN_RECORD_HEADER_FEATURE, 0, feature, NULL, FALSE);
      between_check (fixture, capture, flags | PEN_TEST_CAPTURE_PIPE,
                     "1 HEADER_FEATURE 1 A part of the recording's header is damaged", 0);
    }
  }
}

/* Sizes of bitmaps in MEM_TOPOLOGY, and lists of CPU_TOPOLOGY: not read, so that none is believed.
 */
static void
test_bitmap (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  guint8 ones[128];

  memset (ones, 0xff, sizeof ones);
  BOTH_ORDERS (flags)
  {
    PenTestCapture *capture = between_start ();

    pen_test_capture_set_raw_feature (capture, 13, ones, sizeof ones);
    pen_test_capture_set_raw_feature (capture, 14, ones, sizeof ones);
    pen_test_capture_set_raw_feature (capture, 22, ones, sizeof ones);
    pen_test_capture_set_raw_feature (capture, 28, ones, sizeof ones);
    pen_test_capture_set_raw_feature (capture, 40, ones, sizeof ones);
    between_check (fixture, capture, flags, NULL, 0);
  }
}

/* Counts in features that would be gigabytes: refused before anything is made for them. */
static void
test_bad_alloc (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint lists[] = { 11, 16, 17, 25, 26 };
  static const guint32 counts[] = { 4097, 1u << 20, 1u << 31, G_MAXUINT32 };

  for (guint i = 0; i < G_N_ELEMENTS (lists) * G_N_ELEMENTS (counts); i++) {
    PenTestCapture *capture = between_start ();
    PenTestBytes *feature = pen_test_bytes_new ();

    pen_test_bytes_u32 (feature, counts[i % G_N_ELEMENTS (counts)]);
    pen_test_bytes_u32 (feature, G_MAXUINT32);
    pen_test_bytes_u32 (feature, G_MAXUINT32);
    pen_test_capture_set_feature (capture, lists[i / G_N_ELEMENTS (counts)], feature);
    between_check (fixture, capture, PEN_TEST_CAPTURE_FILE, "1 unknown 1 A ", 0);
  }
}

static void
test_long_string (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint strings[] = { 3, 4, 5, 6, 8, 9 };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (strings); i++) {
      PenTestCapture *capture = between_start ();
      PenTestBytes *feature = pen_test_bytes_new ();

      pen_test_bytes_u32 (feature, i % 2 ? G_MAXUINT32 : 0x7ffffff0);
      pen_test_bytes_zeros (feature, 64);
      pen_test_capture_set_feature (capture, strings[i], feature);
      between_check (fixture, capture, flags,
                     "1 unknown 1 A part of the recording's header is damaged", 0);
    }
  }
}

/* A recorder's defect: modules with the build-id of the first. All are told, with their names. */
static void
test_module_build_ids (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const names[] = { "/lib/modules/6.17/a.ko", "/lib/modules/6.17/b.ko" };
  PenTestCapture *capture = between_start ();
  guint8 id[20] = { 9, 9, 9 };
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (PenReader) reader = NULL;
  GPtrArray *build_ids;

  pen_test_capture_add_build_id (capture, -1, PEN_TEST_KERNEL, id, 20, names[0]);
  pen_test_capture_add_build_id (capture, -1, PEN_TEST_KERNEL, id, 20, names[1]);
  for (guint i = 0; i < 2; i++)
    pen_test_capture_add_mmap2 (capture, PEN_TEST_KERNEL, -1, 0, 0xffffffffc0000000 + 0x1000 * i,
                                0x1000, 0, 5, 2, id, names[i]);
  lines = between_end (fixture, capture, PEN_TEST_CAPTURE_FILE, NULL);
  g_assert_cmpuint (lines->len, ==, 2);
  reader = pen_reader_open (fixture->path, NULL, NULL);
  build_ids = pen_reader_get_features (reader)->build_ids;
  g_assert_cmpuint (build_ids->len, ==, 2);
  for (guint i = 0; i < 2; i++) {
    const PenBuildId *build_id = g_ptr_array_index (build_ids, i);

    g_assert_cmpstr (build_id->name, ==, names[i]);
    g_assert_cmpmem (build_id->id, 20, id, 20);
    g_assert_true (g_str_has_suffix (g_ptr_array_index (lines, i), names[i]));
  }
}

int
main (int argc, char *argv[])
{
#define ADD(name, func)                                                                            \
  g_test_add ("/perfdata/known-bugs/" name, Fixture, NULL, fixture_set_up, func, fixture_tear_down)
  g_test_init (&argc, &argv, NULL);
  ADD ("01-peek-at-any-offset", test_peek);
  ADD ("09-attr-size-order", test_attr_size_order);
  ADD ("11-build-id", test_build_id);
  ADD ("16-attr-beyond-size", test_attr_beyond_size);
  ADD ("17-feature-errors", test_feature_errors);
  ADD ("18-ids-section", test_ids);
  ADD ("19-feature-section", test_feature_section);
  ADD ("20-event-desc-size", test_event_desc);
  ADD ("21-bitmap-size", test_bitmap);
  ADD ("perf-data-converter-143-bad-alloc", test_bad_alloc);
  ADD ("hotspot-533-long-string", test_long_string);
  ADD ("module-build-ids", test_module_build_ids);
  return g_test_run ();
}
