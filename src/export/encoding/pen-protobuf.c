/* pen-protobuf.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-protobuf.h"

#define WIRE_VARINT 0u
#define WIRE_BYTES 2u

static guint
encode_varint (guint64 value, guint8 bytes[10])
{
  guint n = 0;

  for (; value >= 0x80; value >>= 7)
    bytes[n++] = (guint8) (value | 0x80);
  bytes[n++] = (guint8) value;
  return n;
}

void
pen_protobuf_append_varint (GByteArray *message, guint64 value)
{
  guint8 bytes[10];

  g_byte_array_append (message, bytes, encode_varint (value, bytes));
}

void
pen_protobuf_append_number (GByteArray *message, guint field, guint64 value)
{
  if (value == 0)
    return;
  pen_protobuf_append_varint (message, field << 3 | WIRE_VARINT);
  pen_protobuf_append_varint (message, value);
}

void
pen_protobuf_append_bytes (GByteArray *message, guint field, const guint8 *bytes, gsize length)
{
  pen_protobuf_append_varint (message, field << 3 | WIRE_BYTES);
  pen_protobuf_append_varint (message, length);
  g_byte_array_append (message, bytes, (guint) length);
}

void
pen_protobuf_append_numbers (GByteArray *message, guint field, const guint64 *values, guint n)
{
  gsize length = 0;

  for (guint i = 0; i < n; i++) {
    guint8 bytes[10];

    length += encode_varint (values[i], bytes);
  }
  pen_protobuf_append_varint (message, field << 3 | WIRE_BYTES);
  pen_protobuf_append_varint (message, length);
  for (guint i = 0; i < n; i++)
    pen_protobuf_append_varint (message, values[i]);
}

void
pen_protobuf_append_message (GByteArray *message, guint field, GByteArray *inner)
{
  pen_protobuf_append_bytes (message, field, inner->data, inner->len);
  g_byte_array_set_size (inner, 0);
}
