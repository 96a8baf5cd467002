/* pen-pack.h: packed columns: numbers as varints, a checksum around them, compressed where it pays
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The sign in the lowest bit: 0, -1, 1, -2 … become 0, 1, 2, 3 … */
static inline guint64
pen_zigzag (guint64 difference)
{
  return (difference << 1) ^ (guint64) ((gint64) difference >> 63);
}

static inline guint64
pen_unzigzag (guint64 value)
{
  return (value >> 1) ^ (~(value & 1) + 1);
}

/*
 * PenPacker: appends numbers to a buffer that is kept from pack to pack.
 *
 * A varint is little-endian base 128: seven bits per byte, the highest bit set on all but the last.
 */
typedef struct _PenPacker PenPacker;

PenPacker *pen_packer_new (void);
void pen_packer_free (PenPacker *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPacker, pen_packer_free)

void pen_packer_byte (PenPacker *self, guint8 value);
void pen_packer_varint (PenPacker *self, guint64 value);
void pen_packer_bytes (PenPacker *self, const void *bytes, gsize n);

/* Numbers of a column are packed so many at a time. */
#define PEN_PACK_CHUNK 128u

/* No column of @n numbers of @size bytes is longer. */
#define PEN_PACK_COLUMN_MAX(n, size)                                                               \
  ((gsize) (n) * (size) + ((gsize) (n) / PEN_PACK_CHUNK + 1) * 11 + 21)

/*
 * A column: a varint, how many numbers; then a byte, and 0: a varint, which all of them are; 1:
 * chunks of PEN_PACK_CHUNK numbers, but for the last. A chunk: a byte, and
 *   w, at most 64: a varint, the least of its numbers; and w bits for each: what it is more
 *   128 + w: a zigzag varint, the least difference between a number and the one before it (0 before
 *     the column's first), modulo 2^64 and with a sign; and w bits for each: what its difference is
 *     more
 * whichever takes fewer bits. Bits are those of pen-bits.h. 2: planes (below).
 */
void pen_packer_column (PenPacker *self, const guint64 *values, guint n);
void pen_packer_column32 (PenPacker *self, const guint32 *values, guint n);
void pen_packer_column8 (PenPacker *self, const guint8 *values, guint n);

/*
 * A column of numbers that come again, as ids do: what each is more than the least of them, byte by
 * byte, which zstd finds again where bits would hide it. A varint, the least; a byte, how many
 * planes; and in each plane, the lowest bytes first, a byte for each number. If chunks take at most
 * a byte for each number, or the numbers are few, they are chunks all the same.
 */
void pen_packer_planes (PenPacker *self, const guint64 *values, guint n);
void pen_packer_planes32 (PenPacker *self, const guint32 *values, guint n);

/* One field of @n structs as a column; @column is an array of @n guint64 for its use. */
#define PEN_PACKER_FIELD(packer, structs, n, column, field)                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    for (guint packer_i = 0; packer_i < (n); packer_i++)                                           \
      (column)[packer_i] = (guint64) (structs)[packer_i].field;                                    \
    pen_packer_column (packer, column, n);                                                         \
  }                                                                                                \
  G_STMT_END

/*
 * Ends the pack and empties the packer.
 *
 * A pack: 4 bytes CRC-32 of all that follows it, 1 byte form (0 plain, 1 zstd), 4 bytes length of
 * the content when plain, then the content. Numbers are little-endian.
 *
 * Returns: (transfer none): owned by the packer, until it is used again
 */
const guint8 *pen_packer_finish (PenPacker *self, gsize *length);

/* CRC-32 as in zlib, PNG and Ethernet (reflected polynomial 0xedb88320). */
guint32 pen_crc32 (const guint8 *bytes, gsize n);

/*
 * PenUnpacker: reads a pack. It does not trust it: reading past the end gives zeros and makes
 * pen_unpacker_finish() fail.
 */
typedef struct {
  const guint8 *at;
  const guint8 *end;
  guint8 *plain; /* owned; kept from pack to pack */
  gsize plain_size;
  gboolean failed;
} PenUnpacker;

void pen_unpacker_clear (PenUnpacker *self);

/* @max_length: content longer than this is refused before anything is allocated for it.
 * @reason: (out): static text, on failure */
gboolean pen_unpacker_start (PenUnpacker *self, const guint8 *bytes, gsize n, gsize max_length,
                             const char **reason);
guint8 pen_unpacker_byte (PenUnpacker *self);
guint64 pen_unpacker_varint (PenUnpacker *self);
/* Returns: NULL if there are not so many. */
const guint8 *pen_unpacker_bytes (PenUnpacker *self, gsize n);
void pen_unpacker_column (PenUnpacker *self, guint64 *values, guint n);
/* Goes past a column of @n numbers. Cost: one step for each chunk, or for all planes. */
void pen_unpacker_skip_column (PenUnpacker *self, guint n);
/* Values that do not fit make pen_unpacker_finish() fail. */
void pen_unpacker_column32 (PenUnpacker *self, guint32 *values, guint n);
void pen_unpacker_column8 (PenUnpacker *self, guint8 *values, guint n);

/* Returns: TRUE if everything was there and nothing is left. */
gboolean pen_unpacker_finish (PenUnpacker *self);

G_END_DECLS
