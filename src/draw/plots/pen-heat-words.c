/* pen-heat-words.c: cells of a heat map, in words
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-heat-map.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"
#include "pen-palette.h"

/* A screen reader reads groups of digits as numbers of their own. */
static char *
format_count (guint64 n, gboolean aloud)
{
  return aloud ? g_strdup_printf ("%" G_GUINT64_FORMAT, n) : pen_format_count (n);
}

/* "12 samples", or "3.2 ms off CPU" */
static char *
format_amount (const PenHeat *heat, guint64 sum, gboolean aloud)
{
  g_autofree char *amount = heat->population == PEN_POPULATION_WAITS ? pen_format_duration (sum)
                                                                     : format_count (sum, aloud);

  return heat->population == PEN_POPULATION_WAITS
             ? g_strdup_printf (_ ("%s off CPU"), amount)
             : g_strdup_printf (ngettext ("%s sample", "%s samples", sum), amount);
}

static int
compare_cells (const PenHeatTick *tick, guint column, guint row)
{
  if (tick->column != column)
    return tick->column < column ? -1 : 1;
  return tick->row < row ? -1 : tick->row > row;
}

/* The first tick at or after a cell. */
static guint
find_tick (const GArray *ticks, guint column, guint row)
{
  guint first = 0, end = ticks->len;

  while (first < end) {
    guint middle = first + (end - first) / 2;

    if (compare_cells (&g_array_index (ticks, PenHeatTick, middle), column, row) < 0)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

/* "2 patches: Ftrace", "5 patches: 3 Ftrace, 2 Static key" */
static void
append_patches (GString *text, const PenHeat *heat, PenHeatCells cells, const char *separator,
                gboolean aloud)
{
  guint by_cause[PEN_CAUSES] = { 0 };
  guint n = 0, n_causes = 0;
  const char *between = ": ";
  g_autofree char *all = NULL;

  for (guint i = find_tick (heat->causes, cells.first / heat->n_rows, cells.first % heat->n_rows);
       i < heat->causes->len; i++) {
    const PenHeatTick *tick = &g_array_index (heat->causes, PenHeatTick, i);

    if (tick->column * heat->n_rows + tick->row > cells.last)
      break;
    n_causes += by_cause[tick->cause] == 0;
    by_cause[tick->cause] += tick->n;
    n += tick->n;
  }
  if (n == 0)
    return;
  all = format_count (n, aloud);
  g_string_append (text, separator);
  g_string_append_printf (text, ngettext ("%s patch", "%s patches", n), all);
  for (guint cause = 0; cause < PEN_CAUSES; cause++) {
    g_autofree char *count = format_count (by_cause[cause], aloud);

    if (by_cause[cause] == 0)
      continue;
    g_string_append_printf (text, "%s%s%s%s", between, n_causes > 1 ? count : "",
                            n_causes > 1 ? " " : "", pen_palette_cause_title (cause));
    between = ", ";
  }
}

static char *
describe (const PenHeat *heat, const PenClock *clock, PenHeatCells cells, const char *separator,
          gboolean aloud)
{
  PenSpan span = pen_heat_map_get_cells_span (heat, cells);
  guint64 resolution = MAX (heat->column / heat->n_rows, 1);
  g_autofree char *from = pen_clock_format (clock, span.from, resolution);
  g_autofree char *to = pen_clock_format_long (clock, span.to, resolution);
  guint64 sum = pen_heat_map_count (heat, cells);
  g_autofree char *amount = format_amount (heat, sum, aloud);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s–%s%s", from, to, separator);
  g_string_append (text, amount);
  append_patches (text, heat, cells, separator, aloud);
  return g_string_free (text, FALSE);
}

char *
pen_heat_map_describe (const PenHeat *heat, const PenClock *clock, PenHeatCells cells)
{
  return describe (heat, clock, cells, "\n", FALSE);
}

char *
pen_heat_map_speak (const PenHeat *heat, const PenClock *clock, PenHeatCells cells)
{
  return describe (heat, clock, cells, ", ", TRUE);
}

char *
pen_heat_map_describe_scale (const PenHeat *heat)
{
  g_autofree char *column = pen_format_duration (heat->column);
  g_autofree char *row = pen_format_duration (MAX (heat->column / heat->n_rows, 1));
  gboolean counts_time = heat->population == PEN_POPULATION_WAITS;
  g_autofree char *most
      = counts_time ? pen_format_duration (heat->max) : pen_format_count (heat->max);

  if (counts_time && heat->max == 0)
    return g_strdup_printf (_ ("%s a column, %s a row; no time off CPU"), column, row);
  if (counts_time)
    return g_strdup_printf (_ ("%s a column, %s a row; darkest: %s off CPU"), column, row, most);
  if (heat->max == 0)
    /* Translators: lengths of time: "1 s a column, 20 ms a row" */
    return g_strdup_printf (_ ("%s a column, %s a row; no samples"), column, row);
  return g_strdup_printf (ngettext ("%s a column, %s a row; darkest: %s sample",
                                    "%s a column, %s a row; darkest: %s samples", heat->max),
                          column, row, most);
}
