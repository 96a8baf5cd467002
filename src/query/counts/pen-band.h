/* pen-band.h: samples close to a change
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-bucket-set.h"
#include "pen-matcher.h"
#include "pen-sample-walk.h"

G_BEGIN_DECLS

typedef void (*PenBandFunc) (guint index, guint64 time, gpointer user_data);

/*
 * pen_band_foreach:
 * @set: whose samples are meant; @func is given the index of a sample's bucket in it
 * @edges: (element-type guint64): times of changes, in any order; is sorted
 * @band: ns
 *
 * Calls @func for each sample with a time that is no further than @band from an edge, once. Cost:
 * the blocks that lie there; where there are more than 64 such stretches, all blocks between the
 * first and the last.
 */
gboolean pen_band_foreach (PenQuery *query, const PenMatcher *matcher, const PenBucketSet *set,
                           GArray *edges, guint64 band, PenBandFunc func, gpointer user_data,
                           GError **error);

/* Is @time no further than @band after @from, or before @to? Both are open where the capture does
 * not bound them. */
gboolean pen_band_is_after (PenMoment from, guint64 time, guint64 band);
gboolean pen_band_is_before (PenMoment to, guint64 time, guint64 band);

/* Appends those of the two that the capture bounds. */
void pen_band_add_edges (GArray *edges, PenMoment from, PenMoment to);

G_END_DECLS
