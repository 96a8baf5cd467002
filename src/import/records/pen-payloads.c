/* pen-payloads.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-payloads.h"

#include <string.h>

#include "pen-byte-spool.h"

/* A piece is read and unpacked as a whole, for one payload of it. */
#define PIECE_BYTES (256u << 10)

struct _PenPayloads {
  PenByteSpool *spool; /* guint64 length, and the bytes */
  guint8 *run;
  GArray *lengths; /* guint32, plus 1: of the piece that is being filled; 0: none */
  GByteArray *bytes;
  guint64 block;
  guint first;
};

PenPayloads *
pen_payloads_new (const char *directory, gsize memory)
{
  PenPayloads *self = g_new0 (PenPayloads, 1);

  self->spool = pen_byte_spool_new (directory, memory);
  self->lengths = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->bytes = g_byte_array_new ();
  return self;
}

void
pen_payloads_free (PenPayloads *self)
{
  pen_byte_spool_free (self->spool);
  g_free (self->run);
  g_array_unref (self->lengths);
  g_byte_array_unref (self->bytes);
  g_free (self);
}

gboolean
pen_payloads_add (PenPayloads *self, const guint8 *bytes, guint32 n, guint32 *place, GError **error)
{
  guint64 length = MIN (n, PEN_PAYLOAD_MAX);

  if (!self->run)
    self->run = g_malloc (sizeof length + PEN_PAYLOAD_MAX);
  memcpy (self->run, &length, sizeof length);
  if (length > 0)
    memcpy (self->run + sizeof length, bytes, length);
  return pen_byte_spool_add (self->spool, self->run, sizeof length + length, place, error);
}

gboolean
pen_payloads_get (PenPayloads *self, guint32 place, const guint8 **bytes, guint32 *n,
                  GError **error)
{
  const guint8 *run;
  guint64 length;

  *bytes = (const guint8 *) "";
  *n = 0;
  if (place == 0)
    return TRUE;
  run = pen_byte_spool_get (self->spool, place, sizeof length, error);
  if (!run)
    return FALSE;
  memcpy (&length, run, sizeof length);
  run = pen_byte_spool_get (self->spool, place, (gsize) (sizeof length + length), error);
  if (!run)
    return FALSE;
  *bytes = run + sizeof length;
  *n = (guint32) length;
  return TRUE;
}

gboolean
pen_payloads_flush (PenPayloads *self, PenStoreWriter *writer, GError **error)
{
  gboolean ok = self->lengths->len == 0
                || pen_store_writer_add_payloads (writer, self->block, self->first,
                                                  (const guint32 *) (gpointer) self->lengths->data,
                                                  self->lengths->len, self->bytes->data,
                                                  self->bytes->len, error);

  g_array_set_size (self->lengths, 0);
  g_byte_array_set_size (self->bytes, 0);
  return ok;
}

gboolean
pen_payloads_put (PenPayloads *self, guint32 place, guint64 block, guint index,
                  PenStoreWriter *writer, GError **error)
{
  const guint8 *run;
  guint64 length;

  if (place == 0)
    return TRUE;

  run = pen_byte_spool_get (self->spool, place, sizeof length, error);
  if (!run)
    return FALSE;
  memcpy (&length, run, sizeof length);

  if ((self->block != block || self->bytes->len + length > PIECE_BYTES)
      && !pen_payloads_flush (self, writer, error))
    return FALSE;

  run = pen_byte_spool_get (self->spool, place, (gsize) (sizeof length + length), error);
  if (!run)
    return FALSE;

  if (self->lengths->len == 0)
    self->first = index;
  self->block = block;
  g_array_set_size (self->lengths, index - self->first + 1);
  g_array_index (self->lengths, guint32, index - self->first) = (guint32) length + 1;
  g_byte_array_append (self->bytes, run + sizeof length, (guint) length);
  return TRUE;
}
