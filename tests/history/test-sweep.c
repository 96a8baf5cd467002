/* test-sweep.c: what a sweep says to be as it was is as it was
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "maker.h"
#include "page-story.h"
#include "pen-cancel-check.h"
#include "pen-history-private.h"

#define RUNS 60
#define STEPS 400
#define REMEMBERED 60

/* An answer of some moment. */
typedef struct {
  guint64 address;
  gint32 pid; /* 0: the kernel's */
  guint32 space;
  guint64 since;
  const PenTenure *tenure;
  guint32 revision;
  guint32 site;
} Answer;

typedef struct {
  guint64 held;
  guint64 sites;
  guint64 other;
} Met;

static Met met;

static Answer
ask (PenSweep *sweep, guint64 address, gint32 pid)
{
  Answer answer = { .address = address, .pid = pid };
  guint64 change;

  answer.since = pen_sweep_get_changes (sweep)->count;
  if (pid == 0) {
    answer.tenure = pen_sweep_find_kernel_site (sweep, address, &answer.revision, &answer.site);
    return answer;
  }

  answer.space = pen_sweep_find_space (sweep, pid, &change);
  answer.site = PEN_SWEEP_NO_SITE;
  answer.tenure = pen_sweep_find_process (sweep, pid, address);
  g_assert_cmpuint (change, <=, answer.since);
  if (answer.space == PEN_SWEEP_NO_SPACE)
    g_assert_null (answer.tenure);
  else if (answer.tenure)
    g_assert_cmpuint (answer.tenure->space, ==, answer.space);
  return answer;
}

static Answer
ask_something (PenSweep *sweep, GRand *rand)
{
  if (g_rand_boolean (rand))
    return ask (sweep, page_story_pick_kernel_address (rand), 0);
  return ask (sweep, page_story_pick_user_address (rand), page_story_pick_pid (rand));
}

/* Asks once more what @answer was asked, and once without a sweep. */
static void
check (PenHistory *history, PenSweep *sweep, PenMoment moment, const Answer *answer)
{
  Answer now = ask (sweep, answer->address, answer->pid);
  guint32 page = pen_sweep_get_page (sweep, answer->space, answer->address);
  guint32 revision = 0;

  if (now.space == PEN_SWEEP_NO_SPACE || now.space != answer->space)
    return;

  g_assert_true (pen_history_find (history, answer->space, answer->address, moment, &revision)
                 == now.tenure);
  g_assert_cmpuint (now.revision, ==, revision);

  if (!pen_sweep_is_held_since (sweep, answer->space, &page, 1, answer->since)) {
    met.other++;
    return;
  }

  met.held += answer->since < now.since;
  g_assert_true (now.tenure == answer->tenure);
  g_assert_cmpuint (now.site, ==, answer->site);
  if (answer->site == PEN_SWEEP_NO_SITE) {
    g_assert_cmpuint (now.revision, ==, answer->revision);
  } else {
    met.sites += now.revision != answer->revision;
    g_assert_cmpuint (now.revision, ==, pen_sweep_get_revision (sweep, answer->site));
  }
}

static void
run (guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (Maker) maker = maker_new ();
  g_autoptr (PenSweep) sweep = NULL;
  Answer answers[REMEMBERED];
  PenHistory *history;

  page_story_add (maker, rand, 300);
  history = maker_seal (maker);
  sweep = pen_sweep_new (history);

  for (guint i = 0; i < REMEMBERED; i++)
    answers[i] = ask_something (sweep, rand);
  for (guint step = 1; step <= STEPS; step++) {
    PenMoment moment = pen_moment (step * PAGE_STORY_TIME / STEPS, 0);

    pen_sweep_advance (sweep, moment);
    for (guint i = 0; i < REMEMBERED; i++)
      check (history, sweep, moment, &answers[i]);
    answers[g_rand_int_range (rand, 0, REMEMBERED)] = ask_something (sweep, rand);
  }
}

static void
test_held (void)
{
  for (guint32 seed = 1; seed <= RUNS; seed++)
    run (seed);

  /* Else this proves nothing. */
  g_assert_cmpuint (met.held, >, RUNS * STEPS);
  g_assert_cmpuint (met.other, >, RUNS * STEPS);
  g_assert_cmpuint (met.sites, >, RUNS * STEPS / 10);
}

/* Changes have numbers that tell whose they were. */
static void
test_changes (void)
{
  g_autoptr (Maker) maker = maker_new ();
  g_autoptr (PenSweep) sweep = NULL;
  const PenSweepChanges *changes;
  PenSweepChanges before;
  guint64 change;

  maker_kernel_map (maker, 10, 0x1000, 0x1000, "[a]");
  maker_map (maker, 20, 7, 0x1000, 0x1000, 0, "/bin/a");
  maker_poke (maker, 30, 0x1100, "\1", "\2");
  maker_exit (maker, 40, 7, 7);
  sweep = pen_sweep_new (maker_seal (maker));
  changes = pen_sweep_get_changes (sweep);

  pen_sweep_advance (sweep, pen_moment (15, 0));
  g_assert_cmpuint (changes->kernel, ==, changes->count);
  g_assert_cmpuint (changes->kernel_parts, ==, changes->count);

  before = *changes;
  pen_sweep_advance (sweep, pen_moment (25, 0));
  g_assert_cmpuint (changes->count, >, before.count);
  g_assert_cmpuint (changes->kernel, ==, before.kernel);
  g_assert_cmpuint (pen_sweep_find_space (sweep, 7, &change), !=, PEN_SWEEP_NO_SPACE);
  g_assert_cmpuint (change, ==, changes->count);

  before = *changes;
  pen_sweep_advance (sweep, pen_moment (35, 0));
  g_assert_cmpuint (changes->kernel, >, before.count);
  g_assert_cmpuint (changes->kernel_parts, ==, before.kernel_parts);

  pen_sweep_advance (sweep, pen_moment (45, 0));
  g_assert_cmpuint (pen_sweep_find_space (sweep, 7, &change), ==, PEN_SWEEP_NO_SPACE);
  g_assert_cmpuint (pen_sweep_find_space (sweep, 8, &change), ==, PEN_SWEEP_NO_SPACE);
}

static const char *
find_timeless (PenSweep *sweep, guint64 address, guint32 *revision, gboolean *is_ambiguous)
{
  const PenTenure *tenure = pen_sweep_find_kernel (sweep, address, revision);
  guint32 again = 77;
  guint32 site;

  *is_ambiguous = pen_sweep_is_ambiguous (sweep);
  g_assert_true (pen_sweep_find_kernel_site (sweep, address, &again, &site) == tenure);
  g_assert_cmpuint (again, ==, *revision);
  g_assert_cmpuint (site, ==, PEN_SWEEP_NO_SITE);
  return tenure ? tenure->occupant : NULL;
}

static void
assert_timeless (PenSweep *sweep, guint64 address, const char *occupant, guint32 revision,
                 gboolean is_ambiguous)
{
  guint32 found = 77;
  gboolean ambiguous;

  g_assert_cmpstr (find_timeless (sweep, address, &found, &ambiguous), ==, occupant);
  g_assert_cmpuint (found, ==, revision);
  g_assert_cmpint (ambiguous, ==, is_ambiguous);
}

/* Order 0: a sample without a time may have been taken at any; with one, all is as it was. */
static void
test_timeless (void)
{
  g_autoptr (Maker) maker = maker_new ();
  g_autoptr (PenSweep) sweep = NULL;
  PenMoment moment;
  guint64 before;
  guint32 revision;

  maker_kernel_map (maker, 0, 0x1000, 0x1000, "[a]");
  maker_poke (maker, 0, 0x1100, "ab", "cd");
  maker_register (maker, 0, 0x1800, 0x100, "bpf_prog_all");
  moment = maker_register (maker, 0, 0x1f00, 0x100, "bpf_prog_early");
  moment.position++;
  maker_poke (maker, 10, 0x1200, "ab", "cd");
  maker_register (maker, 20, 0x1300, 0x100, "bpf_prog_x");
  maker_unregister (maker, 30, 0x1300, 0x100, "bpf_prog_x");
  maker_register (maker, 40, 0x5000, 0x100, "bpf_prog_y");
  maker_unregister (maker, 50, 0x5000, 0x100, "bpf_prog_y");
  maker_poke (maker, 60, 0x5000, "ab", "cd");
  maker_register (maker, 70, 0x6000, 0x100, "bpf_prog_z");
  maker_unregister (maker, 80, 0x6000, 0x100, "bpf_prog_z");
  maker_register (maker, 90, 0x6000, 0x100, "bpf_prog_z");
  maker_poke (maker, 95, 0x6000, "ab", "cd");

  sweep = pen_sweep_new_for_samples (maker_seal (maker));
  pen_sweep_advance (sweep, moment);
  assert_timeless (sweep, 0x1000, "[a]", 0, FALSE);
  assert_timeless (sweep, 0x1100, "[a]", 1, FALSE);
  assert_timeless (sweep, 0x1200, NULL, 0, TRUE);
  assert_timeless (sweep, 0x1202, "[a]", 0, FALSE);
  assert_timeless (sweep, 0x1300, NULL, 0, TRUE);
  assert_timeless (sweep, 0x1800, "bpf_prog_all", 0, FALSE);
  /* One program, and text of nobody; a program alone, and again. */
  assert_timeless (sweep, 0x5000, NULL, 0, TRUE);
  assert_timeless (sweep, 0x5002, "bpf_prog_y", 0, FALSE);
  assert_timeless (sweep, 0x6000, NULL, 0, TRUE);
  assert_timeless (sweep, 0x6002, "bpf_prog_z", 0, FALSE);
  assert_timeless (sweep, 0x9000, NULL, 0, FALSE);

  before = pen_sweep_get_changes (sweep)->kernel;
  pen_sweep_advance (sweep, pen_moment (15, 0));
  g_assert_cmpuint (pen_sweep_get_changes (sweep)->kernel, >, before);
  g_assert_cmpstr (pen_sweep_find_kernel (sweep, 0x1200, &revision)->occupant, ==, "[a]");
  g_assert_cmpuint (revision, ==, 1);
  g_assert_null (pen_sweep_find_kernel (sweep, 0x5002, NULL));
  g_assert_false (pen_sweep_is_ambiguous (sweep));
}

static void
assert_timeless_process (PenSweep *sweep, gint32 pid, guint64 address, const char *occupant,
                         gboolean is_ambiguous)
{
  const PenTenure *tenure = pen_sweep_find_process (sweep, pid, address);

  g_assert_cmpstr (tenure ? tenure->occupant : NULL, ==, occupant);
  g_assert_cmpint (pen_sweep_is_ambiguous (sweep), ==, is_ambiguous);
}

static void
test_timeless_process (void)
{
  g_autoptr (Maker) maker = maker_new ();
  g_autoptr (PenSweep) sweep = NULL;
  PenMoment moment;

  maker_map (maker, 0, 7, 0x1000, 0x1000, 0, "/bin/before");
  moment = maker_exec (maker, 0, 7, "image");
  moment.position++;
  maker_map (maker, 10, 7, 0x1000, 0x1000, 0, "/bin/image");
  maker_map (maker, 20, 7, 0x3000, 0x1000, 0, "/lib/a.so");
  maker_map (maker, 30, 7, 0x3000, 0x1000, 0, "/lib/b.so");
  maker_map (maker, 40, 7, 0x5000, 0x1000, 0x1000, "/lib/c.so");
  maker_map (maker, 50, 7, 0x5800, 0x800, 0x1800, "/lib/c.so");
  maker_map (maker, 60, 7, 0x7000, 0x1000, 0x1000, "/lib/d.so");
  maker_map (maker, 70, 7, 0x7800, 0x800, 0, "/lib/d.so");
  maker_exec (maker, 80, 7, "next");
  maker_map (maker, 90, 7, 0x3000, 0x1000, 0, "/bin/next");
  maker_map (maker, 90, 7, 0x9000, 0x1000, 0, "/bin/next");

  sweep = pen_sweep_new_for_samples (maker_seal (maker));
  pen_sweep_advance (sweep, moment);
  assert_timeless_process (sweep, 7, 0x1000, "/bin/image", FALSE);
  assert_timeless_process (sweep, 7, 0x3000, NULL, TRUE);
  /* The same place of the same file. */
  assert_timeless_process (sweep, 7, 0x5900, "/lib/c.so", FALSE);
  assert_timeless_process (sweep, 7, 0x7900, NULL, TRUE);
  assert_timeless_process (sweep, 7, 0x7100, "/lib/d.so", FALSE);
  assert_timeless_process (sweep, 7, 0x9000, "/bin/next", FALSE);
  assert_timeless_process (sweep, 7, 0xb000, NULL, FALSE);
  assert_timeless_process (sweep, 8, 0x1000, NULL, FALSE);
}

/* ---- whether to go on ---- */

#define FORKED_MAPS 1000u
#define FORKS 300u

/* @most: changes of a history between two calls */
typedef struct {
  PenHistory *history;
  guint before;
  guint most;
  guint n_calls;
  guint stop_after; /* calls; 0: never */
} Asked;

static gboolean
go_on (gpointer user_data)
{
  Asked *self = user_data;
  const PenTenureBuilder *builder = &self->history->builder;
  guint now = builder->parts->len + builder->closed->len;

  self->most = MAX (self->most, now - self->before);
  self->before = now;
  self->n_calls++;
  return self->n_calls != self->stop_after;
}

static Maker *
make_forks (void)
{
  Maker *maker = maker_new ();

  for (guint i = 0; i < FORKED_MAPS; i++)
    maker_map (maker, 1, 7, 0x1000 + 0x2000 * (guint64) i, 0x1000, 0, "/a");
  for (guint i = 0; i < FORKS; i++)
    maker_fork (maker, 2, 7, 8 + (gint32) i);
  for (guint i = 0; i < FORKS; i++)
    maker_exit (maker, 3, 8 + (gint32) i, 8 + (gint32) i);
  return maker;
}

/* A few hundred events copy and end a few hundred thousand maps. */
static void
test_forks_ask (void)
{
  g_autoptr (Maker) maker = make_forks ();
  g_autoptr (PenSweep) sweep = NULL;
  Asked asked = { .history = maker->history };
  guint n;

  g_assert_true (pen_history_seal (maker->history, go_on, &asked));
  pen_history_get_parts (maker->history, &n);
  g_assert_cmpuint (n, ==, FORKED_MAPS * (FORKS + 1));
  g_assert_cmpuint (asked.most, <=, PEN_CANCEL_CHECK_STEPS + FORKED_MAPS);

  /* All of a sweep's changes may come before one sample. */
  sweep = pen_sweep_new (maker->history);
  asked.n_calls = 0;
  pen_sweep_set_func (sweep, go_on, &asked);
  pen_sweep_advance (sweep, PEN_MOMENT_END);
  g_assert_cmpuint (asked.n_calls, >=, 2 * FORKED_MAPS * FORKS / PEN_CANCEL_CHECK_STEPS);
}

static void
test_forks_stop (void)
{
  for (guint i = 1; i < 5; i++) {
    g_autoptr (Maker) maker = make_forks ();
    g_autoptr (Maker) other = make_forks ();
    g_autoptr (PenSweep) sweep = NULL;
    Asked asked = { .history = maker->history, .stop_after = i };

    g_assert_false (pen_history_seal (maker->history, go_on, &asked));
    g_assert_cmpuint (asked.n_calls, ==, i);

    sweep = pen_sweep_new (maker_seal (other));
    asked = (Asked){ .history = other->history, .stop_after = i };
    pen_sweep_set_func (sweep, go_on, &asked);
    pen_sweep_advance (sweep, (PenMoment){ 3, 0 });
    pen_sweep_advance (sweep, PEN_MOMENT_END);
    g_assert_cmpuint (asked.n_calls, ==, i);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/history/sweep/held", test_held);
  g_test_add_func ("/history/sweep/changes", test_changes);
  g_test_add_func ("/history/sweep/timeless", test_timeless);
  g_test_add_func ("/history/sweep/timeless-process", test_timeless_process);
  g_test_add_func ("/history/sweep/forks-ask", test_forks_ask);
  g_test_add_func ("/history/sweep/forks-stop", test_forks_stop);
  return g_test_run ();
}
