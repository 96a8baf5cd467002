/* test-ksymbols.c: ksymbols, rule by rule (K1–K6), and the programs behind them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "maker.h"

static void
test_k1_register (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenTenure *tenure;

  maker_register (maker, 10, 0x1000, 0x100, "bpf_prog_a");
  maker_register (maker, 11, 0x5000, 0, "bpf_prog_nothing");
  maker_unregister (maker, 12, 0x6000, 0, "bpf_prog_nothing");
  maker_unregister (maker, 20, 0x1000, 0x100, "bpf_prog_a");

  maker_assert_kernel (maker, 9, 0x1000, NULL, 0);
  maker_assert_kernel (maker, 10, 0x1000, "bpf_prog_a", 0);
  maker_assert_kernel (maker, 10, 0x10ff, "bpf_prog_a", 0);
  maker_assert_kernel (maker, 10, 0x1100, NULL, 0);
  maker_assert_kernel (maker, 12, 0x5000, NULL, 0);
  maker_assert_kernel (maker, 20, 0x1000, NULL, 0);
  tenure = maker_find_kernel (maker, 15, 0x1000, NULL);
  g_assert_cmpint (tenure->layer, ==, PEN_LAYER_KSYMBOL);
  g_assert_cmpint (tenure->from_bound, ==, PEN_BOUND_RECORDED);
  g_assert_cmpint (tenure->to_bound, ==, PEN_BOUND_RECORDED);
  g_assert_cmpuint (pen_history_get_ignored_ksymbols (maker->history), ==, 2);
}

static void
test_k1_overflow (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_register (maker, 1, G_MAXUINT64 - 15, 4096, "bpf_prog_top");
  maker_register (maker, 1, G_MAXUINT64, 4096, "bpf_prog_beyond");
  maker_unregister (maker, 2, G_MAXUINT64, 4096, "bpf_prog_beyond");
  maker_assert_kernel (maker, 1, G_MAXUINT64 - 1, "bpf_prog_top", 0);
  maker_assert_kernel (maker, 1, G_MAXUINT64, NULL, 0);
  g_assert_cmpuint (pen_history_get_ignored_ksymbols (maker->history), ==, 2);
}

static void
test_k2_seen_twice (void)
{
  g_autoptr (Maker) maker = maker_new ();
  PenMoment first = maker_register (maker, 0, 0x1000, 0x100, "bpf_prog_a");
  const PenTenure *tenure;
  guint n;

  maker_register (maker, 10, 0x1000, 0x100, "bpf_prog_a");
  maker_unregister (maker, 20, 0x1000, 0x100, "bpf_prog_a");
  maker_register (maker, 30, 0x1000, 0x100, "bpf_prog_a");

  tenure = maker_find_kernel (maker, 15, 0x1000, NULL);
  assert_moment (tenure->from, first);
  g_assert_cmpint (tenure->from_bound, ==, PEN_BOUND_INITIAL);
  g_assert_cmpuint (pen_history_get_repeated_ksymbols (maker->history), ==, 1);
  g_assert_true (maker_find_kernel (maker, 30, 0x1000, NULL) != tenure);
  pen_history_get_tenures (maker->history, &n);
  g_assert_cmpuint (n, ==, 2);
}

static void
test_k3_same_start (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenTenure *tenure;
  PenMoment second;

  maker_register (maker, 10, 0x1000, 0x100, "bpf_prog_a");
  second = maker_register (maker, 20, 0x1000, 0x80, "bpf_prog_a");
  maker_register (maker, 30, 0x1000, 0x80, "bpf_prog_b");

  tenure = maker_find_kernel (maker, 15, 0x1000, NULL);
  assert_moment (tenure->to, second);
  g_assert_cmpint (tenure->to_bound, ==, PEN_BOUND_INFERRED);
  g_assert_cmpint (tenure->evidence, ==, PEN_EVIDENCE_RECORDED);
  maker_assert_kernel (maker, 25, 0x1090, NULL, 0);
  maker_assert_kernel (maker, 25, 0x1000, "bpf_prog_a", 0);
  maker_assert_kernel (maker, 35, 0x1000, "bpf_prog_b", 0);
}

static void
test_k3_nearest_start (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_register (maker, 10, 0x1000, 0x1000, "bpf_trampoline_1");
  maker_register (maker, 20, 0x1200, 0x1000, "bpf_trampoline_2");
  maker_register (maker, 30, 0x1300, 0x10, "bpf_prog_inside");
  maker_unregister (maker, 40, 0x1200, 0x1000, "bpf_trampoline_2");

  maker_assert_kernel (maker, 15, 0x1250, "bpf_trampoline_1", 0);
  maker_assert_kernel (maker, 25, 0x11ff, "bpf_trampoline_1", 0);
  maker_assert_kernel (maker, 25, 0x1200, "bpf_trampoline_2", 0);
  maker_assert_kernel (maker, 25, 0x2100, "bpf_trampoline_2", 0);
  maker_assert_kernel (maker, 35, 0x1305, "bpf_prog_inside", 0);
  /* Nearest among those that hold the address, not among all. */
  maker_assert_kernel (maker, 35, 0x1310, "bpf_trampoline_2", 0);
  maker_assert_kernel (maker, 45, 0x1310, "bpf_trampoline_1", 0);
  maker_assert_kernel (maker, 45, 0x2100, NULL, 0);
}

static void
test_k4_ghost_from_start (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenTenure *ghost;
  PenMoment end;

  maker_kernel_map (maker, 0, 0x1000, 0x1000, "[module]");
  end = maker_unregister (maker, 50, 0x1000, 0x100, "bpf_prog_ghost");

  maker_assert_kernel (maker, 1, 0x1080, "bpf_prog_ghost", 0);
  maker_assert_kernel (maker, 1, 0x1100, "[module]", 0);
  maker_assert_kernel (maker, 51, 0x1080, "[module]", 0);
  ghost = maker_find_kernel (maker, 1, 0x1080, NULL);
  assert_moment (ghost->from, PEN_MOMENT_START);
  assert_moment (ghost->to, end);
  g_assert_cmpint (ghost->from_bound, ==, PEN_BOUND_INFERRED);
  g_assert_cmpint (ghost->to_bound, ==, PEN_BOUND_RECORDED);
  g_assert_cmpint (ghost->evidence, ==, PEN_EVIDENCE_INFERRED);
  g_assert_cmpuint (ghost->id, ==, 1);
}

static void
test_k4_ghost_after_end (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenTenure *ghost;
  PenMoment end;

  maker_register (maker, 10, 0x1080, 0x1000, "bpf_prog_a");
  maker_register (maker, 10, 0x3000, 0x1000, "bpf_prog_other");
  end = maker_unregister (maker, 20, 0x1080, 0x1000, "bpf_prog_a");
  maker_unregister (maker, 30, 0x3000, 0x1000, "bpf_prog_other");
  maker_unregister (maker, 40, 0x1000, 0x100, "bpf_prog_ghost");

  ghost = maker_find_kernel (maker, 25, 0x1000, NULL);
  assert_moment (ghost->from, end);
  maker_assert_kernel (maker, 15, 0x1000, NULL, 0);
  maker_assert_kernel (maker, 20, 0x10ff, "bpf_prog_ghost", 0);
}

static void
test_k4_ghost_after_ghost_and_inferred_end (void)
{
  g_autoptr (Maker) maker = maker_new ();
  PenMoment first;
  PenMoment inferred;

  first = maker_unregister (maker, 10, 0x1000, 0x100, "bpf_prog_1");
  maker_unregister (maker, 20, 0x10ff, 0x10, "bpf_prog_2");
  maker_register (maker, 30, 0x5000, 0x100, "bpf_prog_3");
  inferred = maker_register (maker, 40, 0x5000, 0x10, "bpf_prog_4");
  maker_unregister (maker, 50, 0x5080, 0x10, "bpf_prog_5");

  assert_moment (maker_find_kernel (maker, 15, 0x10ff, NULL)->from, first);
  assert_moment (maker_find_kernel (maker, 45, 0x5080, NULL)->from, inferred);
}

static void
test_k4_ghost_is_patched (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenPoke *pokes;
  guint n;

  maker_kernel_map (maker, 0, 0x1000, 0x1000, "[module]");
  maker_poke (maker, 10, 0x10fe, "abcd", "efgh");
  maker_unregister (maker, 50, 0x1000, 0x100, "bpf_prog_ghost");

  maker_assert_kernel (maker, 20, 0x10ff, "bpf_prog_ghost", 1);
  maker_assert_kernel (maker, 20, 0x1100, "[module]", 1);
  maker_assert_kernel (maker, 60, 0x10ff, "[module]", 0);
  maker_assert_kernel (maker, 60, 0x1100, "[module]", 1);
  pokes = pen_history_get_pokes (maker->history, &n);
  g_assert_cmpuint (pokes[0].tenure, ==, maker_find_kernel (maker, 1, 0x1000, NULL)->id);
}

static void
test_k4_other_length (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_register (maker, 10, 0x1000, 0x100, "bpf_prog_a");
  maker_unregister (maker, 20, 0x1000, 0, "");
  maker_assert_kernel (maker, 15, 0x1000, "bpf_prog_a", 0);
  maker_assert_kernel (maker, 20, 0x1000, NULL, 0);
  g_assert_cmpuint (pen_history_get_ignored_ksymbols (maker->history), ==, 0);
}

static void
test_k5_underneath (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_kernel_map (maker, 0, 0x1000, 0x1000, "[module]");
  maker_poke (maker, 5, 0x1000, "a", "b");
  maker_register (maker, 10, 0x1000, 0x100, "bpf_prog_a");
  maker_poke (maker, 15, 0x1000, "c", "d");
  maker_poke (maker, 16, 0x1000, "d", "e");
  maker_unregister (maker, 20, 0x1000, 0x100, "bpf_prog_a");

  maker_assert_kernel (maker, 6, 0x1000, "[module]", 1);
  maker_assert_kernel (maker, 10, 0x1000, "bpf_prog_a", 0);
  maker_assert_kernel (maker, 17, 0x1000, "bpf_prog_a", 2);
  maker_assert_kernel (maker, 20, 0x1000, "[module]", 1);
}

static PenKind
register_kind (const char *name, gboolean is_out_of_line)
{
  g_autoptr (Maker) maker = maker_new ();
  PenKsymbolEvent event = { .type = is_out_of_line ? PEN_KSYMBOL_OUT_OF_LINE : 1,
                            .address = 0x1000,
                            .length = 1,
                            .name = name,
                            .origin = { .moment = { 1, 1 }, .tid = -1 } };

  pen_history_add_ksymbol (maker->history, &event);
  return maker_find_kernel (maker, 2, 0x1000, NULL)->kind;
}

static void
add_listed (Maker *maker, guint64 start, guint64 end, const char *name)
{
  pen_history_add_listed (maker->history, name, PEN_KIND_STUB, start, end, PEN_EVIDENCE_RECORDED);
}

static void
assert_bounds (const PenTenure *tenure, guint64 end, PenMoment to, PenBound bound)
{
  g_assert_nonnull (tenure);
  g_assert_cmpint (tenure->layer, ==, PEN_LAYER_KSYMBOL);
  g_assert_cmpint (tenure->kind, ==, PEN_KIND_STUB);
  g_assert_cmpint (tenure->evidence, ==, PEN_EVIDENCE_RECORDED);
  g_assert_cmpint (tenure->from_bound, ==, PEN_BOUND_INITIAL);
  assert_moment (tenure->from, PEN_MOMENT_START);
  g_assert_cmphex (tenure->end, ==, end);
  assert_moment (tenure->to, to);
  g_assert_cmpint (tenure->to_bound, ==, bound);
}

/* Over a map of the start, which recorders stretch; until a later one. */
static void
test_k6_map (void)
{
  g_autoptr (Maker) maker = maker_new ();
  PenMoment taken;

  add_listed (maker, 0x2000, 0x2100, "ftrace_trampoline");
  maker_kernel_map (maker, 0, 0x1000, 0x4000, "[a]");
  maker_poke (maker, 10, 0x2010, "ab", "cd");
  taken = maker_kernel_map (maker, 20, 0x20ff, 0x100, "[b]");

  assert_bounds (maker_find_kernel (maker, 0, 0x2010, NULL), 0x2100, taken, PEN_BOUND_INFERRED);
  maker_assert_kernel (maker, 15, 0x2010, "ftrace_trampoline", 1);
  maker_assert_kernel (maker, 15, 0x2100, "[a]", 0);
  maker_assert_kernel (maker, 25, 0x2010, "[a]", 0);
}

/* A map may be inferred; a record is not. */
static void
test_k6_map_and_record (void)
{
  g_autoptr (Maker) maker = maker_new ();
  PenMoment gone;
  PenMoment taken;

  add_listed (maker, 0x2000, 0x3000, "ftrace_trampoline");
  add_listed (maker, 0x4000, 0x5000, "kprobe_insn_page");
  taken = maker_kernel_map (maker, 10, 0x1000, 0x4000, "[a]");
  gone = maker_unregister (maker, 20, 0x2000, 0x1000, "ftrace_trampoline");
  maker_register (maker, 30, 0x4000, 0x1000, "bpf_prog_a");

  assert_bounds (maker_find_kernel (maker, 15, 0x2000, NULL), 0x3000, gone, PEN_BOUND_RECORDED);
  assert_bounds (maker_find_kernel (maker, 5, 0x4000, NULL), 0x5000, taken, PEN_BOUND_INFERRED);
  maker_assert_kernel (maker, 15, 0x4000, "[a]", 0);
  maker_assert_kernel (maker, 35, 0x4000, "bpf_prog_a", 0);
}

/* What comes over any of its bytes ends it; a trampoline has no more than where it starts (K3). */
static void
test_k6_taken (void)
{
  g_autoptr (Maker) maker = maker_new ();
  PenMoment first;
  PenMoment second;

  add_listed (maker, 0x2000, 0x3000, "ftrace_trampoline");
  add_listed (maker, 0x4000, 0x5000, "kprobe_insn_page");
  maker_register (maker, 10, 0x1f00, 0x1000, "bpf_trampoline_1");
  first = maker_register (maker, 20, 0x2ff0, 0x100, "bpf_trampoline_2");
  second = maker_register (maker, 30, 0x3f00, 0x101, "bpf_prog_a");

  assert_bounds (maker_find_kernel (maker, 5, 0x2000, NULL), 0x3000, first, PEN_BOUND_INFERRED);
  maker_assert_kernel (maker, 15, 0x1fff, "bpf_trampoline_1", 0);
  maker_assert_kernel (maker, 15, 0x2000, "ftrace_trampoline", 0);
  maker_assert_kernel (maker, 25, 0x2000, "bpf_trampoline_1", 0);
  assert_bounds (maker_find_kernel (maker, 25, 0x4100, NULL), 0x5000, second, PEN_BOUND_INFERRED);
  maker_assert_kernel (maker, 35, 0x4100, NULL, 0);
}

/* A record that names it knows its length, and is no symbol of its own beside it. */
static void
test_k6_records_know_better (void)
{
  g_autoptr (Maker) maker = maker_new ();
  PenMoment gone;
  PenMoment other;
  guint n;

  add_listed (maker, 0x2000, 0x3000, "ftrace_trampoline");
  add_listed (maker, 0x4000, 0x5000, "kprobe_insn_page");
  add_listed (maker, 0x6000, 0x7000, "kprobe_optinsn_page");
  gone = maker_unregister (maker, 10, 0x2000, 0x160, "ftrace_trampoline");
  maker_register (maker, 20, 0x4000, 0x1800, "kprobe_insn_page");
  maker_register (maker, 21, 0x4800, 0x10, "bpf_prog_a");
  other = maker_register (maker, 30, 0x6000, 0x1000, "ftrace_trampoline");

  assert_bounds (maker_find_kernel (maker, 5, 0x2000, NULL), 0x2160, gone, PEN_BOUND_RECORDED);
  maker_assert_kernel (maker, 5, 0x2160, NULL, 0);
  maker_assert_kernel (maker, 15, 0x2000, NULL, 0);
  assert_bounds (maker_find_kernel (maker, 5, 0x4000, NULL), 0x5800, PEN_MOMENT_END,
                 PEN_BOUND_OPEN);
  maker_assert_kernel (maker, 25, 0x5700, "kprobe_insn_page", 0);
  assert_bounds (maker_find_kernel (maker, 5, 0x6000, NULL), 0x7000, other, PEN_BOUND_INFERRED);
  maker_assert_kernel (maker, 35, 0x6000, "ftrace_trampoline", 0);
  pen_history_get_tenures (maker->history, &n);
  g_assert_cmpuint (n, ==, 5);
  g_assert_cmpuint (pen_history_get_repeated_ksymbols (maker->history), ==, 1);
}

/* The recorder's own records of the start win, and what a first snapshot lists. */
static void
test_k6_told_of (void)
{
  g_autoptr (Maker) maker = maker_new ();
  guint n;

  maker_register (maker, 0, 0x2000, 0x80, "bpf_prog_a");
  maker_unregister (maker, 0, 0x4000, 0x80, "bpf_prog_b");
  add_listed (maker, 0x2000, 0x3000, "bpf_prog_a");
  add_listed (maker, 0x4010, 0x4020, "bpf_prog_c");
  add_listed (maker, 0x5000, 0x5100, "ftrace_trampoline");
  add_listed (maker, 0x50ff, 0x5200, "ftrace_trampoline");
  add_listed (maker, 0x6000, 0x6000, "empty");

  maker_assert_kernel (maker, 5, 0x2000, "bpf_prog_a", 0);
  maker_assert_kernel (maker, 5, 0x2080, NULL, 0);
  maker_assert_kernel (maker, 5, 0x4010, NULL, 0);
  maker_assert_kernel (maker, 5, 0x5100, NULL, 0);
  pen_history_get_tenures (maker->history, &n);
  g_assert_cmpuint (n, ==, 3);
}

static void
test_kinds (void)
{
  g_assert_cmpint (register_kind ("bpf_prog_6deef7357e7b4530", FALSE), ==, PEN_KIND_BPF);
  g_assert_cmpint (register_kind ("bpf_trampoline_6442", FALSE), ==, PEN_KIND_STUB);
  g_assert_cmpint (register_kind ("bpf_dispatcher_xdp", FALSE), ==, PEN_KIND_STUB);
  g_assert_cmpint (register_kind ("kprobe_insn_page", TRUE), ==, PEN_KIND_STUB);
  g_assert_cmpint (register_kind ("something", FALSE), ==, PEN_KIND_BPF);
}

static void
add_by_task (Maker *maker, guint64 time, gint32 tid, guint32 cpu, guint64 address)
{
  PenKsymbolEvent event
      = { .address = address,
          .length = 0x10,
          .name = "bpf_prog_x",
          .origin = { .moment = { time, ++maker->position }, .tid = tid, .cpu = cpu } };

  pen_history_add_ksymbol (maker->history, &event);
}

static void
load (Maker *maker, guint64 time, gint32 tid, guint32 cpu, guint32 id, const guint64 *addresses,
      gsize n_addresses)
{
  const guint8 tag[8] = { (guint8) id, 1, 2, 3, 4, 5, 6, 7 };

  pen_history_add_bpf_load (maker->history, pen_moment (time, ++maker->position), id, tag, tid, cpu,
                            addresses, n_addresses);
}

static guint32
get_bpf_id (Maker *maker, guint64 address)
{
  const PenTenure *tenure = maker_find_kernel (maker, 1000, address, NULL);

  g_assert_nonnull (tenure);
  g_assert_cmpuint (tenure->bpf_tag[0], ==, tenure->bpf_id);
  return tenure->bpf_id;
}

static void
test_bpf_join_by_task (void)
{
  g_autoptr (Maker) maker = maker_new ();
  PenKsymbolEvent stub
      = { .address = 0x9000, .length = 0x1000, .name = "bpf_trampoline_1", .origin.tid = 7 };

  add_by_task (maker, 1, 7, 0, 0x1000);
  add_by_task (maker, 2, 8, 1, 0x2000);
  add_by_task (maker, 3, 7, 0, 0x3000);
  stub.origin.moment = pen_moment (3, ++maker->position);
  pen_history_add_ksymbol (maker->history, &stub);
  load (maker, 4, 7, 0, 70, NULL, 0);
  load (maker, 5, 8, 1, 80, NULL, 0);
  add_by_task (maker, 6, 7, 0, 0x4000);
  add_by_task (maker, 7, 7, 1, 0x5000);
  load (maker, 8, 7, 0, 71, NULL, 0);
  load (maker, 9, 7, 0, 72, NULL, 0);

  g_assert_cmpuint (get_bpf_id (maker, 0x1000), ==, 70);
  g_assert_cmpuint (get_bpf_id (maker, 0x2000), ==, 80);
  g_assert_cmpuint (get_bpf_id (maker, 0x3000), ==, 70);
  g_assert_cmpuint (get_bpf_id (maker, 0x4000), ==, 71);
  g_assert_cmpuint (get_bpf_id (maker, 0x5000), ==, 0);
  g_assert_cmpuint (get_bpf_id (maker, 0x9000), ==, 0);
}

static void
test_bpf_addresses_win (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const guint64 addresses[] = { 0x1000, 0x3000, 0x7777 };
  const guint64 gone[] = { 0x7777 };

  add_by_task (maker, 1, 7, 0, 0x1000);
  add_by_task (maker, 2, 9, 0, 0x3000);
  add_by_task (maker, 3, 7, 0, 0x4000);
  load (maker, 4, 7, 0, 70, addresses, G_N_ELEMENTS (addresses));
  load (maker, 5, 9, 0, 90, NULL, 0);
  add_by_task (maker, 6, 7, 0, 0x5000);
  load (maker, 7, 7, 0, 71, gone, G_N_ELEMENTS (gone));

  g_assert_cmpuint (get_bpf_id (maker, 0x1000), ==, 70);
  g_assert_cmpuint (get_bpf_id (maker, 0x3000), ==, 70);
  g_assert_cmpuint (get_bpf_id (maker, 0x4000), ==, 0);
  g_assert_cmpuint (get_bpf_id (maker, 0x5000), ==, 71);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ksymbols/K1/register", test_k1_register);
  g_test_add_func ("/ksymbols/K1/overflow", test_k1_overflow);
  g_test_add_func ("/ksymbols/K2/seen-twice", test_k2_seen_twice);
  g_test_add_func ("/ksymbols/K3/same-start", test_k3_same_start);
  g_test_add_func ("/ksymbols/K3/nearest-start", test_k3_nearest_start);
  g_test_add_func ("/ksymbols/K4/from-start", test_k4_ghost_from_start);
  g_test_add_func ("/ksymbols/K4/after-end", test_k4_ghost_after_end);
  g_test_add_func ("/ksymbols/K4/after-ghost-and-inferred-end",
                   test_k4_ghost_after_ghost_and_inferred_end);
  g_test_add_func ("/ksymbols/K4/is-patched", test_k4_ghost_is_patched);
  g_test_add_func ("/ksymbols/K4/other-length", test_k4_other_length);
  g_test_add_func ("/ksymbols/K5/underneath", test_k5_underneath);
  g_test_add_func ("/ksymbols/K6/map", test_k6_map);
  g_test_add_func ("/ksymbols/K6/map-and-record", test_k6_map_and_record);
  g_test_add_func ("/ksymbols/K6/taken", test_k6_taken);
  g_test_add_func ("/ksymbols/K6/records-know-better", test_k6_records_know_better);
  g_test_add_func ("/ksymbols/K6/told-of", test_k6_told_of);
  g_test_add_func ("/ksymbols/kinds", test_kinds);
  g_test_add_func ("/ksymbols/bpf/by-task", test_bpf_join_by_task);
  g_test_add_func ("/ksymbols/bpf/addresses-win", test_bpf_addresses_win);
  return g_test_run ();
}
