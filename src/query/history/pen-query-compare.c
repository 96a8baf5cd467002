/* pen-query-compare.c: before and after a change: did it make a difference?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-compare.h"

#include <math.h>

#include "pen-patched-place.h"

static const char *const verdict_words[PEN_VERDICTS] = {
  [PEN_VERDICT_UNKNOWN] = "unknown",
  [PEN_VERDICT_ALIKE] = "alike",
  [PEN_VERDICT_MORE] = "more",
  [PEN_VERDICT_LESS] = "less",
};

const char *
pen_verdict_to_string (PenVerdict verdict)
{
  g_return_val_if_fail (verdict < PEN_VERDICTS, NULL);
  return verdict_words[verdict];
}

void
pen_comparisons_free (PenComparisons *self)
{
  g_free (self->symbol);
  g_array_unref (self->rows);
  g_free (self);
}

/* ---- rates ---- */

void
pen_rate_find_interval (PenRate *rate)
{
  rate->rate = rate->low = rate->high = NAN;
  if (rate->seconds <= 0)
    return;
  pen_poisson_interval (rate->samples, &rate->low, &rate->high);
  rate->rate = (double) rate->samples / rate->seconds;
  rate->low /= rate->seconds;
  rate->high /= rate->seconds;
}

static PenRate
get_rate (const PenStretch *stretch)
{
  PenRate rate
      = { .samples = stretch->samples,
          .seconds = stretch->seconds,
          .lost = stretch->lost,
          .share = stretch->all > 0 ? (double) stretch->samples / (double) stretch->all : NAN };

  pen_rate_find_interval (&rate);
  return rate;
}

static void
judge (PenComparison *row)
{
  row->verdict = PEN_VERDICT_UNKNOWN;
  row->test = (PenRateTest){ NAN, NAN, NAN, NAN };
  if (row->before.seconds <= 0 || row->after.seconds <= 0)
    return;
  row->test = pen_poisson_compare (row->before.samples, row->before.seconds, row->after.samples,
                                   row->after.seconds);
  if (row->test.p >= PEN_POISSON_ALPHA)
    row->verdict = PEN_VERDICT_ALIKE;
  else
    row->verdict = row->test.ratio > 1 ? PEN_VERDICT_MORE : PEN_VERDICT_LESS;
}

/* ---- changes ---- */

static void
add_change (GArray *rows, const PenPoke *stored)
{
  PenComparison *last = rows->len > 0 ? &g_array_index (rows, PenComparison, rows->len - 1) : NULL;
  guint64 time = stored->moment.time;
  PenComparison row = { .number = rows->len + 1,
                        .from = time,
                        .to = time,
                        .first_poke = stored->id,
                        .n_pokes = 1,
                        .batch = stored->batch,
                        .cause = stored->cause };

  if (last && stored->batch != 0 && last->batch == stored->batch) {
    last->to = time;
    last->n_pokes++;
    return;
  }
  g_array_append_val (rows, row);
}

/* Each stretch between two changes is one's after and the next one's before; the time from the
 * first to the last poke of a change is neither. */
static gboolean
measure_all (const PenPatchedPlace *place, GArray *rows, GError **error)
{
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) stretches = NULL;
  guint at = 0;

  for (guint i = 0; i < rows->len; i++) {
    const PenComparison *row = &g_array_index (rows, PenComparison, i);

    g_array_append_val (edges, row->from);
    if (row->to > row->from)
      g_array_append_val (edges, row->to);
  }
  stretches = pen_patched_place_count (place, edges, error);
  if (!stretches)
    return FALSE;
  for (guint i = 0; i < rows->len; i++) {
    PenComparison *row = &g_array_index (rows, PenComparison, i);

    row->before = get_rate (&g_array_index (stretches, PenStretch, at));
    at += row->to > row->from ? 2 : 1;
    row->after = get_rate (&g_array_index (stretches, PenStretch, at));
    judge (row);
  }
  return TRUE;
}

/* ---- the questions ---- */

static PenComparisons *
compare_place (PenPatchedPlace *place, GError **error)
{
  g_autoptr (PenComparisons) self = g_new0 (PenComparisons, 1);

  self->symbol = g_steal_pointer (&place->symbol);
  self->start = place->start;
  self->end = place->end;
  self->rows = g_array_new (FALSE, TRUE, sizeof (PenComparison));
  if (place->pokes->len == 0)
    return g_steal_pointer (&self);
  self->is_coarse = place->time->is_coarse;
  for (guint i = 0; i < place->pokes->len; i++)
    add_change (self->rows, &g_array_index (place->pokes, PenPoke, i));
  return measure_all (place, self->rows, error) ? g_steal_pointer (&self) : NULL;
}

PenComparisons *
pen_query_compare_function (PenQuery *self, const PenFilter *filter, guint32 id, GError **error)
{
  g_autoptr (PenPatchedPlace) place = pen_patched_place_new_of_function (self, filter, id, error);

  return place ? compare_place (place, error) : NULL;
}

PenComparisons *
pen_query_compare_address (PenQuery *self, const PenFilter *filter, guint64 address, GError **error)
{
  g_autoptr (PenPatchedPlace) place
      = pen_patched_place_new_of_address (self, filter, address, error);

  return place ? compare_place (place, error) : NULL;
}
