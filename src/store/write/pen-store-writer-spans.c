/* pen-store-writer-spans.c: spans, and their pieces, which are read again for the next level
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-span-functions.h"
#include "pen-span-piece.h"
#include "pen-sql.h"
#include "pen-store-writer-private.h"

guint32
pen_store_writer_begin_span (PenStoreWriter *self)
{
  return (guint32) self->rows[self->population].spans++;
}

gboolean
pen_store_writer_add_span (PenStoreWriter *self, const PenStoreSpan *span, const guint32 *counts,
                           const GArray *functions, GError **error)
{
  PenSpanRow row = { .span = *span };
  g_autofree guint8 *tiles = NULL;
  const guint8 *pack;

  g_return_val_if_fail (span->id < self->rows[self->population].spans, FALSE);

  pack = pen_span_tiles_pack (counts, pen_store_span_get_n_tiles (span), self->packer,
                              &row.tiles_length);
  tiles = g_memdup2 (pack, row.tiles_length);
  row.tiles = tiles;
  row.functions = pen_span_functions_pack (functions, self->packer, &row.functions_length);
  return pen_store_writer_add_row_of (self, PEN_TABLE_SPAN, &row, error);
}

gboolean
pen_store_writer_add_span_piece (PenStoreWriter *self, guint32 span, const PenPackedPiece *piece,
                                 guint64 *id, GError **error)
{
  PenSpanPieceRow row = {
    .id = self->rows[self->population].span_pieces++,
    .span = span,
    .first_function = piece->first_function,
    .last_function = piece->last_function,
    .bytes = piece->bytes,
    .length = piece->length,
  };

  *id = row.id;
  return pen_store_writer_add_row_of (self, PEN_TABLE_SPAN_PIECE, &row, error);
}

static gboolean
read_piece (PenStoreWriter *self, guint64 id, PenSpanPiece *piece, GError **error)
{
  const char *reason = "it is gone";
  const guint8 *bytes = NULL;
  gsize length = 0;

  pen_sql_bind_u64 (self->read_span_piece, 1, id);
  switch (pen_sql_step (self->read_span_piece, error)) {
  case PEN_SQL_FAILED:
    return FALSE;
  case PEN_SQL_ROW:
    bytes = sqlite3_column_blob (self->read_span_piece, 0);
    length = (gsize) sqlite3_column_bytes (self->read_span_piece, 0);
    break;
  default:
    break;
  }

  if (bytes && pen_span_piece_unpack (piece, bytes, length, &self->unpacker, &reason))
    return TRUE;

  g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED,
               "“%s” changed while it was written: a piece of a span: %s.", self->file->temporary,
               reason);
  return FALSE;
}

gboolean
pen_store_writer_read_span_piece (PenStoreWriter *self, guint64 id, PenSpanPiece *piece,
                                  GError **error)
{
  sqlite3 *db = pen_store_thread_wait (self->thread, error);
  gboolean ok;

  if (!db)
    return FALSE;
  if (!self->read_span_piece) {
    PenTableId table = pen_store_table_of (PEN_TABLE_SPAN_PIECE, self->population);
    g_autofree char *sql
        = g_strdup_printf ("SELECT buckets FROM %s WHERE id = ?", pen_store_tables[table].name);

    self->read_span_piece = pen_sql_prepare (db, sql, error);
  }
  if (!self->read_span_piece)
    return FALSE;

  ok = read_piece (self, id, piece, error);
  sqlite3_reset (self->read_span_piece);
  return ok;
}
