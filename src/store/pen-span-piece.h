/* pen-span-piece.h: buckets of a span, and in which of its tiles they have samples, packed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pack.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

/* A piece ends with the bucket that brings it to one of these. */
#define PEN_SPAN_PIECE_BUCKETS 8192
#define PEN_SPAN_PIECE_CELLS 32768
#define PEN_SPAN_PIECE_MAX_CELLS (PEN_SPAN_PIECE_CELLS - 1 + PEN_SPAN_TILES)

/*
 * PenSpanPiece: what is packed, and what is unpacked
 * @functions, @buckets, @samples, @periods, @cells: of each of @n_buckets; @cells: how many it has
 * @tiles, @counts: of each of @n_cells, those of the first bucket first
 */
struct _PenSpanPiece {
  guint n_buckets;
  guint n_cells;
  guint32 functions[PEN_SPAN_PIECE_BUCKETS];
  guint32 buckets[PEN_SPAN_PIECE_BUCKETS];
  guint64 samples[PEN_SPAN_PIECE_BUCKETS];
  guint64 periods[PEN_SPAN_PIECE_BUCKETS];
  guint32 cells[PEN_SPAN_PIECE_BUCKETS];
  guint16 tiles[PEN_SPAN_PIECE_MAX_CELLS];
  guint32 counts[PEN_SPAN_PIECE_MAX_CELLS];
};

PenSpanPiece *pen_span_piece_new (void);
void pen_span_piece_free (PenSpanPiece *piece);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSpanPiece, pen_span_piece_free)

static inline gboolean
pen_span_piece_is_full (const PenSpanPiece *piece)
{
  return piece->n_buckets >= PEN_SPAN_PIECE_BUCKETS || piece->n_cells >= PEN_SPAN_PIECE_CELLS;
}

/*
 * How many buckets; columns of functions, buckets, numbers of cells; a column with a number for
 * each cell: tiles between it and the bucket's cell before (the span's beginning), × 2, + 1 if it
 * has more than one sample; a column with the counts of those, less 2; a number p; a column of
 * periods, each as zigzag of what it is more than samples × p.
 * Returns: (transfer none): owned by @packer, until it is used again
 */
const guint8 *pen_span_piece_pack (const PenSpanPiece *piece, PenPacker *packer, gsize *length);

/* Tiles are less than PEN_SPAN_TILES, and rise from cell to cell of a bucket; every bucket has
 * cells, and every cell samples. Ids are not looked at.
 * @reason: (out): static text, on failure */
gboolean pen_span_piece_unpack (PenSpanPiece *piece, const guint8 *bytes, gsize length,
                                PenUnpacker *unpacker, const char **reason);

/* Functions and buckets alone: the rest of @piece is left as it was, but has no cells. */
gboolean pen_span_piece_unpack_functions (PenSpanPiece *piece, const guint8 *bytes, gsize length,
                                          PenUnpacker *unpacker, const char **reason);

/* Kinds that have samples: how many, and for each its number and a column of counts by tile.
 * @counts: tile × PEN_KINDS + kind. Returns: as above */
const guint8 *pen_span_tiles_pack (const guint32 *counts, guint n_tiles, PenPacker *packer,
                                   gsize *length);

/* @total: (out): sum of all counts */
gboolean pen_span_tiles_unpack (guint32 *counts, guint n_tiles, const guint8 *bytes, gsize length,
                                PenUnpacker *unpacker, guint64 *total, const char **reason);

G_END_DECLS
