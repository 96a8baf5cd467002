/* test-bad-records.c: a bad record, or a bad header, and what is left of the capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-test-fixture.h"
#include "pen-test-lines.h"

#define FIRST_RECORD_AT (104 + 2 * (4 * 8 + 128 + 16))

/* One bad record between two good ones. */
typedef struct {
  const char *name;
  guint32 type;
  guint16 misc;
  const char *body;
  gsize length;
  gboolean with_trailer;
  const char *problem;
} BadRecord;

#define BODY(bytes) bytes, sizeof (bytes) - 1
#define Z4 "\0\0\0\0"
#define Z8 Z4 Z4
#define Z16 Z8 Z8

static const BadRecord bad_records[] = {
  { "comm-without-nul", PEN_RECORD_COMM, 0, BODY (Z8 "abcdefgh"), FALSE, "1 COMM 1 A name" },
  { "mmap-without-nul", PEN_RECORD_MMAP, 0, BODY (Z16 Z16 "abcdefgh"), FALSE, "1 MMAP 1 A name" },
  { "mmap2-without-nul", PEN_RECORD_MMAP2, 0, BODY (Z16 Z16 Z16 Z16 "abcdefgh"), FALSE,
    "1 MMAP2 1 A name" },
  { "ksymbol-without-nul", PEN_RECORD_KSYMBOL, 0, BODY (Z16 "abcdefgh"), FALSE,
    "1 KSYMBOL 1 A name" },
  { "cgroup-without-nul", PEN_RECORD_CGROUP, 0, BODY (Z8 "abcdefgh"), FALSE, "1 CGROUP 1 A name" },
  { "comm-short", PEN_RECORD_COMM, 0, NULL, 0, FALSE, "1 COMM 1 The record is shorter" },
  { "mmap-short", PEN_RECORD_MMAP, 0, BODY (Z16), FALSE, "1 MMAP 1 The record is shorter" },
  { "mmap2-short", PEN_RECORD_MMAP2, 0, BODY (Z16 Z16), FALSE, "1 MMAP2 1 The record is" },
  { "mmap2-without-name", PEN_RECORD_MMAP2, 0, BODY (Z16 Z16 Z16 Z16), FALSE,
    "1 MMAP2 1 The record is shorter" },
  { "fork-short", PEN_RECORD_FORK, 0, BODY (Z16), FALSE, "1 FORK 1 The record is shorter" },
  { "exit-short", PEN_RECORD_EXIT, 0, BODY (Z8), FALSE, "1 EXIT 1 The record is shorter" },
  { "lost-short", PEN_RECORD_LOST, 0, BODY (Z8), FALSE, "1 LOST 1 The record is shorter" },
  { "lost-samples-short", PEN_RECORD_LOST_SAMPLES, 0, NULL, 0, FALSE,
    "1 LOST_SAMPLES 1 The record" },
  { "throttle-short", PEN_RECORD_THROTTLE, 0, BODY (Z8), FALSE, "1 THROTTLE 1 The record" },
  { "read-short", PEN_RECORD_READ, 0, BODY (Z8), FALSE, "1 READ 1 The record is shorter" },
  { "aux-short", PEN_RECORD_AUX, 0, BODY (Z8), FALSE, "1 AUX 1 The record is shorter" },
  { "ksymbol-short", PEN_RECORD_KSYMBOL, 0, BODY (Z8), FALSE, "1 KSYMBOL 1 The record" },
  { "bpf-event-short", PEN_RECORD_BPF_EVENT, 0, BODY (Z8), FALSE, "1 BPF_EVENT 1 The record" },
  { "text-poke-short", PEN_RECORD_TEXT_POKE, 0, BODY (Z8), FALSE, "1 TEXT_POKE 1 The record" },
  { "text-poke-lengths-65535", PEN_RECORD_TEXT_POKE, 1, BODY (Z8 "\xff\xff\xff\xff" Z4), TRUE,
    "1 TEXT_POKE 1 The lengths" },
  { "text-poke-longer-than-record", PEN_RECORD_TEXT_POKE, 1, BODY (Z8 "\5\0\x40\0" Z4), TRUE,
    "1 TEXT_POKE 1 The lengths" },
  { "namespaces-count-overflows", PEN_RECORD_NAMESPACES, 0, BODY (Z8 "\0\0\0\0\0\0\0\x20" Z16),
    TRUE, "1 NAMESPACES 1 A count" },
  { "namespaces-count-too-large", PEN_RECORD_NAMESPACES, 0, BODY (Z8 "\x09\0\0\0" Z4 Z16), TRUE,
    "1 NAMESPACES 1 A count" },
  { "callchain-deferred-count", PEN_RECORD_CALLCHAIN_DEFERRED, 0, BODY (Z8 "\0\0\0\0\0\0\0\x40" Z8),
    TRUE, "1 CALLCHAIN_DEFERRED 1 A count" },
  { "trailer-cut", PEN_RECORD_COMM, 0, BODY (Z8 "abc\0\0\0\0\0" Z16), FALSE,
    "1 COMM 1 The record's trailer" },
  { "sample-short", PEN_RECORD_SAMPLE, 1, BODY ("\xe8\3\0\0\0\0\0\0" Z8), FALSE,
    "1 SAMPLE 1 The sample is shorter" },
  { "sample-empty", PEN_RECORD_SAMPLE, 1, NULL, 0, FALSE, "1 SAMPLE 1 The sample's event" },
  { "sample-of-no-event", PEN_RECORD_SAMPLE, 1, BODY (Z16 Z16 Z16), FALSE,
    "1 SAMPLE 1 A field of" },
  { "type-0", 0, 0, BODY (Z8), FALSE, "1 unknown 1 There is no" },
  { "size-no-multiple-of-8", PEN_RECORD_FINISHED_ROUND, 0, BODY ("abc"), FALSE,
    "1 FINISHED_ROUND 1 The record's size" },
  { "event-update-short", PEN_RECORD_EVENT_UPDATE, 0, BODY (Z8), FALSE,
    "1 EVENT_UPDATE 1 The record is" },
  { "event-update-name-without-nul", PEN_RECORD_EVENT_UPDATE, 0,
    BODY ("\2\0\0\0\0\0\0\0"
          "\xe8\3\0\0\0\0\0\0"
          "abcdefgh"),
    FALSE, "1 EVENT_UPDATE 1 A name" },
  { "build-id-of-size-0", PEN_RECORD_BUILD_ID, 0, BODY (Z16 Z16), FALSE, NULL },
  { "compressed-garbage", PEN_RECORD_COMPRESSED, 0, BODY ("this is no zstd frame at all"), FALSE,
    "2 COMPRESSED 1 The compressed data is damaged" },
  { "compressed-empty", PEN_RECORD_COMPRESSED, 0, NULL, 0, FALSE, NULL },
  { "compressed2-short", PEN_RECORD_COMPRESSED2, 0, NULL, 0, FALSE,
    "1 COMPRESSED2 1 The record is" },
  { "compressed2-count", PEN_RECORD_COMPRESSED2, 0, BODY ("\xff\xff\xff\xff\xff\xff\xff\xff" Z8),
    FALSE, "1 COMPRESSED2 1 A count" },
  { "auxtrace-short", PEN_RECORD_AUXTRACE, 0, NULL, 0, FALSE, "1 AUXTRACE 1 The record is" },
  { "unknown-type-of-kernel", 40, 0, BODY (Z16), FALSE, NULL },
  { "unknown-type-of-recorder", 4000000000u, 0, BODY (Z16), FALSE, NULL },
  { "id-index-count", PEN_RECORD_ID_INDEX, 0, BODY ("\0\0\0\0\0\0\0\x20"), FALSE, NULL },
  { "thread-map-count", PEN_RECORD_THREAD_MAP, 0, BODY ("\0\0\0\0\0\0\0\x20"), FALSE, NULL },
  { "time-conv-short", PEN_RECORD_TIME_CONV, 0, NULL, 0, FALSE, NULL },
  { "header-attr-in-file", PEN_RECORD_HEADER_ATTR, 0, NULL, 0, FALSE, NULL },
};

static void
test_bad_record (gconstpointer data)
{
  const BadRecord *bad = data;
  Fixture fixture;
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  PenTestEvent with_chain = PEN_TEST_EVENT_CLOCK;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GPtrArray) problems = NULL;

  fixture_set_up (&fixture, NULL);
  with_chain.sample_type |= PEN_SAMPLE_CALLCHAIN;
  pen_test_capture_add_event (capture, &with_chain);
  pen_test_capture_add_event (capture, &with_chain);
  pen_test_capture_at (capture, 1, 42, 42, 0);
  pen_test_capture_add_comm (capture, 42, 42, FALSE, "before");
  pen_test_capture_add_raw (capture, bad->type, bad->misc, bad->body, bad->length,
                            bad->with_trailer);
  pen_test_capture_at (capture, 2, 42, 42, 0);
  pen_test_capture_add_comm (capture, 42, 42, FALSE, "after");
  pen_test_capture_write (capture, fixture.path, PEN_TEST_CAPTURE_FILE, &error);
  g_assert_no_error (error);

  lines = pen_test_read_lines (fixture.path, &problems, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (lines->len, >=, 2);
  g_assert_true (g_str_has_suffix (g_ptr_array_index (lines, 0), " before"));
  g_assert_true (g_str_has_suffix (g_ptr_array_index (lines, lines->len - 1), " after"));
  if (bad->problem) {
    g_assert_true (pen_test_has_problem (problems, bad->problem));
    g_assert_cmpuint (lines->len, ==, 2);
  }
  fixture_tear_down (&fixture, NULL);
}

/* A sample whose fields run past its end, for every field that has a count. */
static void
test_counts_in_samples (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint64 counts[]
      = { 3, 1000, 0x10000, 1ull << 31, 1ull << 32, 1ull << 60, 1ull << 61, G_MAXUINT64 };
  static const guint bits[] = { 4, 5, 10, 11, 12, 13, 18, 20 };

  for (guint i = 0; i < G_N_ELEMENTS (bits); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (counts); j++) {
      PenTestEvent event = PEN_TEST_EVENT_CLOCK;
      g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
      g_autoptr (GPtrArray) lines = NULL;
      g_autoptr (GPtrArray) problems = NULL;
      g_autoptr (GError) error = NULL;
      guint64 body[3] = { 0x1000, GUINT64_TO_LE (counts[j]), 0 };

      event.sample_type = PEN_SAMPLE_IP | 1ull << bits[i];
      event.read_format = PEN_READ_GROUP | PEN_READ_ID;
      event.sample_regs_user = event.sample_regs_intr = 0xff;
      pen_test_capture_add_event (capture, &event);
      pen_test_capture_add_raw (capture, PEN_RECORD_SAMPLE, 1, body, sizeof body, FALSE);
      pen_test_capture_add_raw (capture, PEN_RECORD_COMM, 0, "\0\0\0\0\0\0\0\0x\0\0\0\0\0\0", 16,
                                FALSE);
      pen_test_capture_write (capture, fixture->path, PEN_TEST_CAPTURE_FILE, &error);
      lines = pen_test_read_lines (fixture->path, &problems, &error);
      g_assert_no_error (error);
      /* RAW's size is the lower half: 0 and 3 fit, as 3 does for AUX. */
      if ((bits[i] == 10 && (guint32) counts[j] <= 12) || (bits[i] == 20 && counts[j] <= 8))
        continue;
      g_assert_cmpuint (lines->len, ==, 1);
      g_assert_true (pen_test_has_problem (problems, "1 SAMPLE 1 A field of the sample"));
    }
  }
}

static void
check_sizes (Fixture *fixture, guint16 size, const char *problem, guint lines_left)
{
  gsize length;
  g_autofree char *bytes = fixture_write_everything (fixture, PEN_TEST_CAPTURE_FILE, &length);
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GError) error = NULL;
  guint16 value = GUINT16_TO_LE (size);

  memcpy (bytes + FIRST_RECORD_AT + 0x60 + 6, &value, 2); /* the second record's */
  fixture_write_bytes (fixture, bytes, length);
  lines = pen_test_read_lines (fixture->path, &problems, &error);
  g_assert_no_error (error);
  g_assert_true (pen_test_has_problem (problems, problem));
  g_assert_cmpuint (lines->len, ==, lines_left);
}

static void
test_record_sizes (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  check_sizes (fixture, 0, "2 unknown 1 A record says", 1);
  check_sizes (fixture, 7, "2 unknown 1 A record says", 1);
  check_sizes (fixture, 65528, "2 unknown 1 A record runs past", 1);
}

/* Header fields: an error that says what is wrong, or a problem and what can be read. */
typedef struct {
  const char *name;
  guint at;
  guint64 value;
  int code; /* -1: opens */
  const char *problem;
} BadHeader;

static const BadHeader bad_headers[] = {
  { "magic", 0, 0x1122334455667788, PEN_READER_ERROR_NOT_PERF_DATA, NULL },
  { "magic-of-version-1-swapped", 0, 0x5045524646494c45, PEN_READER_ERROR_NOT_PERF_DATA, NULL },
  { "header-size-0", 8, 0, PEN_READER_ERROR_DAMAGED, NULL },
  { "header-size-100", 8, 100, PEN_READER_ERROR_DAMAGED, NULL },
  { "header-size-huge", 8, 1ull << 40, PEN_READER_ERROR_DAMAGED, NULL },
  { "attr-size-0", 16, 0, PEN_READER_ERROR_DAMAGED, NULL },
  { "attr-size-16", 16, 16, PEN_READER_ERROR_DAMAGED, NULL },
  { "attr-size-4G", 16, 1ull << 32, PEN_READER_ERROR_DAMAGED, NULL },
  { "attrs-in-header", 24, 50, PEN_READER_ERROR_DAMAGED, NULL },
  { "attrs-beyond-end", 24, 1ull << 40, PEN_READER_ERROR_DAMAGED, NULL },
  { "attrs-overflow", 24, G_MAXUINT64 - 8, PEN_READER_ERROR_DAMAGED, NULL },
  { "attrs-empty", 32, 0, PEN_READER_ERROR_DAMAGED, NULL },
  { "attrs-over-data", 32, 1000, PEN_READER_ERROR_DAMAGED, NULL },
  { "attrs-size-huge", 32, G_MAXUINT64, PEN_READER_ERROR_DAMAGED, NULL },
  { "data-in-header", 40, 8, PEN_READER_ERROR_DAMAGED, NULL },
  { "data-over-attrs", 40, 110, PEN_READER_ERROR_DAMAGED, NULL },
  { "data-beyond-end", 40, 1ull << 40, -1, "2 unknown 1 The file is cut off" },
  { "data-offset-huge", 40, G_MAXUINT64, PEN_READER_ERROR_DAMAGED, NULL },
  { "data-size-huge", 48, G_MAXUINT64, PEN_READER_ERROR_DAMAGED, NULL },
  { "data-size-beyond-end", 48, 1ull << 40, -1, "2 unknown 1 The file is cut off" },
  { "data-size-0", 48, 0, -1, "0 unknown 1 The recorder did not" },
  { "feature-bits-all", 72, G_MAXUINT64, -1, "1 unknown" },
};

static void
test_bad_header (gconstpointer data)
{
  const BadHeader *bad = data;
  guint64 value = GUINT64_TO_LE (bad->value);
  Fixture fixture;
  g_autofree char *bytes = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  fixture_set_up (&fixture, NULL);
  bytes = fixture_write_everything (&fixture, PEN_TEST_CAPTURE_FILE, &length);
  memcpy (bytes + bad->at, &value, 8);
  fixture_write_bytes (&fixture, bytes, length);
  lines = pen_test_read_lines (fixture.path, &problems, &error);
  if (bad->code >= 0) {
    g_assert_error (error, PEN_READER_ERROR, bad->code);
    g_assert_nonnull (strstr (error->message, fixture.path));
  } else {
    g_assert_no_error (error);
    g_assert_true (pen_test_has_problem (problems, bad->problem));
  }
  fixture_tear_down (&fixture, NULL);
}

static void
add_tables (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad_records); i++) {
    g_autofree char *path = g_strdup_printf ("/perfdata/bad-record/%s", bad_records[i].name);

    g_test_add_data_func (path, &bad_records[i], test_bad_record);
  }
  for (guint i = 0; i < G_N_ELEMENTS (bad_headers); i++) {
    g_autofree char *path = g_strdup_printf ("/perfdata/bad-header/%s", bad_headers[i].name);

    g_test_add_data_func (path, &bad_headers[i], test_bad_header);
  }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add_tables ();
  g_test_add ("/perfdata/bad-record/counts-in-samples", Fixture, NULL, fixture_set_up,
              test_counts_in_samples, fixture_tear_down);
  g_test_add ("/perfdata/bad-record/sizes", Fixture, NULL, fixture_set_up, test_record_sizes,
              fixture_tear_down);
  return g_test_run ();
}
