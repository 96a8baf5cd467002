/* pen-span-tree.h: the store's spans, from the widest down to blocks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-spans.h"

G_BEGIN_DECLS

/*
 * PenSpanTree: where the spans of a store are, by level. A store of few blocks has none: every
 * question can be answered from the blocks alone.
 *
 * @n_top: the spans of the highest level; they come first. 0: there are none
 * @n_in_spans: blocks that spans have: all of them, if there are spans, but for a store that is
 *   still written: its last blocks
 */
typedef struct {
  const PenStoreSpan *spans;
  guint n_spans;
  guint n_top;
  guint n_blocks;
  guint n_in_spans;
} PenSpanTree;

void pen_span_tree_init (PenSpanTree *self, PenStore *store);

/* Returns: the first of the @n spans of the level below that @span consists of; NULL: @span
 * consists of blocks. */
const PenStoreSpan *pen_span_tree_get_children (const PenSpanTree *self, const PenStoreSpan *span,
                                                guint *n);

/* Returns: the span of the lowest level that has the block; NULL: there is none. */
const PenStoreSpan *pen_span_tree_find_lowest (const PenSpanTree *self, guint block);

G_END_DECLS
