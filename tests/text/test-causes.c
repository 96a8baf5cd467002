/* test-causes.c: why text was patched: bytes and places as in real captures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-cause-rules.h"
#include "pen-poke-phrases.h"
#include "text-fixture.h"

typedef struct {
  guint64 start;
  guint64 end;
  PenKind kind;
  const char *occupant;
  const char *function; /* NULL: the occupant is known only */
} Region;

#define KERNEL PEN_KIND_KERNEL, "[kernel.kallsyms]"
#define VIRTIO PEN_KIND_MODULE, "[virtio]"

/* Addresses of the captures' kernels; those that begin with 0xa are made up. */
static const Region regions[] = {
  { 0xffffffff8106b710, 0xffffffff8106b740, KERNEL, "ftrace_stub" },
  { 0xffffffff8106b740, 0xffffffff8106b7be, KERNEL, "ftrace_caller" },
  { 0xffffffff8106b7be, 0xffffffff8106b8d3, KERNEL, "ftrace_call" },
  { 0xffffffff8106b8d3, 0xffffffff8106b940, KERNEL, "ftrace_regs_call" },
  { 0xffffffff8119f540, 0xffffffff8119f700, KERNEL, "ftrace_ops_list_func" },
  { 0xffffffff810c9f50, 0xffffffff810c9fa0, KERNEL, "__traceiter_sched_wakeup" },
  { 0xffffffff811bdfc0, 0xffffffff811be110, KERNEL, "probe_sched_wakeup" },
  { 0xffffffff810d1ad0, 0xffffffff810d1ba0, KERNEL, "ttwu_do_wakeup" },
  { 0xffffffff810d3940, 0xffffffff810d3f50, KERNEL, "try_to_wake_up" },
  { 0xffffffff81e00468, 0xffffffff81e00470, KERNEL, "__SCT__tp_func_sched_wakeup" },
  { 0xffffffff81e014e0, 0xffffffff81e014e8, KERNEL, "__SCT__bpf_dispatcher_xdp_call" },
  { 0xffffffff8179ac20, 0xffffffff8179ac30, KERNEL, "bpf_dispatcher_nop_func" },
  { 0xffffffff817d34a0, 0xffffffff817d34b0, KERNEL, "bpf_dispatcher_xdp_func" },
  { 0xffffffff8134cc50, 0xffffffff8134cf70, KERNEL, "vfs_read" },
  { 0xffffffff8134d3d0, 0xffffffff8134d7c0, KERNEL, "vfs_write" },
  { 0xffffffff81798030, 0xffffffff81798300, KERNEL, "vfs_read" }, /* after endbr64 */
  { 0xffffffff81a00000, 0xffffffff81a00100, KERNEL, "print_task.isra.0" },
  { 0xffffffff81b00000, 0xffffffff81b00100, KERNEL, "print_task.isra.0.cold" },
  { 0xffffffff81b00100, 0xffffffff81b00200, KERNEL, "asm_entry" },
  { 0xffffffff81b00200, 0xffffffff81b00300, KERNEL, "asm_common" },
  { 0xffffffff81c00000, 0xffffffff81c10000, KERNEL, NULL },
  { 0xffffffffa0000000, 0xffffffffa0000200, VIRTIO, "virtio_probe" },
  { 0xffffffffa0001000, 0xffffffffa0001200, PEN_KIND_MODULE, "[snapshot]", "snapshot_probe" },
  { 0xffffffffa0002000, 0xffffffffa0003000, PEN_KIND_UNKNOWN, "[snapshot]", NULL },
  { 0xffffffffc0219000, 0xffffffffc02190cf, PEN_KIND_STUB, "ftrace_trampoline",
    "ftrace_trampoline" },
  { 0xffffffffc0229000, 0xffffffffc02290cf, PEN_KIND_STUB, "ftrace_trampoline",
    "klp_ftrace_trampoline" },
  { 0xffffffffc0239000, 0xffffffffc02390cf, PEN_KIND_STUB, "ftrace_trampoline",
    "ftrace_trampoline" },
  { 0xffffffffc021b000, 0xffffffffc021c000, PEN_KIND_STUB, "kprobe_optinsn_page",
    "kprobe_optinsn_page" },
  { 0xffffffffc021d000, 0xffffffffc021e000, PEN_KIND_STUB, "kprobe_insn_page", NULL },
  { 0xffffffffc0232000, 0xffffffffc0233000, PEN_KIND_STUB, "bpf_trampoline_6442492247",
    "bpf_trampoline_6442492247" },
  { 0xffffffffc0020c00, 0xffffffffc0021c00, PEN_KIND_STUB, "bpf_dispatcher_xdp",
    "bpf_dispatcher_xdp" },
  { 0xffffffffc0404000, 0xffffffffc0404100, PEN_KIND_BPF, "bpf_prog_12d4df590959649c_fe_read",
    "bpf_prog_12d4df590959649c_fe_read" },
  { 0xffffffffc0500000, 0xffffffffc0500100, PEN_KIND_STUB, "something_new", "something_new" },
};

static void
find_place (guint64 address, G_GNUC_UNUSED PenMoment moment, PenPlace *place,
            G_GNUC_UNUSED gpointer user_data)
{
  place->occupant = "";
  for (gsize i = 0; i < G_N_ELEMENTS (regions); i++) {
    if (address < regions[i].start || address >= regions[i].end)
      continue;
    place->kind = regions[i].kind;
    place->occupant = regions[i].occupant;
    place->function_name = regions[i].function;
    place->function_start = regions[i].function ? regions[i].start : 0;
    /* Of the trampolines of ftrace the second is a live patch's, the third has no known user. */
    if (regions[i].start == 0xffffffffc0219000)
      place->user = "function_trace_call";
    else if (regions[i].start == 0xffffffffc0229000)
      place->user = "klp_ftrace_handler";
    place->is_unsure = strcmp (regions[i].occupant, "[snapshot]") == 0;
  }
}

/* A branch of @opcode from @address to @target. */
static char *
branch (const char *opcode, guint64 address, guint64 target)
{
  guint32 distance = GUINT32_TO_LE ((guint32) (target - (address + 5)));
  const guint8 *bytes = (const guint8 *) &distance;

  return g_strdup_printf ("%s%02x%02x%02x%02x", opcode, bytes[0], bytes[1], bytes[2], bytes[3]);
}

static const PenCauseSources sources = { .find_place = find_place };

static PenCauseVerdict
find_verdict (TextPokes *pokes, const PenCauseSources *from)
{
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
  guint n;
  const PenPoke *all = text_pokes_get (pokes, &n);

  return pen_cause_find (all, n, n - 1, decoder, from);
}

static PenCause
judge (TextPokes *pokes, char **reason)
{
  PenCauseVerdict verdict = find_verdict (pokes, &sources);
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
  g_autofree char *hex = branch (opcode, address, target);

  assert_pair (address, other, hex, expected);
}

#define NOP5 "0f1f440000"

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
  at_entry = branch ("e8", 0xffffffff810d1ad0, 0xffffffff810c9f50);
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
  g_autofree char *to_patch = branch ("e8", entry, trampoline);
  g_autofree char *text = NULL;

  assert_branch (entry, NOP5, "e8", trampoline, PEN_CAUSE_LIVEPATCH);
  assert_pair (trampoline, "", "4881eca8000000", PEN_CAUSE_LIVEPATCH);
  /* A tracer came or went. */
  assert_branch (entry, to_patch, "e8", 0xffffffff8106b740, PEN_CAUSE_FTRACE);
  /* BPF attaches where a patch was. */
  assert_branch (entry, to_patch, "e8", 0xffffffffc0232000, PEN_CAUSE_BPF);
  text = branch ("e8", 0xffffffff81798034, trampoline);
  assert_cause (0xffffffff81798034, NOP5, text, PEN_CAUSE_LIVEPATCH,
                "A 5-byte nop at vfs_read+0x4 became a call to klp_ftrace_trampoline. The "
                "trampoline calls klp_ftrace_handler (live patch).");
}

/* Where a tracer and a BPF program share an entry, the one or the other may have come or gone. */
static void
test_shared_entry (void)
{
  g_autofree char *to_bpf = branch ("e8", 0xffffffff8134cc50, 0xffffffffc0232000);

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

/* ---- rules: which one decided, and how sure it is ---- */

static void
assert_rule (guint64 address, const char *old_hex, const char *new_hex, const char *name,
             PenConfidence confidence)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  PenCauseVerdict verdict;

  text_pokes_add (pokes, 1, address, old_hex, new_hex);
  verdict = find_verdict (pokes, &sources);
  g_assert_true (verdict.rule == pen_cause_find_rule (name));
  g_assert_cmpstr (pen_confidence_to_string (verdict.confidence), ==,
                   pen_confidence_to_string (confidence));
  pen_cause_verdict_clear (&verdict);
}

static void
assert_branch_rule (guint64 address, const char *other, const char *opcode, guint64 target,
                    const char *name, PenConfidence confidence)
{
  g_autofree char *hex = branch (opcode, address, target);

  assert_rule (address, other, hex, name, confidence);
  assert_rule (address, hex, other, name, confidence);
}

#define CERTAIN PEN_CONFIDENCE_CERTAIN
#define LIKELY PEN_CONFIDENCE_LIKELY
#define GUESS PEN_CONFIDENCE_GUESS

static void
test_memory_rules (void)
{
  assert_rule (0xffffffffc021b174, "", "6a18549c0f01ca", "detour memory", CERTAIN);
  assert_rule (0xffffffffc021d000, "4889442460cc", "", "probe slot", CERTAIN);
  assert_rule (0xffffffffc023204a, NOP5, "e940000000", "bpf memory", CERTAIN);
  assert_rule (0xffffffffc0404010, "", "90", "bpf memory", CERTAIN);
  assert_rule (0xffffffffc0219000, "", "4881eca8000000", "ftrace memory", CERTAIN);
  assert_rule (0xffffffffc0229000, "", "4881eca8000000", "livepatch memory", CERTAIN);
  assert_rule (0xffffffffc0239000, "", "4881eca8000000", "unnamed ftrace memory", LIKELY);
  assert_rule (0xffffffff8106b7be, "e84dffffff", "e87d3d1300", "ftrace's own call", CERTAIN);
  /* Something else in ftrace's own code. */
  assert_rule (0xffffffff8106b7be, "55", "48", "none", PEN_CONFIDENCE_NONE);
}

static void
test_probe_rules (void)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  PenCauseVerdict verdict;

  assert_rule (0xffffffff8134cc6c, "4889442460", "e903e5ec3e", "jump to a detour", CERTAIN);
  assert_rule (0xffffffff8134cc6c, "cc89442460", "e900000045", "breakpoint and jump", CERTAIN);
  assert_rule (0xffffffff8134cc6c, "48", "cc", "breakpoint", CERTAIN);
  assert_rule (0xffffffff8134cc6c, "4889", "cc89", "breakpoint and text", LIKELY);
  assert_rule (0xffffffff8134cc6c, "cc", "e900000045", "breakpoint and text", LIKELY);
  text_pokes_add (pokes, 1, 0xffffffff8134cc6c, "48", "cc");
  text_pokes_add (pokes, 1, 0xffffffff8134cc6c, "e900000045", "4889442460");
  verdict = find_verdict (pokes, &sources);
  g_assert_cmpstr (verdict.rule->name, ==, "jump undone");
  g_assert_cmpint (verdict.confidence, ==, LIKELY);
  pen_cause_verdict_clear (&verdict);

  /* What was there before was no breakpoint. */
  text_pokes_add (pokes, 1, 0xffffffff8134cc70, "48", "55");
  text_pokes_add (pokes, 1, 0xffffffff8134cc70, "e900000045", "4889442460");
  verdict = find_verdict (pokes, &sources);
  g_assert_cmpstr (verdict.rule->name, ==, "none");
  pen_cause_verdict_clear (&verdict);
}

static void
test_tracing_rules (void)
{
  const guint64 entry = 0xffffffff8134cc50;
  const guint64 nameless = 0xffffffff81c00010;
  g_autofree char *to_unknown = branch ("e8", entry, 0xffffffffc0600000);
  g_autofree char *to_ftrace = branch ("e8", entry, 0xffffffff8106b740);
  g_autofree char *to_text = branch ("e8", nameless, 0xffffffff81c00800);

  assert_branch_rule (0xffffffff81e014e0, "e93b979cff", "e9", 0xffffffffc0020c00, "dispatcher",
                      CERTAIN);
  assert_branch_rule (entry, NOP5, "e8", 0xffffffffc0219000, "branch to ftrace", CERTAIN);
  assert_branch_rule (entry, NOP5, "e8", 0xffffffffc0239000, "branch to unnamed ftrace", LIKELY);
  assert_branch_rule (entry, to_ftrace, "e8", 0xffffffffc0239000, "branch to ftrace", CERTAIN);
  /* No names: what a call of a BPF trampoline becomes; not what a dispatcher's does. */
  assert_branch_rule (nameless, to_text, "e8", 0xffffffffc0232000, "entry shared with ftrace",
                      LIKELY);
  assert_branch_rule (nameless, to_text, "e8", 0xffffffffc0020c00, "branch to bpf", CERTAIN);
  assert_branch_rule (entry, NOP5, "e8", 0xffffffffc0232000, "branch to bpf", CERTAIN);
  assert_branch_rule (entry, NOP5, "e8", 0xffffffffc0229000, "branch to a live patch", CERTAIN);
  assert_branch_rule (0xffffffff8134cc70, "e800000000", "e8", 0xffffffff817d34a0,
                      "branch to a dispatcher", LIKELY);
  assert_branch_rule (entry, NOP5, "e8", 0xffffffffc0600000, "call at the entry", LIKELY);
  /* Behind the landing mark; further on it is no entry. */
  assert_branch_rule (entry + 4, NOP5, "e8", 0xffffffffc0600000, "call at the entry", LIKELY);
  assert_branch_rule (entry + 5, NOP5, "e8", 0xffffffffc0600000, "none", PEN_CONFIDENCE_NONE);
  assert_branch_rule (entry, to_unknown, "e8", 0xffffffff8119f540, "moved call at the entry",
                      GUESS);
}

/* Of a static call, and what stands for one that only warns. */
#define STATIC_TRAMPOLINE 0xffffffff81e00468
#define WARNING_TRAP "67480fb93a"

static void
test_static_rules (void)
{
  const guint64 call = 0xffffffff810d1b61;

  assert_rule (0xffffffff810d3bc4, NOP5, "e91f010000", "jump within the function", CERTAIN);
  assert_branch_rule (0xffffffff81b00110, NOP5, "e9", 0xffffffff81b00210, "jump within the text",
                      LIKELY);
  assert_branch_rule (0xffffffff81a00010, NOP5, "e9", 0xffffffff81b00020,
                      "jump within the function", CERTAIN);
  assert_rule (0xffffffffc0700000, "6690", "eb44", "short jump", LIKELY);
  assert_rule (0xffffffff81e00468, "e9e39a2cff", "e9a3db3bff", "static call trampoline", CERTAIN);
  assert_rule (0xffffffff81e00468, "e9", "c3", "static call trampoline", CERTAIN);
  assert_branch_rule (call, "e8ea83ffff", "e8", 0xffffffff8134cc50, "call between functions",
                      CERTAIN);
  /* Not a function's beginning, a stand-in, an entry where ftrace may write: less sure. */
  assert_rule (call, "e8ea83ffff", "e8aac40e00", "call", LIKELY);
  assert_rule (call, "e8ea83ffff", NOP5, "call", LIKELY);
  assert_branch_rule (0xffffffff810d1ad0, "e87b84ffff", "e8", 0xffffffff8134cc50, "call", LIKELY);
  /* To or from where no static call goes. */
  assert_branch_rule (call, "e8ea83ffff", "e8", 0xffffffffc0600000, "none", PEN_CONFIDENCE_NONE);
  /* A tail call cut off and put back by kernels before 5.15. */
  assert_rule (call, "e9", "c3", "call", LIKELY);
  assert_rule (call, "c3ea83ffff", "e9ea83ffff", "call", LIKELY);
  assert_branch_rule (call, "e8ea83ffff", "e8", STATIC_TRAMPOLINE, "call of a trampoline", CERTAIN);
  assert_rule (call, "e8ea83ffff", WARNING_TRAP, "call", LIKELY);
}

/* An unrecorded module. */
static void
test_unknown_memory_rules (void)
{
  const guint64 site = 0xffffffffc0700000;
  g_autofree char *to_trampoline = branch ("e8", site, STATIC_TRAMPOLINE);

  assert_rule (site, NOP5, "e940000000", "jump in unknown memory", GUESS);
  assert_rule (site, "e900000100", NOP5, "none", PEN_CONFIDENCE_NONE);
  assert_branch_rule (site, NOP5, "e8", 0xffffffffc0600000, "call in unknown memory", GUESS);
  assert_rule (site, to_trampoline, WARNING_TRAP, "call of a trampoline", CERTAIN);
}

/* No kallsyms: what ftrace and static calls write looks alike, but for the trampoline that a static
 * call has, which changes its target first. */
static void
test_nameless_rules (void)
{
  const guint64 site = 0xffffffff81c00010;
  const guint64 trampoline = 0xffffffff81c00500;
  const guint64 from = 0xffffffff81c00800;
  const guint64 to = 0xffffffff81c00900;
  g_autofree char *call_from = branch ("e8", site, from);
  g_autofree char *call_to = branch ("e8", site, to);
  g_autofree char *jump_from = branch ("e9", trampoline, from);
  g_autofree char *jump_to = branch ("e9", trampoline, to);

  assert_rule (trampoline, jump_from, jump_to, "jump to jump", LIKELY);
  assert_rule (site, call_from, call_to, "lonely call", GUESS);
  assert_rule (site, call_from, NOP5, "stand-in without a name", GUESS);
  assert_branch_rule (site, NOP5, "e8", 0xffffffffc0600000, "call without names", LIKELY);
  for (int same = 0; same < 2; same++) {
    g_autoptr (TextPokes) pokes = text_pokes_new ();
    PenCauseVerdict verdict;

    text_pokes_add (pokes, 1, trampoline, jump_from, same ? jump_to : jump_from);
    text_pokes_add (pokes, 1, site, call_from, call_to);
    verdict = find_verdict (pokes, &sources);
    g_assert_cmpstr (verdict.rule->name, ==, same ? "call after its trampoline" : "lonely call");
    pen_cause_verdict_clear (&verdict);
  }
}

#define MILLISECOND 1000000u

typedef struct {
  guint64 address;
  const char *old_hex;
  const char *new_hex;
} Step;

/* The rule of the poke @index of @n, which are @gap ns apart. */
static void
assert_rule_of (const Step *steps, guint n, guint index, gint32 first_tid, guint64 gap,
                const char *rule, PenConfidence confidence)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
  g_autofree PenPoke *copy = NULL;
  PenCauseVerdict verdict;
  guint n_pokes;

  for (guint i = 0; i < n; i++)
    text_pokes_add (pokes, i + 1, steps[i].address, steps[i].old_hex, steps[i].new_hex);
  copy = g_memdup2 (text_pokes_get (pokes, &n_pokes), n * sizeof *copy);
  for (guint i = 0; i < n; i++) {
    copy[i].tid = i == 0 ? first_tid : 77;
    copy[i].moment = pen_moment (SECOND + i * gap, i + 1);
  }
  verdict = pen_cause_find (copy, n, index, decoder, &sources);
  g_assert_cmpstr (verdict.rule->name, ==, rule);
  g_assert_cmpint (verdict.confidence, ==, confidence);
  pen_cause_verdict_clear (&verdict);
}

/* A second program at one entry: the trampoline is replaced by way of ftrace. */
static void
test_replaced_trampoline (void)
{
  const guint64 entry = 0xffffffff8134cc50;
  g_autofree char *ftrace = branch ("e8", entry, 0xffffffff8106b740);
  g_autofree char *first = branch ("e8", entry, 0xffffffffc0232000);
  g_autofree char *second = branch ("e8", entry, 0xffffffffc0232200);
  g_autofree char *tracer = branch ("e8", entry, 0xffffffffc0219000);
  const Step replaced[]
      = { { entry, first, ftrace }, { entry + 0x10, "48", "cc" }, { entry, ftrace, second } };
  const Step shared[] = { { entry, first, ftrace }, { entry, ftrace, first } };
  const Step left[] = { { entry, tracer, ftrace }, { entry, ftrace, second } };

  for (guint i = 0; i < 3; i += 2)
    assert_rule_of (replaced, 3, i, 77, MILLISECOND, "trampoline replaced", CERTAIN);
  for (guint i = 0; i < 2; i++) {
    assert_rule_of (shared, 2, i, 77, MILLISECOND, "entry shared with ftrace", LIKELY);
    assert_rule_of (left, 2, i, 77, MILLISECOND,
                    i == 0 ? "branch to ftrace" : "entry shared with ftrace",
                    i == 0 ? CERTAIN : LIKELY);
  }
  assert_rule_of (replaced, 3, 0, 78, MILLISECOND, "entry shared with ftrace", LIKELY);
  assert_rule_of (replaced, 3, 0, 77, SECOND, "entry shared with ftrace", LIKELY);
  assert_rule_of (replaced, 1, 0, 77, MILLISECOND, "entry shared with ftrace", LIKELY);
}

/* A static call of a module that nothing names: its trampoline, then its sites, by one task. */
static void
test_unnamed_static_call (void)
{
  const guint64 trampoline = 0xffffffffc0700400;
  const guint64 site = 0xffffffffc0700010;
  const guint64 tail = 0xffffffffc0700040;
  const guint64 nothing = 0xffffffff81c00f00; /* a return of the kernel's own */
  const guint64 from = 0xffffffffc0700800;
  const guint64 to = 0xffffffff8134cc50; /* another one's function */
  g_autofree char *jump_from = branch ("e9", trampoline, from);
  g_autofree char *jump_to = branch ("e9", trampoline, to);
  g_autofree char *jump_nothing = branch ("e9", trampoline, nothing);
  g_autofree char *call_from = branch ("e8", site, from);
  g_autofree char *call_to = branch ("e8", site, to);
  g_autofree char *call_trampoline = branch ("e8", site, trampoline);
  g_autofree char *tail_from = branch ("e9", tail, from);
  g_autofree char *tail_to = branch ("e9", tail, to);
  const Step led[] = { { trampoline, jump_from, jump_to },
                       { site, call_from, call_to },
                       { tail, tail_from, tail_to } };
  const Step loaded[]
      = { { site, call_trampoline, call_from }, led[0], { site, call_from, call_to } };
  const Step removed[] = { { trampoline, jump_from, jump_nothing }, { site, call_from, NOP5 } };
  const Step put_back[] = { { trampoline, jump_nothing, jump_to }, { site, NOP5, call_to } };
  const Step returned[] = { { trampoline, jump_from, "c3cccccccc" }, { site, call_from, NOP5 } };
  const Step other_target[] = { { trampoline, jump_from, jump_to },
                                { site, call_from, NOP5 },
                                { site, NOP5, call_from } };

  for (guint i = 0; i < 3; i++)
    assert_rule_of (led, 3, i, 77, MILLISECOND,
                    i == 0 ? "trampoline before its calls" : "call after its trampoline", LIKELY);
  for (guint i = 0; i < 2; i++) {
    const char *rule = i == 0 ? "trampoline before its calls" : "call after its trampoline";

    assert_rule_of (removed, 2, i, 77, MILLISECOND, rule, LIKELY);
    assert_rule_of (put_back, 2, i, 77, MILLISECOND, rule, LIKELY);
    assert_rule_of (returned, 2, i, 77, MILLISECOND, rule, LIKELY);
  }
  /* When the module was loaded, by another task. */
  assert_rule_of (loaded, 3, 0, 78, MILLISECOND, "call of a later trampoline", LIKELY);
  assert_rule_of (loaded, 1, 0, 78, MILLISECOND, "none", PEN_CONFIDENCE_NONE);
  /* Another task, or other targets: a jump alone is a guess, a call alone tells nothing. */
  assert_rule_of (led, 3, 0, 78, MILLISECOND, "jump to jump in unknown memory", GUESS);
  assert_rule_of (led, 2, 1, 78, MILLISECOND, "none", PEN_CONFIDENCE_NONE);
  assert_rule_of (removed, 1, 0, 77, MILLISECOND, "jump to jump in unknown memory", GUESS);
  assert_rule_of (other_target, 3, 2, 77, MILLISECOND, "call in unknown memory", GUESS);
}

/* What a snapshot of another time says of a place makes nothing certain; bytes that do without the
 * place stay what they are. */
static void
test_inferred_place (void)
{
  const guint64 site = 0xffffffffa0001010;
  const char *why = pen_cause_find_rule ("jump within the function")->why;
  g_autofree char *certain = pen_cause_explain ("jump within the function", CERTAIN);
  g_autofree char *likely = pen_cause_explain ("jump within the function", LIKELY);

  assert_rule (0xffffffffa0000010, NOP5, "e910000000", "jump within the function", CERTAIN);
  assert_rule (site, NOP5, "e910000000", "jump within the function", LIKELY);
  assert_rule (site, "55", "cc", "breakpoint", CERTAIN);
  assert_branch_rule (0xffffffff810d1b61, "e8ea83ffff", "e8", 0xffffffffa0001000,
                      "call between functions", LIKELY);
  /* Where it leads to is what counts; and where nobody is known to be nothing is claimed. */
  assert_branch_rule (site, NOP5, "e8", 0xffffffffc0219000, "branch to ftrace", CERTAIN);
  assert_branch_rule (0xffffffffa0002010, NOP5, "e8", 0xffffffffc0219000, "branch to ftrace",
                      CERTAIN);
  assert_branch_rule (0xffffffffa0002010, WARNING_TRAP, "e8", STATIC_TRAMPOLINE,
                      "call of a trampoline", CERTAIN);
  g_assert_cmpstr (certain, ==, why);
  g_assert_true (g_str_has_prefix (likely, why));
  g_assert_nonnull (strstr (likely, "not certain"));
}

/* A trampoline that another task led there is not this call's. */
static void
test_trampoline_of_another (void)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
  g_autofree char *call_from = branch ("e8", 0xffffffff81c00010, 0xffffffff81c00800);
  g_autofree char *call_to = branch ("e8", 0xffffffff81c00010, 0xffffffff81c00900);
  g_autofree char *jump_from = branch ("e9", 0xffffffff81c00500, 0xffffffff81c00800);
  g_autofree char *jump_to = branch ("e9", 0xffffffff81c00500, 0xffffffff81c00900);
  g_autofree PenPoke *copy = NULL;
  PenCauseVerdict verdict;
  guint n;

  text_pokes_add (pokes, 1, 0xffffffff81c00500, jump_from, jump_to);
  text_pokes_add (pokes, 1, 0xffffffff81c00010, call_from, call_to);
  copy = g_memdup2 (text_pokes_get (pokes, &n), 2 * sizeof *copy);
  copy[0].tid = copy[1].tid + 1;
  verdict = pen_cause_find (copy, 2, 1, decoder, &sources);
  g_assert_cmpstr (verdict.rule->name, ==, "lonely call");
  pen_cause_verdict_clear (&verdict);
}

static gboolean
find_name (guint64 address, G_GNUC_UNUSED PenMoment moment, PenSiteName *name, gpointer user_data)
{
  *name = *(const PenSiteName *) user_data;
  return address == 0xffffffff81c00010 || address == 0xffffffff8134cc50
         || address == 0xffffffff81e014e0;
}

static void
assert_named (PenSiteName name, guint64 address, const char *opcode, guint64 target,
              const char *rule, const char *key)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  g_autofree char *hex = branch (opcode, address, target);
  PenCauseVerdict verdict;

  text_pokes_add (pokes, 1, address, NOP5, hex);
  verdict = find_verdict (pokes, &(PenCauseSources){ find_place, find_name, &name });
  g_assert_cmpstr (verdict.rule->name, ==, rule);
  g_assert_cmpstr (verdict.key, ==, key);
  pen_cause_verdict_clear (&verdict);
}

/* What the kernel's own tables say of a site settles it, and names it; what others write over the
 * site of a key is still theirs. */
static void
test_table_rules (void)
{
  const PenSiteName key = { PEN_CAUSE_STATIC_KEY, "sched_schedstats", FALSE };
  const PenSiteName call = { PEN_CAUSE_STATIC_CALL, "tp_func_sched_wakeup", FALSE };

  assert_named (key, 0xffffffff81c00010, "e9", 0xffffffffc0700000, "key of the table",
                "sched_schedstats");
  assert_named (call, 0xffffffff81c00010, "e8", 0xffffffffc0700000, "call of the table",
                "tp_func_sched_wakeup");
  assert_named (key, 0xffffffff8134cc50, "e8", 0xffffffffc0232000, "branch to bpf", NULL);
  assert_named (key, 0xffffffff81c00018, "e9", 0xffffffff81c00100, "jump within the text", NULL);
  assert_named (call, 0xffffffff81e014e0, "e9", 0xffffffffc0020c00, "branch to bpf", NULL);
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
    PenCauseVerdict verdict;

    text_pokes_add (pokes, 1, 0xffffffff81c00010, cases[i].old_hex, cases[i].new_hex);
    verdict = find_verdict (pokes, &(PenCauseSources){ find_place, find_name, &name });
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
  verdict = find_verdict (pokes, &sources);
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
test_other_version (void)
{
  g_assert_cmpstr (pen_cause_find_rule ("of another version")->name, ==, "none");
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (int i = 0; i < 20000; i++) {
    g_autoptr (TextPokes) pokes = text_pokes_new ();
    const Region *region = &regions[g_rand_int_range (random, 0, G_N_ELEMENTS (regions))];
    char hex[2][41] = { "", "" };
    PenCause cause;

    for (int side = 0; side < 2; side++) {
      int length = g_rand_int_range (random, 0, 21);

      for (int j = 0; j < length; j++)
        g_snprintf (hex[side] + 2 * j, 3, "%02x", (guint) g_rand_int_range (random, 0, 256));
    }
    text_pokes_add (pokes, 1, region->start + g_rand_int (random) % 64, hex[0], hex[1]);
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
  g_test_add_func ("/text/causes/memory-rules", test_memory_rules);
  g_test_add_func ("/text/causes/probe-rules", test_probe_rules);
  g_test_add_func ("/text/causes/tracing-rules", test_tracing_rules);
  g_test_add_func ("/text/causes/static-rules", test_static_rules);
  g_test_add_func ("/text/causes/unknown-memory-rules", test_unknown_memory_rules);
  g_test_add_func ("/text/causes/nameless-rules", test_nameless_rules);
  g_test_add_func ("/text/causes/replaced-trampoline", test_replaced_trampoline);
  g_test_add_func ("/text/causes/unnamed-static-call", test_unnamed_static_call);
  g_test_add_func ("/text/causes/inferred-place", test_inferred_place);
  g_test_add_func ("/text/causes/trampoline-of-another", test_trampoline_of_another);
  g_test_add_func ("/text/causes/table-rules", test_table_rules);
  g_test_add_func ("/text/causes/key", test_key);
  g_test_add_func ("/text/causes/switch", test_switch);
  g_test_add_func ("/text/causes/machines", test_machines);
  g_test_add_func ("/text/causes/other-version", test_other_version);
  g_test_add_func ("/text/causes/random", test_random);
  return g_test_run ();
}
