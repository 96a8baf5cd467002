/* test-hostile.c: damaged and malicious captures lose what is damaged, and nothing else
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "pen-test-capture.h"
#include "pen-test-lines.h"
#include "pen-test-samples.h"

#define FIRST_RECORD_AT (104 + 2 * (4 * 8 + 128 + 16))

typedef struct {
  char *directory;
  char *path;
} Fixture;

static void
fixture_set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  fixture->directory = pen_test_make_directory ();
  fixture->path = g_build_filename (fixture->directory, "perf.data", NULL);
}

static void
fixture_tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  pen_test_remove_directory (fixture->directory);
  g_free (fixture->path);
  g_free (fixture->directory);
}

static void
write_bytes (Fixture *fixture, const char *bytes, gsize length)
{
  g_autoptr (GError) error = NULL;

  g_unlink (fixture->path); /* GLib does not cut off what is longer when it writes in place */
  g_file_set_contents_full (fixture->path, bytes, (gssize) length, G_FILE_SET_CONTENTS_NONE, 0600,
                            &error);
  g_assert_no_error (error);
}

static char *
write_everything (Fixture *fixture, PenTestCaptureFlags flags, gsize *length)
{
  g_autoptr (PenTestCapture) capture = pen_test_make_everything ();
  g_autoptr (GError) error = NULL;
  char *bytes;

  pen_test_capture_write (capture, fixture->path, flags, &error);
  g_assert_no_error (error);
  g_file_get_contents (fixture->path, &bytes, length, &error);
  g_assert_no_error (error);
  return bytes;
}

static gboolean
has_problem (GPtrArray *problems, const char *start)
{
  for (guint i = 0; i < problems->len; i++) {
    if (g_str_has_prefix (g_ptr_array_index (problems, i), start))
      return TRUE;
  }
  for (guint i = 0; i < problems->len; i++)
    g_test_message ("%s", (const char *) g_ptr_array_index (problems, i));
  return FALSE;
}

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
  { "mmap-without-nul", PEN_RECORD_MMAP, 0, BODY (Z16 Z16 "abcdefgh"), FALSE,
    "1 MMAP 1 A name" },
  { "mmap2-without-nul", PEN_RECORD_MMAP2, 0, BODY (Z16 Z16 Z16 Z16 "abcdefgh"), FALSE,
    "1 MMAP2 1 A name" },
  { "ksymbol-without-nul", PEN_RECORD_KSYMBOL, 0, BODY (Z16 "abcdefgh"), FALSE,
    "1 KSYMBOL 1 A name" },
  { "cgroup-without-nul", PEN_RECORD_CGROUP, 0, BODY (Z8 "abcdefgh"), FALSE,
    "1 CGROUP 1 A name" },
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
  { "namespaces-count-overflows", PEN_RECORD_NAMESPACES, 0,
    BODY (Z8 "\0\0\0\0\0\0\0\x20" Z16), TRUE, "1 NAMESPACES 1 A count" },
  { "namespaces-count-too-large", PEN_RECORD_NAMESPACES, 0, BODY (Z8 "\x09\0\0\0" Z4 Z16), TRUE,
    "1 NAMESPACES 1 A count" },
  { "callchain-deferred-count", PEN_RECORD_CALLCHAIN_DEFERRED, 0,
    BODY (Z8 "\0\0\0\0\0\0\0\x40" Z8), TRUE, "1 CALLCHAIN_DEFERRED 1 A count" },
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
    BODY ("\2\0\0\0\0\0\0\0" "\xe8\3\0\0\0\0\0\0" "abcdefgh"), FALSE,
    "1 EVENT_UPDATE 1 A name" },
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
    g_assert_true (has_problem (problems, bad->problem));
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
      g_assert_true (has_problem (problems, "1 SAMPLE 1 A field of the sample"));
    }
  }
}

static void
check_sizes (Fixture *fixture, guint16 size, const char *problem, guint lines_left)
{
  gsize length;
  g_autofree char *bytes = write_everything (fixture, PEN_TEST_CAPTURE_FILE, &length);
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GError) error = NULL;
  guint16 value = GUINT16_TO_LE (size);

  memcpy (bytes + FIRST_RECORD_AT + 0x60 + 6, &value, 2); /* the second record's */
  write_bytes (fixture, bytes, length);
  lines = pen_test_read_lines (fixture->path, &problems, &error);
  g_assert_no_error (error);
  g_assert_true (has_problem (problems, problem));
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
  { "magic-of-version-1", 0, 0x454c494646524550, PEN_READER_ERROR_UNSUPPORTED, NULL },
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
  bytes = write_everything (&fixture, PEN_TEST_CAPTURE_FILE, &length);
  memcpy (bytes + bad->at, &value, 8);
  write_bytes (&fixture, bytes, length);
  lines = pen_test_read_lines (fixture.path, &problems, &error);
  if (bad->code >= 0) {
    g_assert_error (error, PEN_READER_ERROR, bad->code);
    g_assert_nonnull (strstr (error->message, fixture.path));
  } else {
    g_assert_no_error (error);
    g_assert_true (has_problem (problems, bad->problem));
  }
  fixture_tear_down (&fixture, NULL);
}

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
  g_autofree char *bytes = write_everything (fixture, PEN_TEST_CAPTURE_FILE, &length);
  guint64 section = peek_u64 (bytes, 24) + 128;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autoptr (GPtrArray) lines = NULL;
    g_autoptr (GPtrArray) problems = NULL;
    g_autoptr (GError) error = NULL;

    patch_u64 (bytes, section, values[i][0]);
    patch_u64 (bytes, section + 8, values[i][1]);
    write_bytes (fixture, bytes, length);
    lines = pen_test_read_lines (fixture->path, &problems, &error);
    g_assert_no_error (error);
    g_assert_true (has_problem (problems, "1 unknown 1 The list of an event's ids"));
    g_assert_cmpuint (lines->len, >, 10);
  }
}

/* Every feature in turn lies outside the file, or is filled with each of some bytes. */
static void
test_damaged_features (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint8 fillers[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
  gsize length;
  g_autofree char *bytes = write_everything (fixture, PEN_TEST_CAPTURE_FILE, &length);
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
      write_bytes (fixture, damaged, length);
      lines = pen_test_read_lines (fixture->path, &problems, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (lines->len, ==, g_strv_length ((char **) pen_test_everything_lines));
      if (j >= G_N_ELEMENTS (fillers))
        g_assert_true (has_problem (problems, "1 unknown 1 A part of the capture's header"));
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
  reader = pen_reader_open (fixture->path, &error);
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
  g_autofree char *bytes = write_everything (fixture, flags, &length);
  g_autoptr (GPtrArray) whole = pen_test_read_lines (fixture->path, NULL, NULL);
  guint most = 0;

  g_assert_nonnull (whole);
  for (gsize cut = 0; cut < length; cut++) {
    g_autoptr (GPtrArray) lines = NULL;
    g_autoptr (GPtrArray) problems = NULL;
    g_autoptr (GError) error = NULL;

    write_bytes (fixture, bytes, cut);
    lines = pen_test_read_lines (fixture->path, &problems, &error);
    if (!lines) {
      g_assert_nonnull (error);
      continue;
    }
    assert_prefix (lines, whole);
    g_assert_cmpuint (lines->len, >=, most);
    most = lines->len;
    /* A pipe may end after any record; all else tells that something is missing. */
    if (!(flags & PEN_TEST_CAPTURE_PIPE))
      g_assert_cmpuint (problems->len, >, 0);
  }
  g_assert_cmpuint (most, ==, whole->len);
}

/* Whatever is changed: it ends, and nothing is read or written out of bounds. */
static void
test_mutated (Fixture *fixture, gconstpointer data)
{
  PenTestCaptureFlags flags = (PenTestCaptureFlags) GPOINTER_TO_UINT (data);
  static const guint8 favourites[] = { 0x00, 0x01, 0x07, 0x08, 0x7f, 0x80, 0xff };
  gsize length;
  g_autofree char *bytes = write_everything (fixture, flags, &length);
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
    write_bytes (fixture, mutated, length);
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
  g_assert_true (has_problem (problems, "2 COMPRESSED 1 A compressed record holds more"));
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
  g_assert_true (has_problem (problems, "1 COMPRESSED 1 A compressed record cannot"));
  g_assert_cmpuint (lines->len, ==, 1);
}

/* Damage in the middle of compressed data: what came before it, and what was not compressed. */
static void
test_damaged_compression (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gsize length;
  g_autofree char *bytes = write_everything (fixture, PEN_TEST_CAPTURE_ZSTD, &length);
  g_autoptr (PenReader) reader = pen_reader_open (fixture->path, NULL);
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  guint64 second = 0;
  PenRecord record;

  while (pen_reader_next (reader, &record, NULL, NULL)) {
    if (record.type == PEN_RECORD_COMPRESSED && second == 0)
      second = record.offset;
  }
  memset (bytes + second + 24, 0xff, 32);
  write_bytes (fixture, bytes, length);
  lines = pen_test_read_lines (fixture->path, &problems, NULL);
  g_assert_nonnull (lines);
  g_assert_cmpuint (lines->len, >=, 4); /* the recorder's own */
  g_assert_true (has_problem (problems, "2 COMPRESSED 1 The compressed data is damaged"));
  g_assert_true (has_problem (problems, "1 COMPRESSED 1 It is compressed, and needs"));
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
  reader = pen_reader_open (fixture->path, &error);
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

  g_assert_null (pen_reader_open (path, &error));
  g_assert_error (error, domain, code);
  g_assert_nonnull (strstr (error->message, path));
}

static void
test_no_capture (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *fifo = g_build_filename (fixture->directory, "fifo", NULL);

  assert_refused (fixture->path, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  assert_refused ("/dev/null", PEN_READER_ERROR, PEN_READER_ERROR_NOT_REGULAR);
  assert_refused (fixture->directory, PEN_READER_ERROR, PEN_READER_ERROR_NOT_PERF_DATA);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  assert_refused (fifo, PEN_READER_ERROR, PEN_READER_ERROR_NOT_REGULAR);
  write_bytes (fixture, "", 0);
  assert_refused (fixture->path, PEN_READER_ERROR, PEN_READER_ERROR_EMPTY);
  write_bytes (fixture, "text\n", 5);
  assert_refused (fixture->path, PEN_READER_ERROR, PEN_READER_ERROR_NOT_PERF_DATA);
  write_bytes (fixture, "PERFILE2", 8);
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

static void
test_shrinking_file (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (PenReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  PenRecord record;
  guint count = 0;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_at (capture, 1, 1, 1, 0);
  for (guint i = 0; i < 20000; i++)
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0x1000, 1);
  pen_test_capture_write (capture, fixture->path, PEN_TEST_CAPTURE_FILE, &error);
  reader = pen_reader_open (fixture->path, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 10; i++)
    g_assert_true (pen_reader_next (reader, &record, NULL, &error));
  g_assert_cmpint (truncate (fixture->path, 600000), ==, 0);
  while (pen_reader_next (reader, &record, NULL, &error))
    count++;
  g_assert_no_error (error);
  g_assert_cmpuint (count, <, 12000);
  g_assert_cmpuint (pen_reader_get_problems (reader)->len, >, 0);
}

/* In pipe form, attr.size and ids come from the record; the size must be read in the right order. */
static void
test_bad_header_attr (Fixture *fixture, gconstpointer data)
{
  PenTestCaptureFlags flags
      = (PenTestCaptureFlags) GPOINTER_TO_UINT (data) | PEN_TEST_CAPTURE_PIPE;
  static const guint32 sizes[] = { 0x7fffffff, 0xffffffff, 4096 };
  gsize length;
  g_autofree char *bytes = write_everything (fixture, flags, &length);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (GPtrArray) problems = NULL;
    g_autoptr (GPtrArray) lines = NULL;
    g_autoptr (GError) error = NULL;
    gboolean is_big = (flags & PEN_TEST_CAPTURE_BIG_ENDIAN) != 0;
    guint32 size = is_big ? GUINT32_TO_BE (sizes[i]) : GUINT32_TO_LE (sizes[i]);

    memcpy (bytes + 16 + 8 + 4, &size, 4);
    write_bytes (fixture, bytes, length);
    lines = pen_test_read_lines (fixture->path, &problems, &error);
    g_assert_no_error (error);
    g_assert_true (has_problem (problems, "1 HEADER_ATTR 1 An event says"));
    g_assert_cmpuint (lines->len, >, 10); /* the other event's */
  }
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
    { "pipe-zstd-2",
      PEN_TEST_CAPTURE_PIPE | PEN_TEST_CAPTURE_ZSTD | PEN_TEST_CAPTURE_COMPRESSED2 },
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
  add_tables ();
  add_shapes ("truncated", test_truncated);
  add_shapes ("mutated", test_mutated);
  ADD ("counts-in-samples", test_counts_in_samples);
  ADD ("record-sizes", test_record_sizes);
  ADD ("ids-beyond-end", test_ids_beyond_end);
  ADD ("damaged-features", test_damaged_features);
  ADD ("bpf-lengths", test_bpf_lengths);
  ADD ("zstd-bomb", test_bomb);
  ADD ("nested-compression", test_nested_compression);
  ADD ("damaged-compression", test_damaged_compression);
  ADD ("problems-are-few", test_problems_are_few);
  ADD ("no-capture", test_no_capture);
  ADD ("links-in-directory", test_links_in_directory);
  ADD ("shrinking-file", test_shrinking_file);
  g_test_add ("/perfdata/hostile/header-attr", Fixture, GUINT_TO_POINTER (0), fixture_set_up,
              test_bad_header_attr, fixture_tear_down);
  g_test_add ("/perfdata/hostile/header-attr-big-endian", Fixture,
              GUINT_TO_POINTER (PEN_TEST_CAPTURE_BIG_ENDIAN), fixture_set_up,
              test_bad_header_attr, fixture_tear_down);
  return g_test_run ();
}
