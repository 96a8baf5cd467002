/* pen-tenure-builder.h: tenures and their parts, while a history is sealed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cancel-check.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/*
 * PenTenureBuilder: events open and close parts in time order; a tenure lasts from its first part
 * to its last. Until pen_tenure_builder_finish() tenures and parts are known by their index.
 */
typedef struct {
  GArray *tenures; /* PenTenure */
  GArray *live;    /* guint32 per tenure: how many parts are open */
  GArray *parts;   /* PenPart */
  GArray *closed;  /* guint32: parts; in the order of their ends once that is finished */
} PenTenureBuilder;

void pen_tenure_builder_init (PenTenureBuilder *self);
void pen_tenure_builder_clear (PenTenureBuilder *self);

/* @tenure: to, to_bound and unverified_from are not read. Returns: its index */
guint32 pen_tenure_builder_open (PenTenureBuilder *self, const PenTenure *tenure);
/* Opens a part of @tenure at @from. Returns: its index */
guint32 pen_tenure_builder_open_part (PenTenureBuilder *self, guint32 tenure, guint64 start,
                                      guint64 end, PenMoment from);
void pen_tenure_builder_close_part (PenTenureBuilder *self, guint32 part, PenMoment to,
                                    PenBound bound);

/* @part: the only one of its tenure, open or closed. It ends at @to, if that is earlier than it
 * does: then pen_tenure_builder_sort_closed() is due. */
void pen_tenure_builder_shorten (PenTenureBuilder *self, guint32 part, PenMoment to,
                                 PenBound bound);

static inline PenTenure *
pen_tenure_builder_get_tenure (PenTenureBuilder *self, guint32 tenure)
{
  return &g_array_index (self->tenures, PenTenure, tenure);
}

static inline PenPart *
pen_tenure_builder_get_part (PenTenureBuilder *self, guint32 part)
{
  return &g_array_index (self->parts, PenPart, part);
}

/* How a tenure that @evidence opens at @moment is known to begin. */
static inline PenBound
pen_tenure_builder_bound (PenMoment moment, PenEvidence evidence)
{
  return moment.time == 0 || evidence != PEN_EVIDENCE_RECORDED ? PEN_BOUND_INITIAL
                                                               : PEN_BOUND_RECORDED;
}

/* Puts what was closed in the order of its ends, for who did not close it so. Returns: FALSE:
 * stopped */
gboolean pen_tenure_builder_sort_closed (PenTenureBuilder *self, PenCancelCheck *check);

/* Sorts the tenures by their beginning and the parts by tenure. PenPart.tenure is the place of its
 * tenure, from 1, from then on. Returns: FALSE: stopped */
gboolean pen_tenure_builder_finish (PenTenureBuilder *self, PenCancelCheck *check);

G_END_DECLS
