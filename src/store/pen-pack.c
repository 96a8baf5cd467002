/* pen-pack.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pack.h"

#include <string.h>
#include <zstd.h>

#include "pen-bits.h"

#define HEADER_LENGTH 9
#define FORM_PLAIN 0
#define FORM_ZSTD 1
/* The columns are coded already: a higher level takes a few per cent of the size, and of the
 * import's time. */
#define ZSTD_LEVEL -3
/* Below this a frame's own header eats the gain. */
#define ZSTD_MIN 256

/* How a column is written. */
#define COLUMN_CONSTANT 0 /* one varint for all */
#define COLUMN_CHUNKS 1

/* Of a chunk: that it has differences, beside the width. */
#define CHUNK_DIFFERENCES 0x80
/* A chunk: that byte, a varint, and the bits. */
#define CHUNK_MAX_LENGTH (1 + 10 + PEN_PACK_CHUNK * 8)

struct _PenPacker {
  GByteArray *content;
  GByteArray *pack;
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

/* The beginning of a column: how many numbers, and in which form.
 * Returns: FALSE: they are all the same, and nothing is left to do */
static gboolean
start_column (PenPacker *self, guint n, guint64 first, gboolean is_constant)
{
  pen_packer_varint (self, n);
  pen_packer_byte (self, is_constant ? COLUMN_CONSTANT : COLUMN_CHUNKS);
  if (is_constant)
    pen_packer_varint (self, first);

  return !is_constant;
}

/* What the numbers of a chunk are between, and what the differences from one to the next are. */
typedef struct {
  guint64 least;
  guint64 greatest;
  gint64 least_difference;
  gint64 greatest_difference;
} Bounds;

static inline Bounds
find_bounds (const guint64 *numbers, guint n, guint64 previous, guint64 *differences)
{
  Bounds bounds = { G_MAXUINT64, 0, G_MAXINT64, G_MININT64 };

  for (guint i = 0; i < n; i++) {
    gint64 difference = (gint64) (numbers[i] - previous);

    differences[i] = (guint64) difference;
    previous = numbers[i];
    bounds.least = MIN (bounds.least, previous);
    bounds.greatest = MAX (bounds.greatest, previous);
    bounds.least_difference = MIN (bounds.least_difference, difference);
    bounds.greatest_difference = MAX (bounds.greatest_difference, difference);
  }

  return bounds;
}

/* @previous: the number before, 0 for none */
static void
pack_chunk (PenPacker *self, const guint64 *numbers, guint n, guint64 previous)
{
  guint64 differences[PEN_PACK_CHUNK];
  Bounds bounds = find_bounds (numbers, n, previous, differences);
  guint width = pen_bits_get_width (bounds.greatest - bounds.least);
  guint width_of_differences = pen_bits_get_width ((guint64) bounds.greatest_difference
                                                   - (guint64) bounds.least_difference);
  guint start = self->content->len;
  guint8 *out;

  g_byte_array_set_size (self->content, start + CHUNK_MAX_LENGTH + PEN_BITS_BEYOND);
  out = self->content->data + start;

  if (width_of_differences < width) {
    guint64 least = (guint64) bounds.least_difference;

    width = width_of_differences;
    *out++ = (guint8) (width | CHUNK_DIFFERENCES);
    out += encode_varint (out, zigzag (least));
    pen_bits_put (out, differences, n, least, width);
  } else {
    *out++ = (guint8) width;
    out += encode_varint (out, bounds.least);
    pen_bits_put (out, numbers, n, bounds.least, width);
  }

  out += pen_bits_get_length (n, width);
  g_byte_array_set_size (self->content, (guint) (out - self->content->data));
}

#define IS_CONSTANT(values, n, is_constant)                                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    guint same = 0;                                                                                \
                                                                                                   \
    while (same < (n) && (values)[same] == (values)[0])                                            \
      same++;                                                                                      \
    is_constant = same == (n);                                                                     \
  }                                                                                                \
  G_STMT_END

void
pen_packer_column (PenPacker *self, const guint64 *values, guint n)
{
  gboolean is_constant;

  IS_CONSTANT (values, n, is_constant);
  if (!start_column (self, n, n > 0 ? values[0] : 0, is_constant))
    return;

  for (guint i = 0; i < n; i += PEN_PACK_CHUNK)
    pack_chunk (self, values + i, MIN (n - i, PEN_PACK_CHUNK), i > 0 ? values[i - 1] : 0);
}

#define PACK_NARROW(self, values, n)                                                               \
  G_STMT_START                                                                                     \
  {                                                                                                \
    guint64 wide[PEN_PACK_CHUNK];                                                                  \
    gboolean is_constant;                                                                          \
                                                                                                   \
    IS_CONSTANT (values, n, is_constant);                                                          \
    if (!start_column (self, n, (n) > 0 ? (values)[0] : 0, is_constant))                           \
      return;                                                                                      \
                                                                                                   \
    for (guint i = 0; i < (n); i += PEN_PACK_CHUNK) {                                              \
      guint length = MIN ((n) -i, PEN_PACK_CHUNK);                                                 \
                                                                                                   \
      for (guint k = 0; k < length; k++)                                                           \
        wide[k] = (values)[i + k];                                                                 \
      pack_chunk (self, wide, length, i > 0 ? (values)[i - 1] : 0);                                \
    }                                                                                              \
  }                                                                                                \
  G_STMT_END

void
pen_packer_column32 (PenPacker *self, const guint32 *values, guint n)
{
  PACK_NARROW (self, values, n);
}

void
pen_packer_column8 (PenPacker *self, const guint8 *values, guint n)
{
  PACK_NARROW (self, values, n);
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

/* What has been read of a column. */
typedef struct {
  guint form;
  guint64 last;
} ColumnReader;

static ColumnReader
start_reading (PenUnpacker *self, guint n)
{
  ColumnReader reader = { COLUMN_CONSTANT, 0 };

  if (pen_unpacker_varint (self) != n)
    self->failed = TRUE;

  reader.form = pen_unpacker_byte (self);
  if (reader.form == COLUMN_CONSTANT)
    reader.last = pen_unpacker_varint (self);
  else if (reader.form != COLUMN_CHUNKS)
    self->failed = TRUE;

  return reader;
}

/* Bits are read beyond their end: where the pack ends before, in a copy. */
static void
read_bits (PenUnpacker *self, guint64 *numbers, guint n, guint64 base, guint width)
{
  guint8 copy[PEN_PACK_CHUNK * 8 + PEN_BITS_BEYOND] = { 0 };
  gsize length = pen_bits_get_length (n, width);
  gsize left = (gsize) (self->end - self->at);
  const guint8 *at = self->at;

  if (left < length) {
    self->failed = TRUE;
    return;
  }

  if (left < length + PEN_BITS_BEYOND) {
    memcpy (copy, at, length);
    at = copy;
  }
  pen_bits_get (at, numbers, n, base, width);
  self->at += length;
}

/* Up to PEN_PACK_CHUNK numbers; zeros where there are not so many. */
static void
read_chunk (PenUnpacker *self, ColumnReader *reader, guint64 *numbers, guint n)
{
  guint8 head;
  guint width;
  guint64 base;

  if (reader->form == COLUMN_CONSTANT) {
    for (guint i = 0; i < n; i++)
      numbers[i] = reader->last;
    return;
  }

  head = pen_unpacker_byte (self);
  base = pen_unpacker_varint (self);
  width = head & ~CHUNK_DIFFERENCES;
  self->failed |= width > 64;
  if (!self->failed) {
    if ((head & CHUNK_DIFFERENCES) != 0)
      base = unzigzag (base);
    read_bits (self, numbers, n, base, width);
  }
  if (self->failed) {
    memset (numbers, 0, n * sizeof *numbers);
    return;
  }

  if ((head & CHUNK_DIFFERENCES) != 0)
    for (guint i = 0; i < n; i++)
      numbers[i] = reader->last += numbers[i];
  reader->last = numbers[n - 1];
}

void
pen_unpacker_column (PenUnpacker *self, guint64 *values, guint n)
{
  ColumnReader reader = start_reading (self, n);

  for (guint i = 0; i < n; i += PEN_PACK_CHUNK)
    read_chunk (self, &reader, values + i, MIN (n - i, PEN_PACK_CHUNK));
}

#define UNPACK_NARROW(self, values, n, type, max)                                                  \
  G_STMT_START                                                                                     \
  {                                                                                                \
    ColumnReader reader = start_reading (self, n);                                                 \
    guint64 wide[PEN_PACK_CHUNK];                                                                  \
    guint64 all = 0;                                                                               \
                                                                                                   \
    for (guint i = 0; i < (n); i += PEN_PACK_CHUNK) {                                              \
      guint length = MIN ((n) -i, PEN_PACK_CHUNK);                                                 \
                                                                                                   \
      read_chunk (self, &reader, wide, length);                                                    \
      for (guint k = 0; k < length; k++) {                                                         \
        all |= wide[k];                                                                            \
        (values)[i + k] = (type) wide[k];                                                          \
      }                                                                                            \
    }                                                                                              \
    self->failed |= all > (max);                                                                   \
  }                                                                                                \
  G_STMT_END

void
pen_unpacker_column32 (PenUnpacker *self, guint32 *values, guint n)
{
  UNPACK_NARROW (self, values, n, guint32, G_MAXUINT32);
}

void
pen_unpacker_column8 (PenUnpacker *self, guint8 *values, guint n)
{
  UNPACK_NARROW (self, values, n, guint8, G_MAXUINT8);
}

gboolean
pen_unpacker_finish (PenUnpacker *self)
{
  return !self->failed && self->at == self->end;
}
