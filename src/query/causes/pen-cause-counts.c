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
 * @before: of each piece of the recorded time, how many ns of it there are before the piece
 * @intervals: of so many samples, where they were asked for: it takes long to find one */
struct _PenCauseCounts {
  PenQuery *query;
  guint n_functions;
  const guint8 *functions;
  GArray **times;
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
    if (!self->times[function])
      self->times[function] = g_array_new (FALSE, FALSE, sizeof (guint64));
    g_array_append_val (self->times[function], batch->block->time[row]);
  }
  return TRUE;
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
    if (!is_sorted)
      g_array_sort (times, pen_query_compare_times);
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
  for (guint i = 0; i < self->n_functions; i++)
    g_clear_pointer (&self->times[i], g_array_unref);
  g_free (self->times);
  g_clear_pointer (&self->recorded, pen_recorded_time_free);
  g_free (self->before);
  g_free (self);
}

/* ---- one row ---- */

static void
add_to_state (PenCauseRow *row, PenCauseState state, guint64 n)
{
  if (state == PEN_CAUSE_ON)
    row->on.samples += n;
  else if (state == PEN_CAUSE_OFF)
    row->off.samples += n;
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

      add_to_state (row, stretches[s].state, high - low);
    }
    return;
  }
  for (guint t = 0; t < n_times; t++) {
    guint after = PEN_BINARY_SEARCH (i, 0, n, stretches[i].to <= times[t]);

    if (after < n && stretches[after].from <= times[t])
      add_to_state (row, stretches[after].state, 1);
  }
}

guint64
pen_cause_counts_get_samples (const PenCauseCounts *self, guint32 function)
{
  return function < self->n_functions && self->times[function] ? self->times[function]->len : 0;
}

static void
find_interval (PenCauseCounts *self, guint64 samples, double *low, double *high)
{
  if (samples >= INTERVALS) {
    pen_poisson_interval (samples, low, high);
    return;
  }
  if (!self->intervals[samples].is_known)
    pen_poisson_interval (samples, &self->intervals[samples].low, &self->intervals[samples].high);
  self->intervals[samples].is_known = TRUE;
  *low = self->intervals[samples].low;
  *high = self->intervals[samples].high;
}

static void
rate (PenCauseCounts *self, PenCauseRate *side)
{
  side->rate = side->low = side->high = NAN;
  if (side->seconds <= 0)
    return;
  find_interval (self, side->samples, &side->low, &side->high);
  side->rate = (double) side->samples / side->seconds;
  side->low /= side->seconds;
  side->high /= side->seconds;
}

static void
judge (PenCauseRow *row)
{
  row->verdict = PEN_VERDICT_UNKNOWN;
  row->test = (PenRateTest){ NAN, NAN, NAN, NAN };
  if (row->on.seconds <= 0 || row->off.seconds <= 0)
    return;
  row->test
      = pen_poisson_compare (row->off.samples, row->off.seconds, row->on.samples, row->on.seconds);
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
