/* pen-test-bytes.c: bytes written in both byte orders at once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-test-bytes.h"

#include <string.h>

PenTestBytes *
pen_test_bytes_new (void)
{
  PenTestBytes *self = g_new0 (PenTestBytes, 1);

  self->order[FALSE] = g_byte_array_new ();
  self->order[TRUE] = g_byte_array_new ();
  return self;
}

void
pen_test_bytes_free (PenTestBytes *self)
{
  g_byte_array_unref (self->order[FALSE]);
  g_byte_array_unref (self->order[TRUE]);
  g_free (self);
}

guint
pen_test_bytes_get_length (PenTestBytes *self)
{
  return self->order[FALSE]->len;
}

void
pen_test_bytes_u16 (PenTestBytes *self, guint16 value)
{
  guint16 little = GUINT16_TO_LE (value);
  guint16 big = GUINT16_TO_BE (value);

  g_byte_array_append (self->order[FALSE], (guint8 *) &little, sizeof little);
  g_byte_array_append (self->order[TRUE], (guint8 *) &big, sizeof big);
}

void
pen_test_bytes_u32 (PenTestBytes *self, guint32 value)
{
  guint32 little = GUINT32_TO_LE (value);
  guint32 big = GUINT32_TO_BE (value);

  g_byte_array_append (self->order[FALSE], (guint8 *) &little, sizeof little);
  g_byte_array_append (self->order[TRUE], (guint8 *) &big, sizeof big);
}

void
pen_test_bytes_u64 (PenTestBytes *self, guint64 value)
{
  guint64 little = GUINT64_TO_LE (value);
  guint64 big = GUINT64_TO_BE (value);

  g_byte_array_append (self->order[FALSE], (guint8 *) &little, sizeof little);
  g_byte_array_append (self->order[TRUE], (guint8 *) &big, sizeof big);
}

static guint8
mirror (guint8 byte)
{
  guint8 mirrored = 0;

  for (guint i = 0; i < 8; i++) {
    if (byte & (1u << i))
      mirrored |= (guint8) (0x80u >> i);
  }
  return mirrored;
}

void
pen_test_bytes_bits (PenTestBytes *self, guint64 value)
{
  for (guint i = 0; i < 8; i++) {
    guint8 little = (guint8) (value >> (8 * i));
    guint8 big = mirror (little);

    g_byte_array_append (self->order[FALSE], &little, 1);
    g_byte_array_append (self->order[TRUE], &big, 1);
  }
}

void
pen_test_bytes_raw (PenTestBytes *self, gconstpointer data, gsize length)
{
  g_byte_array_append (self->order[FALSE], data, (guint) length);
  g_byte_array_append (self->order[TRUE], data, (guint) length);
}

void
pen_test_bytes_append (PenTestBytes *self, PenTestBytes *other)
{
  for (guint i = 0; i < 2; i++)
    g_byte_array_append (self->order[i], other->order[i]->data, other->order[i]->len);
}

void
pen_test_bytes_zeros (PenTestBytes *self, gsize length)
{
  g_autofree guint8 *zeros = g_malloc0 (length + 1);

  pen_test_bytes_raw (self, zeros, length);
}

void
pen_test_bytes_name (PenTestBytes *self, const char *name, guint alignment)
{
  gsize length = strlen (name) + 1;
  gsize rounded = (length + alignment - 1) / alignment * alignment;

  pen_test_bytes_raw (self, name, length);
  pen_test_bytes_zeros (self, rounded - length);
}

void
pen_test_bytes_string (PenTestBytes *self, const char *string)
{
  gsize length = strlen (string) + 1;

  pen_test_bytes_u32 (self, (guint32) ((length + 63) / 64 * 64));
  pen_test_bytes_name (self, string, 64);
}
