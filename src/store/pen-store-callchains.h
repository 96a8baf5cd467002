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

/* A callchain as a node of the tree of callers: a frame, and the chain that called it (0: none). A
 * chain's id is greater than that of its parent. */
typedef struct {
  guint32 parent;
  guint32 frame;
} PenChainNode;

/* Ids are from 1 to what this returns. */
guint32 pen_store_count_chains (PenStore *self);
gboolean pen_store_read_chain (PenStore *self, guint32 id, PenChainNode *node, GError **error);

/*
 * What called a sample's own instruction, the nearest first. The leaf is not among them: it is the
 * sample, and its bucket shows it. Where PEN_SAMPLE_CHAIN_IS_WHOLE is set, the recorded chain
 * began with another address (a precise event's), and all of it is here.
 *
 * Returns: (transfer full) (element-type PenFrame): strings owned by the store
 */
GArray *pen_store_load_callchain (PenStore *self, guint32 id, GError **error);

G_END_DECLS
