/* pen-comparison-cells.c: rates, ratios and their intervals as cells
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-comparison-cells.h"

#include <math.h>

void
pen_comparison_write_interval (PenTableWriter *writer, double low, double high, int digits)
{
  g_autofree char *text = NULL;

  if (isfinite (low) && isfinite (high))
    text = g_strdup_printf ("%.*f–%.*f", digits, low, digits, high);
  else if (isfinite (low))
    text = g_strdup_printf ("from %.*f", digits, low);
  pen_table_writer_text (writer, text);
}
