/* pen-query-verdict.c: did it get slower? Samples of a place while each cause was on, and while off
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-verdict.h"

#include <math.h>

#include "pen-binary-search.h"
#include "pen-compare.h"
#include "pen-mean-ratio.h"
#include "pen-patched-place.h"
#include "pen-store-records.h"
#include "pen-table-hash.h"
#include "pen-text-causes.h"
#include "pen-verdict-patchers.h"
#include "pen-verdict-tasks.h"

/* Causes that are looked at for what else was on meanwhile, and for tasks. */
#define OVERLAP_CAUSES 8
#define TASK_CAUSES 2
/* The least difference between the parts of both phases that is worth a sentence. */
#define OVERLAP_MIN 0.25

static const char *const state_words[PEN_TEXT_STATES] = {
  [PEN_TEXT_UNKNOWN] = "unknown",
  [PEN_TEXT_OFF] = "off",
  [PEN_TEXT_ON] = "on",
  [PEN_TEXT_OTHER] = "other",
};

const char *
pen_text_state_to_string (PenTextState state)
{
  g_return_val_if_fail (state < PEN_TEXT_STATES, NULL);
  return state_words[state];
}

static void
free_cause (gpointer data)
{
  PenVerdictCause *self = data;

  g_free (self->key);
  g_free (self->target);
  g_free (self->user);
  g_ptr_array_unref (self->tasks);
  g_free (self);
}

void
pen_verdict_report_free (PenVerdictReport *self)
{
  g_free (self->symbol);
  g_free (self->event);
  g_ptr_array_unref (self->patchers);
  g_ptr_array_unref (self->causes);
  g_free (self);
}

/* ---- stretches, and the causes' turns over them ---- */

/* Sums of the stretches before one. */
typedef struct {
  double seconds;
  double lost;
  guint64 samples;
  guint64 period;
  guint64 all;
} Sum;

/*
 * @turns: (element-type PenTextCause)
 * @stretches: (element-type PenStretch): from each turn of any cause to the next one of any
 * @sums: one more than @stretches
 */
typedef struct {
  PenPatchedPlace *place;
  PenVerdictReport *report;
  GPtrArray *turns;
  GArray *stretches;
  Sum *sums;
} Judging;

static void
judging_clear (Judging *self)
{
  g_clear_pointer (&self->turns, g_ptr_array_unref);
  g_clear_pointer (&self->stretches, g_array_unref);
  g_clear_pointer (&self->sums, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Judging, judging_clear)

static gboolean
find_turns (Judging *self, GError **error)
{
  PenStore *store = self->place->query->store;
  g_autoptr (GArray) losses = pen_store_load_losses (store, error);
  GError *failure = NULL;
  const PenBatch *batches;
  guint n_batches = 0;

  if (!losses)
    return FALSE;
  batches = pen_store_get_batches (store, &n_batches, &failure);
  if (failure) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  self->turns = pen_text_causes_new (self->place->pokes, self->place->holds, losses, batches,
                                     batches ? n_batches : 0);
  return TRUE;
}

/* The times of all turns, each once. */
static GArray *
list_edges (const Judging *self)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (guint64));
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint i = 0; i < self->turns->len; i++) {
    const GArray *turns = ((const PenTextCause *) self->turns->pdata[i])->turns;

    for (guint k = 0; k < turns->len; k++)
      g_array_append_val (times, g_array_index (turns, PenTextTurn, k).time);
  }
  g_array_sort (times, pen_compare_u64);
  for (guint i = 0; i < times->len; i++) {
    guint64 time = g_array_index (times, guint64, i);

    if (time > (edges->len > 0 ? g_array_index (edges, guint64, edges->len - 1) : 0))
      g_array_append_val (edges, time);
  }
  return edges;
}

static gboolean
count_stretches (Judging *self, GError **error)
{
  g_autoptr (GArray) edges = list_edges (self);

  self->stretches = pen_patched_place_count (self->place, edges, error);
  if (!self->stretches)
    return FALSE;
  self->sums = g_new0 (Sum, self->stretches->len + 1);
  for (guint i = 0; i < self->stretches->len; i++) {
    const PenStretch *stretch = &g_array_index (self->stretches, PenStretch, i);
    const Sum *sum = &self->sums[i];

    self->sums[i + 1] = (Sum){ sum->seconds + stretch->seconds, sum->lost + stretch->lost,
                               sum->samples + stretch->samples, sum->period + stretch->period,
                               sum->all + stretch->all };
  }
  return TRUE;
}

/* The first stretch that begins at @time: there is one. */
static guint
find_stretch (const Judging *self, guint64 time)
{
  const GArray *stretches = self->stretches;

  return PEN_BINARY_SEARCH (i, 0, stretches->len,
                            g_array_index (stretches, PenStretch, i).from < time);
}

/* The stretches [@first, @end) of turn @k. */
static PenTextState
get_turn (const Judging *self, const PenTextCause *cause, guint k, guint *first, guint *end)
{
  const PenTextTurn *turn = &g_array_index (cause->turns, PenTextTurn, k);

  *first = find_stretch (self, turn->time);
  *end = k + 1 < cause->turns->len ? find_stretch (self, turn[1].time) : self->stretches->len;
  return turn->state;
}

/* ---- phases ---- */

static void
add_to_phase (const Judging *self, PenPhase *phase, guint first, guint end)
{
  const Sum *from = &self->sums[first], *to = &self->sums[end];

  phase->rate.lost += to->lost - from->lost;
  if (to->seconds <= from->seconds)
    return;
  phase->stretches++;
  phase->rate.seconds += to->seconds - from->seconds;
  phase->rate.samples += to->samples - from->samples;
  phase->period += to->period - from->period;
  phase->all += to->all - from->all;
}

static void
finish_phase (PenPhase *phase)
{
  pen_rate_find_interval (&phase->rate);
  phase->rate.share = phase->all > 0 ? (double) phase->rate.samples / (double) phase->all : NAN;
}

/* Each stretch of a phase against the rest of it: one that differs is enough. */
static gboolean
is_uneven (const Judging *self, const PenTextCause *cause, PenTextState state,
           const PenPhase *phase)
{
  double level = PEN_POISSON_ALPHA / MAX (phase->stretches, 1);

  for (guint k = 0; phase->stretches > 1 && k < cause->turns->len; k++) {
    guint first, end;

    if (get_turn (self, cause, k, &first, &end) != state)
      continue;

    double seconds = self->sums[end].seconds - self->sums[first].seconds;
    guint64 samples = self->sums[end].samples - self->sums[first].samples;
    double rest = phase->rate.seconds - seconds;

    if (seconds > 1e-9 && rest > 1e-9
        && pen_poisson_test (phase->rate.samples - samples, rest, samples, seconds) < level)
      return TRUE;
  }
  return FALSE;
}

/* ---- verdicts ---- */

static PenVerdict
judge (PenRateTest *test, guint64 off, double off_size, guint64 on, double on_size, double level)
{
  *test = (PenRateTest){ NAN, NAN, NAN, NAN };
  if (off_size <= 0 || on_size <= 0)
    return PEN_VERDICT_UNKNOWN;
  *test = pen_poisson_compare_at (off, off_size, on, on_size, level);
  if (test->p >= level)
    return PEN_VERDICT_ALIKE;
  return test->ratio > 1 ? PEN_VERDICT_MORE : PEN_VERDICT_LESS;
}

void
pen_two_phases_judge (PenTwoPhases *self, double level)
{
  PenPhase *off = &self->phases[PEN_TEXT_OFF], *on = &self->phases[PEN_TEXT_ON];
  /* Where the filter leaves the place alone, its share says nothing. */
  gboolean has_others = off->all > off->rate.samples || on->all > on->rate.samples;

  for (guint i = 0; i < PEN_TEXT_STATES; i++)
    finish_phase (&self->phases[i]);
  self->rate = judge (&self->rate_test, off->rate.samples, off->rate.seconds, on->rate.samples,
                      on->rate.seconds, level);
  self->share = judge (&self->share_test, off->rate.samples, has_others ? (double) off->all : 0,
                       on->rate.samples, (double) on->all, level);
}

static PenVerdictCause *
judge_cause (const Judging *self, const PenTextCause *turns, double level)
{
  PenVerdictCause *cause = g_new0 (PenVerdictCause, 1);
  guint first, end;

  cause->cause = turns->cause;
  cause->address = turns->address;
  cause->sites = turns->sites;
  cause->pokes = turns->pokes;
  cause->is_switch = turns->is_switch;
  cause->key = g_strdup (turns->key);
  cause->target = turns->on ? g_strdup (turns->on->after.target) : NULL;
  cause->user = turns->on ? g_strdup (turns->on->after.user) : NULL;
  cause->period_test = (PenRateTest){ NAN, NAN, NAN, NAN };
  cause->overlap = -1;
  cause->tasks = g_ptr_array_new_with_free_func (pen_verdict_task_free);
  for (guint k = 0; k < turns->turns->len; k++) {
    PenTextState state = get_turn (self, turns, k, &first, &end);

    add_to_phase (self, &cause->two.phases[state], first, end);
  }
  pen_two_phases_judge (&cause->two, level);
  for (guint i = 0; i < PEN_TEXT_STATES; i++)
    cause->two.phases[i].is_uneven = is_uneven (self, turns, i, &cause->two.phases[i]);
  return cause;
}

/* ---- which first ---- */

typedef struct {
  PenVerdictCause *cause;
  PenTextCause *turns;
} Judged;

static double
get_weight (const PenVerdictCause *cause)
{
  double rate = isnan (cause->two.rate_test.p) ? 2 : cause->two.rate_test.p;
  double share = isnan (cause->two.share_test.p) ? 2 : cause->two.share_test.p;

  return MIN (rate, share);
}

static int
compare_judged (gconstpointer a, gconstpointer b)
{
  const Judged *x = a, *y = b;
  double first = get_weight (x->cause), second = get_weight (y->cause);

  if (first < second || first > second)
    return first < second ? -1 : 1;
  return PEN_COMPARE (x->cause->address, y->cause->address);
}

/* The causes of the report, and their turns in the same order. */
static void
judge_causes (Judging *self)
{
  g_autoptr (GArray) judged = g_array_new (FALSE, FALSE, sizeof (Judged));
  double level = PEN_POISSON_ALPHA / MAX (self->turns->len, 1);

  for (guint i = 0; i < self->turns->len; i++) {
    Judged one = { NULL, self->turns->pdata[i] };

    one.cause = judge_cause (self, one.turns, level);
    g_array_append_val (judged, one);
  }
  g_array_sort (judged, compare_judged);
  for (guint i = 0; i < judged->len; i++) {
    self->turns->pdata[i] = g_array_index (judged, Judged, i).turns;
    g_ptr_array_add (self->report->causes, g_array_index (judged, Judged, i).cause);
  }
}

/* ---- what else was on ---- */

/* Seconds in which @cause was in each state while @other was on. */
static void
sum_overlap (const Judging *self, const PenTextCause *cause, const PenTextCause *other,
             double seconds[PEN_TEXT_STATES])
{
  guint i = 0, k = 0, first, end, other_first, other_end;

  while (i < cause->turns->len && k < other->turns->len) {
    PenTextState state = get_turn (self, cause, i, &first, &end);
    PenTextState other_state = get_turn (self, other, k, &other_first, &other_end);
    guint from = MAX (first, other_first), to = MIN (end, other_end);

    if (other_state == PEN_TEXT_ON && from < to)
      seconds[state] += self->sums[to].seconds - self->sums[from].seconds;
    if (end <= other_end)
      i++;
    else
      k++;
  }
}

static void
find_overlap (Judging *self, guint index)
{
  PenVerdictCause *cause = self->report->causes->pdata[index];
  double on = cause->two.phases[PEN_TEXT_ON].rate.seconds;
  double off = cause->two.phases[PEN_TEXT_OFF].rate.seconds;
  double most = OVERLAP_MIN;

  for (guint i = 0; i < MIN (self->turns->len, OVERLAP_CAUSES) && on > 0 && off > 0; i++) {
    double seconds[PEN_TEXT_STATES] = { 0 };
    double difference;

    if (i == index)
      continue;
    sum_overlap (self, self->turns->pdata[index], self->turns->pdata[i], seconds);
    difference = fabs (seconds[PEN_TEXT_ON] / on - seconds[PEN_TEXT_OFF] / off);
    if (difference <= most)
      continue;
    most = difference;
    cause->overlap = (int) i;
    cause->overlap_on = seconds[PEN_TEXT_ON] / on;
    cause->overlap_off = seconds[PEN_TEXT_OFF] / off;
  }
}

/* ---- time ---- */

static gboolean
is_tracing (PenCause cause)
{
  return cause == PEN_CAUSE_FTRACE || cause == PEN_CAUSE_KPROBE || cause == PEN_CAUSE_BPF
         || cause == PEN_CAUSE_LIVEPATCH;
}

/* Adds to each stretch where @state begins, and takes away where it ends. */
static void
mark_turns (const Judging *self, const PenTextCause *cause, PenTextState state, int *marks)
{
  for (guint k = 0; k < cause->turns->len; k++) {
    guint first, end;

    if (get_turn (self, cause, k, &first, &end) != state)
      continue;
    marks[first]++;
    marks[end]--;
  }
}

static void
sum_time (Judging *self)
{
  guint n = self->stretches->len;
  g_autofree int *on = g_new0 (int, n + 1);
  g_autofree int *traced = g_new0 (int, n + 1);
  g_autofree int *unknown = g_new0 (int, n + 1);
  int n_on = 0, n_traced = 0, n_unknown = 0;

  for (guint i = 0; i < self->turns->len; i++) {
    const PenTextCause *cause = self->turns->pdata[i];

    mark_turns (self, cause, PEN_TEXT_ON, on);
    mark_turns (self, cause, PEN_TEXT_UNKNOWN, unknown);
    if (is_tracing (cause->cause))
      mark_turns (self, cause, PEN_TEXT_ON, traced);
  }
  for (guint i = 0; i < n; i++) {
    double seconds = g_array_index (self->stretches, PenStretch, i).seconds;

    n_on += on[i];
    n_traced += traced[i];
    n_unknown += unknown[i];
    self->report->recorded += seconds;
    self->report->known += n_on > 0 || n_unknown == 0 ? seconds : 0;
    self->report->patched += n_on > 0 ? seconds : 0;
    self->report->traced += n_traced > 0 ? seconds : 0;
  }
}

/* ---- periods ---- */

/* The event of all samples of the place, or -1. */
static int
find_event (const PenBucketSet *set)
{
  int event = -1;

  for (guint i = 0; i < set->buckets->len; i++) {
    const PenBucket *bucket = pen_bucket_set_get (set, i);

    if (event >= 0 && bucket->event != event)
      return -1;
    event = bucket->event;
  }
  return event;
}

static gboolean
has_varying_periods (const Judging *self)
{
  const Sum *all = &self->sums[self->stretches->len];

  if (all->samples == 0 || all->period == 0)
    return FALSE;
  for (guint i = 0; i < self->stretches->len; i++) {
    const PenStretch *stretch = &g_array_index (self->stretches, PenStretch, i);
    double mean = (double) all->period / (double) all->samples;

    if (fabs ((double) stretch->period - mean * (double) stretch->samples) > 0.5)
      return TRUE;
  }
  return FALSE;
}

static void
name_event (Judging *self)
{
  GPtrArray *events = pen_store_get_events (self->place->query->store);
  int index = find_event (self->place->set);

  if (index >= 0 && (guint) index < events->len && has_varying_periods (self))
    self->report->event = g_strdup (((const PenStoreEvent *) events->pdata[index])->name);
}

/* The parts of a phase: its stretches with samples. */
static GArray *
list_parts (const Judging *self, const PenTextCause *cause, PenTextState state)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (PenMeanPart));

  for (guint k = 0; k < cause->turns->len; k++) {
    guint first, end;
    PenMeanPart part;

    if (get_turn (self, cause, k, &first, &end) != state)
      continue;
    part.sum = (double) (self->sums[end].period - self->sums[first].period);
    part.n = (double) (self->sums[end].samples - self->sums[first].samples);
    if (part.n > 0)
      g_array_append_val (parts, part);
  }
  return parts;
}

static void
judge_periods (const Judging *self)
{
  double level = PEN_POISSON_ALPHA / MAX (self->turns->len, 1);

  for (guint i = 0; i < self->report->causes->len; i++) {
    PenVerdictCause *cause = self->report->causes->pdata[i];
    g_autoptr (GArray) off = list_parts (self, self->turns->pdata[i], PEN_TEXT_OFF);
    g_autoptr (GArray) on = list_parts (self, self->turns->pdata[i], PEN_TEXT_ON);

    cause->period_test
        = pen_mean_ratio_compare ((const PenMeanPart *) (gpointer) off->data, off->len,
                                  (const PenMeanPart *) (gpointer) on->data, on->len, level);
  }
}

/* ---- the questions ---- */

static PenVerdictReport *
report_on (PenPatchedPlace *place, GError **error)
{
  g_autoptr (PenVerdictReport) report = g_new0 (PenVerdictReport, 1);
  g_auto (Judging) judging = { .place = place, .report = report };

  report->symbol = g_strdup (place->symbol);
  report->start = place->start;
  report->end = place->end;
  report->patchers = g_ptr_array_new_with_free_func (g_free);
  report->causes = g_ptr_array_new_with_free_func (free_cause);
  if (place->pokes->len == 0)
    return g_steal_pointer (&report);
  report->is_coarse = place->time->is_coarse;
  if (!find_turns (&judging, error) || !count_stretches (&judging, error))
    return NULL;
  judge_causes (&judging);
  for (guint i = 0; i < MIN (report->causes->len, OVERLAP_CAUSES); i++)
    find_overlap (&judging, i);
  sum_time (&judging);
  name_event (&judging);
  if (report->event)
    judge_periods (&judging);
  pen_verdict_list_patchers (place, report->patchers);
  for (guint i = 0; i < MIN (report->causes->len, TASK_CAUSES); i++) {
    if (!pen_verdict_tasks_load (place, judging.turns->pdata[i], report->causes->pdata[i],
                                 &report->stride, error))
      return NULL;
  }
  return g_steal_pointer (&report);
}

PenVerdictReport *
pen_query_verdict_of_function (PenQuery *self, const PenFilter *filter, guint32 function,
                               GError **error)
{
  g_autoptr (PenPatchedPlace) place
      = pen_patched_place_new_of_function (self, filter, function, error);

  return place ? report_on (place, error) : NULL;
}

PenVerdictReport *
pen_query_verdict_of_address (PenQuery *self, const PenFilter *filter, guint64 address,
                              GError **error)
{
  g_autoptr (PenPatchedPlace) place
      = pen_patched_place_new_of_address (self, filter, address, error);

  return place ? report_on (place, error) : NULL;
}
