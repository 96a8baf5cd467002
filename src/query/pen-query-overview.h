/* pen-query-overview.h: samples by kind, and patches, over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

/* Pokes of one cause that fall into one step, or are a batch of which no more can be seen; @poke
 * and @address are those of the first. @batch: id of the batch that all of them are of; 0: none, or
 * several. @symbol, @offset: the function of the first; NULL: none is known; owned by the store. */
typedef struct {
  guint64 first;
  guint64 last;
  guint64 address;
  guint32 poke;
  guint32 count;
  guint32 batch;
  PenCause cause;
  const char *symbol;
  guint64 offset;
} PenPatchMark;

/*
 * PenOverview: what the timeline draws for [@from, @to) in @n_bins equal steps
 * @population: PEN_POPULATION_WAITS: all counts are ns off CPU
 * @samples: n_bins × PEN_KINDS counts; bin b, kind k at [b * PEN_KINDS + k]
 * @marks: (element-type PenPatchMark): pokes in the range, by their first time. A batch is one mark
 * while it takes less than PEN_BATCH_STEPS; longer, its pokes are marked step by step
 */
#define PEN_BATCH_STEPS 12
typedef struct {
  guint64 from;
  guint64 to;
  guint n_bins;
  PenPopulation population;
  guint64 *samples;
  guint64 max_in_bin;
  guint64 total;
  GArray *marks;
} PenOverview;

void pen_overview_free (PenOverview *overview);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenOverview, pen_overview_free)

/*
 * The filter's time is not applied (the overview shows what it selects from); the rest is.
 *
 * Samples of a span's tile, which is no wider than a bin, are drawn in the bin where the tile lies;
 * one that reaches into the next bin is shared out by its time in either. So some samples are a bin
 * early or late; none is lost, none is there twice, and none from outside [@from, @to) is in it.
 * Where no span has such narrow tiles, every sample is in its own bin. Cost: a span or two for each
 * level, a block at each end; at the deepest zoom the blocks of [@from, @to), of which there are
 * then about @n_bins / 128 at most.
 *
 * Of waits, each has its time in the bins over which it lasted (semantics.md, O6). Cost: all waits
 * that begin before @to.
 */
PenOverview *pen_query_overview (PenQuery *self, const PenFilter *filter, guint64 from, guint64 to,
                                 guint n_bins, GError **error);

G_END_DECLS
