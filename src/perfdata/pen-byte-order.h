/* pen-byte-order.h: numbers in the byte order of the machine that recorded
 *
 * Each field is read at its own place with its own width, so a record needs no swapping pass and
 * nothing has to be swapped back. The order is that of the file, never compared with the host's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

static inline guint16
pen_get_u16 (const guint8 *bytes, gboolean big_endian)
{
  guint16 value;

  memcpy (&value, bytes, sizeof value);
  return big_endian ? GUINT16_FROM_BE (value) : GUINT16_FROM_LE (value);
}

static inline guint32
pen_get_u32 (const guint8 *bytes, gboolean big_endian)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return big_endian ? GUINT32_FROM_BE (value) : GUINT32_FROM_LE (value);
}

static inline guint64
pen_get_u64 (const guint8 *bytes, gboolean big_endian)
{
  guint64 value;

  memcpy (&value, bytes, sizeof value);
  return big_endian ? GUINT64_FROM_BE (value) : GUINT64_FROM_LE (value);
}

/*
 * pen_get_bits:
 * @bytes: eight bytes that a C compiler filled as one-bit fields
 *
 * A big-endian compiler allots the fields of a byte from its top bit, but the bytes in the same
 * order as a little-endian one: field n is bit n of the result for both.
 */
static inline guint64
pen_get_bits (const guint8 *bytes, gboolean big_endian)
{
  guint64 value = 0;

  if (!big_endian)
    return pen_get_u64 (bytes, FALSE);

  for (guint i = 0; i < 64; i++) {
    if (bytes[i / 8] & (0x80 >> (i % 8)))
      value |= 1ull << i;
  }
  return value;
}

G_END_DECLS
