/* pen-recorded-time.h: when samples could be taken: the recording without what was lost of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

/* Both ends are in it, ns. */
typedef struct {
  guint64 from;
  guint64 to;
} PenPiece;

/* More pieces than that are not told apart: what was lost in between is left in. */
#define PEN_RECORDED_PIECES_MAX 256

/*
 * PenRecordedTime: stretches in which samples were taken, by time, without overlap
 * @pieces: (element-type PenPiece)
 * @lost: (element-type PenPiece): what was left out: records or samples were lost, sampling was
 *   throttled
 * @is_coarse: more was lost than could be left out
 */
typedef struct {
  GArray *pieces;
  GArray *lost;
  gboolean is_coarse;
} PenRecordedTime;

/* From the first to the last sample, in the filter's time; of waits, from the first to the last
 * time of all that is recorded. */
PenRecordedTime *pen_recorded_time_new (PenQuery *query, const PenFilter *filter, GError **error);
/* Leaves what is in [@from, @to] of @holds (element-type PenPiece; by time), too. */
PenRecordedTime *pen_recorded_time_cut (const PenRecordedTime *self, const GArray *holds);
void pen_recorded_time_free (PenRecordedTime *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRecordedTime, pen_recorded_time_free)

/* Pieces in [@from, @to]. Returns: (transfer full) (element-type PenPiece) */
GArray *pen_recorded_time_list (const PenRecordedTime *self, guint64 from, guint64 to);
/* Seconds of pieces. */
double pen_pieces_sum (const GArray *pieces);
/* Seconds in [@from, @to] of pieces. */
double pen_pieces_sum_in (const GArray *pieces, guint64 from, guint64 to);

G_END_DECLS
