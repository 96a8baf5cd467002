/* pen-ledger.h: tenures and their parts, as they are found
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pace.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/*
 * PenLedger: events open and close parts in time order; a tenure lasts from its first part to its
 * last. Until pen_ledger_finish() tenures and parts are known by their index.
 */
typedef struct {
  GArray *tenures; /* PenTenure */
  GArray *live;    /* guint32 per tenure: how many parts are open */
  GArray *parts;   /* PenPart */
  GArray *closed;  /* guint32: parts, in the order of their ends */
} PenLedger;

void pen_ledger_init (PenLedger *self);
void pen_ledger_clear (PenLedger *self);

/* @tenure: id, to, to_bound and unverified_from are not read. Returns: its index */
guint32 pen_ledger_open (PenLedger *self, const PenTenure *tenure);
/* Opens a part of @tenure at @from. Returns: its index */
guint32 pen_ledger_open_part (PenLedger *self, guint32 tenure, guint64 start, guint64 end,
                              PenMoment from);
void pen_ledger_close_part (PenLedger *self, guint32 part, PenMoment to, PenBound bound);

static inline PenTenure *
pen_ledger_get_tenure (PenLedger *self, guint32 tenure)
{
  return &g_array_index (self->tenures, PenTenure, tenure);
}

static inline PenPart *
pen_ledger_get_part (PenLedger *self, guint32 part)
{
  return &g_array_index (self->parts, PenPart, part);
}

/* How a tenure that @evidence opens at @moment is known to begin. */
static inline PenBound
pen_ledger_bound (PenMoment moment, PenEvidence evidence)
{
  return moment.time == 0 || evidence != PEN_EVIDENCE_RECORDED ? PEN_BOUND_INITIAL
                                                               : PEN_BOUND_RECORDED;
}

/* Numbers the tenures from 1 by their beginning and sorts the parts by tenure. PenPart.tenure is an
 * id from then on. Returns: FALSE: stopped */
gboolean pen_ledger_finish (PenLedger *self, PenPace *pace);

G_END_DECLS
