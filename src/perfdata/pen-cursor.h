/* pen-cursor.h: taking values off a stretch of bytes, never past its end
 *
 * After the first value that does not fit, every value is 0 and @failed stays set: a parser may
 * check once, at its end, as long as it uses no count before it has checked that count.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-byte-order.h"

G_BEGIN_DECLS

typedef struct {
  const guint8 *data;
  gsize length;
  gsize position;
  gboolean big_endian;
  gboolean failed;
} PenCursor;

static inline PenCursor
pen_cursor_init (const guint8 *data, gsize length, gboolean big_endian)
{
  return (PenCursor){ .data = data, .length = length, .big_endian = big_endian };
}

static inline gsize
pen_cursor_left (const PenCursor *self)
{
  return self->failed ? 0 : self->length - self->position;
}

/* The next @size bytes, or NULL if there are fewer. */
static inline const guint8 *
pen_cursor_take (PenCursor *self, guint64 size)
{
  const guint8 *bytes;

  if (size > pen_cursor_left (self)) {
    self->failed = TRUE;
    return NULL;
  }
  bytes = self->data + self->position;
  self->position += (gsize) size;
  return bytes;
}

/* @count elements of @element_size bytes, with no overflow in the product. */
static inline const guint8 *
pen_cursor_take_array (PenCursor *self, guint64 count, gsize element_size)
{
  if (count > pen_cursor_left (self) / element_size) {
    self->failed = TRUE;
    return NULL;
  }
  return pen_cursor_take (self, count * element_size);
}

static inline guint32
pen_cursor_u32 (PenCursor *self)
{
  const guint8 *bytes = pen_cursor_take (self, 4);

  return bytes ? pen_get_u32 (bytes, self->big_endian) : 0;
}

static inline guint64
pen_cursor_u64 (PenCursor *self)
{
  const guint8 *bytes = pen_cursor_take (self, 8);

  return bytes ? pen_get_u64 (bytes, self->big_endian) : 0;
}

G_END_DECLS
