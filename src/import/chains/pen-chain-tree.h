/* pen-chain-tree.h: callchains as a tree of callers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-writer.h"

G_BEGIN_DECLS

/*
 * PenChainTree: a node is a frame and the chain of those that called it, so chains with the same
 * callers share them. Its memory is bounded: nodes are forgotten from time to time, and chains then
 * kept once more. Ids of forgotten nodes stay what they were.
 */
typedef struct _PenChainTree PenChainTree;

/* Nodes that are remembered: 32 MiB with their slots. */
#define PEN_CHAIN_NODES_MAX (1u << 21)

/* @max: nodes that are remembered, PEN_CHAIN_NODES_MAX at most */
PenChainTree *pen_chain_tree_new (guint max);
void pen_chain_tree_free (PenChainTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChainTree, pen_chain_tree_free)

/*
 * pen_chain_tree_get:
 * @caller: the id of the node that called all of them; 0: none
 * @frames: @n of them, the leaf first
 *
 * Returns: the id of the leaf's node, from 1; @caller if @n is 0; 0: there are no more ids
 */
guint32 pen_chain_tree_get (PenChainTree *self, guint32 caller, const guint32 *frames, gsize n);

/*
 * PenChainRoots: the outermost frames of a chain that pen_chain_tree_get() will be asked for
 * @frames: the outermost one, and that which it called; @n: how many of these there are
 */
typedef struct {
  guint32 frames[2];
  guint8 n;
} PenChainRoots;

/* Memory that pen_chain_tree_get() needs for @roots is on its way into the cache: of the first
 * frame's slot, some chains later of its node, and some later of the second frame's slot. */
void pen_chain_tree_expect_slot (const PenChainTree *self, const PenChainRoots *roots);
void pen_chain_tree_expect_node (const PenChainTree *self, const PenChainRoots *roots);
void pen_chain_tree_expect_called (const PenChainTree *self, const PenChainRoots *roots);

/* The id of the first node that is not forgotten: never 0, and it rises where nodes are forgotten.
 */
guint64 pen_chain_tree_get_first (PenChainTree *self);

/* Nodes are kept as they come from now on, for pen_chain_tree_take_new(); but no more of them at a
 * time than PEN_CHAIN_NEW_MAX. To be called before there are any. */
#define PEN_CHAIN_NEW_MAX (1u << 16)
void pen_chain_tree_keep_new (PenChainTree *self);
/* @nodes: (element-type PenChainNode): set to those since the last call, in the order of their ids,
 * from 1. Returns: FALSE: there were more, or none are kept */
gboolean pen_chain_tree_take_new (PenChainTree *self, GArray *nodes);

/* More chains will be asked for after the last block was taken, which then comes once more, with
 * more nodes. */
void pen_chain_tree_stay_open (PenChainTree *self);

/*
 * pen_chain_tree_take_block:
 * @rest: also the last block, of fewer nodes: no more will be asked of the tree
 * @first: (out): the id of the block's first node
 * @n: (out): PEN_BLOCK_CHAINS, but for the last
 *
 * Nodes that are finished and have not been taken, in the order of their ids. To be called until it
 * says NULL after each few chains: what is not taken is kept.
 *
 * Returns: (transfer full) (nullable) (array length=n): free with g_free()
 */
PenChainNode *pen_chain_tree_take_block (PenChainTree *self, gboolean rest, guint32 *first,
                                         guint *n);

G_END_DECLS
