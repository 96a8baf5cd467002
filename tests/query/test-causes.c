/* test-causes.c: the tree of causes, against one that is counted plainly, over random histories
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-causes.h"

#include <math.h>
#include <string.h>

#include "pen-cause-lanes.h"
#include "pen-store-records.h"
#include "query-fixture.h"

#define TEXT 0xffffffff81000000ull
#define FUNCTION_LENGTH 64u
#define N_FUNCTIONS 5u
#define N_PLACES 3u /* in each function: two of static keys, and one of a probe */
#define N_SITES (N_FUNCTIONS * N_PLACES)
#define MS 1000000ull
#define FIRST (1000 * MS)

static const guint place_offsets[N_PLACES] = { 8, 24, 40 };
static const guint8 nop[5] = { 0x0f, 0x1f, 0x44, 0, 0 };

/* As recorded. @breaks: a poke before it was not */
typedef struct {
  guint64 time;
  guint site;
  gint32 pid;
  gboolean is_on;
  gboolean was_on;
  gboolean breaks;
} Flip;

typedef struct {
  guint64 time;
  guint function;
  gint32 pid;
} Hit;

typedef struct {
  QueryFixture fixture;
  GRand *rand;
  GArray *flips; /* Flip, by time */
  GArray *hits;  /* Hit */
  GArray *losses;
  guint n_tasks; /* their pids are 7 and up */
  guint64 first;
  guint64 last;
} History;

static guint
draw (History *history, guint n)
{
  return (guint) g_rand_int_range (history->rand, 0, (gint32) n);
}

static gint32
draw_pid (History *history)
{
  return 7 + (gint32) draw (history, history->n_tasks);
}

static guint64
get_address (guint site)
{
  return TEXT + site / N_PLACES * FUNCTION_LENGTH + place_offsets[site % N_PLACES];
}

/* Returns: how many bytes */
static guint16
get_bytes (guint site, gboolean is_on, guint8 bytes[5])
{
  if (site % N_PLACES == 2) {
    bytes[0] = is_on ? 0xcc : 0x55;
    return 1;
  }
  memcpy (bytes, nop, sizeof nop);
  if (is_on) {
    /* To the function's offset 50. */
    memset (bytes, 0, 5);
    bytes[0] = 0xe9;
    bytes[1] = (guint8) (50 - place_offsets[site % N_PLACES] - 5);
  }
  return 5;
}

static PenCause
get_cause (guint site)
{
  return site % N_PLACES == 2 ? PEN_CAUSE_KPROBE : PEN_CAUSE_STATIC_KEY;
}

/* ---- a random history ---- */

static void
add_kernel (const History *history, PenTestCapture *capture)
{
  g_autoptr (GString) kallsyms = g_string_new (NULL);
  guint8 text[0x1000];

  memset (text, 0x90, sizeof text);
  for (guint i = 0; i < N_FUNCTIONS; i++)
    g_string_append_printf (kallsyms, "%" G_GINT64_MODIFIER "x T f%u\n",
                            (guint64) (TEXT + i * FUNCTION_LENGTH), i);
  g_string_append_printf (kallsyms, "%" G_GINT64_MODIFIER "x T _etext\n",
                          (guint64) (TEXT + N_FUNCTIONS * FUNCTION_LENGTH));
  for (guint i = 0; i < N_SITES; i++) {
    guint8 bytes[5];
    guint16 length = get_bytes (i, FALSE, bytes);

    memcpy (text + (get_address (i) - TEXT), bytes, length);
  }
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms->str, kallsyms->len);
  pen_test_capture_add_kcore_segment (capture, TEXT, text, sizeof text);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_set_os_release (capture, "6.1.0-test");
  pen_test_capture_as_recorder (capture);
  pen_test_capture_from (capture, 1);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, TEXT, 0x1000, TEXT,
                             "[kernel.kallsyms]_text");
  for (guint i = 0; i < history->n_tasks; i++) {
    g_autofree char *comm = g_strdup_printf ("task%u", i);

    pen_test_capture_add_comm (capture, 7 + (gint32) i, 7 + (gint32) i, FALSE, comm);
  }
}

static void
add_poke (PenTestCapture *capture, const Flip *flip)
{
  guint8 before[5];
  guint8 after[5];
  guint16 length = get_bytes (flip->site, flip->was_on, before);

  get_bytes (flip->site, flip->is_on, after);
  pen_test_capture_at (capture, flip->time, flip->pid, flip->pid, 0);
  pen_test_capture_from (capture, 1);
  pen_test_capture_add_text_poke (capture, get_address (flip->site), before, length, after, length);
}

static void
make_story (History *history, PenTestCapture *capture, gboolean with_losses)
{
  gboolean is_on[N_SITES] = { FALSE };
  gboolean is_poked[N_SITES] = { FALSE };
  gboolean is_missing[N_SITES] = { FALSE };
  guint64 time = FIRST;

  for (guint i = 0; i < 1500; i++) {
    /* So far apart that each poke is a batch of its own. */
    time += 25 * MS + draw (history, 40 * MS);
    if (draw (history, 4) > 0) {
      Hit hit = { time, draw (history, N_FUNCTIONS), draw_pid (history) };

      g_array_append_val (history->hits, hit);
      pen_test_capture_at (capture, hit.time, hit.pid, hit.pid, 0);
      pen_test_capture_from (capture, 0);
      pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, TEXT + hit.function * FUNCTION_LENGTH,
                                   10);
    } else if (with_losses && draw (history, 30) == 0) {
      pen_test_capture_at (capture, time, 7, 7, 0);
      pen_test_capture_from (capture, 1);
      pen_test_capture_add_lost (capture, pen_test_capture_get_id (1, 0), 1);
    } else {
      guint site = draw (history, N_SITES);
      Flip flip = { time, site, draw_pid (history), !is_on[site], is_on[site], is_missing[site] };

      is_on[site] = !is_on[site];
      is_missing[site] = with_losses && is_poked[site] && draw (history, 10) == 0;
      if (is_missing[site])
        continue;
      is_poked[site] = TRUE;
      g_array_append_val (history->flips, flip);
      add_poke (capture, &flip);
    }
  }
}

/* Two pokes in a row that are missing leave bytes as they were: nothing breaks. */
static void
find_breaks (History *history)
{
  gboolean is_known[N_SITES] = { FALSE };
  gboolean was_on[N_SITES] = { FALSE };

  for (guint i = 0; i < history->flips->len; i++) {
    Flip *flip = &g_array_index (history->flips, Flip, i);

    flip->breaks = is_known[flip->site] && was_on[flip->site] != flip->was_on;
    is_known[flip->site] = TRUE;
    was_on[flip->site] = flip->is_on;
  }
}

static void
history_init (History *history, guint32 seed, guint n_tasks, gboolean with_losses)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (GError) error = NULL;

  *history = (History){ .rand = g_rand_new_with_seed (seed), .n_tasks = n_tasks };
  history->flips = g_array_new (FALSE, FALSE, sizeof (Flip));
  history->hits = g_array_new (FALSE, FALSE, sizeof (Hit));
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  add_kernel (history, capture);
  make_story (history, capture, with_losses);
  find_breaks (history);
  query_fixture_import (&history->fixture, capture);
  history->losses = pen_store_load_losses (history->fixture.store, &error);
  g_assert_no_error (error);
  g_assert_true (
      pen_query_get_time_range (history->fixture.query, &history->first, &history->last));
  g_assert_true (with_losses == (history->losses->len > 0));
}

static void
history_clear (History *history)
{
  query_fixture_tear_down (&history->fixture, NULL);
  g_array_unref (history->flips);
  g_array_unref (history->hits);
  g_array_unref (history->losses);
  g_rand_free (history->rand);
}

/* ---- counted plainly ---- */

static gboolean
is_lost (const History *history, guint64 time)
{
  for (guint i = 0; i < history->losses->len; i++) {
    const PenLoss *loss = &g_array_index (history->losses, PenLoss, i);

    if (loss->kind == PEN_LOSS_RECORDS && loss->from <= time && time <= loss->to)
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_loss_in (const History *history, guint64 from, guint64 to)
{
  for (guint i = 0; i < history->losses->len; i++) {
    const PenLoss *loss = &g_array_index (history->losses, PenLoss, i);

    if (loss->kind == PEN_LOSS_RECORDS && loss->from < to && loss->to >= from)
      return TRUE;
  }
  return FALSE;
}

/* How many tasks patched a site: as many rows share it, by task. */
static guint
count_tasks (const History *history, guint site)
{
  g_autoptr (GHashTable) pids = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < history->flips->len; i++) {
    const Flip *flip = &g_array_index (history->flips, Flip, i);

    if (flip->site == site)
      g_hash_table_add (pids, GINT_TO_POINTER (flip->pid));
  }
  return g_hash_table_size (pids);
}

/* Off and unknown are those of every row, or where many share a site, of those around.
 * @pid: of the row; 0: it is the only one at the site */
static PenCauseState
share (const History *history, guint site, PenCauseState state, gint32 pid, const Flip *p,
       const Flip *q)
{
  if (pid == 0 || (p && p->pid == pid) || (q && q->pid == pid)
      || count_tasks (history, site) <= PEN_CAUSE_SITE_ROWS)
    return state;
  return PEN_CAUSE_NONE;
}

/* @pid: of the row; 0: of all. @filter_pid: patches of others are nobody's */
static PenCauseState
get_state (const History *history, guint site, guint64 time, gint32 pid, gint32 filter_pid)
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
get_row_state (const History *history, const Plain *plain, guint64 time)
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
measure_plainly (const History *history, const Plain *plain, double seconds[PEN_CAUSE_STATES])
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
is_recorded (const History *history, guint64 time)
{
  for (guint i = 0; i < history->losses->len; i++) {
    const PenLoss *loss = &g_array_index (history->losses, PenLoss, i);

    if (loss->from < loss->to && loss->from <= time && time <= loss->to)
      return FALSE;
  }
  return TRUE;
}

static void
check_row (const History *history, const Plain *plain, const PenCauseRow *row)
{
  double seconds[PEN_CAUSE_STATES];
  guint64 samples[PEN_CAUSE_STATES] = { 0 };
  gboolean functions[N_FUNCTIONS] = { FALSE };
  guint64 flips = 0;

  for (guint i = 0; i < history->flips->len; i++) {
    const Flip *flip = &g_array_index (history->flips, Flip, i);

    flips += is_plain_flip (plain, flip) && flip->time >= plain->from && flip->time <= plain->to;
  }
  for (guint i = 0; i < N_SITES; i++)
    functions[i / N_PLACES] |= plain->sites[i];
  for (guint i = 0; i < history->hits->len; i++) {
    const Hit *hit = &g_array_index (history->hits, Hit, i);

    if (functions[hit->function] && hit->time >= plain->from && hit->time <= plain->to
        && (plain->filter_pid == 0 || plain->filter_pid == hit->pid)
        && is_recorded (history, hit->time))
      samples[get_row_state (history, plain, hit->time)]++;
  }
  measure_plainly (history, plain, seconds);
  g_assert_cmpuint (row->flips, ==, flips);
  g_assert_cmpuint (row->n_changes, ==, flips);
  g_assert_cmpfloat_with_epsilon (row->on_seconds, seconds[PEN_CAUSE_ON], 1e-6);
  g_assert_cmpfloat_with_epsilon (row->off_seconds, seconds[PEN_CAUSE_OFF], 1e-6);
  g_assert_cmpfloat_with_epsilon (row->unknown_seconds, seconds[PEN_CAUSE_UNSURE], 1e-6);
  g_assert_cmpuint (row->on.samples, ==, samples[PEN_CAUSE_ON]);
  g_assert_cmpuint (row->off.samples, ==, samples[PEN_CAUSE_OFF]);
}

/* The sites below a row, from the sites' own addresses. */
static void
collect_sites (const PenCauseTree *tree, const PenCauseRow *row, gboolean *sites)
{
  for (guint i = 0; i < N_SITES && row->level == 2; i++)
    sites[i] |= row->address == get_address (i);
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
check_tree (History *history, const PenFilter *filter, PenCauseGrouping grouping)
{
  g_autoptr (GError) error = NULL;
  const PenCauseOrder order = { .grouping = grouping };
  g_autoptr (PenCauseTree) tree = pen_query_causes (history->fixture.query, filter, &order, &error);
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
    check_row (history, &plain, row);
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
check_history (guint32 seed, guint n_tasks, gboolean with_losses)
{
  History history;
  g_autoptr (PenFilter) all = pen_filter_new ();
  g_autoptr (PenFilter) task = pen_filter_new ();
  const gint32 pid = 7;

  history_init (&history, seed, n_tasks, with_losses);
  task->only.pids = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_array_append_val (task->only.pids, pid);
  for (PenCauseGrouping by = 0; by < PEN_CAUSE_GROUPINGS; by++) {
    g_autoptr (PenFilter) time = pen_filter_new ();
    guint64 length = history.last - history.first;

    time->has_time = TRUE;
    time->from = history.first + length / 4 + draw (&history, MS);
    time->to = history.last - length / 4 - draw (&history, MS);
    check_tree (&history, all, by);
    check_tree (&history, task, by);
    check_tree (&history, time, by);
  }
  history_clear (&history);
}

static void
test_whole (void)
{
  for (guint32 seed = 1; seed <= 3; seed++)
    check_history (seed, 2, FALSE);
}

static void
test_losses (void)
{
  for (guint32 seed = 11; seed <= 13; seed++)
    check_history (seed, 2, TRUE);
}

/* So many that not all of them are given what nobody's patch was at. */
static void
test_many_tasks (void)
{
  History history;
  guint most = 0;

  history_init (&history, 31, 80, FALSE);
  for (guint i = 0; i < N_SITES; i++)
    most = MAX (most, count_tasks (&history, i));
  g_assert_cmpuint (most, >, PEN_CAUSE_SITE_ROWS);
  history_clear (&history);
  check_history (31, 80, FALSE);
}

/* ---- order and search ---- */

static PenCauseTree *
ask (History *history, PenCauseOrder order)
{
  g_autoptr (GError) error = NULL;
  PenCauseTree *tree = pen_query_causes (history->fixture.query, NULL, &order, &error);

  g_assert_no_error (error);
  return tree;
}

static void
test_order (void)
{
  History history;

  history_init (&history, 21, 2, FALSE);
  for (PenCauseSort sort = 0; sort < PEN_CAUSE_SORTS; sort++) {
    g_autoptr (PenCauseTree) tree
        = ask (&history, (PenCauseOrder){ PEN_CAUSES_BY_FUNCTION, sort, FALSE, NULL });
    g_autoptr (PenCauseTree) reversed
        = ask (&history, (PenCauseOrder){ PEN_CAUSES_BY_FUNCTION, sort, TRUE, NULL });

    g_assert_cmpuint (tree->rows->len, ==, reversed->rows->len);
    for (guint i = 1; i < tree->n_causes && sort == PEN_CAUSE_SORT_FLIPS; i++) {
      g_assert_cmpuint (pen_cause_tree_get (tree, i - 1)->flips, >=,
                        pen_cause_tree_get (tree, i)->flips);
      g_assert_cmpuint (pen_cause_tree_get (reversed, i - 1)->flips, <=,
                        pen_cause_tree_get (reversed, i)->flips);
    }
    for (guint i = 0; i < tree->rows->len; i++) {
      const PenCauseRow *row = pen_cause_tree_get (tree, i);

      for (guint k = 0; k < row->n_children; k++)
        g_assert_cmpuint (pen_cause_tree_get (tree, row->first_child + k)->parent, ==, i);
    }
  }
  history_clear (&history);
}

static void
test_search (void)
{
  History history;
  g_autoptr (PenCauseTree) one = NULL;
  g_autoptr (PenCauseTree) none = NULL;
  g_autoptr (PenCauseTree) cause = NULL;

  history_init (&history, 22, 2, FALSE);
  one = ask (&history, (PenCauseOrder){ PEN_CAUSES_BY_FUNCTION, 0, FALSE, "F3+0x28" });
  none = ask (&history, (PenCauseOrder){ PEN_CAUSES_BY_FUNCTION, 0, FALSE, "nothing" });
  cause = ask (&history, (PenCauseOrder){ PEN_CAUSES_BY_FUNCTION, 0, FALSE, "static key" });
  /* The site, its function, and its cause. */
  g_assert_cmpuint (one->rows->len, ==, 3);
  g_assert_cmpuint (pen_cause_tree_get (one, 0)->cause, ==, PEN_CAUSE_KPROBE);
  g_assert_cmpstr (pen_cause_tree_get (one, 2)->symbol, ==, "f3");
  g_assert_cmpuint (none->rows->len, ==, 0);
  g_assert_cmpuint (cause->n_causes, ==, 1);
  g_assert_cmpuint (cause->rows->len, ==, 1 + N_FUNCTIONS + 2 * N_FUNCTIONS);
  history_clear (&history);
}

static void
assert_same_rows (const PenCauseTree *a, const PenCauseTree *b)
{
  g_assert_cmpuint (a->rows->len, ==, b->rows->len);
  g_assert_cmpuint (a->n_causes, ==, b->n_causes);
  for (guint i = 0; i < a->rows->len; i++) {
    const PenCauseRow *x = pen_cause_tree_get (a, i);
    const PenCauseRow *y = pen_cause_tree_get (b, i);

    g_assert_cmpint (x->cause, ==, y->cause);
    g_assert_cmpstr (x->name, ==, y->name);
    g_assert_cmphex (x->address, ==, y->address);
    g_assert_cmpuint (x->parent, ==, y->parent);
    g_assert_cmpuint (x->first_child, ==, y->first_child);
    g_assert_cmpuint (x->n_children, ==, y->n_children);
    g_assert_cmpuint (x->first_change, ==, y->first_change);
    g_assert_cmpuint (x->n_changes, ==, y->n_changes);
  }
}

/* An answer in another order is that which the store would give, and shares what is alike. */
static void
test_reorder (void)
{
  static const char *const searches[] = { "", "F3", "nothing", NULL };
  History history;
  g_autoptr (PenCauseTree) tree = NULL;

  history_init (&history, 23, 2, FALSE);
  tree = ask (&history, (PenCauseOrder){ PEN_CAUSES_BY_FUNCTION, 0, FALSE, NULL });
  for (guint i = 0; i < PEN_CAUSE_SORTS * 2; i++) {
    const PenCauseOrder order
        = { PEN_CAUSES_BY_FUNCTION, i / 2, i % 2 == 1, searches[i % G_N_ELEMENTS (searches)] };
    g_autoptr (PenCauseTree) other = pen_cause_tree_reorder (tree, &order);
    g_autoptr (PenCauseTree) expected = ask (&history, order);

    assert_same_rows (other, expected);
    g_assert_true (other->changes == tree->changes);
    pen_cause_tree_free (tree);
    tree = g_steal_pointer (&other);
  }
  history_clear (&history);
}

/* ---- lanes ---- */

static void
test_union (void)
{
  static const PenCauseStretch parts[] = {
    { 10, 20, PEN_CAUSE_ON },       { 5, 30, PEN_CAUSE_OFF },  { 15, 25, PEN_CAUSE_UNSURE },
    { 40, 50, PEN_CAUSE_OFF },      { 50, 60, PEN_CAUSE_OFF }, { 18, 22, PEN_CAUSE_ON },
    { 100, 110, PEN_CAUSE_UNSURE },
  };
  static const PenCauseStretch expected[] = {
    { 5, 10, PEN_CAUSE_OFF },  { 10, 22, PEN_CAUSE_ON },  { 22, 25, PEN_CAUSE_UNSURE },
    { 25, 30, PEN_CAUSE_OFF }, { 40, 60, PEN_CAUSE_OFF }, { 100, 110, PEN_CAUSE_UNSURE },
  };
  g_autoptr (GArray) in = g_array_new (FALSE, FALSE, sizeof (PenCauseStretch));
  g_autoptr (GArray) out = g_array_new (FALSE, FALSE, sizeof (PenCauseStretch));

  g_array_append_vals (in, parts, G_N_ELEMENTS (parts));
  pen_lane_append_union (out, in);
  g_assert_cmpuint (out->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < out->len; i++) {
    const PenCauseStretch *stretch = &g_array_index (out, PenCauseStretch, i);

    g_assert_cmpuint (stretch->from, ==, expected[i].from);
    g_assert_cmpuint (stretch->to, ==, expected[i].to);
    g_assert_cmpuint (stretch->state, ==, expected[i].state);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/causes/whole", test_whole);
  g_test_add_func ("/causes/losses", test_losses);
  g_test_add_func ("/causes/many-tasks", test_many_tasks);
  g_test_add_func ("/causes/order", test_order);
  g_test_add_func ("/causes/search", test_search);
  g_test_add_func ("/causes/reorder", test_reorder);
  g_test_add_func ("/causes/union", test_union);
  return g_test_run ();
}
