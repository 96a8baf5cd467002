/* pen-bucket-table.h: samples counted per instruction, tenure and revision
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-placed-sample.h"
#include "pen-store-samples.h"

G_BEGIN_DECLS

/* A generation ends with the block of samples that brings it to so many. */
#define PEN_GENERATION_BUCKETS (1u << 19)
#define PEN_BUCKET_TABLE_MAX (PEN_GENERATION_BUCKETS + PEN_BLOCK_SAMPLES)

/* PenBucketTable: asked once per sample, so a PenHashIndex. PEN_BUCKET_TABLE_MAX buckets at most;
 * only those that are there take memory. */
typedef struct _PenBucketTable PenBucketTable;

PenBucketTable *pen_bucket_table_new (void);
void pen_bucket_table_free (PenBucketTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenBucketTable, pen_bucket_table_free)

/* Counts @samples, and gives the id of each one's bucket. A new bucket has no function yet
 * (G_MAXUINT32). */
void pen_bucket_table_count (PenBucketTable *self, const PenPlacedSample *samples, guint n,
                             guint32 *ids);

/* @n: (out) (optional). Element i has id pen_bucket_table_get_first() + i. They stay where they
 * are.
 */
PenBucket *pen_bucket_table_get_buckets (PenBucketTable *self, guint *n);
guint32 pen_bucket_table_get_first (PenBucketTable *self);

/* Forgets all buckets; ids go on. A bucket that comes again is a new one. */
void pen_bucket_table_begin_generation (PenBucketTable *self);

G_END_DECLS
