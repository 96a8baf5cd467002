/* test-known-bugs.c: what other readers of perf.data got wrong in records, case by case
 *
 * The numbers are those of a series of fixes to perf's own reader in May 2026; cases with a name
 * are from reports to other readers (google/perf_data_converter, KDAB/hotspot). Each capture has
 * the case between two good records, which must come out whatever becomes of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>
#include <zstd.h>

#include "pen-reader.h"
#include "pen-test-between.h"
#include "pen-test-lines.h"

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
      PenTestCapture *capture = between_start_with (&event);

      pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0x1000, 1);
      between_check (fixture, capture, flags, NULL, 1);
    }
    {
      g_autoptr (PenReader) reader = pen_reader_open (fixture->path, NULL, NULL);
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
    PenTestCapture *capture = between_start ();

    pen_test_capture_add_raw (capture, PEN_RECORD_COMPRESSED, 0, "no frame of zstd", 16, FALSE);
    between_check (fixture, capture, flags, "2 COMPRESSED 1 The compressed data is damaged", 0);
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

/* One compressed record whose contents are many times what is decompressed at once. */
static void
test_zstd_iterations (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint16 sizes[] = { 8, 24, 4096, 65528 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    PenTestCapture *capture = between_start ();
    gsize n = 5000000 / sizes[i];
    guint8 output[65000];
    gsize length = compress_marks (n, sizes[i], output, sizeof output);

    pen_test_capture_add_raw (capture, PEN_RECORD_COMPRESSED, 0, output, length, FALSE);
    between_check (fixture, capture, PEN_TEST_CAPTURE_FILE, NULL, 0);
    g_assert_cmpuint (between_count (fixture, PEN_RECORD_FINISHED_ROUND), ==, n);
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
      capture = between_start_with (&event);
      pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0x1000, 77);
      pen_test_bytes_u32 (body, 42);
      pen_test_bytes_u32 (body, 43);
      for (guint i = 0; i < 1 + format % 7; i++)
        pen_test_bytes_u64 (body, i);
      pen_test_capture_add_bytes (capture, PEN_RECORD_READ, 0, body, NULL, TRUE);
      lines = between_end (fixture, capture, flags, NULL);
      g_assert_cmpuint (lines->len, ==, 2);
      /* What comes after READ is found. */
      g_assert_true (g_str_has_suffix (g_ptr_array_index (lines, 0),
                                       " address=1000 period=77 raw=72617720636f6e74656e7473"));
      g_assert_true (
          g_str_has_prefix (g_ptr_array_index (lines, 1), "READ misc=0 time=1 task=42/42 cpu=0"));
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
  } types[] = { { 2, 16 }, { 3, 16 }, { 4, 24 }, { 5, 24 },  { 11, 24 }, { 12, 8 },
                { 13, 8 }, { 14, 0 }, { 15, 8 }, { 16, 16 }, { 18, 16 }, { 21, 8 } };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
      for (guint left = 8; left < 32; left += 8) {
        PenTestCapture *capture = between_start ();
        g_autofree char *problem = g_strdup_printf ("1 %s 1 The record's trailer",
                                                    pen_record_type_get_name (types[i].type));
        PenTestBytes *body = pen_test_bytes_new ();

        pen_test_bytes_zeros (body, types[i].front + left);
        pen_test_capture_add_bytes (capture, types[i].type, 0, body, NULL, FALSE);
        /* One event with one trailer, which is 32 long. */
        between_check (fixture, capture, flags, problem, 0);
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
      PenTestCapture *capture = between_start ();
      PenTestBytes *body = pen_test_bytes_new ();
      g_autofree char *problem
          = g_strdup_printf ("1 %s 1 A name", pen_record_type_get_name (types[i].type));

      pen_test_bytes_zeros (body, types[i].name_at);
      pen_test_bytes_raw (body, "0123456789abcdef0123456789abcdef", 32);
      pen_test_capture_add_bytes (capture, types[i].type, 0, body, NULL, FALSE);
      between_check (fixture, capture, flags, problem, 0);
    }
  }
}

static void
test_time_conv_size (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  BOTH_ORDERS (flags)
  {
    for (guint words = 0; words <= 8; words++) {
      PenTestCapture *capture = between_start ();
      g_autoptr (PenReader) reader = NULL;
      PenTestBytes *body = pen_test_bytes_new ();
      const PenFeatures *features;
      PenRecord record;

      for (guint i = 0; i < words; i++)
        pen_test_bytes_u64 (body, i + 1);
      pen_test_capture_add_bytes (capture, PEN_RECORD_TIME_CONV, 0, body, NULL, FALSE);
      between_check (fixture, capture, flags,
                     words < 3 ? "1 TIME_CONV 1 The record is shorter" : NULL, 0);
      reader = pen_reader_open (fixture->path, NULL, NULL);
      while (pen_reader_next (reader, &record, NULL, NULL))
        ;
      features = pen_reader_get_features (reader);
      g_assert_cmpint (features->has_time_conversion, ==, words >= 3);
      g_assert_cmpuint (features->time_conversion.zero, ==, words >= 3 ? 3 : 0);
      g_assert_cmpuint (features->time_conversion.mask, ==, words >= 6 ? 5 : 0);
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
                { PEN_RECORD_BPF_METADATA, 512, "1 BPF_METADATA 1 A count" } };
  static const guint64 counts[] = { 100, 1ull << 32, 1ull << 60, 1ull << 61, G_MAXUINT64 };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (types) * G_N_ELEMENTS (counts); i++) {
      guint which = i / G_N_ELEMENTS (counts);
      PenTestCapture *capture = between_start ();
      PenTestBytes *body = pen_test_bytes_new ();

      pen_test_bytes_zeros (body, types[which].count_at);
      pen_test_bytes_u64 (body, counts[i % G_N_ELEMENTS (counts)]);
      pen_test_bytes_zeros (body, 64);
      pen_test_capture_add_bytes (capture, types[which].type, 0, body, NULL, FALSE);
      between_check (fixture, capture, flags, types[which].problem, 0);
    }
  }
}

/* A record of a type that is passed over, with contents that make no sense. */
static void
check_passed_over (Fixture *fixture, guint32 type, const guint8 *contents, gsize length)
{
  BOTH_ORDERS (flags)
  {
    PenTestCapture *capture = between_start ();

    pen_test_capture_add_raw (capture, type, 0, contents, length, FALSE);
    between_check (fixture, capture, flags, NULL, 0);
    g_assert_cmpuint (between_count (fixture, type), ==, 1);
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
    BOTH_ORDERS (flags)
    {
      PenTestCapture *capture = between_start ();

      pen_test_capture_add_raw (capture, PEN_RECORD_BPF_METADATA, 0, contents, length, FALSE);
      between_check (
          fixture, capture, flags,
          length < 520 ? "1 BPF_METADATA 1 The record is shorter" : "1 BPF_METADATA 1 A count", 0);
    }
}

static void
test_event_update (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  BOTH_ORDERS (flags)
  {
    PenTestCapture *capture = between_start ();
    PenTestBytes *body = pen_test_bytes_new ();

    pen_test_bytes_u64 (body, 2);
    pen_test_bytes_u64 (body, pen_test_capture_get_id (0, 0));
    pen_test_bytes_raw (body, "no end!!", 8);
    pen_test_capture_add_bytes (capture, PEN_RECORD_EVENT_UPDATE, 0, body, NULL, FALSE);
    between_check (fixture, capture, flags, "1 EVENT_UPDATE 1 A name in the record", 0);
  }
}

static void
test_compressed2_size (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint64 sizes[] = { 17, 1ull << 32, 1ull << 63, G_MAXUINT64 - 15, G_MAXUINT64 };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
      PenTestCapture *capture = between_start ();
      PenTestBytes *body = pen_test_bytes_new ();

      pen_test_bytes_u64 (body, sizes[i]);
      pen_test_bytes_zeros (body, 16);
      pen_test_capture_add_bytes (capture, PEN_RECORD_COMPRESSED2, 0, body, NULL, FALSE);
      between_check (fixture, capture, flags, "1 COMPRESSED2 1 A count", 0);
    }
  }
}

static void
test_compressed_empty (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  BOTH_ORDERS (flags)
  {
    PenTestCapture *capture = between_start ();

    pen_test_capture_add_raw (capture, PEN_RECORD_COMPRESSED, 0, NULL, 0, FALSE);
    between_check (fixture, capture, flags, NULL, 0);
    capture = between_start ();
    pen_test_capture_add_raw (capture, PEN_RECORD_COMPRESSED2, 0, NULL, 0, FALSE);
    between_check (fixture, capture, flags, "1 COMPRESSED2 1 The record is shorter", 0);
  }
}

/* More than the recorder's buffers hold, as the header tells their size. */
static void
test_output_bound (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  PenTestCapture *capture = between_start ();
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
  between_check (fixture, capture, PEN_TEST_CAPTURE_PIPE,
                 "2 COMPRESSED 1 A compressed record holds", 0);
  count = between_count (fixture, PEN_RECORD_FINISHED_ROUND);
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
      PenTestCapture *capture = between_start ();
      g_autofree char *part = g_strdup_printf (" cpu=%u ", cpus[i]);
      g_autoptr (GPtrArray) lines = NULL;

      pen_test_capture_set_cpus (capture, G_MAXUINT32, G_MAXUINT32);
      pen_test_capture_at (capture, 1, 42, 42, cpus[i]);
      pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0x1000, 1);
      lines = between_end (fixture, capture, flags, NULL);
      g_assert_cmpuint (lines->len, ==, 1);
      g_assert_nonnull (strstr (g_ptr_array_index (lines, 0), part));
    }
  }
}

/* Symbols of the largest sizes, which wrap around the end of addresses: kept as recorded. */
static void
test_giant_symbol (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  BOTH_ORDERS (flags)
  {
    PenTestCapture *capture = between_start ();
    g_autoptr (GPtrArray) lines = NULL;

    pen_test_capture_add_ksymbol (capture, G_MAXUINT64 - 4095, G_MAXUINT32, 1, 0, "giant");
    lines = between_end (fixture, capture, flags, NULL);
    g_assert_cmpuint (lines->len, ==, 1);
    g_assert_nonnull (
        strstr (g_ptr_array_index (lines, 0), " fffffffffffff000+4294967295 type=1 flags=0 giant"));
  }
}

/* Names that would change a terminal, a path or a line of text: stored as they are. */
static void
test_names (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const names[] = { "a\nb",
                                       "\033[31mred",
                                       "../../etc/passwd",
                                       "\xff\xfe",
                                       "\xe2\x80\xae"
                                       "txt.exe",
                                       "" };

  BOTH_ORDERS (flags)
  {
    for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
      PenTestCapture *capture = between_start ();
      g_autofree char *end = g_strdup_printf (" 7/7 %s", names[i]);
      g_autoptr (GPtrArray) lines = NULL;

      pen_test_capture_add_comm (capture, 7, 7, FALSE, names[i]);
      lines = between_end (fixture, capture, flags, NULL);
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
  ADD ("02-field-extent", test_field_extent);
  ADD ("03-zstd-error", test_zstd_error);
  ADD ("04-zstd-iterations", test_zstd_iterations);
  ADD ("05-read-layout", test_read_layout);
  ADD ("06-short-trailer", test_short_trailer);
  ADD ("07-missing-nul", test_missing_nul);
  ADD ("08-time-conv-size", test_time_conv_size);
  ADD ("10-counts", test_counts);
  ADD ("12-cpu-map", test_cpu_map);
  ADD ("13-auxtrace-error", test_auxtrace_error);
  ADD ("14-bpf-metadata", test_bpf_metadata);
  ADD ("15-event-update-name", test_event_update);
  ADD ("22-compressed2-size", test_compressed2_size);
  ADD ("23-compressed-empty", test_compressed_empty);
  ADD ("24-output-bound", test_output_bound);
  ADD ("25-26-cpu-numbers", test_cpu_numbers);
  ADD ("giant-symbol", test_giant_symbol);
  ADD ("names-are-raw", test_names);
  return g_test_run ();
}
