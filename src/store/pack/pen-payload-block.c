/* pen-payload-block.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-payload-block.h"

#include <string.h>

/* The writer ends a piece before it is as large as this. */
#define MAX_LENGTH ((gsize) 1 << 20)

void
pen_payload_block_free (PenPayloadBlock *self)
{
  if (!self)
    return;

  g_free (self->offsets);
  g_free (self->has);
  g_free (self->bytes);
  g_free (self);
}

const guint8 *
pen_payload_block_pack (const guint32 *lengths, guint n, const guint8 *bytes, gsize n_bytes,
                        PenPacker *packer, gsize *length)
{
  pen_packer_column32 (packer, lengths, n);
  pen_packer_bytes (packer, bytes, n_bytes);
  return pen_packer_finish (packer, length);
}

static gboolean
unpack (PenPayloadBlock *self, guint32 *lengths, PenUnpacker *unpacker)
{
  const guint8 *bytes;
  gsize total = 0;

  pen_unpacker_column32 (unpacker, lengths, self->n);
  for (guint i = 0; i < self->n; i++) {
    self->offsets[i] = total;
    self->has[i] = lengths[i] != 0;
    if (lengths[i] > PEN_PAYLOAD_MAX + 1)
      return FALSE;
    total += lengths[i] != 0 ? lengths[i] - 1 : 0;
  }
  self->offsets[self->n] = total;

  bytes = pen_unpacker_bytes (unpacker, total);
  if (!bytes || !pen_unpacker_finish (unpacker))
    return FALSE;
  self->bytes = g_memdup2 (bytes, total);
  return TRUE;
}

PenPayloadBlock *
pen_payload_block_unpack (guint n, const guint8 *bytes, gsize length, PenUnpacker *unpacker,
                          const char **reason)
{
  g_autoptr (PenPayloadBlock) self = NULL;
  g_autofree guint32 *lengths = NULL;

  *reason = "it claims more payloads than it can have";
  if (n > PEN_BLOCK_SAMPLES || !pen_unpacker_start (unpacker, bytes, length, MAX_LENGTH, reason))
    return NULL;

  self = g_new0 (PenPayloadBlock, 1);
  self->n = n;
  self->offsets = g_new (gsize, n + 1);
  self->has = g_new (gboolean, MAX (n, 1));
  lengths = g_new (guint32, MAX (n, 1));
  *reason = "it does not have the payloads that it claims";
  return unpack (self, lengths, unpacker) ? g_steal_pointer (&self) : NULL;
}
