/* pen-bucket-block.h: a stretch of the buckets as packed columns
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pack.h"
#include "pen-store.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/*
 * Columns in the order id, function, address, tenure, revision, event, flags (kind × 2, + 1 with an
 * address), samples, period, first, last (what it is more than first). @n: at most
 * PEN_BLOCK_BUCKETS. Returns: (transfer none): owned by @packer, until it is used again
 */
const guint8 *pen_bucket_block_pack (const PenBucket *buckets, guint n, PenPacker *packer,
                                     gsize *length);

/* Fills @n elements of @buckets. Ids and what they name are not looked at.
 * @reason: (out): static text, on failure */
gboolean pen_bucket_block_unpack (PenBucket *buckets, guint n, const guint8 *bytes, gsize length,
                                  PenUnpacker *unpacker, const char **reason);

/* The first two columns only. */
gboolean pen_bucket_block_unpack_functions (guint32 *ids, guint32 *functions, guint n,
                                            const guint8 *bytes, gsize length,
                                            PenUnpacker *unpacker, const char **reason);

G_END_DECLS
