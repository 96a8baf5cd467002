/* pen-sample-walk.h: the samples of a stretch of time, by as few reads as there can be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-matcher.h"
#include "pen-query-private.h"

G_BEGIN_DECLS

/*
 * Samples with a time, and those without
 *
 * A stretch [from, to] takes the samples that have a time in it, both ends included. [0,
 * G_MAXUINT64] is no stretch but everything: it takes those that have no time, too. 0 and
 * G_MAXUINT64 are times as recorded, and taken by a stretch that has them; spans do not have
 * such samples (they stand in front of all others in the sample table), so they are looked for in
 * the blocks whose smallest or largest time that is.
 */

/* The rows of a block that are meant: @rows[0 … @n_rows). */
typedef struct {
  guint number; /* of the block in the store */
  const PenSampleBlock *block;
  const guint32 *rows;
  guint n_rows;
} PenSampleBatch;

/* Return FALSE to stop, with the error that the walk shall give. */
typedef gboolean (*PenScanFunc) (const PenSampleBatch *batch, gpointer user_data, GError **error);

/*
 * pen_query_scan: reads the blocks that have samples in [@from, @to], in their order, and takes the
 * rows that the matcher (but for its time) means.
 *
 * Cost: every block that overlaps the stretch.
 */
gboolean pen_query_scan (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to,
                         PenScanFunc func, gpointer user_data, GError **error);

/* Each stretch costs a block or two: if there are more of them, to scan all blocks once costs less.
 */
#define PEN_STRETCHES_MAX 64u

/*
 * pen_query_scan_some: of the blocks that have samples in [@from, @to], reads one in so many that
 * no more than @n_most are read, evenly.
 *
 * @stride: (out): one in how many was read. 1: all
 */
gboolean pen_query_scan_some (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to,
                              guint n_most, guint *stride, PenScanFunc func, gpointer user_data,
                              GError **error);

/* The same of the blocks that are in no span: the last ones of a store that is still written. */
gboolean pen_query_scan_rest (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to,
                              PenScanFunc func, gpointer user_data, GError **error);

/*
 * A question that spans can answer: every sample of the stretch is in exactly one of the spans,
 * stretches of tiles and rows that are handed out. The matcher's functions and buckets are applied
 * to rows; what is read of a span has to be asked.
 *
 * @span: all of its samples are in the stretch
 * @tiles: samples of the span's tiles @first to @last, both included
 * @rows: as above
 * @only_places: @rows looks at no more of a block than has, time and bucket
 */
typedef struct {
  gboolean (*span) (const PenStoreSpan *span, gpointer user_data, GError **error);
  gboolean (*tiles) (const PenStoreSpan *span, guint first, guint last, gpointer user_data,
                     GError **error);
  PenScanFunc rows;
  gboolean only_places;
} PenWalkFuncs;

/*
 * pen_query_walk_spans: calls @funcs->span and @funcs->rows. The matcher must not ask for rows.
 *
 * Cost: at each end of the stretch and each level of spans at most as many spans as one of the next
 * level has, and as many blocks; besides these the spans of the highest level (8 at most).
 */
gboolean pen_query_walk_spans (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to,
                               const PenWalkFuncs *funcs, gpointer user_data, GError **error);

/*
 * pen_query_walk_tiles: calls @funcs->tiles and @funcs->rows; the same sort of walk, to draw with:
 * only tiles of at most @max_width ns are handed out, and of those that stand across an end of the
 * stretch the part inside is looked for further down.
 *
 * Cost: the spans of the highest level whose tiles are narrow enough, in the stretch; at each of
 * its ends one span per level below, and a block. Where no level is narrow enough, the blocks of
 * the stretch: so few that there is hardly more than a sample per @max_width.
 */
gboolean pen_query_walk_tiles (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to,
                               guint64 max_width, const PenWalkFuncs *funcs, gpointer user_data,
                               GError **error);

G_END_DECLS
