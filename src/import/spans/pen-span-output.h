/* pen-span-output.h: a span that is being written, bucket by bucket
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-span-piece.h"

G_BEGIN_DECLS

/* Kept of a written span, to read it again. */
typedef struct {
  PenStoreSpan span;
  GArray *pieces;  /* guint64: their ids */
  guint32 *counts; /* by tile and kind: PEN_SPAN_TILES × PEN_KINDS; owned */
} PenWrittenSpan;

void pen_written_span_free (PenWrittenSpan *span);

/* The smallest shift with which all times from @first to @last lie in PEN_SPAN_TILES tiles. */
guint pen_span_choose_shift (guint64 first, guint64 last);

/*
 * PenSpanOutput: needs no writer until something is written, and so may be filled in any thread
 * @packed: (element-type PenPackedPiece): not yet written
 * @functions: (element-type PenSpanFunction): of all pieces
 * @first_cell: of the bucket that is being put
 */
typedef struct {
  PenPacker *packer;
  PenSpanPiece *piece; /* owned */
  GArray *packed;
  GArray *functions;
  PenWrittenSpan *written;
  guint first_cell;
} PenSpanOutput;

void pen_span_output_init (PenSpanOutput *self);
void pen_span_output_clear (PenSpanOutput *self);

/* @span: with an id of pen_store_writer_begin_span() */
void pen_span_output_start (PenSpanOutput *self, const PenStoreSpan *span);

/* Where cells are not put by rising tiles: finds the place of @tile among those of the bucket. */
void pen_span_output_put_late_cell (PenSpanOutput *self, guint tile, guint32 count);

/* Adds samples to a tile of the bucket that comes next. */
static inline void
pen_span_output_put_cell (PenSpanOutput *self, guint tile, guint32 count)
{
  PenSpanPiece *piece = self->piece;
  guint n = piece->n_cells;

  if (n == self->first_cell || piece->tiles[n - 1] < tile) {
    piece->tiles[n] = (guint16) tile;
    piece->counts[n] = count;
    piece->n_cells++;
  } else if (piece->tiles[n - 1] == tile) {
    piece->counts[n - 1] += count;
  } else {
    pen_span_output_put_late_cell (self, tile, count);
  }
}

/* Ends the bucket that has the cells since the last one. Buckets come by function and id.
 * @samples: in all of its cells */
void pen_span_output_put_bucket (PenSpanOutput *self, guint32 function, guint32 bucket,
                                 guint64 samples, guint64 period);

/* Packs what is left. */
void pen_span_output_pack (PenSpanOutput *self);

/* The packed bytes. */
gboolean pen_span_output_write (PenSpanOutput *self, PenStoreWriter *writer, GError **error);

/* Packs and writes all. @counts of the result are to be filled before.
 * Returns: (transfer full) */
PenWrittenSpan *pen_span_output_finish (PenSpanOutput *self, PenStoreWriter *writer,
                                        GError **error);

G_END_DECLS
