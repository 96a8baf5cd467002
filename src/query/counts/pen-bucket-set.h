/* pen-bucket-set.h: the buckets that a question about one function or one address is about
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-private.h"

G_BEGIN_DECLS

/*
 * PenBucketSet:
 * @buckets: (element-type PenBucket): by function, then as the store has them. Where an import kept
 *   them in several generations, one instruction may have several
 * @functions: (element-type guint32): ids of those that have any
 * @by_id: indexes of @buckets plus one, of the @n_ids ids from @first_id on; 0: not in the set.
 *   NULL where these are far apart: then
 * @slots: the same, by a hash of their ids; 0: free
 */
typedef struct {
  GArray *buckets;
  GArray *functions;
  guint32 *by_id;
  guint32 first_id;
  guint32 n_ids;
  guint32 *slots;
  guint shift;
} PenBucketSet;

/* Whether a bucket of a function that is read belongs in the set. */
typedef gboolean (*PenBucketTest) (const PenBucket *bucket, gpointer user_data);

/*
 * pen_bucket_set_new:
 * @functions: (element-type guint32): whose buckets are read
 * @test: (nullable)
 *
 * Cost: the blocks of buckets that have any of those functions.
 */
PenBucketSet *pen_bucket_set_new (PenQuery *query, const GArray *functions, PenBucketTest test,
                                  gpointer user_data, GError **error);
/*
 * The same of pen_query_list_functions_near() of @function.
 *
 * Cost: as above for the first question about that function; for more of them that follow, the
 * buckets from memory, unless there are more than 100,000 or so.
 */
PenBucketSet *pen_bucket_set_new_near (PenQuery *query, guint32 function, PenBucketTest test,
                                       gpointer user_data, GError **error);
/* The buckets @indexes (element-type guint) of @set. */
PenBucketSet *pen_bucket_set_new_part (const PenBucketSet *set, const GArray *indexes);
void pen_bucket_set_free (PenBucketSet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenBucketSet, pen_bucket_set_free)

#define PEN_BUCKET_SET_HASH 0x9e3779b1u /* 2^32 / φ */

static inline const PenBucket *
pen_bucket_set_get (const PenBucketSet *self, guint index)
{
  return &g_array_index (self->buckets, PenBucket, index);
}

/* Returns: the index in @buckets, or G_MAXUINT. Asked for every row of a block. */
static inline guint
pen_bucket_set_find (const PenBucketSet *self, guint32 id)
{
  guint32 mask = G_MAXUINT32 >> self->shift;
  guint32 slot;

  if (self->by_id)
    return id - self->first_id < self->n_ids ? self->by_id[id - self->first_id] - 1 : G_MAXUINT;
  slot = (id * PEN_BUCKET_SET_HASH) >> self->shift;
  while (self->slots[slot] != 0) {
    guint index = self->slots[slot] - 1;

    if (pen_bucket_set_get (self, index)->id == id)
      return index;
    slot = (slot + 1) & mask;
  }
  return G_MAXUINT;
}

G_END_DECLS
