/* test-cause-rules.c: the rule that decides on a cause, and how sure it is
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "cause-fixture.h"
#include "pen-cause-rules.h"

static void
assert_rule (guint64 address, const char *old_hex, const char *new_hex, const char *name,
             PenConfidence confidence)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  PenCauseVerdict verdict;

  text_pokes_add (pokes, 1, address, old_hex, new_hex);
  verdict = cause_fixture_find_verdict (pokes, &cause_fixture_sources);
  g_assert_true (verdict.rule == pen_cause_find_rule (name));
  g_assert_cmpstr (pen_confidence_to_string (verdict.confidence), ==,
                   pen_confidence_to_string (confidence));
  pen_cause_verdict_clear (&verdict);
}

static void
assert_branch_rule (guint64 address, const char *other, const char *opcode, guint64 target,
                    const char *name, PenConfidence confidence)
{
  g_autofree char *hex = cause_fixture_branch (opcode, address, target);

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
  assert_rule (0xffffffffc0249000, "", "4881eca8000000", "likely livepatch memory", LIKELY);
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
  verdict = cause_fixture_find_verdict (pokes, &cause_fixture_sources);
  g_assert_cmpstr (verdict.rule->name, ==, "jump undone");
  g_assert_cmpint (verdict.confidence, ==, LIKELY);
  pen_cause_verdict_clear (&verdict);

  /* What was there before was no breakpoint. */
  text_pokes_add (pokes, 1, 0xffffffff8134cc70, "48", "55");
  text_pokes_add (pokes, 1, 0xffffffff8134cc70, "e900000045", "4889442460");
  verdict = cause_fixture_find_verdict (pokes, &cause_fixture_sources);
  g_assert_cmpstr (verdict.rule->name, ==, "none");
  pen_cause_verdict_clear (&verdict);
}

static void
test_tracing_rules (void)
{
  const guint64 entry = 0xffffffff8134cc50;
  const guint64 nameless = 0xffffffff81c00010;
  g_autofree char *to_unknown = cause_fixture_branch ("e8", entry, 0xffffffffc0600000);
  g_autofree char *to_ftrace = cause_fixture_branch ("e8", entry, 0xffffffff8106b740);
  g_autofree char *to_text = cause_fixture_branch ("e8", nameless, 0xffffffff81c00800);

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
  assert_branch_rule (entry, NOP5, "e8", 0xffffffffc0249000, "branch to a likely live patch",
                      LIKELY);
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
  g_autofree char *to_trampoline = cause_fixture_branch ("e8", site, STATIC_TRAMPOLINE);

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
  g_autofree char *call_from = cause_fixture_branch ("e8", site, from);
  g_autofree char *call_to = cause_fixture_branch ("e8", site, to);
  g_autofree char *jump_from = cause_fixture_branch ("e9", trampoline, from);
  g_autofree char *jump_to = cause_fixture_branch ("e9", trampoline, to);

  assert_rule (trampoline, jump_from, jump_to, "jump to jump", LIKELY);
  assert_rule (site, call_from, call_to, "lonely call", GUESS);
  assert_rule (site, call_from, NOP5, "stand-in without a name", GUESS);
  assert_branch_rule (site, NOP5, "e8", 0xffffffffc0600000, "call without names", LIKELY);
  for (int same = 0; same < 2; same++) {
    g_autoptr (TextPokes) pokes = text_pokes_new ();
    PenCauseVerdict verdict;

    text_pokes_add (pokes, 1, trampoline, jump_from, same ? jump_to : jump_from);
    text_pokes_add (pokes, 1, site, call_from, call_to);
    verdict = cause_fixture_find_verdict (pokes, &cause_fixture_sources);
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
  verdict = pen_cause_find (copy, n, index, decoder, &cause_fixture_sources);
  g_assert_cmpstr (verdict.rule->name, ==, rule);
  g_assert_cmpint (verdict.confidence, ==, confidence);
  pen_cause_verdict_clear (&verdict);
}

/* A second program at one entry: the trampoline is replaced via ftrace. */
static void
test_replaced_trampoline (void)
{
  const guint64 entry = 0xffffffff8134cc50;
  g_autofree char *ftrace = cause_fixture_branch ("e8", entry, 0xffffffff8106b740);
  g_autofree char *first = cause_fixture_branch ("e8", entry, 0xffffffffc0232000);
  g_autofree char *second = cause_fixture_branch ("e8", entry, 0xffffffffc0232200);
  g_autofree char *tracer = cause_fixture_branch ("e8", entry, 0xffffffffc0219000);
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
  g_autofree char *jump_from = cause_fixture_branch ("e9", trampoline, from);
  g_autofree char *jump_to = cause_fixture_branch ("e9", trampoline, to);
  g_autofree char *jump_nothing = cause_fixture_branch ("e9", trampoline, nothing);
  g_autofree char *call_from = cause_fixture_branch ("e8", site, from);
  g_autofree char *call_to = cause_fixture_branch ("e8", site, to);
  g_autofree char *call_trampoline = cause_fixture_branch ("e8", site, trampoline);
  g_autofree char *tail_from = cause_fixture_branch ("e9", tail, from);
  g_autofree char *tail_to = cause_fixture_branch ("e9", tail, to);
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
  g_autofree char *call_from = cause_fixture_branch ("e8", 0xffffffff81c00010, 0xffffffff81c00800);
  g_autofree char *call_to = cause_fixture_branch ("e8", 0xffffffff81c00010, 0xffffffff81c00900);
  g_autofree char *jump_from = cause_fixture_branch ("e9", 0xffffffff81c00500, 0xffffffff81c00800);
  g_autofree char *jump_to = cause_fixture_branch ("e9", 0xffffffff81c00500, 0xffffffff81c00900);
  g_autofree PenPoke *copy = NULL;
  PenCauseVerdict verdict;
  guint n;

  text_pokes_add (pokes, 1, 0xffffffff81c00500, jump_from, jump_to);
  text_pokes_add (pokes, 1, 0xffffffff81c00010, call_from, call_to);
  copy = g_memdup2 (text_pokes_get (pokes, &n), 2 * sizeof *copy);
  copy[0].tid = copy[1].tid + 1;
  verdict = pen_cause_find (copy, 2, 1, decoder, &cause_fixture_sources);
  g_assert_cmpstr (verdict.rule->name, ==, "lonely call");
  pen_cause_verdict_clear (&verdict);
}

static void
assert_named (PenSiteName name, guint64 address, const char *opcode, guint64 target,
              const char *rule, const char *key)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  g_autofree char *hex = cause_fixture_branch (opcode, address, target);
  PenCauseSources sources = { cause_fixture_sources.find_place, cause_fixture_find_name, &name };
  PenCauseVerdict verdict;

  text_pokes_add (pokes, 1, address, NOP5, hex);
  verdict = cause_fixture_find_verdict (pokes, &sources);
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

static void
test_other_version (void)
{
  g_assert_cmpstr (pen_cause_find_rule ("of another version")->name, ==, "none");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
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
  g_test_add_func ("/text/causes/other-version", test_other_version);
  return g_test_run ();
}
