/* pen-stack-merge.h: stacks without some of their frames
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-stack-trie.h"

G_BEGIN_DECLS

/*
 * PenStackMerge: a trie made of another one, whose nodes become fewer
 * @nodes: of each node of the other: the node that it became
 */
typedef struct {
  PenStackTrie *trie;
  guint32 *nodes;
} PenStackMerge;

/*
 * pen_stack_merge_new:
 * @hidden: flag of each group, whose nodes are their callers'; NULL: none
 * @collapses_recursion: so are nodes whose caller is of their own group
 * @keeps_first: nodes of the first level are not hidden
 */
PenStackMerge *pen_stack_merge_new (const PenStackTrie *trie, const guint8 *hidden,
                                    gboolean collapses_recursion, gboolean keeps_first);
void pen_stack_merge_free (PenStackMerge *self);

G_END_DECLS
