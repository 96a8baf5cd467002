/* pen-amount-words.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-amount-words.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"

static gboolean
is_time (PenAmount amount)
{
  return amount.population == PEN_POPULATION_WAITS;
}

/* Waits of which none has a known end. */
static gboolean
is_unknown (PenAmount amount)
{
  return is_time (amount) && amount.period == 0 && amount.n > 0;
}

char *
pen_amount_format (PenAmount amount)
{
  if (amount.n == 0)
    return g_strdup ("0");
  if (is_unknown (amount))
    return g_strdup (C_ ("time off CPU", "unknown"));
  return is_time (amount) ? pen_format_duration (amount.period) : pen_format_count (amount.n);
}

char *
pen_amount_phrase (PenAmount amount, gboolean aloud)
{
  g_autofree char *time = NULL;

  if (!is_time (amount))
    return pen_amount_phrase_number (amount, aloud);
  if (is_unknown (amount))
    return g_strdup (_ ("unknown time off CPU"));
  if (amount.n == 0)
    return g_strdup (_ ("no time off CPU"));
  time = pen_format_duration (amount.period);
  return g_strdup_printf (_ ("%s off CPU"), time);
}

char *
pen_amount_phrase_number (PenAmount amount, gboolean aloud)
{
  g_autofree char *count
      = aloud ? g_strdup_printf ("%" G_GUINT64_FORMAT, amount.n) : pen_format_count (amount.n);

  return g_strdup_printf (is_time (amount) ? ngettext ("%s wait", "%s waits", amount.n)
                                           : ngettext ("%s sample", "%s samples", amount.n),
                          count);
}
