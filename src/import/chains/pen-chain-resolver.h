/* pen-chain-resolver.h: each frame of a callchain to its tenure, as of the sample's time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-chain-spool.h"
#include "pen-frame-table.h"
#include "pen-history.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

typedef struct _PenChainResolver PenChainResolver;

/* All are borrowed. */
PenChainResolver *pen_chain_resolver_new (PenChainSpool *spool, PenFrameTable *frames);
void pen_chain_resolver_free (PenChainResolver *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChainResolver, pen_chain_resolver_free)

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
 * @chain: (out): its id in the store; 0: none
 *
 * Cost: a look into a table where the same callchain of the same process was resolved before and
 * nothing changed since; else one for each of its halves; a lookup per frame for a half that has a
 * frame near which something changed.
 */
gboolean pen_chain_resolver_get (PenChainResolver *self, const PenSampleChain *sample,
                                 PenSweep *sweep, guint32 *chain, GError **error);

/* The nodes of the chains so far: see pen_chain_tree_take_block(). */
PenChainNode *pen_chain_resolver_take_block (PenChainResolver *self, gboolean rest, guint32 *first,
                                             guint *n);

/* Chains that were left out, since their frames were too many. */
guint64 pen_chain_resolver_get_dropped (PenChainResolver *self);

G_END_DECLS
