/* pen-chain-tree.h: callchains as a tree of callers, written as it grows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-writer.h"

G_BEGIN_DECLS

/*
 * PenChainTree: a node is a frame and the chain of those that called it, so chains with the same
 * callers share them. Its memory is bounded: what has been written is forgotten from time to time,
 * and chains are then kept once more.
 */
typedef struct _PenChainTree PenChainTree;

PenChainTree *pen_chain_tree_new (void);
void pen_chain_tree_free (PenChainTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChainTree, pen_chain_tree_free)

/*
 * pen_chain_tree_get:
 * @frames: @n of them, the leaf first
 * @chain: (out): the id of the leaf's node, from 1; 0: there are no more ids
 */
gboolean pen_chain_tree_get (PenChainTree *self, const guint32 *frames, gsize n,
                             PenStoreWriter *writer, guint32 *chain, GError **error);

/* Writes what has not been written. */
gboolean pen_chain_tree_finish (PenChainTree *self, PenStoreWriter *writer, GError **error);

G_END_DECLS
