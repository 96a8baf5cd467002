/* pen-outline.h: what stays the same in every picture of a capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"
#include "pen-query.h"

G_BEGIN_DECLS

/* Where the bars of a lane lie. @highest: the largest end of this one and all before it */
typedef struct {
  guint64 start;
  guint64 end;
  guint64 highest;
  guint lane;
} PenLaneRange;

/*
 * PenOutline: which rows and legends there are to draw. Not changed once made; threads may
 * share it. Its strings belong to the query's store.
 * @bars: (element-type PenBar), by from
 * @by_lane: (element-type guint): indexes of @bars, lane after lane, by from in each
 * @lane_ends: (element-type guint): where each lane ends in @by_lane
 * @lane_ranges: (element-type PenLaneRange): by start, so that those that hold an address are found
 * @losses: (element-type PenLoss)
 * @ticks: (element-type PenPokeTick), by time
 * @ticks_by_address: indexes of @ticks, made when they are first asked for
 * @batches: of pokes; element i has id i + 1; NULL: there are none
 * @causes: bit per PenCause that a poke of the capture has
 * @kinds: bit per PenKind that a sample of the capture has
 */
typedef struct {
  PenQuery *query;
  GArray *bars;
  guint n_lanes;
  GArray *by_lane;
  GArray *lane_ends;
  GArray *lane_ranges;
  GArray *losses;
  GArray *ticks;
  guint *ticks_by_address;
  const PenBatch *batches;
  guint n_batches;
  guint32 causes;
  guint32 kinds;
} PenOutline;

/* Cost: one row per tenure, loss, poke and function. */
PenOutline *pen_outline_load (PenQuery *query, GError **error);
/* Takes over what is given, for tests. @query: may be NULL */
PenOutline *pen_outline_new (PenQuery *query, GArray *bars, guint n_lanes, GArray *losses,
                             GArray *ticks);
void pen_outline_free (PenOutline *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenOutline, pen_outline_free)

/* The bars of a lane, by from: indexes into @bars. */
const guint *pen_outline_get_lane (const PenOutline *self, guint lane, guint *n);

/* Index in a lane of the first bar that ends at or after @time: they follow each other. */
guint pen_outline_find_bar (const PenOutline *self, const guint *lane, guint n, guint64 time);
/* Index of the bar to draw after bar @i of a lane: those that fall into the same @pixel (ns) are
 * drawn once, so that a lane costs its pixels. */
guint pen_outline_skip_bars (const PenOutline *self, const guint *lane, guint n, guint i,
                             guint64 pixel);

/* Lanes that lie in [@from, @to), with the lowest number first. O(log lanes), and a step for each
 * of them and of those that lie among them. Returns: (transfer full) (element-type guint) */
GArray *pen_outline_find_lanes (const PenOutline *self, guint64 from, guint64 to);

/* NULL where @id is none. */
const PenBatch *pen_outline_get_batch (const PenOutline *self, guint32 id);

/* Pokes that begin in [@from, @to): indexes into @ticks, by address. O(log ticks), but for the
 * first call, which sorts them. Returns: (transfer none) */
const guint *pen_outline_find_ticks_in (const PenOutline *self, guint64 from, guint64 to, guint *n);

G_END_DECLS
