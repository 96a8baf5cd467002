/* test-causes.c: the tree of causes, against one that is counted plainly, over random histories
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-causes.h"

#include <math.h>
#include <string.h>

#include "flip-history.h"
#include "pen-store-records.h"

static PenCause
get_cause (guint site)
{
  return site % N_PLACES == 2 ? PEN_CAUSE_KPROBE : PEN_CAUSE_STATIC_KEY;
}

/* ---- counted plainly ---- */

static gboolean
is_lost (const FlipHistory *history, guint64 time)
{
  for (guint i = 0; i < history->losses->len; i++) {
    const PenLoss *loss = &g_array_index (history->losses, PenLoss, i);

    if (loss->kind == PEN_LOSS_RECORDS && loss->from <= time && time <= loss->to)
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_loss_in (const FlipHistory *history, guint64 from, guint64 to)
{
  for (guint i = 0; i < history->losses->len; i++) {
    const PenLoss *loss = &g_array_index (history->losses, PenLoss, i);

    if (loss->kind == PEN_LOSS_RECORDS && loss->from < to && loss->to >= from)
      return TRUE;
  }
  return FALSE;
}

/* Off and unknown are those of every row, or where many share a site, of those around.
 * @pid: of the row; 0: it is the only one at the site */
static PenCauseState
share (const FlipHistory *history, guint site, PenCauseState state, gint32 pid, const Flip *p,
       const Flip *q)
{
  if (pid == 0 || (p && p->pid == pid) || (q && q->pid == pid)
      || flip_history_count_tasks (history, site) <= PEN_CAUSE_SITE_ROWS)
    return state;
  return PEN_CAUSE_NONE;
}

/* @pid: of the row; 0: of all. @filter_pid: patches of others are nobody's */
static PenCauseState
get_state (const FlipHistory *history, guint site, guint64 time, gint32 pid, gint32 filter_pid)
{
  const Flip *p = NULL;
  const Flip *q = NULL;
  const Flip *owner;
  gboolean is_on;
  gint32 sharer = filter_pid != 0 ? 0 : pid;

  for (guint i = 0; i < history->flips->len; i++) {
    const Flip *flip = &g_array_index (history->flips, Flip, i);

    if (flip->site == site && flip->time <= time)
      p = flip;
    else if (flip->site == site && !q)
      q = flip;
  }
  if (is_lost (history, time))
    return share (history, site, PEN_CAUSE_UNSURE, sharer, p, q);
  if (has_loss_in (history, p ? p->time : 0, time)) {
    if (!q || has_loss_in (history, time, q->time))
      return share (history, site, PEN_CAUSE_UNSURE, sharer, p, q);
    is_on = q->was_on;
    owner = p && !q->breaks && p->is_on ? p : q;
  } else {
    if (q && q->breaks && !has_loss_in (history, time, q->time))
      return share (history, site, PEN_CAUSE_UNSURE, sharer, p, q);
    is_on = p ? p->is_on : q->was_on;
    owner = p ? p : q;
  }
  if (!is_on)
    return share (history, site, PEN_CAUSE_OFF, sharer, p, q);
  if ((pid != 0 && owner->pid != pid) || (filter_pid != 0 && owner->pid != filter_pid))
    return PEN_CAUSE_NONE;
  return PEN_CAUSE_ON;
}

/* @query: of samples, or of waits */
typedef struct {
  FlipHistory *history;
  PenQuery *query;
  gboolean is_of_waits;
} Asked;

/* Which sites a row has, and whose patches. */
typedef struct {
  gboolean sites[N_SITES];
  gint32 pid;
  gint32 filter_pid;
  guint64 from;
  guint64 to; /* in it */
} Plain;

static gboolean
is_plain_flip (const Plain *plain, const Flip *flip)
{
  return plain->sites[flip->site] && (plain->pid == 0 || plain->pid == flip->pid)
         && (plain->filter_pid == 0 || plain->filter_pid == flip->pid);
}

static PenCauseState
get_row_state (const FlipHistory *history, const Plain *plain, guint64 time)
{
  PenCauseState state = PEN_CAUSE_NONE;

  for (guint i = 0; i < N_SITES; i++) {
    if (plain->sites[i])
      state = MAX (state, get_state (history, i, time, plain->pid, plain->filter_pid));
  }
  return state;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a;
  guint64 y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

static void
add_time (GArray *times, const Plain *plain, guint64 time)
{
  if (time > plain->from && time <= plain->to)
    g_array_append_val (times, time);
}

static void
measure_plainly (const FlipHistory *history, const Plain *plain, double seconds[PEN_CAUSE_STATES])
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 end = plain->to + 1;

  g_array_append_val (times, plain->from);
  for (guint i = 0; i < history->flips->len; i++)
    add_time (times, plain, g_array_index (history->flips, Flip, i).time);
  for (guint i = 0; i < history->losses->len; i++) {
    add_time (times, plain, g_array_index (history->losses, PenLoss, i).from);
    add_time (times, plain, g_array_index (history->losses, PenLoss, i).to + 1);
  }
  g_array_append_val (times, end);
  g_array_sort (times, compare_times);
  memset (seconds, 0, PEN_CAUSE_STATES * sizeof *seconds);
  for (guint i = 0; i + 1 < times->len; i++) {
    guint64 from = g_array_index (times, guint64, i);
    guint64 to = g_array_index (times, guint64, i + 1);

    if (from < to)
      seconds[get_row_state (history, plain, from)] += (double) (to - from) / 1e9;
  }
}

static gboolean
is_recorded (const FlipHistory *history, guint64 time)
{
  for (guint i = 0; i < history->losses->len; i++) {
    const PenLoss *loss = &g_array_index (history->losses, PenLoss, i);

    if (loss->from < loss->to && loss->from <= time && time <= loss->to)
      return FALSE;
  }
  return TRUE;
}

static void
check_side (const PenCauseRate *side, PenAmount amount)
{
  gboolean is_of_waits = amount.population == PEN_POPULATION_WAITS;

  g_assert_cmpint (side->amount.population, ==, amount.population);
  g_assert_cmpuint (side->amount.n, ==, amount.n);
  if (is_of_waits)
    g_assert_cmpuint (side->amount.period, ==, amount.period);
  g_assert_true (!is_of_waits || (isnan (side->low) && isnan (side->high)));
  if (side->seconds > 0)
    g_assert_cmpfloat_with_epsilon (side->rate * side->seconds,
                                    is_of_waits ? (double) amount.period / 1e9 : (double) amount.n,
                                    1e-6);
}

/* Of waits there is a ratio, and no test. */
static void
check_ratio (const PenCauseRow *row)
{
  g_assert_true (isnan (row->test.low) && isnan (row->test.high) && isnan (row->test.p));
  g_assert_cmpint (row->verdict, ==, PEN_VERDICT_UNKNOWN);
  if (row->on.seconds > 0 && row->off.rate > 0)
    g_assert_cmpfloat_with_epsilon (row->test.ratio, row->on.rate / row->off.rate, 1e-9);
  else
    g_assert_true (isnan (row->test.ratio));
}

static void
check_row (const Asked *asked, const Plain *plain, const PenCauseRow *row)
{
  const FlipHistory *history = asked->history;
  const GArray *hits = asked->is_of_waits ? history->waits : history->hits;
  PenAmount amounts[PEN_CAUSE_STATES] = { 0 };
  double seconds[PEN_CAUSE_STATES];
  gboolean functions[N_FUNCTIONS] = { FALSE };
  guint64 flips = 0;

  for (guint i = 0; i < history->flips->len; i++) {
    const Flip *flip = &g_array_index (history->flips, Flip, i);

    flips += is_plain_flip (plain, flip) && flip->time >= plain->from && flip->time <= plain->to;
  }
  for (guint i = 0; i < N_SITES; i++)
    functions[i / N_PLACES] |= plain->sites[i];
  for (guint i = 0; i < PEN_CAUSE_STATES; i++)
    amounts[i].population = asked->is_of_waits ? PEN_POPULATION_WAITS : PEN_POPULATION_SAMPLES;
  for (guint i = 0; i < hits->len; i++) {
    const Hit *hit = &g_array_index (hits, Hit, i);
    PenAmount *amount;

    if (!functions[hit->function] || hit->time < plain->from || hit->time > plain->to
        || (plain->filter_pid != 0 && plain->filter_pid != hit->pid)
        || !is_recorded (history, hit->time))
      continue;
    amount = &amounts[get_row_state (history, plain, hit->time)];
    amount->n++;
    amount->period += hit->period;
  }
  measure_plainly (history, plain, seconds);
  g_assert_cmpuint (row->flips, ==, flips);
  g_assert_cmpuint (row->n_changes, ==, flips);
  g_assert_cmpfloat_with_epsilon (row->on_seconds, seconds[PEN_CAUSE_ON], 1e-6);
  g_assert_cmpfloat_with_epsilon (row->off_seconds, seconds[PEN_CAUSE_OFF], 1e-6);
  g_assert_cmpfloat_with_epsilon (row->unknown_seconds, seconds[PEN_CAUSE_UNSURE], 1e-6);
  check_side (&row->on, amounts[PEN_CAUSE_ON]);
  check_side (&row->off, amounts[PEN_CAUSE_OFF]);
  if (asked->is_of_waits)
    check_ratio (row);
}

/* The sites below a row, from the sites' own addresses. */
static void
collect_sites (const PenCauseTree *tree, const PenCauseRow *row, gboolean *sites)
{
  for (guint i = 0; i < N_SITES && row->level == 2; i++)
    sites[i] |= row->address == flip_history_get_address (i);
  for (guint i = 0; i < row->n_children; i++)
    collect_sites (tree, pen_cause_tree_get (tree, row->first_child + i), sites);
}

static guint
count_sites (const gboolean *sites)
{
  guint n = 0;

  for (guint i = 0; i < N_SITES; i++)
    n += sites[i] != FALSE;
  return n;
}

/* A row's task is in its name: "task0 [7]". */
static gint32
get_row_pid (const PenCauseRow *row, PenCauseGrouping grouping)
{
  if (grouping != PEN_CAUSES_BY_TASK || row->level == 0)
    return 0;
  return (gint32) g_ascii_strtoll (strchr (row->name, '[') + 1, NULL, 10);
}

static void
check_tree (const Asked *asked, const PenFilter *filter, PenCauseGrouping grouping)
{
  const FlipHistory *history = asked->history;
  g_autoptr (GError) error = NULL;
  const PenCauseOrder order = { .grouping = grouping };
  g_autoptr (PenCauseTree) tree = pen_query_causes (asked->query, filter, &order, &error);
  guint64 flips = 0;
  guint64 expected = 0;
  Plain all = { .filter_pid = filter->only.pids ? 7 : 0 };

  g_assert_no_error (error);
  all.from = filter->has_time ? MAX (filter->from, history->first) : history->first;
  all.to = filter->has_time ? MIN (filter->to, history->last) : history->last;
  for (guint i = 0; i < tree->rows->len; i++) {
    const PenCauseRow *row = pen_cause_tree_get (tree, i);
    Plain plain = all;

    collect_sites (tree, row, plain.sites);
    g_assert_cmpuint (row->sites, ==, count_sites (plain.sites));
    for (guint k = 0; k < N_SITES; k++)
      g_assert_true (!plain.sites[k] || get_cause (k) == row->cause);
    plain.pid = get_row_pid (row, grouping);
    /* A cause by task is on where any of its tasks' rows is. */
    check_row (asked, &plain, row);
    if (row->level == 0)
      flips += row->flips;
    if (i > 0 && row->parent == pen_cause_tree_get (tree, i - 1)->parent)
      g_assert_cmpuint (pen_cause_tree_get (tree, i - 1)->flips, >=, row->flips);
  }
  for (guint i = 0; i < N_SITES; i++)
    all.sites[i] = TRUE;
  for (guint i = 0; i < history->flips->len; i++) {
    const Flip *flip = &g_array_index (history->flips, Flip, i);

    expected += is_plain_flip (&all, flip) && flip->time >= all.from && flip->time <= all.to;
  }
  g_assert_cmpuint (flips, ==, expected);
}

static void
check_history (guint32 seed, guint n_tasks, gboolean with_losses, gboolean is_of_waits)
{
  FlipHistory history;
  Asked asked = { .history = &history, .is_of_waits = is_of_waits };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFilter) all = pen_filter_new ();
  g_autoptr (PenFilter) task = pen_filter_new ();
  const gint32 pid = 7;

  flip_history_init (&history, seed, n_tasks, with_losses);
  asked.query
      = is_of_waits ? pen_query_get_waits (history.fixture.query, &error) : history.fixture.query;
  g_assert_no_error (error);
  g_assert_true (pen_query_get_time_range (asked.query, &history.first, &history.last));
  task->only.pids = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_array_append_val (task->only.pids, pid);
  for (PenCauseGrouping by = 0; by < PEN_CAUSE_GROUPINGS; by++) {
    g_autoptr (PenFilter) time = pen_filter_new ();
    guint64 length = history.last - history.first;

    time->has_time = TRUE;
    time->from = history.first + length / 4 + flip_history_draw (&history, MS);
    time->to = history.last - length / 4 - flip_history_draw (&history, MS);
    check_tree (&asked, all, by);
    check_tree (&asked, task, by);
    check_tree (&asked, time, by);
  }
  flip_history_clear (&history);
}

static void
test_whole (void)
{
  for (guint32 seed = 1; seed <= 3; seed++)
    check_history (seed, 2, FALSE, FALSE);
}

static void
test_losses (void)
{
  for (guint32 seed = 11; seed <= 13; seed++)
    check_history (seed, 2, TRUE, FALSE);
}

static void
test_waits (void)
{
  for (guint32 seed = 41; seed <= 43; seed++)
    check_history (seed, 2, seed == 43, TRUE);
}

/* So many that not all of them are given what nobody's patch was at. */
static void
test_many_tasks (void)
{
  FlipHistory history;
  guint most = 0;

  flip_history_init (&history, 31, 80, FALSE);
  for (guint i = 0; i < N_SITES; i++)
    most = MAX (most, flip_history_count_tasks (&history, i));
  g_assert_cmpuint (most, >, PEN_CAUSE_SITE_ROWS);
  flip_history_clear (&history);
  check_history (31, 80, FALSE, FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/causes/whole", test_whole);
  g_test_add_func ("/causes/losses", test_losses);
  g_test_add_func ("/causes/waits", test_waits);
  g_test_add_func ("/causes/many-tasks", test_many_tasks);
  return g_test_run ();
}
