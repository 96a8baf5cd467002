/* pen-span.c: a stretch of time, and its place on a line of pixels
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-span.h"

double
pen_span_position (PenSpan span, guint64 time)
{
  guint64 length = MAX (pen_span_length (span), 1);

  if (time >= span.from)
    return (double) (time - span.from) / (double) length;
  return -((double) (span.from - time) / (double) length);
}

guint64
pen_span_time_at (PenSpan span, double position)
{
  guint64 length = pen_span_length (span);
  double distance = position * (double) length;

  if (!(distance > 0))
    return span.from;
  if (distance >= (double) length)
    return span.to;
  return span.from + (guint64) distance;
}

PenSpan
pen_span_clamp (PenSpan span, PenSpan bounds)
{
  guint64 shortest = MIN ((guint64) PEN_SPAN_SHORTEST, pen_span_length (bounds));
  guint64 length = CLAMP (pen_span_length (span), shortest, pen_span_length (bounds));

  if (span.from < bounds.from)
    span.from = bounds.from;
  if (span.from > bounds.to - length)
    span.from = bounds.to - length;
  span.to = span.from + length;
  return span;
}

PenSpan
pen_span_zoom (PenSpan span, guint64 anchor, double factor, PenSpan bounds)
{
  double length = (double) pen_span_length (span);
  double position = CLAMP (pen_span_position (span, anchor), 0, 1);
  double wanted = length * factor;
  double most = (double) pen_span_length (bounds);
  PenSpan zoomed;

  if (wanted >= most)
    return bounds;

  wanted = MAX (wanted, MIN ((double) PEN_SPAN_SHORTEST, most));
  anchor = CLAMP (anchor, span.from, span.to);
  zoomed.from = anchor - MIN (anchor - bounds.from, (guint64) (position * wanted));
  zoomed.to = zoomed.from + (guint64) wanted;
  return pen_span_clamp (zoomed, bounds);
}

PenSpan
pen_span_pan (PenSpan span, double fraction, PenSpan bounds)
{
  double wanted = (double) pen_span_length (span) * ABS (fraction);
  guint64 room = fraction < 0 ? span.from - bounds.from : bounds.to - span.to;
  /* Before it is a whole number: there are fractions that stand for all the way. */
  guint64 distance = wanted >= (double) room ? room : (guint64) wanted;

  if (fraction < 0)
    return (PenSpan){ span.from - distance, span.to - distance };
  return (PenSpan){ span.from + distance, span.to + distance };
}

guint64
pen_span_step (PenSpan span, guint n_max)
{
  static const guint8 steps[] = { 1, 2, 5 };
  guint64 wanted = pen_span_length (span) / MAX (n_max, 1);

  for (guint64 power = 1; power <= G_MAXUINT64 / 10; power *= 10) {
    for (gsize i = 0; i < G_N_ELEMENTS (steps); i++) {
      if (power * steps[i] > wanted)
        return power * steps[i];
    }
  }
  return G_MAXUINT64;
}
