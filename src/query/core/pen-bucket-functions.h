/* pen-bucket-functions.h: which function a sample is of, learnt where it is asked
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-span-tree.h"
#include "pen-store-samples.h"

G_BEGIN_DECLS

/*
 * PenBucketFunctions: the function of each bucket. A large capture may have as many buckets as a
 * tenth of its samples: those of a block of samples are learnt from the span that has the block.
 *
 * Cost: four bytes of address space per bucket, touched where something is learnt; one read of a
 * span of the lowest level for each that is learnt from.
 */
typedef struct {
  PenStore *store;
  const PenSpanTree *tree;
  guint n_buckets;
  guint n_functions;
  const guint32 *all;   /* the store's own, once it was needed */
  guint32 *learnt;      /* function + 1; 0: not known yet */
  guint8 *known_spans;  /* by index in the tree */
  guint8 *known_blocks; /* by number */
} PenBucketFunctions;

/* @tree: outlives it */
PenBucketFunctions *pen_bucket_functions_new (PenStore *store, const PenSpanTree *tree,
                                              guint n_functions);
void pen_bucket_functions_free (PenBucketFunctions *self);

/* Afterwards pen_bucket_functions_get() answers for every sample of the block, which is the store's
 * block @number. */
gboolean pen_bucket_functions_learn (PenBucketFunctions *self, guint number,
                                     const PenSampleBlock *block, GError **error);

/* The same for all blocks: where most of them are read, less than learning from their spans, each
 * of which has most of the buckets of its generation. Cost: a step for each bucket. */
gboolean pen_bucket_functions_learn_all (PenBucketFunctions *self, GError **error);

static inline guint32
pen_bucket_functions_get (const PenBucketFunctions *self, guint32 bucket)
{
  return self->all ? self->all[bucket] : self->learnt[bucket] - 1;
}

static inline void
pen_bucket_functions_prefetch (const PenBucketFunctions *self, guint32 bucket)
{
  __builtin_prefetch (self->all ? &self->all[bucket] : &self->learnt[bucket]);
}

G_END_DECLS
