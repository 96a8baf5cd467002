/* pen-strip-counts.h: samples of an annotation's lines over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cancel-check.h"

G_BEGIN_DECLS

/* @n: samples, or ns off CPU, of @line in @bin; not 0 */
typedef struct {
  guint32 line;
  guint32 bin;
  guint64 n;
} PenStripCell;

/*
 * PenStripCounts: what there is of each line in each of some equal steps of time. Most lines of a
 * long text have samples in few steps, or none: the memory is for these.
 * @cells: (element-type PenStripCell): by line, then bin, each once; so they are after
 *   pen_strip_counts_pack()
 * @firsts: line i has the cells from @firsts[i] until @firsts[i + 1]; NULL before it
 * @max: of one cell; the same
 * @room: so many cells are kept before they are added up
 */
typedef struct {
  guint n_lines;
  guint n_bins;
  GArray *cells;
  guint *firsts;
  guint64 max;
  guint room;
} PenStripCounts;

PenStripCounts *pen_strip_counts_new (guint n_lines, guint n_bins);
void pen_strip_counts_free (PenStripCounts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStripCounts, pen_strip_counts_free)

/* In any order, a cell as often as it comes. */
static inline void
pen_strip_counts_add (PenStripCounts *self, guint line, guint bin, guint64 n)
{
  PenStripCell cell = { line, bin, n };

  if (n > 0)
    g_array_append_val (self->cells, cell);
}

/*
 * pen_strip_counts_trim: to be called now and then while cells are added: adds up those of the same
 * line and bin, once there are many.
 * pen_strip_counts_pack: after the last one
 *
 * Cost: the cells, lines and bins; of all calls together a few times the cells that were added.
 *
 * Returns: FALSE: @check was stopped
 */
gboolean pen_strip_counts_trim (PenStripCounts *self, PenCancelCheck *check);
gboolean pen_strip_counts_pack (PenStripCounts *self, PenCancelCheck *check);

/* Adds those of @n lines from @first on to @sums, one for each bin. Cost: their cells. */
void pen_strip_counts_sum (const PenStripCounts *self, guint first, guint n, guint64 *sums);

G_END_DECLS
