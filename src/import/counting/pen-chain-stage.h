/* pen-chain-stage.h: callchains of placed samples, resolved in a thread beside
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-chain-resolver.h"
#include "pen-history.h"
#include "pen-sample-writer.h"

G_BEGIN_DECLS

/*
 * PenChainStage: between the thread that places samples and the one that writes them. Its thread
 * starts with the first callchain; chunks from before go straight to the writer. Each chunk passes
 * in its order, so the result does not depend on who was faster.
 */
typedef struct _PenChainStage PenChainStage;

/*
 * pen_chain_stage_new:
 * @history: sealed
 *
 * Until pen_chain_stage_finish(), @chains, the spool and the table of frames that it has, are the
 * thread's alone. All are borrowed.
 */
PenChainStage *pen_chain_stage_new (PenHistory *history, PenChainResolver *chains,
                                    PenSampleWriter *writer);
/* Ends the thread, at the next sample. */
void pen_chain_stage_free (PenChainStage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChainStage, pen_chain_stage_free)

/* Waits for an empty chunk. Give it back, filled. Returns: NULL with @error if a thread failed */
PenSampleChunk *pen_chain_stage_take (PenChainStage *self, GError **error);
void pen_chain_stage_give (PenChainStage *self, PenSampleChunk *chunk);

/* After the last chunk: waits until the writer has all of them, and all callers. */
gboolean pen_chain_stage_finish (PenChainStage *self, GError **error);

G_END_DECLS
