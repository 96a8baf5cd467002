/* pen-store-writer-samples.c: samples, and what they are counted by
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-block.h"
#include "pen-chain-block.h"
#include "pen-payload-block.h"
#include "pen-stack-block.h"
#include "pen-store-buckets.h"
#include "pen-store-writer-private.h"

gboolean
pen_store_writer_add_buckets (PenStoreWriter *self, const PenBucket *buckets, guint n,
                              GError **error)
{
  PenBucketBlockRow row = { .first_id = G_MAXUINT32, .n = n };

  g_return_val_if_fail (n > 0 && n <= PEN_BLOCK_BUCKETS, FALSE);

  for (guint i = 0; i < n; i++) {
    row.first_id = MIN (row.first_id, buckets[i].id);
    row.last_id = MAX (row.last_id, buckets[i].id);
  }
  row.id = self->rows[self->population].bucket_blocks++;
  row.first_function = buckets[0].function;
  row.last_function = buckets[n - 1].function;
  row.bytes = pen_bucket_block_pack (buckets, n, self->packer, &row.length);
  return pen_store_writer_add_row_of (self, PEN_TABLE_BUCKET_BLOCK, &row, error);
}

gboolean
pen_store_writer_flush_block (PenStoreWriter *self, GError **error)
{
  PenPackedBlock packed;
  PenBlockRow row;

  if (!pen_block_packer_wait (self->block_packer, &packed))
    return TRUE;

  row = (PenBlockRow){
    .id = self->rows[self->population].blocks++,
    .first = packed.first,
    .last = packed.last,
    .n = packed.n,
    .bytes = packed.bytes,
    .length = packed.length,
  };

  return pen_store_writer_add_row_of (self, PEN_TABLE_SAMPLE_BLOCK, &row, error);
}

gboolean
pen_store_writer_add_block (PenStoreWriter *self, PenSampleBlock *block, GError **error)
{
  if (!pen_store_writer_flush_block (self, error))
    return FALSE;
  pen_block_packer_start (self->block_packer, block);
  return TRUE;
}

gboolean
pen_store_writer_add_frames (PenStoreWriter *self, guint32 first, const PenFrame *frames, guint n,
                             GError **error)
{
  PenBlockRow row = { .id = first / PEN_BLOCK_FRAMES, .n = n };

  g_return_val_if_fail (first % PEN_BLOCK_FRAMES == 0 && n <= PEN_BLOCK_FRAMES, FALSE);

  row.bytes = pen_frame_block_pack (frames, n, self->packer, &row.length);
  return pen_store_writer_add_row (self, PEN_TABLE_FRAME_BLOCK, &row, error);
}

gboolean
pen_store_writer_add_chains (PenStoreWriter *self, guint32 first, const PenChainNode *nodes,
                             guint n, GError **error)
{
  PenBlockRow row = { .id = first / PEN_BLOCK_CHAINS, .n = n };

  g_return_val_if_fail (first % PEN_BLOCK_CHAINS == 1 && n <= PEN_BLOCK_CHAINS, FALSE);

  row.bytes = pen_chain_block_pack (first, nodes, n, self->packer, &row.length);
  return pen_store_writer_add_row_of (self, PEN_TABLE_CHAIN_BLOCK, &row, error);
}

gboolean
pen_store_writer_add_stacks (PenStoreWriter *self, guint32 first, const PenStoredStack *stacks,
                             guint n, GError **error)
{
  PenBlockRow row = { .id = first / PEN_BLOCK_STACKS, .n = n };

  g_return_val_if_fail (first % PEN_BLOCK_STACKS == 1 && n <= PEN_BLOCK_STACKS, FALSE);

  row.bytes = pen_stack_block_pack (first, stacks, n, self->packer, &row.length);
  return pen_store_writer_add_row (self, PEN_TABLE_STACK_BLOCK, &row, error);
}

gboolean
pen_store_writer_add_stack_span (PenStoreWriter *self, const PenStackSpan *span,
                                 const PenStackCell *cells, const PenStoredStack *stacks,
                                 GError **error)
{
  PenStackSpanRow row = { .span = *span };

  g_return_val_if_fail (span->n <= PEN_STACK_CELLS_MAX, FALSE);

  row.bytes = pen_stack_cells_pack (cells, span->n, stacks, self->packer, &row.length);
  return pen_store_writer_add_row (self, PEN_TABLE_STACK_SPAN, &row, error);
}

gboolean
pen_store_writer_add_payloads (PenStoreWriter *self, guint64 block, guint first,
                               const guint32 *lengths, guint n, const guint8 *bytes, gsize n_bytes,
                               GError **error)
{
  PenBlockRow row = { .id = block, .first = first, .n = n };

  row.bytes = pen_payload_block_pack (lengths, n, bytes, n_bytes, self->packer, &row.length);
  return pen_store_writer_add_row (self, PEN_TABLE_PAYLOAD_BLOCK, &row, error);
}
