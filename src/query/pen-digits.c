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

gsize
pen_digits_unsigned (char *out, guint64 value)
{
  char digits[PEN_DIGITS_MAX];
  char *first = digits + sizeof digits;

  while (value >= 100) {
    guint pair = value % 100;

    value /= 100;
    first -= 2;
    memcpy (first, pairs + 2 * pair, 2);
  }
  if (value >= 10) {
    first -= 2;
    memcpy (first, pairs + 2 * value, 2);
  } else {
    *--first = '0' + (char) value;
  }

  gsize n = digits + sizeof digits - first;

  memcpy (out, first, n);
  return n;
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
