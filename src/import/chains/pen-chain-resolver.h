/* pen-chain-resolver.h: each frame of a callchain to its tenure, as of the sample's time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-chain-callers.h"
#include "pen-chain-spool.h"
#include "pen-frame-table.h"
#include "pen-history.h"

G_BEGIN_DECLS

typedef struct _PenChainResolver PenChainResolver;

/* All are borrowed. */
PenChainResolver *pen_chain_resolver_new (PenChainSpool *spool, PenFrameTable *frames);
void pen_chain_resolver_free (PenChainResolver *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChainResolver, pen_chain_resolver_free)

/* (element-type PenTableFrame): those of the table that are behind the first @*n_taken: added to
 * @frames, and counted there. */
void pen_chain_resolver_add_new_frames (PenChainResolver *self, guint *n_taken, GArray *frames);

/*
 * PenSampleChain: what a sample says of its callchain
 * @position: of its moment
 * @place: in the spool; 0: it has none
 * @pid: with @has_task
 */
typedef struct {
  guint64 position;
  guint32 place;
  gint32 pid;
  guint8 has_task;
} PenSampleChain;

/*
 * pen_chain_resolver_get:
 * @sweep: at the sample's moment; each time the same
 * @chain: (out): for PenChainCallers; @words: its words are added there
 *
 * Cost: a look into a table where the same callchain of the same process was resolved before and
 * nothing changed since; else one for each of its halves; a lookup per frame for a half that has a
 * frame near which something changed.
 */
gboolean pen_chain_resolver_get (PenChainResolver *self, const PenSampleChain *sample,
                                 PenSweep *sweep, PenResolvedChain *chain, GArray *words,
                                 GError **error);

/*
 * PenExpectedChain: a chain that will be asked for soon
 * @halves: of them what has to be resolved; 0: nothing, as far as is known
 * @pid, @space: of user addresses
 */
typedef struct {
  guint32 halves[2];
  gint32 pid;
  guint32 space;
} PenExpectedChain;

/*
 * Memory that pen_chain_resolver_get() needs for @sample is on its way into the cache: in four
 * steps, each some samples after the one before, since one look leads to the next. The result of
 * pen_chain_resolver_get() is the same without them.
 */
void pen_chain_resolver_expect (PenChainResolver *self, const PenSampleChain *sample);
/* @expected: (out): for the next two steps */
void pen_chain_resolver_expect_runs (PenChainResolver *self, const PenSampleChain *sample,
                                     PenSweep *sweep, PenExpectedChain *expected);
void pen_chain_resolver_expect_frames (PenChainResolver *self, const PenExpectedChain *expected);
void pen_chain_resolver_expect_unknown (PenChainResolver *self, const PenExpectedChain *expected);

G_END_DECLS
