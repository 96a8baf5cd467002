/* pen-store-writer-samples.c: samples, and what they are counted by
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-block.h"
#include "pen-chain-block.h"
#include "pen-payload-block.h"
#include "pen-store-writer-private.h"

gboolean
pen_store_writer_add_thread (PenStoreWriter *self, guint32 id, const PenThread *thread,
                             GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_THREAD, &row, error))
    return FALSE;

  pen_row_u64 (&row, id);
  pen_row_task (&row, thread->has_task, thread->pid, thread->tid);
  pen_row_text (&row, thread->comm != NULL ? thread->comm : "");

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_name_file (PenStoreWriter *self, const PenStoreNameFile *file, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_NAME_FILE, &row, error))
    return FALSE;

  pen_row_u64 (&row, file->id);
  pen_row_text (&row, file->occupant);
  if (file->build_id_length > 0)
    pen_row_blob (&row, file->build_id, file->build_id_length);
  else
    pen_row_null (&row);
  pen_row_text (&row, file->path);
  pen_row_text (&row, file->source);
  pen_row_text (&row, pen_evidence_to_string (file->evidence));

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_source (PenStoreWriter *self, const PenStoreSource *source, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_SOURCE, &row, error))
    return FALSE;

  pen_row_u64 (&row, source->id);
  pen_row_text (&row, source->what);
  pen_row_text (&row, source->occupant);
  pen_row_text (&row, source->path);
  pen_row_text (&row, source->found);
  if (source->build_id_length > 0)
    pen_row_blob (&row, source->build_id, source->build_id_length);
  else
    pen_row_null (&row);
  pen_row_text (&row, pen_evidence_to_string (source->evidence));
  pen_row_u64 (&row, source->moved);
  pen_row_text (&row, source->gives);
  pen_row_text (&row, source->refused);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_found_file (PenStoreWriter *self, const PenStoreFoundFile *file,
                                 GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_FOUND_FILE, &row, error))
    return FALSE;

  pen_row_text (&row, file->path);
  pen_row_u64 (&row, file->size);
  pen_row_u64 (&row, (guint64) file->changed);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_absent_file (PenStoreWriter *self, const char *path, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_ABSENT_FILE, &row, error))
    return FALSE;

  pen_row_text (&row, path);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_named_tenure (PenStoreWriter *self, guint32 tenure, guint32 name_file,
                                   guint64 bias, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_NAMED_TENURE, &row, error))
    return FALSE;

  pen_row_u64 (&row, tenure);
  pen_row_u64 (&row, name_file);
  pen_row_u64 (&row, bias);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_function (PenStoreWriter *self, const PenFunction *function, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_FUNCTION, &row, error))
    return FALSE;

  pen_row_u64 (&row, function->id);
  pen_row_text (&row, function->symbol);
  pen_row_text (&row, pen_kind_to_string (function->kind));
  pen_row_text (&row, function->occupant);
  pen_row_u64 (&row, function->start);
  pen_row_u64 (&row, function->length);
  pen_row_u64 (&row, function->samples);
  pen_row_u64 (&row, function->period);
  pen_row_u64 (&row, function->changes);
  pen_row_u64 (&row, function->versions);
  pen_row_u64 (&row, function->pokes);
  pen_row_text (&row, function->linkage_name);
  if (function->name_file != 0)
    pen_row_u64 (&row, function->name_file);
  else
    pen_row_null (&row);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_buckets (PenStoreWriter *self, const PenBucket *buckets, guint n,
                              GError **error)
{
  guint32 first = G_MAXUINT32;
  guint32 last = 0;
  const guint8 *pack;
  gsize length;
  PenRow row;

  g_return_val_if_fail (n > 0 && n <= PEN_BLOCK_BUCKETS, FALSE);

  if (!pen_store_writer_start_row (self, INSERT_BUCKETS, &row, error))
    return FALSE;

  for (guint i = 0; i < n; i++) {
    first = MIN (first, buckets[i].id);
    last = MAX (last, buckets[i].id);
  }

  pack = pen_bucket_block_pack (buckets, n, self->packer, &length);
  pen_row_u64 (&row, self->bucket_blocks++);
  pen_row_u64 (&row, buckets[0].function);
  pen_row_u64 (&row, buckets[n - 1].function);
  pen_row_u64 (&row, first);
  pen_row_u64 (&row, last);
  pen_row_u64 (&row, n);
  pen_row_blob (&row, pack, length);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_flush_block (PenStoreWriter *self, GError **error)
{
  PenPackedBlock packed;
  PenRow row;

  if (!pen_block_packer_wait (self->block_packer, &packed))
    return TRUE;
  if (!pen_store_writer_start_row (self, INSERT_BLOCK, &row, error))
    return FALSE;

  pen_row_u64 (&row, self->blocks++);
  pen_row_u64 (&row, packed.first);
  pen_row_u64 (&row, packed.last);
  pen_row_u64 (&row, packed.n);
  pen_row_blob (&row, packed.bytes, packed.length);

  return pen_row_end (&row, error);
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
  const guint8 *pack;
  gsize length;
  PenRow row;

  g_return_val_if_fail (first % PEN_BLOCK_FRAMES == 0 && n <= PEN_BLOCK_FRAMES, FALSE);

  if (!pen_store_writer_start_row (self, INSERT_FRAMES, &row, error))
    return FALSE;

  pack = pen_frame_block_pack (frames, n, self->packer, &length);
  pen_row_u64 (&row, first / PEN_BLOCK_FRAMES);
  pen_row_u64 (&row, n);
  pen_row_blob (&row, pack, length);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_chains (PenStoreWriter *self, guint32 first, const PenChainNode *nodes,
                             guint n, GError **error)
{
  const guint8 *pack;
  gsize length;
  PenRow row;

  g_return_val_if_fail (first % PEN_BLOCK_CHAINS == 1 && n <= PEN_BLOCK_CHAINS, FALSE);

  if (!pen_store_writer_start_row (self, INSERT_CHAINS, &row, error))
    return FALSE;

  pack = pen_chain_block_pack (first, nodes, n, self->packer, &length);
  pen_row_u64 (&row, first / PEN_BLOCK_CHAINS);
  pen_row_u64 (&row, n);
  pen_row_blob (&row, pack, length);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_payloads (PenStoreWriter *self, guint64 block, guint first,
                               const guint32 *lengths, guint n, const guint8 *bytes, gsize n_bytes,
                               GError **error)
{
  const guint8 *pack;
  gsize length;
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_PAYLOADS, &row, error))
    return FALSE;

  pack = pen_payload_block_pack (lengths, n, bytes, n_bytes, self->packer, &length);
  pen_row_u64 (&row, block);
  pen_row_u64 (&row, first);
  pen_row_u64 (&row, n);
  pen_row_blob (&row, pack, length);

  return pen_row_end (&row, error);
}
