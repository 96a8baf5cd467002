/* pen-sample-block.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-block.h"

#include <string.h>

#define MAX_LENGTH                                                                                 \
  (2 * PEN_PACK_COLUMN_MAX (PEN_BLOCK_SAMPLES, 8) + 4 * PEN_PACK_COLUMN_MAX (PEN_BLOCK_SAMPLES, 4) \
   + PEN_PACK_COLUMN_MAX (PEN_BLOCK_SAMPLES, 1))

PenSampleBlock *
pen_sample_block_new (void)
{
  PenSampleBlock *block = g_new0 (PenSampleBlock, 1);

  block->time = g_new (guint64, PEN_BLOCK_SAMPLES);
  block->has = g_new (guint8, PEN_BLOCK_SAMPLES);
  block->bucket = g_new (guint32, PEN_BLOCK_SAMPLES);
  block->thread = g_new (guint32, PEN_BLOCK_SAMPLES);
  block->cpu = g_new (guint32, PEN_BLOCK_SAMPLES);
  block->period = g_new (guint64, PEN_BLOCK_SAMPLES);
  block->chain = g_new0 (guint32, PEN_BLOCK_SAMPLES);
  return block;
}

void
pen_sample_block_free (PenSampleBlock *block)
{
  if (!block)
    return;

  g_free (block->time);
  g_free (block->has);
  g_free (block->bucket);
  g_free (block->thread);
  g_free (block->cpu);
  g_free (block->period);
  g_free (block->chain);
  g_free (block);
}

void
pen_sample_block_copy (const PenSampleBlock *from, PenSampleBlock *to)
{
  to->n = from->n;
  memcpy (to->time, from->time, from->n * sizeof *to->time);
  memcpy (to->has, from->has, from->n * sizeof *to->has);
  memcpy (to->bucket, from->bucket, from->n * sizeof *to->bucket);
  memcpy (to->thread, from->thread, from->n * sizeof *to->thread);
  memcpy (to->cpu, from->cpu, from->n * sizeof *to->cpu);
  memcpy (to->period, from->period, from->n * sizeof *to->period);
  memcpy (to->chain, from->chain, from->n * sizeof *to->chain);
}

const guint8 *
pen_sample_block_pack (const PenSampleBlock *block, PenPacker *packer, gsize *length)
{
  pen_packer_column8 (packer, block->has, block->n);
  pen_packer_column (packer, block->time, block->n);
  pen_packer_planes32 (packer, block->bucket, block->n);
  pen_packer_planes32 (packer, block->thread, block->n);
  pen_packer_column32 (packer, block->cpu, block->n);
  pen_packer_column (packer, block->period, block->n);
  pen_packer_planes32 (packer, block->chain, block->n);
  return pen_packer_finish (packer, length);
}

gboolean
pen_sample_block_unpack_places (PenSampleBlock *block, guint n, const guint8 *bytes, gsize length,
                                PenUnpacker *unpacker, const char **reason)
{
  g_return_val_if_fail (n <= PEN_BLOCK_SAMPLES, FALSE);

  block->n = 0;
  if (!pen_unpacker_start (unpacker, bytes, length, MAX_LENGTH, reason))
    return FALSE;

  pen_unpacker_column8 (unpacker, block->has, n);
  pen_unpacker_column (unpacker, block->time, n);
  pen_unpacker_column32 (unpacker, block->bucket, n);

  if (unpacker->failed) {
    *reason = "its columns do not have the samples that it claims";
    return FALSE;
  }

  block->n = n;
  return TRUE;
}

static void
unpack_or_skip32 (PenUnpacker *unpacker, guint32 *values, guint n, gboolean is_wanted)
{
  if (is_wanted)
    pen_unpacker_column32 (unpacker, values, n);
  else
    pen_unpacker_skip_column (unpacker, n);
}

gboolean
pen_sample_block_unpack_some (PenSampleBlock *block, guint n, const guint8 *bytes, gsize length,
                              guint columns, PenUnpacker *unpacker, const char **reason)
{
  g_return_val_if_fail (n <= PEN_BLOCK_SAMPLES, FALSE);

  block->n = 0;
  if (!pen_unpacker_start (unpacker, bytes, length, MAX_LENGTH, reason))
    return FALSE;

  pen_unpacker_column8 (unpacker, block->has, n);
  if (columns & PEN_SAMPLE_COLUMN_TIME)
    pen_unpacker_column (unpacker, block->time, n);
  else
    pen_unpacker_skip_column (unpacker, n);
  pen_unpacker_column32 (unpacker, block->bucket, n);
  unpack_or_skip32 (unpacker, block->thread, n, (columns & PEN_SAMPLE_COLUMN_THREAD) != 0);
  unpack_or_skip32 (unpacker, block->cpu, n, (columns & PEN_SAMPLE_COLUMN_CPU) != 0);
  pen_unpacker_column (unpacker, block->period, n);
  pen_unpacker_column32 (unpacker, block->chain, n);

  if (!pen_unpacker_finish (unpacker)) {
    *reason = "its columns do not have the samples that it claims";
    return FALSE;
  }

  block->n = n;
  return TRUE;
}

gboolean
pen_sample_block_unpack (PenSampleBlock *block, guint n, const guint8 *bytes, gsize length,
                         PenUnpacker *unpacker, const char **reason)
{
  return pen_sample_block_unpack_some (block, n, bytes, length, PEN_SAMPLE_COLUMNS_ALL, unpacker,
                                       reason);
}
