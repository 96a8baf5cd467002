/* pen-sketch-picture.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sketch-picture.h"

#include "pen-query-bars.h"
#include "pen-store-pokes.h"

#include <math.h>

/* Before so much was read, nothing is known of the end. */
#define PART_MIN 0.02
/* An estimate of the end that differs by more is taken. */
#define DISAGREEMENT 0.2

/* ---- bars and losses ---- */

PenOutline *
pen_sketch_picture_new_outline (const PenSketch *sketch)
{
  GArray *bars = g_array_new (FALSE, FALSE, sizeof (PenBar));
  /* Nobody knows how long what is still there will be. */
  PenMoment open_end = sketch->is_read ? PEN_MOMENT_END : (PenMoment){ sketch->to, 0 };
  PenOutline *outline;
  guint n_lanes;

  for (guint i = 0; i < sketch->bars->len; i++) {
    const PenSketchBar *known = &g_array_index (sketch->bars, PenSketchBar, i);
    PenBar bar = {
      .tenure = {
        .id = i + 1,
        .kind = known->kind,
        .occupant = known->name,
        .name = known->name,
        .start = known->start,
        .end = known->end,
        .from = { known->from, 0 },
        .to = known->to < G_MAXUINT64 ? (PenMoment){ known->to, 0 } : open_end,
        .unverified_from = PEN_MOMENT_END,
      },
    };

    g_array_append_val (bars, bar);
  }
  n_lanes = pen_query_place_bars (bars);
  outline = pen_outline_new (NULL, bars, n_lanes, g_array_ref (sketch->losses),
                             g_array_new (FALSE, FALSE, sizeof (PenPokeTick)));
  for (guint i = 0; i < sketch->n_bins * PEN_CAUSES; i++) {
    if (sketch->patches[i] > 0)
      outline->causes |= 1u << i % PEN_CAUSES;
  }
  return outline;
}

/* ---- samples and patches ---- */

static double
get_bin_start (const PenSketch *sketch, guint bin)
{
  return (double) sketch->bins_from + ldexp (bin, (int) sketch->bin_shift);
}

/* Whole samples: what is left of one goes on to the next step, of the same kind. */
static void
spread_samples (const PenSketch *sketch, PenOverview *overview)
{
  double span = (double) (overview->to - overview->from);
  double width = ldexp (1, (int) sketch->bin_shift) * overview->n_bins / span;
  double sums[PEN_KINDS] = { 0 };
  double before[PEN_KINDS] = { 0 };
  guint step = 0;

  for (guint bin = 0; bin < sketch->n_bins; bin++) {
    const guint32 *counts = sketch->samples + (gsize) bin * PEN_KINDS;
    double from = (get_bin_start (sketch, bin) - (double) overview->from) * overview->n_bins / span;

    if (from + width < 0)
      continue;
    for (; step < overview->n_bins && step + 1 <= from + width; step++) {
      double part = CLAMP ((step + 1 - from) / width, 0, 1);

      for (guint kind = 0; kind < PEN_KINDS; kind++) {
        double sum = floor (sums[kind] + counts[kind] * part);

        overview->samples[(gsize) step * PEN_KINDS + kind] = (guint64) (sum - before[kind]);
        before[kind] = sum;
      }
    }
    for (guint kind = 0; kind < PEN_KINDS; kind++)
      sums[kind] += counts[kind];
  }
  for (guint kind = 0; kind < PEN_KINDS && step < overview->n_bins; kind++)
    overview->samples[(gsize) step * PEN_KINDS + kind]
        = (guint64) MAX (floor (sums[kind]) - before[kind], 0);
}

static void
add_marks (const PenSketch *sketch, PenOverview *overview)
{
  for (guint bin = 0; bin < sketch->n_bins; bin++) {
    for (guint cause = 0; cause < PEN_CAUSES; cause++) {
      PenPatchMark mark
          = { .count = sketch->patches[(gsize) bin * PEN_CAUSES + cause], .cause = cause };

      if (mark.count == 0)
        continue;
      /* Times are in it, so that it begins before the end of all times. */
      mark.first = MAX (sketch->bins_from + ((guint64) bin << sketch->bin_shift), overview->from);
      mark.last = mark.first;
      if (mark.first < overview->to)
        g_array_append_val (overview->marks, mark);
    }
  }
}

PenOverview *
pen_sketch_picture_new_overview (const PenSketch *sketch, PenSpan span, guint n_bins)
{
  PenOverview *overview = g_new0 (PenOverview, 1);

  overview->from = span.from;
  overview->to = MAX (span.to, span.from + 1);
  overview->n_bins = MAX (n_bins, 1);
  overview->samples = g_new0 (guint64, (gsize) overview->n_bins * PEN_KINDS);
  overview->marks = g_array_new (FALSE, FALSE, sizeof (PenPatchMark));
  spread_samples (sketch, overview);
  add_marks (sketch, overview);
  for (guint step = 0; step < overview->n_bins; step++) {
    guint64 sum = 0;

    for (guint kind = 0; kind < PEN_KINDS; kind++)
      sum += overview->samples[(gsize) step * PEN_KINDS + kind];
    overview->max_in_bin = MAX (overview->max_in_bin, sum);
    overview->total += sum;
  }
  return overview;
}

/* ---- how far it goes ---- */

PenSpan
pen_sketch_picture_get_span (const PenSketch *sketch, double part, PenSpan before)
{
  PenSpan span = { sketch->from, sketch->to + 1 };
  double length = (double) pen_span_length (span);
  double shown = (double) pen_span_length (before);

  if (sketch->to == 0)
    return sketch->has_expected ? (PenSpan){ sketch->expected_from, sketch->expected_to + 1 }
                                : (PenSpan){ 0, 0 };
  if (sketch->is_read)
    return span;
  if (sketch->has_expected) {
    span.from = MIN (span.from, sketch->expected_from);
    span.to = MAX (span.to, sketch->expected_to + 1);
    return span;
  }
  if (part < PART_MIN || part > 1)
    return span;
  length = MAX (length / part, length);
  if (before.from == span.from && before.to >= span.to
      && fabs (shown - length) < DISAGREEMENT * length)
    return before;
  span.to
      = length < (double) (G_MAXUINT64 - span.from) / 2 ? span.from + (guint64) length : span.to;
  return span;
}
