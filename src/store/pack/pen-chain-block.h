/* pen-chain-block.h: callchains, and the frames that they are made of, as packed columns
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pack.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

/* Columns in the order address, tenure, revision, function, kind, is_return.
 * Returns: (transfer none): owned by @packer, until it is used again */
const guint8 *pen_frame_block_pack (const PenFrame *frames, guint n, PenPacker *packer,
                                    gsize *length);

/* Appends @n frames to @frames (element-type PenFrame), without symbol, offset and occupant.
 * @reason: (out): static text, on failure */
gboolean pen_frame_block_unpack (GArray *frames, guint n, const guint8 *bytes, gsize length,
                                 PenUnpacker *unpacker, const char **reason);

/* Fills element @first and the @n - 1 that follow of the columns. @reason: as above */
gboolean pen_frame_block_unpack_columns (PenFrameColumns *columns, guint first, guint n,
                                         const guint8 *bytes, gsize length, PenUnpacker *unpacker,
                                         const char **reason);

/* @number: chain (@number × PEN_BLOCK_CHAINS + 1) is the first */
typedef struct {
  guint number;
  guint n;
  PenChainNode nodes[PEN_BLOCK_CHAINS];
} PenChainBlock;

/* Columns in the order parent, frame; the parent as its distance from the chain, 0 for none.
 * @first: id of the first. Returns: (transfer none): as above */
const guint8 *pen_chain_block_pack (guint32 first, const PenChainNode *nodes, guint n,
                                    PenPacker *packer, gsize *length);

/* Fills @block, of which number and n are read. Each parent is less than its chain. */
gboolean pen_chain_block_unpack (PenChainBlock *block, const guint8 *bytes, gsize length,
                                 PenUnpacker *unpacker, const char **reason);

G_END_DECLS
