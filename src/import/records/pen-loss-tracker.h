/* pen-loss-tracker.h: when, and on which CPU, something went missing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-reader.h"

G_BEGIN_DECLS

/* PenLossTracker: sees every record in stream order and turns what is lost into PenLoss rows. */
typedef struct _PenLossTracker PenLossTracker;

PenLossTracker *pen_loss_tracker_new (void);
void pen_loss_tracker_free (PenLossTracker *self);
/* The problems that come from now on are another reader's. */
void pen_loss_tracker_next_reader (PenLossTracker *self);
/* To be finished, while @self goes on. */
PenLossTracker *pen_loss_tracker_copy (PenLossTracker *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenLossTracker, pen_loss_tracker_free)

/* @problems: as pen_reader_get_problems() has them after this record */
void pen_loss_tracker_add (PenLossTracker *self, const PenRecord *record, GPtrArray *problems);

/* There is no memory for more losses: later ones of the same kind, CPU and event become one, with
 * the sum of their counts, from the first to the last. */
void pen_loss_tracker_join (PenLossTracker *self);
/* How many are joined with others. */
guint64 pen_loss_tracker_get_joined (PenLossTracker *self);

/* The losses so far. Returns: (transfer none) (element-type PenLoss) */
GArray *pen_loss_tracker_get_losses (PenLossTracker *self);

/* At the end of the stream: closes what is open, and gives the losses to @history. */
void pen_loss_tracker_finish (PenLossTracker *self, GPtrArray *problems, PenHistory *history);

/* First and last time of any record, ns; 0 and 0 where none has a time. */
void pen_loss_tracker_get_span (PenLossTracker *self, guint64 *first, guint64 *last);

G_END_DECLS
