/* pen-flame-build.h: from counted stacks to a tree for pictures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-stack-counts.h"

G_BEGIN_DECLS

/* A child that is to be added. @source: the builder's own number of it */
typedef struct {
  PenStackCount total;
  guint32 group;
  guint32 source;
} PenFlameChild;

/*
 * PenFlameBuild: a tree in the making
 * @sources: (element-type guint32): of each node of the tree, the builder's own number
 * @children: (element-type PenFlameChild): of the node at hand
 * @least: what nodes have at least, by the measure
 * @max_nodes: of the tree
 */
typedef struct {
  PenStackCounts *counts;
  const PenFlameOptions *options;
  const guint32 *ranks;
  PenFlameTree *tree;
  GArray *sources;
  GArray *children;
  guint64 least;
  guint max_nodes;
} PenFlameBuild;

/* The root, with all that the counts have. */
void pen_flame_build_start (PenFlameBuild *self, PenStackCount total);

/* Sorts @children and puts them under @node, which nothing was put under before; those that are
 * missing of its total and @own have been left out: @n_left_out of them. */
void pen_flame_build_add (PenFlameBuild *self, guint node, PenStackCount own, guint n_left_out);

/* @total: of the node that is looked into */
guint64 pen_flame_build_get_least (const PenFlameOptions *options, PenStackCount total);

/* From the outermost frame on: sources are nodes of the trie. */
gboolean pen_flame_build_down (PenFlameBuild *self, GError **error);
/* From where stacks end: sources are of no use afterwards. */
gboolean pen_flame_build_up (PenFlameBuild *self, GError **error);

/* The versions of a finished tree's nodes. Cost: another look at the samples, and one step for each
 * callchain; of trees from where stacks end, for each frame of the stacks that have versions. */
gboolean pen_flame_build_add_versions (PenFlameBuild *self, GError **error);

/* pen_query_flame() of two stretches, see pen_stack_counts_new_between(). */
PenFlameTree *pen_flame_build_between (PenQuery *query, const PenFilter *filter,
                                       const PenFlameOptions *options, const GArray *before,
                                       const GArray *after, GError **error);

G_END_DECLS
