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

/* Nodes that the store does not have yet. */
typedef struct {
  guint32 first;
  guint n;
  PenChainNode *nodes; /* owned */
} PenChainBlock;

PenChainTree *pen_chain_tree_new (void);
void pen_chain_tree_free (PenChainTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChainTree, pen_chain_tree_free)

/*
 * pen_chain_tree_get:
 * @frames: @n of them, the leaf first
 *
 * Returns: the id of the leaf's node, from 1; 0: there are no more ids
 */
guint32 pen_chain_tree_get (PenChainTree *self, const guint32 *frames, gsize n);

/* Appends to @blocks (element-type PenChainBlock) what is to be written: whole blocks, and the rest
 * if @is_last. */
void pen_chain_tree_take_blocks (PenChainTree *self, gboolean is_last, GArray *blocks);

G_END_DECLS
