/* pen-chain-block.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chain-block.h"

#define FRAMES_MAX_LENGTH                                                                          \
  (PEN_PACK_COLUMN_MAX (PEN_BLOCK_FRAMES, 8) + 3 * PEN_PACK_COLUMN_MAX (PEN_BLOCK_FRAMES, 4)       \
   + 2 * PEN_PACK_COLUMN_MAX (PEN_BLOCK_FRAMES, 1))
#define CHAINS_MAX_LENGTH (2 * PEN_PACK_COLUMN_MAX (PEN_BLOCK_CHAINS, 4))

const guint8 *
pen_frame_block_pack (const PenFrame *frames, guint n, PenPacker *packer, gsize *length)
{
  g_autofree guint64 *column = g_new (guint64, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    column[i] = frames[i].address;
  pen_packer_planes (packer, column, n);
  PEN_PACKER_FIELD (packer, frames, n, column, tenure);
  PEN_PACKER_FIELD (packer, frames, n, column, revision);
  PEN_PACKER_FIELD (packer, frames, n, column, function);
  PEN_PACKER_FIELD (packer, frames, n, column, kind);
  PEN_PACKER_FIELD (packer, frames, n, column, is_return);
  return pen_packer_finish (packer, length);
}

static void
unpack_frames (PenUnpacker *unpacker, PenFrame *frames, guint n, guint64 *column, guint32 *narrow,
               guint8 *bytes)
{
  pen_unpacker_column (unpacker, column, n);
  for (guint i = 0; i < n; i++)
    frames[i] = (PenFrame){ .address = column[i] };

  pen_unpacker_column32 (unpacker, narrow, n);
  for (guint i = 0; i < n; i++)
    frames[i].tenure = narrow[i];

  pen_unpacker_column32 (unpacker, narrow, n);
  for (guint i = 0; i < n; i++)
    frames[i].revision = narrow[i];

  pen_unpacker_column32 (unpacker, narrow, n);
  for (guint i = 0; i < n; i++)
    frames[i].function = narrow[i];

  pen_unpacker_column8 (unpacker, bytes, n);
  for (guint i = 0; i < n; i++)
    frames[i].kind = MIN (bytes[i], PEN_KINDS - 1);

  pen_unpacker_column8 (unpacker, bytes, n);
  for (guint i = 0; i < n; i++)
    frames[i].is_return = bytes[i] != 0;
}

gboolean
pen_frame_block_unpack (GArray *frames, guint n, const guint8 *bytes, gsize length,
                        PenUnpacker *unpacker, const char **reason)
{
  g_autofree guint64 *column = NULL;
  g_autofree guint32 *narrow = NULL;
  g_autofree guint8 *tiny = NULL;
  guint first = frames->len;
  PenFrame *added = NULL;

  *reason = "it claims more frames than it can have";
  if (n > PEN_BLOCK_FRAMES || n > G_MAXUINT32 - first
      || !pen_unpacker_start (unpacker, bytes, length, FRAMES_MAX_LENGTH, reason))
    return FALSE;

  column = g_new (guint64, MAX (n, 1));
  narrow = g_new (guint32, MAX (n, 1));
  tiny = g_new (guint8, MAX (n, 1));
  g_array_set_size (frames, first + n);
  if (n > 0)
    added = &g_array_index (frames, PenFrame, first);
  unpack_frames (unpacker, added, n, column, narrow, tiny);

  *reason = "its columns do not have the frames that it claims";
  return pen_unpacker_finish (unpacker);
}

gboolean
pen_frame_block_unpack_columns (PenFrameColumns *columns, guint first, guint n, const guint8 *bytes,
                                gsize length, PenUnpacker *unpacker, const char **reason)
{
  if (!pen_unpacker_start (unpacker, bytes, length, FRAMES_MAX_LENGTH, reason))
    return FALSE;

  pen_unpacker_column (unpacker, columns->address + first, n);
  pen_unpacker_column32 (unpacker, columns->tenure + first, n);
  pen_unpacker_column32 (unpacker, columns->revision + first, n);
  pen_unpacker_column32 (unpacker, columns->function + first, n);
  pen_unpacker_column8 (unpacker, columns->kind + first, n);
  pen_unpacker_column8 (unpacker, columns->is_return + first, n);
  for (guint i = 0; i < n; i++)
    columns->kind[first + i] = MIN (columns->kind[first + i], PEN_KINDS - 1);

  *reason = "its columns do not have the frames that it claims";
  return pen_unpacker_finish (unpacker);
}

const guint8 *
pen_chain_block_pack (guint32 first, const PenChainNode *nodes, guint n, PenPacker *packer,
                      gsize *length)
{
  g_autofree guint64 *column = g_new (guint64, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    column[i] = nodes[i].parent != 0 ? first + i - nodes[i].parent : 0;
  pen_packer_planes (packer, column, n);
  for (guint i = 0; i < n; i++)
    column[i] = nodes[i].frame;
  pen_packer_planes (packer, column, n);
  return pen_packer_finish (packer, length);
}

gboolean
pen_chain_block_unpack (PenChainBlock *block, const guint8 *bytes, gsize length,
                        PenUnpacker *unpacker, const char **reason)
{
  g_autofree guint32 *column = NULL;
  guint n = block->n;

  *reason = "it claims more chains than it can have";
  if (n > PEN_BLOCK_CHAINS
      || !pen_unpacker_start (unpacker, bytes, length, CHAINS_MAX_LENGTH, reason))
    return FALSE;

  column = g_new (guint32, MAX (n, 1));
  pen_unpacker_column32 (unpacker, column, n);
  for (guint i = 0; i < n; i++) {
    guint64 id = (guint64) block->number * PEN_BLOCK_CHAINS + 1 + i;

    if (column[i] >= id) {
      *reason = "a chain has a caller that is not there";
      return FALSE;
    }
    block->nodes[i].parent = column[i] != 0 ? (guint32) (id - column[i]) : 0;
  }

  pen_unpacker_column32 (unpacker, column, n);
  for (guint i = 0; i < n; i++)
    block->nodes[i].frame = column[i];

  *reason = "its columns do not have the chains that it claims";
  return pen_unpacker_finish (unpacker);
}
