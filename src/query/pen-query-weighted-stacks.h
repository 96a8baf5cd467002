/* pen-query-weighted-stacks.h: samples one by one, each a stack of named frames with its weight
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-stacks.h"
#include "pen-store-samples.h"

G_BEGIN_DECLS

/*
 * PenWeightedOptions: zeroed: by function, names without suffixes
 * @suffixes: PEN_FOLD_…: with an offset each place is a frame of its own
 * @has_versions: leaves tell their version and cause, whatever the suffixes are
 */
typedef struct {
  PenStackGrouping grouping;
  guint suffixes;
  gboolean has_versions;
} PenWeightedOptions;

/*
 * PenWeightedFrame: owned by the stacks
 * @name: with suffixes, as recorded
 * @group: PEN_STACK_UNRECORDED: callers that were not recorded
 * @address: with an offset in the name: in the kernel's space as recorded, in a file that has
 *   symbols as in the file; else none
 */
typedef struct {
  const char *name;
  const PenStackGroup *group;
  gboolean has_address;
  guint64 address;
} PenWeightedFrame;

/* A stack is a node; node 0 is the root. A parent is less than its node. */
typedef struct {
  guint32 parent;
  guint32 frame;
} PenWeightedNode;

/*
 * PenWeightedSample:
 * @has: PEN_SAMPLE_HAS_TIME, _PERIOD, _CPU
 * @stack: a node
 * @thread: of pen_store_get_threads()
 * @event: of pen_store_get_events(); -1: none of them
 * @function, @revision, @cause: of the leaf's own byte: pen_store_get_functions(), 0 for the
 *   original, and the cause of the patch that brought it, with @has_cause
 */
typedef struct {
  guint8 has;
  guint64 time;
  guint64 period;
  guint32 stack;
  guint32 thread;
  guint32 cpu;
  gint32 event;
  guint32 function;
  guint32 revision;
  gboolean has_cause;
  PenCause cause;
} PenWeightedSample;

/* Return FALSE to stop, with an error. */
typedef gboolean (*PenWeightedFunc) (const PenWeightedSample *sample, gpointer user_data,
                                     GError **error);

typedef struct _PenWeightedStacks PenWeightedStacks;

/*
 * pen_weighted_stacks_new:
 * @filter: (nullable): outlives the stacks
 *
 * Cost: frames and callchains are read; memory as pen_query_flame() has it, without samples.
 */
PenWeightedStacks *pen_weighted_stacks_new (PenQuery *query, const PenFilter *filter,
                                            const PenWeightedOptions *options, GError **error);
void pen_weighted_stacks_free (PenWeightedStacks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenWeightedStacks, pen_weighted_stacks_free)

PenQuery *pen_weighted_stacks_get_query (PenWeightedStacks *self);
const PenFilter *pen_weighted_stacks_get_filter (PenWeightedStacks *self);

/* All samples under the filter, in the order of the sample table. Stops where the store is
 * cancelled. Cost: each block of the stretch. */
gboolean pen_weighted_stacks_foreach (PenWeightedStacks *self, PenWeightedFunc func,
                                      gpointer user_data, GError **error);

/* Those that were met so far: all after the first pen_weighted_stacks_foreach(), and later ones
 * leave them as they are. Owned by the stacks. */
const PenWeightedNode *pen_weighted_stacks_get_nodes (PenWeightedStacks *self, guint *n);
/* Frames that nodes may have. */
guint pen_weighted_stacks_count_frames (PenWeightedStacks *self);
PenWeightedFrame pen_weighted_stacks_get_frame (PenWeightedStacks *self, guint32 frame);

G_END_DECLS
