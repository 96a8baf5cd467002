/* test-causes.c: why text was patched: bytes and places as in real captures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-poke-phrases.h"
#include "cause-fixture.h"

static PenCause
judge (TextPokes *pokes, char **reason)
{
  PenCauseVerdict verdict = cause_fixture_find_verdict (pokes, &cause_fixture_sources);
  PenCause cause = verdict.rule->cause;

  g_assert_cmpint (cause == PEN_CAUSE_UNKNOWN, ==, verdict.confidence == PEN_CONFIDENCE_NONE);
  if (reason) {
    guint n;
    const PenPoke *all = text_pokes_get (pokes, &n);
    PenPoke poke = all[n - 1];

    pen_cause_verdict_fill (&verdict, &poke);
    *reason = pen_poke_describe (&poke);
  }
  pen_cause_verdict_clear (&verdict);
  return cause;
}

static void
assert_cause (guint64 address, const char *old_hex, const char *new_hex, PenCause expected,
              const char *expected_reason)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  g_autofree char *reason = NULL;

  text_pokes_add (pokes, 1, address, old_hex, new_hex);
  g_assert_cmpint (judge (pokes, &reason), ==, expected);
  if (expected_reason)
    g_assert_cmpstr (reason, ==, expected_reason);
}

/* Both ways: done and undone have one cause. */
static void
assert_pair (guint64 address, const char *a, const char *b, PenCause expected)
{
  assert_cause (address, a, b, expected, NULL);
  assert_cause (address, b, a, expected, NULL);
}

static void
assert_branch (guint64 address, const char *other, const char *opcode, guint64 target,
               PenCause expected)
{
  g_autofree char *hex = cause_fixture_branch (opcode, address, target);

  assert_pair (address, other, hex, expected);
}

static void
test_static_key (void)
{
  assert_cause (0xffffffff810d3bc4, NOP5, "e91f010000", PEN_CAUSE_STATIC_KEY,
                "A 5-byte nop at try_to_wake_up+0x284 became a jump to try_to_wake_up+0x3a8.");
  assert_cause (0xffffffff810d1aee, "eb44", "6690", PEN_CAUSE_STATIC_KEY,
                "A jump to ttwu_do_wakeup+0x64 at ttwu_do_wakeup+0x1e became a 2-byte nop.");
  assert_pair (0xffffffff810d3bc4, NOP5, "e91f010000", PEN_CAUSE_STATIC_KEY);
  /* At the entry of a function that is not traced, too. */
  assert_pair (0xffffffff810d3940, NOP5, "e91f010000", PEN_CAUSE_STATIC_KEY);
  /* Into the part of the function that the compiler moved away, and back. */
  assert_branch (0xffffffff81a00010, NOP5, "e9", 0xffffffff81b00020, PEN_CAUSE_STATIC_KEY);
  assert_branch (0xffffffff81b00020, NOP5, "e9", 0xffffffff81a00010, PEN_CAUSE_STATIC_KEY);
  /* From one symbol of hand-written code into another. */
  assert_branch (0xffffffff81b00110, NOP5, "e9", 0xffffffff81b00210, PEN_CAUSE_STATIC_KEY);
  assert_branch (0xffffffffa0000010, NOP5, "e9", 0xffffffffa0000110, PEN_CAUSE_STATIC_KEY);
  /* No names, or a module that left no record: a jump of two bytes stays in its function. */
  assert_branch (0xffffffff81c00010, NOP5, "e9", 0xffffffff81c00110, PEN_CAUSE_STATIC_KEY);
  assert_pair (0xffffffffc0700000, "6690", "eb44", PEN_CAUSE_STATIC_KEY);
}

static void
test_static_call (void)
{
  const guint64 call = 0xffffffff810d1b61;
  const guint64 trampoline = 0xffffffff81e00468;
  g_autofree char *at_entry = NULL;

  assert_cause (call, "e8ea83ffff", "e8aac40e00", PEN_CAUSE_STATIC_CALL,
                "A call to __traceiter_sched_wakeup at ttwu_do_wakeup+0x91 became a call to "
                "probe_sched_wakeup+0x50.");
  assert_cause (trampoline, "e9e39a2cff", "e9a3db3bff", PEN_CAUSE_STATIC_CALL, NULL);
  assert_pair (call, "e8ea83ffff", NOP5, PEN_CAUSE_STATIC_CALL);
  assert_pair (call, "e8ea83ffff", "2e2e2e31c0", PEN_CAUSE_STATIC_CALL);
  assert_pair (call, "e8ea83ffff", "66664831c0", PEN_CAUSE_STATIC_CALL);
  assert_pair (call, NOP5, "2e2e2e31c0", PEN_CAUSE_STATIC_CALL);
  /* Tail calls, with a return or a conditional jump. */
  assert_pair (call, "e9ea83ffff", "e9aac40e00", PEN_CAUSE_STATIC_CALL);
  assert_pair (call, "e9ea83ffff", "c3cccccccc", PEN_CAUSE_STATIC_CALL);
  assert_pair (call, "0f84ea83ffff", "0f84aac40e00", PEN_CAUSE_STATIC_CALL);
  assert_pair (trampoline, "e9e39a2cff", "c3cccccccc", PEN_CAUSE_STATIC_CALL);
  /* A function that is not traced and begins with one. */
  at_entry = cause_fixture_branch ("e8", 0xffffffff810d1ad0, 0xffffffff810c9f50);
  assert_branch (0xffffffff810d1ad0, at_entry, "e8", 0xffffffff811bdfc0, PEN_CAUSE_STATIC_CALL);
  assert_pair (0xffffffff810d1ad0, at_entry, NOP5, PEN_CAUSE_STATIC_CALL);
}

static void
test_ftrace (void)
{
  const guint64 entry = 0xffffffff8134cc50;

  assert_cause (entry, NOP5, "e8abc3ec3e", PEN_CAUSE_FTRACE,
                "A 5-byte nop at the entry of vfs_read became a call to ftrace_trampoline. The "
                "trampoline calls function_trace_call (function tracer).");
  assert_pair (entry, NOP5, "e8abc3ec3e", PEN_CAUSE_FTRACE);
  assert_pair (entry, "e8ebead1ff", "e8abc3ec3e", PEN_CAUSE_FTRACE);
  assert_branch (0xffffffff81798034, NOP5, "e8", 0xffffffffc0219000, PEN_CAUSE_FTRACE);
  /* The calls in ftrace's own code. */
  assert_cause (0xffffffff8106b7be, "e84dffffff", "e87d3d1300", PEN_CAUSE_FTRACE,
                "A call to ftrace_stub at ftrace_call became a call to ftrace_ops_list_func.");
  assert_pair (0xffffffff8106b8d3, "e838feffff", "e8683c1300", PEN_CAUSE_FTRACE);
  /* In a trampoline: written, patched, written again, given up. */
  assert_cause (0xffffffffc0219000, "", "4881eca8000000", PEN_CAUSE_FTRACE,
                "7 bytes were written at ftrace_trampoline, where no text had been. The "
                "trampoline calls function_trace_call (function tracer).");
  assert_cause (0xffffffffc021907e, "e88d5cfac0", "e88d5cfac0", PEN_CAUSE_FTRACE, NULL);
  assert_cause (0xffffffffc0219000, "4881eca8000000", "", PEN_CAUSE_FTRACE,
                "7 bytes at ftrace_trampoline were given up. The trampoline calls "
                "function_trace_call (function tracer).");
  /* A module that left no record. */
  assert_pair (0xffffffffc024c000, NOP5, "e8fbcffcff", PEN_CAUSE_FTRACE);
  /* A trampoline whose record was lost. */
  assert_branch (entry, NOP5, "e8", 0xffffffffc0600000, PEN_CAUSE_FTRACE);
}

static void
test_kprobe (void)
{
  assert_cause (0xffffffff8134cc6c, "48", "cc", PEN_CAUSE_KPROBE,
                "The byte 48 at vfs_read+0x1c became a breakpoint.");
  assert_cause (0xffffffff8134cc6c, "cc", "48", PEN_CAUSE_KPROBE,
                "A breakpoint at vfs_read+0x1c became the byte 48.");
  assert_pair (0xffffffffc021d000, "", "4889442460cc", PEN_CAUSE_KPROBE);
  assert_pair (0xffffffffc021d01e, "", "55cc", PEN_CAUSE_KPROBE);
  assert_pair (0xffffffffc0700000, "55", "cc", PEN_CAUSE_KPROBE);
}

static void
test_optprobe (void)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();

  assert_cause (0xffffffff8134cc6c, "cc89442460", "e903e5ec3e", PEN_CAUSE_OPTPROBE,
                "A breakpoint at vfs_read+0x1c became a jump to kprobe_optinsn_page+0x174.");
  assert_pair (0xffffffff8134cc6c, "cc89442460", "e903e5ec3e", PEN_CAUSE_OPTPROBE);
  assert_pair (0xffffffff8134cc6c, "4889442460", "e903e5ec3e", PEN_CAUSE_OPTPROBE);
  assert_pair (0xffffffffc021b174, "", "6a18549c0f01ca", PEN_CAUSE_OPTPROBE);
  /* A detour whose record was lost is known by the breakpoint. */
  assert_pair (0xffffffff8134cc6c, "cc89442460", "e900000045", PEN_CAUSE_OPTPROBE);
  text_pokes_add (pokes, 1, 0xffffffff8134cc6c, "48", "cc");
  text_pokes_add (pokes, 1, 0xffffffff8134cc70, "48", "55");
  text_pokes_add (pokes, 1, 0xffffffff8134cc6c, "e900000045", "4889442460");
  g_assert_cmpint (judge (pokes, NULL), ==, PEN_CAUSE_OPTPROBE);
}

static void
test_bpf (void)
{
  /* A trampoline's own text, a program's. */
  assert_pair (0xffffffffc023204a, NOP5, "e940000000", PEN_CAUSE_BPF);
  assert_pair (0xffffffffc0404010, NOP5, "e940000000", PEN_CAUSE_BPF);
  /* An entry that leads to a trampoline, as a call or as a jump. */
  assert_branch (0xffffffff8134cc50, NOP5, "e8", 0xffffffffc0232000, PEN_CAUSE_BPF);
  assert_branch (0xffffffff81798034, NOP5, "e9", 0xffffffffc0232000, PEN_CAUSE_BPF);
  assert_branch (0xffffffff81798034, NOP5, "e8", 0xffffffffc0404000, PEN_CAUSE_BPF);
  /* Dispatchers. */
  assert_branch (0xffffffff81e014e0, "e93b979cff", "e9", 0xffffffffc0020c00, PEN_CAUSE_BPF);
  assert_branch (0xffffffff817d34a5, "e97677ffff", "e9", 0xffffffffc0020c00, PEN_CAUSE_BPF);
}

static void
test_livepatch (void)
{
  const guint64 entry = 0xffffffff8134cc50;
  const guint64 trampoline = 0xffffffffc0229000;
  g_autofree char *to_patch = cause_fixture_branch ("e8", entry, trampoline);
  g_autofree char *text = NULL;

  assert_branch (entry, NOP5, "e8", trampoline, PEN_CAUSE_LIVEPATCH);
  assert_pair (trampoline, "", "4881eca8000000", PEN_CAUSE_LIVEPATCH);
  /* A tracer came or went. */
  assert_branch (entry, to_patch, "e8", 0xffffffff8106b740, PEN_CAUSE_FTRACE);
  /* BPF attaches where a patch was. */
  assert_branch (entry, to_patch, "e8", 0xffffffffc0232000, PEN_CAUSE_BPF);
  text = cause_fixture_branch ("e8", 0xffffffff81798034, trampoline);
  assert_cause (0xffffffff81798034, NOP5, text, PEN_CAUSE_LIVEPATCH,
                "A 5-byte nop at vfs_read+0x4 became a call to klp_ftrace_trampoline. The "
                "trampoline calls klp_ftrace_handler (live patch).");
}

/* Where a tracer and a BPF program share an entry, the one or the other may have come or gone. */
static void
test_shared_entry (void)
{
  g_autofree char *to_bpf = cause_fixture_branch ("e8", 0xffffffff8134cc50, 0xffffffffc0232000);

  assert_pair (0xffffffff8134cc50, "e8abc3ec3e", to_bpf, PEN_CAUSE_BPF);
}

static void
test_unknown (void)
{
  assert_cause (0xffffffff8134cc6c, "4889442460", "4889442458", PEN_CAUSE_UNKNOWN,
                "5 bytes of other text at vfs_read+0x1c became 5 bytes of other text.");
  /* Nothing known of the place, and too far for a static key. */
  assert_pair (0xffffffffc0700000, NOP5, "e900000100", PEN_CAUSE_UNKNOWN);
  assert_pair (0xffffffffc0700000, "e8fbcf0000", "e8fbcf0010", PEN_CAUSE_UNKNOWN);
  assert_pair (0xffffffffc0500000, "", "4889442460cc", PEN_CAUSE_UNKNOWN);
  assert_cause (0xffffffff8134cc50, NOP5, NOP5, PEN_CAUSE_UNKNOWN,
                "A 5-byte nop at the entry of vfs_read was written again, unchanged.");
  assert_cause (0xffffffffc0700000, "0f0b", "0f05", PEN_CAUSE_UNKNOWN,
                "2 bytes of other text at 0xffffffffc0700000 became 2 bytes of other text.");
  /* Bytes that are no instruction, and lengths that do not fit. */
  assert_pair (0xffffffff8134cc6c, "eaeaeaeaea", "ffffffffff", PEN_CAUSE_UNKNOWN);
  assert_pair (0xffffffff8134cc6c, "e8", "0f1f44", PEN_CAUSE_UNKNOWN);
}

/* A site that was made to be likely has a jump while its key is off. */
static void
test_switch (void)
{
  static const struct {
    const char *old_hex;
    const char *new_hex;
    gboolean jumps_when_off;
    PenSwitch expected;
  } cases[] = {
    { NOP5, "e91f010000", FALSE, PEN_SWITCH_ON }, { "e91f010000", NOP5, FALSE, PEN_SWITCH_OFF },
    { NOP5, "e91f010000", TRUE, PEN_SWITCH_OFF }, { "e91f010000", NOP5, TRUE, PEN_SWITCH_ON },
    { NOP5, NOP5, FALSE, PEN_SWITCH_UNKNOWN },    { NOP5, "cc1f010000", FALSE, PEN_SWITCH_UNKNOWN },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (TextPokes) pokes = text_pokes_new ();
    PenSiteName name = { PEN_CAUSE_STATIC_KEY, "__tracepoint_x+0x8", cases[i].jumps_when_off };
    PenCauseSources sources = { cause_fixture_sources.find_place, cause_fixture_find_name, &name };
    PenCauseVerdict verdict;

    text_pokes_add (pokes, 1, 0xffffffff81c00010, cases[i].old_hex, cases[i].new_hex);
    verdict = cause_fixture_find_verdict (pokes, &sources);
    g_assert_cmpint (verdict.switched, ==, cases[i].expected);
    if (cases[i].expected != PEN_SWITCH_UNKNOWN)
      g_assert_cmpstr (verdict.key, ==, "__tracepoint_x");
    pen_cause_verdict_clear (&verdict);
  }
}

static void
test_key (void)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  PenCauseVerdict verdict;

  text_pokes_add (pokes, 1, 0xffffffff81e00468, "e9e39a2cff", "e9a3db3bff");
  verdict = cause_fixture_find_verdict (pokes, &cause_fixture_sources);
  g_assert_cmpstr (verdict.key, ==, "tp_func_sched_wakeup");
  pen_cause_verdict_clear (&verdict);
}

/* No rule that nothing here reaches; names and sentences are fit to be shown. */
static void
test_machines (void)
{
  static const char *const with[] = { "x86_64", "x86", "i686", "i386", "", NULL };
  static const char *const without[]
      = { "aarch64", "arm64", "riscv64", "s390x", "ppc64le", "ia64" };

  for (gsize i = 0; i < G_N_ELEMENTS (with); i++)
    g_assert_true (pen_cause_is_recorded (with[i]));
  for (gsize i = 0; i < G_N_ELEMENTS (without); i++)
    g_assert_false (pen_cause_is_recorded (without[i]));
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (int i = 0; i < 20000; i++) {
    g_autoptr (TextPokes) pokes = text_pokes_new ();
    guint64 start = cause_fixture_pick (random);
    char hex[2][41] = { "", "" };
    PenCause cause;

    for (int side = 0; side < 2; side++) {
      int length = g_rand_int_range (random, 0, 21);

      for (int j = 0; j < length; j++)
        g_snprintf (hex[side] + 2 * j, 3, "%02x", (guint) g_rand_int_range (random, 0, 256));
    }
    text_pokes_add (pokes, 1, start + g_rand_int (random) % 64, hex[0], hex[1]);
    cause = judge (pokes, NULL);
    g_assert_cmpint (cause, <, PEN_CAUSES);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/causes/static-key", test_static_key);
  g_test_add_func ("/text/causes/static-call", test_static_call);
  g_test_add_func ("/text/causes/ftrace", test_ftrace);
  g_test_add_func ("/text/causes/kprobe", test_kprobe);
  g_test_add_func ("/text/causes/optprobe", test_optprobe);
  g_test_add_func ("/text/causes/bpf", test_bpf);
  g_test_add_func ("/text/causes/livepatch", test_livepatch);
  g_test_add_func ("/text/causes/shared-entry", test_shared_entry);
  g_test_add_func ("/text/causes/unknown", test_unknown);
  g_test_add_func ("/text/causes/key", test_key);
  g_test_add_func ("/text/causes/switch", test_switch);
  g_test_add_func ("/text/causes/machines", test_machines);
  g_test_add_func ("/text/causes/random", test_random);
  return g_test_run ();
}
