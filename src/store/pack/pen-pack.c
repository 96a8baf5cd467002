/* pen-pack.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pack-private.h"

#include <string.h>

#define HEADER_LENGTH 9
#define FORM_PLAIN 0
#define FORM_ZSTD 1
/* The least that counts how frequent each byte is, which planes need; higher ones take more of the
 * import's time than of the size. */
#define ZSTD_LEVEL 1
/* Below this a frame's own header eats the gain. */
#define ZSTD_MIN 256

PenPacker *
pen_packer_new (void)
{
  PenPacker *self = g_new0 (PenPacker, 1);

  self->content = g_byte_array_new ();
  self->pack = g_byte_array_new ();
  return self;
}

void
pen_packer_free (PenPacker *self)
{
  g_byte_array_unref (self->content);
  g_byte_array_unref (self->pack);
  ZSTD_freeCCtx (self->zstd);
  g_free (self);
}

void
pen_packer_byte (PenPacker *self, guint8 value)
{
  g_byte_array_append (self->content, &value, 1);
}

void
pen_packer_varint (PenPacker *self, guint64 value)
{
  guint8 bytes[10];

  g_byte_array_append (self->content, bytes, pen_varint_put (bytes, value));
}

void
pen_packer_bytes (PenPacker *self, const void *bytes, gsize n)
{
  g_byte_array_append (self->content, bytes, (guint) n);
}

static void
put_le32 (guint8 *out, guint32 value)
{
  value = GUINT32_TO_LE (value);
  memcpy (out, &value, 4);
}

static guint32
get_le32 (const guint8 *in)
{
  guint32 value;

  memcpy (&value, in, 4);
  return GUINT32_FROM_LE (value);
}

/* Returns: the length of the compressed content in the pack, 0 where plain is better. */
static gsize
packer_compress (PenPacker *self)
{
  gsize length;

  if (self->content->len < ZSTD_MIN)
    return 0;
  if (!self->zstd)
    self->zstd = ZSTD_createCCtx ();
  if (!self->zstd)
    return 0;

  g_byte_array_set_size (self->pack,
                         HEADER_LENGTH + (guint) ZSTD_compressBound (self->content->len));
  length = ZSTD_compressCCtx (self->zstd, self->pack->data + HEADER_LENGTH,
                              self->pack->len - HEADER_LENGTH, self->content->data,
                              self->content->len, ZSTD_LEVEL);
  return !ZSTD_isError (length) && length < self->content->len ? length : 0;
}

const guint8 *
pen_packer_finish (PenPacker *self, gsize *length)
{
  gsize compressed = packer_compress (self);
  guint8 *pack;

  if (compressed == 0) {
    g_byte_array_set_size (self->pack, HEADER_LENGTH + self->content->len);
    if (self->content->len > 0)
      memcpy (self->pack->data + HEADER_LENGTH, self->content->data, self->content->len);
    *length = self->pack->len;
  } else {
    *length = HEADER_LENGTH + compressed;
  }

  pack = self->pack->data;
  pack[4] = compressed == 0 ? FORM_PLAIN : FORM_ZSTD;
  put_le32 (pack + 5, self->content->len);
  put_le32 (pack, pen_crc32 (pack + 4, *length - 4));
  g_byte_array_set_size (self->content, 0);
  return pack;
}

void
pen_unpacker_clear (PenUnpacker *self)
{
  g_clear_pointer (&self->plain, g_free);
  memset (self, 0, sizeof *self);
}

/* The pack says how long its content is: not even zstd makes a byte of more than this. */
#define ZSTD_MAX_RATIO ((gsize) 1 << 16)

static gboolean
unpacker_decompress (PenUnpacker *self, const guint8 *bytes, gsize n, gsize length)
{
  if (length / ZSTD_MAX_RATIO > n)
    return FALSE;

  if (self->plain_size < length) {
    g_free (self->plain);
    self->plain_size = 0;
    self->plain = g_try_malloc (length);
    if (!self->plain)
      return FALSE;
    self->plain_size = length;
  }
  return ZSTD_decompress (self->plain, length, bytes, n) == length;
}

gboolean
pen_unpacker_start (PenUnpacker *self, const guint8 *bytes, gsize n, gsize max_length,
                    const char **reason)
{
  gsize length;

  self->failed = TRUE;
  self->at = self->end = NULL;

  if (n < HEADER_LENGTH) {
    *reason = "it is too short";
    return FALSE;
  }
  if (pen_crc32 (bytes + 4, n - 4) != get_le32 (bytes)) {
    *reason = "its checksum does not fit";
    return FALSE;
  }

  length = get_le32 (bytes + 5);
  if (length > max_length) {
    *reason = "it claims more content than it can have";
    return FALSE;
  }

  if (bytes[4] == FORM_PLAIN && length == n - HEADER_LENGTH) {
    self->at = bytes + HEADER_LENGTH;
  } else if (bytes[4] == FORM_ZSTD
             && unpacker_decompress (self, bytes + HEADER_LENGTH, n - HEADER_LENGTH, length)) {
    self->at = self->plain;
  } else {
    *reason = "its content cannot be unpacked";
    return FALSE;
  }

  self->end = self->at + length;
  self->failed = FALSE;
  return TRUE;
}

guint8
pen_unpacker_byte (PenUnpacker *self)
{
  if (self->at == self->end) {
    self->failed = TRUE;
    return 0;
  }
  return *self->at++;
}

guint64
pen_unpacker_varint (PenUnpacker *self)
{
  guint64 value = 0;

  for (guint shift = 0; shift < 64; shift += 7) {
    guint8 byte = pen_unpacker_byte (self);

    value |= (guint64) (byte & 0x7f) << shift;
    if ((byte & 0x80) == 0)
      return value;
  }

  self->failed = TRUE;
  return 0;
}

const guint8 *
pen_unpacker_bytes (PenUnpacker *self, gsize n)
{
  const guint8 *bytes = self->at;

  if ((gsize) (self->end - self->at) < n) {
    self->failed = TRUE;
    return NULL;
  }

  self->at += n;
  return bytes;
}

gboolean
pen_unpacker_finish (PenUnpacker *self)
{
  return !self->failed && self->at == self->end;
}
