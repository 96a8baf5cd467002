/* pen-sample-block.h: a stretch of the sample table as packed columns
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pack.h"
#include "pen-store-samples.h"

G_BEGIN_DECLS

/*
 * Columns in the order has, time, bucket, thread, cpu, period, chain, each as pen_packer_column()
 * writes it. Returns: (transfer none): owned by @packer, until it is used again
 */
const guint8 *pen_sample_block_pack (const PenSampleBlock *block, PenPacker *packer, gsize *length);

/* The arrays of @block hold PEN_BLOCK_SAMPLES at least; @n is at most that.
 * @reason: (out): static text, on failure */
gboolean pen_sample_block_unpack (PenSampleBlock *block, guint n, const guint8 *bytes, gsize length,
                                  PenUnpacker *unpacker, const char **reason);

/* The columns has, bucket, period and chain, and those of @columns, PEN_SAMPLE_COLUMN_…. */
gboolean pen_sample_block_unpack_some (PenSampleBlock *block, guint n, const guint8 *bytes,
                                       gsize length, guint columns, PenUnpacker *unpacker,
                                       const char **reason);

/* The columns has, time and bucket alone. */
gboolean pen_sample_block_unpack_places (PenSampleBlock *block, guint n, const guint8 *bytes,
                                         gsize length, PenUnpacker *unpacker, const char **reason);

G_END_DECLS
