/* pen-btf-strings.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-btf-strings.h"

#include <string.h>

#include "pen-cursor.h"

#define MAGIC 0xeb9fu
#define HEADER_LENGTH 24u

PenBtfStrings
pen_btf_strings_find (GBytes *blob)
{
  PenBtfStrings none = { "", 0 };
  const guint8 *bytes;
  gboolean big_endian;
  guint64 start;
  guint64 length;
  gsize size;

  if (!blob)
    return none;
  bytes = g_bytes_get_data (blob, &size);
  if (size < HEADER_LENGTH)
    return none;

  big_endian = pen_get_u16 (bytes, TRUE) == MAGIC;
  if (pen_get_u16 (bytes, big_endian) != MAGIC)
    return none;

  /* Offsets count from the end of the header, which says how long it is. */
  start = (guint64) pen_get_u32 (bytes + 4, big_endian) + pen_get_u32 (bytes + 16, big_endian);
  length = pen_get_u32 (bytes + 20, big_endian);
  if (start > size || length > size - start)
    return none;
  return (PenBtfStrings){ (const char *) bytes + start, (gsize) length };
}

const char *
pen_btf_strings_get (const PenBtfStrings *self, guint32 offset)
{
  if (offset >= self->length || !memchr (self->start + offset, 0, self->length - offset))
    return "";
  return self->start + offset;
}
