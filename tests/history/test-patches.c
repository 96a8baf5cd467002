/* test-patches.c: patches, losses and comms, rule by rule (P1–P3, P6, Loss)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "maker.h"

static void
test_p1_range (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_kernel_map (maker, 0, 0x1000, 0x1000, "[a]");
  maker_poke (maker, 10, 0x1100, "abcde", "AB");
  maker_poke (maker, 20, 0x1100, "AB", "abcdefg");

  maker_assert_kernel (maker, 15, 0x10ff, "[a]", 0);
  maker_assert_kernel (maker, 15, 0x1104, "[a]", 1);
  maker_assert_kernel (maker, 15, 0x1105, "[a]", 0);
  maker_assert_kernel (maker, 25, 0x1104, "[a]", 2);
  maker_assert_kernel (maker, 25, 0x1106, "[a]", 1);
  maker_assert_kernel (maker, 25, 0x1107, "[a]", 0);
}

static void
test_p2_effects (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenPoke *pokes;
  guint n;

  maker_kernel_map (maker, 0, 0x1000, 0x1000, "[a]");
  maker_poke (maker, 10, 0x1100, "", "abc");
  maker_poke (maker, 11, 0x1100, "abc", "abc");
  maker_poke (maker, 12, 0x1100, "abc", "abd");
  maker_poke (maker, 13, 0x1100, "abd", "");
  maker_poke (maker, 14, 0x1100, "", "");
  maker_poke (maker, 15, 0x1100, "abc", "abcd");

  maker_assert_kernel (maker, 11, 0x1100, "[a]", 0);
  maker_assert_kernel (maker, 14, 0x1100, "[a]", 1);
  maker_assert_kernel (maker, 15, 0x1100, "[a]", 2);

  pokes = pen_history_get_pokes (maker->history, &n);
  g_assert_cmpuint (n, ==, 6);
  g_assert_cmpint (pokes[0].effect, ==, PEN_POKE_FILL);
  g_assert_cmpint (pokes[1].effect, ==, PEN_POKE_SAME);
  g_assert_cmpint (pokes[2].effect, ==, PEN_POKE_PATCH);
  g_assert_cmpint (pokes[3].effect, ==, PEN_POKE_CLEAR);
  g_assert_cmpint (pokes[4].effect, ==, PEN_POKE_SAME);
  g_assert_cmpint (pokes[5].effect, ==, PEN_POKE_PATCH);
  g_assert_cmpuint (pokes[1].revision, ==, 0);
  g_assert_cmpuint (pokes[2].revision, ==, 1);
  g_assert_cmpuint (pokes[3].revision, ==, 1);
  g_assert_cmpuint (pokes[5].revision, ==, 2);
  g_assert_cmpmem (pokes[2].new_bytes, pokes[2].new_length, "abd", 3);
}

static void
test_p3_new_tenure (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_register (maker, 10, 0x1000, 0x100, "bpf_trampoline_1");
  maker_poke (maker, 11, 0x1010, "ab", "cd");
  maker_unregister (maker, 12, 0x1000, 0x100, "bpf_trampoline_1");
  maker_poke (maker, 13, 0x1010, "ab", "cd");
  maker_register (maker, 14, 0x1000, 0x100, "bpf_trampoline_1");

  maker_assert_kernel (maker, 11, 0x1010, "bpf_trampoline_1", 1);
  maker_assert_kernel (maker, 12, 0x1010, "", 0);
  maker_assert_kernel (maker, 13, 0x1010, "", 1);
  maker_assert_kernel (maker, 13, 0x1012, NULL, 0);
  maker_assert_kernel (maker, 14, 0x1010, "bpf_trampoline_1", 0);
}

static void
test_p3_straddle (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenPoke *pokes;
  guint n;

  maker_kernel_map (maker, 0, 0x1000, 2, "[a]");
  maker_kernel_map (maker, 0, 0x1004, 4, "[b]");
  maker_register (maker, 1, 0x1005, 2, "bpf_prog_x");
  maker_poke (maker, 10, 0x1001, "12345678", "abcdefgh");
  maker_poke (maker, 11, 0x1003, "12", "34");
  maker_unregister (maker, 20, 0x1005, 2, "bpf_prog_x");

  maker_assert_kernel (maker, 12, 0x1000, "[a]", 0);
  maker_assert_kernel (maker, 12, 0x1001, "[a]", 1);
  maker_assert_kernel (maker, 12, 0x1002, "", 1);
  maker_assert_kernel (maker, 12, 0x1003, "", 2);
  maker_assert_kernel (maker, 12, 0x1004, "[b]", 2);
  maker_assert_kernel (maker, 12, 0x1005, "bpf_prog_x", 1);
  maker_assert_kernel (maker, 12, 0x1007, "[b]", 1);
  maker_assert_kernel (maker, 21, 0x1005, "[b]", 0);
  maker_assert_kernel (maker, 21, 0x1007, "[b]", 1);

  pokes = pen_history_get_pokes (maker->history, &n);
  g_assert_cmpuint (pokes[0].revision, ==, 1);
  g_assert_cmpuint (pokes[1].revision, ==, 2);
}

static void
assert_unknown (const PenTenure *tenure, guint64 start, guint64 end, PenMoment from, PenMoment to)
{
  g_assert_nonnull (tenure);
  g_assert_cmpint (tenure->layer, ==, PEN_LAYER_POKE);
  g_assert_cmpint (tenure->kind, ==, PEN_KIND_UNKNOWN);
  g_assert_cmpint (tenure->evidence, ==, PEN_EVIDENCE_UNKNOWN);
  g_assert_cmpint (tenure->from_bound, ==, PEN_BOUND_INFERRED);
  g_assert_cmpstr (tenure->occupant, ==, "");
  g_assert_cmphex (tenure->start, ==, start);
  g_assert_cmphex (tenure->end, ==, end);
  assert_moment (tenure->from, from);
  assert_moment (tenure->to, to);
}

/* Ranges that overlap or touch are one tenure, from the start on; a lone one is another. */
static void
test_p6_joined (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_poke (maker, 10, 0x1000, "ab", "cd");
  maker_poke (maker, 20, 0x1001, "bcd", "xyz");
  maker_poke (maker, 30, 0x1004, "", "12");
  maker_poke (maker, 40, 0x1007, "a", "b");

  assert_unknown (maker_find_kernel (maker, 5, 0x1000, NULL), 0x1000, 0x1006, PEN_MOMENT_START,
                  PEN_MOMENT_END);
  assert_unknown (maker_find_kernel (maker, 5, 0x1007, NULL), 0x1007, 0x1008, PEN_MOMENT_START,
                  PEN_MOMENT_END);
  maker_assert_kernel (maker, 50, 0x0fff, NULL, 0);
  maker_assert_kernel (maker, 50, 0x1000, "", 1);
  maker_assert_kernel (maker, 15, 0x1001, "", 1);
  maker_assert_kernel (maker, 50, 0x1001, "", 2);
  maker_assert_kernel (maker, 50, 0x1002, "", 1);
  /* A fill is no patch (P2). */
  maker_assert_kernel (maker, 50, 0x1004, "", 0);
  maker_assert_kernel (maker, 50, 0x1006, NULL, 0);
  g_assert_cmpuint (maker_find_kernel (maker, 5, 0x1000, NULL)->id, ==,
                    maker_find_kernel (maker, 50, 0x1005, NULL)->id);
}

static void
test_p6_between_holders (void)
{
  g_autoptr (Maker) maker = maker_new ();
  PenMoment gone;
  PenMoment came;
  PenMoment left;

  maker_register (maker, 10, 0x1000, 0x100, "bpf_trampoline_1");
  gone = maker_unregister (maker, 20, 0x1000, 0x100, "bpf_trampoline_1");
  maker_poke (maker, 30, 0x1080, "abcd", "efgh");
  came = maker_kernel_map (maker, 40, 0x1082, 0x100, "[b]");
  maker_poke (maker, 50, 0x1080, "efgh", "abcd");
  left = maker_register (maker, 60, 0x1080, 1, "bpf_prog_x");
  maker_unregister (maker, 70, 0x1080, 1, "bpf_prog_x");

  maker_assert_kernel (maker, 15, 0x1080, "bpf_trampoline_1", 0);
  maker_assert_kernel (maker, 25, 0x1080, "", 0);
  maker_assert_kernel (maker, 35, 0x1080, "", 1);
  /* Each byte counts for itself: the map came over two of four. */
  assert_unknown (maker_find_kernel (maker, 35, 0x1083, NULL), 0x1082, 0x1084, gone, came);
  assert_unknown (maker_find_kernel (maker, 35, 0x1081, NULL), 0x1081, 0x1082, gone,
                  PEN_MOMENT_END);
  assert_unknown (maker_find_kernel (maker, 35, 0x1080, NULL), 0x1080, 0x1081, gone, left);
  maker_assert_kernel (maker, 55, 0x1081, "", 2);
  maker_assert_kernel (maker, 55, 0x1082, "[b]", 1);
  /* It was not poked since what came there went. */
  maker_assert_kernel (maker, 75, 0x1080, NULL, 0);
}

static void
test_p6_unregister_tells_later (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_poke (maker, 10, 0x1010, "ab", "cd");
  maker_unregister (maker, 20, 0x1000, 0x100, "bpf_prog_x");
  maker_poke (maker, 30, 0x1010, "ab", "cd");

  maker_assert_kernel (maker, 5, 0x1010, "bpf_prog_x", 0);
  maker_assert_kernel (maker, 15, 0x1010, "bpf_prog_x", 1);
  maker_assert_kernel (maker, 25, 0x1010, "", 0);
  maker_assert_kernel (maker, 35, 0x1010, "", 1);
}

/* What a store has of it answers the same. */
static void
test_p6_stored (void)
{
  g_autoptr (Maker) maker = maker_new ();
  g_autoptr (GArray) tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (PenPart));
  g_autoptr (PenHistory) stored = NULL;
  g_autoptr (PenSweep) sweep = NULL;
  PenHistory *history;
  const PenTenure *all;
  const PenPart *all_parts;
  guint n;

  maker_register (maker, 10, 0x1000, 0x100, "bpf_prog_x");
  maker_unregister (maker, 20, 0x1000, 0x100, "bpf_prog_x");
  maker_poke (maker, 30, 0x1080, "abcd", "efgh");
  maker_register (maker, 40, 0x1000, 0x100, "bpf_prog_y");
  history = maker_seal (maker);
  all = pen_history_get_tenures (history, &n);
  g_array_append_vals (tenures, all, n);
  g_assert_cmpuint (n, ==, 3);
  all_parts = pen_history_get_parts (history, &n);
  g_array_append_vals (parts, all_parts, n);
  stored = pen_history_new_stored (tenures, parts, NULL, NULL);
  sweep = pen_sweep_new (stored);

  for (guint64 time = 5; time < 50; time += 10) {
    const PenTenure *tenure;
    guint64 end = 0x1100;

    pen_sweep_advance (sweep, pen_moment (time, 0));
    tenure = pen_sweep_find_kernel (sweep, 0x1081, NULL);
    g_assert_cmpstr (tenure ? tenure->occupant : "none", ==,
                     time < 10   ? "none"
                     : time < 20 ? "bpf_prog_x"
                     : time < 40 ? ""
                                 : "bpf_prog_y");
    pen_sweep_find_kernel_run (sweep, 0x1079, &end);
    g_assert_cmphex (end, ==, time >= 20 && time < 40 ? 0x1080 : 0x1100);
  }
}

static void
test_p3_top_of_memory (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_kernel_map (maker, 0, G_MAXUINT64 - 10, 100, "[top]");
  maker_poke (maker, 1, G_MAXUINT64 - 2, "abcdef", "ABCDEF");
  maker_assert_kernel (maker, 2, G_MAXUINT64 - 3, "[top]", 0);
  maker_assert_kernel (maker, 2, G_MAXUINT64 - 1, "[top]", 1);
  maker_assert_kernel (maker, 2, 0, NULL, 0);
}

static void
test_order (void)
{
  g_autoptr (Maker) maker = maker_new ();
  PenMoment map = maker_kernel_map (maker, 10, 0x1000, 0x1000, "[a]");
  PenMoment poke = maker_poke (maker, 10, 0x1000, "a", "b");
  PenMoment later = { 10, poke.position + 1 };
  const PenTenure *tenure;
  const PenPoke *pokes;
  guint32 revision;
  guint n;

  /* Events come in any order; ids go by time. */
  maker_poke (maker, 5, 0x1000, "c", "d");
  maker_seal (maker);

  /* Order 3: a sample sees what is ordered before it, at the same time too. */
  tenure = pen_history_find (maker->history, PEN_SPACE_KERNEL, 0x1000, map, &revision);
  g_assert_cmpint (tenure->kind, ==, PEN_KIND_UNKNOWN);
  g_assert_cmpuint (revision, ==, 1);
  g_assert_nonnull (pen_history_find (maker->history, PEN_SPACE_KERNEL, 0x1000, poke, &revision));
  g_assert_cmpuint (revision, ==, 0);
  g_assert_nonnull (pen_history_find (maker->history, PEN_SPACE_KERNEL, 0x1000, later, &revision));
  g_assert_cmpuint (revision, ==, 1);

  pokes = pen_history_get_pokes (maker->history, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (pokes[0].id, ==, 1);
  g_assert_cmpuint (pokes[0].moment.time, ==, 5);
  g_assert_cmpuint (pokes[0].tenure, ==, tenure->id);
  g_assert_cmpuint (pokes[1].id, ==, 2);
}

static void
test_sweep_steps (void)
{
  g_autoptr (Maker) maker = maker_new ();
  g_autoptr (PenSweep) sweep = NULL;
  guint32 revision;

  maker_kernel_map (maker, 0, 0x1000, 0x1000, "[a]");
  for (guint i = 1; i <= 50; i++)
    maker_poke (maker, i, 0x1000 + i % 7, "xy", i % 2 ? "yx" : "zz");
  sweep = pen_sweep_new (maker_seal (maker));

  for (guint i = 1; i <= 50; i++) {
    for (guint64 address = 0x1000; address < 0x100a; address++) {
      guint32 expected;

      pen_sweep_advance (sweep, (PenMoment){ i, G_MAXUINT64 });
      pen_sweep_find_kernel (sweep, address, &revision);
      maker_find_kernel (maker, i, address, &expected);
      g_assert_cmpuint (revision, ==, expected);
    }
  }
}

static void
test_losses (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenLoss *losses;
  guint n;

  maker_kernel_map (maker, 0, 0x1000, 0x100, "[all]");
  maker_kernel_map (maker, 10, 0x2000, 0x100, "[late]");
  maker_register (maker, 25, 0x3000, 0x10, "bpf_prog_between");
  maker_unregister (maker, 29, 0x3000, 0x10, "bpf_prog_between");
  maker_register (maker, 19, 0x4000, 0x10, "bpf_prog_edge");
  maker_unregister (maker, 20, 0x4000, 0x10, "bpf_prog_edge");
  maker_map (maker, 22, 100, 0x1000, 0x100, 0, "/bin/a");
  maker_loss (maker, PEN_LOSS_RECORDS, 30, 40);
  maker_loss (maker, PEN_LOSS_SET_ASIDE, 20, 21);
  maker_loss (maker, PEN_LOSS_SAMPLES, 1, 100);
  maker_loss (maker, PEN_LOSS_THROTTLED, 2, 100);
  maker_loss (maker, PEN_LOSS_UNWANTED, 3, 100);
  maker_loss (maker, PEN_LOSS_RECORDS, 4, 5);
  maker_seal (maker);

  assert_moment (maker_find_kernel (maker, 11, 0x1000, NULL)->unverified_from,
                 ((PenMoment){ 4, 0 }));
  assert_moment (maker_find_kernel (maker, 11, 0x2000, NULL)->unverified_from,
                 ((PenMoment){ 20, 0 }));
  assert_moment (maker_find_kernel (maker, 26, 0x3000, NULL)->unverified_from, PEN_MOMENT_END);
  assert_moment (maker_find_kernel (maker, 19, 0x4000, NULL)->unverified_from,
                 ((PenMoment){ 20, 0 }));
  assert_moment (maker_find_process (maker, 23, 100, 0x1000)->unverified_from,
                 ((PenMoment){ 30, 0 }));

  losses = pen_history_get_losses (maker->history, &n);
  g_assert_cmpuint (n, ==, 6);
  for (guint i = 1; i < n; i++)
    g_assert_cmpuint (losses[i - 1].from, <=, losses[i].from);
}

/* A recorder that was killed: what came before the end is all there. */
static void
test_loss_after_all (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_kernel_map (maker, 10, 0x1000, 0x100, "[a]");
  maker_loss (maker, PEN_LOSS_TRUNCATED, 20, 20);
  assert_moment (maker_find_kernel (maker, 11, 0x1000, NULL)->unverified_from, PEN_MOMENT_END);
}

static void
test_loss_kinds (void)
{
  static const gboolean hides_changes[PEN_LOSSES] = {
    [PEN_LOSS_RECORDS] = TRUE,
    [PEN_LOSS_SET_ASIDE] = TRUE,
    [PEN_LOSS_TRUNCATED] = TRUE,
  };

  for (guint kind = 0; kind < PEN_LOSSES; kind++) {
    g_autoptr (Maker) maker = maker_new ();
    PenMoment expected = hides_changes[kind] ? (PenMoment){ 20, 0 } : PEN_MOMENT_END;

    maker_kernel_map (maker, 10, 0x1000, 0x100, "[a]");
    maker_loss (maker, (PenLossKind) kind, 20, 21);
    assert_moment (maker_find_kernel (maker, 11, 0x1000, NULL)->unverified_from, expected);
  }
}

static void
test_loss_that_outlasts_others (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_kernel_map (maker, 50, 0x1000, 0x100, "[a]");
  maker_loss (maker, PEN_LOSS_RECORDS, 5, 60);
  maker_loss (maker, PEN_LOSS_TRUNCATED, 10, 20);
  maker_loss (maker, PEN_LOSS_RECORDS, 55, 58);
  assert_moment (maker_find_kernel (maker, 51, 0x1000, NULL)->unverified_from,
                 ((PenMoment){ 5, 0 }));
}

static void
test_comm (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_comm (maker, 10, 100, "sh");
  maker_fork (maker, 20, 100, 200);
  maker_comm (maker, 30, 100, "bash");
  maker_exec (maker, 40, 200, "cat");
  maker_thread (maker, 50, 100, 101);
  maker_exit (maker, 60, 200, 200);
  maker_fork (maker, 70, 300, 400);
  maker_fork (maker, 80, 0, 500);
  maker_fork (maker, 90, 300, 200);

  g_assert_cmpstr (maker_find_comm (maker, 9, 100), ==, "");
  g_assert_cmpstr (maker_find_comm (maker, 10, 100), ==, "sh");
  g_assert_cmpstr (maker_find_comm (maker, 19, 200), ==, "");
  g_assert_cmpstr (maker_find_comm (maker, 35, 200), ==, "sh");
  g_assert_cmpstr (maker_find_comm (maker, 35, 100), ==, "bash");
  g_assert_cmpstr (maker_find_comm (maker, 45, 200), ==, "cat");
  g_assert_cmpstr (maker_find_comm (maker, 55, 101), ==, "bash");
  g_assert_cmpstr (maker_find_comm (maker, 65, 200), ==, "cat");
  g_assert_cmpstr (maker_find_comm (maker, 75, 400), ==, "");
  g_assert_cmpstr (maker_find_comm (maker, 85, 500), ==, "swapper");
  g_assert_cmpstr (maker_find_comm (maker, 95, 200), ==, "");
  g_assert_cmpstr (maker_find_comm (maker, 1, 0), ==, "swapper");
  g_assert_cmpstr (maker_find_comm (maker, 1, 12345), ==, "");
}

static void
test_comm_of_idle_and_poker (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenPoke *pokes;
  guint n;

  maker_comm (maker, 10, 1, "init");
  maker_poke (maker, 5, 0x1000, "a", "b");
  maker_poke (maker, 15, 0x1000, "b", "a");
  maker_comm (maker, 20, 0, "idle");

  g_assert_cmpstr (maker_find_comm (maker, 19, 0), ==, "swapper");
  g_assert_cmpstr (maker_find_comm (maker, 20, 0), ==, "idle");
  pokes = pen_history_get_pokes (maker->history, &n);
  g_assert_cmpstr (pokes[0].comm, ==, "");
  g_assert_cmpstr (pokes[1].comm, ==, "init");
}

static void
test_empty (void)
{
  g_autoptr (Maker) maker = maker_new ();
  guint n;

  maker_assert_kernel (maker, 1, 0x1000, NULL, 0);
  maker_assert_process (maker, 1, 100, 0x1000, NULL);
  g_assert_cmpstr (maker_find_comm (maker, 1, 1), ==, "");
  pen_history_get_tenures (maker->history, &n);
  g_assert_cmpuint (n, ==, 0);
  pen_history_get_spaces (maker->history, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_null (pen_history_find (maker->history, 77, 0, PEN_MOMENT_END, NULL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/patches/P1/range", test_p1_range);
  g_test_add_func ("/patches/P2/effects", test_p2_effects);
  g_test_add_func ("/patches/P3/new-tenure", test_p3_new_tenure);
  g_test_add_func ("/patches/P3/straddle", test_p3_straddle);
  g_test_add_func ("/patches/P3/top-of-memory", test_p3_top_of_memory);
  g_test_add_func ("/patches/P6/joined", test_p6_joined);
  g_test_add_func ("/patches/P6/between-holders", test_p6_between_holders);
  g_test_add_func ("/patches/P6/unregister-tells-later", test_p6_unregister_tells_later);
  g_test_add_func ("/patches/P6/stored", test_p6_stored);
  g_test_add_func ("/patches/order", test_order);
  g_test_add_func ("/patches/sweep-steps", test_sweep_steps);
  g_test_add_func ("/losses/unverified", test_losses);
  g_test_add_func ("/losses/kinds", test_loss_kinds);
  g_test_add_func ("/losses/after-all", test_loss_after_all);
  g_test_add_func ("/losses/one-outlasts-others", test_loss_that_outlasts_others);
  g_test_add_func ("/comm/over-time", test_comm);
  g_test_add_func ("/comm/idle-and-poker", test_comm_of_idle_and_poker);
  g_test_add_func ("/history/empty", test_empty);
  return g_test_run ();
}
