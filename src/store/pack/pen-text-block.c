/* pen-text-block.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-text-block.h"

/* A piece takes a byte at least. */
#define MAX_PIECES PEN_BLOCK_TEXT
#define MAX_LENGTH (2 * PEN_PACK_COLUMN_MAX (MAX_PIECES, 8) + 2 * (gsize) PEN_BLOCK_TEXT)

const guint8 *
pen_text_block_pack (const PenStoredText *texts, guint n, PenPacker *packer, gsize *length)
{
  g_autofree guint64 *column = g_new (guint64, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    column[i] = texts[i].start;
  pen_packer_column (packer, column, n);
  for (guint i = 0; i < n; i++)
    column[i] = g_bytes_get_size (texts[i].bytes);
  pen_packer_column (packer, column, n);
  for (guint i = 0; i < n; i++)
    pen_packer_bytes (packer, g_bytes_get_data (texts[i].bytes, NULL), (gsize) column[i]);
  return pen_packer_finish (packer, length);
}

static void
add_text (GPtrArray *texts, guint64 start, const guint8 *bytes, gsize length)
{
  PenStoredText *text = g_new0 (PenStoredText, 1);

  text->start = start;
  text->bytes = g_bytes_new (bytes, length);
  g_ptr_array_add (texts, text);
}

gboolean
pen_text_block_unpack (const guint8 *bytes, gsize length, guint n, guint64 start, guint64 end,
                       PenUnpacker *unpacker, GPtrArray *texts, const char **reason)
{
  g_autofree guint64 *starts = NULL;
  g_autofree guint32 *lengths = NULL;

  *reason = "it claims more pieces than it can have";
  if (n > MAX_PIECES || !pen_unpacker_start (unpacker, bytes, length, MAX_LENGTH, reason))
    return FALSE;

  starts = g_new (guint64, MAX (n, 1));
  lengths = g_new (guint32, MAX (n, 1));
  pen_unpacker_column (unpacker, starts, n);
  pen_unpacker_column32 (unpacker, lengths, n);
  for (guint i = 0; i < n && !unpacker->failed; i++) {
    const guint8 *piece = pen_unpacker_bytes (unpacker, lengths[i]);

    if (piece && starts[i] < end && (starts[i] >= start || start - starts[i] < lengths[i]))
      add_text (texts, starts[i], piece, lengths[i]);
  }

  *reason = "it does not have the pieces that it claims";
  return pen_unpacker_finish (unpacker);
}
