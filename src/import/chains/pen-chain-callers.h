/* pen-chain-callers.h: resolved callchains to nodes of the store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-chain-tree.h"

G_BEGIN_DECLS

/*
 * PenResolvedChain: one of a sample, as PenChainResolver says it: 0: none; a number that stands for
 * a chain until it gets another meaning; or PEN_CHAIN_ONCE
 *
 * Words follow for PEN_CHAIN_ONCE: its second half and its first, each a count of frames and their
 * ids, the leaf first; and for a number with PEN_CHAIN_NEW, whose meaning they are: its second half
 * and its first, each the number of a list of frames, 0 where there is none, with PEN_CHAIN_NEW
 * where a count and ids follow in turn. The lists begin anew with number 1.
 */
typedef guint32 PenResolvedChain;

#define PEN_CHAIN_NEW 0x80000000u
#define PEN_CHAIN_ONCE G_MAXUINT32

/*
 * PenChainCallers: keeps what the numbers stand for, in the order of the samples; so that the nodes
 * follow from the chains alone.
 */
typedef struct _PenChainCallers PenChainCallers;

/* @max_nodes: see pen_chain_tree_new() */
PenChainCallers *pen_chain_callers_new (guint max_nodes);
/* With nodes that are kept; @tree outlives it. */
PenChainCallers *pen_chain_callers_new_with (PenChainTree *tree);
void pen_chain_callers_free (PenChainCallers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChainCallers, pen_chain_callers_free)

/*
 * pen_chain_callers_get:
 * @chains: (inout): @n of them, in the order of their samples: each becomes its id in the store; 0:
 *   it has none
 * @words: of all of them
 */
void pen_chain_callers_get (PenChainCallers *self, PenResolvedChain *chains, guint n,
                            const guint32 *words);

/* See pen_chain_tree_take_block(). */
PenChainNode *pen_chain_callers_take_block (PenChainCallers *self, gboolean rest, guint32 *first,
                                            guint *n);

/* See pen_chain_tree_keep_new() and pen_chain_tree_take_new(). */
void pen_chain_callers_keep_new (PenChainCallers *self);
gboolean pen_chain_callers_take_new (PenChainCallers *self, GArray *nodes);

/* Chains that were left out, since their frames were too many. */
guint64 pen_chain_callers_get_dropped (PenChainCallers *self);

G_END_DECLS
