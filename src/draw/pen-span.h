/* pen-span.h: a stretch of time, and its place on a line of pixels
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* [from, to), ns */
typedef struct {
  guint64 from;
  guint64 to;
} PenSpan;

/* A span never gets shorter than this by zooming, ns: below, ruler labels would be all alike. */
#define PEN_SPAN_SHORTEST 1000

static inline gboolean
pen_span_equal (PenSpan a, PenSpan b)
{
  return a.from == b.from && a.to == b.to;
}

static inline guint64
pen_span_length (PenSpan span)
{
  return span.to > span.from ? span.to - span.from : 0;
}

/* 0 at from, 1 at to; outside of that range for other times. */
double pen_span_position (PenSpan span, guint64 time);
/* The reverse; clamped to the span. */
guint64 pen_span_time_at (PenSpan span, double position);

/* @factor: of the length: below 1 zooms in. @anchor keeps its position. Stays within @bounds. */
PenSpan pen_span_zoom (PenSpan span, guint64 anchor, double factor, PenSpan bounds);
/* @fraction: of its length, to the right where positive. Stays within @bounds. */
PenSpan pen_span_pan (PenSpan span, double fraction, PenSpan bounds);
/* Cuts to @bounds and keeps to the shortest length. */
PenSpan pen_span_clamp (PenSpan span, PenSpan bounds);

/* The smallest of 1, 2, 5 × 10ⁿ ns that gives at most @n_max marks. */
guint64 pen_span_step (PenSpan span, guint n_max);

G_END_DECLS
