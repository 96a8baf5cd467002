/* test-fields.c: every field of samples and trailers, and how events are told apart
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>
#include <time.h>

#include "pen-event-table.h"
#include "pen-test-capture.h"
#include "pen-test-lines.h"

#define SAMPLE_ID_ALL (1ull << 18)
#define FREQ (1ull << 10)
#define KNOWN_BITS 25 /* IP … WEIGHT_STRUCT */

static const guint64 callchain[] = { (guint64) -128, 0xffffffff81000010, (guint64) -512, 0x400100 };

typedef struct {
  char *directory;
  char *path;
  PenTestCapture *capture;
} Fixture;

static void
fixture_set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  fixture->directory = pen_test_make_directory ();
  fixture->path = g_build_filename (fixture->directory, "perf.data", NULL);
  fixture->capture = pen_test_capture_new ();
}

static void
fixture_tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  pen_test_capture_free (fixture->capture);
  pen_test_remove_directory (fixture->directory);
  g_free (fixture->path);
  g_free (fixture->directory);
}

static PenReader *
write_and_open (Fixture *fixture, PenTestCaptureFlags flags)
{
  g_autoptr (GError) error = NULL;
  PenReader *reader;

  pen_test_capture_write (fixture->capture, fixture->path, flags, &error);
  g_assert_no_error (error);
  reader = pen_reader_open (fixture->path, NULL, &error);
  g_assert_no_error (error);
  return reader;
}

/* The next record that the builder was told to add: not those of the shape. */
static void
assert_next (PenReader *reader, PenRecord *record)
{
  g_autoptr (GError) error = NULL;

  do {
    g_assert_true (pen_reader_next (reader, record, NULL, &error));
    g_assert_no_error (error);
  } while (record->type >= PEN_RECORD_HEADER_ATTR && record->type != PEN_RECORD_AUXTRACE);
}

static void
assert_end (PenReader *reader)
{
  g_autoptr (GError) error = NULL;
  PenRecord record;

  g_assert_false (pen_reader_next (reader, &record, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (pen_reader_get_problems (reader)->len, ==, 0);
}

static void
assert_has (const PenRecord *record, guint64 sample_type, guint64 bit, PenHas has)
{
  g_assert_cmpint ((record->has & has) != 0, ==, (sample_type & bit) != 0);
}

static void
assert_sample (const PenRecord *record, const PenTestEvent *event)
{
  guint64 type = event->sample_type;

  g_assert_cmpuint (record->type, ==, PEN_RECORD_SAMPLE);
  assert_has (record, type, PEN_SAMPLE_IP, PEN_HAS_ADDRESS);
  assert_has (record, type, PEN_SAMPLE_TID, PEN_HAS_TASK);
  assert_has (record, type, PEN_SAMPLE_TIME, PEN_HAS_TIME);
  assert_has (record, type, PEN_SAMPLE_CPU, PEN_HAS_CPU);
  if (type & PEN_SAMPLE_IP)
    g_assert_cmphex (record->sample.address, ==, 0xffffffff81000abc);
  if (type & PEN_SAMPLE_TID) {
    g_assert_cmpint (record->pid, ==, 42);
    g_assert_cmpint (record->tid, ==, 43);
  }
  if (type & PEN_SAMPLE_TIME)
    g_assert_cmpuint (record->time, ==, 1234567890123);
  if (type & PEN_SAMPLE_CPU)
    g_assert_cmpuint (record->cpu, ==, 2);
  if (type & PEN_SAMPLE_PERIOD)
    g_assert_cmpuint (record->sample.period, ==, 777);
  else if (!(event->flags & FREQ))
    g_assert_cmpuint (record->sample.period, ==, event->period);
  else
    g_assert_false (record->has & PEN_HAS_PERIOD);
  assert_has (record, type, PEN_SAMPLE_ADDR, PEN_HAS_DATA_ADDRESS);
  assert_has (record, type, PEN_SAMPLE_CGROUP, PEN_HAS_CGROUP);
  assert_has (record, type, PEN_SAMPLE_RAW, PEN_HAS_RAW);
  g_assert_cmphex (record->sample.data_address, ==, type & PEN_SAMPLE_ADDR ? 0xadd4 : 0);
  g_assert_cmpuint (record->sample.cgroup, ==, type & PEN_SAMPLE_CGROUP ? 16 : 0);
  if (type & PEN_SAMPLE_RAW)
    g_assert_cmpmem (record->sample.raw, record->sample.raw_length, "raw contents", 12);
  if (type & PEN_SAMPLE_CALLCHAIN)
    g_assert_cmpmem (record->sample.callchain, record->sample.callchain_length * 8, callchain,
                     sizeof callchain);
  else
    g_assert_cmpuint (record->sample.callchain_length, ==, 0);
}

static void
check_sample_type (const PenTestEvent *event, PenTestCaptureFlags flags)
{
  Fixture fixture;
  g_autoptr (PenReader) reader = NULL;
  PenRecord record;

  fixture_set_up (&fixture, NULL);
  pen_test_capture_add_event (fixture.capture, event);
  pen_test_capture_at (fixture.capture, 1234567890123, 42, 43, 2);
  for (guint i = 0; i < 2; i++) {
    pen_test_capture_add_sample_with_callchain (fixture.capture, PEN_TEST_KERNEL,
                                                0xffffffff81000abc, 777, callchain,
                                                G_N_ELEMENTS (callchain));
    pen_test_capture_add_comm (fixture.capture, 42, 43, FALSE, "comm");
  }

  reader = write_and_open (&fixture, flags);
  for (guint i = 0; i < 2; i++) {
    assert_next (reader, &record);
    assert_sample (&record, event);
    assert_next (reader, &record);
    g_assert_cmpuint (record.type, ==, PEN_RECORD_COMM);
    g_assert_cmpstr (record.comm.comm, ==, "comm");
    if (event->sample_type & PEN_SAMPLE_TIME)
      g_assert_cmpuint (record.time, ==, 1234567890123);
    assert_has (&record, event->sample_type, PEN_SAMPLE_CPU, PEN_HAS_CPU);
  }
  assert_end (reader);
  fixture_tear_down (&fixture, NULL);
}

static PenTestEvent
make_event (guint64 sample_type)
{
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;

  event.sample_type = sample_type;
  event.branch_sample_type = 1ull << 17 | 1ull << 19;
  event.sample_regs_user = 0xff0ff;
  event.sample_regs_intr = 0x7;
  return event;
}

static void
test_each_field (void)
{
  for (guint bit = 0; bit < KNOWN_BITS; bit++) {
    PenTestEvent event = make_event (1ull << bit);
    PenTestEvent with_usual = make_event (PEN_TEST_EVENT_CLOCK.sample_type | 1ull << bit);

    check_sample_type (&event, PEN_TEST_CAPTURE_FILE);
    check_sample_type (&with_usual, PEN_TEST_CAPTURE_FILE);
    check_sample_type (&with_usual, PEN_TEST_CAPTURE_BIG_ENDIAN);
  }
}

/* Registers of the newer form have words after them; what follows stays where it is. */
static void
test_wide_registers (void)
{
  static const guint16 forms[][4]
      = { { 32, 8, 8, 1 }, { 16, 2, 0, 0 }, { 0, 0, 8, 1 }, { 0, 8, 0, 1 }, { 1, 1, 1, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++) {
    PenTestEvent event = make_event (PEN_TEST_EVENT_CLOCK.sample_type | PEN_SAMPLE_REGS_USER
                                     | PEN_SAMPLE_REGS_INTR | PEN_SAMPLE_CGROUP);

    memcpy (event.simd, forms[i], sizeof event.simd);
    check_sample_type (&event, PEN_TEST_CAPTURE_FILE);
    check_sample_type (&event, PEN_TEST_CAPTURE_BIG_ENDIAN);
  }
}

static void
test_random_fields (void)
{
  for (guint i = 0; i < 300; i++) {
    PenTestEvent event = make_event ((guint64) g_test_rand_int_range (0, 1 << KNOWN_BITS));

    event.read_format = (guint64) g_test_rand_int_range (0, 32);
    event.branch_sample_type = (guint64) g_test_rand_int_range (0, 1 << 20);
    event.flags |= g_test_rand_bit () ? FREQ : 0;
    check_sample_type (&event,
                       g_test_rand_bit () ? PEN_TEST_CAPTURE_BIG_ENDIAN : PEN_TEST_CAPTURE_FILE);
  }
}

static void
test_attr_sizes (void)
{
  static const guint32 sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 152, 512 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    PenTestEvent event = PEN_TEST_EVENT_CLOCK;
    PenTestEvent big = make_event (0x7fffff);

    event.attr_size = sizes[i];
    check_sample_type (&event, PEN_TEST_CAPTURE_FILE);
    check_sample_type (&event, PEN_TEST_CAPTURE_PIPE);
    big.attr_size = sizes[i];
    if (sizes[i] >= 104)
      check_sample_type (&big, PEN_TEST_CAPTURE_PIPE | PEN_TEST_CAPTURE_BIG_ENDIAN);
  }
}

static PenTestEvent
make_off_cpu_event (guint64 sample_type)
{
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;

  event.name = "offcpu-time";
  event.type = 1;
  event.config = 10;
  event.flags |= FREQ;
  event.period = 1;
  event.sample_type = sample_type;
  return event;
}

#define OFF_CPU_TYPE                                                                               \
  (PEN_SAMPLE_IDENTIFIER | PEN_SAMPLE_IP | PEN_SAMPLE_TID | PEN_SAMPLE_TIME | PEN_SAMPLE_CPU       \
   | PEN_SAMPLE_PERIOD)
#define MARK (G_MAXUINT64 << 32)

/* Before perf 6.16: all is where samples have it, but the time, and the CPU with it. */
static void
test_off_cpu_marks (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint64 times[] = { MARK, MARK + 77, G_MAXUINT64 - 1, MARK - 1, G_MAXUINT64 };
  PenTestEvent event = make_off_cpu_event (OFF_CPU_TYPE);
  g_autoptr (PenReader) reader = NULL;
  PenRecord record;

  pen_test_capture_add_event (fixture->capture, &event);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    pen_test_capture_at (fixture->capture, times[i], 42, 43, 0);
    pen_test_capture_add_sample (fixture->capture, PEN_TEST_USER, 0x1234, 5000);
  }
  reader = write_and_open (fixture, PEN_TEST_CAPTURE_FILE);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    gboolean is_time = i > 2;

    assert_next (reader, &record);
    g_assert_cmpint ((record.has & PEN_HAS_TIME) != 0, ==, is_time);
    g_assert_cmpint ((record.has & PEN_HAS_CPU) != 0, ==, is_time);
    g_assert_cmpuint (record.time, ==, is_time ? times[i] : 0);
    g_assert_cmpint (record.tid, ==, 43);
    g_assert_cmphex (record.sample.address, ==, 0x1234);
    g_assert_cmpuint (record.sample.period, ==, 5000);
  }
}

/* Since then: the payload knows better than the sample. */
static void
test_off_cpu_payload (Fixture *fixture, gconstpointer data)
{
  PenTestCaptureFlags flags = (PenTestCaptureFlags) GPOINTER_TO_UINT (data);
  gboolean is_big = (flags & PEN_TEST_CAPTURE_BIG_ENDIAN) != 0;
  const guint64 words[] = { 103ull << 32 | 102, 7000000, 3, PEN_CONTEXT_USER, 0x4010, 0x4020, 99 };
  guint64 payload[G_N_ELEMENTS (words)];
  PenTestEvent event = make_off_cpu_event (OFF_CPU_TYPE | PEN_SAMPLE_RAW);
  PenTestEvent other = event;
  g_autoptr (PenReader) reader = NULL;
  PenRecord record;

  other.name = "witness";
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    payload[i] = is_big ? GUINT64_TO_BE (words[i]) : GUINT64_TO_LE (words[i]);
  pen_test_capture_add_event (fixture->capture, &event);
  pen_test_capture_add_event (fixture->capture, &other);
  pen_test_capture_at (fixture->capture, MARK, 42, 43, 0);
  pen_test_capture_set_payload (fixture->capture, payload, sizeof payload);
  pen_test_capture_add_sample (fixture->capture, PEN_TEST_KERNEL, 0x1234, 1);
  pen_test_capture_from (fixture->capture, 1);
  pen_test_capture_add_sample (fixture->capture, PEN_TEST_KERNEL, 0x1234, 1);
  pen_test_capture_from (fixture->capture, 0);
  pen_test_capture_at (fixture->capture, 5000, 42, 43, 2);
  payload[2] = is_big ? GUINT64_TO_BE (1) : GUINT64_TO_LE (1);
  pen_test_capture_set_payload (fixture->capture, payload, sizeof payload);
  pen_test_capture_add_sample (fixture->capture, PEN_TEST_KERNEL, 0x1234, 1);

  reader = write_and_open (fixture, flags);
  assert_next (reader, &record);
  g_assert_cmpint (record.pid, ==, 102);
  g_assert_cmpint (record.tid, ==, 103);
  g_assert_cmpint (pen_record_get_cpumode (&record), ==, PEN_CPUMODE_USER);
  g_assert_cmphex (record.sample.address, ==, 0x4010);
  g_assert_cmpuint (record.sample.period, ==, 7000000);
  g_assert_cmpuint (record.sample.cgroup, ==, 99);
  g_assert_cmpmem (record.sample.callchain, record.sample.callchain_length * 8, &words[3], 24);
  g_assert_cmphex (record.has, ==,
                   PEN_HAS_ADDRESS | PEN_HAS_TASK | PEN_HAS_PERIOD | PEN_HAS_CGROUP);

  assert_next (reader, &record);
  g_assert_cmpint (record.tid, ==, 43);
  g_assert_cmpuint (record.sample.callchain_length, ==, 0);
  g_assert_true (record.has & PEN_HAS_RAW);

  /* One that ran for a while has a time; a chain without addresses has no place. */
  assert_next (reader, &record);
  g_assert_cmpuint (record.time, ==, 5000);
  g_assert_cmpuint (record.cpu, ==, 2);
  g_assert_cmpint (record.tid, ==, 103);
  g_assert_false (record.has & PEN_HAS_ADDRESS);
  assert_end (reader);
}

/* What does not fit its payload is set aside, whatever the counts say. */
static void
test_off_cpu_hostile (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint64 counts[] = { 4, 5, 1ull << 61, G_MAXUINT64 };
  PenTestEvent event = make_off_cpu_event (OFF_CPU_TYPE | PEN_SAMPLE_RAW);
  g_autoptr (PenReader) reader = NULL;
  PenRecord record;

  pen_test_capture_add_event (fixture->capture, &event);
  pen_test_capture_at (fixture->capture, 5000, 42, 43, 0);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    guint64 payload[] = { 1, 2, GUINT64_TO_LE (counts[i]), PEN_CONTEXT_USER, 4, 5 };

    pen_test_capture_set_payload (fixture->capture, payload, sizeof payload);
    pen_test_capture_add_sample (fixture->capture, PEN_TEST_USER, 0x1234, 1);
  }
  pen_test_capture_set_payload (fixture->capture, "short", 5);
  pen_test_capture_add_sample (fixture->capture, PEN_TEST_USER, 0x1234, 1);
  pen_test_capture_add_comm (fixture->capture, 42, 43, FALSE, "comm");

  reader = write_and_open (fixture, PEN_TEST_CAPTURE_FILE);
  assert_next (reader, &record);
  g_assert_cmpuint (record.type, ==, PEN_RECORD_COMM);
  g_assert_cmpuint (pen_reader_get_problems (reader)->len, ==, 1);
  g_assert_cmpuint (
      ((const PenProblem *) g_ptr_array_index (pen_reader_get_problems (reader), 0))->count, ==, 5);
}

/* Two events whose samples and trailers differ, told apart by IDENTIFIER. */
static void
test_two_layouts (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  PenTestEvent with_chain = make_event (PEN_TEST_EVENT_CLOCK.sample_type | PEN_SAMPLE_CALLCHAIN);
  PenTestEvent no_cpu = PEN_TEST_EVENT_DUMMY;
  g_autoptr (PenReader) reader = NULL;
  PenRecord record;

  no_cpu.sample_type &= ~PEN_SAMPLE_CPU;
  pen_test_capture_add_event (fixture->capture, &with_chain);
  pen_test_capture_add_event (fixture->capture, &no_cpu);
  for (guint event = 0; event < 2; event++) {
    pen_test_capture_from (fixture->capture, event);
    pen_test_capture_at (fixture->capture, 5000 + event, 42, 43, 2);
    pen_test_capture_add_ksymbol (fixture->capture, 0x1000, 16, 1, 0, "bpf_prog_x");
    pen_test_capture_add_fork (fixture->capture, 0, 44, 42, 44, 43);
    pen_test_capture_add_sample (fixture->capture, PEN_TEST_KERNEL, 0x1004, 9);
  }

  reader = write_and_open (fixture, PEN_TEST_CAPTURE_INFLATED);
  for (guint event = 0; event < 2; event++) {
    for (guint i = 0; i < 3; i++) {
      assert_next (reader, &record);
      g_assert_cmpint (record.event, ==, event);
      g_assert_cmpuint (record.time, ==, 5000 + event);
      g_assert_cmpint (record.tid, ==, 43);
      g_assert_cmpint ((record.has & PEN_HAS_CPU) != 0, ==, event == 0);
      g_assert_cmpint (record.was_inflated, ==, record.type == PEN_RECORD_KSYMBOL);
    }
  }
}

/* Two events of one layout, told apart by ID at its computed place. */
static void
test_two_ids (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  PenTestEvent first = make_event (0x1c7);
  PenTestEvent second = make_event (0x1c7);
  g_autoptr (PenReader) reader = NULL;
  PenRecord record;

  pen_test_capture_add_event (fixture->capture, &first);
  pen_test_capture_add_event (fixture->capture, &second);
  for (guint i = 0; i < 8; i++) {
    pen_test_capture_from (fixture->capture, i % 2);
    pen_test_capture_at (fixture->capture, i, 42, 43, i / 2);
    pen_test_capture_add_sample (fixture->capture, PEN_TEST_KERNEL, 0x1000 + i, 1);
    pen_test_capture_add_bpf_event (fixture->capture, 1, i, (const guint8 *) "12345678");
  }
  reader = write_and_open (fixture, PEN_TEST_CAPTURE_FILE);
  for (guint i = 0; i < 16; i++) {
    assert_next (reader, &record);
    g_assert_cmpint (record.event, ==, i / 2 % 2);
    g_assert_cmpuint (record.time, ==, i / 2);
    g_assert_cmpuint (record.cpu, ==, i / 4);
  }
  assert_end (reader);
}

static void
test_unknown_event (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *contents = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (PenReader) reader = NULL;
  PenRecord record;
  guint64 foreign = GUINT64_TO_LE (987654321);
  gsize length;

  pen_test_capture_add_event (fixture->capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (fixture->capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_at (fixture->capture, 10, 1, 1, 0);
  pen_test_capture_add_sample (fixture->capture, PEN_TEST_KERNEL, 0x1000, 1);
  pen_test_capture_add_sample (fixture->capture, PEN_TEST_KERNEL, 0x2000, 1);
  reader = write_and_open (fixture, PEN_TEST_CAPTURE_FILE);
  assert_next (reader, &record);
  g_assert_true (g_file_get_contents (fixture->path, &contents, &length, NULL));
  memcpy (contents + record.offset + 8, &foreign, 8);
  g_assert_true (g_file_set_contents (fixture->path, contents, (gssize) length, NULL));

  lines = pen_test_read_lines (fixture->path, &problems, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (lines->len, ==, 1);
  g_assert_true (g_strrstr (g_ptr_array_index (lines, 0), "address=2000") != NULL);
  g_assert_cmpuint (problems->len, ==, 1);
  g_assert_true (g_str_has_prefix (g_ptr_array_index (problems, 0), "1 SAMPLE 1 The sample's"));
}

/* Without sample_id_all there is no trailer: FORK, EXIT and THROTTLE have their own time. */
static void
test_no_trailer (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;
  g_autoptr (PenReader) reader = NULL;
  PenRecord record;

  event.flags = 0;
  pen_test_capture_add_event (fixture->capture, &event);
  pen_test_capture_at (fixture->capture, 99, 1, 1, 0);
  pen_test_capture_add_fork (fixture->capture, 0, 2, 1, 2, 1);
  pen_test_capture_add_throttle (fixture->capture, FALSE);
  pen_test_capture_add_comm (fixture->capture, 2, 2, FALSE, "x");
  reader = write_and_open (fixture, PEN_TEST_CAPTURE_FILE);
  for (guint i = 0; i < 3; i++) {
    assert_next (reader, &record);
    g_assert_false (record.has & (PEN_HAS_TASK | PEN_HAS_CPU));
    g_assert_cmpint ((record.has & PEN_HAS_TIME) != 0, ==, record.type != PEN_RECORD_COMM);
    g_assert_cmpuint (record.time, ==, record.type == PEN_RECORD_COMM ? 0 : 99);
  }
  assert_end (reader);
}

static void
test_auxtrace_payload (Fixture *fixture, gconstpointer data)
{
  g_autoptr (PenReader) reader = NULL;
  PenRecord record;

  pen_test_capture_add_event (fixture->capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_at (fixture->capture, 1, 1, 1, 0);
  for (guint size = 8; size <= 800000; size *= 10) {
    pen_test_capture_add_auxtrace (fixture->capture, size);
    pen_test_capture_add_comm (fixture->capture, 1, 1, FALSE, "after");
  }
  reader = write_and_open (fixture, (PenTestCaptureFlags) GPOINTER_TO_UINT (data));
  for (guint size = 8; size <= 800000; size *= 10) {
    assert_next (reader, &record);
    g_assert_cmpuint (record.type, ==, PEN_RECORD_AUXTRACE);
    assert_next (reader, &record);
    g_assert_cmpstr (record.comm.comm, ==, "after");
  }
  assert_end (reader);
}

/* Until 2.6.36, build-id records had no pid: the name starts four bytes earlier. */
static void
test_ancient_build_ids (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  guint8 section[2 * 96] = { 0 };
  g_autoptr (PenReader) reader = NULL;
  const PenBuildId *build_id;
  GPtrArray *build_ids;

  for (guint i = 0; i < 2; i++) {
    guint8 *record = section + 96 * i;

    record[4] = i == 0 ? PEN_TEST_KERNEL : PEN_TEST_USER;
    record[6] = 96;
    memset (record + 8, 0xa0 + (int) i, 20);
    strcpy ((char *) record + 32, i == 0 ? "[kernel.kallsyms]" : "/bin/true");
  }
  pen_test_capture_add_event (fixture->capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_set_raw_feature (fixture->capture, 2, section, sizeof section);
  pen_test_capture_add_finished_round (fixture->capture);
  reader = write_and_open (fixture, PEN_TEST_CAPTURE_FILE);
  build_ids = pen_reader_get_features (reader)->build_ids;
  g_assert_cmpuint (build_ids->len, ==, 2);
  build_id = g_ptr_array_index (build_ids, 0);
  g_assert_cmpstr (build_id->name, ==, "[kernel.kallsyms]");
  g_assert_cmpuint (build_id->length, ==, 20);
  build_id = g_ptr_array_index (build_ids, 1);
  g_assert_cmpstr (build_id->name, ==, "/bin/true");
  g_assert_cmpint (build_id->pid, ==, -1);
  g_assert_cmpuint (build_id->id[19], ==, 0xa1);
}

/* The bitmap is an array of longs: on 32-bit big-endian machines, its halves are the other way. */
static void
test_bitmap_of_32_bits (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenReader) reader = NULL;
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  char half[4];
  gsize length;

  pen_test_capture_add_event (fixture->capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_set_os_release (fixture->capture, "2.6.32-ppc");
  pen_test_capture_add_finished_round (fixture->capture);
  reader = write_and_open (fixture, PEN_TEST_CAPTURE_BIG_ENDIAN);
  g_assert_cmpstr (pen_reader_get_features (reader)->os_release, ==, "2.6.32-ppc");
  g_clear_object (&reader);

  g_assert_true (g_file_get_contents (fixture->path, &bytes, &length, NULL));
  memcpy (half, bytes + 72, 4);
  memcpy (bytes + 72, bytes + 76, 4);
  memcpy (bytes + 76, half, 4);
  g_assert_true (g_file_set_contents (fixture->path, bytes, (gssize) length, NULL));
  reader = pen_reader_open (fixture->path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (pen_reader_get_features (reader)->os_release, ==, "2.6.32-ppc");
}

static PenAttr *
make_attr (guint64 first_id, guint n_ids)
{
  static const guint8 bytes[PEN_ATTR_SIZE_MIN];
  PenAttr *attr = pen_attr_new_from_bytes (bytes, sizeof bytes, FALSE);

  for (guint64 id = first_id; id < first_id + n_ids; id++)
    g_array_append_val (attr->ids, id);
  return attr;
}

/* In pipe form: as a malicious one would, with the smallest ids last, and a question after each. */
static void
test_ids_by_turns (void)
{
  const guint64 many = 500000, some = 20000;
  g_autoptr (PenEventTable) table = pen_event_table_new ();
  clock_t start = clock (); /* of the processor: other programs do not count */

  pen_event_table_add (table, make_attr (many, many));
  for (guint64 i = 1; i <= some; i++) {
    guint64 id = 2 * (some - i + 1);

    pen_event_table_add (table, make_attr (id, 1));
    g_assert_cmpint (pen_event_table_find (table, id), ==, i);
    g_assert_cmpint (pen_event_table_find (table, id + 1), ==, -1);
    g_assert_cmpint (pen_event_table_find (table, many + i), ==, 0);
  }
  for (guint64 i = 1; i <= some; i++)
    g_assert_cmpint (pen_event_table_find (table, 2 * (some - i + 1)), ==, i);
  /* An id that is taken stays with the first. */
  pen_event_table_add (table, make_attr (2, 1));
  g_assert_cmpint (pen_event_table_find (table, 2), ==, some);
  g_assert_cmpint ((clock () - start) / CLOCKS_PER_SEC, <, 30);
}

static void
test_names (void)
{
  static const struct {
    const char *name;
    guint32 type;
    guint64 config;
    guint64 flags;
  } cases[] = {
    /* exclude_kernel 5, exclude_user 4, exclude_hv 6, precise 15–16, host 19, guest 20 */
    { "cycles:HG", 0, 0, 0 },
    { "cycles", 0, 0, 1ull << 20 },
    { "instructions:u", 0, 1, 1ull << 5 | 1ull << 6 },
    { "cycles:k", 0, 0, 1ull << 4 | 1ull << 6 },
    { "cycles:uH", 0, 0, 1ull << 5 | 1ull << 6 | 1ull << 20 },
    { "cycles:ppp", 0, 0, 3ull << 15 },
    { "cycles:ppH", 0, 0, 2ull << 15 | 1ull << 20 },
    { "cycles:kpp", 0, 0, 1ull << 4 | 1ull << 6 | 2ull << 15 },
    { "cycles:G", 0, 0, 1ull << 19 },
    { "cpu-clock:HG", 1, 0, 0 },
    { "dummy:HG", 1, 9, 0 },
    { "page-faults", 1, 2, 1ull << 20 },
    { "unknown-hardware", 0, 77, 1ull << 20 },
    { "unknown-software", 1, 77, 1ull << 20 },
    { "L1-dcache-load-misses", 3, 0x10000, 1ull << 20 },
    { "dTLB-stores", 3, 0x103, 1ull << 20 },
    { "LLC-prefetch-misses:u", 3, 0x10202, 1ull << 5 | 1ull << 6 },
    { "raw 0x1a8", 4, 0x1a8, 1ull << 20 },
    { "unknown tracepoint", 2, 300, 0 },
    { "unknown attr type: 12", 12, 1, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    PenAttr attr = { .type = cases[i].type, .config = cases[i].config, .flags = cases[i].flags };
    g_autofree char *name = pen_attr_derive_name (&attr);

    g_assert_cmpstr (name, ==, cases[i].name);
  }
}

static void
test_type_names (void)
{
  g_assert_cmpstr (pen_record_type_get_name (PEN_RECORD_TEXT_POKE), ==, "TEXT_POKE");
  g_assert_cmpstr (pen_record_type_get_name (PEN_RECORD_SCHEDSTAT_DOMAIN), ==, "SCHEDSTAT_DOMAIN");
  g_assert_cmpstr (pen_record_type_get_name (0), ==, "unknown");
  g_assert_cmpstr (pen_record_type_get_name (40), ==, "unknown");
  g_assert_cmpstr (pen_record_type_get_name (G_MAXUINT32), ==, "unknown");
}

int
main (int argc, char *argv[])
{
#define ADD(path, data, func)                                                                      \
  g_test_add (path, Fixture, data, fixture_set_up, func, fixture_tear_down)
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfdata/fields/each", test_each_field);
  g_test_add_func ("/perfdata/fields/wide-registers", test_wide_registers);
  g_test_add_func ("/perfdata/fields/random", test_random_fields);
  g_test_add_func ("/perfdata/fields/attr-sizes", test_attr_sizes);
  ADD ("/perfdata/off-cpu/marks", NULL, test_off_cpu_marks);
  ADD ("/perfdata/off-cpu/payload", GUINT_TO_POINTER (0), test_off_cpu_payload);
  ADD ("/perfdata/off-cpu/payload-of-pipe", GUINT_TO_POINTER (PEN_TEST_CAPTURE_PIPE),
       test_off_cpu_payload);
  ADD ("/perfdata/off-cpu/payload-of-big-endian", GUINT_TO_POINTER (PEN_TEST_CAPTURE_BIG_ENDIAN),
       test_off_cpu_payload);
  ADD ("/perfdata/off-cpu/hostile", NULL, test_off_cpu_hostile);
  ADD ("/perfdata/events/two-layouts", NULL, test_two_layouts);
  ADD ("/perfdata/events/two-ids", NULL, test_two_ids);
  ADD ("/perfdata/events/unknown", NULL, test_unknown_event);
  g_test_add_func ("/perfdata/events/ids-by-turns", test_ids_by_turns);
  ADD ("/perfdata/trailer/none", NULL, test_no_trailer);
  ADD ("/perfdata/auxtrace/file", GUINT_TO_POINTER (0), test_auxtrace_payload);
  ADD ("/perfdata/auxtrace/pipe", GUINT_TO_POINTER (PEN_TEST_CAPTURE_PIPE), test_auxtrace_payload);
  ADD ("/perfdata/features/ancient-build-ids", NULL, test_ancient_build_ids);
  ADD ("/perfdata/features/bitmap-of-32-bits", NULL, test_bitmap_of_32_bits);
  g_test_add_func ("/perfdata/names", test_names);
  g_test_add_func ("/perfdata/type-names", test_type_names);
  return g_test_run ();
}
