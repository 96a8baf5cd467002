/* pen-recorded-time.c: when samples could be taken: the recording without what was lost of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-recorded-time.h"

#include "pen-store-records.h"
#include "pen-tenure.h"

static PenRecordedTime *
recorded_time_new (void)
{
  PenRecordedTime *self = g_new0 (PenRecordedTime, 1);

  self->pieces = g_array_new (FALSE, FALSE, sizeof (PenPiece));
  self->lost = g_array_new (FALSE, FALSE, sizeof (PenPiece));
  return self;
}

void
pen_recorded_time_free (PenRecordedTime *self)
{
  g_array_unref (self->pieces);
  g_array_unref (self->lost);
  g_free (self);
}

/* Adds to pieces that are by time; what touches the last one becomes part of it. */
static void
add_piece (GArray *pieces, guint64 from, guint64 to)
{
  PenPiece piece = { from, to };
  PenPiece *last = pieces->len > 0 ? &g_array_index (pieces, PenPiece, pieces->len - 1) : NULL;

  if (from > to)
    return;
  if (last && from <= last->to)
    last->to = MAX (last->to, to);
  else
    g_array_append_val (pieces, piece);
}

static gboolean
takes_samples (const PenLoss *loss)
{
  return loss->kind != PEN_LOSS_UNWANTED;
}

/* Losses are by their beginning. */
static void
list_lost (PenRecordedTime *self, const GArray *losses, guint64 from, guint64 to)
{
  for (guint i = 0; i < losses->len; i++) {
    const PenLoss *loss = &g_array_index (losses, PenLoss, i);

    /* A count for the whole recording, without a time, says nothing of when. */
    if (takes_samples (loss) && loss->from < loss->to && loss->from <= to && loss->to >= from
        && !(loss->from <= from && loss->to >= to))
      add_piece (self->lost, MAX (loss->from, from), MIN (loss->to, to));
  }
  if (self->lost->len < PEN_RECORDED_PIECES_MAX)
    return;
  self->is_coarse = TRUE;
  g_array_set_size (self->lost, 0);
}

static void
list_pieces (PenRecordedTime *self, guint64 from, guint64 to)
{
  for (guint i = 0; i < self->lost->len; i++) {
    const PenPiece *lost = &g_array_index (self->lost, PenPiece, i);

    if (lost->from > from)
      add_piece (self->pieces, from, lost->from - 1);
    if (lost->to == G_MAXUINT64)
      return;
    from = MAX (from, lost->to + 1);
  }
  add_piece (self->pieces, from, to);
}

PenRecordedTime *
pen_recorded_time_new (PenQuery *query, const PenFilter *filter, GError **error)
{
  g_autoptr (GArray) losses = pen_store_load_losses (pen_query_get_store (query), error);
  PenRecordedTime *self;
  guint64 from;
  guint64 to;

  if (!losses)
    return NULL;
  self = recorded_time_new ();
  if (!pen_query_get_sample_time_range (query, &from, &to))
    return self;
  if (filter && filter->has_time) {
    from = MAX (from, filter->from);
    to = MIN (to, filter->to);
  }
  if (from > to)
    return self;
  list_lost (self, losses, from, to);
  list_pieces (self, from, to);
  return self;
}

static void
add_common (GArray *common, const GArray *pieces, guint64 from, guint64 to)
{
  for (guint i = 0; i < pieces->len; i++) {
    const PenPiece *piece = &g_array_index (pieces, PenPiece, i);

    if (piece->from <= to && piece->to >= from)
      add_piece (common, MAX (piece->from, from), MIN (piece->to, to));
  }
}

PenRecordedTime *
pen_recorded_time_cut (const PenRecordedTime *self, const GArray *holds)
{
  PenRecordedTime *cut = recorded_time_new ();

  cut->is_coarse = self->is_coarse;
  for (guint i = 0; i < holds->len; i++) {
    const PenPiece *hold = &g_array_index (holds, PenPiece, i);

    add_common (cut->pieces, self->pieces, hold->from, hold->to);
    add_common (cut->lost, self->lost, hold->from, hold->to);
  }
  return cut;
}

GArray *
pen_recorded_time_list (const PenRecordedTime *self, guint64 from, guint64 to)
{
  GArray *pieces = g_array_new (FALSE, FALSE, sizeof (PenPiece));

  add_common (pieces, self->pieces, from, to);
  return pieces;
}

double
pen_pieces_sum_in (const GArray *pieces, guint64 from, guint64 to)
{
  double seconds = 0;

  for (guint i = 0; i < pieces->len; i++) {
    const PenPiece *piece = &g_array_index (pieces, PenPiece, i);
    guint64 first = MAX (piece->from, from);
    guint64 last = MIN (piece->to, to);

    if (first <= last)
      seconds += ((double) (last - first) + 1) / 1e9;
  }
  return seconds;
}

double
pen_pieces_sum (const GArray *pieces)
{
  return pen_pieces_sum_in (pieces, 0, G_MAXUINT64);
}
