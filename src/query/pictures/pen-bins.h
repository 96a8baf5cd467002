/* pen-bins.h: a stretch of time in equal steps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* [@from, @to) in @n bins, which need not be whole ns wide. */
typedef struct {
  guint64 from;
  guint64 to;
  guint n;
  double bins_per_ns;
} PenBins;

static inline void
pen_bins_init (PenBins *self, guint64 from, guint64 to, guint n)
{
  *self = (PenBins){ from, to, n, n / (double) (to - from) };
}

/* @time: in the stretch */
static inline guint
pen_bins_find (const PenBins *self, guint64 time)
{
  guint64 bin = (guint64) ((double) (time - self->from) * self->bins_per_ns);

  return (guint) MIN (bin, self->n - 1);
}

/* The first whole ns of a bin; that of the bin after the last one is @to, or close to it. */
static inline guint64
pen_bins_get_start (const PenBins *self, guint bin)
{
  return self->from + (guint64) (bin / self->bins_per_ns);
}

/* Whole ns of a bin's width: tiles no wider than this move no sample by more than one bin. */
static inline guint64
pen_bins_get_width (const PenBins *self)
{
  return (self->to - self->from) / self->n;
}

G_END_DECLS
