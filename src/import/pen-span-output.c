/* pen-span-output.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-span-output.h"

#include <string.h>

void
pen_written_span_free (PenWrittenSpan *span)
{
  if (span == NULL)
    return;

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

void
pen_span_output_init (PenSpanOutput *self, PenStoreWriter *writer)
{
  *self = (PenSpanOutput){ .writer = writer, .piece = pen_span_piece_new () };
}

void
pen_span_output_clear (PenSpanOutput *self)
{
  pen_span_piece_free (self->piece);
  pen_written_span_free (self->written);
}

void
pen_span_output_start (PenSpanOutput *self, const PenStoreSpan *span)
{
  pen_written_span_free (self->written);
  self->written = g_new0 (PenWrittenSpan, 1);
  self->written->span = *span;
  self->written->span.id = pen_store_writer_next_span (self->writer);
  self->written->counts = g_new0 (guint32, (gsize) PEN_SPAN_TILES * PEN_KINDS);
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

static gboolean
write_piece (PenSpanOutput *self, GError **error)
{
  PenWrittenSpan *written = self->written;
  guint64 id;

  if (!pen_store_writer_add_span_piece (self->writer, written->span.id, self->piece, &id, error))
    return FALSE;

  if (written->n_pieces++ == 0)
    written->first_piece = id;
  self->piece->n_buckets = 0;
  self->piece->n_cells = 0;
  self->first_cell = 0;

  return TRUE;
}

gboolean
pen_span_output_put_bucket (PenSpanOutput *self, guint32 function, guint32 bucket, guint64 samples,
                            guint64 period, GError **error)
{
  PenSpanPiece *piece = self->piece;
  guint i = piece->n_buckets++;

  piece->functions[i] = function;
  piece->buckets[i] = bucket;
  piece->samples[i] = samples;
  piece->periods[i] = period;
  piece->cells[i] = piece->n_cells - self->first_cell;
  self->first_cell = piece->n_cells;

  return !pen_span_piece_is_full (piece) || write_piece (self, error);
}

PenWrittenSpan *
pen_span_output_finish (PenSpanOutput *self, GError **error)
{
  if (self->piece->n_buckets > 0 && !write_piece (self, error))
    return NULL;
  if (!pen_store_writer_add_span (self->writer, &self->written->span, self->written->counts, error))
    return NULL;

  return g_steal_pointer (&self->written);
}
