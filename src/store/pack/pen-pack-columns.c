/* pen-pack-columns.c: columns, packed and unpacked
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-bits.h"
#include "pen-pack-private.h"

/* How a column is written. */
#define COLUMN_CONSTANT 0 /* one varint for all */
#define COLUMN_CHUNKS 1
#define COLUMN_PLANES 2

/* For a column of fewer numbers planes gain nothing. */
#define PLANES_MIN 1024u
/* Of each so many chunks one is measured. */
#define MEASURED 8u

/* Flag of a chunk that has differences, beside the width. */
#define CHUNK_DIFFERENCES 0x80
/* A chunk: that byte, a varint, and the bits. */
#define CHUNK_MAX_LENGTH (1 + 10 + PEN_PACK_CHUNK * 8)

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

/* The bounds of the numbers of a chunk, and of the differences from one to the next. */
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
    out += pen_varint_put (out, pen_zigzag (least));
    pen_bits_put (out, differences, n, least, width);
  } else {
    *out++ = (guint8) width;
    out += pen_varint_put (out, bounds.least);
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

/* ---- planes ---- */

/* The bits for each number of a chunk. */
static guint
measure_chunk (const guint64 *numbers, guint n, guint64 previous)
{
  guint64 differences[PEN_PACK_CHUNK];
  Bounds bounds = find_bounds (numbers, n, previous, differences);

  return MIN (pen_bits_get_width (bounds.greatest - bounds.least),
              pen_bits_get_width ((guint64) bounds.greatest_difference
                                  - (guint64) bounds.least_difference));
}

/* Whether chunks of @values, of which some are looked at, take more than a byte for each number:
 * less than that is left of planes only where numbers come again. */
#define IS_WIDE(values, n, is_wide)                                                                \
  G_STMT_START                                                                                     \
  {                                                                                                \
    guint64 some[PEN_PACK_CHUNK];                                                                  \
    guint64 bits = 0;                                                                              \
    guint64 measured = 0;                                                                          \
                                                                                                   \
    for (guint i = 0; i < (n); i += MEASURED * PEN_PACK_CHUNK) {                                   \
      guint length = MIN ((n) -i, PEN_PACK_CHUNK);                                                 \
                                                                                                   \
      for (guint k = 0; k < length; k++)                                                           \
        some[k] = (values)[i + k];                                                                 \
      bits += (guint64) length * measure_chunk (some, length, i > 0 ? (values)[i - 1] : 0);        \
      measured += length;                                                                          \
    }                                                                                              \
    is_wide = bits > 8 * measured;                                                                 \
  }                                                                                                \
  G_STMT_END

/* Returns: where the planes go */
static guint8 *
start_planes (PenPacker *self, guint n, guint64 least, guint n_planes)
{
  guint start;

  pen_packer_varint (self, n);
  pen_packer_byte (self, COLUMN_PLANES);
  pen_packer_varint (self, least);
  pen_packer_byte (self, (guint8) n_planes);
  start = self->content->len;
  g_byte_array_set_size (self->content, start + n_planes * n);
  return self->content->data + start;
}

/* @type: of the numbers */
#define PUT_PLANES(self, values, n, type)                                                          \
  G_STMT_START                                                                                     \
  {                                                                                                \
    type least = (values)[0];                                                                      \
    type greatest = (values)[0];                                                                   \
    guint n_planes;                                                                                \
    guint8 *out;                                                                                   \
                                                                                                   \
    for (guint i = 0; i < (n); i++) {                                                              \
      least = MIN (least, (values)[i]);                                                            \
      greatest = MAX (greatest, (values)[i]);                                                      \
    }                                                                                              \
    n_planes = (pen_bits_get_width (greatest - least) + 7) / 8;                                    \
    out = start_planes (self, n, least, n_planes);                                                 \
    for (guint shift = 0; shift < 8 * n_planes; shift += 8, out += n)                              \
      for (guint i = 0; i < (n); i++)                                                              \
        out[i] = (guint8) (((values)[i] - least) >> shift);                                        \
  }                                                                                                \
  G_STMT_END

#define HAS_PLANES(values, n, has_planes)                                                          \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gboolean is_constant;                                                                          \
                                                                                                   \
    IS_CONSTANT (values, n, is_constant);                                                          \
    has_planes = !is_constant && (n) >= PLANES_MIN;                                                \
    if (has_planes)                                                                                \
      IS_WIDE (values, n, has_planes);                                                             \
  }                                                                                                \
  G_STMT_END

void
pen_packer_planes (PenPacker *self, const guint64 *values, guint n)
{
  gboolean has_planes;

  HAS_PLANES (values, n, has_planes);
  if (has_planes)
    PUT_PLANES (self, values, n, guint64);
  else
    pen_packer_column (self, values, n);
}

void
pen_packer_planes32 (PenPacker *self, const guint32 *values, guint n)
{
  gboolean has_planes;

  HAS_PLANES (values, n, has_planes);
  if (has_planes)
    PUT_PLANES (self, values, n, guint32);
  else
    pen_packer_column32 (self, values, n);
}

/* ---- reading ---- */

/* The state of reading a column. @last: the least number, of planes
 * @planes: what is to be read of the first; the others follow, each @plane_length after the other
 */
typedef struct {
  guint form;
  guint64 last;
  const guint8 *planes;
  gsize plane_length;
  guint n_planes;
} ColumnReader;

static void
find_planes (PenUnpacker *self, ColumnReader *reader, guint n)
{
  reader->last = pen_unpacker_varint (self);
  reader->n_planes = pen_unpacker_byte (self);
  reader->plane_length = n;
  if (reader->n_planes > sizeof (guint64))
    self->failed = TRUE;
  else
    reader->planes = pen_unpacker_bytes (self, (gsize) reader->n_planes * n);
}

static ColumnReader
start_reading (PenUnpacker *self, guint n)
{
  ColumnReader reader = { .form = COLUMN_CONSTANT };

  if (pen_unpacker_varint (self) != n)
    self->failed = TRUE;

  reader.form = pen_unpacker_byte (self);
  if (reader.form == COLUMN_CONSTANT)
    reader.last = pen_unpacker_varint (self);
  else if (reader.form == COLUMN_PLANES)
    find_planes (self, &reader, n);
  else if (reader.form != COLUMN_CHUNKS)
    self->failed = TRUE;
  return reader;
}

/* Most columns have two or three planes: then each number is written once. */
static void
read_planes (PenUnpacker *self, ColumnReader *reader, guint64 *restrict numbers, guint n)
{
  guint64 least = self->failed ? 0 : reader->last;
  gsize step = reader->plane_length;
  const guint8 *bytes = reader->planes;
  guint plane = 0;

  if (self->failed || reader->n_planes < 2) {
    for (guint i = 0; i < n; i++)
      numbers[i] = least;
  } else if (reader->n_planes == 2) {
    for (guint i = 0; i < n; i++)
      numbers[i] = least + (bytes[i] | (guint32) bytes[i + step] << 8);
    plane = 2;
  } else {
    for (guint i = 0; i < n; i++)
      numbers[i]
          = least
            + (bytes[i] | (guint32) bytes[i + step] << 8 | (guint32) bytes[i + 2 * step] << 16);
    plane = 3;
  }
  if (self->failed)
    return;

  for (; plane < reader->n_planes; plane++)
    for (guint i = 0; i < n; i++)
      numbers[i] += (guint64) bytes[i + plane * step] << 8 * plane;
  reader->planes += n;
}

static void
read_last_bits (PenUnpacker *self, guint64 *numbers, guint n, guint64 base, guint width)
{
  guint8 copy[PEN_PACK_CHUNK * 8 + PEN_BITS_BEYOND] = { 0 };

  memcpy (copy, self->at, pen_bits_get_length (n, width));
  pen_bits_get (copy, numbers, n, base, width);
}

/* Bits are read beyond their end: where the pack ends before, in a copy. */
static void
read_bits (PenUnpacker *self, guint64 *numbers, guint n, guint64 base, guint width)
{
  gsize length = pen_bits_get_length (n, width);
  gsize left = (gsize) (self->end - self->at);

  if (left < length) {
    self->failed = TRUE;
    return;
  }

  if (left < length + PEN_BITS_BEYOND)
    read_last_bits (self, numbers, n, base, width);
  else
    pen_bits_get (self->at, numbers, n, base, width);
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
  if (reader->form == COLUMN_PLANES) {
    read_planes (self, reader, numbers, n);
    return;
  }

  head = pen_unpacker_byte (self);
  base = pen_unpacker_varint (self);
  width = head & ~CHUNK_DIFFERENCES;
  self->failed |= width > 64;
  if (!self->failed) {
    if ((head & CHUNK_DIFFERENCES) != 0)
      base = pen_unzigzag (base);
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

void
pen_unpacker_skip_column (PenUnpacker *self, guint n)
{
  ColumnReader reader = start_reading (self, n);

  for (guint i = 0; reader.form == COLUMN_CHUNKS && i < n && !self->failed; i += PEN_PACK_CHUNK) {
    guint width = pen_unpacker_byte (self) & ~CHUNK_DIFFERENCES;

    pen_unpacker_varint (self);
    self->failed |= width > 64;
    if (!self->failed)
      pen_unpacker_bytes (self, pen_bits_get_length (MIN (n - i, PEN_PACK_CHUNK), width));
  }
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
