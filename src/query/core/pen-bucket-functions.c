/* pen-bucket-functions.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-functions.h"

#include "pen-store-buckets.h"

PenBucketFunctions *
pen_bucket_functions_new (PenStore *store, const PenSpanTree *tree, guint n_functions)
{
  PenBucketFunctions *self = g_new0 (PenBucketFunctions, 1);

  self->store = store;
  self->tree = tree;
  self->n_buckets = pen_store_count_buckets (store);
  self->n_functions = n_functions;
  return self;
}

void
pen_bucket_functions_free (PenBucketFunctions *self)
{
  if (!self)
    return;
  g_free (self->learnt);
  g_free (self->known_spans);
  g_free (self->known_blocks);
  g_free (self);
}

static gboolean
learn_bucket (const PenSpanBucket *bucket, gpointer user_data)
{
  PenBucketFunctions *self = user_data;

  if (bucket->bucket < self->n_buckets && bucket->function < self->n_functions)
    self->learnt[bucket->bucket] = bucket->function + 1;
  return TRUE;
}

static gboolean
learn_span (PenBucketFunctions *self, const PenStoreSpan *span, GError **error)
{
  gsize index = span - self->tree->spans;
  guint n_blocks;

  if (!self->learnt) {
    self->learnt = g_new0 (guint32, (gsize) self->n_buckets + 1);
    self->known_spans = g_new0 (guint8, self->tree->n_spans);
    pen_store_get_blocks (self->store, &n_blocks);
    self->known_blocks = g_new0 (guint8, (gsize) n_blocks + 1);
  }
  if (!self->known_spans[index]
      && !pen_store_foreach_span_function (self->store, span, learn_bucket, self, error))
    return FALSE;
  self->known_spans[index] = TRUE;
  return TRUE;
}

static gboolean
knows_block (const PenBucketFunctions *self, const PenSampleBlock *block)
{
  for (guint i = 0; i < block->n; i++) {
    if (self->learnt[block->bucket[i]] == 0)
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_bucket_functions_learn_all (PenBucketFunctions *self, GError **error)
{
  guint n;

  if (!self->all)
    self->all = pen_store_get_bucket_functions (self->store, &n, error);
  return self->all != NULL;
}

gboolean
pen_bucket_functions_learn (PenBucketFunctions *self, guint number, const PenSampleBlock *block,
                            GError **error)
{
  const PenStoreSpan *span = pen_span_tree_find_lowest (self->tree, number);

  if (self->all || (self->known_blocks && self->known_blocks[number]))
    return TRUE;
  if (span && !learn_span (self, span, error))
    return FALSE;
  /* Spans do not have the samples without a time. */
  if (span && knows_block (self, block)) {
    self->known_blocks[number] = TRUE;
    return TRUE;
  }
  return pen_bucket_functions_learn_all (self, error);
}
