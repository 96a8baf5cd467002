/* pen-span-merger.h: makes one span of several, bit by bit
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-span-output.h"

G_BEGIN_DECLS

/*
 * PenSpanMerger: reads the pieces of spans again, one at a time of each. Merging many takes long:
 * so it is done a little with every block of samples.
 */
typedef struct _PenSpanMerger PenSpanMerger;

/* @children: (transfer full) (element-type PenWrittenSpan): spans of one level that follow one
 * another. @writer: must outlive it */
PenSpanMerger *pen_span_merger_new (GPtrArray *children, PenStoreWriter *writer);
void pen_span_merger_free (PenSpanMerger *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSpanMerger, pen_span_merger_free)

/* How many pieces there are to be read, all in all. */
guint pen_span_merger_count_pieces (PenSpanMerger *self);

/* Goes on until @n_pieces have been read since the beginning, or to the end. */
gboolean pen_span_merger_run (PenSpanMerger *self, guint n_pieces, GError **error);

/* Goes on to the end. Returns: (transfer full): the span of the next level */
PenWrittenSpan *pen_span_merger_finish (PenSpanMerger *self, GError **error);

G_END_DECLS
