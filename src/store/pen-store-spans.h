/* pen-store-spans.h: spans of a store: runs of blocks, counted in advance
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"

G_BEGIN_DECLS

#define PEN_SPAN_TILES 2048

/*
 * PenStoreSpan: a run of blocks, or of spans of the level below
 * @level: from 1; the spans of a level hold all blocks, in order, and each span of a lower level
 *   lies in one of the next
 * @samples: those with a time that is neither 0 nor all ones; all that is counted here
 * @first, @last: ns: their smallest and largest time; 0 and 0 without samples
 * @shift: time is cut into tiles that are 2^@shift ns wide and begin at multiples of that
 */
typedef struct {
  guint32 id;
  guint level;
  guint first_block;
  guint n_blocks;
  guint64 samples;
  guint64 first;
  guint64 last;
  guint shift;
} PenStoreSpan;

/* The number of the tile of @span in which @time lies. At most PEN_SPAN_TILES. */
static inline guint64
pen_store_span_get_tile (const PenStoreSpan *span, guint64 time)
{
  return (time >> span->shift) - (span->first >> span->shift);
}

static inline guint
pen_store_span_get_n_tiles (const PenStoreSpan *span)
{
  return (guint) pen_store_span_get_tile (span, span->last) + 1;
}

/* When tile @tile begins, ns. */
static inline guint64
pen_store_span_get_tile_start (const PenStoreSpan *span, guint tile)
{
  return ((span->first >> span->shift) + tile) << span->shift;
}

/* Highest level first, then by first_block. None where there are few blocks. Owned by the store,
 * read when it is opened. */
const PenStoreSpan *pen_store_get_spans (PenStore *self, guint *n);

/* @counts: (out caller-allocates): pen_store_span_get_n_tiles() × PEN_KINDS: samples of kind k in
 * tile t are element t × PEN_KINDS + k */
gboolean pen_store_read_span_tiles (PenStore *self, const PenStoreSpan *span, guint32 *counts,
                                    GError **error);

/* Samples of one function in one span. */
typedef struct {
  guint32 function;
  guint64 samples;
  guint64 period;
} PenSpanFunction;

/* Functions that have samples in @span, by id. Cost: one pack, with a few bytes for each.
 * Returns: (transfer full) (element-type PenSpanFunction) */
GArray *pen_store_load_span_functions (PenStore *self, const PenStoreSpan *span, GError **error);

/*
 * PenSpanBucket: samples of one bucket in one span
 * @tiles, @counts: @n_cells tiles that have samples, in order, and how many
 */
typedef struct {
  guint32 bucket;
  guint32 function;
  guint64 samples;
  guint64 period;
  guint n_cells;
  const guint16 *tiles;
  const guint32 *counts;
} PenSpanBucket;

/* The memory of @bucket lives until @func returns. Return FALSE from @func to stop. */
typedef gboolean (*PenSpanBucketFunc) (const PenSpanBucket *bucket, gpointer user_data);

/* Buckets of functions from @first_function to @last_function that have samples in @span, by
 * function and id. Cost: only the pieces that hold those functions are read. */
gboolean pen_store_foreach_span_bucket (PenStore *self, const PenStoreSpan *span,
                                        guint32 first_function, guint32 last_function,
                                        PenSpanBucketFunc func, gpointer user_data, GError **error);

/* All buckets that have samples in @span, as above, but only bucket and function are told: the rest
 * is not unpacked, and 0. */
gboolean pen_store_foreach_span_function (PenStore *self, const PenStoreSpan *span,
                                          PenSpanBucketFunc func, gpointer user_data,
                                          GError **error);

G_END_DECLS
