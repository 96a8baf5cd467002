/* pen-stack-index.h: what questions about stacks keep of a store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-sample-walk.h"
#include "pen-stack-groups.h"
#include "pen-stack-map.h"
#include "pen-stack-slices.h"
#include "pen-stack-sums.h"
#include "pen-stack-versions.h"

G_BEGIN_DECLS

typedef struct _PenStackReaders PenStackReaders;

/* Recordings with more samples are read again for each question: 37 bytes each. So are those in
 * more blocks, which no import makes. */
#define PEN_STACK_KEPT_MAX ((guint64) 3 << 20)
#define PEN_STACK_KEPT_BLOCKS 64u

/*
 * PenStackKept: a block of samples that is kept
 * @leaves: of each grouping, of each sample: its node in the plain map; NULL: not found out
 */
typedef struct {
  PenSampleBlock *block;
  guint32 *leaves[PEN_STACK_GROUPINGS];
} PenStackKept;

/*
 * PenStackIndex: made with the first question, and kept as long as the query
 * @groups, @maps: of each grouping, or NULL. The maps are plain: from the outermost frame, without
 *   any other rule
 * @sums: NULL: not asked for, or there are none
 * @versions, @versioned: NULL until they are asked for
 * @kept: (element-type PenStackKept): all blocks; NULL: not read yet, or @is_streamed: too many
 * @has_read_ends: the ends of a stretch were read, which sums do not have: next time samples are
 * kept
 * @slices: of each grouping, where they are streamed; NULL until all of them were counted
 * @n_readers: how many threads may read them, and @readers: NULL until they are needed
 */
typedef struct {
  PenQuery *query;
  PenFrameColumns *frames;
  PenStackGroups *groups[PEN_STACK_GROUPINGS];
  PenStackMap *maps[PEN_STACK_GROUPINGS];
  PenStackSums *sums;
  PenStackVersions *versions;
  guint8 *versioned[PEN_STACK_GROUPINGS];
  GArray *kept;
  gboolean is_streamed;
  gboolean has_read_ends;
  PenStackSlices *slices[PEN_STACK_GROUPINGS];
  guint n_readers;
  PenStackReaders *readers;
} PenStackIndex;

/* Returns: (transfer none): the query's own, with frames and samples, and groups of @grouping */
PenStackIndex *pen_stack_index_get (PenQuery *query, PenStackGrouping grouping, GError **error);
/* With groups alone. */
PenStackIndex *pen_stack_index_get_bare (PenQuery *query, PenStackGrouping grouping,
                                         GError **error);
/* Frames of one that was bare; and frames and samples. */
gboolean pen_stack_index_load_frames (PenStackIndex *self, GError **error);
gboolean pen_stack_index_load (PenStackIndex *self, GError **error);

/* Does the store have sums? They are read with the first question. */
gboolean pen_stack_index_has_sums (PenStackIndex *self);
/* Returns: (transfer none): where it has, with nodes in the plain map of @grouping, whose chains
 * may be missing */
PenStackSums *pen_stack_index_get_sums (PenStackIndex *self, PenStackGrouping grouping,
                                        GError **error);
/* The same, without nodes. */
PenStackSums *pen_stack_index_get_bare_sums (PenStackIndex *self, GError **error);

/* The groups alone. */
const PenStackGroups *pen_stack_index_get_groups (PenQuery *query, PenStackGrouping grouping,
                                                  GError **error);

/* Returns: (transfer full): the frames and samples at @place; of a bare index, functions alone */
PenStackSpot *pen_stack_index_find (PenStackIndex *self, const PenStackPlace *place,
                                    GError **error);

/* Returns: (transfer none): the plain map of @grouping, without leaves: of a bare index, too */
PenStackMap *pen_stack_index_get_chain_map (PenStackIndex *self, PenStackGrouping grouping,
                                            GError **error);
/* Returns: (transfer none): the plain map of @grouping */
PenStackMap *pen_stack_index_get_map (PenStackIndex *self, PenStackGrouping grouping,
                                      GError **error);

/* Returns: (transfer none) */
const PenStackVersions *pen_stack_index_get_versions (PenStackIndex *self, GError **error);
/* Flag of each group: its frames and samples have more than one version, or a patched one.
 * @versions have to be there. Returns: (transfer none) */
const guint8 *pen_stack_index_get_versioned (PenStackIndex *self, PenStackGrouping grouping);

/*
 * PenStackBatch: rows of a block that are meant
 * @number: of the block in the store
 * @leaves: nodes of the plain map, of each row of the block; NULL: not known
 * @found: of pen_stack_readers_scan(): nodes of its map, of each of @rows; 0: not made yet
 * @is_narrowed: by the same: @rows are less than were meant: @all
 * @functions: pen_bucket_functions_get() answers for all of them
 */
typedef struct {
  guint number;
  const PenSampleBlock *block;
  const guint32 *rows;
  guint n_rows;
  const guint32 *leaves;
  const guint32 *found;
  gboolean is_narrowed;
  PenStackCount all;
} PenStackBatch;

/* The nodes of all of its rows in @map, by those that are found or one by one. @leaves: (out
 * caller-allocates): n_rows */
void pen_stack_batch_get_leaves (const PenStackBatch *self, PenStackMap *map,
                                 const PenBucketFunctions *functions, guint32 *leaves);

typedef gboolean (*PenStackBatchFunc) (const PenStackBatch *batch, gpointer user_data,
                                       GError **error);

/* The rows in [@from, @to] of a block that was learnt. Returns: how many */
guint pen_stack_index_select_rows (const PenMatcher *matcher, const PenSampleBlock *block,
                                   guint64 from, guint64 to, guint32 *rows);
/* How many of blocks @first to @end - 1 are in the stretch. */
guint pen_stack_index_count_blocks (PenStackIndex *self, guint first, guint end, guint64 from,
                                    guint64 to);
/* To be called before they are read: where they are many of all, functions of all buckets are read
 * at once. */
gboolean pen_stack_index_learn_functions (PenStackIndex *self, guint first, guint end, guint64 from,
                                          guint64 to, GError **error);

/* PEN_SAMPLE_COLUMN_…: what that looks at. */
guint pen_stack_index_find_columns (const PenMatcher *matcher, guint64 from, guint64 to);

/*
 * pen_stack_index_scan: the samples in [@from, @to] that the matcher (but for its time) means, by
 * several threads where that is worth it
 * @leaves: of which grouping leaves are asked for; its plain map has to be there.
 *   PEN_STACK_GROUPINGS: none
 * @columns: PEN_SAMPLE_COLUMN_…: what @func looks at; others may have anything
 */
gboolean pen_stack_index_scan (PenStackIndex *self, const PenMatcher *matcher,
                               PenStackGrouping leaves, guint columns, guint64 from, guint64 to,
                               PenStackBatchFunc func, gpointer user_data, GError **error);

/* Are blocks @first to @end - 1 read by several threads? With few of them it is not worth it. */
gboolean pen_stack_index_shares (PenStackIndex *self, guint first, guint end, guint64 from,
                                 guint64 to);

/* The same, of blocks @first to @end - 1. */
gboolean pen_stack_index_scan_blocks (PenStackIndex *self, const PenMatcher *matcher,
                                      PenStackGrouping leaves, guint columns, guint first,
                                      guint end, guint64 from, guint64 to, PenStackBatchFunc func,
                                      gpointer user_data, GError **error);

/* The same; where samples are not kept, of no more than @n_most blocks, evenly.
 * @stride: (out): one in how many was read. 1: all */
gboolean pen_stack_index_scan_some (PenStackIndex *self, const PenMatcher *matcher,
                                    PenStackGrouping leaves, guint64 from, guint64 to, guint n_most,
                                    guint *stride, PenStackBatchFunc func, gpointer user_data,
                                    GError **error);

G_END_DECLS
