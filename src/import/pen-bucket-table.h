/* pen-bucket-table.h: samples counted per instruction, tenure and revision
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-tenure.h"

G_BEGIN_DECLS

/* Asked once per sample: open addressing, since a GHashTable costs an allocation per bucket and two
 * calls per look. */
typedef struct _PenBucketTable PenBucketTable;

PenBucketTable *pen_bucket_table_new (void);
void pen_bucket_table_free (PenBucketTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenBucketTable, pen_bucket_table_free)

/*
 * @key: event, tenure, revision, kind, has_address and address are read
 *
 * Returns: (transfer none): the bucket with that key, made if there is none; valid until the next
 *   call
 */
PenBucket *pen_bucket_table_get (PenBucketTable *self, const PenBucket *key);

/* (element-type PenBucket): element i has id i */
GArray *pen_bucket_table_get_buckets (PenBucketTable *self);

G_END_DECLS
