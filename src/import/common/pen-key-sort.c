/* pen-key-sort.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-key-sort.h"

#define DIGIT_BITS 11
#define DIGIT_VALUES (1u << DIGIT_BITS)
#define DIGITS ((64 + DIGIT_BITS - 1) / DIGIT_BITS)

static inline guint
get_digit (guint64 value, guint digit)
{
  return (guint) (value >> (DIGIT_BITS * digit)) & (DIGIT_VALUES - 1);
}

static void
sort_by_digit (const PenSortKey *from, PenSortKey *to, guint n, guint64 first, guint digit,
               guint32 *counts)
{
  guint32 start = 0;

  for (guint value = 0; value < DIGIT_VALUES; value++) {
    guint32 count = counts[value];

    counts[value] = start;
    start += count;
  }

  for (guint i = 0; i < n; i++)
    to[counts[get_digit (from[i].value - first, digit)]++] = from[i];
}

void
pen_key_sort (PenSortKey **keys, guint n)
{
  PenSortKey *from = *keys;
  g_autofree PenSortKey *to = NULL;
  g_autofree guint32 *counts = NULL;
  guint64 first = G_MAXUINT64;
  guint64 last = 0;
  guint digits = 0;

  for (guint i = 0; i < n; i++) {
    first = MIN (first, from[i].value);
    last = MAX (last, from[i].value);
  }
  /* Values lie close together: their differences have few digits. */
  while (n > 1 && digits < DIGITS && (last - first) >> (DIGIT_BITS * digits) != 0)
    digits++;
  if (digits == 0)
    return;

  to = g_new (PenSortKey, n);
  counts = g_new0 (guint32, digits * DIGIT_VALUES);
  for (guint i = 0; i < n; i++)
    for (guint digit = 0; digit < digits; digit++)
      counts[digit * DIGIT_VALUES + get_digit (from[i].value - first, digit)]++;

  for (guint digit = 0; digit < digits; digit++) {
    PenSortKey *sorted = to;

    sort_by_digit (from, to, n, first, digit, counts + digit * DIGIT_VALUES);
    to = from;
    from = sorted;
  }

  *keys = from;
}
