/* pen-store-callchains.h: callchains of a store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"
#include "pen-words.h"

G_BEGIN_DECLS

/*
 * PenFrame: one place that a callchain goes through, resolved as of the sample's time
 * @address: as recorded
 * @is_return: @address is where the call returns to: tenure, revision and function are those of the
 *   byte before it
 * @tenure: 0 where nothing is known there; then @kind still says guest or unknown
 * @function: row of pen_store_get_functions(), from which come
 * @symbol: NULL where not known, and @offset: of @address in it, or in an occupant without symbols
 *   of its own 0
 */
typedef struct {
  guint64 address;
  guint32 tenure;
  guint32 revision;
  PenKind kind;
  gboolean is_return;
  guint32 function;
  const char *symbol;
  guint64 offset;
  const char *occupant;
} PenFrame;

/* All frames; element i has id i. Owned by the store, kept after the first call. */
const PenFrame *pen_store_get_frames (PenStore *self, guint *n, GError **error);

/*
 * PenFrameColumns: what PenFrame has without names: a third of its size, and faster to read
 * @function: each is a row of pen_store_get_functions()
 */
typedef struct {
  guint n;
  guint64 *address;
  guint32 *tenure;
  guint32 *revision;
  guint32 *function;
  guint8 *kind; /* PenKind */
  guint8 *is_return;
} PenFrameColumns;

/* Returns: (transfer full): all frames, by id. Not kept. */
PenFrameColumns *pen_store_load_frame_columns (PenStore *self, GError **error);
void pen_frame_columns_free (PenFrameColumns *columns);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFrameColumns, pen_frame_columns_free)

/* A callchain as a node of the tree of callers: a frame, and the chain that called it (0: none). A
 * chain's id is greater than that of its parent. */
typedef struct {
  guint32 parent;
  guint32 frame;
} PenChainNode;

/* Ids are from 1 to what this returns. */
guint32 pen_store_count_chains (PenStore *self);
gboolean pen_store_read_chain (PenStore *self, guint32 id, PenChainNode *node, GError **error);

#define PEN_BLOCK_CHAINS 65536

/* Chains @number × PEN_BLOCK_CHAINS + 1 and following, all that there are up to the next block.
 * Each parent is less than its chain.
 * @nodes: (out) (transfer none) (array length=n): valid until other chains are read */
gboolean pen_store_read_chain_block (PenStore *self, guint number, const PenChainNode **nodes,
                                     guint *n, GError **error);

/*
 * What called a sample's own instruction, the nearest first. The leaf is not among them: it is the
 * sample, and its bucket shows it. Where PEN_SAMPLE_CHAIN_IS_WHOLE is set, the recorded chain
 * began with another address (a precise event's), and all of it is here.
 *
 * Returns: (transfer full) (element-type PenFrame): strings owned by the store
 */
GArray *pen_store_load_callchain (PenStore *self, guint32 id, GError **error);

G_END_DECLS
