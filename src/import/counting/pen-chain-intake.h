/* pen-chain-intake.h: callchains of records, on their way into the spool
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-chain-spool.h"
#include "pen-sample-sorter.h"

G_BEGIN_DECLS

/*
 * PenChainIntake: keeping a callchain takes longer than reading its record; so a thread beside does
 * it, in the order of the records. It starts when there are more than a few.
 */
typedef struct _PenChainIntake PenChainIntake;

/* @spool: borrowed; the intake's alone until pen_chain_intake_finish() */
PenChainIntake *pen_chain_intake_new (PenChainSpool *spool);
/* Ends the thread, at the next callchain. */
void pen_chain_intake_free (PenChainIntake *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChainIntake, pen_chain_intake_free)

/*
 * pen_chain_intake_add:
 * @record: a sample with a callchain
 * @sample: (out): filled but for its callchain, which is noted there before the next
 *   pen_chain_intake_wait() returns: not to be touched until then
 */
gboolean pen_chain_intake_add (PenChainIntake *self, const PenRecord *record,
                               PenSortedSample *sample, GError **error);
/* @record: CALLCHAIN_DEFERRED */
gboolean pen_chain_intake_add_deferred (PenChainIntake *self, const PenRecord *record,
                                        GError **error);

/* Waits until all are in the spool that were added. */
gboolean pen_chain_intake_wait (PenChainIntake *self, GError **error);

/* After the last one. */
gboolean pen_chain_intake_finish (PenChainIntake *self, GError **error);

G_END_DECLS
