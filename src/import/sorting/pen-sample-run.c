/* pen-sample-run.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-run.h"

#include "pen-key-sort.h"

/* A packed key has an index in these bits, and above it the time since the run's first one. */
#define INDEX_BITS 16
#define INDEX_MASK (((guint64) 1 << INDEX_BITS) - 1)

#define DIGIT_BITS 11
#define DIGIT_VALUES (1u << DIGIT_BITS)
#define DIGITS_MAX ((64 - INDEX_BITS + DIGIT_BITS - 1) / DIGIT_BITS)

/* Returns: FALSE: they are in order */
static gboolean
find_span (const PenSortedSample *samples, guint n, guint64 *first, guint64 *last)
{
  gboolean is_sorted = TRUE;

  *first = *last = n > 0 ? samples[0].time : 0;
  for (guint i = 1; i < n; i++) {
    is_sorted &= samples[i - 1].time <= samples[i].time;
    *first = MIN (*first, samples[i].time);
    *last = MAX (*last, samples[i].time);
  }
  return !is_sorted;
}

static void
count_to_starts (guint32 *counts)
{
  guint32 start = 0;

  for (guint value = 0; value < DIGIT_VALUES; value++) {
    guint32 count = counts[value];

    counts[value] = start;
    start += count;
  }
}

/* @range: no time is more than that after @first, and there is room for it above the index */
static guint32 *
order_by_packed_keys (const PenSortedSample *samples, guint n, guint64 first, guint64 range)
{
  g_autofree guint64 *keys = g_new (guint64, n);
  g_autofree guint64 *other = g_new (guint64, n);
  guint32 *order = g_new (guint32, n);
  guint32 counts[DIGITS_MAX][DIGIT_VALUES] = { 0 };
  guint last_digit = 0;

  while (last_digit + 1 < DIGITS_MAX && range >> (DIGIT_BITS * (last_digit + 1)) != 0)
    last_digit++;

  for (guint i = 0; i < n; i++) {
    guint64 time = samples[i].time - first;

    keys[i] = time << INDEX_BITS | i;
    for (guint digit = 0; digit <= last_digit; digit++)
      counts[digit][time >> (DIGIT_BITS * digit) & (DIGIT_VALUES - 1)]++;
  }

  for (guint digit = 0; digit <= last_digit; digit++) {
    guint shift = INDEX_BITS + DIGIT_BITS * digit;
    guint64 *from = keys;

    count_to_starts (counts[digit]);
    if (digit == last_digit)
      break;
    for (guint i = 0; i < n; i++)
      other[counts[digit][from[i] >> shift & (DIGIT_VALUES - 1)]++] = from[i];
    keys = other;
    other = from;
  }

  for (guint i = 0; i < n; i++)
    order[counts[last_digit][keys[i] >> (INDEX_BITS + DIGIT_BITS * last_digit)]++]
        = (guint32) (keys[i] & INDEX_MASK);
  return order;
}

static guint32 *
order_by_keys (const PenSortedSample *samples, guint n)
{
  g_autofree PenSortKey *keys = g_new (PenSortKey, n);
  guint32 *order = g_new (guint32, n);

  for (guint i = 0; i < n; i++)
    keys[i] = (PenSortKey){ samples[i].time, i };
  pen_key_sort (&keys, n);

  for (guint i = 0; i < n; i++)
    order[i] = keys[i].index;
  return order;
}

guint32 *
pen_sample_run_order (const PenSortedSample *samples, guint n)
{
  guint64 first;
  guint64 last;

  if (!find_span (samples, n, &first, &last))
    return NULL;
  if (n - 1 <= INDEX_MASK && (last - first) >> (64 - INDEX_BITS) == 0)
    return order_by_packed_keys (samples, n, first, last - first);
  return order_by_keys (samples, n);
}

static int
compare_positions (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenSortedSample *samples = user_data;
  guint64 x = samples[*(const guint32 *) a].position;
  guint64 y = samples[*(const guint32 *) b].position;

  return x < y ? -1 : x > y;
}

static guint32 *
order_as_it_is (guint n)
{
  guint32 *order = g_new (guint32, n);

  for (guint i = 0; i < n; i++)
    order[i] = i;
  return order;
}

guint32 *
pen_sample_run_order_mixed (const PenSortedSample *samples, guint n)
{
  guint32 *order = pen_sample_run_order (samples, n);

  if (!order)
    order = order_as_it_is (n);
  for (guint begin = 0, end; begin < n; begin = end) {
    end = begin + 1;
    while (end < n && samples[order[end]].time == samples[order[begin]].time)
      end++;
    if (end - begin > 1)
      g_qsort_with_data (order + begin, (int) (end - begin), sizeof *order, compare_positions,
                         (gpointer) samples);
  }
  return order;
}
