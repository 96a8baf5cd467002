/* test-waits.c: stretches in which tasks were off CPU, from each kind of record that tells of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <string.h>

#include "pen-store-buckets.h"
#include "pen-store-callchains.h"
#include "pen-store-functions.h"
#include "pen-store-records.h"
#include "pen-store-samples.h"

#define SCHEDULE (KERNEL + 0x600)
#define CALLER (KERNEL + 0x900)

#define MISC_OUT (1u << 13)
#define MISC_PREEMPTED (1u << 14)
#define RECORD_SWITCH_CPU_WIDE 15

/* As in include/linux/sched.h. */
#define RUNNING 0
#define SLEEPING 1
#define DEAD 16
#define PREEMPTED 256

static const char sched_switch[]
    = "name: sched_switch\nID: 314\nformat:\n"
      "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
      "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
      "\tfield:pid_t prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n"
      "\tfield:pid_t next_pid;\toffset:12;\tsize:4;\tsigned:1;\n"
      "\tfield:long prev_state;\toffset:16;\tsize:8;\tsigned:1;\n\n"
      "print fmt: \"%d\", REC->prev_pid\n";

enum { CLOCK, TRACEPOINT, DUMMY, OFF_CPU };

static void
put (GByteArray *bytes, gconstpointer data, gsize n)
{
  g_byte_array_append (bytes, data, (guint) n);
}

static void
put_number (GByteArray *bytes, guint64 value, guint size, gboolean big_endian)
{
  for (guint i = 0; i < size; i++) {
    guint8 byte = (guint8) (value >> (8 * (big_endian ? size - 1 - i : i)));

    put (bytes, &byte, 1);
  }
}

static void
add_tracing_data (PenTestCapture *capture, gboolean big)
{
  g_autoptr (GByteArray) blob = g_byte_array_new ();

  put (blob, "\x17\x08\x44tracing0.6", 14);
  put_number (blob, big, 1, FALSE);
  put_number (blob, 8, 1, FALSE);
  put_number (blob, 4096, 4, big);
  put (blob, "header_page", 12);
  put_number (blob, 0, 8, big);
  put (blob, "header_event", 13);
  put_number (blob, 0, 8, big);
  put_number (blob, 0, 4, big);
  put_number (blob, 1, 4, big);
  put (blob, "sched", 6);
  put_number (blob, 1, 4, big);
  put_number (blob, strlen (sched_switch), 8, big);
  put (blob, sched_switch, strlen (sched_switch));
  pen_test_capture_set_raw_feature (capture, 1, blob->data, blob->len);
}

/* @period: of the tracepoint */
static PenTestCapture *
make_capture (gboolean big, guint64 period)
{
  PenTestCapture *capture = pen_test_capture_new ();
  PenTestEvent tracepoint = PEN_TEST_EVENT_CLOCK;
  PenTestEvent off_cpu = PEN_TEST_EVENT_CLOCK;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  tracepoint.type = 2;
  tracepoint.sample_type |= 1 << 10 | 1 << 5;
  tracepoint.name = "sched:sched_switch";
  tracepoint.config = 314;
  tracepoint.period = period;
  pen_test_capture_add_event (capture, &tracepoint);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  off_cpu.type = 1;
  off_cpu.config = 10;
  off_cpu.name = "offcpu-time";
  off_cpu.sample_type |= 1 << 5;
  pen_test_capture_add_event (capture, &off_cpu);
  add_tracing_data (capture, big);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, KERNEL, 0x1000000, KERNEL,
                             "[kernel.kallsyms]_text");
  return capture;
}

static void
add_trace (PenTestCapture *capture, guint64 time, guint32 cpu, gint32 before, guint64 state,
           gint32 next, gboolean big)
{
  static const guint64 chain[] = { (guint64) -128, SCHEDULE, CALLER };
  g_autoptr (GByteArray) payload = g_byte_array_new ();

  put_number (payload, 314, 2, big);
  put_number (payload, 0, 2, big);
  put_number (payload, (guint32) before, 4, big);
  put_number (payload, (guint32) before, 4, big);
  put_number (payload, (guint32) next, 4, big);
  put_number (payload, state, 8, big);
  pen_test_capture_from (capture, TRACEPOINT);
  if (state == DEAD)
    pen_test_capture_at (capture, time, -1, -1, cpu);
  else
    pen_test_capture_at (capture, time, before, before, cpu);
  pen_test_capture_set_payload (capture, payload->data, payload->len);
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, SCHEDULE, 1, chain,
                                              G_N_ELEMENTS (chain));
}

static void
add_switch (PenTestCapture *capture, guint64 time, guint32 cpu, gint32 tid, guint16 misc)
{
  static const guint8 other[8] = { 0 };

  pen_test_capture_from (capture, DUMMY);
  pen_test_capture_at (capture, time, tid, tid, cpu);
  pen_test_capture_add_raw (capture, RECORD_SWITCH_CPU_WIDE, misc, other, sizeof other, TRUE);
}

/* ---- what is found ---- */

static void
add_callers (GString *text, PenStore *store, guint32 chain)
{
  g_autoptr (GArray) callers = NULL;
  GError *error = NULL;

  callers = pen_store_load_callchain (store, chain, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < callers->len; i++)
    g_string_append_printf (text, " <%x",
                            (guint) (g_array_index (callers, PenFrame, i).address - KERNEL));
}

/* "time tid cpu event address <callers length", a line for each */
static char *
dump_waits (PenStore *store)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autoptr (PenStore) waits = NULL;
  GString *text = g_string_new (NULL);
  GError *error = NULL;
  const PenBucket *buckets;
  const PenThread *threads;
  GPtrArray *events;
  guint n_blocks;
  guint n;

  waits = pen_store_open_waits (store, &error);
  g_assert_no_error (error);
  buckets = pen_store_get_buckets (waits, &n, &error);
  g_assert_no_error (error);
  threads = pen_store_get_threads (waits, &n, &error);
  events = pen_store_get_events (waits);
  pen_store_get_blocks (waits, &n_blocks);
  for (guint i = 0; i < n_blocks; i++) {
    pen_store_read_block (waits, i, block, &error);
    g_assert_no_error (error);
    for (guint row = 0; row < block->n; row++) {
      const PenBucket *bucket = &buckets[block->bucket[row]];
      const PenStoreEvent *event = g_ptr_array_index (events, (guint) bucket->event);

      if (block->has[row] & PEN_SAMPLE_HAS_TIME)
        g_string_append_printf (text, "%" G_GUINT64_FORMAT, block->time[row]);
      else
        g_string_append (text, "timeless");
      g_string_append_printf (text, " %d %u %s", threads[block->thread[row]].tid, block->cpu[row],
                              event->name);
      if (bucket->has_address)
        g_string_append_printf (text, " %x", (guint) (bucket->address - KERNEL));
      if (block->chain[row] != 0)
        add_callers (text, waits, block->chain[row]);
      if (block->has[row] & PEN_SAMPLE_HAS_PERIOD)
        g_string_append_printf (text, " %" G_GUINT64_FORMAT, block->period[row]);
      g_string_append_c (text, '\n');
    }
  }
  return g_string_free (text, FALSE);
}

static void
assert_facts (PenStore *store, const char *source, guint64 time, guint64 open, guint64 cut,
              guint64 preempted)
{
  g_assert_cmpstr (pen_store_get_fact (store, "wait_source"), ==, source);
  g_assert_cmpint (pen_store_get_fact_int (store, "off_cpu_ns", -1), ==, (gint64) time);
  g_assert_cmpint (pen_store_get_fact_int (store, "waits_open", -1), ==, (gint64) open);
  g_assert_cmpint (pen_store_get_fact_int (store, "waits_cut", -1), ==, (gint64) cut);
  g_assert_cmpint (pen_store_get_fact_int (store, "preempted_ns", -1), ==, (gint64) preempted);
}

static PenStore *
import_capture (ImportFixture *fixture, PenTestCapture *capture, PenTestCaptureFlags flags)
{
  import_fixture_import (fixture, capture, flags);
  return import_fixture_open (fixture);
}

/* ---- sources ---- */

static void
test_tracepoint (ImportFixture *fixture, gconstpointer data)
{
  PenTestCaptureFlags flags = GPOINTER_TO_UINT (data);
  gboolean big = (flags & PEN_TEST_CAPTURE_BIG_ENDIAN) != 0;
  g_autoptr (PenTestCapture) capture = make_capture (big, 1);
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenStore) waits = NULL;
  g_autofree char *dump = NULL;

  add_trace (capture, 1000, 0, 10, SLEEPING, 0, big); /* waits until 1500 */
  add_trace (capture, 1100, 1, 11, PREEMPTED, 12, big);
  add_trace (capture, 1200, 1, 12, SLEEPING, 11, big); /* never comes back */
  add_trace (capture, 1300, 1, 11, RUNNING, 13, big);
  add_trace (capture, 1400, 1, 13, DEAD, 11, big);
  add_trace (capture, 1500, 0, 0, RUNNING, 10, big);
  add_trace (capture, 1600, 0, 10, SLEEPING, 0, big); /* came back unseen */
  add_trace (capture, 1700, 1, 10, SLEEPING, 0, big);
  add_trace (capture, 1900, 0, 0, RUNNING, 10, big);

  store = import_capture (fixture, capture, flags);
  dump = dump_waits (store);
  g_assert_cmpstr (dump, ==,
                   "1000 10 0 sched:sched_switch 600 <900 500\n"
                   "1200 12 1 sched:sched_switch 600 <900\n"
                   "1600 10 0 sched:sched_switch 600 <900\n"
                   "1700 10 1 sched:sched_switch 600 <900 200\n");
  assert_facts (store, "sched:sched_switch", 700, 2, 0, 200);
  g_assert_cmpint (pen_store_get_fact_int (store, "samples", 0), ==, 9);
  waits = pen_store_open_waits (store, NULL);
  g_assert_cmpint (pen_store_get_fact_int (waits, "samples", 0), ==, 4);
}

/* Not every switch is a sample: none can be joined. */
static void
test_sparse_tracepoint (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenTestCapture) capture = make_capture (FALSE, 2);
  g_autoptr (PenStore) store = NULL;

  add_trace (capture, 1000, 0, 10, SLEEPING, 0, FALSE);
  add_trace (capture, 1500, 0, 0, RUNNING, 10, FALSE);
  store = import_capture (fixture, capture, PEN_TEST_CAPTURE_FILE);
  g_assert_null (pen_store_get_fact (store, "wait_source"));
  g_assert_false (pen_store_has_waits (store));
}

static void
test_switches (ImportFixture *fixture, gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = make_capture (FALSE, 1);
  g_autoptr (PenStore) store = NULL;
  g_autofree char *dump = NULL;

  add_switch (capture, 1000, 0, 10, MISC_OUT);
  add_switch (capture, 1000, 0, 0, 0);
  add_switch (capture, 1050, 1, 11, MISC_OUT | MISC_PREEMPTED);
  add_switch (capture, 1100, 1, 11, 0);
  add_switch (capture, 1200, 1, -1, MISC_OUT);
  pen_test_capture_at (capture, 1300, 12, 12, 1);
  pen_test_capture_add_exit (capture, 12, 1, 12, 1);
  add_switch (capture, 1310, 1, 12, MISC_OUT);
  add_switch (capture, 1400, 0, 0, MISC_OUT);
  add_switch (capture, 1450, 0, 10, 0);
  add_switch (capture, 1500, 1, 12, 0); /* another task with this id */
  add_switch (capture, 1600, 1, 12, MISC_OUT);
  store = import_capture (fixture, capture, GPOINTER_TO_UINT (data));
  dump = dump_waits (store);
  g_assert_cmpstr (dump, ==,
                   "1000 10 0 dummy:u 450\n"
                   "1600 12 1 dummy:u\n");
  assert_facts (store, "switches", 450, 1, 0, 50);
}

/* The sample has the place, and either the end. */
static void
test_both (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenTestCapture) capture = make_capture (FALSE, 1);
  g_autoptr (PenStore) store = NULL;
  g_autofree char *dump = NULL;

  add_trace (capture, 1000, 0, 10, SLEEPING, 11, FALSE);
  add_switch (capture, 1001, 0, 10, MISC_OUT);
  add_switch (capture, 1002, 0, 11, 0);
  add_switch (capture, 1500, 1, 10, 0);
  add_trace (capture, 1600, 0, 11, DEAD, 12, FALSE);
  add_switch (capture, 1601, 0, 11, MISC_OUT);
  add_switch (capture, 1700, 1, 10, MISC_OUT);
  add_trace (capture, 1800, 1, 13, SLEEPING, 10, FALSE);
  add_switch (capture, 1801, 1, 10, 0);
  store = import_capture (fixture, capture, PEN_TEST_CAPTURE_FILE);
  dump = dump_waits (store);
  g_assert_cmpstr (dump, ==,
                   "1000 10 0 sched:sched_switch 600 <900 500\n"
                   "1700 10 1 dummy:u 100\n"
                   "1800 13 1 sched:sched_switch 600 <900\n");
  assert_facts (store, "sched:sched_switch", 600, 1, 0, 0);
}

/* Written at the end; what the recorder added up has no time. */
static void
test_off_cpu (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint64 chain[] = { (guint64) -128, SCHEDULE, CALLER };
  g_autoptr (PenTestCapture) capture = make_capture (FALSE, 1);
  g_autoptr (PenStore) store = NULL;
  g_autofree char *dump = NULL;

  add_switch (capture, 1000, 0, 10, MISC_OUT);
  add_switch (capture, 1500, 0, 10, 0);
  pen_test_capture_from (capture, OFF_CPU);
  pen_test_capture_at (capture, 2000, 10, 10, 0);
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, SCHEDULE, 700, chain, 3);
  pen_test_capture_at (capture, G_MAXUINT64 << 32, 11, 11, 0);
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, SCHEDULE, 900, chain, 3);
  store = import_capture (fixture, capture, PEN_TEST_CAPTURE_FILE);
  dump = dump_waits (store);
  g_assert_cmpstr (dump, ==,
                   "timeless 11 0 offcpu-time 600 <900 900\n"
                   "1300 10 0 offcpu-time 600 <900 700\n");
  assert_facts (store, "offcpu-time", 1600, 0, 0, 0);
}

static void
test_loss (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenTestCapture) capture = make_capture (FALSE, 1);
  g_autoptr (PenStore) store = NULL;
  g_autofree char *dump = NULL;

  add_switch (capture, 1000, 0, 10, MISC_OUT);
  add_switch (capture, 1100, 0, 10, 0);
  add_switch (capture, 1200, 1, 11, MISC_OUT);
  add_switch (capture, 1300, 0, 10, MISC_OUT);
  pen_test_capture_at (capture, 1400, 12, 12, 0);
  pen_test_capture_add_lost (capture, pen_test_capture_get_id (CLOCK, 0), 3);
  add_switch (capture, 1500, 0, 10, 0);
  add_switch (capture, 1600, 0, 10, MISC_OUT);
  add_switch (capture, 1700, 0, 10, 0);
  add_switch (capture, 1800, 1, 11, 0);
  store = import_capture (fixture, capture, PEN_TEST_CAPTURE_FILE);
  dump = dump_waits (store);
  g_assert_cmpstr (dump, ==,
                   "1000 10 0 dummy:u 100\n"
                   "1200 11 1 dummy:u\n"
                   "1300 10 0 dummy:u\n"
                   "1600 10 0 dummy:u 100\n");
  assert_facts (store, "switches", 200, 0, 2, 0);
}

/* Two begin at one time, and the one that was read first ends last: a change between them is not
 * before the first. */
static void
test_same_time (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 call[] = { 0xe8, 0x01, 0x02, 0x03, 0x04 };
  g_autoptr (PenTestCapture) capture = make_capture (FALSE, 1);
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenStore) waits = NULL;
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autofree char *dump = NULL;
  const PenBucket *buckets;
  guint n;

  add_trace (capture, 1000, 0, 10, SLEEPING, 0, FALSE);
  pen_test_capture_from (capture, DUMMY);
  pen_test_capture_at (capture, 1000, 12, 12, 2);
  pen_test_capture_add_text_poke (capture, SCHEDULE, nop, sizeof nop, call, sizeof call);
  add_trace (capture, 1000, 1, 11, SLEEPING, 0, FALSE);
  add_trace (capture, 1500, 1, 0, RUNNING, 11, FALSE);
  add_trace (capture, 1700, 0, 0, RUNNING, 10, FALSE);
  store = import_capture (fixture, capture, PEN_TEST_CAPTURE_FILE);
  dump = dump_waits (store);
  g_assert_cmpstr (dump, ==,
                   "1000 10 0 sched:sched_switch 600 <900 700\n"
                   "1000 11 1 sched:sched_switch 600 <900 500\n");
  waits = pen_store_open_waits (store, NULL);
  buckets = pen_store_get_buckets (waits, &n, NULL);
  g_assert_true (pen_store_read_block (waits, 0, block, NULL));
  g_assert_cmpuint (buckets[block->bucket[0]].revision, ==, 0);
  g_assert_cmpuint (buckets[block->bucket[1]].revision, ==, 1);
}

/* ---- a twin ---- */

typedef struct {
  guint64 time;
  gint32 tid;
  gboolean is_out;
  gboolean is_preempted;
} Switch;

/* What follows for each switch away from looking at all later ones. */
static char *
find_plainly (const GArray *switches)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < switches->len; i++) {
    const Switch *away = &g_array_index (switches, Switch, i);
    const Switch *next = NULL;

    for (guint k = i + 1; !next && k < switches->len; k++)
      if (g_array_index (switches, Switch, k).tid == away->tid)
        next = &g_array_index (switches, Switch, k);
    if (!away->is_out || away->is_preempted || away->tid == 0)
      continue;
    g_string_append_printf (text, "%" G_GUINT64_FORMAT " %d %u dummy:u", away->time, away->tid,
                            (guint) away->tid % PEN_TEST_CPUS);
    if (next && !next->is_out)
      g_string_append_printf (text, " %" G_GUINT64_FORMAT, next->time - away->time);
    g_string_append_c (text, '\n');
  }
  return g_string_free (text, FALSE);
}

/* Records of one CPU are in order, and others come later or sooner. */
static void
add_shuffled (PenTestCapture *capture, const GArray *switches, GRand *random)
{
  guint at[PEN_TEST_CPUS] = { 0 };

  for (guint left = switches->len; left > 0;) {
    guint32 cpu = (guint32) g_rand_int_range (random, 0, PEN_TEST_CPUS);
    const Switch *next = NULL;

    for (; !next && at[cpu] < switches->len; at[cpu]++) {
      next = &g_array_index (switches, Switch, at[cpu]);
      if ((guint) next->tid % PEN_TEST_CPUS != cpu)
        next = NULL;
    }
    if (!next)
      continue;
    left--;
    add_switch (capture, next->time, cpu, next->tid,
                next->is_out ? MISC_OUT | (next->is_preempted ? MISC_PREEMPTED : 0) : 0);
  }
}

static void
test_twin (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (guint32 seed = 1; seed <= 40; seed++) {
    g_autoptr (GRand) random = g_rand_new_with_seed (seed);
    g_autoptr (GArray) switches = g_array_new (FALSE, FALSE, sizeof (Switch));
    g_autoptr (PenTestCapture) capture = make_capture (FALSE, 1);
    g_autoptr (PenStore) store = NULL;
    g_autofree char *found = NULL;
    g_autofree char *expected = NULL;
    guint64 time = 1000;

    for (guint i = 0; i < 300; i++) {
      Switch one = { .tid = g_rand_int_range (random, 0, 12),
                     .is_out = g_rand_boolean (random),
                     .is_preempted = g_rand_int_range (random, 0, 4) == 0 };

      one.time = time += (guint64) g_rand_int_range (random, 1, 50);
      g_array_append_val (switches, one);
    }
    add_shuffled (capture, switches, random);
    store = import_capture (fixture, capture,
                            seed % 2 ? PEN_TEST_CAPTURE_FILE : PEN_TEST_CAPTURE_PIPE);
    found = dump_waits (store);
    expected = find_plainly (switches);
    g_assert_cmpstr (found, ==, expected);
    import_fixture_remove (fixture->capture);
    import_fixture_remove (fixture->store);
  }
}

static void
add_tests (void)
{
#define ADD(path, data, func)                                                                      \
  g_test_add (path, ImportFixture, data, import_fixture_set_up, func, import_fixture_tear_down)

  ADD ("/import/waits/tracepoint", GUINT_TO_POINTER (PEN_TEST_CAPTURE_FILE), test_tracepoint);
  ADD ("/import/waits/tracepoint-of-pipe", GUINT_TO_POINTER (PEN_TEST_CAPTURE_PIPE),
       test_tracepoint);
  ADD ("/import/waits/tracepoint-of-big-endian", GUINT_TO_POINTER (PEN_TEST_CAPTURE_BIG_ENDIAN),
       test_tracepoint);
  ADD ("/import/waits/sparse-tracepoint", NULL, test_sparse_tracepoint);
  ADD ("/import/waits/switches", GUINT_TO_POINTER (PEN_TEST_CAPTURE_FILE), test_switches);
  ADD ("/import/waits/switches-of-threads", GUINT_TO_POINTER (PEN_TEST_CAPTURE_THREADS),
       test_switches);
  ADD ("/import/waits/both", NULL, test_both);
  ADD ("/import/waits/off-cpu", NULL, test_off_cpu);
  ADD ("/import/waits/loss", NULL, test_loss);
  ADD ("/import/waits/same-time", NULL, test_same_time);
  ADD ("/import/waits/twin", NULL, test_twin);
#undef ADD
}

int
main (int argc, char **argv)
{
  return import_fixture_main (argc, argv, add_tests);
}
