/* pen-bits.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bits.h"

#include <string.h>

/* With more, a number that does not begin with a byte may lie in nine of them. */
#define MAX_WIDTH_IN_EIGHT_BYTES 57

static inline void
put_le64 (guint8 *out, guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (out, &value, 8);
}

static inline guint64
get_le64 (const guint8 *in)
{
  guint64 value;

  memcpy (&value, in, 8);
  return GUINT64_FROM_LE (value);
}

void
pen_bits_put (guint8 *out, const guint64 *numbers, guint n, guint64 base, guint width)
{
  guint64 gathered = 0;
  guint filled = 0;

  for (guint i = 0; i < n; i++) {
    guint64 number = numbers[i] - base;

    gathered |= number << filled;
    filled += width;
    if (filled < 64)
      continue;

    put_le64 (out, gathered);
    out += 8;
    filled -= 64;
    gathered = filled > 0 ? number >> (width - filled) : 0;
  }

  put_le64 (out, gathered);
}

static void
get_wide (const guint8 *in, guint64 *numbers, guint n, guint64 base, guint width)
{
  guint64 mask = width == 64 ? G_MAXUINT64 : ((guint64) 1 << width) - 1;

  for (guint i = 0; i < n; i++) {
    gsize bit = (gsize) i * width;
    const guint8 *at = in + bit / 8;
    guint64 number = get_le64 (at) >> bit % 8;

    if (bit % 8 != 0)
      number |= (guint64) at[8] << (64 - bit % 8);
    numbers[i] = (number & mask) + base;
  }
}

void
pen_bits_get (const guint8 *in, guint64 *numbers, guint n, guint64 base, guint width)
{
  guint64 mask = ((guint64) 1 << (width & 63)) - 1;
  gsize bit = 0;

  if (width > MAX_WIDTH_IN_EIGHT_BYTES) {
    get_wide (in, numbers, n, base, width);
    return;
  }

  for (guint i = 0; i < n; i++, bit += width)
    numbers[i] = ((get_le64 (in + bit / 8) >> bit % 8) & mask) + base;
}
