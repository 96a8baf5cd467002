/* pen-query-flame-diff.h: the stacks of two stretches of time in one tree: what a patch changed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-compare.h"
#include "pen-query-flame.h"

G_BEGIN_DECLS

/* A stretch of time, both ends included, ns. */
typedef struct {
  guint64 from;
  guint64 to;
} PenFlameWindow;

/* Which windows a change has. @crosses: over other changes of the same places, too; @most: ns that
 * each has at most, 0: no limit */
typedef struct {
  gboolean crosses;
  guint64 most;
} PenWindowRules;

/*
 * pen_query_find_windows: two stretches of equal length, before and after batch @batch (its id),
 * without PEN_BAND on both sides of it: as long as can be within the recording, and, unless
 * @rules->crosses, without another patch of its sites in them
 *
 * Errors: PEN_QUERY_ERROR_NOT_FOUND: there is no such batch, or no time around it
 * Cost: one step for each poke
 */
gboolean pen_query_find_windows (PenQuery *self, guint32 batch, const PenWindowRules *rules,
                                 PenFlameWindow windows[2], GError **error);

/*
 * PenFlameDifference: a node, after against before
 * @rates: samples per recorded second of each
 * @test: its interval is that of the whole tree's level
 * @verdict: more or less only where the interval does not hold 1
 */
typedef struct {
  double rates[2];
  PenRateTest test;
  PenVerdict verdict;
} PenFlameDifference;

/*
 * PenFlameDiff:
 * @tree: of both stretches: PEN_STACK_BOTH; in its counts, samples are of the first and after of
 *   the second
 * @nodes: of each node of the tree
 * @seconds: recorded, without losses; samples of that time are not in the counts either
 * @is_coarse: too much was lost, here and there, to be left out
 * @alpha: level of each test: 5 % for all nodes of the tree together (Bonferroni), so that with
 *   95 % not one of them is said to differ where none does
 */
typedef struct {
  PenFlameTree *tree;
  PenFlameDifference *nodes;
  PenFlameWindow windows[2];
  double seconds[2];
  gboolean is_coarse;
  double alpha;
} PenFlameDiff;

/* The least share of all samples that a frame has, unless another is asked for: of rarer ones too
 * little can be said. */
#define PEN_FLAME_DIFF_LEAST 0.001

void pen_flame_diff_free (PenFlameDiff *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFlameDiff, pen_flame_diff_free)

/* @filter: but for its time; @options: but for its measure and versions. Cost: as
 * pen_query_flame(), twice, and a test for each node */
PenFlameDiff *pen_query_flame_diff (PenQuery *self, const PenFilter *filter,
                                    const PenFlameOptions *options, const PenFlameWindow windows[2],
                                    GError **error);

/* ---- frames that are searched for ---- */

/* Whether the group of number @index is one of those that are searched for. */
typedef gboolean (*PenStackMatchFunc) (const PenStackGroup *group, guint32 index,
                                       gpointer user_data);

/* @n_groups: that match, of those that any stack has; @count: stacks through one of them, each
 * once */
typedef struct {
  guint n_groups;
  PenStackCount count;
} PenStackMatches;

/*
 * pen_query_stack_matches: in all stacks, also where a tree leaves frames out as too narrow
 * @options: but for zoom, sort, shares and versions
 * @windows: (nullable): two; then the filter's time is not applied
 *
 * Cost: as pen_query_flame() without the tree, a step for each node, a call for each group.
 */
gboolean pen_query_stack_matches (PenQuery *self, const PenFilter *filter,
                                  const PenFlameOptions *options, const PenFlameWindow *windows,
                                  PenStackMatchFunc is_match, gpointer user_data,
                                  PenStackMatches *matches, GError **error);

/* Writes a whole table: a row for each node, each before those that it called. */
gboolean pen_query_write_flame_diff (PenQuery *self, const PenFilter *filter,
                                     const PenFlameOptions *options,
                                     const PenFlameWindow windows[2], PenTableWriter *writer,
                                     GError **error);

G_END_DECLS
