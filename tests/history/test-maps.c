/* test-maps.c: kernel maps and process spaces, rule by rule (M1, M2, M4, U1–U5)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "maker.h"
#include "pen-history-private.h"
#include "pen-map-name.h"

static void
test_m1_cut (void)
{
  g_autoptr (Maker) maker = maker_new ();
  PenMoment first = maker_kernel_map (maker, 10, 0x1000, 0x9000, "/lib/modules/a.ko");
  PenMoment second = maker_kernel_map (maker, 20, 0x4000, 0x2000, "/lib/modules/b.ko");
  const PenPart *parts;
  const PenTenure *a;
  guint n;

  maker_assert_kernel (maker, 9, 0x1000, NULL, 0);
  maker_assert_kernel (maker, 15, 0x4000, "[a]", 0);
  maker_assert_kernel (maker, 25, 0x3fff, "[a]", 0);
  maker_assert_kernel (maker, 25, 0x4000, "[b]", 0);
  maker_assert_kernel (maker, 25, 0x5fff, "[b]", 0);
  maker_assert_kernel (maker, 25, 0x6000, "[a]", 0);
  maker_assert_kernel (maker, 25, 0x9fff, "[a]", 0);
  maker_assert_kernel (maker, 25, 0xa000, NULL, 0);

  a = maker_find_kernel (maker, 25, 0x1000, NULL);
  g_assert_true (maker_find_kernel (maker, 25, 0x6000, NULL) == a);
  g_assert_true (maker_find_kernel (maker, 15, 0x5000, NULL) == a);
  g_assert_cmpuint (a->start, ==, 0x1000);
  g_assert_cmpuint (a->end, ==, 0xa000);
  g_assert_cmpint (a->to_bound, ==, PEN_BOUND_OPEN);

  parts = pen_history_get_parts (maker->history, &n);
  g_assert_cmpuint (n, ==, 4);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (parts[i].tenure, ==, a->id);
  assert_moment (parts[0].from, first);
  assert_moment (parts[0].to, second);
  g_assert_cmpuint (parts[1].start, ==, 0x1000);
  g_assert_cmpuint (parts[1].end, ==, 0x4000);
  g_assert_cmpuint (parts[1].file_offset, ==, 0x1000);
  g_assert_cmpuint (parts[2].start, ==, 0x6000);
  g_assert_cmpuint (parts[2].end, ==, 0xa000);
  g_assert_cmpuint (parts[2].file_offset, ==, 0x6000);
  assert_moment (parts[2].to, PEN_MOMENT_END);
}

static void
test_m1_revision_goes_on (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_kernel_map (maker, 0, 0x1000, 0x1000, "[a]");
  maker_poke (maker, 5, 0x1800, "ab", "cd");
  maker_kernel_map (maker, 10, 0x1000, 0x100, "[b]");
  maker_poke (maker, 15, 0x1800, "cd", "ef");

  maker_assert_kernel (maker, 4, 0x1800, "[a]", 0);
  maker_assert_kernel (maker, 6, 0x1800, "[a]", 1);
  maker_assert_kernel (maker, 12, 0x1800, "[a]", 1);
  maker_assert_kernel (maker, 16, 0x1801, "[a]", 2);
  maker_assert_kernel (maker, 16, 0x1802, "[a]", 0);
}

static void
test_m1_covered (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenTenure *a;
  PenMoment last;

  maker_kernel_map (maker, 10, 0x1000, 0x200, "[a]");
  maker_kernel_map (maker, 20, 0x1000, 0x100, "[b]");
  last = maker_kernel_map (maker, 30, 0x1100, 0x100, "[c]");
  a = maker_find_kernel (maker, 15, 0x1100, NULL);

  /* M2: what was replaced is a tenure with an end. */
  assert_moment (a->to, last);
  g_assert_cmpint (a->to_bound, ==, PEN_BOUND_RECORDED);
  maker_assert_kernel (maker, 31, 0x1100, "[c]", 0);
  maker_assert_kernel (maker, 31, 0x1000, "[b]", 0);
}

static void
test_m1_limits (void)
{
  g_autoptr (Maker) maker = maker_new ();
  guint n;

  maker_kernel_map (maker, 10, 0x1000, 0, "[nothing]");
  maker_kernel_map (maker, 10, G_MAXUINT64 - 0xff, G_MAXUINT64, "[top]");
  maker_kernel_map (maker, 20, G_MAXUINT64, 5, "[beyond]");

  maker_assert_kernel (maker, 30, 0x1000, NULL, 0);
  maker_assert_kernel (maker, 30, G_MAXUINT64 - 1, "[top]", 0);
  maker_assert_kernel (maker, 30, G_MAXUINT64, NULL, 0);
  pen_history_get_tenures (maker->history, &n);
  g_assert_cmpuint (n, ==, 1);
}

static void
test_m3_evidence (void)
{
  g_autoptr (Maker) maker = maker_new ();
  guint8 build_id[] = { 1, 2, 3, 4 };
  PenMapEvent snapshot = {
    .is_kernel = TRUE,
    .pid = -1,
    .start = 0x1000,
    .length = 0x1000,
    .name = "[snap]",
    .build_id = build_id,
    .build_id_length = sizeof build_id,
    .evidence = PEN_EVIDENCE_FILE_UNCHECKED,
  };
  const PenTenure *tenure;

  snapshot.origin.moment = PEN_MOMENT_START;
  pen_history_add_map (maker->history, &snapshot);
  maker_kernel_map (maker, 0, 0x4000, 0x1000, "[initial]");
  maker_kernel_map (maker, 10, 0x8000, 0x1000, "[timed]");

  tenure = maker_find_kernel (maker, 0, 0x1000, NULL);
  g_assert_cmpint (tenure->evidence, ==, PEN_EVIDENCE_FILE_UNCHECKED);
  g_assert_cmpint (tenure->from_bound, ==, PEN_BOUND_INITIAL);
  g_assert_cmpmem (tenure->build_id, tenure->build_id_length, build_id, sizeof build_id);
  tenure = maker_find_kernel (maker, 0, 0x4000, NULL);
  g_assert_cmpint (tenure->from_bound, ==, PEN_BOUND_INITIAL);
  tenure = maker_find_kernel (maker, 10, 0x8000, NULL);
  g_assert_cmpint (tenure->from_bound, ==, PEN_BOUND_RECORDED);
  g_assert_cmpint (tenure->evidence, ==, PEN_EVIDENCE_RECORDED);
}

static void
test_m4_names (void)
{
  static const struct {
    const char *name;
    const char *occupant;
    PenKind kind;
  } names[] = {
    { "[kernel.kallsyms]_text", "[kernel.kallsyms]", PEN_KIND_KERNEL },
    { "[kernel.kallsyms]_stext", "[kernel.kallsyms]", PEN_KIND_KERNEL },
    { "[kernel.kallsyms]", "[kernel.kallsyms]", PEN_KIND_KERNEL },
    { "/lib/modules/6.1/kernel/lib/libcrc32c.ko", "[libcrc32c]", PEN_KIND_MODULE },
    { "/lib/modules/7.2/kernel/drivers/virtio-blk.ko.xz", "[virtio_blk]", PEN_KIND_MODULE },
    { "/m/a-b-c.ko.zst", "[a_b_c]", PEN_KIND_MODULE },
    { "/m/a.ko.gz", "[a]", PEN_KIND_MODULE },
    { "/m/a.ko.bz2", "[a]", PEN_KIND_MODULE },
    { "/m/a.ko.lzma", "[a]", PEN_KIND_MODULE },
    { "virtio.ko", "[virtio]", PEN_KIND_MODULE },
    { "plain", "[plain]", PEN_KIND_MODULE },
    { "[snd-hda]", "[snd_hda]", PEN_KIND_MODULE },
    { "[virtio_pci]", "[virtio_pci]", PEN_KIND_MODULE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *occupant = pen_map_name_get_kernel_occupant (names[i].name);

    g_assert_cmpstr (occupant, ==, names[i].occupant);
    g_assert_cmpint (pen_map_name_get_kernel_kind (names[i].name), ==, names[i].kind);
  }
}

static void
test_guest_kernel (void)
{
  g_autoptr (Maker) maker = maker_new ();
  guint n;

  maker_kernel_map (maker, 0, 0x1000, 0x1000, "[guest.kernel.kallsyms]_text");
  maker_map (maker, 0, 0, 0x1000, 0x1000, 0, "[guest.kernel.kallsyms.7]_text");
  maker_assert_kernel (maker, 1, 0x1000, NULL, 0);
  pen_history_get_spaces (maker->history, &n);
  g_assert_cmpuint (n, ==, 1);
}

static void
test_process_kinds (void)
{
  static const struct {
    const char *name;
    PenKind kind;
  } names[] = {
    { "/usr/lib/libc.so.6", PEN_KIND_DSO },
    { "[vdso]", PEN_KIND_VDSO },
    { "[vdso32]", PEN_KIND_VDSO },
    { "[vsyscall]", PEN_KIND_VDSO },
    { "[uprobes]", PEN_KIND_VDSO },
    { "//anon", PEN_KIND_ANON },
    { "[heap]", PEN_KIND_ANON },
    { "[stack]", PEN_KIND_ANON },
    { "[stack:123]", PEN_KIND_ANON },
    { "/dev/zero (deleted)", PEN_KIND_ANON },
    { "/anon_hugepage (deleted)", PEN_KIND_ANON },
    { "/SYSV00000000", PEN_KIND_ANON },
    { "/memfd:jit (deleted)", PEN_KIND_ANON },
    { "[anon:jit]", PEN_KIND_ANON },
    { "/tmp/memfd:x", PEN_KIND_DSO },
    { "/dev/zebra", PEN_KIND_DSO },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpint (pen_map_name_get_process_kind (names[i].name), ==, names[i].kind);
}

static void
test_u1_fork (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenTenure *parent;
  const PenTenure *child;
  PenMoment fork;

  maker_map (maker, 0, 100, 0x1000, 0x3000, 0x7000, "/bin/a");
  maker_map (maker, 5, 100, 0x2000, 0x1000, 0, "/bin/b");
  fork = maker_fork (maker, 10, 100, 200);
  maker_map (maker, 20, 200, 0x1000, 0x1000, 0, "/bin/c");
  maker_map (maker, 30, 100, 0x3000, 0x1000, 0, "/bin/d");

  maker_assert_process (maker, 9, 200, 0x1000, NULL);
  maker_assert_process (maker, 11, 200, 0x1000, "/bin/a");
  maker_assert_process (maker, 11, 200, 0x2000, "/bin/b");
  maker_assert_process (maker, 21, 200, 0x1000, "/bin/c");
  maker_assert_process (maker, 21, 100, 0x1000, "/bin/a");
  maker_assert_process (maker, 31, 200, 0x3000, "/bin/a");
  maker_assert_process (maker, 31, 100, 0x3000, "/bin/d");

  parent = maker_find_process (maker, 11, 100, 0x1000);
  child = maker_find_process (maker, 11, 200, 0x1000);
  g_assert_true (child != parent);
  g_assert_true (maker_find_process (maker, 11, 200, 0x3000) == child);
  g_assert_cmpuint (child->start, ==, parent->start);
  g_assert_cmpuint (child->file_offset, ==, 0x7000);
  assert_moment (child->from, fork);
  g_assert_cmpint (child->from_bound, ==, PEN_BOUND_RECORDED);
  g_assert_cmpint (parent->from_bound, ==, PEN_BOUND_INITIAL);
}

static void
test_u1_synthesized (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_map (maker, 1, 100, 0x1000, 0x1000, 0, "/bin/a");
  pen_history_add_fork (maker->history, pen_moment (2, 50), 200, 100, 200, 100, TRUE);
  maker_assert_process (maker, 3, 200, 0x1000, NULL);
  g_assert_nonnull (maker_find_space (maker->history, 200, pen_moment (3, 0)));
}

static void
test_u1_thread (void)
{
  g_autoptr (Maker) maker = maker_new ();
  guint n;

  maker_map (maker, 1, 100, 0x1000, 0x1000, 0, "/bin/a");
  maker_thread (maker, 2, 100, 101);
  maker_map (maker, 3, 100, 0x2000, 0x1000, 0, "/bin/b");
  maker_assert_process (maker, 4, 100, 0x1000, "/bin/a");
  maker_assert_process (maker, 4, 100, 0x2000, "/bin/b");
  pen_history_get_spaces (maker->history, &n);
  g_assert_cmpuint (n, ==, 2);
}

static void
test_u1_recycled (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_map (maker, 1, 100, 0x1000, 0x1000, 0, "/bin/a");
  maker_map (maker, 2, 200, 0x5000, 0x1000, 0, "/bin/old");
  maker_fork (maker, 3, 100, 200);
  maker_assert_process (maker, 2, 200, 0x5000, "/bin/old");
  maker_assert_process (maker, 4, 200, 0x5000, NULL);
  maker_assert_process (maker, 4, 200, 0x1000, "/bin/a");
}

static void
test_u1_copies_are_bounded (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenLoss *losses;
  const PenTenure *tenures;
  guint n;

  maker->history->max_copies = 5;
  for (guint i = 0; i < 3; i++)
    maker_map (maker, 1, 100, 0x1000 * (i + 1), 0x1000, 0, "/bin/a");
  maker_fork (maker, 10, 100, 200);
  maker_fork (maker, 20, 100, 300);
  maker_fork (maker, 30, 200, 400);

  maker_assert_process (maker, 40, 200, 0x1000, "/bin/a");
  maker_assert_process (maker, 40, 300, 0x1000, NULL);
  tenures = pen_history_get_tenures (maker->history, &n);
  g_assert_nonnull (tenures);
  g_assert_cmpuint (n, ==, 6);
  losses = pen_history_get_losses (maker->history, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (losses[0].kind, ==, PEN_LOSS_SET_ASIDE);
  g_assert_cmpuint (losses[0].from, ==, 20);
  g_assert_cmpuint (losses[0].to, ==, 30);
  g_assert_cmpuint (losses[0].count, ==, 2);
}

static void
test_u2_exec (void)
{
  g_autoptr (Maker) maker = maker_new ();
  PenMoment exec;
  const PenSpace *spaces;
  guint n;

  maker_map (maker, 1, 100, 0x1000, 0x1000, 0, "/bin/a");
  maker_comm (maker, 2, 100, "renamed");
  exec = maker_exec (maker, 3, 100, "b");
  maker_map (maker, 4, 100, 0x2000, 0x1000, 0, "/bin/b");

  maker_assert_process (maker, 2, 100, 0x1000, "/bin/a");
  maker_assert_process (maker, 3, 100, 0x1000, NULL);
  maker_assert_process (maker, 4, 100, 0x2000, "/bin/b");
  assert_moment (maker_find_process (maker, 2, 100, 0x1000)->to, exec);
  spaces = pen_history_get_spaces (maker->history, &n);
  g_assert_cmpuint (n, ==, 3);
  assert_moment (spaces[1].to, exec);
  assert_moment (spaces[2].from, exec);
}

static void
test_u2_exec_leaves_one_thread (void)
{
  g_autoptr (Maker) maker = maker_new ();

  maker_map (maker, 1, 100, 0x1000, 0x1000, 0, "/bin/a");
  maker_thread (maker, 2, 100, 101);
  maker_exec (maker, 3, 100, "b");
  maker_map (maker, 4, 100, 0x2000, 0x1000, 0, "/bin/b");
  maker_exit (maker, 5, 100, 100);
  maker_assert_process (maker, 6, 100, 0x2000, NULL);
}

static void
test_u3_exit (void)
{
  g_autoptr (Maker) maker = maker_new ();
  PenMoment last;

  maker_map (maker, 1, 100, 0x1000, 0x1000, 0, "/bin/a");
  maker_thread (maker, 2, 100, 101);
  maker_exit (maker, 3, 100, 100);
  maker_exit (maker, 4, 100, 999);
  last = maker_exit (maker, 5, 100, 101);
  maker_map (maker, 6, 100, 0x2000, 0x1000, 0, "/bin/b");
  maker_exit (maker, 7, 300, 300);

  maker_assert_process (maker, 4, 100, 0x1000, "/bin/a");
  maker_assert_process (maker, 5, 100, 0x1000, NULL);
  maker_assert_process (maker, 6, 100, 0x1000, NULL);
  maker_assert_process (maker, 6, 100, 0x2000, "/bin/b");
  assert_moment (maker_find_process (maker, 4, 100, 0x1000)->to, last);
  g_assert_null (maker_find_space (maker->history, 300, PEN_MOMENT_END));
}

static void
test_u4_data (void)
{
  g_autoptr (Maker) maker = maker_new ();
  PenMapEvent data = {
    .is_data = TRUE,
    .pid = 100,
    .tid = 100,
    .start = 0x1000,
    .length = 0x1000,
    .name = "/bin/data",
    .evidence = PEN_EVIDENCE_RECORDED,
  };

  maker_map (maker, 1, 100, 0x1000, 0x1000, 0, "/bin/a");
  data.origin.moment = pen_moment (2, 50);
  pen_history_add_map (maker->history, &data);
  maker_assert_process (maker, 3, 100, 0x1000, "/bin/a");
}

static void
test_u4_cut (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenPart *parts;
  guint n;

  maker_map (maker, 1, 100, 0x1000, 0x4000, 0x500, "/bin/a");
  maker_map (maker, 2, 100, 0x2000, 0x1000, 0, "//anon");
  maker_assert_process (maker, 3, 100, 0x1fff, "/bin/a");
  maker_assert_process (maker, 3, 100, 0x2000, "//anon");
  maker_assert_process (maker, 3, 100, 0x3000, "/bin/a");
  parts = pen_history_get_parts (maker->history, &n);
  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpuint (parts[2].start, ==, 0x3000);
  g_assert_cmpuint (parts[2].file_offset, ==, 0x2500);
}

static void
test_u5_initial_state (void)
{
  g_autoptr (Maker) maker = maker_new ();
  const PenSpace *space;

  /* Order 1: no time means before all that have one, wherever it stands in the stream. */
  maker_map (maker, 50, 100, 0x1000, 0x1000, 0, "/bin/late");
  maker_map (maker, 0, 100, 0x1000, 0x2000, 0, "/bin/early");
  maker_map (maker, G_MAXUINT64, 100, 0x2000, 0x1000, 0, "/bin/~0");

  maker_assert_process (maker, 40, 100, 0x1000, "/bin/early");
  maker_assert_process (maker, 40, 100, 0x2000, "/bin/~0");
  maker_assert_process (maker, 51, 100, 0x1000, "/bin/late");
  space = maker_find_space (maker->history, 100, pen_moment (40, 0));
  assert_moment (space->from, PEN_MOMENT_START);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/maps/M1/cut", test_m1_cut);
  g_test_add_func ("/maps/M1/revision-goes-on", test_m1_revision_goes_on);
  g_test_add_func ("/maps/M1/covered", test_m1_covered);
  g_test_add_func ("/maps/M1/limits", test_m1_limits);
  g_test_add_func ("/maps/M3/evidence", test_m3_evidence);
  g_test_add_func ("/maps/M4/names", test_m4_names);
  g_test_add_func ("/maps/guest-kernel", test_guest_kernel);
  g_test_add_func ("/maps/process-kinds", test_process_kinds);
  g_test_add_func ("/spaces/U1/fork", test_u1_fork);
  g_test_add_func ("/spaces/U1/synthesized", test_u1_synthesized);
  g_test_add_func ("/spaces/U1/thread", test_u1_thread);
  g_test_add_func ("/spaces/U1/recycled", test_u1_recycled);
  g_test_add_func ("/spaces/U1/copies-are-bounded", test_u1_copies_are_bounded);
  g_test_add_func ("/spaces/U2/exec", test_u2_exec);
  g_test_add_func ("/spaces/U2/exec-leaves-one-thread", test_u2_exec_leaves_one_thread);
  g_test_add_func ("/spaces/U3/exit", test_u3_exit);
  g_test_add_func ("/spaces/U4/data", test_u4_data);
  g_test_add_func ("/spaces/U4/cut", test_u4_cut);
  g_test_add_func ("/spaces/U5/initial-state", test_u5_initial_state);
  return g_test_run ();
}
