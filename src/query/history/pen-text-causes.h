/* pen-text-causes.h: when each cause was on, by the pokes of a place
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"
#include "pen-query-verdict.h"

G_BEGIN_DECLS

/* From @time on, up to the next one's. */
typedef struct {
  guint64 time;
  PenTextState state;
} PenTextTurn;

/*
 * PenTextCause: fields as in PenVerdictCause
 * @on: the last poke that turned it on, or NULL
 * @turns: (element-type PenTextTurn): by time, from 0; two in a row differ
 */
typedef struct {
  PenCause cause;
  guint64 address;
  guint sites;
  guint pokes;
  gboolean is_switch;
  const char *key;
  const PenPoke *on;
  GArray *turns;
} PenTextCause;

/* How long a tenure held the place. */
typedef struct {
  guint32 tenure;
  guint64 from; /* ns */
  guint64 to;
} PenTextHold;

/*
 * pen_text_causes_new:
 * @pokes: (element-type PenPoke): patches alone, in time order; the result points into them
 * @holds: (element-type PenTextHold): of every tenure that they are of, by its id
 * @losses: (element-type PenLoss): by their beginning
 * @batches, @n_batches: element i has id i + 1
 *
 * Bytes that pokes overlap in are one site. Its text before the first poke of a tenure is known by
 * that poke's old bytes; after the last one it is known until records are lost in which there may
 * be another. Before a poke whose old bytes are not what was there (P5) it is unknown since the one
 * before.
 *
 * Cost: O(n log n) of the pokes.
 *
 * Returns: (transfer full) (element-type PenTextCause): by address of their first sites; cause by
 * cause
 */
GPtrArray *pen_text_causes_new (const GArray *pokes, const GArray *holds, const GArray *losses,
                                const PenBatch *batches, guint n_batches);

/* @from, @to: (out): of the turn at @time; @to is not in it any more, unless it is G_MAXUINT64 */
PenTextState pen_text_cause_find_turn (const PenTextCause *self, guint64 time, guint64 *from,
                                       guint64 *to);

G_END_DECLS
