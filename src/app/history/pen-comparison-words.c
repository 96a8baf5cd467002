/* pen-comparison-words.c: before and after a patch, as a person reads it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-comparison-words.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Two significant digits: "1 250", "12", "1.2", "0.12" */
static char *
format_number (double value)
{
  int digits = value >= 10 ? 0 : value >= 1 ? 1 : 2;

  return g_strdup_printf ("%.*f", digits, value);
}

static char *
format_rate (const PenRate *rate)
{
  g_autofree char *middle = format_number (rate->rate);
  g_autofree char *low = format_number (rate->low);
  g_autofree char *high = format_number (rate->high);

  return g_strdup_printf (_ ("%s/s (%s–%s)"), middle, low, high);
}

static char *
format_verdict (const PenComparison *comparison)
{
  double ratio = comparison->test.ratio;
  g_autofree char *times = NULL;

  if (comparison->verdict == PEN_VERDICT_ALIKE)
    return g_strdup (_ ("no significant difference"));
  if (!isfinite (ratio) || ratio <= 0)
    return g_strdup (comparison->verdict == PEN_VERDICT_MORE ? _ ("only after")
                                                             : _ ("only before"));
  times = format_number (ratio > 1 ? ratio : 1 / ratio);
  return g_strdup_printf (ratio > 1 ? _ ("%s times as often") : _ ("%s times as rarely"), times);
}

char *
pen_format_comparison (const PenComparison *comparison)
{
  g_autofree char *before = format_rate (&comparison->before);
  g_autofree char *after = format_rate (&comparison->after);
  g_autofree char *verdict = format_verdict (comparison);

  return g_strdup_printf ("%s → %s: %s", before, after, verdict);
}

static char *
format_side (const PenRate *rate, gboolean interval)
{
  g_autofree char *number = NULL;

  if (rate->seconds <= 0)
    return g_strdup (_ ("nothing recorded"));
  if (interval)
    return format_rate (rate);
  number = format_number (rate->rate);
  return g_strdup_printf (_ ("%s/s"), number);
}

char *
pen_format_comparison_sentence (const PenComparison *comparison, gboolean intervals)
{
  static const char *const verdicts[PEN_VERDICTS] = {
    [PEN_VERDICT_UNKNOWN] = N_ ("cannot be compared"),
    [PEN_VERDICT_ALIKE] = N_ ("no significant difference"),
    [PEN_VERDICT_MORE] = N_ ("more (95 %)"),
    [PEN_VERDICT_LESS] = N_ ("fewer (95 %)"),
  };
  g_autofree char *before = format_side (&comparison->before, intervals);
  g_autofree char *after = format_side (&comparison->after, intervals);

  return g_strdup_printf (_ ("%s before, %s after: %s"), before, after,
                          _ (verdicts[comparison->verdict]));
}
