/* pen-query-compare-table.c: before and after, as rows, and as a listing to read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-compare.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "pen-query-resolve.h"

static const PenColumn columns[] = {
  { "change", PEN_COLUMN_NUMBER },
  { "time", PEN_COLUMN_TIME },
  { "cause", PEN_COLUMN_TEXT },
  { "pokes", PEN_COLUMN_NUMBER },
  { "before", PEN_COLUMN_NUMBER },
  { "before_seconds", PEN_COLUMN_NUMBER },
  { "before_rate", PEN_COLUMN_NUMBER },
  { "before_low", PEN_COLUMN_NUMBER },
  { "before_high", PEN_COLUMN_NUMBER },
  { "before_share", PEN_COLUMN_NUMBER },
  { "after", PEN_COLUMN_NUMBER },
  { "after_seconds", PEN_COLUMN_NUMBER },
  { "after_rate", PEN_COLUMN_NUMBER },
  { "after_low", PEN_COLUMN_NUMBER },
  { "after_high", PEN_COLUMN_NUMBER },
  { "after_share", PEN_COLUMN_NUMBER },
  { "lost_seconds", PEN_COLUMN_NUMBER },
  { "ratio", PEN_COLUMN_NUMBER },
  { "ratio_low", PEN_COLUMN_NUMBER },
  { "ratio_high", PEN_COLUMN_NUMBER },
  { "p", PEN_COLUMN_NUMBER },
  { "verdict", PEN_COLUMN_TEXT },
};

static const PenColumn listing_columns[] = {
  { "change", PEN_COLUMN_NUMBER }, { "time", PEN_COLUMN_TIME },   { "cause", PEN_COLUMN_TEXT },
  { "before", PEN_COLUMN_NUMBER }, { "rate", PEN_COLUMN_NUMBER }, { "95 %", PEN_COLUMN_TEXT },
  { "after", PEN_COLUMN_NUMBER },  { "rate", PEN_COLUMN_NUMBER }, { "95 %", PEN_COLUMN_TEXT },
  { "ratio", PEN_COLUMN_NUMBER },  { "95 %", PEN_COLUMN_TEXT },   { "p", PEN_COLUMN_NUMBER },
  { "verdict", PEN_COLUMN_TEXT },
};

/* ---- csv, json ---- */

/* Empty where there is no such number. */
static void
write_real (PenTableWriter *writer, double value, guint digits)
{
  if (isfinite (value))
    pen_table_writer_real (writer, value, digits);
  else
    pen_table_writer_empty (writer);
}

static void
write_rate (PenTableWriter *writer, const PenRate *rate)
{
  pen_table_writer_unsigned (writer, rate->samples);
  write_real (writer, rate->seconds, 6);
  write_real (writer, rate->rate, 2);
  write_real (writer, rate->low, 2);
  write_real (writer, rate->high, 2);
  write_real (writer, rate->share, 6);
}

static void
write_row (PenTableWriter *writer, const PenComparison *row)
{
  pen_table_writer_unsigned (writer, row->number);
  pen_table_writer_time (writer, row->from);
  pen_table_writer_text (writer, pen_cause_to_string (row->cause));
  pen_table_writer_unsigned (writer, row->n_pokes);
  write_rate (writer, &row->before);
  write_rate (writer, &row->after);
  write_real (writer, row->before.lost + row->after.lost, 6);
  write_real (writer, row->test.ratio, 3);
  write_real (writer, row->test.low, 3);
  write_real (writer, row->test.high, 3);
  write_real (writer, row->test.p, 6);
  pen_table_writer_text (writer, pen_verdict_to_string (row->verdict));
}

/* ---- listing ---- */

static void
write_interval (PenTableWriter *writer, double low, double high, int digits)
{
  g_autofree char *text = NULL;

  if (isfinite (low) && isfinite (high))
    text = g_strdup_printf ("%.*f–%.*f", digits, low, digits, high);
  else if (isfinite (low))
    text = g_strdup_printf ("from %.*f", digits, low);
  pen_table_writer_text (writer, text);
}

static void
write_listed_rate (PenTableWriter *writer, const PenRate *rate)
{
  pen_table_writer_unsigned (writer, rate->samples);
  write_real (writer, rate->rate, 2);
  write_interval (writer, rate->low, rate->high, 2);
}

static void
write_listed_row (PenTableWriter *writer, const PenComparison *row)
{
  gboolean is_different = row->verdict == PEN_VERDICT_MORE || row->verdict == PEN_VERDICT_LESS;

  pen_table_writer_style (writer, is_different ? PEN_STYLE_MARKED : PEN_STYLE_PLAIN);
  pen_table_writer_unsigned (writer, row->number);
  pen_table_writer_time (writer, row->from);
  pen_table_writer_text (writer, pen_cause_to_string (row->cause));
  write_listed_rate (writer, &row->before);
  write_listed_rate (writer, &row->after);
  write_real (writer, row->test.ratio, 3);
  write_interval (writer, row->test.low, row->test.high, 3);
  write_real (writer, row->test.p, 6);
  pen_table_writer_text (writer, pen_verdict_to_string (row->verdict));
}

/* ---- what is asked for ---- */

static gboolean
is_one_place (const char *target)
{
  return strchr (target, '+') || g_str_has_prefix (target, "0x");
}

static PenComparisons *
compare_target (PenQuery *self, const PenFilter *filter, const char *target, GError **error)
{
  g_autoptr (GArray) found = NULL;
  guint64 address;

  if (is_one_place (target))
    return pen_query_resolve (self, target, &address, error)
               ? pen_query_compare_address (self, filter, address, error)
               : NULL;
  found = pen_query_find_functions (self, target, error);
  /* The function with most samples where several have that name. */
  return found ? pen_query_compare_function (self, filter, g_array_index (found, guint32, 0), error)
               : NULL;
}

gboolean
pen_query_write_comparison (PenQuery *self, const PenFilter *filter, const char *target,
                            guint change, PenTableWriter *writer, GError **error)
{
  g_autoptr (PenComparisons) compared = compare_target (self, filter, target, error);
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;

  if (!compared)
    return FALSE;
  if (compared->rows->len == 0 || change > compared->rows->len) {
    if (compared->rows->len == 0)
      g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                   _ ("%s was not patched in this recording"), target);
    else
      g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                   _ ("%s was patched %u times; there is no change %u"), target,
                   compared->rows->len, change);
    return FALSE;
  }
  if (is_listing)
    pen_table_writer_set_columns (writer, listing_columns, G_N_ELEMENTS (listing_columns));
  else
    pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < compared->rows->len; i++) {
    const PenComparison *row = &g_array_index (compared->rows, PenComparison, i);

    if (change != 0 && row->number != change)
      continue;
    if (is_listing)
      write_listed_row (writer, row);
    else
      write_row (writer, row);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
