/* test-contents.c: what records and features hold beyond where samples landed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-reader.h"
#include "pen-test-fixture.h"
#include "pen-test-lines.h"

#define TYPE_TRACING_DATA 66
#define TYPE_TIME_CONV 79
#define TYPE_CGROUP 19
#define TYPE_CALLCHAIN_DEFERRED 22

#define MAGIC                                                                                      \
  "\x17\x08\x44"                                                                                   \
  "tracing0.6"

static const PenTestCaptureFlags orders[] = { PEN_TEST_CAPTURE_FILE, PEN_TEST_CAPTURE_BIG_ENDIAN };

static PenTestCapture *
make_capture (void)
{
  PenTestCapture *capture = pen_test_capture_new ();

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_at (capture, 7, 1, 1, 0);
  pen_test_capture_add_finished_round (capture);
  return capture;
}

/* The reader at the end of the capture. */
static PenReader *
write_and_read (Fixture *fixture, PenTestCapture *capture, PenTestCaptureFlags flags,
                guint problems)
{
  g_autoptr (GError) error = NULL;
  PenReader *reader;
  PenRecord record;

  pen_test_capture_write (capture, fixture->path, flags, &error);
  g_assert_no_error (error);
  reader = pen_reader_open (fixture->path, NULL, &error);
  g_assert_no_error (error);
  while (pen_reader_next (reader, &record, NULL, &error))
    ;
  g_assert_no_error (error);
  for (guint i = 0; i < pen_reader_get_problems (reader)->len; i++) {
    const PenProblem *problem = g_ptr_array_index (pen_reader_get_problems (reader), i);

    g_test_message ("%u at %" G_GUINT64_FORMAT ": %s", problem->action, problem->offset,
                    problem->reason);
  }
  g_assert_cmpuint (pen_reader_get_problems (reader)->len, ==, problems);
  g_assert_cmpint (pen_reader_is_big_endian (reader), ==,
                   (flags & PEN_TEST_CAPTURE_BIG_ENDIAN) != 0);
  g_assert_cmpint (pen_reader_get_features (reader)->big_endian, ==,
                   (flags & PEN_TEST_CAPTURE_BIG_ENDIAN) != 0);
  return reader;
}

static void
test_deferred (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++) {
    g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
    PenTestEvent event = PEN_TEST_EVENT_CLOCK;
    static const guint64 chain[]
        = { (guint64) -128, 0xffffffff81000010, PEN_CONTEXT_USER_DEFERRED, 99 };
    PenTestBytes *body = pen_test_bytes_new ();
    g_autoptr (GPtrArray) lines = NULL;
    g_autoptr (GError) error = NULL;

    event.sample_type |= PEN_SAMPLE_CALLCHAIN;
    pen_test_capture_add_event (capture, &event);
    pen_test_capture_at (capture, 7, 1, 1, 0);
    pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, chain[1], 1, chain, 4);
    pen_test_bytes_u64 (body, 99);
    pen_test_bytes_u64 (body, 3);
    for (guint64 k = 0; k < 3; k++)
      pen_test_bytes_u64 (body, 0x400000 + k);
    pen_test_capture_add_bytes (capture, TYPE_CALLCHAIN_DEFERRED, PEN_TEST_USER, body, NULL, TRUE);
    pen_test_capture_write (capture, fixture->path, orders[i], &error);
    lines = pen_test_read_lines (fixture->path, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (lines->len, ==, 2);
    g_assert_cmpstr (g_ptr_array_index (lines, 0), ==,
                     "SAMPLE misc=1 time=7 task=1/1 cpu=0 event=cpu-clock address=ffffffff81000010 "
                     "period=1 ffffffffffffff80 ffffffff81000010 fffffffffffffd80 63");
    g_assert_cmpstr (g_ptr_array_index (lines, 1), ==,
                     "CALLCHAIN_DEFERRED misc=2 time=7 task=1/1 cpu=0 event=cpu-clock 99 400000 "
                     "400001 400002");
  }
}

static void
test_cgroup (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++) {
    g_autoptr (PenTestCapture) capture = make_capture ();
    PenTestBytes *body = pen_test_bytes_new ();
    g_autoptr (GPtrArray) lines = NULL;

    pen_test_bytes_u64 (body, 1234567890123);
    pen_test_bytes_name (body, "/user.slice/a", 8);
    pen_test_capture_add_bytes (capture, TYPE_CGROUP, 0, body, NULL, TRUE);
    pen_test_capture_write (capture, fixture->path, orders[i], NULL);
    lines = pen_test_read_lines (fixture->path, NULL, NULL);
    g_assert_cmpstr (g_ptr_array_index (lines, 0), ==,
                     "CGROUP misc=0 time=7 task=1/1 cpu=0 event=cpu-clock 1234567890123 "
                     "/user.slice/a");
  }
}

static PenTestBytes *
make_time_conversion (gboolean is_long)
{
  PenTestBytes *body = pen_test_bytes_new ();

  pen_test_bytes_u64 (body, 31);
  pen_test_bytes_u64 (body, 1234567);
  pen_test_bytes_u64 (body, G_MAXUINT64 - 9);
  if (is_long) {
    pen_test_bytes_u64 (body, 555);
    pen_test_bytes_u64 (body, 0xffffffffffffff);
    pen_test_bytes_raw (body, "\0\1\0\0\0\0\0\0", 8);
  }
  return body;
}

static void
test_time_conversion (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < 4; i++) {
    gboolean is_long = i / 2;
    g_autoptr (PenTestCapture) capture = make_capture ();
    g_autoptr (PenReader) reader = NULL;
    const PenTimeConversion *conversion;

    pen_test_capture_add_bytes (capture, TYPE_TIME_CONV, 0, make_time_conversion (is_long), NULL,
                                FALSE);
    reader = write_and_read (fixture, capture, orders[i % 2], 0);
    g_assert_true (pen_reader_get_features (reader)->has_time_conversion);
    conversion = &pen_reader_get_features (reader)->time_conversion;
    g_assert_cmpuint (conversion->shift, ==, 31);
    g_assert_cmpuint (conversion->multiplier, ==, 1234567);
    g_assert_cmpuint (conversion->zero, ==, G_MAXUINT64 - 9);
    g_assert_cmpint (conversion->has_zero, ==, !is_long);
    g_assert_cmpint (conversion->has_short, ==, is_long);
    g_assert_cmpuint (conversion->cycles, ==, is_long ? 555 : 0);
    g_assert_cmphex (conversion->mask, ==, is_long ? 0xffffffffffffff : 0);
  }
}

/* In pipe form the formats follow a record, in a file they are a feature. */
static void
add_tracing_data (PenTestCapture *capture, PenTestCaptureFlags flags, const char *contents,
                  gsize length)
{
  PenTestBytes *body, *payload;
  gsize padding = (8 - length % 8) % 8;

  if (!(flags & PEN_TEST_CAPTURE_PIPE)) {
    pen_test_capture_set_raw_feature (capture, 1, contents, length);
    return;
  }
  body = pen_test_bytes_new ();
  payload = pen_test_bytes_new ();
  pen_test_bytes_u32 (body, (guint32) (length + padding));
  pen_test_bytes_raw (payload, contents, length);
  pen_test_bytes_zeros (payload, padding);
  pen_test_capture_add_bytes (capture, TYPE_TRACING_DATA, 0, body, payload, FALSE);
}

static const PenTestCaptureFlags forms[] = {
  PEN_TEST_CAPTURE_FILE,
  PEN_TEST_CAPTURE_BIG_ENDIAN,
  PEN_TEST_CAPTURE_PIPE,
  PEN_TEST_CAPTURE_PIPE | PEN_TEST_CAPTURE_BIG_ENDIAN,
};

static void
test_tracing_data (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const gsize length = 300001; /* more than the reader has at hand at once */
  g_autofree char *contents = g_malloc (length);

  for (gsize i = 0; i < length; i++)
    contents[i] = (char) (i * 7 + i / 251);
  memcpy (contents, MAGIC, strlen (MAGIC));
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++) {
    g_autoptr (PenTestCapture) capture = make_capture ();
    g_autoptr (PenReader) reader = NULL;
    g_autoptr (GPtrArray) lines = NULL;
    GBytes *kept;

    add_tracing_data (capture, forms[i], contents, length);
    pen_test_capture_add_comm (capture, 1, 1, FALSE, "after");
    reader = write_and_read (fixture, capture, forms[i], 0);
    kept = pen_reader_get_features (reader)->tracing_data;
    g_assert_nonnull (kept);
    g_assert_cmpuint (g_bytes_get_size (kept), ==,
                      forms[i] & PEN_TEST_CAPTURE_PIPE ? (length + 7) / 8 * 8 : length);
    g_assert_cmpmem (g_bytes_get_data (kept, NULL), length, contents, length);
    lines = pen_test_read_lines (fixture->path, NULL, NULL);
    g_assert_cmpuint (lines->len, ==, 1);
  }
}

static void
test_damaged_tracing_data (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++) {
    g_autoptr (PenTestCapture) capture = make_capture ();
    g_autoptr (PenReader) reader = NULL;

    add_tracing_data (capture, forms[i], "no such thing at all", 20);
    reader = write_and_read (fixture, capture, forms[i], 1);
    g_assert_null (pen_reader_get_features (reader)->tracing_data);
  }
}

/* A size of 4 GiB, and the same record again and again: what there is, once. */
static void
test_endless_tracing_data (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint32 sizes[] = { 1024, 64 * 1024 * 1024, 0xffffffff };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (PenTestCapture) capture = make_capture ();
    g_autoptr (PenReader) reader = NULL;
    PenTestBytes *body = pen_test_bytes_new ();

    add_tracing_data (capture, PEN_TEST_CAPTURE_PIPE, MAGIC, strlen (MAGIC));
    add_tracing_data (capture, PEN_TEST_CAPTURE_PIPE, MAGIC "second", strlen (MAGIC) + 6);
    pen_test_bytes_u32 (body, sizes[i]);
    pen_test_capture_add_bytes (capture, TYPE_TRACING_DATA, 0, body, NULL, FALSE);
    reader = write_and_read (fixture, capture, PEN_TEST_CAPTURE_PIPE, 1);
    g_assert_cmpuint (g_bytes_get_size (pen_reader_get_features (reader)->tracing_data), ==, 16);
  }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (PenTestCapture) capture = make_capture ();
    g_autoptr (PenReader) reader = NULL;
    PenTestBytes *body = pen_test_bytes_new ();

    pen_test_bytes_u32 (body, sizes[i]);
    pen_test_capture_add_bytes (capture, TYPE_TRACING_DATA, 0, body, NULL, FALSE);
    reader = write_and_read (fixture, capture, PEN_TEST_CAPTURE_PIPE, 1);
    g_assert_null (pen_reader_get_features (reader)->tracing_data);
  }
}

static void
add_lists (PenTestCapture *capture, guint32 count)
{
  PenTestBytes *pmus = pen_test_bytes_new ();
  PenTestBytes *groups = pen_test_bytes_new ();
  PenTestBytes *times = pen_test_bytes_new ();

  pen_test_bytes_u32 (pmus, count);
  pen_test_bytes_u32 (pmus, 1);
  pen_test_bytes_string (pmus, "software");
  pen_test_bytes_u32 (pmus, 8);
  pen_test_bytes_string (pmus, "intel_pt");
  pen_test_bytes_u32 (groups, count);
  for (guint32 i = 0; i < 2; i++) {
    pen_test_bytes_string (groups, i == 0 ? "first" : "");
    pen_test_bytes_u32 (groups, i);
    pen_test_bytes_u32 (groups, 3);
  }
  pen_test_bytes_u64 (times, 1000);
  pen_test_bytes_u64 (times, 5000);
  pen_test_capture_set_feature (capture, 16, pmus);
  pen_test_capture_set_feature (capture, 17, groups);
  pen_test_capture_set_feature (capture, 21, times);
}

static void
test_lists (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++) {
    g_autoptr (PenTestCapture) capture = make_capture ();
    g_autoptr (PenReader) reader = NULL;
    const PenFeatures *features;
    const PenEventGroup *group;
    const PenPmu *pmu;

    add_lists (capture, 2);
    reader = write_and_read (fixture, capture, forms[i], 0);
    features = pen_reader_get_features (reader);
    g_assert_cmpuint (features->pmus->len, ==, 2);
    pmu = g_ptr_array_index (features->pmus, 1);
    g_assert_cmpuint (pmu->type, ==, 8);
    g_assert_cmpstr (pmu->name, ==, "intel_pt");
    g_assert_cmpuint (features->groups->len, ==, 2);
    group = g_ptr_array_index (features->groups, 0);
    g_assert_cmpstr (group->name, ==, "first");
    group = g_ptr_array_index (features->groups, 1);
    g_assert_cmpuint (group->leader, ==, 1);
    g_assert_cmpuint (group->members, ==, 3);
    g_assert_true (features->has_sample_times);
    g_assert_cmpuint (features->first_sample_time, ==, 1000);
    g_assert_cmpuint (features->last_sample_time, ==, 5000);
  }
}

static void
test_damaged_lists (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint32 counts[] = { 3, 4096, 32768, 1u << 31, G_MAXUINT32 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    g_autoptr (PenTestCapture) capture = make_capture ();
    g_autoptr (PenReader) reader = NULL;

    add_lists (capture, counts[i]);
    reader = write_and_read (fixture, capture, PEN_TEST_CAPTURE_FILE, counts[i] == 32768 ? 2 : 1);
    g_assert_cmpuint (pen_reader_get_features (reader)->groups->len, <=, 2);
    g_assert_true (pen_reader_get_features (reader)->has_sample_times);
  }
}

static const guint64 addresses[2] = { 0xffffffffc0000bfc, 0xffffffffc0001c10 };
static const guint32 lengths[2] = { 5, 6 };
static const guint8 tags[2][8] = { "tag-one", "tag-two" };
static const guint32 types[2] = { 41, 42 };
static const guint64 line_addresses[3]
    = { 0xffffffffc0000bfc, 0xffffffffc0000bff, 0xffffffffc0001c10 };
static const guint32 lines[3][4] = { { 0, 1, 20, (7 << 10) | 3 },
                                     { 2, 1, 40, (8 << 10) | 1023 },
                                     { 5, 9, 60, 0x3fffffu << 10 } };

static PenTestBpfProgram
make_program (guint32 surplus)
{
  return (PenTestBpfProgram){ .id = 17,
                              .name = "a_bpf_program",
                              .tag = (const guint8 *) "12345678",
                              .btf_id = 3,
                              .n = 2,
                              .addresses = addresses,
                              .lengths = lengths,
                              .image = (const guint8 *) "abcdefghijk",
                              .image_length = 11,
                              .tags = tags,
                              .type_ids = types,
                              .n_lines = 3,
                              .line_addresses = line_addresses,
                              .lines = lines,
                              .target_btf_id = 1,
                              .target_type = surplus > 0 ? 41303 : 0,
                              .surplus = surplus };
}

static void
test_bpf_details (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < 8; i++) {
    g_autoptr (PenTestCapture) capture = make_capture ();
    g_autoptr (PenReader) reader = NULL;
    PenTestBpfProgram made = make_program (i < 4 ? 0 : 8);
    const PenBpfProgram *program;

    pen_test_capture_add_bpf_details (capture, &made);
    pen_test_capture_add_btf (capture, 3, "\xeb\x9f\x01\x00", 4);
    reader = write_and_read (fixture, capture, forms[i % 4], 0);
    program = g_ptr_array_index (pen_reader_get_features (reader)->bpf_programs, 0);
    /* Kernels before 6.0 do not tell. */
    g_assert_cmpuint (program->target_btf_id, ==, i < 4 ? 0 : 1);
    g_assert_cmpuint (program->target_type, ==, i < 4 ? 0 : 41303);
    g_assert_cmpuint (program->functions->len, ==, 2);
    for (guint k = 0; k < 2; k++) {
      const PenBpfFunction *function = &g_array_index (program->functions, PenBpfFunction, k);

      g_assert_cmphex (function->address, ==, addresses[k]);
      g_assert_true (function->has_tag);
      g_assert_cmpmem (function->tag, 8, tags[k], 8);
      g_assert_cmpuint (function->type_id, ==, types[k]);
      g_assert_cmpmem (function->bytes, function->length, k == 0 ? "abcde" : "fghijk", lengths[k]);
    }
    g_assert_cmpuint (program->lines->len, ==, 3);
    for (guint k = 0; k < 3; k++) {
      const PenBpfLine *line = &g_array_index (program->lines, PenBpfLine, k);

      g_assert_cmphex (line->address, ==, line_addresses[k]);
      g_assert_cmpuint (line->instruction, ==, lines[k][0]);
      g_assert_cmpuint (line->file_name, ==, lines[k][1]);
      g_assert_cmpuint (line->text, ==, lines[k][2]);
      g_assert_cmpuint (line->line, ==, lines[k][3] >> 10);
      g_assert_cmpuint (line->column, ==, lines[k][3] & 1023);
    }
    /* As recorded, whatever the byte order. */
    g_assert_cmpmem (
        g_bytes_get_data (
            g_tree_lookup (pen_reader_get_features (reader)->btf, GUINT_TO_POINTER (3)), NULL),
        4, "\xeb\x9f\x01\x00", 4);
  }
}

/* Each count, each size and each offset in turn is one that does not fit. */
static void
test_damaged_bpf_details (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    guint at; /* in struct bpf_prog_info */
    guint64 value;
    gboolean is_u64;
    guint functions;
    guint lines;
  } cases[] = {
    { 104, G_MAXUINT32, FALSE, 0, 3 },
    { 108, G_MAXUINT32, FALSE, 0, 3 },
    { 112, G_MAXUINT64, TRUE, 0, 3 },
    { 120, 1000000, TRUE, 0, 3 },
    { 132, 0, FALSE, 2, 3 },
    { 132, 7, FALSE, 2, 3 },
    { 132, G_MAXUINT32, FALSE, 2, 3 },
    { 136, G_MAXUINT64 - 3, TRUE, 2, 3 },
    { 144, G_MAXUINT32, FALSE, 2, 3 },
    { 148, G_MAXUINT32, FALSE, 2, 0 },
    { 148, 0, FALSE, 2, 0 },
    { 152, G_MAXUINT64, TRUE, 2, 0 },
    { 160, 1ull << 63, TRUE, 2, 0 },
    { 168, 1u << 31, FALSE, 2, 0 },
    { 172, 0, FALSE, 2, 0 },
    { 172, 15, FALSE, 2, 0 },
    { 172, G_MAXUINT32, FALSE, 2, 0 },
    { 176, 0, FALSE, 2, 0 },
    { 176, G_MAXUINT32, FALSE, 2, 0 },
    { 180, G_MAXUINT32, FALSE, 2, 3 },
    { 184, G_MAXUINT64 - 7, TRUE, 2, 3 },
    { 16, G_MAXUINT32, FALSE, 2, 3 },
    { 24, G_MAXUINT64, TRUE, 2, 3 },
  };
  g_autoptr (PenTestCapture) capture = make_capture ();
  PenTestBpfProgram made = make_program (0);
  g_autofree char *bytes = NULL;
  g_autoptr (PenReader) whole = NULL;
  char *name = NULL;
  gsize length;

  pen_test_capture_add_bpf_details (capture, &made);
  whole = write_and_read (fixture, capture, PEN_TEST_CAPTURE_FILE, 0);
  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  for (gsize at = 0; at + 13 < length && !name; at++) {
    if (memcmp (bytes + at, "a_bpf_program", 13) == 0)
      name = bytes + at;
  }
  g_assert_nonnull (name);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *damaged = g_memdup2 (bytes, length);
    guint64 value = GUINT64_TO_LE (cases[i].value);
    g_autoptr (PenReader) reader = NULL;
    g_autoptr (GError) error = NULL;
    const PenBpfProgram *program;

    memcpy (damaged + (name - bytes) - 64 + cases[i].at, &value, cases[i].is_u64 ? 8 : 4);
    fixture_write_bytes (fixture, damaged, length);
    reader = pen_reader_open (fixture->path, NULL, &error);
    g_assert_no_error (error);
    g_test_message ("case %u", i);
    g_assert_cmpuint (pen_reader_get_features (reader)->bpf_programs->len, ==, 1);
    program = g_ptr_array_index (pen_reader_get_features (reader)->bpf_programs, 0);
    g_assert_cmpuint (program->functions->len, ==, cases[i].functions);
    g_assert_cmpuint (program->lines->len, ==, cases[i].lines);
  }
}

/* A pipe repeats its build-ids for ever: the list has an end, and the records go on. */
static void
test_lists_are_bounded (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const guint n = 300;
  g_autoptr (PenTestCapture) capture = make_capture ();
  g_autoptr (PenReader) reader = NULL;
  PenTestBytes *feature = pen_test_bytes_new ();
  gsize size;

  for (guint i = 0; i < 60000 / 40; i++) {
    pen_test_bytes_u32 (feature, 67);
    pen_test_bytes_u16 (feature, 1);
    pen_test_bytes_u16 (feature, 40);
    pen_test_bytes_zeros (feature, 28);
    pen_test_bytes_raw (feature, "abc", 4);
  }
  size = pen_test_bytes_get_length (feature);
  for (guint i = 0; i < n; i++) {
    PenTestBytes *body = pen_test_bytes_new ();

    pen_test_bytes_u64 (body, 2);
    pen_test_bytes_append (body, feature);
    pen_test_capture_add_bytes (capture, 80, 0, body, NULL, FALSE);
  }
  pen_test_bytes_free (feature);
  reader = write_and_read (fixture, capture, PEN_TEST_CAPTURE_PIPE, 0);
  g_assert_cmpuint (pen_reader_get_features (reader)->build_ids->len, ==, n * (60000 / 40));
  g_assert_cmpuint (pen_reader_get_features (reader)->kept_bytes, >=, n * size);

  {
    g_autoptr (PenFeatures) features = pen_features_new ();

    g_assert_true (pen_features_keep (features, 200u * 1024 * 1024));
    g_assert_false (pen_features_keep (features, 100u * 1024 * 1024));
    g_assert_false (pen_features_keep (features, G_MAXSIZE));
    g_assert_true (pen_features_keep (features, 1024));
    /* What others leave of the memory that is shared with them. */
    pen_features_limit (features, 100);
    g_assert_false (pen_features_keep (features, 101));
    g_assert_true (pen_features_keep (features, 100));
    pen_features_limit (features, G_MAXUINT64);
    g_assert_true (pen_features_keep (features, 10u * 1024 * 1024));
    g_assert_false (pen_features_keep (features, 100u * 1024 * 1024));
  }
}

int
main (int argc, char *argv[])
{
#define ADD(name, func)                                                                            \
  g_test_add ("/perfdata/contents/" name, Fixture, NULL, fixture_set_up, func, fixture_tear_down)
  g_test_init (&argc, &argv, NULL);
  ADD ("callchain-deferred", test_deferred);
  ADD ("cgroup", test_cgroup);
  ADD ("time-conversion", test_time_conversion);
  ADD ("tracing-data", test_tracing_data);
  ADD ("tracing-data-damaged", test_damaged_tracing_data);
  ADD ("tracing-data-endless", test_endless_tracing_data);
  ADD ("lists", test_lists);
  ADD ("lists-damaged", test_damaged_lists);
  ADD ("lists-are-bounded", test_lists_are_bounded);
  ADD ("bpf-details", test_bpf_details);
  ADD ("bpf-details-damaged", test_damaged_bpf_details);
  return g_test_run ();
}
