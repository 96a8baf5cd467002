/* pen-query-map-private.h: what is drawn on a text map besides its samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-map-placer.h"
#include "pen-matcher.h"

G_BEGIN_DECLS

/*
 * The cost of a picture is limited.
 * @max_loaded: so many buckets are loaded at once, 80 bytes each
 * @max_exact: so many samples are placed one by one
 * @max_spans: else so many spans' functions are
 */
typedef struct {
  guint max_loaded;
  guint max_exact;
  guint max_spans;
} PenMapLimits;

PenMapBins *pen_query_map_within (PenQuery *self, const PenFilter *filter, guint64 from, guint64 to,
                                  guint n_columns, const guint64 *edges, guint n_rows,
                                  const PenMapLimits *limits, GError **error);

/* Sorts @ranges, and makes one of those that lie over each other, or are near and alike; of more
 * than @n_most, also of those that are further apart. Returns: (transfer full) */
GArray *pen_query_merge_ranges (GArray *ranges, guint n_most);

/* Returns: (transfer full) (element-type PenMapMark): by their first time */
GArray *pen_query_map_mark (PenQuery *self, const PenMatcher *matcher, const PenMapPlacer *placer,
                            const PenMapBins *map);
/* Returns: (transfer full) (element-type PenMapName): functions with several rows, by start */
GArray *pen_query_map_name (PenQuery *self, const PenMapPlacer *placer);
/* The same: of functions that have fewer rows, and samples that are meant. */
GArray *pen_query_map_name_hot (PenQuery *self, const PenMatcher *matcher,
                                const PenMapPlacer *placer);

G_END_DECLS
