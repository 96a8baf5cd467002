/* pen-cause-counts.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-counts.h"

#include <math.h>

#include "pen-binary-search.h"
#include "pen-query-private.h"
#include "pen-recorded-time.h"
#include "pen-sample-walk.h"

/* Most sites have as few samples. */
#define INTERVALS 256

/* @times: of samples, by function, rising; NULL: not asked for, or none
 * @periods: of waits: ns off CPU of each function's, as @times; in the end of those before each,
 * and of all
 * @before: of each piece of the recorded time, how many ns of it there are before the piece
 * @intervals: of so many samples, where they were asked for: it takes long to find one */
struct _PenCauseCounts {
  PenQuery *query;
  guint n_functions;
  const guint8 *functions;
  GArray **times;
  GArray **periods;
  PenRecordedTime *recorded;
  guint64 *before;
  struct {
    double low, high;
    gboolean is_known;
  } intervals[INTERVALS];
};

/* ---- recorded time ---- */

static const PenPiece *
get_piece (const PenCauseCounts *self, guint i)
{
  return &g_array_index (self->recorded->pieces, PenPiece, i);
}

/* Recorded ns before @time. */
static guint64
measure_until (const PenCauseCounts *self, guint64 time)
{
  guint n = self->recorded->pieces->len;
  guint low = PEN_BINARY_SEARCH (i, 0, n, get_piece (self, i)->from < time);
  const PenPiece *piece;

  if (low == 0)
    return 0;
  piece = get_piece (self, low - 1);
  return self->before[low - 1] + MIN (time - 1, piece->to) - piece->from + 1;
}

static gboolean
is_recorded (const PenCauseCounts *self, guint64 time)
{
  guint n = self->recorded->pieces->len;
  guint low = PEN_BINARY_SEARCH (i, 0, n, get_piece (self, i)->to < time);

  return low < n && get_piece (self, low)->from <= time;
}

static void
add_up_pieces (PenCauseCounts *self)
{
  guint n = self->recorded->pieces->len;
  guint64 sum = 0;

  self->before = g_new (guint64, n + 1);
  for (guint i = 0; i < n; i++) {
    self->before[i] = sum;
    sum += get_piece (self, i)->to - get_piece (self, i)->from + 1;
  }
}

/* ---- samples ---- */

static void
append (GArray **array, guint64 number)
{
  if (!*array)
    *array = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_val (*array, number);
}

static gboolean
take_samples (const PenSampleBatch *batch, gpointer user_data, GError **error)
{
  PenCauseCounts *self = user_data;
  PenBucketFunctions *functions = self->query->bucket_functions;

  if (!pen_bucket_functions_learn (functions, batch->number, batch->block, error))
    return FALSE;
  for (guint i = 0; i < batch->n_rows; i++) {
    guint32 row = batch->rows[i];
    guint32 function = pen_bucket_functions_get (functions, batch->block->bucket[row]);

    if (function >= self->n_functions || !self->functions[function]
        || !(batch->block->has[row] & PEN_SAMPLE_HAS_TIME)
        || !is_recorded (self, batch->block->time[row]))
      continue;
    append (&self->times[function], batch->block->time[row]);
    if (self->periods)
      append (&self->periods[function], batch->block->period[row]);
  }
  return TRUE;
}

typedef struct {
  guint64 time; /* first, for pen_query_compare_times() */
  guint64 period;
} Wait;

static void
sort_waits (GArray *times, GArray *periods)
{
  g_autofree Wait *waits = g_new (Wait, times->len);

  for (guint i = 0; i < times->len; i++)
    waits[i] = (Wait){ g_array_index (times, guint64, i), g_array_index (periods, guint64, i) };
  qsort (waits, times->len, sizeof *waits, pen_query_compare_times);
  for (guint i = 0; i < times->len; i++) {
    g_array_index (times, guint64, i) = waits[i].time;
    g_array_index (periods, guint64, i) = waits[i].period;
  }
}

static void
add_up_periods (GArray *periods)
{
  guint64 sum = 0;

  for (guint i = 0; i < periods->len; i++) {
    guint64 period = g_array_index (periods, guint64, i);

    g_array_index (periods, guint64, i) = sum;
    sum += period;
  }
  g_array_append_val (periods, sum);
}

/* Blocks are in order of time, but for samples that a recorder marks. */
static void
sort_times (PenCauseCounts *self)
{
  for (guint i = 0; i < self->n_functions; i++) {
    GArray *times = self->times[i];
    gboolean is_sorted = TRUE;

    for (guint j = 1; times && j < times->len && is_sorted; j++)
      is_sorted = g_array_index (times, guint64, j - 1) <= g_array_index (times, guint64, j);
    if (!is_sorted && self->periods)
      sort_waits (times, self->periods[i]);
    else if (!is_sorted)
      g_array_sort (times, pen_query_compare_times);
    if (times && self->periods)
      add_up_periods (self->periods[i]);
  }
}

PenCauseCounts *
pen_cause_counts_new (PenQuery *query, const PenFilter *filter, const guint8 *functions,
                      GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (query, filter, error);
  g_autoptr (PenCauseCounts) self = g_new0 (PenCauseCounts, 1);
  guint64 from = filter->has_time ? filter->from : 0;
  guint64 to = filter->has_time ? filter->to : G_MAXUINT64;

  if (!matcher)
    return NULL;
  self->query = query;
  self->n_functions = query->n_functions;
  self->functions = functions;
  self->times = g_new0 (GArray *, self->n_functions + 1);
  if (pen_query_is_of_waits (query))
    self->periods = g_new0 (GArray *, self->n_functions + 1);
  self->recorded = pen_recorded_time_new (query, filter, error);
  if (!self->recorded)
    return NULL;
  add_up_pieces (self);
  if (!pen_query_scan (query, matcher, from, to, take_samples, self, error))
    return NULL;
  sort_times (self);
  return g_steal_pointer (&self);
}

void
pen_cause_counts_free (PenCauseCounts *self)
{
  for (guint i = 0; i < self->n_functions; i++) {
    g_clear_pointer (&self->times[i], g_array_unref);
    if (self->periods)
      g_clear_pointer (&self->periods[i], g_array_unref);
  }
  g_free (self->times);
  g_free (self->periods);
  g_clear_pointer (&self->recorded, pen_recorded_time_free);
  g_free (self->before);
  g_free (self);
}

/* ---- one row ---- */

/* Samples @first to @end - 1 of a function. */
static void
add_to_state (const PenCauseCounts *self, PenCauseRow *row, PenCauseState state, guint32 function,
              guint first, guint end)
{
  PenCauseRate *side = state == PEN_CAUSE_ON ? &row->on : state == PEN_CAUSE_OFF ? &row->off : NULL;

  if (!side)
    return;
  side->amount.n += end - first;
  if (self->periods)
    side->amount.period += g_array_index (self->periods[function], guint64, end)
                           - g_array_index (self->periods[function], guint64, first);
}

void
pen_cause_counts_add (const PenCauseCounts *self, guint32 function,
                      const PenCauseStretch *stretches, guint n, PenCauseRow *row)
{
  const GArray *array = function < self->n_functions ? self->times[function] : NULL;
  const guint64 *times = array ? (const guint64 *) (gpointer) array->data : NULL;
  guint n_times = array ? array->len : 0;

  if (n <= n_times) {
    for (guint s = 0; s < n; s++) {
      guint low = PEN_BINARY_SEARCH (i, 0, n_times, times[i] < stretches[s].from);
      guint high = PEN_BINARY_SEARCH (j, low, n_times, times[j] < stretches[s].to);

      add_to_state (self, row, stretches[s].state, function, low, high);
    }
    return;
  }
  for (guint t = 0; t < n_times; t++) {
    guint after = PEN_BINARY_SEARCH (i, 0, n, stretches[i].to <= times[t]);

    if (after < n && stretches[after].from <= times[t])
      add_to_state (self, row, stretches[after].state, function, t, t + 1);
  }
}

guint64
pen_cause_counts_get (const PenCauseCounts *self, guint32 function)
{
  if (function >= self->n_functions || !self->times[function])
    return 0;
  return self->periods
             ? g_array_index (self->periods[function], guint64, self->times[function]->len)
             : self->times[function]->len;
}

void
pen_cause_rate_finish (PenCauseRate *self)
{
  self->rate = self->low = self->high = NAN;
  if (!(self->seconds > 0))
    return;
  if (self->amount.population == PEN_POPULATION_WAITS) {
    self->rate = (double) self->amount.period / 1e9 / self->seconds;
    return;
  }
  pen_poisson_interval (self->amount.n, &self->low, &self->high);
  self->rate = (double) self->amount.n / self->seconds;
  self->low /= self->seconds;
  self->high /= self->seconds;
}

/* The same; most rows have few samples, as others have. */
static void
rate (PenCauseCounts *self, PenCauseRate *side)
{
  guint64 n = side->amount.n;

  side->amount.population = pen_store_get_population (self->query->store);
  if (self->periods || n >= INTERVALS || !(side->seconds > 0)) {
    pen_cause_rate_finish (side);
    return;
  }
  if (!self->intervals[n].is_known)
    pen_poisson_interval (n, &self->intervals[n].low, &self->intervals[n].high);
  self->intervals[n].is_known = TRUE;
  side->rate = (double) n / side->seconds;
  side->low = self->intervals[n].low / side->seconds;
  side->high = self->intervals[n].high / side->seconds;
}

static void
judge (PenCauseRow *row)
{
  row->verdict = PEN_VERDICT_UNKNOWN;
  row->test = (PenRateTest){ NAN, NAN, NAN, NAN };
  if (!(row->on.seconds > 0) || !(row->off.seconds > 0))
    return;
  if (row->on.amount.population == PEN_POPULATION_WAITS) {
    if (row->off.rate > 0)
      row->test.ratio = row->on.rate / row->off.rate;
    return;
  }
  row->test = pen_poisson_compare (row->off.amount.n, row->off.seconds, row->on.amount.n,
                                   row->on.seconds);
  if (!(row->test.p < PEN_POISSON_ALPHA))
    row->verdict = PEN_VERDICT_ALIKE;
  else
    row->verdict = row->test.ratio > 1 ? PEN_VERDICT_MORE : PEN_VERDICT_LESS;
}

void
pen_cause_counts_finish (PenCauseCounts *self, const PenCauseStretch *stretches, guint n,
                         PenCauseRow *row)
{
  for (guint i = 0; i < n; i++) {
    const PenCauseStretch *stretch = &stretches[i];
    double seconds = (double) (stretch->to - stretch->from) / 1e9;
    double recorded
        = (double) (measure_until (self, stretch->to) - measure_until (self, stretch->from)) / 1e9;

    if (stretch->state == PEN_CAUSE_ON) {
      row->on_seconds += seconds;
      row->on.seconds += recorded;
    } else if (stretch->state == PEN_CAUSE_OFF) {
      row->off_seconds += seconds;
      row->off.seconds += recorded;
    } else {
      row->unknown_seconds += seconds;
    }
  }
  rate (self, &row->on);
  rate (self, &row->off);
  judge (row);
}
