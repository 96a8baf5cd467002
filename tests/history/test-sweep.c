/* test-sweep.c: what a sweep says to be as it was is as it was
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "page-story.h"

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/history/sweep/held", test_held);
  g_test_add_func ("/history/sweep/changes", test_changes);
  return g_test_run ();
}
