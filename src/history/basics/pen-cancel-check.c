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

/* From [@from, @middle) and [@middle, @end) of @in to the same places of @out: equal ones in their
 * order. */
static gboolean
merge (const Sort *sort, const char *in, char *out, gsize from, gsize middle, gsize end)
{
  gsize left = from;
  gsize right = middle;

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

gboolean
pen_cancel_check_sort (PenCancelCheck *self, gpointer base, guint n, gsize size,
                       GCompareDataFunc compare, gpointer user_data)
{
  Sort sort = { self, size, compare, user_data };

  for (gsize from = 0; from < n; from += PART) {
    g_qsort_with_data ((char *) base + from * size, (int) MIN (PART, n - from), size, compare,
                       user_data);
    /* A part takes about as long as the steps between two looks. */
    self->steps |= PEN_CANCEL_CHECK_STEPS - 1;
    if (!pen_cancel_check_step (self))
      return FALSE;
  }
  return n <= PART || merge_all (&sort, base, n);
}
