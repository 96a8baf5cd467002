/* pen-query-flame.h: trees of callers, for flame graphs, and stacks over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-stacks.h"

G_BEGIN_DECLS

/* From what the tree's first level is. */
typedef enum {
  PEN_FLAME_OUTERMOST, /* the outermost frames; then what they called */
  PEN_FLAME_INNERMOST, /* the leaves; then who called them */
  PEN_FLAME_CALLERS,   /* a place; then who called it. Each stack once, from the innermost time */
  PEN_FLAME_CALLEES,   /* a place; then what it called. Each stack once, from the outermost time */
} PenFlameOrder;

typedef enum {
  PEN_FLAME_HEAVY_FIRST, /* on the left is what has most */
  PEN_FLAME_BY_NAME,
} PenFlameSort;

/*
 * PenFlameOptions: zeroed: samples by function from the outermost frame, everything
 * @measure: sorts by it, and shares are of it
 * @place: of PEN_FLAME_CALLERS and PEN_FLAME_CALLEES: from where
 * @lens: only stacks through it; with @is_lens_reversed only the others
 * @hidden: groups whose frames are left out of stacks: what they called is their caller's; a leaf's
 *   samples are, too
 * @collapses_recursion: a frame that its own group called is no level of its own
 * @zoom: groups of the nodes from the first level to that which is looked into: only it, those
 *   above it and all below it are in the tree. Those above have all that they have: others of their
 *   children count as left out
 * @least_share: nodes with less of @measure than this share of the zoomed node (the root, without
 *   zoom) are left out; 0: none
 * @max_nodes: most nodes in the tree, those with most first; 0: PEN_FLAME_MAX_NODES
 * @version_share: nodes with at least this share of the same have versions; 0: none has
 */
typedef struct {
  PenStackGrouping grouping;
  PenStackMeasure measure;
  PenFlameOrder order;
  PenFlameSort sort;
  PenStackPlace place;
  PenStackPlace lens;
  gboolean is_lens_reversed;
  const guint32 *hidden;
  guint n_hidden;
  gboolean collapses_recursion;
  const guint32 *zoom;
  guint n_zoom;
  double least_share;
  guint max_nodes;
  double version_share;
} PenFlameOptions;

#define PEN_FLAME_MAX_NODES (1u << 20)

#define PEN_FLAME_NONE G_MAXUINT32

/*
 * PenFlameNode:
 * @parent: index; PEN_FLAME_NONE of the root
 * @first_child, @n_children: indexes of its children, side by side, as they are sorted
 * @depth: 0: the root
 * @group: index in @groups; PEN_STACK_NO_GROUP of the root
 * @start: by the measure: what is on its left. Its children begin there; after them come those that
 *   were left out, then its own
 * @total: stacks through the node
 * @own: of them, those that end there: at the leaf, or for callers at the outermost frame
 * @left_out, @n_left_out: of the children that are not in the tree
 * @first_version, @n_versions: in @versions, most first; none where all was the original of one
 * tenure
 */
typedef struct {
  guint32 parent;
  guint32 first_child;
  guint32 n_children;
  guint32 depth;
  guint32 group;
  guint64 start;
  PenStackCount total;
  PenStackCount own;
  PenStackCount left_out;
  guint32 n_left_out;
  guint32 first_version;
  guint32 n_versions;
} PenFlameNode;

/*
 * PenFlameVersion: the text that a node's frames were in
 * @tenure: of the kernel's space, or of code that a runtime made; 0: not known, or of a file, whose
 *   text is the same for all
 * @revision: of the frames' bytes; 0: the original
 * @poke, @cause: that brought it; 0 and unknown for the original
 */
typedef struct {
  guint32 tenure;
  guint32 revision;
  guint32 poke;
  PenCause cause;
  PenStackCount count;
} PenFlameVersion;

/*
 * PenFlameTree:
 * @groups: owned by the query
 * @nodes: (element-type PenFlameNode): the root first, level after level
 * @versions: (element-type PenFlameVersion)
 * @total: all samples under the filter, as `samples` has them
 * @outside: of them, those that the lens or the place leave out. The root has the rest
 * @zoomed: the node that is looked into: of as much of @zoom as any stack has; 0: the root
 * @n_levels: the greatest depth of a node
 * @n_left_out: nodes that were left out, those below them not counted
 */
typedef struct {
  PenFlameOrder order;
  PenStackMeasure measure;
  PenStackGrouping grouping;
  const PenStackGroup *groups;
  guint n_groups;
  GArray *nodes;
  GArray *versions;
  PenStackCount total;
  PenStackCount outside;
  guint zoomed;
  guint n_levels;
  guint n_left_out;
} PenFlameTree;

void pen_flame_tree_free (PenFlameTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFlameTree, pen_flame_tree_free)

static inline const PenFlameNode *
pen_flame_tree_get (const PenFlameTree *self, guint index)
{
  return &g_array_index (self->nodes, PenFlameNode, index);
}

/* The groups of the nodes from the first level to @node: for @zoom.
 * Returns: (transfer full) (element-type guint32) */
GArray *pen_flame_tree_get_path (const PenFlameTree *self, guint node);

/*
 * pen_query_flame:
 * @options: (nullable)
 *
 * All of the filter holds, its time too. Stops where the store is cancelled.
 *
 * Cost: where the import counted stacks in advance, a step for each stack, the first time, and one
 * for each cell of the spans in the stretch; with the whole of a recording, these are kept, 32
 * bytes each. Samples are read only where the stretch begins and ends, for versions, and where a
 * filter asks for a cpu, task, address, event or tenure, or a place for more than a function:
 *
 * Then, the first time, callchains, frames and samples are read. Up to three million samples are
 * kept, with the node of each; then a question is one step for each of the stretch, and a place, a
 * lens or versions one for each callchain. Of a recording with more, they are read again for each
 * question; but once all of it was counted, a mere stretch of time costs the blocks at its ends.
 * They are read by up to four threads, as many as there are processors, which take 5 MB each.
 * Memory: 37 bytes for a kept sample, 22 for a frame, 4 for a callchain (with versions 20), 24 for
 * a node, and 64 MiB for counts in advance. G_IO_ERROR_NO_SPACE: there are more than 2^26
 * callchains.
 */
PenFlameTree *pen_query_flame (PenQuery *self, const PenFilter *filter,
                               const PenFlameOptions *options, GError **error);

/* ---- in time order ---- */

/* A row of a stack chart. */
typedef enum {
  PEN_CHART_BY_CPU,
  PEN_CHART_BY_TASK, /* a thread */
} PenChartKey;

/*
 * @number: CPU or tid; -1: not known
 * @pid: of a task; -1: not known
 * @comm: of a task, as it was called last, or NULL; owned by the store
 * @samples: of waits, ns off CPU
 * @n_levels: depth of its deepest box
 */
typedef struct {
  gint64 number;
  gint64 pid;
  const char *comm;
  guint64 samples;
  guint n_levels;
} PenChartRow;

/* Columns @first to @last of row @row have, at depth @depth (1: outermost), a frame of @group. */
typedef struct {
  guint32 row;
  guint32 depth;
  guint32 first;
  guint32 last;
  guint32 group;
} PenChartBox;

/*
 * PenStackChart: [@from, @to) in @n_columns columns of time: in each the stack that its samples
 * went through, from the outermost frame on, at each level what most of them did. Of waits, the
 * stack with which its task went off CPU, at each level that with most time in the column
 * @rows: (element-type PenChartRow): CPUs by number, tasks by samples
 * @boxes: (element-type PenChartBox): by row, then in the order of their ends
 * @n_left_out: CPUs or tasks that have samples but no row
 * @stride: one block in so many was read; it stands for those that follow it
 */
typedef struct {
  PenChartKey key;
  guint64 from;
  guint64 to;
  guint n_columns;
  const PenStackGroup *groups;
  guint n_groups;
  GArray *rows;
  GArray *boxes;
  guint n_left_out;
  guint stride;
} PenStackChart;

void pen_stack_chart_free (PenStackChart *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackChart, pen_stack_chart_free)

/*
 * The filter's time is not applied; the rest is. @max_rows: most rows; @max_levels: depth at which
 * stacks are cut. Cost: each sample of the stretch with the frames of its stack. Of a recording
 * whose samples are not kept, evenly chosen blocks are read; zooming in makes it exact.
 *
 * Waits are of tasks (PEN_CHART_BY_TASK): each is in the columns over which it lasted. Cost: all
 * waits that begin before @to, twice; refused where a picture would need some millions of them.
 */
PenStackChart *pen_query_stack_chart (PenQuery *self, const PenFilter *filter,
                                      PenStackGrouping grouping, PenChartKey key, guint64 from,
                                      guint64 to, guint n_columns, guint max_rows, guint max_levels,
                                      GError **error);

G_END_DECLS
