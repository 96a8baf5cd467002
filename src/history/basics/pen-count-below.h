/* pen-count-below.h: a place in a sorted array
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How many of the @n @numbers, which ascend, are @number or less. Addresses of samples come in no
 * order, so that a branch per step would be guessed wrong half of the time: there is none. */
static inline guint32
pen_count_below (const guint64 *numbers, guint32 n, guint64 number)
{
  const guint64 *from = numbers;

  /* Most of the kernel lies below all that comes and goes. */
  if (n == 0 || number < numbers[0])
    return 0;
  if (numbers[n - 1] <= number)
    return n;

  while (n > 1) {
    guint32 half = n / 2;

    from += (from[half] <= number) * half;
    n -= half;
  }
  return (guint32) (from - numbers) + 1;
}

G_END_DECLS
