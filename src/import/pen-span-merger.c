/* pen-span-merger.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-span-merger.h"

#define AT_END G_MAXUINT64

/*
 * Child: a span that is being read
 * @key: function and id of the bucket that comes next, or AT_END
 * @tile_shift, @first_tile: of the parent: what makes its tile of one of the child's
 */
typedef struct {
  const PenWrittenSpan *written;
  PenSpanPiece *piece; /* owned */
  guint n_read;
  guint bucket; /* in piece */
  guint cell;
  guint64 key;
  guint64 child_tile;
  guint tile_shift;
  guint64 first_tile;
} Child;

static gboolean
child_set_key (Child *child, PenStoreWriter *writer, GError **error)
{
  const PenSpanPiece *piece = child->piece;

  if (child->bucket == piece->n_buckets) {
    if (child->n_read == child->written->n_pieces) {
      child->key = AT_END;
      return TRUE;
    }
    if (!pen_store_writer_read_span_piece (writer, child->written->first_piece + child->n_read++,
                                           child->piece, error))
      return FALSE;
    child->bucket = 0;
    child->cell = 0;
  }

  child->key = (guint64) piece->functions[child->bucket] << 32 | piece->buckets[child->bucket];

  return TRUE;
}

static void
child_init (Child *child, const PenWrittenSpan *written, const PenStoreSpan *parent)
{
  *child = (Child){
    .written = written,
    .piece = pen_span_piece_new (),
    .child_tile = written->span.first >> written->span.shift,
    .tile_shift = parent->shift - written->span.shift,
    .first_tile = parent->first >> parent->shift,
  };
}

static inline guint
child_get_tile (const Child *child, guint tile)
{
  return (guint) (((child->child_tile + tile) >> child->tile_shift) - child->first_tile);
}

static void
add_counts (const Child *child, guint32 *counts)
{
  const PenWrittenSpan *written = child->written;
  guint n_tiles = pen_store_span_get_n_tiles (&written->span);

  for (guint tile = 0; tile < n_tiles; tile++) {
    guint to = child_get_tile (child, tile) * PEN_KINDS;

    for (guint kind = 0; kind < PEN_KINDS; kind++)
      counts[to + kind] += written->counts[tile * PEN_KINDS + kind];
  }
}

static void
put_cells (Child *child, PenSpanOutput *output, guint64 *samples, guint64 *period)
{
  const PenSpanPiece *piece = child->piece;
  guint end = child->cell + piece->cells[child->bucket];

  *samples += piece->samples[child->bucket];
  *period += piece->periods[child->bucket];
  for (; child->cell < end; child->cell++)
    pen_span_output_put_cell (output, child_get_tile (child, piece->tiles[child->cell]),
                              piece->counts[child->cell]);
  child->bucket++;
}

static gboolean
merge_buckets (Child *children, guint n, PenSpanOutput *output, PenStoreWriter *writer,
               GError **error)
{
  for (;;) {
    guint64 key = AT_END;
    guint64 samples = 0;
    guint64 period = 0;

    for (guint i = 0; i < n; i++)
      key = MIN (key, children[i].key);
    if (key == AT_END)
      return TRUE;

    for (guint i = 0; i < n; i++) {
      if (children[i].key != key)
        continue;
      put_cells (&children[i], output, &samples, &period);
      if (!child_set_key (&children[i], writer, error))
        return FALSE;
    }

    pen_span_output_put_bucket (output, (guint32) (key >> 32), (guint32) key, samples, period);
    if (!pen_span_output_write (output, writer, error))
      return FALSE;
  }
}

/* Without samples a span has no times. */
static PenStoreSpan
make_parent (PenWrittenSpan *const *children, guint n)
{
  PenStoreSpan parent = {
    .level = children[0]->span.level + 1,
    .first_block = children[0]->span.first_block,
  };

  for (guint i = 0; i < n; i++) {
    const PenStoreSpan *span = &children[i]->span;

    parent.n_blocks += span->n_blocks;
    if (span->samples == 0)
      continue;
    parent.first = parent.samples == 0 ? span->first : MIN (parent.first, span->first);
    parent.last = MAX (parent.last, span->last);
    parent.samples += span->samples;
  }
  parent.shift = pen_span_choose_shift (parent.first, parent.last);

  return parent;
}

PenWrittenSpan *
pen_span_merge (PenSpanOutput *output, PenStoreWriter *writer, PenWrittenSpan *const *children,
                guint n, GError **error)
{
  PenStoreSpan parent = make_parent (children, n);
  g_autofree Child *reading = g_new0 (Child, n);
  guint n_reading = 0;
  gboolean ok = TRUE;

  pen_span_output_start (output, &parent);
  for (guint i = 0; i < n && ok; i++) {
    Child *child = &reading[n_reading];

    if (children[i]->span.samples == 0)
      continue;
    child_init (child, children[i], &parent);
    n_reading++;
    add_counts (child, output->written->counts);
    ok = child_set_key (child, writer, error);
  }

  ok = ok && merge_buckets (reading, n_reading, output, writer, error);
  for (guint i = 0; i < n_reading; i++)
    pen_span_piece_free (reading[i].piece);

  return ok ? pen_span_output_finish (output, writer, error) : NULL;
}
