/* pen-bits.h: numbers of a few bits each, one after the other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How far beyond their end bits are read and written. */
#define PEN_BITS_BEYOND 9

static inline guint
pen_bits_get_width (guint64 number)
{
  return number == 0 ? 0 : 64 - (guint) __builtin_clzll (number);
}

static inline gsize
pen_bits_get_length (guint n, guint width)
{
  return ((gsize) n * width + 7) / 8;
}

/* Writes what each of @numbers is more than @base, modulo 2^64: bits i × @width and so on, the
 * lowest first, from the lowest bit of the first byte on. */
void pen_bits_put (guint8 *out, const guint64 *numbers, guint n, guint64 base, guint width);

/* The reverse. @width: 64 at most */
void pen_bits_get (const guint8 *in, guint64 *numbers, guint n, guint64 base, guint width);

G_END_DECLS
