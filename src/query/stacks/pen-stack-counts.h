/* pen-stack-counts.h: how many stacks end at each node
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-flame.h"
#include "pen-stack-index.h"
#include "pen-stack-inner.h"
#include "pen-stack-lens.h"
#include "pen-stack-merge.h"

G_BEGIN_DECLS

/*
 * PenStackCounts: samples under a filter, by the node of their stack
 * @matcher: of the filter; @options: not owned
 * @is_after: what is counted now is of the second stretch
 * @map: plain, or @own_map; without chains where only @sums were asked so far
 * @sums: (nullable): the store's, where they answer the question; of each stack @nodes, and
 *   @through: flag: it goes through the lens; NULL: there is none
 * @reads_ends: it was the first to read the ends of a stretch
 * @merge: of its trie, where groups are hidden or recursion collapsed; else NULL
 * @trie: of the merge, or the map
 * @own: of each of its nodes: stacks that end there; of PEN_FLAME_CALLERS that have their
 *   innermost frame at the place there
 * @total: all samples under the filter; @outside: of them, those that are at no node
 */
typedef struct {
  PenStackIndex *index;
  PenMatcher *matcher;
  const PenFlameOptions *options;
  gboolean is_after;
  PenStackMap *map;
  PenStackMap *own_map;
  PenStackSums *sums;
  const guint32 *nodes;
  guint32 *own_nodes;
  guint8 *through;
  gboolean reads_ends;
  PenStackMerge *merge;
  const PenStackTrie *trie;
  guint32 n_merged; /* nodes of the map that are in it */
  PenStackSpot *place;
  PenStackSpot *lens_place;
  PenStackInner *inner;
  PenStackLens *lens;
  guint8 *hidden;
  PenStackCount *own;
  guint32 *leaves; /* of the batch at hand, in its order; NULL: none yet */
  guint n;
  PenStackCount total;
  PenStackCount outside;
} PenStackCounts;

PenStackCounts *pen_stack_counts_new (PenQuery *query, const PenFilter *filter,
                                      const PenFlameOptions *options, GError **error);
/* The same of two stretches, each of (element-type PenPiece) @before and @after; the filter's time
 * is not applied. */
PenStackCounts *pen_stack_counts_new_between (PenQuery *query, const PenFilter *filter,
                                              const PenFlameOptions *options, const GArray *before,
                                              const GArray *after, GError **error);
void pen_stack_counts_free (PenStackCounts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackCounts, pen_stack_counts_free)

/* What a node of the map's trie, or PEN_STACK_NOWHERE, became. */
static inline guint32
pen_stack_counts_get_node (const PenStackCounts *self, guint32 node)
{
  return self->merge && node != PEN_STACK_NOWHERE ? self->merge->nodes[node] : node;
}

/* Row @row of a block: its stack is that of node @leaf of the trie. */
typedef void (*PenStackLeafFunc) (const PenSampleBlock *block, guint row, guint32 leaf,
                                  gpointer user_data);

/* What was not needed for sums: frames, samples, and nodes of chains. */
gboolean pen_stack_counts_prepare_rows (PenStackCounts *self, GError **error);

/* All samples once more that are at some node. */
gboolean pen_stack_counts_foreach (PenStackCounts *self, PenStackLeafFunc func, gpointer user_data,
                                   GError **error);

static inline void
pen_stack_count_add (PenStackCount *sum, PenStackCount count)
{
  sum->samples += count.samples;
  sum->period += count.period;
  sum->after += count.after;
}

static inline void
pen_stack_count_take (PenStackCount *sum, PenStackCount count)
{
  sum->samples -= count.samples;
  sum->period -= count.period;
  sum->after -= count.after;
}

G_END_DECLS
