/* test-query-history.c: what an address was, of a capture whose answers are known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-query-history.h"
#include "query-fixture.h"

static GPtrArray *
history (QueryFixture *fixture, const PenFilter *filter, guint64 address)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *rows = pen_query_history (fixture->query, filter, address, PEN_SYNTAX_ATT, &error);

  g_assert_no_error (error);
  return rows;
}

static void
test_history_of_patches (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GPtrArray) rows = history (fixture, NULL, ALPHA);
  const PenHistoryRow *first = rows->pdata[0];
  const PenHistoryRow *second = rows->pdata[1];
  const PenHistoryRow *third = rows->pdata[2];

  g_assert_cmpuint (rows->len, ==, 3);
  g_assert_cmpuint (first->poke, ==, 0);
  g_assert_null (first->before_instruction);
  g_assert_cmpint (first->from_bound, ==, PEN_BOUND_INITIAL);
  g_assert_cmpint (first->pid, ==, -1);
  g_assert_cmpuint (first->samples, ==, 1);
  g_assert_cmpstr (first->symbol, ==, "alpha");

  g_assert_cmpuint (second->from.time, ==, 2000);
  g_assert_cmpuint (second->to.time, ==, 4000);
  g_assert_cmpuint (second->revision, ==, 1);
  g_assert_cmpint (second->pid, ==, 7);
  g_assert_cmpuint (second->cpu, ==, 0);
  g_assert_cmpstr (second->comm, ==, "one");
  g_assert_cmpint (second->confidence, ==, PEN_CONFIDENCE_LIKELY);
  g_assert_cmpstr (second->why, ==,
                   "The site of a static call contains a call or its replacement.");
  g_assert_cmpuint (second->batch, ==, 1);
  g_assert_cmpuint (second->n_sites, ==, 1);
  g_assert_cmpstr (second->sentence, ==, "A static call was retargeted to beta at alpha.");
  g_assert_null (first->sentence);
  g_assert_cmpuint (first->batch, ==, 0);
  g_assert_nonnull (strstr (second->instruction, "beta"));
  g_assert_cmpstr (second->before_instruction, ==, first->instruction);
  g_assert_cmpmem (second->before_bytes, second->n_before_bytes, first->bytes, first->n_bytes);
  g_assert_cmpuint (second->samples, ==, 1);
  g_assert_cmpuint (second->period, ==, 10);
  g_assert_cmpfloat_with_epsilon (second->share, 0.2, 1e-9);
  g_assert_cmpfloat_with_epsilon (second->rate, 1 / 2000e-9, 1e-3);

  g_assert_cmpuint (third->revision, ==, 2);
  g_assert_cmpstr (third->comm, ==, "two");
  g_assert_cmpint (third->to_bound, ==, PEN_BOUND_OPEN);
  g_assert_cmpuint (third->samples, ==, 3);
}

/* A byte in the middle of the patched instruction has the instruction's samples. */
static void
test_history_inside (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GPtrArray) rows = history (fixture, NULL, ALPHA + 3);

  g_assert_cmpuint (rows->len, ==, 3);
  g_assert_cmpuint (((const PenHistoryRow *) rows->pdata[0])->samples, ==, 1);
  g_assert_cmpuint (((const PenHistoryRow *) rows->pdata[1])->samples, ==, 1);
  g_assert_cmpuint (((const PenHistoryRow *) rows->pdata[2])->samples, ==, 3);
  g_assert_cmpuint (((const PenHistoryRow *) rows->pdata[2])->offset, ==, 3);
}

/* The module holds the byte before A, between A and B: one tenure, one revision, two turns. */
static void
test_history_of_tenures (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    guint64 from;
    guint64 to;
    PenKind kind;
    guint64 samples;
  } expected[] = {
    { 0, 1500, PEN_KIND_MODULE, 1 },
    { 1500, 3000, PEN_KIND_BPF, 1 },
    { 3000, 3500, PEN_KIND_MODULE, 2 },
    { 3500, G_MAXUINT64, PEN_KIND_BPF, 0 },
  };
  g_autoptr (GPtrArray) rows = history (fixture, NULL, A);

  g_assert_cmpuint (rows->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < rows->len; i++) {
    const PenHistoryRow *row = rows->pdata[i];

    g_assert_cmpuint (row->from.time, ==, expected[i].from);
    g_assert_cmpuint (row->to.time, ==, expected[i].to);
    g_assert_cmpint (row->kind, ==, expected[i].kind);
    g_assert_cmpuint (row->samples, ==, expected[i].samples);
    g_assert_cmpuint (row->revision, ==, 0);
    g_assert_cmpuint (row->poke, ==, 0);
  }
  g_assert_true (
      g_str_has_prefix (((const PenHistoryRow *) rows->pdata[3])->instruction, "movabs"));
}

static void
test_history_filtered (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFilter) filter = query_fixture_time_filter (3000, 5000);
  g_autoptr (GPtrArray) rows = history (fixture, filter, A);

  g_assert_cmpuint (rows->len, ==, 4);
  g_assert_cmpuint (((const PenHistoryRow *) rows->pdata[0])->samples, ==, 0);
  g_assert_cmpuint (((const PenHistoryRow *) rows->pdata[2])->samples, ==, 2);
  g_assert_cmpfloat (((const PenHistoryRow *) rows->pdata[2])->share, ==, 1.0);
}

static void
test_history_elsewhere (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GPtrArray) process = history (fixture, NULL, 0x400123);
  g_autoptr (GPtrArray) nobody = history (fixture, NULL, 0xffffffffd0000000ull);
  g_autoptr (GPtrArray) nothing = history (fixture, NULL, 0x10);

  g_assert_cmpuint (process->len, ==, 1);
  g_assert_cmpstr (((const PenHistoryRow *) process->pdata[0])->occupant, ==, "/bin/two");
  g_assert_cmpuint (((const PenHistoryRow *) process->pdata[0])->samples, ==, 1);
  g_assert_cmpuint (nobody->len, ==, 1);
  g_assert_cmpint (((const PenHistoryRow *) nobody->pdata[0])->kind, ==, PEN_KIND_UNKNOWN);
  g_assert_cmpuint (((const PenHistoryRow *) nobody->pdata[0])->samples, ==, 1);
  g_assert_cmpuint (nothing->len, ==, 0);
}

static void
change_at (PenTestCapture *capture, guint64 time)
{
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, time, 7, 7, 0);
}

/* A program covers a patched place of the module for a time. Meanwhile another trampoline comes
 * where its call leads. */
static void
test_history_covered (void)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 call[] = { 0xe8, 0xfb, 0x0f, 0x00, 0x00 };
  const guint64 target = MODULE + 0x1000;
  static const struct {
    guint64 from;
    const char *target;
  } expected[] = {
    { 0, NULL }, { 2000, "<early_stub>" }, { 3000, NULL }, { 4000, "<late_stub>" }, { 5000, NULL },
  };
  PenTestCapture *capture = pen_test_capture_new ();
  QueryFixture fixture = { 0 };
  g_autoptr (GPtrArray) rows = NULL;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_as_recorder (capture);
  pen_test_capture_from (capture, 1);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, MODULE, 0x4000, 0, "/lib/m.ko");
  change_at (capture, 1000);
  pen_test_capture_add_ksymbol (capture, target, 0x20, 2, 0, "early_stub");
  change_at (capture, 2000);
  pen_test_capture_add_text_poke (capture, MODULE, nop, 5, call, 5);
  change_at (capture, 3000);
  pen_test_capture_add_ksymbol (capture, MODULE, 0x20, 1, 0, "bpf_prog_over");
  change_at (capture, 3500);
  pen_test_capture_add_ksymbol (capture, target, 0x20, 2, 1, "early_stub");
  change_at (capture, 3501);
  pen_test_capture_add_ksymbol (capture, target, 0x20, 2, 0, "late_stub");
  change_at (capture, 4000);
  pen_test_capture_add_ksymbol (capture, MODULE, 0x20, 1, 1, "bpf_prog_over");
  change_at (capture, 5000);
  pen_test_capture_add_text_poke (capture, MODULE, call, 5, nop, 5);
  query_fixture_import (&fixture, capture);
  pen_test_capture_free (capture);

  rows = history (&fixture, NULL, MODULE);
  g_assert_cmpuint (rows->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < rows->len; i++) {
    const PenHistoryRow *row = rows->pdata[i];

    g_assert_cmpuint (row->from.time, ==, expected[i].from);
    if (expected[i].target)
      g_assert_true (g_str_has_suffix (row->instruction, expected[i].target));
  }
  query_fixture_tear_down (&fixture, NULL);
}

int
main (int argc, char **argv)
{
  static const QueryFixtureTest tests[] = {
    { "/query/history/patches", test_history_of_patches },
    { "/query/history/inside", test_history_inside },
    { "/query/history/tenures", test_history_of_tenures },
    { "/query/history/filtered", test_history_filtered },
    { "/query/history/elsewhere", test_history_elsewhere },
  };

  g_test_init (&argc, &argv, NULL);
  query_fixture_add_tests (tests, G_N_ELEMENTS (tests));
  g_test_add_func ("/query/history/covered", test_history_covered);
  return g_test_run ();
}
