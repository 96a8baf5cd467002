/* pen-cancel-check.c: cancellation checks in long loops
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cancel-check.h"

#include <string.h>

/* Sorted in one go. */
#define PART 16384u

typedef struct {
  PenCancelCheck *check;
  gsize size;
  GCompareDataFunc compare;
  gpointer user_data;
} Sort;

static gboolean
is_in_order (const Sort *sort, const char *base, gsize from, gsize to)
{
  for (gsize i = from + 1; i < to; i++)
    if (sort->compare (base + (i - 1) * sort->size, base + i * sort->size, sort->user_data) > 0)
      return FALSE;
  return TRUE;
}

/* From [@from, @middle) and [@middle, @end) of @in to the same places of @out: equal ones in their
 * order. */
static gboolean
merge (const Sort *sort, const char *in, char *out, gsize from, gsize middle, gsize end)
{
  gsize left = from;
  gsize right = middle;

  /* As a rule most is in order already: records by time, patches by address. */
  if (middle == end || is_in_order (sort, in, middle - 1, middle + 1)) {
    memcpy (out + from * sort->size, in + from * sort->size, (end - from) * sort->size);
    return TRUE;
  }
  for (gsize i = from; i < end; i++) {
    gboolean is_left
        = left < middle
          && (right == end
              || sort->compare (in + left * sort->size, in + right * sort->size, sort->user_data)
                     <= 0);

    memcpy (out + i * sort->size, in + (is_left ? left++ : right++) * sort->size, sort->size);
    if (!pen_cancel_check_step (sort->check))
      return FALSE;
  }
  return TRUE;
}

static gboolean
merge_all (const Sort *sort, char *base, guint n)
{
  g_autofree char *other = g_malloc (n * sort->size);
  char *in = base;
  char *out = other;

  for (gsize width = PART; width < n; width *= 2) {
    char *swap = in;

    for (gsize from = 0; from < n; from += 2 * width) {
      gsize middle = MIN (from + width, n);

      if (!merge (sort, in, out, from, middle, MIN (middle + width, n))) {
        /* All of it is in @in. */
        if (in != base)
          memcpy (base, in, n * sort->size);
        return FALSE;
      }
    }
    in = out;
    out = swap;
  }
  if (in != base)
    memcpy (base, in, n * sort->size);
  return TRUE;
}

/* Whether each part follows the one before. */
static gboolean
joins_in_order (const Sort *sort, const char *base, gsize n)
{
  for (gsize from = PART; from < n; from += PART)
    if (!is_in_order (sort, base, from - 1, from + 1))
      return FALSE;
  return TRUE;
}

gboolean
pen_cancel_check_sort (PenCancelCheck *self, gpointer base, guint n, gsize size,
                       GCompareDataFunc compare, gpointer user_data)
{
  Sort sort = { self, size, compare, user_data };

  for (gsize from = 0; from < n; from += PART) {
    guint n_part = (guint) MIN (PART, n - from);

    if (!is_in_order (&sort, base, from, from + n_part))
      g_qsort_with_data ((char *) base + from * size, (int) n_part, size, compare, user_data);
    /* A part takes about as long as the steps between two looks. */
    self->steps |= PEN_CANCEL_CHECK_STEPS - 1;
    if (!pen_cancel_check_step (self))
      return FALSE;
  }
  return n <= PART || joins_in_order (&sort, base, n) || merge_all (&sort, base, n);
}
