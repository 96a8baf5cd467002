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

void
pen_packed_buckets_pack (PenPackedBuckets *packed, const PenBucket *buckets, guint n,
                         PenPacker *packer)
{
  const guint8 *bytes;

  g_return_if_fail (n > 0 && n <= PEN_BLOCK_BUCKETS);

  *packed = (PenPackedBuckets){ .first_id = G_MAXUINT32, .n = n };
  for (guint i = 0; i < n; i++) {
    packed->first_id = MIN (packed->first_id, buckets[i].id);
    packed->last_id = MAX (packed->last_id, buckets[i].id);
  }
  packed->first_function = buckets[0].function;
  packed->last_function = buckets[n - 1].function;
  bytes = pen_bucket_block_pack (buckets, n, packer, &packed->length);
  packed->bytes = g_memdup2 (bytes, packed->length);
}

void
pen_packed_buckets_clear (PenPackedBuckets *packed)
{
  g_clear_pointer (&packed->bytes, g_free);
}

gboolean
pen_store_writer_add_packed_buckets (PenStoreWriter *self, const PenPackedBuckets *packed,
                                     GError **error)
{
  PenBucketBlockRow row = {
    .id = self->rows[self->population].bucket_blocks++,
    .first_function = packed->first_function,
    .last_function = packed->last_function,
    .first_id = packed->first_id,
    .last_id = packed->last_id,
    .n = packed->n,
    .bytes = packed->bytes,
    .length = packed->length,
  };

  return pen_store_writer_add_row_of (self, PEN_TABLE_BUCKET_BLOCK, &row, error);
}

gboolean
pen_store_writer_add_buckets (PenStoreWriter *self, const PenBucket *buckets, guint n,
                              GError **error)
{
  PenPackedBuckets packed;
  gboolean is_ok;

  g_return_val_if_fail (n > 0 && n <= PEN_BLOCK_BUCKETS, FALSE);

  pen_packed_buckets_pack (&packed, buckets, n, self->packer);
  is_ok = pen_store_writer_add_packed_buckets (self, &packed, error);
  pen_packed_buckets_clear (&packed);
  return is_ok;
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

void
pen_packed_frames_pack (PenPackedFrames *packed, const PenFrame *frames, guint n, PenPacker *packer)
{
  const guint8 *bytes = pen_frame_block_pack (frames, n, packer, &packed->length);

  packed->n = n;
  packed->bytes = g_memdup2 (bytes, packed->length);
}

void
pen_packed_frames_clear (PenPackedFrames *packed)
{
  g_clear_pointer (&packed->bytes, g_free);
}

gboolean
pen_store_writer_add_packed_frames (PenStoreWriter *self, guint32 first,
                                    const PenPackedFrames *packed, GError **error)
{
  PenBlockRow row = {
    .id = first / PEN_BLOCK_FRAMES, .n = packed->n, .bytes = packed->bytes, .length = packed->length
  };

  g_return_val_if_fail (first % PEN_BLOCK_FRAMES == 0 && packed->n <= PEN_BLOCK_FRAMES, FALSE);

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
