/* pen-ratio-words.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-ratio-words.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* What differs from 1 by less is printed as 1. */
#define DIGITS_MAX 5

char *
pen_ratio_format_fixed (double value, int digits)
{
  g_autofree char *one = g_strdup_printf ("%.*f", digits, 1.0);
  g_autofree char *text = g_strdup_printf ("%.*f", digits, value);
  double distance = fabs (value - 1);

  return distance > 0 && digits < DIGITS_MAX && g_str_equal (text, one)
             ? pen_ratio_format_fixed (value, digits + 1)
             : g_steal_pointer (&text);
}

char *
pen_ratio_format (double value)
{
  return pen_ratio_format_fixed (value, value >= 9.95 ? 0 : value >= 0.995 ? 1 : 2);
}

char *
pen_ratio_format_interval (const PenRateTest *test)
{
  g_autofree char *low = pen_ratio_format (test->low);
  g_autofree char *high = isfinite (test->high) ? pen_ratio_format (test->high) : NULL;

  return high ? g_strdup_printf ("%s–%s", low, high) : g_strdup_printf (_ ("at least %s"), low);
}
