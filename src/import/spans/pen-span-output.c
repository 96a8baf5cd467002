/* pen-span-output.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-span-output.h"

#include <string.h>

#include "pen-span-functions.h"

void
pen_written_span_free (PenWrittenSpan *span)
{
  if (!span)
    return;

  g_array_unref (span->pieces);
  g_free (span->counts);
  g_free (span);
}

guint
pen_span_choose_shift (guint64 first, guint64 last)
{
  guint shift = 0;

  while ((last >> shift) - (first >> shift) >= PEN_SPAN_TILES)
    shift++;
  return shift;
}

static void
packed_piece_clear (gpointer data)
{
  PenPackedPiece *packed = data;

  g_free (packed->bytes);
}

void
pen_span_output_init (PenSpanOutput *self)
{
  *self = (PenSpanOutput){
    .packer = pen_packer_new (),
    .piece = pen_span_piece_new (),
    .packed = g_array_new (FALSE, FALSE, sizeof (PenPackedPiece)),
    .functions = g_array_new (FALSE, FALSE, sizeof (PenSpanFunction)),
  };
  g_array_set_clear_func (self->packed, packed_piece_clear);
}

void
pen_span_output_clear (PenSpanOutput *self)
{
  pen_packer_free (self->packer);
  pen_span_piece_free (self->piece);
  g_array_unref (self->packed);
  g_array_unref (self->functions);
  pen_written_span_free (self->written);
}

void
pen_span_output_start (PenSpanOutput *self, const PenStoreSpan *span)
{
  pen_written_span_free (self->written);
  self->written = g_new0 (PenWrittenSpan, 1);
  self->written->span = *span;
  self->written->pieces = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->written->counts = g_new0 (guint32, (gsize) PEN_SPAN_TILES * PEN_KINDS);
  g_array_set_size (self->packed, 0);
  g_array_set_size (self->functions, 0);
  self->piece->n_buckets = 0;
  self->piece->n_cells = 0;
  self->first_cell = 0;
}

void
pen_span_output_put_late_cell (PenSpanOutput *self, guint tile, guint32 count)
{
  PenSpanPiece *piece = self->piece;
  guint from = self->first_cell;
  guint to = piece->n_cells;

  while (from < to) {
    guint middle = from + (to - from) / 2;

    if (piece->tiles[middle] < tile)
      from = middle + 1;
    else
      to = middle;
  }

  if (piece->tiles[from] == tile) {
    piece->counts[from] += count;
    return;
  }

  memmove (&piece->tiles[from + 1], &piece->tiles[from],
           (piece->n_cells - from) * sizeof piece->tiles[0]);
  memmove (&piece->counts[from + 1], &piece->counts[from],
           (piece->n_cells - from) * sizeof piece->counts[0]);
  piece->tiles[from] = (guint16) tile;
  piece->counts[from] = count;
  piece->n_cells++;
}

void
pen_span_output_pack (PenSpanOutput *self)
{
  PenSpanPiece *piece = self->piece;
  PenPackedPiece packed;
  const guint8 *bytes;

  if (piece->n_buckets == 0)
    return;

  for (guint i = 0; i < piece->n_buckets; i++)
    pen_span_functions_add (self->functions, piece->functions[i], piece->samples[i],
                            piece->periods[i]);
  bytes = pen_span_piece_pack (piece, self->packer, &packed.length);
  packed.bytes = g_memdup2 (bytes, packed.length);
  packed.first_function = piece->functions[0];
  packed.last_function = piece->functions[piece->n_buckets - 1];
  g_array_append_val (self->packed, packed);

  piece->n_buckets = 0;
  piece->n_cells = 0;
  self->first_cell = 0;
}

void
pen_span_output_put_bucket (PenSpanOutput *self, guint32 function, guint32 bucket, guint64 samples,
                            guint64 period)
{
  PenSpanPiece *piece = self->piece;
  guint i = piece->n_buckets++;

  piece->functions[i] = function;
  piece->buckets[i] = bucket;
  piece->samples[i] = samples;
  piece->periods[i] = period;
  piece->cells[i] = piece->n_cells - self->first_cell;
  self->first_cell = piece->n_cells;

  if (pen_span_piece_is_full (piece))
    pen_span_output_pack (self);
}

gboolean
pen_span_output_write (PenSpanOutput *self, PenStoreWriter *writer, GError **error)
{
  PenWrittenSpan *written = self->written;

  if (self->packed->len == 0)
    return TRUE;

  for (guint i = 0; i < self->packed->len; i++) {
    guint64 id;

    if (!pen_store_writer_add_span_piece (
            writer, written->span.id, &g_array_index (self->packed, PenPackedPiece, i), &id, error))
      return FALSE;
    g_array_append_val (written->pieces, id);
  }
  g_array_set_size (self->packed, 0);
  return TRUE;
}

PenWrittenSpan *
pen_span_output_finish (PenSpanOutput *self, PenStoreWriter *writer, GError **error)
{
  pen_span_output_pack (self);
  if (!pen_span_output_write (self, writer, error)
      || !pen_store_writer_add_span (writer, &self->written->span, self->written->counts,
                                     self->functions, error))
    return NULL;
  return g_steal_pointer (&self->written);
}
