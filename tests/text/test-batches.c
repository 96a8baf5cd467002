/* test-batches.c: which pokes were one event
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-poke-batches.h"
#include "pen-cause-rules.h"
#include "pen-poke-phrases.h"
#include "text-fixture.h"

#define US 1000u
#define MS 1000000u

/* One poke and what was found out about it. */
typedef struct {
  guint64 time; /* ns after the beginning */
  gint32 tid;
  const char *rule;
  guint64 address;
  PenSideForm before_form;
  PenSideForm after_form;
  guint64 after;      /* what it leads to, or 0 */
  const char *key;    /* or NULL */
  const char *target; /* or NULL */
  guint32 tenure;
  PenPokeEffect effect;
  PenSwitch switched;
} Step;

#define KEY "jump within the function"
#define CALL "call between functions"
#define ENTRY "branch to ftrace"

typedef struct {
  PenPokeBatches *batches;
  guint32 ids[64];
  const PenBatch *all;
  guint n;
} Run;

static void
run_clear (Run *run)
{
  g_clear_pointer (&run->batches, pen_poke_batches_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static void
run_steps (Run *run, const Step *steps, guint n)
{
  run->batches = pen_poke_batches_new ();
  for (guint i = 0; i < n; i++) {
    const Step *step = &steps[i];
    PenPoke poke = {
      .id = i + 1,
      .moment = { 1000000000 + step->time, i + 1 },
      .address = step->address,
      .effect = step->effect,
      .tenure = step->tenure,
      .pid = step->tid,
      .tid = step->tid,
      .cpu = 1,
      .comm = "sh",
    };
    PenCauseVerdict verdict = {
      .rule = pen_cause_find_rule (step->rule),
      .confidence = pen_cause_find_rule (step->rule)->confidence,
      .key = (char *) step->key,
      .site = (char *) "vfs_read+0x10",
      .target = (char *) step->target,
      .before_form = step->before_form,
      .after_form = step->after_form,
      .after = step->after,
      .switched = step->switched,
      .function = step->address & ~(guint64) 0xfff,
      .role = strcmp (step->rule, "ftrace's own call") == 0 ? PEN_ROLE_FTRACE : PEN_ROLE_TEXT,
      .is_entry = step->rule == (const char *) ENTRY,
    };

    run->ids[i] = pen_poke_batches_add (run->batches, &poke, &verdict);
  }
  run->all = pen_poke_batches_finish (run->batches, &run->n);
}

static void
assert_described (const PenBatch *batch, const char *expected)
{
  g_autofree char *sentence = pen_batch_describe (batch);

  g_assert_cmpstr (sentence, ==, expected);
}

/* @expected: the batch of each step, as digits */
static void
assert_batches (const Step *steps, guint n, const char *expected)
{
  g_auto (Run) run = { NULL };
  g_autoptr (GString) found = g_string_new (NULL);
  guint sites = 0;

  run_steps (&run, steps, n);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (found, "%u", run.ids[i]);
  g_assert_cmpstr (found->str, ==, expected);
  for (guint i = 0; i < run.n; i++) {
    g_assert_cmpuint (run.all[i].id, ==, i + 1);
    g_assert_cmpuint (run.all[i].first_poke, <=, run.all[i].last_poke);
    g_assert_cmpuint (run.all[i].from, <=, run.all[i].to);
    sites += run.all[i].n_sites;
  }
  g_assert_cmpuint (sites, ==, n);
}

#define ASSERT_BATCHES(steps, expected) assert_batches (steps, G_N_ELEMENTS (steps), expected)
#define ON PEN_FORM_NOP, PEN_FORM_JUMP
#define OFF PEN_FORM_JUMP, PEN_FORM_NOP
#define CALLS PEN_FORM_CALL, PEN_FORM_CALL

static void
test_key (void)
{
  /* One switch turns some nops into jumps, and some jumps into nops; then it is switched back. */
  const Step steps[] = {
    { 0, 7, KEY, 0x1000, ON, 0, NULL, NULL, 1, 0, 0 },
    { 20 * US, 7, KEY, 0x2000, OFF, 0, NULL, NULL, 1, 0, 0 },
    { 3 * MS, 7, KEY, 0x3000, ON, 0, NULL, NULL, 1, 0, 0 },
    { 4 * MS, 7, KEY, 0x1000, OFF, 0, NULL, NULL, 1, 0, 0 },
    { 5 * MS, 7, KEY, 0x2000, ON, 0, NULL, NULL, 1, 0, 0 },
  };
  g_auto (Run) run = { NULL };

  ASSERT_BATCHES (steps, "11122");
  run_steps (&run, steps, G_N_ELEMENTS (steps));
  assert_described (&run.all[0],
                    "A static key was switched at 3 sites: 2 nops became jumps, and a jump became "
                    "a nop.");
  g_assert_cmpuint (run.all[0].from, ==, 1000000000);
  g_assert_cmpuint (run.all[0].to, ==, 1003000000);
  g_assert_cmpuint (run.all[0].first_poke, ==, 1);
  g_assert_cmpuint (run.all[0].last_poke, ==, 3);
  g_assert_cmpint (run.all[0].tid, ==, 7);
  g_assert_cmpint (run.all[0].confidence, ==, PEN_CONFIDENCE_CERTAIN);
}

static void
test_key_bounds (void)
{
  const Step late[] = {
    { 0, 7, KEY, 0x1000, ON, 0, NULL, NULL, 1, 0, 0 },
    { PEN_BATCH_GAP, 7, KEY, 0x2000, ON, 0, NULL, NULL, 1, 0, 0 },
    { 2 * PEN_BATCH_GAP + 1, 7, KEY, 0x3000, ON, 0, NULL, NULL, 1, 0, 0 },
  };
  /* Addresses fall: another key, but for the sites of a module. */
  const Step falling[] = {
    { 0, 7, KEY, 0x9000, ON, 0, NULL, NULL, 2, 0, 0 },
    { 1 * MS, 7, KEY, 0x1000, ON, 0, NULL, NULL, 1, 0, 0 },
    { 2 * MS, 7, KEY, 0x2000, ON, 0, NULL, NULL, 1, 0, 0 },
    { 3 * MS, 7, KEY, 0x1800, ON, 0, NULL, NULL, 1, 0, 0 },
  };
  /* The task did something else between; another task does not matter. */
  const Step between[] = {
    { 0, 7, KEY, 0x1000, ON, 0, NULL, NULL, 1, 0, 0 },
    { 1 * MS, 8, KEY, 0x5000, ON, 0, NULL, NULL, 1, 0, 0 },
    { 2 * MS, 7, KEY, 0x2000, ON, 0, NULL, NULL, 1, 0, 0 },
    { 3 * MS, 7, CALL, 0x4000, CALLS, 0x7000, NULL, "f", 1, 0, 0 },
    { 4 * MS, 7, KEY, 0x3000, ON, 0, NULL, NULL, 1, 0, 0 },
  };
  /* Where names are known, they decide. */
  const Step named[] = {
    { 0, 7, KEY, 0x2000, ON, 0, "a", NULL, 1, 0, 0 },
    { 1 * MS, 7, KEY, 0x1000, ON, 0, "a", NULL, 1, 0, 0 },
    { 2 * MS, 7, KEY, 0x3000, ON, 0, "b", NULL, 1, 0, 0 },
    { 3 * MS, 7, KEY, 0x4000, ON, 0, "b", NULL, 1, 0, 0 },
  };

  ASSERT_BATCHES (late, "112");
  ASSERT_BATCHES (falling, "1112");
  ASSERT_BATCHES (between, "12134");
  ASSERT_BATCHES (named, "1122");
}

static void
assert_sentence (const Step *steps, guint n, const char *expected)
{
  g_auto (Run) run = { NULL };

  run_steps (&run, steps, n);
  assert_described (&run.all[0], expected);
}

/* With the kernel's own tables: which key, and which way. */
static void
test_switch (void)
{
  const Step on[] = {
    { 0, 7, "key of the table", 0x1000, ON, 0, "stats", NULL, 1, 0, PEN_SWITCH_ON },
    { 1, 7, "key of the table", 0x2000, OFF, 0, "stats", NULL, 1, 0, PEN_SWITCH_ON },
  };
  const Step off[] = {
    { 0, 7, "key of the table", 0x1000, ON, 0, "__tracepoint_x", NULL, 1, 0, PEN_SWITCH_OFF },
  };
  /* That cannot be. */
  const Step mixed[] = {
    { 0, 7, "key of the table", 0x1000, ON, 0, "stats", NULL, 1, 0, PEN_SWITCH_ON },
    { 1, 7, "key of the table", 0x2000, ON, 0, "stats", NULL, 1, 0, PEN_SWITCH_OFF },
  };

  assert_sentence (on, 2,
                   "The static key stats was switched on at 2 sites: a nop became a jump, and a "
                   "jump became a nop.");
  assert_sentence (off, 1,
                   "The tracepoint x was switched off at vfs_read+0x10: a nop became a jump.");
  assert_sentence (mixed, 2, "The static key stats was switched at 2 sites: 2 nops became jumps.");
}

static void
test_call (void)
{
  const Step steps[] = {
    { 0, 7, "static call trampoline", 0x9000, CALLS, 0x7000, "tp_func_x", "probe", 1, 0, 0 },
    { 1 * MS, 7, CALL, 0x5000, CALLS, 0x7000, NULL, "probe", 1, 0, 0 },
    { 2 * MS, 7, CALL, 0x1000, CALLS, 0x7000, NULL, "probe", 1, 0, 0 },
    { 3 * MS, 7, "static call trampoline", 0x9008, CALLS, 0x7000, "tp_func_y", "probe", 1, 0, 0 },
    { 4 * MS, 7, CALL, 0x3000, CALLS, 0x8000, NULL, "other", 1, 0, 0 },
    { 5 * MS, 7, "call", 0x4000, PEN_FORM_CALL, PEN_FORM_NOP, 0, NULL, NULL, 1, 0, 0 },
  };
  g_auto (Run) run = { NULL };

  ASSERT_BATCHES (steps, "111234");
  run_steps (&run, steps, G_N_ELEMENTS (steps));
  g_assert_cmpstr (run.all[0].key, ==, "tp_func_x");
  assert_described (&run.all[0], "The static call tp_func_x was retargeted to probe at 3 sites.");
  g_assert_cmpstr (run.all[2].key, ==, NULL);
  assert_described (&run.all[3], "A static call was taken out at vfs_read+0x10.");
  g_assert_cmpint (run.all[3].confidence, ==, PEN_CONFIDENCE_LIKELY);
}

/* Back and forth within the gap: each time another batch. */
static void
test_back_and_forth (void)
{
  const Step steps[] = {
    { 0, 7, "dispatcher", 0x1000, ON, 0x7000, NULL, "image", 1, 0, 0 },
    { 1 * MS, 7, "dispatcher", 0x2000, ON, 0x7000, NULL, "image", 1, 0, 0 },
    { 4 * MS, 7, "dispatcher", 0x1000, ON, 0x8000, NULL, "nop", 1, 0, 0 },
    { 5 * MS, 7, "dispatcher", 0x2000, ON, 0x8000, NULL, "nop", 1, 0, 0 },
    { 8 * MS, 7, "dispatcher", 0x1000, ON, 0x7000, NULL, "image", 1, 0, 0 },
    { 9 * MS, 7, "dispatcher", 0x2000, ON, 0x7000, NULL, "image", 1, 0, 0 },
  };

  ASSERT_BATCHES (steps, "112233");
}

static void
test_ftrace (void)
{
  /* One go over all entries, by address: some get one trampoline, some another. */
  const Step steps[] = {
    { 0, 7, ENTRY, 0x1000, PEN_FORM_NOP, PEN_FORM_CALL, 0x7000, NULL, "tramp", 1, 0, 0 },
    { 1 * MS, 7, ENTRY, 0x2000, CALLS, 0x8000, NULL, "caller", 1, 0, 0 },
    { 2 * MS, 7, ENTRY, 0x3000, CALLS, 0x7000, NULL, "tramp", 1, 0, 0 },
    { 3 * MS, 7, "ftrace's own call", 0x9000, CALLS, 0x7000, NULL, "tramp", 1, 0, 0 },
    { 4 * MS, 7, ENTRY, 0x1000, PEN_FORM_CALL, PEN_FORM_NOP, 0, NULL, NULL, 1, 0, 0 },
    { 5 * MS, 7, ENTRY, 0x2000, PEN_FORM_CALL, PEN_FORM_NOP, 0, NULL, NULL, 1, 0, 0 },
    { 6 * MS, 7, "ftrace memory", 0xa000, 0, 0, 0, NULL, NULL, 2, PEN_POKE_CLEAR, 0 },
  };
  g_auto (Run) run = { NULL };

  ASSERT_BATCHES (steps, "1213445");
  run_steps (&run, steps, G_N_ELEMENTS (steps));
  assert_described (&run.all[0], "ftrace was attached to 2 functions via tramp.");
  assert_described (&run.all[2], "ftrace's own call was retargeted to tramp at vfs_read+0x10.");
  assert_described (&run.all[3], "ftrace was taken off 2 functions.");
  assert_described (&run.all[4], "Text was given up at vfs_read+0x10.");
}

/* What is filled and what is given up are two things; a batch is as sure as the least of it. */
static void
test_effects (void)
{
  const Step slots[] = {
    { 0, 7, "probe slot", 0x1000, 0, 0, 0, NULL, NULL, 2, PEN_POKE_FILL, 0 },
    { 1, 7, "probe slot", 0x2000, 0, 0, 0, NULL, NULL, 2, PEN_POKE_FILL, 0 },
    { 2, 7, "probe slot", 0x3000, 0, 0, 0, NULL, NULL, 2, PEN_POKE_CLEAR, 0 },
  };
  const Step keys[] = {
    { 0, 7, KEY, 0x1000, ON, 0, NULL, NULL, 1, 0, 0 },
    { 1, 7, "jump within the text", 0x2000, ON, 0, NULL, NULL, 1, 0, 0 },
    { 2, 7, KEY, 0x3000, ON, 0, NULL, NULL, 1, 0, 0 },
  };
  g_auto (Run) run = { NULL };

  ASSERT_BATCHES (slots, "112");
  ASSERT_BATCHES (keys, "111");
  run_steps (&run, keys, G_N_ELEMENTS (keys));
  g_assert_cmpint (run.all[0].confidence, ==, PEN_CONFIDENCE_LIKELY);
}

/* Several probes are optimised in one go; what nobody can explain is in no company. */
static void
test_others (void)
{
  const Step steps[] = {
    { 0, 7, "breakpoint and jump", 0x1000, PEN_FORM_BREAKPOINT, PEN_FORM_JUMP, 1, NULL, "a", 1, 0,
      0 },
    { 1, 7, "breakpoint and jump", 0x2000, PEN_FORM_BREAKPOINT, PEN_FORM_JUMP, 2, NULL, "b", 1, 0,
      0 },
    { 2, 7, "jump undone", 0x3000, PEN_FORM_JUMP, PEN_FORM_OTHER, 0, NULL, NULL, 1, 0, 0 },
    { 3, 7, "breakpoint", 0x4000, PEN_FORM_OTHER, PEN_FORM_BREAKPOINT, 0, NULL, NULL, 1, 0, 0 },
    { 4, 7, "breakpoint", 0x5000, PEN_FORM_BREAKPOINT, PEN_FORM_OTHER, 0, NULL, NULL, 1, 0, 0 },
    { 5, 7, "none", 0x6000, 0, 0, 0, NULL, NULL, 1, 0, 0 },
    { 6, 7, "none", 0x7000, 0, 0, 0, NULL, NULL, 1, 0, 0 },
  };

  ASSERT_BATCHES (steps, "1123456");
}

#define TRACES "__traceiter_x"

/* A tracepoint's call is led to its probe before its key is switched on, and back after it was
 * switched off: the call names the key. */
static void
test_tracepoint (void)
{
  const Step steps[] = {
    { 0, 7, CALL, 0x1010, CALLS, 0x7000, "tp_func_x", "probe", 1, 0, 0 },
    { 1 * MS, 7, KEY, 0x1000, ON, 0, NULL, NULL, 1, 0, 0 },
    { 900 * MS, 7, KEY, 0x1000, OFF, 0, NULL, NULL, 1, 0, 0 },
    { 901 * MS, 7, CALL, 0x1010, CALLS, 0x8000, "tp_func_x", TRACES, 1, 0, 0 },
  };
  g_auto (Run) run = { NULL };

  ASSERT_BATCHES (steps, "1234");
  run_steps (&run, steps, G_N_ELEMENTS (steps));
  g_assert_cmpstr (run.all[1].key, ==, "__tracepoint_x");
  assert_described (&run.all[1],
                    "The tracepoint x was switched on at vfs_read+0x10: a nop became a jump.");
  g_assert_cmpstr (run.all[2].key, ==, "__tracepoint_x");
  assert_described (&run.all[2],
                    "The tracepoint x was switched off at vfs_read+0x10: a jump became a nop.");
}

static void
assert_no_tracepoint (const Step *steps, guint n)
{
  g_auto (Run) run = { NULL };

  run_steps (&run, steps, n);
  for (guint i = 0; i < run.n; i++)
    if (run.all[i].cause == PEN_CAUSE_STATIC_KEY)
      g_assert_null (run.all[i].key);
}

/* Another key, switched near a tracepoint's call, is not the tracepoint's. */
static void
test_no_tracepoint (void)
{
  const Step elsewhere[] = {
    { 0, 7, CALL, 0x1010, CALLS, 0x7000, "tp_func_x", "probe", 1, 0, 0 },
    { 1 * MS, 7, KEY, 0x2000, ON, 0, NULL, NULL, 1, 0, 0 },
  };
  const Step led_back[] = {
    { 0, 7, CALL, 0x1010, CALLS, 0x8000, "tp_func_x", TRACES, 1, 0, 0 },
    { 1 * MS, 7, KEY, 0x1000, ON, 0, NULL, NULL, 1, 0, 0 },
  };
  const Step led_away[] = {
    { 0, 7, KEY, 0x1000, OFF, 0, NULL, NULL, 1, 0, 0 },
    { 1 * MS, 7, CALL, 0x1010, CALLS, 0x7000, "tp_func_x", "probe", 1, 0, 0 },
  };
  const Step late[] = {
    { 0, 7, CALL, 0x1010, CALLS, 0x7000, "tp_func_x", "probe", 1, 0, 0 },
    { 2 * PEN_BATCH_GAP, 7, KEY, 0x1000, ON, 0, NULL, NULL, 1, 0, 0 },
  };
  const Step of_another[] = {
    { 0, 8, CALL, 0x1010, CALLS, 0x7000, "tp_func_x", "probe", 1, 0, 0 },
    { 1 * MS, 7, KEY, 0x1000, ON, 0, NULL, NULL, 1, 0, 0 },
  };
  const Step no_tracepoint[] = {
    { 0, 7, CALL, 0x1010, CALLS, 0x7000, "cond_resched", "probe", 1, 0, 0 },
    { 1 * MS, 7, KEY, 0x1000, ON, 0, NULL, NULL, 1, 0, 0 },
  };

  assert_no_tracepoint (elsewhere, 2);
  assert_no_tracepoint (led_back, 2);
  assert_no_tracepoint (led_away, 2);
  assert_no_tracepoint (late, 2);
  assert_no_tracepoint (of_another, 2);
  assert_no_tracepoint (no_tracepoint, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/batches/key", test_key);
  g_test_add_func ("/text/batches/key-bounds", test_key_bounds);
  g_test_add_func ("/text/batches/switch", test_switch);
  g_test_add_func ("/text/batches/call", test_call);
  g_test_add_func ("/text/batches/back-and-forth", test_back_and_forth);
  g_test_add_func ("/text/batches/ftrace", test_ftrace);
  g_test_add_func ("/text/batches/effects", test_effects);
  g_test_add_func ("/text/batches/others", test_others);
  g_test_add_func ("/text/batches/tracepoint", test_tracepoint);
  g_test_add_func ("/text/batches/no-tracepoint", test_no_tracepoint);
  return g_test_run ();
}
