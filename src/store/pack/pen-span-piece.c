/* pen-span-piece.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-span-piece.h"

#define PIECE_MAX_LENGTH                                                                           \
  (3 * PEN_PACK_COLUMN_MAX (PEN_SPAN_PIECE_BUCKETS, 4)                                             \
   + PEN_PACK_COLUMN_MAX (PEN_SPAN_PIECE_BUCKETS, 8)                                               \
   + 2 * PEN_PACK_COLUMN_MAX (PEN_SPAN_PIECE_MAX_CELLS, 4) + 2 * 10)
#define TILES_MAX_LENGTH (1 + PEN_KINDS * (1 + PEN_PACK_COLUMN_MAX (PEN_SPAN_TILES, 4)))

PenSpanPiece *
pen_span_piece_new (void)
{
  PenSpanPiece *piece = g_new (PenSpanPiece, 1);

  piece->n_buckets = 0;
  piece->n_cells = 0;
  return piece;
}

void
pen_span_piece_free (PenSpanPiece *piece)
{
  g_free (piece);
}

static void
pack_cells (const PenSpanPiece *piece, PenPacker *packer, guint32 *column)
{
  guint cell = 0;
  guint n_more = 0;

  for (guint i = 0; i < piece->n_buckets; i++) {
    guint next = 0;

    for (guint end = cell + piece->cells[i]; cell < end; cell++) {
      column[cell] = (piece->tiles[cell] - next) << 1 | (piece->counts[cell] > 1);
      next = piece->tiles[cell] + 1u;
    }
  }
  pen_packer_column32 (packer, column, piece->n_cells);

  for (guint i = 0; i < piece->n_cells; i++)
    if (piece->counts[i] > 1)
      column[n_more++] = piece->counts[i] - 2;
  pen_packer_column32 (packer, column, n_more);
}

static void
pack_periods (const PenSpanPiece *piece, PenPacker *packer, guint64 *column)
{
  guint64 per_sample = piece->n_buckets > 0 ? piece->periods[0] / MAX (piece->samples[0], 1) : 0;

  for (guint i = 0; i < piece->n_buckets; i++)
    column[i] = pen_zigzag (piece->periods[i] - piece->samples[i] * per_sample);
  pen_packer_varint (packer, per_sample);
  pen_packer_column (packer, column, piece->n_buckets);
}

const guint8 *
pen_span_piece_pack (const PenSpanPiece *piece, PenPacker *packer, gsize *length)
{
  guint64 wide[PEN_SPAN_PIECE_BUCKETS];
  guint32 narrow[PEN_SPAN_PIECE_MAX_CELLS];

  pen_packer_varint (packer, piece->n_buckets);
  pen_packer_column32 (packer, piece->functions, piece->n_buckets);
  pen_packer_column32 (packer, piece->buckets, piece->n_buckets);
  pen_packer_column32 (packer, piece->cells, piece->n_buckets);
  pack_cells (piece, packer, narrow);
  pack_periods (piece, packer, wide);
  return pen_packer_finish (packer, length);
}

static gboolean
unpack_cell_numbers (PenSpanPiece *piece, PenUnpacker *unpacker)
{
  guint64 n_cells = 0;

  pen_unpacker_column32 (unpacker, piece->cells, piece->n_buckets);
  for (guint i = 0; i < piece->n_buckets; i++) {
    if (piece->cells[i] == 0 || piece->cells[i] > PEN_SPAN_TILES)
      return FALSE;
    n_cells += piece->cells[i];
  }

  piece->n_cells = (guint) MIN (n_cells, G_MAXUINT);
  return n_cells <= PEN_SPAN_PIECE_MAX_CELLS;
}

static gboolean
unpack_cells (PenSpanPiece *piece, PenUnpacker *unpacker)
{
  guint32 gaps[PEN_SPAN_PIECE_MAX_CELLS];
  guint32 more[PEN_SPAN_PIECE_MAX_CELLS];
  guint n_more = 0;
  guint cell = 0;

  pen_unpacker_column32 (unpacker, gaps, piece->n_cells);
  for (guint i = 0; i < piece->n_cells; i++)
    n_more += gaps[i] & 1;
  pen_unpacker_column32 (unpacker, more, n_more);

  n_more = 0;
  for (guint i = 0; i < piece->n_buckets; i++) {
    guint64 samples = 0;
    guint64 next = 0;

    for (guint end = cell + piece->cells[i]; cell < end; cell++) {
      guint64 tile = next + (gaps[cell] >> 1);
      guint64 count = 1;

      if ((gaps[cell] & 1) != 0)
        count = (guint64) more[n_more++] + 2;
      if (tile >= PEN_SPAN_TILES || count > G_MAXUINT32)
        return FALSE;

      piece->tiles[cell] = (guint16) tile;
      piece->counts[cell] = (guint32) count;
      samples += count;
      next = tile + 1;
    }
    piece->samples[i] = samples;
  }
  return TRUE;
}

static void
unpack_periods (PenSpanPiece *piece, PenUnpacker *unpacker)
{
  guint64 per_sample = pen_unpacker_varint (unpacker);

  pen_unpacker_column (unpacker, piece->periods, piece->n_buckets);
  for (guint i = 0; i < piece->n_buckets; i++)
    piece->periods[i] = pen_unzigzag (piece->periods[i]) + piece->samples[i] * per_sample;
}

gboolean
pen_span_piece_unpack_functions (PenSpanPiece *piece, const guint8 *bytes, gsize length,
                                 PenUnpacker *unpacker, const char **reason)
{
  guint64 n_buckets;

  piece->n_buckets = piece->n_cells = 0;
  if (!pen_unpacker_start (unpacker, bytes, length, PIECE_MAX_LENGTH, reason))
    return FALSE;

  *reason = "it claims more than a piece can have";
  n_buckets = pen_unpacker_varint (unpacker);
  if (n_buckets > PEN_SPAN_PIECE_BUCKETS)
    return FALSE;

  piece->n_buckets = (guint) n_buckets;
  pen_unpacker_column32 (unpacker, piece->functions, piece->n_buckets);
  pen_unpacker_column32 (unpacker, piece->buckets, piece->n_buckets);
  *reason = "its columns do not have the buckets that it claims";
  return !unpacker->failed;
}

gboolean
pen_span_piece_unpack (PenSpanPiece *piece, const guint8 *bytes, gsize length,
                       PenUnpacker *unpacker, const char **reason)
{
  if (!pen_span_piece_unpack_functions (piece, bytes, length, unpacker, reason))
    return FALSE;

  *reason = "it claims more than a piece can have";
  if (!unpack_cell_numbers (piece, unpacker) || !unpack_cells (piece, unpacker))
    return FALSE;
  unpack_periods (piece, unpacker);

  *reason = "its columns do not have the buckets that it claims";
  return pen_unpacker_finish (unpacker);
}

const guint8 *
pen_span_tiles_pack (const guint32 *counts, guint n_tiles, PenPacker *packer, gsize *length)
{
  guint32 columns[PEN_KINDS][PEN_SPAN_TILES];
  gboolean has_samples[PEN_KINDS] = { FALSE };
  guint8 n_kinds = 0;

  g_return_val_if_fail (n_tiles <= PEN_SPAN_TILES, NULL);

  for (guint kind = 0; kind < PEN_KINDS; kind++) {
    for (guint tile = 0; tile < n_tiles; tile++) {
      columns[kind][tile] = counts[tile * PEN_KINDS + kind];
      has_samples[kind] = has_samples[kind] || columns[kind][tile] != 0;
    }
    n_kinds += has_samples[kind];
  }

  pen_packer_byte (packer, n_kinds);
  for (guint8 kind = 0; kind < PEN_KINDS; kind++) {
    if (!has_samples[kind])
      continue;
    pen_packer_byte (packer, kind);
    pen_packer_column32 (packer, columns[kind], n_tiles);
  }
  return pen_packer_finish (packer, length);
}

gboolean
pen_span_tiles_unpack (guint32 *counts, guint n_tiles, const guint8 *bytes, gsize length,
                       PenUnpacker *unpacker, guint64 *total, const char **reason)
{
  guint32 column[PEN_SPAN_TILES];
  guint n_kinds;

  g_return_val_if_fail (n_tiles <= PEN_SPAN_TILES, FALSE);

  memset (counts, 0, (gsize) n_tiles * PEN_KINDS * sizeof *counts);
  *total = 0;
  if (!pen_unpacker_start (unpacker, bytes, length, TILES_MAX_LENGTH, reason))
    return FALSE;

  n_kinds = pen_unpacker_byte (unpacker);
  *reason = "it counts samples of no kind";
  for (guint i = 0; i < n_kinds && !unpacker->failed; i++) {
    guint kind = pen_unpacker_byte (unpacker);

    if (kind >= PEN_KINDS)
      return FALSE;

    pen_unpacker_column32 (unpacker, column, n_tiles);
    for (guint tile = 0; tile < n_tiles; tile++) {
      counts[tile * PEN_KINDS + kind] = column[tile];
      *total += column[tile];
    }
  }

  *reason = "it does not have the tiles that it claims";
  return pen_unpacker_finish (unpacker);
}
