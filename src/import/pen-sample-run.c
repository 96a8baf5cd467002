/* pen-sample-run.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-run.h"

#define DIGIT_BITS 11
#define DIGIT_VALUES (1u << DIGIT_BITS)
#define DIGITS ((64 + DIGIT_BITS - 1) / DIGIT_BITS)

/* A sample's time since the earliest, and where it stands in the run. */
typedef struct {
  guint64 time;
  guint32 index;
} Key;

static inline guint
get_digit (guint64 time, guint digit)
{
  return (guint) (time >> (DIGIT_BITS * digit)) & (DIGIT_VALUES - 1);
}

/* One pass of a radix sort: stable, so that samples of one time stay in stream order. */
static void
sort_by_digit (const Key *from, Key *to, guint n, guint digit, guint32 *counts)
{
  guint32 start = 0;

  for (guint value = 0; value < DIGIT_VALUES; value++) {
    guint32 count = counts[value];

    counts[value] = start;
    start += count;
  }

  for (guint i = 0; i < n; i++)
    to[counts[get_digit (from[i].time, digit)]++] = from[i];
}

gboolean
pen_sample_run_is_sorted (const PenSortedSample *samples, guint n)
{
  for (guint i = 1; i < n; i++)
    if (samples[i - 1].time > samples[i].time)
      return FALSE;

  return TRUE;
}

gboolean
pen_sample_run_sort (const PenSortedSample *samples, PenSortedSample *spare, guint n)
{
  g_autofree guint32 *counts = NULL;
  g_autofree Key *keys = NULL;
  g_autofree Key *other = NULL;
  guint64 first = G_MAXUINT64;
  guint64 last = 0;
  guint digits = 0;

  if (pen_sample_run_is_sorted (samples, n))
    return FALSE;

  for (guint i = 0; i < n; i++) {
    first = MIN (first, samples[i].time);
    last = MAX (last, samples[i].time);
  }
  while (digits < DIGITS && (last - first) >> (DIGIT_BITS * digits) != 0)
    digits++;

  counts = g_new0 (guint32, digits * DIGIT_VALUES);
  keys = g_new (Key, n);
  other = g_new (Key, n);
  for (guint i = 0; i < n; i++) {
    keys[i] = (Key){ samples[i].time - first, i };
    for (guint digit = 0; digit < digits; digit++)
      counts[digit * DIGIT_VALUES + get_digit (keys[i].time, digit)]++;
  }

  for (guint digit = 0; digit < digits; digit++) {
    Key *sorted = other;

    sort_by_digit (keys, other, n, digit, counts + digit * DIGIT_VALUES);
    other = keys;
    keys = sorted;
  }

  for (guint i = 0; i < n; i++)
    spare[i] = samples[keys[i].index];

  return TRUE;
}
