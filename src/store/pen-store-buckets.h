/* pen-store-buckets.h: buckets of a store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/*
 * A bucket's key (function, address, tenure, revision, event, kind) may be there more than once,
 * where an import had more of them than it keeps in memory: then they are to be added up.
 */
#define PEN_BLOCK_BUCKETS 8192

/* Ids are less than what this returns. */
guint32 pen_store_count_buckets (PenStore *self);

/* All buckets; element i has id i. Owned by the store, kept after the first call. Cost: 80 bytes
 * each. */
const PenBucket *pen_store_get_buckets (PenStore *self, guint *n, GError **error);

/* Function of each bucket: element i is that of the bucket with id i. Owned by the store, kept
 * after the first call. Cost: 4 bytes each. */
const guint32 *pen_store_get_bucket_functions (PenStore *self, guint *n, GError **error);

typedef void (*PenBucketFunc) (const PenBucket *bucket, gpointer user_data);

/* Buckets of @functions (element-type guint32), block after block, each block read once; within one
 * by function, then as below. */
gboolean pen_store_foreach_bucket_of (PenStore *self, const GArray *functions, PenBucketFunc func,
                                      gpointer user_data, GError **error);

/* Buckets of one function, by address, tenure, revision, event, id within each block that has any;
 * reads nothing but those blocks.
 * Returns: (transfer full) (element-type PenBucket) */
GArray *pen_store_load_function_buckets (PenStore *self, guint32 function, GError **error);

G_END_DECLS
