/* test-known-bugs.c: what other readers of perf.data got wrong, case by case
 *
 * The numbers are those of a series of fixes to perf's own reader in May 2026; cases with a name and
 * a number are reports to other readers (google/perf_data_converter, KDAB/hotspot). Each capture has
 * the case between two good records, which must come out whatever becomes of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>
#include <zstd.h>

#include "pen-reader.h"
#include "pen-test-fixture.h"
#include "pen-test-lines.h"

#define BOTH_ORDERS(flags)                                                                         \
  for (PenTestCaptureFlags flags = 0; flags <= PEN_TEST_CAPTURE_BIG_ENDIAN;                        \
       flags += PEN_TEST_CAPTURE_BIG_ENDIAN)

static PenTestCapture *
start_with (const PenTestEvent *event)
{
  PenTestCapture *capture = pen_test_capture_new ();

  pen_test_capture_add_event (capture, event);
  pen_test_capture_at (capture, 1, 42, 42, 0);
  pen_test_capture_add_comm (capture, 42, 42, FALSE, "before");
  return capture;
}

static PenTestCapture *
start (void)
{
  return start_with (&PEN_TEST_EVENT_CLOCK);
}

/* Ends and writes the capture; what is between the good records. @problem: how the only problem
 * starts, or NULL for none. */
static GPtrArray *
finish (Fixture *fixture, PenTestCapture *capture, PenTestCaptureFlags flags, const char *problem)
{
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *lines;

  pen_test_capture_at (capture, 2, 42, 42, 0);
  pen_test_capture_add_comm (capture, 42, 42, FALSE, "after");
  pen_test_capture_write (capture, fixture->path, flags, &error);
  g_assert_no_error (error);
  pen_test_capture_free (capture);

  lines = pen_test_read_lines (fixture->path, &problems, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (lines->len, >=, 2);
  g_assert_true (g_str_has_suffix (g_ptr_array_index (lines, 0), " before"));
  g_assert_true (g_str_has_suffix (g_ptr_array_index (lines, lines->len - 1), " after"));
  g_assert_true (problem ? pen_test_has_problem (problems, problem) : problems->len == 0);
  g_assert_cmpuint (problems->len, ==, problem != NULL);
  g_ptr_array_remove_index (lines, lines->len - 1);
  g_ptr_array_remove_index (lines, 0);
  return lines;
}

static void
finish_with (Fixture *fixture, PenTestCapture *capture, PenTestCaptureFlags flags,
             const char *problem, guint n_between)
{
  g_autoptr (GPtrArray) lines = finish (fixture, capture, flags, problem);

  g_assert_cmpuint (lines->len, ==, n_between);
}

/* The index of AUXTRACE records says where in the file they are: nothing goes there. */
static void
test_peek (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint64 offsets[] = { 0, 3, 1ull << 40, G_MAXUINT64 };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (offsets); i++) {
      PenTestCapture *capture = start ();
      PenTestBytes *index = pen_test_bytes_new ();

      pen_test_bytes_u64 (index, 1);
      pen_test_bytes_u64 (index, offsets[i]);
      pen_test_bytes_u64 (index, 64);
      pen_test_capture_set_feature (capture, 18, index);
      finish_with (fixture, capture, flags, NULL, 0);
    }
  }
}

/* A sample of all fields that ends within each of them in turn: also in their last eight bytes. */
static void
test_field_extent (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;
  gsize size;

  event.sample_type = 0xffffff;
  event.read_format = 31;
  event.branch_sample_type = 1ull << 17 | 1ull << 19;
  event.sample_regs_user = event.sample_regs_intr = 0xff;

  BOTH_ORDERS (flags)
  {
    g_autofree char *bytes = NULL;
    gsize length, at = 0;
    guint16 recorded;

    {
      PenTestCapture *capture = start_with (&event);

      pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0x1000, 1);
      finish_with (fixture, capture, flags, NULL, 1);
    }
    {
      g_autoptr (PenReader) reader = pen_reader_open (fixture->path, NULL);
      PenRecord record;

      while (pen_reader_next (reader, &record, NULL, NULL)) {
        if (record.type == PEN_RECORD_SAMPLE)
          at = record.offset;
      }
    }
    g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
    memcpy (&recorded, bytes + at + 6, 2);
    size = flags ? GUINT16_FROM_BE (recorded) : GUINT16_FROM_LE (recorded);
    for (gsize cut = 8; cut < size - 8; cut += 8) {
      g_autofree char *damaged = g_memdup2 (bytes, length);
      guint16 sizes[2] = { (guint16) (size - cut), (guint16) cut };
      guint32 filler = 68; /* FINISHED_ROUND, as large as what is cut off */
      g_autoptr (GPtrArray) lines = NULL;
      g_autoptr (GPtrArray) problems = NULL;

      for (guint i = 0; i < 2; i++)
        sizes[i] = flags ? GUINT16_TO_BE (sizes[i]) : GUINT16_TO_LE (sizes[i]);
      filler = flags ? GUINT32_TO_BE (filler) : GUINT32_TO_LE (filler);
      memcpy (damaged + at + 6, &sizes[0], 2);
      memcpy (damaged + at + size - cut, &filler, 4);
      memcpy (damaged + at + size - cut + 6, &sizes[1], 2);
      fixture_write_bytes (fixture, damaged, length);
      lines = pen_test_read_lines (fixture->path, &problems, NULL);
      g_assert_cmpuint (lines->len, ==, 2);
      g_assert_true (pen_test_has_problem (problems, "1 SAMPLE 1 "));
    }
  }
}

static void
test_zstd_error (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  BOTH_ORDERS (flags)
  {
    PenTestCapture *capture = start ();

    pen_test_capture_add_raw (capture, PEN_RECORD_COMPRESSED, 0, "no frame of zstd", 16, FALSE);
    finish_with (fixture, capture, flags, "2 COMPRESSED 1 The compressed data is damaged", 0);
  }
}

/* Many records like FINISHED_ROUND, compressed. */
static gsize
compress_marks (gsize n, guint16 size, guint8 *output, gsize room)
{
  g_autofree guint8 *records = g_malloc0 (n * size);
  gsize length;

  for (gsize i = 0; i < n; i++) {
    records[i * size] = PEN_RECORD_FINISHED_ROUND;
    records[i * size + 6] = (guint8) size;
    records[i * size + 7] = (guint8) (size >> 8);
  }
  length = ZSTD_compress (output, room, records, n * size, 3);
  g_assert_false (ZSTD_isError (length));
  return length;
}

static guint64
count_type (const char *path, guint32 type)
{
  g_autoptr (PenReader) reader = pen_reader_open (path, NULL);
  guint64 count = 0;
  PenRecord record;

  while (pen_reader_next (reader, &record, NULL, NULL))
    count += record.type == type;
  return count;
}

/* One compressed record whose contents are many times what is decompressed at once. */
static void
test_zstd_iterations (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint16 sizes[] = { 8, 24, 4096, 65528 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    PenTestCapture *capture = start ();
    gsize n = 5000000 / sizes[i];
    guint8 output[65000];
    gsize length = compress_marks (n, sizes[i], output, sizeof output);

    pen_test_capture_add_raw (capture, PEN_RECORD_COMPRESSED, 0, output, length, FALSE);
    finish_with (fixture, capture, PEN_TEST_CAPTURE_FILE, NULL, 0);
    g_assert_cmpuint (count_type (fixture->path, PEN_RECORD_FINISHED_ROUND), ==, n);
  }
}

static void
test_read_layout (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  BOTH_ORDERS (flags)
  {
    for (guint format = 0; format < 32; format++) {
      PenTestEvent event = PEN_TEST_EVENT_CLOCK;
      PenTestBytes *body = pen_test_bytes_new ();
      PenTestCapture *capture;
      g_autoptr (GPtrArray) lines = NULL;
      g_autofree char *end = NULL;

      event.sample_type |= PEN_SAMPLE_READ | PEN_SAMPLE_RAW;
      event.read_format = format;
      capture = start_with (&event);
      pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0x1000, 77);
      pen_test_bytes_u32 (body, 42);
      pen_test_bytes_u32 (body, 43);
      for (guint i = 0; i < 1 + format % 7; i++)
        pen_test_bytes_u64 (body, i);
      pen_test_capture_add_bytes (capture, PEN_RECORD_READ, 0, body, NULL, TRUE);
      lines = finish (fixture, capture, flags, NULL);
      g_assert_cmpuint (lines->len, ==, 2);
      /* What comes after READ is found. */
      g_assert_true (g_str_has_suffix (g_ptr_array_index (lines, 0),
                                       " address=1000 period=77 raw=72617720636f6e74656e7473"));
      g_assert_true (g_str_has_prefix (g_ptr_array_index (lines, 1),
                                       "READ misc=0 time=1 task=42/42 cpu=0"));
    }
  }
}

/* No room for the trailer, or for part of it, in records of each type that has one. */
static void
test_short_trailer (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    guint32 type;
    guint front; /* without header */
  } types[] = { { 2, 16 }, { 3, 16 }, { 4, 24 }, { 5, 24 }, { 11, 24 }, { 12, 8 },
                { 13, 8 }, { 14, 0 }, { 15, 8 }, { 16, 16 }, { 18, 16 }, { 21, 8 } };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
      for (guint left = 8; left < 32; left += 8) {
        PenTestCapture *capture = start ();
        g_autofree char *problem
            = g_strdup_printf ("1 %s 1 The record's trailer", pen_record_type_get_name (types[i].type));
        PenTestBytes *body = pen_test_bytes_new ();

        pen_test_bytes_zeros (body, types[i].front + left);
        pen_test_capture_add_bytes (capture, types[i].type, 0, body, NULL, FALSE);
        /* One event with one trailer, which is 32 long. */
        finish_with (fixture, capture, flags, problem, 0);
      }
    }
  }
}

static void
test_missing_nul (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    guint32 type;
    guint name_at; /* without header */
  } types[] = { { 1, 32 }, { 3, 8 }, { 10, 64 }, { 17, 16 }, { 19, 8 } };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
      PenTestCapture *capture = start ();
      PenTestBytes *body = pen_test_bytes_new ();
      g_autofree char *problem
          = g_strdup_printf ("1 %s 1 A name", pen_record_type_get_name (types[i].type));

      pen_test_bytes_zeros (body, types[i].name_at);
      pen_test_bytes_raw (body, "0123456789abcdef0123456789abcdef", 32);
      pen_test_capture_add_bytes (capture, types[i].type, 0, body, NULL, FALSE);
      finish_with (fixture, capture, flags, problem, 0);
    }
  }
}

static void
test_time_conv_size (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  BOTH_ORDERS (flags)
  {
    for (guint words = 0; words <= 8; words++) {
      PenTestCapture *capture = start ();
      g_autoptr (PenReader) reader = NULL;
      PenTestBytes *body = pen_test_bytes_new ();
      const PenFeatures *features;
      PenRecord record;

      for (guint i = 0; i < words; i++)
        pen_test_bytes_u64 (body, i + 1);
      pen_test_capture_add_bytes (capture, PEN_RECORD_TIME_CONV, 0, body, NULL, FALSE);
      finish_with (fixture, capture, flags,
                   words < 3 ? "1 TIME_CONV 1 The record is shorter" : NULL, 0);
      reader = pen_reader_open (fixture->path, NULL);
      while (pen_reader_next (reader, &record, NULL, NULL))
        ;
      features = pen_reader_get_features (reader);
      g_assert_cmpint (features->has_time_conversion, ==, words >= 3);
      g_assert_cmpuint (features->time_conversion.zero, ==, words >= 3 ? 3 : 0);
      g_assert_cmpuint (features->time_conversion.mask, ==, words >= 6 ? 5 : 0);
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
      PenTestCapture *capture = start ();
      PenTestBytes *body = pen_test_bytes_new ();

      pen_test_bytes_u32 (body, 1);
      pen_test_bytes_u32 (body, sizes[i]);
      pen_test_bytes_zeros (body, 120);
      pen_test_capture_add_bytes (capture, PEN_RECORD_HEADER_ATTR, 0, body, NULL, FALSE);
      finish_with (fixture, capture, flags | PEN_TEST_CAPTURE_PIPE, "1 HEADER_ATTR 1 An event says",
                   0);
    }
  }
}

/* Records that hold a list of which its number says more: those that are read are set aside, the
 * others are passed over by their own size. */
static void
test_counts (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    guint32 type;
    guint count_at;
    const char *problem;
  } types[] = { { PEN_RECORD_NAMESPACES, 8, "1 NAMESPACES 1 A count" },
                { PEN_RECORD_CALLCHAIN_DEFERRED, 8, "1 CALLCHAIN_DEFERRED 1 A count" },
                { PEN_RECORD_ID_INDEX, 0, NULL },
                { PEN_RECORD_THREAD_MAP, 0, NULL },
                { PEN_RECORD_STAT_CONFIG, 0, NULL },
                { PEN_RECORD_BPF_METADATA, 512, NULL } };
  static const guint64 counts[] = { 100, 1ull << 32, 1ull << 60, 1ull << 61, G_MAXUINT64 };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (types) * G_N_ELEMENTS (counts); i++) {
      guint which = i / G_N_ELEMENTS (counts);
      PenTestCapture *capture = start ();
      PenTestBytes *body = pen_test_bytes_new ();

      pen_test_bytes_zeros (body, types[which].count_at);
      pen_test_bytes_u64 (body, counts[i % G_N_ELEMENTS (counts)]);
      pen_test_bytes_zeros (body, 64);
      pen_test_capture_add_bytes (capture, types[which].type, 0, body, NULL, FALSE);
      finish_with (fixture, capture, flags, types[which].problem, 0);
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
    PenTestCapture *capture = start ();
    PenTestBytes *bytes = pen_test_bytes_new ();
    g_autoptr (PenReader) reader = NULL;
    const PenBuildId *build_id;
    GPtrArray *build_ids;

    put_build_id (bytes, 0x01020304, "no NUL!!", 8);
    put_build_id (bytes, -1, "ends\0\0\0\0", 8);
    put_build_id (bytes, 1, "", 0);
    pen_test_capture_set_feature (capture, 2, bytes);
    finish_with (fixture, capture, flags, NULL, 0);
    reader = pen_reader_open (fixture->path, NULL);
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

/* A record of a type that is passed over, with contents that make no sense. */
static void
check_passed_over (Fixture *fixture, guint32 type, const guint8 *contents, gsize length)
{
  BOTH_ORDERS (flags)
  {
    PenTestCapture *capture = start ();

    pen_test_capture_add_raw (capture, type, 0, contents, length, FALSE);
    finish_with (fixture, capture, flags, NULL, 0);
    g_assert_cmpuint (count_type (fixture->path, type), ==, 1);
  }
}

static void
test_cpu_map (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint8 backwards[16] = { 2, 0, 0, 0, 0xff, 0xff, 0, 0 };
  static const guint8 mask[16] = { 1, 0, 0xff, 0xff, 7, 0 };

  check_passed_over (fixture, PEN_RECORD_CPU_MAP, backwards, sizeof backwards);
  check_passed_over (fixture, PEN_RECORD_CPU_MAP, mask, sizeof mask);
  check_passed_over (fixture, PEN_RECORD_CPU_MAP, NULL, 0);
}

static void
test_auxtrace_error (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  guint8 contents[128];

  memset (contents, 0xff, sizeof contents);
  for (gsize length = 0; length <= sizeof contents; length += 8)
    check_passed_over (fixture, PEN_RECORD_AUXTRACE_ERROR, contents, length);
}

static void
test_bpf_metadata (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  guint8 contents[512 + 8 + 320];

  memset (contents, 'x', sizeof contents);
  for (gsize length = 0; length <= sizeof contents; length += 8)
    check_passed_over (fixture, PEN_RECORD_BPF_METADATA, contents, length);
}

static void
test_event_update (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  BOTH_ORDERS (flags)
  {
    PenTestCapture *capture = start ();
    PenTestBytes *body = pen_test_bytes_new ();

    pen_test_bytes_u64 (body, 2);
    pen_test_bytes_u64 (body, pen_test_capture_get_id (0, 0));
    pen_test_bytes_raw (body, "no end!!", 8);
    pen_test_capture_add_bytes (capture, PEN_RECORD_EVENT_UPDATE, 0, body, NULL, FALSE);
    finish_with (fixture, capture, flags, "1 EVENT_UPDATE 1 A name in the record", 0);
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
  finish_with (fixture, start_with (&event), PEN_TEST_CAPTURE_FILE, NULL, 0);
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  memcpy (&attrs_at, bytes + 24, 8);
  memcpy (bytes + GUINT64_FROM_LE (attrs_at) + 4, &size, 4);
  fixture_write_bytes (fixture, bytes, length);
  reader = pen_reader_open (fixture->path, NULL);
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
      PenTestCapture *capture = start ();

      pen_test_capture_set_raw_feature (capture, known[i], "\xff\xff", 2);
      finish_with (fixture, capture, flags,
                   known[i] == 1 ? "1 unknown 1 The formats of tracepoints are damaged"
                                 : "1 unknown 1 A part of the capture's header is damaged",
                   0);
    }
  }
}

/* Where the first event's ids, or the first feature, are said to be. */
static void
check_section (Fixture *fixture, gboolean is_feature, const char *problem)
{
  static const guint64 sections[][2] = { { 0, G_MAXUINT64 },       { G_MAXUINT64, 0x20 },
                                         { G_MAXUINT64 - 7, 0x10 }, { 1ull << 63, 1ull << 63 },
                                         { 104, 1ull << 40 },      { 1ull << 40, 64 } };
  g_autofree char *bytes = NULL;
  guint64 fields[13];
  gsize length;

  finish_with (fixture, start (), PEN_TEST_CAPTURE_FILE, NULL, 0);
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
  check_section (fixture, TRUE, "1 unknown 1 A part of the capture's header is not within");
}

/* How large the events are that come with the names. */
static void
test_event_desc (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint32 sizes[] = { 0, 8, 16, 1u << 31, G_MAXUINT32 };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
      PenTestCapture *capture = start ();
      PenTestBytes *feature = pen_test_bytes_new ();

      pen_test_bytes_u64 (feature, 12);
      pen_test_bytes_u32 (feature, G_MAXUINT16);
      pen_test_bytes_u32 (feature, sizes[i]);
      pen_test_bytes_zeros (feature, 16);
      pen_test_bytes_u32 (feature, G_MAXUINT32);
      pen_test_bytes_u32 (feature, G_MAXUINT32);
      pen_test_capture_add_bytes (capture, PEN_RECORD_HEADER_FEATURE, 0, feature, NULL, FALSE);
      finish_with (fixture, capture, flags | PEN_TEST_CAPTURE_PIPE,
                   "1 HEADER_FEATURE 1 A part of the capture's header is damaged", 0);
    }
  }
}

/* Sizes of bitmaps in MEM_TOPOLOGY, and lists of CPU_TOPOLOGY: not read, so that none is believed. */
static void
test_bitmap (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  guint8 ones[128];

  memset (ones, 0xff, sizeof ones);
  BOTH_ORDERS (flags)
  {
    PenTestCapture *capture = start ();

    pen_test_capture_set_raw_feature (capture, 13, ones, sizeof ones);
    pen_test_capture_set_raw_feature (capture, 14, ones, sizeof ones);
    pen_test_capture_set_raw_feature (capture, 22, ones, sizeof ones);
    pen_test_capture_set_raw_feature (capture, 28, ones, sizeof ones);
    pen_test_capture_set_raw_feature (capture, 40, ones, sizeof ones);
    finish_with (fixture, capture, flags, NULL, 0);
  }
}

static void
test_compressed2_size (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint64 sizes[] = { 17, 1ull << 32, 1ull << 63, G_MAXUINT64 - 15, G_MAXUINT64 };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
      PenTestCapture *capture = start ();
      PenTestBytes *body = pen_test_bytes_new ();

      pen_test_bytes_u64 (body, sizes[i]);
      pen_test_bytes_zeros (body, 16);
      pen_test_capture_add_bytes (capture, PEN_RECORD_COMPRESSED2, 0, body, NULL, FALSE);
      finish_with (fixture, capture, flags, "1 COMPRESSED2 1 A count", 0);
    }
  }
}

static void
test_compressed_empty (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  BOTH_ORDERS (flags)
  {
    PenTestCapture *capture = start ();

    pen_test_capture_add_raw (capture, PEN_RECORD_COMPRESSED, 0, NULL, 0, FALSE);
    finish_with (fixture, capture, flags, NULL, 0);
    capture = start ();
    pen_test_capture_add_raw (capture, PEN_RECORD_COMPRESSED2, 0, NULL, 0, FALSE);
    finish_with (fixture, capture, flags, "1 COMPRESSED2 1 The record is shorter", 0);
  }
}

/* More than the recorder's buffers hold, as the header tells their size. */
static void
test_output_bound (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  PenTestCapture *capture = start ();
  PenTestBytes *feature = pen_test_bytes_new ();
  PenTestBytes *body = pen_test_bytes_new ();
  guint8 output[65000];
  gsize length = compress_marks (1000000, 8, output, sizeof output);
  guint64 count;

  pen_test_bytes_u64 (feature, 27);
  for (guint i = 0; i < 4; i++)
    pen_test_bytes_u32 (feature, 1);
  pen_test_bytes_u32 (feature, 4096);
  pen_test_capture_add_bytes (capture, PEN_RECORD_HEADER_FEATURE, 0, feature, NULL, FALSE);
  pen_test_bytes_raw (body, output, length);
  pen_test_capture_add_bytes (capture, PEN_RECORD_COMPRESSED, 0, body, NULL, FALSE);
  finish_with (fixture, capture, PEN_TEST_CAPTURE_PIPE, "2 COMPRESSED 1 A compressed record holds",
               0);
  count = count_type (fixture->path, PEN_RECORD_FINISHED_ROUND);
  g_assert_cmpuint (count, >, 0);
  g_assert_cmpuint (count, <, 100000);
}

static void
test_cpu_numbers (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint32 cpus[] = { 4096, 1u << 31, G_MAXUINT32 - 1, G_MAXUINT32 };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (cpus); i++) {
      PenTestCapture *capture = start ();
      g_autofree char *part = g_strdup_printf (" cpu=%u ", cpus[i]);
      g_autoptr (GPtrArray) lines = NULL;

      pen_test_capture_set_cpus (capture, G_MAXUINT32, G_MAXUINT32);
      pen_test_capture_at (capture, 1, 42, 42, cpus[i]);
      pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0x1000, 1);
      lines = finish (fixture, capture, flags, NULL);
      g_assert_cmpuint (lines->len, ==, 1);
      g_assert_nonnull (strstr (g_ptr_array_index (lines, 0), part));
    }
  }
}

/* Counts in features that would be gigabytes: refused before anything is made for them. */
static void
test_bad_alloc (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint lists[] = { 11, 16, 17, 25, 26 };
  static const guint32 counts[] = { 4097, 1u << 20, 1u << 31, G_MAXUINT32 };

  for (guint i = 0; i < G_N_ELEMENTS (lists) * G_N_ELEMENTS (counts); i++) {
    PenTestCapture *capture = start ();
    PenTestBytes *feature = pen_test_bytes_new ();

    pen_test_bytes_u32 (feature, counts[i % G_N_ELEMENTS (counts)]);
    pen_test_bytes_u32 (feature, G_MAXUINT32);
    pen_test_bytes_u32 (feature, G_MAXUINT32);
    pen_test_capture_set_feature (capture, lists[i / G_N_ELEMENTS (counts)], feature);
    finish_with (fixture, capture, PEN_TEST_CAPTURE_FILE, "1 unknown 1 A ", 0);
  }
}

static void
test_long_string (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint strings[] = { 3, 4, 5, 6, 8, 9 };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (strings); i++) {
      PenTestCapture *capture = start ();
      PenTestBytes *feature = pen_test_bytes_new ();

      pen_test_bytes_u32 (feature, i % 2 ? G_MAXUINT32 : 0x7ffffff0);
      pen_test_bytes_zeros (feature, 64);
      pen_test_capture_set_feature (capture, strings[i], feature);
      finish_with (fixture, capture, flags, "1 unknown 1 A part of the capture's header is damaged",
                   0);
    }
  }
}

/* Symbols of the largest sizes, which wrap around the end of addresses: kept as recorded. */
static void
test_giant_symbol (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  BOTH_ORDERS (flags)
  {
    PenTestCapture *capture = start ();
    g_autoptr (GPtrArray) lines = NULL;

    pen_test_capture_add_ksymbol (capture, G_MAXUINT64 - 4095, G_MAXUINT32, 1, 0, "giant");
    lines = finish (fixture, capture, flags, NULL);
    g_assert_cmpuint (lines->len, ==, 1);
    g_assert_nonnull (
        strstr (g_ptr_array_index (lines, 0), " fffffffffffff000+4294967295 type=1 flags=0 giant"));
  }
}

/* A recorder's defect: modules with the build-id of the first. All are told, with their names. */
static void
test_module_build_ids (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const names[] = { "/lib/modules/6.17/a.ko", "/lib/modules/6.17/b.ko" };
  PenTestCapture *capture = start ();
  guint8 id[20] = { 9, 9, 9 };
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (PenReader) reader = NULL;
  GPtrArray *build_ids;

  pen_test_capture_add_build_id (capture, -1, PEN_TEST_KERNEL, id, 20, names[0]);
  pen_test_capture_add_build_id (capture, -1, PEN_TEST_KERNEL, id, 20, names[1]);
  for (guint i = 0; i < 2; i++)
    pen_test_capture_add_mmap2 (capture, PEN_TEST_KERNEL, -1, 0, 0xffffffffc0000000 + 0x1000 * i,
                                0x1000, 0, 5, 2, id, names[i]);
  lines = finish (fixture, capture, PEN_TEST_CAPTURE_FILE, NULL);
  g_assert_cmpuint (lines->len, ==, 2);
  reader = pen_reader_open (fixture->path, NULL);
  build_ids = pen_reader_get_features (reader)->build_ids;
  g_assert_cmpuint (build_ids->len, ==, 2);
  for (guint i = 0; i < 2; i++) {
    const PenBuildId *build_id = g_ptr_array_index (build_ids, i);

    g_assert_cmpstr (build_id->name, ==, names[i]);
    g_assert_cmpmem (build_id->id, 20, id, 20);
    g_assert_true (g_str_has_suffix (g_ptr_array_index (lines, i), names[i]));
  }
}

/* Names that would change a terminal, a path or a line of text: stored as they are. */
static void
test_names (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const names[]
      = { "a\nb", "\033[31mred", "../../etc/passwd", "\xff\xfe", "\xe2\x80\xae" "txt.exe", "" };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
      PenTestCapture *capture = start ();
      g_autofree char *end = g_strdup_printf (" 7/7 %s", names[i]);
      g_autoptr (GPtrArray) lines = NULL;

      pen_test_capture_add_comm (capture, 7, 7, FALSE, names[i]);
      lines = finish (fixture, capture, flags, NULL);
      g_assert_true (g_str_has_suffix (g_ptr_array_index (lines, 0), end));
    }
  }
}

int
main (int argc, char *argv[])
{
#define ADD(name, func)                                                                            \
  g_test_add ("/perfdata/known-bugs/" name, Fixture, NULL, fixture_set_up, func, fixture_tear_down)
  g_test_init (&argc, &argv, NULL);
  ADD ("01-peek-at-any-offset", test_peek);
  ADD ("02-field-extent", test_field_extent);
  ADD ("03-zstd-error", test_zstd_error);
  ADD ("04-zstd-iterations", test_zstd_iterations);
  ADD ("05-read-layout", test_read_layout);
  ADD ("06-short-trailer", test_short_trailer);
  ADD ("07-missing-nul", test_missing_nul);
  ADD ("08-time-conv-size", test_time_conv_size);
  ADD ("09-attr-size-order", test_attr_size_order);
  ADD ("10-counts", test_counts);
  ADD ("11-build-id", test_build_id);
  ADD ("12-cpu-map", test_cpu_map);
  ADD ("13-auxtrace-error", test_auxtrace_error);
  ADD ("14-bpf-metadata", test_bpf_metadata);
  ADD ("15-event-update-name", test_event_update);
  ADD ("16-attr-beyond-size", test_attr_beyond_size);
  ADD ("17-feature-errors", test_feature_errors);
  ADD ("18-ids-section", test_ids);
  ADD ("19-feature-section", test_feature_section);
  ADD ("20-event-desc-size", test_event_desc);
  ADD ("21-bitmap-size", test_bitmap);
  ADD ("22-compressed2-size", test_compressed2_size);
  ADD ("23-compressed-empty", test_compressed_empty);
  ADD ("24-output-bound", test_output_bound);
  ADD ("25-26-cpu-numbers", test_cpu_numbers);
  ADD ("perf-data-converter-143-bad-alloc", test_bad_alloc);
  ADD ("hotspot-533-long-string", test_long_string);
  ADD ("giant-symbol", test_giant_symbol);
  ADD ("module-build-ids", test_module_build_ids);
  ADD ("names-are-raw", test_names);
  return g_test_run ();
}
