/* pen-query-pair-paths.h: call paths of two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-pair.h"

G_BEGIN_DECLS

/*
 * PenPairFrame: frames of functions that are the same, see pen_query_pair()
 * @symbol: (nullable); @b_symbol: (nullable): of a renamed function
 * @is_unrecorded: callers that were not recorded
 * @functions: of each side, that with most samples; G_MAXUINT32: none
 */
typedef struct {
  PenKind kind;
  const char *occupant;
  const char *symbol;
  const char *b_symbol;
  gboolean is_unrecorded;
  guint32 functions[2];
} PenPairFrame;

#define PEN_PAIR_NO_FRAME G_MAXUINT32
#define PEN_PAIR_NO_PATH G_MAXUINT32

/* "vfs_read", "[libc.so.6]", "[unknown]", as pen_stack_group_get_name() has it. */
char *pen_pair_frame_get_name (const PenPairFrame *self);

/*
 * PenPairPath: frames that called one another, from the tree's first level to this one
 * @parent: index; PEN_PAIR_NO_PATH of the root
 * @first_child, @n_children: side by side, those with most first
 * @frame: in @frames; PEN_PAIR_NO_FRAME of the root
 * @own: samples that end here: at the leaf, or for callers at the outermost frame
 * @rates, @test: of all that go through it, see PenPairRow; at the tree's level
 * @n_left_out: children that are not in the tree
 */
typedef struct {
  guint32 parent;
  guint32 first_child;
  guint32 n_children;
  guint32 depth;
  guint32 frame;
  guint64 own[2];
  PenRate rates[2];
  PenPairTest test;
  guint n_left_out;
} PenPairPath;

/*
 * PenPairPaths:
 * @frames: (element-type PenPairFrame); @paths: (element-type PenPairPath): the root first, level
 *   after level
 * @is_of_callers: the first level is a function; then come its callers
 * @obstacle: why paths cannot be compared, or else only by shares. With PEN_PAIR_OTHER_CHAINS tests
 *   are empty
 * @alpha: level of the tests: 5 % for all paths together
 */
typedef struct {
  GArray *frames;
  GArray *paths;
  gboolean is_of_callers;
  PenPairObstacle obstacle;
  double alpha;
  PenNames *strings;
} PenPairPaths;

void pen_pair_paths_free (PenPairPaths *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairPaths, pen_pair_paths_free)

static inline const PenPairPath *
pen_pair_paths_get (const PenPairPaths *self, guint index)
{
  return &g_array_index (self->paths, PenPairPath, index);
}

static inline const PenPairFrame *
pen_pair_paths_get_frame (const PenPairPaths *self, const PenPairPath *path)
{
  return path->frame == PEN_PAIR_NO_FRAME
             ? NULL
             : &g_array_index (self->frames, PenPairFrame, path->frame);
}

/* The least share that a path has on one side, unless another is asked for. */
#define PEN_PAIR_PATHS_LEAST 0.001

/*
 * pen_query_pair_paths:
 * @sources: those of @pairs
 * @row: (nullable): of @pairs: from its functions to who called them, each stack once, from the
 *   innermost of them; NULL: all stacks, from the outermost frame
 * @least: paths that have less than this share of the root on both sides are left out
 *
 * Frames are matched as functions are. Cost: pen_query_flame() of both, and a step for each of
 * their nodes; with @row, for each of its names.
 */
PenPairPaths *pen_query_pair_paths (const PenPairSource sources[2], const PenPairs *pairs,
                                    const PenPairRow *row, double least, GError **error);

/* Writes a whole table, each path before those below it. @symbol: (nullable): of which function the
 * callers are wanted */
gboolean pen_query_write_pair_paths (const PenPairSource sources[2], const char *symbol,
                                     double least, PenTableWriter *writer, GError **error);
gboolean pen_query_write_pair_paths_of (const PenPairSource sources[2], const PenPairs *pairs,
                                        const PenPairRow *row, double least, PenTableWriter *writer,
                                        GError **error);

/*
 * Writes a whole table: a row for each stack that samples end in, from the outermost frame to the
 * leaf: sure differences first, the largest first, then by samples. @least: stacks with less than
 * this share of all samples on both sides are left out
 */
gboolean pen_query_write_pair_stacks (const PenPairSource sources[2], double least,
                                      PenTableWriter *writer, GError **error);

G_END_DECLS
