/* pen-bucket-packer.h: a generation of buckets, sorted and packed by two threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-store-writer.h"
#include "pen-text-pass.h"

G_BEGIN_DECLS

/*
 * PenBucketPacker: half a million buckets take a tenth of a second, for which whoever counts has to
 * wait; so there are two threads, each with one half. Few buckets are packed when they are asked
 * for. The blocks are the same on any number of processors.
 */
typedef struct _PenBucketPacker PenBucketPacker;

/*
 * pen_bucket_packer_start:
 * @buckets: @n of them, with their functions: neither they nor these change until it is freed
 * @history: sealed
 * @cancellable: (nullable): when it is cancelled, the blocks that are left are not packed
 */
PenBucketPacker *pen_bucket_packer_start (const PenBucket *buckets, guint n, PenHistory *history,
                                          GCancellable *cancellable);
/* Waits for the threads. */
void pen_bucket_packer_free (PenBucketPacker *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenBucketPacker, pen_bucket_packer_free)

/*
 * pen_bucket_packer_next:
 * @places: (out) (transfer none) (element-type PenSampledPlace): those of the block's buckets that
 *   are in the kernel's space, in their order
 *
 * Returns: (transfer none) (nullable): the next block, by function and address, until the next
 *   call; NULL: there are no more, or it was cancelled
 */
const PenPackedBuckets *pen_bucket_packer_next (PenBucketPacker *self, const GArray **places);

G_END_DECLS
