/* pen-chain-stage.h: callchains of placed samples, resolved in threads beside
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-chain-resolver.h"
#include "pen-history.h"
#include "pen-sample-writer.h"

G_BEGIN_DECLS

/*
 * PenChainStage: between the thread that places samples and the one that writes them. Threads start
 * with the first callchain; chunks from before go straight to the writer. One finds the frames of
 * callchains, another one the nodes that these are in the store. Each chunk passes in its order, so
 * the result does not depend on who was faster.
 */
typedef struct _PenChainStage PenChainStage;

/*
 * pen_chain_stage_new:
 * @history: sealed
 *
 * Until pen_chain_stage_finish(), @chains, the spool and the table of frames that it has, and
 * @callers, are the threads' alone. All are borrowed.
 */
PenChainStage *pen_chain_stage_new (PenHistory *history, PenChainResolver *chains,
                                    PenChainCallers *callers, PenSampleWriter *writer);
/* Ends the threads, at the next sample. */
void pen_chain_stage_free (PenChainStage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChainStage, pen_chain_stage_free)

/* Waits for an empty chunk. Give it back, filled. Returns: NULL with @error if a thread failed */
PenSampleChunk *pen_chain_stage_take (PenChainStage *self, GError **error);
void pen_chain_stage_give (PenChainStage *self, PenSampleChunk *chunk);

/* After the last chunk: waits until the writer has all of them, and all callers. */
gboolean pen_chain_stage_finish (PenChainStage *self, GError **error);

G_END_DECLS
