/* pen-text-block.h: pieces of a file's code, packed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pack.h"
#include "pen-store-text.h"

G_BEGIN_DECLS

/* A block ends with the piece that brings it to so many bytes; no piece is longer. */
#define PEN_BLOCK_TEXT 65536u

/* A column of addresses, a column of lengths, and then the bytes of all.
 * Returns: (transfer none): owned by @packer, until it is used again */
const guint8 *pen_text_block_pack (const PenStoredText *texts, guint n, PenPacker *packer,
                                   gsize *length);

/*
 * pen_text_block_unpack:
 * @n: how many pieces it has
 * @start, @end: of the pieces that are wanted; they are not cut
 * @texts: (element-type PenStoredText): they are added here, with addresses and bytes alone
 *
 * Returns: FALSE: with @reason: (out): static text
 */
gboolean pen_text_block_unpack (const guint8 *bytes, gsize length, guint n, guint64 start,
                                guint64 end, PenUnpacker *unpacker, GPtrArray *texts,
                                const char **reason);

G_END_DECLS
