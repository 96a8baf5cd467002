/* pen-number-table.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-number-table.h"

#include <string.h>

struct _PenNumberTable {
  GBytes *bytes;
  const guint8 *data;
  gsize length;
  guint64 address;
  gboolean is_big_endian;
};

PenNumberTable *
pen_number_table_load (PenKernelFile *file, const char *section, const char *start,
                       const char *stop)
{
  guint64 address;
  GBytes *bytes = pen_kernel_file_load_table (file, section, start, stop, &address);
  PenNumberTable *self;

  if (!bytes)
    return NULL;

  self = g_new0 (PenNumberTable, 1);
  self->bytes = bytes;
  self->data = g_bytes_get_data (bytes, &self->length);
  self->address = address;
  self->is_big_endian = pen_kernel_file_is_big_endian (file);
  return self;
}

void
pen_number_table_free (PenNumberTable *self)
{
  if (!self)
    return;

  g_bytes_unref (self->bytes);
  g_free (self);
}

gboolean
pen_number_table_has (PenNumberTable *self, gsize at, gsize length)
{
  return self && at <= self->length && length <= self->length - at;
}

gsize
pen_number_table_get_length (PenNumberTable *self)
{
  return self ? self->length : 0;
}

guint8
pen_number_table_get_8 (PenNumberTable *self, gsize at)
{
  return self->data[at];
}

guint64
pen_number_table_get_64 (PenNumberTable *self, gsize at)
{
  guint64 number;

  memcpy (&number, self->data + at, sizeof number);
  return self->is_big_endian ? GUINT64_FROM_BE (number) : GUINT64_FROM_LE (number);
}

guint64
pen_number_table_get_relative (PenNumberTable *self, gsize at)
{
  guint32 number;

  memcpy (&number, self->data + at, sizeof number);
  number = self->is_big_endian ? GUINT32_FROM_BE (number) : GUINT32_FROM_LE (number);
  return self->address + at + (guint64) (gint64) (gint32) number;
}

guint64
pen_number_table_get_relative_64 (PenNumberTable *self, gsize at)
{
  return self->address + at + pen_number_table_get_64 (self, at);
}
