/* test-cost.c: samples in detours, and through BPF programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "query-fixture.h"

#include <math.h>
#include <string.h>

#include "pen-query-causes.h"
#include "pen-record.h"

#define MS 1000000ull
#define HANDLER (ALPHA + 0x100)
#define TRACED (ALPHA + 0x200)
#define PROBED (ALPHA + 0x300)
#define CALLER (ALPHA + 0x400)
#define SITE (PROBED + 0x10)
#define TRAMPOLINE (MODULE + 0x1000)
#define SLOTS (MODULE + 0x2000)
#define PROGRAM (MODULE + 0x3000)

static const guint8 nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const guint8 mov5[] = { 0x48, 0x89, 0x44, 0x24, 0x60 };

static const char kallsyms[] = "ffffffff81000000 T _text\n"
                               "ffffffff81000100 T handler\n"
                               "ffffffff81000200 T traced\n"
                               "ffffffff81000300 T probed\n"
                               "ffffffff81000400 T caller\n"
                               "ffffffff81000800 T _etext\n";

/* @event: (nullable): the third */
static PenTestCapture *
make_capture_with (const PenTestEvent *event)
{
  guint8 text[0x1000];

  memset (text, 0x90, sizeof text);
  memcpy (text + (TRACED - ALPHA), nop5, sizeof nop5);
  memcpy (text + (SITE - ALPHA), mov5, sizeof mov5);
  return query_fixture_new_with_event (kallsyms, text, sizeof text, event);
}

static PenTestCapture *
make_capture (void)
{
  return make_capture_with (NULL);
}

static PenTestCapture *
make_waiting_capture (void)
{
  PenTestEvent off_cpu = PEN_TEST_EVENT_CLOCK;

  off_cpu.name = "offcpu-time";
  off_cpu.type = 1;
  off_cpu.config = 10;
  off_cpu.sample_type |= 1 << 5; /* PERF_SAMPLE_CALLCHAIN */
  return make_capture_with (&off_cpu);
}

static void
at (PenTestCapture *capture, guint64 time)
{
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, time * MS, 7, 7, 0);
}

/* A jump or call from @from to @to. */
static void
make_branch (guint8 *bytes, guint8 opcode, guint64 from, guint64 to)
{
  guint32 distance = GUINT32_TO_LE ((guint32) (to - from - 5));

  bytes[0] = opcode;
  memcpy (bytes + 1, &distance, sizeof distance);
}

/* @frames: from the leaf on; 0 ends them */
static void
sample (PenTestCapture *capture, guint64 time, const guint64 *frames)
{
  guint64 chain[16] = { PEN_CONTEXT_KERNEL };
  guint n = 1;

  while (frames[n - 1] != 0) {
    chain[n] = frames[n - 1];
    n++;
  }
  pen_test_capture_from (capture, 0);
  pen_test_capture_at (capture, time * MS, 7, 7, 0);
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, chain[1], 1, chain, n);
}

#define STACK(...) ((const guint64[]){ __VA_ARGS__, 0 })

static void
add_story (PenTestCapture *capture)
{
  static const guint8 slot[] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xe9, 0, 0, 0, 0 };
  const guint8 breakpoint[] = { 0xcc };
  guint8 call[5], jump[5], armed[5];

  make_branch (call, 0xe8, TRACED, TRAMPOLINE);
  make_branch (jump, 0xe9, SITE, SLOTS);
  memcpy (armed, mov5, sizeof armed);
  armed[0] = 0xcc;

  sample (capture, 5, STACK (TRACED + 5, CALLER + 9)); /* before: no detour */

  /* A BPF trampoline on traced() from 10 to 100, with a program. */
  at (capture, 8);
  pen_test_capture_add_ksymbol (capture, TRAMPOLINE, 0x1000, 2, 0, "bpf_trampoline_1");
  pen_test_capture_add_ksymbol (capture, PROGRAM, 0x40, 1, 0, "bpf_prog_0011223344556677_count");
  at (capture, 10);
  pen_test_capture_add_text_poke (capture, TRACED, nop5, 5, call, 5);
  sample (capture, 20, STACK (TRAMPOLINE + 8, TRACED + 5, CALLER + 9));
  sample (capture, 21, STACK (HANDLER + 4, TRAMPOLINE + 8, TRACED + 5, CALLER + 9));
  sample (capture, 22, STACK (PROGRAM + 4, TRAMPOLINE + 8, TRACED + 5, CALLER + 9));
  sample (capture, 23, STACK (HANDLER + 4, PROGRAM + 8, TRAMPOLINE + 8, TRACED + 5, CALLER + 9));
  /* The trampoline calls the original: it would have run without, too, and so would its callee. */
  sample (capture, 24, STACK (TRACED + 9, TRAMPOLINE + 8, TRACED + 5, CALLER + 9));
  sample (capture, 25, STACK (HANDLER + 4, TRACED + 9, TRAMPOLINE + 8, TRACED + 5, CALLER + 9));
  at (capture, 100);
  pen_test_capture_add_text_poke (capture, TRACED, call, 5, nop5, 5);
  at (capture, 101);
  pen_test_capture_add_ksymbol (capture, PROGRAM, 0x40, 1, 1, "bpf_prog_0011223344556677_count");

  /* A probe at probed()+0x10, whose jump to its slot comes later than the slot. */
  at (capture, 200);
  pen_test_capture_add_ksymbol (capture, SLOTS, 0x1000, 2, 0, "kprobe_optinsn_page");
  pen_test_capture_add_text_poke (capture, SLOTS, NULL, 0, slot, sizeof slot);
  pen_test_capture_add_text_poke (capture, SITE, mov5, 1, breakpoint, 1);
  sample (capture, 210, STACK (HANDLER + 4, SITE + 1, CALLER + 9)); /* by the breakpoint */
  sample (capture, 220, STACK (SLOTS + 6, CALLER + 9));
  at (capture, 230);
  pen_test_capture_add_text_poke (capture, SITE, armed, 5, jump, 5);
  sample (capture, 240, STACK (HANDLER + 4, SLOTS + 3, CALLER + 9));
  at (capture, 300);
  pen_test_capture_add_text_poke (capture, SITE, jump, 5, armed, 5);
  pen_test_capture_add_text_poke (capture, SITE, breakpoint, 1, mov5, 1);
  pen_test_capture_add_text_poke (capture, SLOTS, slot, sizeof slot, NULL, 0);

  /* The program comes again, and is called without a detour. */
  at (capture, 320);
  pen_test_capture_add_ksymbol (capture, PROGRAM, 0x40, 1, 0, "bpf_prog_0011223344556677_count");
  sample (capture, 330, STACK (PROGRAM + 4, CALLER + 9));
  sample (capture, 400, STACK (CALLER + 2));
}

static const PenCostRow *
find_row (const PenCostTable *table, PenCause cause, guint64 address)
{
  for (guint i = 0; i < table->rows->len; i++) {
    const PenCostRow *row = &g_array_index (table->rows, PenCostRow, i);

    if (row->cause == cause && (address == 0 ? !row->has_site : row->address == address))
      return row;
  }
  return NULL;
}

/* ---- waits ---- */

#define WAITED 2 /* its event */

/* It ends at @time, and lasts for @ms. */
static void
wait_in (PenTestCapture *capture, guint64 time, guint64 ms, const guint64 *frames)
{
  guint64 chain[16] = { PEN_CONTEXT_KERNEL };
  guint n = 1;

  while (frames[n - 1] != 0) {
    chain[n] = frames[n - 1];
    n++;
  }
  pen_test_capture_from (capture, WAITED);
  pen_test_capture_at (capture, time * MS, 7, 7, 0);
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, chain[1], ms * MS, chain,
                                              n);
}

/* Those of the story's stacks that are in detours, and others; each has a length of its own. */
static void
add_waits (PenTestCapture *capture)
{
  wait_in (capture, 7, 2, STACK (TRACED + 5, CALLER + 9)); /* before: no detour */
  wait_in (capture, 30, 1, STACK (TRAMPOLINE + 8, TRACED + 5, CALLER + 9));
  wait_in (capture, 40, 3, STACK (HANDLER + 4, TRAMPOLINE + 8, TRACED + 5, CALLER + 9));
  wait_in (capture, 60, 7, STACK (PROGRAM + 4, TRAMPOLINE + 8, TRACED + 5, CALLER + 9));
  wait_in (capture, 80, 13,
           STACK (HANDLER + 4, PROGRAM + 8, TRAMPOLINE + 8, TRACED + 5, CALLER + 9));
  /* It began in the detour, and ends after it. */
  wait_in (capture, 130, 40, STACK (HANDLER + 4, TRAMPOLINE + 8, TRACED + 5, CALLER + 9));
  /* The original, called by the trampoline. */
  wait_in (capture, 95, 17, STACK (TRACED + 9, TRAMPOLINE + 8, TRACED + 5, CALLER + 9));
  wait_in (capture, 215, 5, STACK (HANDLER + 4, SITE + 1, CALLER + 9));
  wait_in (capture, 260, 11, STACK (SLOTS + 6, CALLER + 9));
  wait_in (capture, 395, 1, STACK (CALLER + 2));
}

static PenCostTable *
cost (QueryFixture *fixture, const PenFilter *filter, PenCostGrouping grouping)
{
  g_autoptr (GError) error = NULL;
  PenCostTable *table = pen_query_cost (fixture->query, filter, grouping, &error);

  g_assert_no_error (error);
  return table;
}

static void
check_sites (QueryFixture *fixture)
{
  g_autoptr (PenCostTable) table = cost (fixture, NULL, PEN_COST_BY_SITE);
  const PenCostRow *row = find_row (table, PEN_CAUSE_BPF, TRACED);

  g_assert_cmpuint (table->total.samples, ==, 12);
  g_assert_cmpuint (table->detours.samples, ==, 7);

  g_assert_nonnull (row);
  g_assert_cmpstr (row->symbol, ==, "traced");
  g_assert_cmpuint (row->offset, ==, 0);
  g_assert_cmpuint (row->count.samples, ==, 4);
  g_assert_cmpuint (row->parts[PEN_COST_TRAMPOLINE], ==, 1);
  g_assert_cmpuint (row->parts[PEN_COST_HANDLER], ==, 1);
  g_assert_cmpuint (row->parts[PEN_COST_PROGRAM], ==, 2);
  g_assert_cmpfloat_with_epsilon (row->seconds, 0.09, 1e-9);
  g_assert_cmpfloat_with_epsilon (row->rate, 4 / 0.09, 1e-6);
  g_assert_cmpfloat (row->low, <, row->rate);
  g_assert_cmpfloat (row->high, >, row->rate);
  g_assert_cmpfloat_with_epsilon (row->share, 4.0 / 12, 1e-9);

  row = find_row (table, PEN_CAUSE_KPROBE, SITE);
  g_assert_nonnull (row);
  g_assert_cmpuint (row->count.samples, ==, 1);
  row = find_row (table, PEN_CAUSE_OPTPROBE, SITE);
  g_assert_nonnull (row);
  g_assert_cmpuint (row->count.samples, ==, 2);
  g_assert_cmpuint (row->parts[PEN_COST_TRAMPOLINE], ==, 1);
  g_assert_cmpfloat_with_epsilon (row->seconds, 0.07, 1e-9);
}

static void
check_causes (QueryFixture *fixture)
{
  g_autoptr (PenFilter) filter = query_fixture_time_filter (20 * MS, 22 * MS);
  g_autoptr (PenCostTable) all = cost (fixture, NULL, PEN_COST_BY_CAUSE);
  g_autoptr (PenCostTable) some = cost (fixture, filter, PEN_COST_BY_CAUSE);
  g_autoptr (PenCostTable) sites = cost (fixture, filter, PEN_COST_BY_SITE);

  g_assert_cmpuint (all->rows->len, ==, 3);
  g_assert_cmpuint (find_row (all, PEN_CAUSE_BPF, 0)->count.samples, ==, 4);
  g_assert_cmpuint (find_row (all, PEN_CAUSE_OPTPROBE, 0)->count.samples, ==, 2);
  g_assert_true (isnan (find_row (all, PEN_CAUSE_BPF, 0)->seconds));

  g_assert_cmpuint (some->total.samples, ==, 3);
  g_assert_cmpuint (find_row (some, PEN_CAUSE_BPF, 0)->count.samples, ==, 3);
  g_assert_cmpfloat_with_epsilon (find_row (sites, PEN_CAUSE_BPF, TRACED)->seconds, 0.002, 1e-9);
}

static void
check_programs (QueryFixture *fixture)
{
  g_autoptr (PenCostTable) table = cost (fixture, NULL, PEN_COST_BY_PROGRAM);
  const PenCostRow *first = &g_array_index (table->rows, PenCostRow, 0);
  const PenCostRow *second = &g_array_index (table->rows, PenCostRow, 1);

  g_assert_cmpuint (table->rows->len, ==, 2);
  g_assert_cmpstr (first->name, ==, "count");
  g_assert_cmpuint (first->count.samples, ==, 2);
  g_assert_cmpuint (first->own, ==, 1);
  g_assert_cmpfloat_with_epsilon (first->seconds, 0.093, 1e-9);
  g_assert_cmpuint (first->previous, ==, G_MAXUINT);

  g_assert_cmpuint (second->count.samples, ==, 1);
  g_assert_cmpuint (second->previous, ==, 0);
  /* From 320 to the last sample, at 400. */
  g_assert_cmpfloat_with_epsilon (second->seconds, 0.08, 1e-9);
  g_assert_cmpfloat_with_epsilon (second->test.ratio, (1 / 0.08) / (2 / 0.093), 1e-6);
  g_assert_cmpfloat (second->test.p, >, 0.05);
}

static const PenCauseRow *
find_cause (const PenCauseTree *tree, PenCause cause, guint level)
{
  for (guint i = 0; i < tree->rows->len; i++) {
    const PenCauseRow *row = pen_cause_tree_get (tree, i);

    if (row->cause == cause && row->level == level)
      return row;
  }
  g_assert_not_reached ();
}

static void
assert_cost (const PenCauseTree *tree, PenCause cause, guint64 trampoline, guint64 handler,
             guint64 program, double share)
{
  for (guint level = 0; level < 3; level++) {
    const PenCauseRow *row = find_cause (tree, cause, level);
    const PenCauseCost *found = pen_cause_tree_get_cost (tree, row);

    g_assert_nonnull (found);
    g_assert_cmpuint (found->parts[PEN_COST_TRAMPOLINE], ==, trampoline);
    g_assert_cmpuint (found->parts[PEN_COST_HANDLER], ==, handler);
    g_assert_cmpuint (found->parts[PEN_COST_PROGRAM], ==, program);
    g_assert_cmpuint (found->while_on.amount.n, ==, trampoline + handler + program);
    g_assert_cmpfloat_with_epsilon (found->share, share, 1e-9);
    g_assert_cmpuint (found->elsewhere.n, ==, 0);
    g_assert_cmpfloat_with_epsilon (found->while_on.rate,
                                    (double) found->while_on.amount.n / row->on.seconds, 1e-6);
  }
}

/* The tree of causes has the same numbers, at each level. */
static void
check_tree (QueryFixture *fixture)
{
  PenCauseOrder order = { .sort = PEN_CAUSE_SORT_COST };
  g_autoptr (PenFilter) filter = query_fixture_time_filter (20 * MS, 22 * MS);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenCauseTree) all = pen_query_causes (fixture->query, NULL, &order, &error);
  g_autoptr (PenCauseTree) some = pen_query_causes (fixture->query, filter, &order, &error);
  g_autoptr (PenCauseTree) reversed = NULL;

  g_assert_no_error (error);
  assert_cost (all, PEN_CAUSE_BPF, 1, 1, 2, 4.0 / 12);
  assert_cost (all, PEN_CAUSE_KPROBE, 0, 1, 0, 1.0 / 12);
  assert_cost (all, PEN_CAUSE_OPTPROBE, 1, 1, 0, 2.0 / 12);
  g_assert_cmpuint (some->n_causes, ==, 1);
  assert_cost (some, PEN_CAUSE_BPF, 1, 1, 1, 1);

  g_assert_cmpuint (pen_cause_tree_get (all, 0)->cause, ==, PEN_CAUSE_BPF);
  g_assert_cmpuint (pen_cause_tree_get (all, 1)->cause, ==, PEN_CAUSE_OPTPROBE);
  order.is_reversed = TRUE;
  reversed = pen_cause_tree_reorder (all, &order);
  g_assert_cmpuint (pen_cause_tree_get (reversed, 0)->cause, ==, PEN_CAUSE_KPROBE);
  assert_cost (reversed, PEN_CAUSE_BPF, 1, 1, 2, 4.0 / 12);
}

/* Programs stand after the causes: all, by name, load by load with the one before. */
static void
check_programs_in_tree (QueryFixture *fixture)
{
  const PenCauseOrder order = { .search = "(ID" };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenCostTable) table = cost (fixture, NULL, PEN_COST_BY_PROGRAM);
  g_autoptr (PenCauseTree) tree
      = pen_query_causes (fixture->query, NULL, &(PenCauseOrder){ 0 }, &error);
  g_autoptr (PenCauseTree) found = pen_cause_tree_reorder (tree, &order);
  g_autoptr (PenFilter) filter = query_fixture_time_filter (240 * MS, 300 * MS);
  g_autoptr (PenCauseTree) without = pen_query_causes (fixture->query, filter, &order, &error);
  const PenCauseRow *head, *name;

  g_assert_no_error (error);
  g_assert_true (tree->has_programs);
  g_assert_cmpuint (pen_cause_tree_count_heads (tree), ==, tree->n_causes + 1);
  head = pen_cause_tree_get (tree, tree->n_causes);
  g_assert_true (head->is_program);
  g_assert_cmpuint (head->on.amount.n, ==, table->detours.samples);
  g_assert_cmpuint (head->n_children, ==, 1);
  name = pen_cause_tree_get (tree, head->first_child);
  g_assert_cmpstr (name->name, ==, "count");
  g_assert_cmpuint (name->n_stretches, ==, 2);
  g_assert_cmpuint (name->n_children, ==, table->rows->len);
  for (guint i = 0; i < table->rows->len; i++) {
    const PenCostRow *row = &g_array_index (table->rows, PenCostRow, i);
    const PenCauseRow *load = pen_cause_tree_get (tree, name->first_child + i);
    const PenCauseCost *found_cost = pen_cause_tree_get_cost (tree, load);

    g_assert_cmpuint (load->on.amount.n, ==, row->count.samples);
    g_assert_cmpfloat_with_epsilon (load->on.rate, row->rate, 1e-9);
    g_assert_cmpfloat_with_epsilon (found_cost->share, row->share, 1e-9);
    g_assert_cmpuint (found_cost->parts[PEN_COST_PROGRAM], ==, row->count.samples);
    g_assert_cmpint (load->verdict, ==, i == 0 ? PEN_VERDICT_UNKNOWN : PEN_VERDICT_ALIKE);
    g_assert_true (i == 0 ? isnan (load->test.ratio) : load->test.ratio == row->test.ratio);
  }
  /* No id is known of these. */
  g_assert_cmpuint (pen_cause_tree_count_heads (found), ==, 0);
  g_assert_false (without->has_programs);
}

/* Samples in a trampoline whose site is not known are the cause's, and no row's below. */
static void
test_elsewhere (void)
{
  g_autoptr (PenTestCapture) capture = make_capture ();
  g_autoptr (PenCauseTree) tree = NULL;
  g_autoptr (GError) error = NULL;
  QueryFixture fixture = { 0 };
  const PenCauseCost *found;

  add_story (capture);
  at (capture, 410);
  pen_test_capture_add_ksymbol (capture, MODULE + 0x4000, 0x1000, 2, 0, "bpf_trampoline_2");
  sample (capture, 420, STACK (MODULE + 0x4008, CALLER + 9));
  query_fixture_import (&fixture, capture);
  tree = pen_query_causes (fixture.query, NULL, &(PenCauseOrder){ 0 }, &error);
  g_assert_no_error (error);
  found = pen_cause_tree_get_cost (tree, find_cause (tree, PEN_CAUSE_BPF, 0));
  g_assert_cmpuint (found->while_on.amount.n, ==, 5);
  g_assert_cmpuint (found->elsewhere.n, ==, 1);
  g_assert_true (isnan (found->while_on.rate));
  found = pen_cause_tree_get_cost (tree, find_cause (tree, PEN_CAUSE_BPF, 1));
  g_assert_cmpuint (found->while_on.amount.n, ==, 4);
  query_fixture_tear_down (&fixture, NULL);
}

/* Nothing was recorded then, and nothing led anywhere. */
static void
check_outside (QueryFixture *fixture, guint64 from, guint64 to)
{
  g_autoptr (PenFilter) filter = query_fixture_time_filter (from, to);
  g_autoptr (PenCostTable) sites = cost (fixture, filter, PEN_COST_BY_SITE);
  g_autoptr (PenCostTable) programs = cost (fixture, filter, PEN_COST_BY_PROGRAM);

  g_assert_cmpuint (sites->total.samples, ==, 0);
  g_assert_cmpuint (sites->rows->len, ==, 0);
  g_assert_cmpuint (programs->rows->len, ==, 0);
}

static void
test_cost (void)
{
  g_autoptr (PenTestCapture) capture = make_capture ();
  QueryFixture fixture = { 0 };

  add_story (capture);
  query_fixture_import (&fixture, capture);
  check_sites (&fixture);
  check_causes (&fixture);
  check_programs (&fixture);
  check_outside (&fixture, 0, 1 * MS);
  check_tree (&fixture);
  check_programs_in_tree (&fixture);
  query_fixture_tear_down (&fixture, NULL);
}

static void
check_waiting (const PenCostRow *row, guint64 n, guint64 trampoline, guint64 handler,
               guint64 program)
{
  guint64 ms = trampoline + handler + program;

  g_assert_nonnull (row);
  g_assert_cmpuint (row->count.samples, ==, n);
  g_assert_cmpuint (row->count.period, ==, ms * MS);
  g_assert_cmpuint (row->weight, ==, ms * MS);
  g_assert_cmpuint (row->parts[PEN_COST_TRAMPOLINE], ==, trampoline * MS);
  g_assert_cmpuint (row->parts[PEN_COST_HANDLER], ==, handler * MS);
  g_assert_cmpuint (row->parts[PEN_COST_PROGRAM], ==, program * MS);
  g_assert_cmpfloat_with_epsilon (row->share, (double) ms / 100, 1e-9);
  g_assert_true (isnan (row->low) && isnan (row->high));
}

/* Causes have the same time. */
static void
check_waiting_causes (PenQuery *waits)
{
  static const PenCauseOrder order = { .grouping = PEN_CAUSES_BY_KEY };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenCauseTree) tree = pen_query_causes (waits, NULL, &order, &error);
  guint64 sum = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < tree->n_causes; i++) {
    const PenCauseRow *row = pen_cause_tree_get (tree, i);
    const PenCauseCost *found = pen_cause_tree_get_cost (tree, row);

    if (!found)
      continue;
    g_assert_cmpint (found->while_on.amount.population, ==, PEN_POPULATION_WAITS);
    g_assert_cmpuint (found->while_on.amount.period, ==,
                      found->parts[PEN_COST_TRAMPOLINE] + found->parts[PEN_COST_HANDLER]
                          + found->parts[PEN_COST_PROGRAM]);
    g_assert_cmpfloat_with_epsilon (
        found->share, (double) found->while_on.amount.period / (double) (100 * MS), 1e-9);
    sum += found->while_on.amount.period;
  }
  g_assert_cmpuint (sum, ==, 80 * MS);
  g_assert_true (tree->has_programs);
  g_assert_cmpuint (pen_cause_tree_get (tree, tree->n_causes)->on.amount.period, ==, 20 * MS);
}

/* By site and by cause: of 100 ms off CPU, those that began in detours. */
static void
test_waits (void)
{
  g_autoptr (PenTestCapture) capture = make_waiting_capture ();
  g_autoptr (PenFilter) filter = query_fixture_time_filter (30 * MS, 60 * MS);
  g_autoptr (PenCostTable) sites = NULL;
  g_autoptr (PenCostTable) causes = NULL;
  g_autoptr (PenCostTable) some = NULL;
  g_autoptr (GError) error = NULL;
  QueryFixture fixture = { 0 };
  PenQuery *samples, *waits;
  const PenCostRow *row;

  add_story (capture);
  add_waits (capture);
  query_fixture_import (&fixture, capture);
  samples = fixture.query;
  waits = pen_query_get_waits (samples, &error);
  g_assert_no_error (error);
  fixture.query = waits;

  sites = cost (&fixture, NULL, PEN_COST_BY_SITE);
  g_assert_cmpuint (sites->total.samples, ==, 10);
  g_assert_cmpuint (sites->total.period, ==, 100 * MS);
  g_assert_cmpuint (sites->detours.samples, ==, 7);
  g_assert_cmpuint (sites->detours.period, ==, 80 * MS);
  /* Most time first. */
  g_assert_cmphex (g_array_index (sites->rows, PenCostRow, 0).address, ==, TRACED);
  row = find_row (sites, PEN_CAUSE_BPF, TRACED);
  check_waiting (row, 5, 1, 43, 20);
  g_assert_cmpfloat_with_epsilon (row->seconds, 0.09, 1e-9);
  g_assert_cmpfloat_with_epsilon (row->rate, 5 / 0.09, 1e-6);
  check_waiting (find_row (sites, PEN_CAUSE_KPROBE, SITE), 1, 0, 5, 0);
  check_waiting (find_row (sites, PEN_CAUSE_OPTPROBE, SITE), 1, 11, 0, 0);

  causes = cost (&fixture, NULL, PEN_COST_BY_CAUSE);
  g_assert_cmpuint (causes->rows->len, ==, 3);
  check_waiting (find_row (causes, PEN_CAUSE_BPF, 0), 5, 1, 43, 20);
  check_waiting (find_row (causes, PEN_CAUSE_KPROBE, 0), 1, 0, 5, 0);
  check_waiting (find_row (causes, PEN_CAUSE_OPTPROBE, 0), 1, 11, 0, 0);

  /* Waits that began then, with all of their time: of 3, 7 and 0 ms. */
  some = cost (&fixture, filter, PEN_COST_BY_CAUSE);
  g_assert_cmpuint (some->total.period, ==, 10 * MS);
  row = find_row (some, PEN_CAUSE_BPF, 0);
  g_assert_cmpuint (row->count.period, ==, 10 * MS);
  g_assert_cmpuint (row->parts[PEN_COST_HANDLER], ==, 3 * MS);
  g_assert_cmpfloat (row->share, ==, 1);
  check_waiting_causes (waits);
  fixture.query = samples;
  query_fixture_tear_down (&fixture, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cost", test_cost);
  g_test_add_func ("/cost/elsewhere", test_elsewhere);
  g_test_add_func ("/cost/waits", test_waits);
  return g_test_run ();
}
