/* pen-payload-block.h: raw payloads of a stretch of samples, packed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pack.h"
#include "pen-store-writer.h"

G_BEGIN_DECLS

/*
 * PenPayloadBlock: as it was read last
 * @offsets: where the payload of sample first + i begins in bytes; n + 1 of them
 * @has: whether it has one
 */
typedef struct {
  guint block;
  guint first;
  guint n;
  gsize *offsets;
  gboolean *has;
  guint8 *bytes;
} PenPayloadBlock;

void pen_payload_block_free (PenPayloadBlock *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPayloadBlock, pen_payload_block_free)

/* A column of lengths plus 1 (0: none), then the bytes.
 * Returns: (transfer none): owned by @packer, until it is used again */
const guint8 *pen_payload_block_pack (const guint32 *lengths, guint n, const guint8 *bytes,
                                      gsize n_bytes, PenPacker *packer, gsize *length);

/* Returns: (transfer full): or NULL with @reason: (out): static text */
PenPayloadBlock *pen_payload_block_unpack (guint n, const guint8 *bytes, gsize length,
                                           PenUnpacker *unpacker, const char **reason);

G_END_DECLS
