/* pen-query-strips.h: samples of an annotation's lines, over time and near changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-annotation.h"
#include "pen-strip-counts.h"

G_BEGIN_DECLS

/* Samples of the given addresses' slots by time: for the strips of annotation lines; of waits the
 * ns off CPU of those that began there then (semantics.md, O6). Bins and cost
 * are as in pen_query_overview(), but that pieces of spans are read; and each moment at which
 * samples of one revision pass from one line to another costs two more ends.
 * Returns: (transfer full): packed, of the lines of @annotated */
PenStripCounts *pen_query_strips (PenQuery *self, const PenFilter *filter,
                                  const PenAnnotated *annotated, guint64 from, guint64 to,
                                  guint n_bins, GError **error);

/* Samples of a line within a band of its ends; 0 at an end that the capture does not bound. */
typedef struct {
  guint64 near_from;
  guint64 near_to;
} PenBandCount;

/*
 * pen_query_count_bands: for each line of an annotation, samples that may belong to the text before
 * or after it (see PEN_BAND)
 * @counts: (out caller-allocates): as many as @annotated has lines
 *
 * Cost: the function's buckets; the blocks within @band ns of an end of a line, or, where these are
 * many, all between the first and the last.
 */
gboolean pen_query_count_bands (PenQuery *self, const PenFilter *filter,
                                const PenAnnotated *annotated, guint64 band, PenBandCount *counts,
                                GError **error);

G_END_DECLS
