/* pen-digits.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-digits.h"

#include <string.h>

static const char pairs[] = "0001020304050607080910111213141516171819"
                            "2021222324252627282930313233343536373839"
                            "4041424344454647484950515253545556575859"
                            "6061626364656667686970717273747576777879"
                            "8081828384858687888990919293949596979899";

static inline void
put_pair (char *out, guint32 value)
{
  memcpy (out, pairs + 2 * value, 2);
}

/* Eight digits at a time: 32 bits are divided faster than 64. */
static inline void
put_eight (char *out, guint32 value)
{
  guint32 high = value / 10000;
  guint32 low = value % 10000;

  put_pair (out, high / 100);
  put_pair (out + 2, high % 100);
  put_pair (out + 4, low / 100);
  put_pair (out + 6, low % 100);
}

#define EIGHT 100000000u

/* Less than EIGHT, without leading zeroes. */
static inline gsize
put_first (char *out, guint32 value)
{
  gsize n = 1;

  for (guint32 limit = 10; value >= limit && n < 8; limit *= 10)
    n++;

  char *end = out + n;

  while (value >= 100) {
    end -= 2;
    put_pair (end, value % 100);
    value /= 100;
  }
  if (value >= 10)
    put_pair (out, value);
  else
    *out = '0' + (char) value;
  return n;
}

gsize
pen_digits_unsigned (char *out, guint64 value)
{
  guint64 high = value / EIGHT;
  gsize n;

  if (high == 0)
    return put_first (out, (guint32) value);
  if (high < EIGHT) {
    n = put_first (out, (guint32) high);
  } else {
    n = put_first (out, (guint32) (high / EIGHT));
    put_eight (out + n, (guint32) (high % EIGHT));
    n += 8;
  }
  put_eight (out + n, (guint32) (value % EIGHT));
  return n + 8;
}

gsize
pen_digits_signed (char *out, gint64 value)
{
  if (value >= 0)
    return pen_digits_unsigned (out, value);

  *out = '-';
  return 1 + pen_digits_unsigned (out + 1, -(guint64) value);
}

gsize
pen_digits_hex (char *out, guint64 value)
{
  guint n = value == 0 ? 1 : (67 - __builtin_clzll (value)) / 4;

  out[0] = '0';
  out[1] = 'x';
  for (guint i = n; i > 0; i--) {
    out[1 + i] = "0123456789abcdef"[value & 15];
    value >>= 4;
  }
  return 2 + n;
}

gsize
pen_digits_seconds (char *out, guint64 ns)
{
  gsize n = pen_digits_unsigned (out, ns / 1000000000u);
  guint32 rest = ns % 1000000000u;

  out[n] = '.';
  for (guint i = 9; i > 0; i--) {
    out[n + i] = '0' + (char) (rest % 10);
    rest /= 10;
  }
  return n + 10;
}
