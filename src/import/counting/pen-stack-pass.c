/* pen-stack-pass.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-pass.h"

#include "pen-chain-tree.h"
#include "pen-frame-table.h"

/* No callchain that is remembered is forgotten here, with all that a chunk may bring. */
G_STATIC_ASSERT (PEN_CHAIN_NODES_MAX + PEN_CHAIN_NEW_MAX <= PEN_STACK_COUNTER_CHAINS);

struct _PenStackPass {
  PenBucketTable *table;
  PenBucketBook *book;
  PenStackCounter *counter;
  GArray *of_frame; /* guint32: function */
};

PenStackPass *
pen_stack_pass_new (PenBucketTable *table, PenBucketBook *book, PenStoreWriter *writer)
{
  PenStackPass *self = g_new0 (PenStackPass, 1);

  self->table = table;
  self->book = book;
  self->counter = pen_stack_counter_new (&pen_stack_counter_limits, writer);
  self->of_frame = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

void
pen_stack_pass_free (PenStackPass *self)
{
  pen_stack_counter_free (self->counter);
  g_clear_pointer (&self->of_frame, g_array_unref);
  g_free (self);
}

gboolean
pen_stack_pass_take_chains (PenStackPass *self, const GArray *frames, const GArray *nodes,
                            gboolean has_nodes, GError **error)
{
  guint n_frames;

  if (!has_nodes)
    pen_stack_counter_give_up (self->counter);
  if (pen_stack_counter_is_over (self->counter))
    return TRUE;
  if (frames->len > 0 && !pen_bucket_book_get_functions (self->book, error))
    return FALSE;

  n_frames = self->of_frame->len;
  g_array_set_size (self->of_frame, n_frames + frames->len);
  if (frames->len > 0)
    pen_bucket_book_find_frame_functions (
        self->book, (const PenTableFrame *) (gpointer) frames->data, frames->len,
        &g_array_index (self->of_frame, guint32, n_frames));
  for (guint i = 0; i < nodes->len; i++) {
    const PenChainNode *node = &g_array_index (nodes, PenChainNode, i);

    pen_stack_counter_add_chain (self->counter, node->parent,
                                 g_array_index (self->of_frame, guint32, node->frame));
  }
  return TRUE;
}

gboolean
pen_stack_pass_count (PenStackPass *self, const PenSampleBlock *block, guint first, guint n,
                      GError **error)
{
  const PenBucket *buckets = pen_bucket_table_get_buckets (self->table, NULL);
  guint32 first_bucket = pen_bucket_table_get_first (self->table);
  guint32 functions[PEN_STACK_PASS_SAMPLES];
  guint32 events[PEN_STACK_PASS_SAMPLES];

  g_return_val_if_fail (n <= PEN_STACK_PASS_SAMPLES, FALSE);
  if (pen_stack_counter_is_over (self->counter))
    return TRUE;
  if (!pen_bucket_book_find_functions (self->book, error))
    return FALSE;

  for (guint i = 0; i < n; i++) {
    const PenBucket *bucket = &buckets[block->bucket[first + i] - first_bucket];

    functions[i] = bucket->function;
    events[i] = (guint32) bucket->event;
  }
  pen_stack_counter_count (self->counter, block, first, n, functions, events);
  return TRUE;
}

GArray *
pen_stack_pass_take_functions (PenStackPass *self)
{
  return g_steal_pointer (&self->of_frame);
}

gboolean
pen_stack_pass_end_block (PenStackPass *self, GError **error)
{
  return pen_stack_counter_end_block (self->counter, error);
}

gboolean
pen_stack_pass_finish (PenStackPass *self, GError **error)
{
  return pen_stack_counter_finish (self->counter, error);
}
