/* pen-pack.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pack.h"

#include <string.h>
#include <zstd.h>

#define HEADER_LENGTH 9
#define FORM_PLAIN 0
#define FORM_ZSTD 1
/* Level 1: higher levels cost the import more time than they save space on columns like these. */
/* The columns are coded already: a higher level takes a few per cent of the size, and of the
 * import's time. */
#define ZSTD_LEVEL -3
/* Below this a frame's own header eats the gain. */
#define ZSTD_MIN 256

/* How a column is written. */
#define COLUMN_CONSTANT 0 /* one varint for all */
#define COLUMN_DELTA 1    /* zigzag varints of the differences, the first from 0 */
#define COLUMN_PLAIN 2    /* varints */

struct _PenPacker {
  GByteArray *content;
  GByteArray *pack;
  guint64 *wide; /* a narrow column, widened */
  guint wide_size;
  ZSTD_CCtx *zstd;
};

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
  g_free (self->wide);
  ZSTD_freeCCtx (self->zstd);
  g_free (self);
}

static guint32 crc_table[8][256];

static void
crc_fill_table (void)
{
  for (guint i = 0; i < 256; i++) {
    guint32 crc = i;

    for (guint bit = 0; bit < 8; bit++)
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0);

    crc_table[0][i] = crc;
  }

  for (guint i = 0; i < 256; i++)
    for (guint k = 1; k < 8; k++)
      crc_table[k][i] = (crc_table[k - 1][i] >> 8) ^ crc_table[0][crc_table[k - 1][i] & 0xff];
}

/* Eight bytes per step, each through a table of its own. */
guint32
pen_crc32 (const guint8 *bytes, gsize n)
{
  static gsize once;
  guint32 crc = 0xffffffffu;

  if (g_once_init_enter (&once)) {
    crc_fill_table ();
    g_once_init_leave (&once, 1);
  }

  for (; n >= 8; n -= 8, bytes += 8) {
    guint32 low = crc
                  ^ (bytes[0] | (guint32) bytes[1] << 8 | (guint32) bytes[2] << 16
                     | (guint32) bytes[3] << 24);

    crc = crc_table[7][low & 0xff] ^ crc_table[6][(low >> 8) & 0xff]
          ^ crc_table[5][(low >> 16) & 0xff] ^ crc_table[4][low >> 24] ^ crc_table[3][bytes[4]]
          ^ crc_table[2][bytes[5]] ^ crc_table[1][bytes[6]] ^ crc_table[0][bytes[7]];
  }

  for (; n > 0; n--, bytes++)
    crc = (crc >> 8) ^ crc_table[0][(crc ^ *bytes) & 0xff];

  return ~crc;
}

static guint
encode_varint (guint8 *out, guint64 value)
{
  guint n = 0;

  while (value >= 0x80) {
    out[n++] = (guint8) (value | 0x80);
    value >>= 7;
  }
  out[n++] = (guint8) value;

  return n;
}

static inline guint64
zigzag (guint64 difference)
{
  return (difference << 1) ^ (guint64) ((gint64) difference >> 63);
}

static inline guint64
unzigzag (guint64 value)
{
  return (value >> 1) ^ (~(value & 1) + 1);
}

static inline guint
varint_length (guint64 value)
{
  return value == 0 ? 1 : (guint) (70 - __builtin_clzll (value)) / 7;
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

  g_byte_array_append (self->content, bytes, encode_varint (bytes, value));
}

void
pen_packer_bytes (PenPacker *self, const void *bytes, gsize n)
{
  g_byte_array_append (self->content, bytes, (guint) n);
}

void
pen_packer_column (PenPacker *self, const guint64 *values, guint n)
{
  guint64 plain_length = 0;
  guint64 delta_length = 0;
  guint64 previous = 0;
  gboolean is_constant = TRUE;
  guint start;
  guint8 *out;

  for (guint i = 0; i < n; i++) {
    plain_length += varint_length (values[i]);
    delta_length += varint_length (zigzag (values[i] - previous));
    is_constant = is_constant && values[i] == values[0];
    previous = values[i];
  }

  if (is_constant) {
    pen_packer_byte (self, COLUMN_CONSTANT);
    pen_packer_varint (self, n > 0 ? values[0] : 0);
    return;
  }

  pen_packer_byte (self, delta_length < plain_length ? COLUMN_DELTA : COLUMN_PLAIN);
  start = self->content->len;
  g_byte_array_set_size (self->content, start + (guint) MIN (delta_length, plain_length));
  out = self->content->data + start;

  previous = 0;
  for (guint i = 0; i < n; i++) {
    if (delta_length < plain_length)
      out += encode_varint (out, zigzag (values[i] - previous));
    else
      out += encode_varint (out, values[i]);
    previous = values[i];
  }
}

static guint64 *
packer_widen (PenPacker *self, guint n)
{
  if (self->wide_size < n) {
    self->wide = g_renew (guint64, self->wide, n);
    self->wide_size = n;
  }

  return self->wide;
}

void
pen_packer_column32 (PenPacker *self, const guint32 *values, guint n)
{
  guint64 *wide = packer_widen (self, n);

  for (guint i = 0; i < n; i++)
    wide[i] = values[i];

  pen_packer_column (self, wide, n);
}

void
pen_packer_column8 (PenPacker *self, const guint8 *values, guint n)
{
  guint64 *wide = packer_widen (self, n);

  for (guint i = 0; i < n; i++)
    wide[i] = values[i];

  pen_packer_column (self, wide, n);
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
  if (self->zstd == NULL)
    self->zstd = ZSTD_createCCtx ();
  if (self->zstd == NULL)
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

static gboolean
unpacker_decompress (PenUnpacker *self, const guint8 *bytes, gsize n, gsize length)
{
  if (self->plain_size < length) {
    g_free (self->plain);
    self->plain = g_malloc (length);
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

typedef struct {
  PenUnpacker *unpacker;
  guint8 form;
  guint64 value;
} ColumnReader;

static inline guint64
column_next (ColumnReader *reader)
{
  if (reader->form == COLUMN_DELTA)
    reader->value += unzigzag (pen_unpacker_varint (reader->unpacker));
  else if (reader->form == COLUMN_PLAIN)
    reader->value = pen_unpacker_varint (reader->unpacker);

  return reader->value;
}

static ColumnReader
column_start (PenUnpacker *self)
{
  ColumnReader reader = { self, pen_unpacker_byte (self), 0 };

  if (reader.form == COLUMN_CONSTANT)
    reader.value = pen_unpacker_varint (self);
  else if (reader.form > COLUMN_PLAIN)
    self->failed = TRUE;

  return reader;
}

void
pen_unpacker_column (PenUnpacker *self, guint64 *values, guint n)
{
  ColumnReader reader = column_start (self);

  for (guint i = 0; i < n; i++)
    values[i] = column_next (&reader);
}

void
pen_unpacker_column32 (PenUnpacker *self, guint32 *values, guint n)
{
  ColumnReader reader = column_start (self);

  for (guint i = 0; i < n; i++) {
    guint64 value = column_next (&reader);

    self->failed |= value > G_MAXUINT32;
    values[i] = (guint32) value;
  }
}

void
pen_unpacker_column8 (PenUnpacker *self, guint8 *values, guint n)
{
  ColumnReader reader = column_start (self);

  for (guint i = 0; i < n; i++) {
    guint64 value = column_next (&reader);

    self->failed |= value > G_MAXUINT8;
    values[i] = (guint8) value;
  }
}

gboolean
pen_unpacker_finish (PenUnpacker *self)
{
  return !self->failed && self->at == self->end;
}
