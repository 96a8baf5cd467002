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
  const PenWrittenSpan *written; /* of the merger */
  PenSpanPiece *piece;           /* owned */
  guint n_read;
  guint bucket; /* in piece */
  guint cell;
  guint64 key;
  guint64 child_tile;
  guint tile_shift;
  guint64 first_tile;
} Child;

/*
 * @reading: the @n_reading of @children that have samples
 * @n_read, @n_pieces: of all children's pieces
 */
struct _PenSpanMerger {
  PenStoreWriter *writer;
  GPtrArray *children;
  Child *reading;
  guint n_reading;
  guint n_read;
  guint n_pieces;
  gboolean has_begun;
  PenSpanOutput output;
};

static gboolean
child_set_key (PenSpanMerger *self, Child *child, GError **error)
{
  const PenSpanPiece *piece = child->piece;

  if (child->bucket == piece->n_buckets) {
    const GArray *pieces = child->written->pieces;

    if (child->n_read == pieces->len) {
      child->key = AT_END;
      return TRUE;
    }
    if (!pen_store_writer_read_span_piece (
            self->writer, g_array_index (pieces, guint64, child->n_read), child->piece, error))
      return FALSE;
    child->n_read++;
    self->n_read++;
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

/* Returns: FALSE: at the end, or with @error */
static gboolean
merge_bucket (PenSpanMerger *self, GError **error)
{
  guint64 key = AT_END;
  guint64 samples = 0;
  guint64 period = 0;

  for (guint i = 0; i < self->n_reading; i++)
    key = MIN (key, self->reading[i].key);
  if (key == AT_END)
    return FALSE;

  for (guint i = 0; i < self->n_reading; i++) {
    Child *child = &self->reading[i];

    if (child->key != key)
      continue;
    put_cells (child, &self->output, &samples, &period);
    if (!child_set_key (self, child, error))
      return FALSE;
  }

  pen_span_output_put_bucket (&self->output, (guint32) (key >> 32), (guint32) key, samples, period);
  return pen_span_output_write (&self->output, self->writer, error);
}

/* Without samples a span has no times. */
static PenStoreSpan
make_parent (PenWrittenSpan *const *children, guint n, guint32 id)
{
  PenStoreSpan parent = {
    .id = id,
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

PenSpanMerger *
pen_span_merger_new (GPtrArray *children, PenStoreWriter *writer)
{
  PenSpanMerger *self = g_new0 (PenSpanMerger, 1);
  PenStoreSpan parent = make_parent ((PenWrittenSpan *const *) children->pdata, children->len,
                                     pen_store_writer_begin_span (writer));

  self->writer = writer;
  self->children = children;
  self->reading = g_new0 (Child, children->len);
  pen_span_output_init (&self->output);
  pen_span_output_start (&self->output, &parent);
  for (guint i = 0; i < children->len; i++) {
    const PenWrittenSpan *written = g_ptr_array_index (children, i);

    self->n_pieces += written->pieces->len;
    if (written->span.samples == 0)
      continue;
    child_init (&self->reading[self->n_reading], written, &parent);
    add_counts (&self->reading[self->n_reading++], self->output.written->counts);
  }
  return self;
}

void
pen_span_merger_free (PenSpanMerger *self)
{
  if (!self)
    return;

  for (guint i = 0; i < self->n_reading; i++)
    pen_span_piece_free (self->reading[i].piece);
  g_free (self->reading);
  g_ptr_array_unref (self->children);
  pen_span_output_clear (&self->output);
  g_free (self);
}

guint
pen_span_merger_count_pieces (PenSpanMerger *self)
{
  return self->n_pieces;
}

static gboolean
begin (PenSpanMerger *self, GError **error)
{
  for (guint i = 0; i < self->n_reading && !self->has_begun; i++)
    if (!child_set_key (self, &self->reading[i], error))
      return FALSE;
  self->has_begun = TRUE;
  return TRUE;
}

gboolean
pen_span_merger_run (PenSpanMerger *self, guint n_pieces, GError **error)
{
  GError *local_error = NULL;

  if (n_pieces <= self->n_read)
    return TRUE;
  if (!begin (self, error))
    return FALSE;

  while (self->n_read < n_pieces && merge_bucket (self, &local_error))
    ;
  if (local_error) {
    g_propagate_error (error, local_error);
    return FALSE;
  }
  return TRUE;
}

PenWrittenSpan *
pen_span_merger_finish (PenSpanMerger *self, GError **error)
{
  /* More than there are: when all have been read, the last ones have still to be merged. */
  return pen_span_merger_run (self, G_MAXUINT, error)
             ? pen_span_output_finish (&self->output, self->writer, error)
             : NULL;
}
