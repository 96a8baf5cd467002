/* pen-query-compare-table.c: before and after, as rows, and as a listing to read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-compare.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-comparison-cells.h"
#include "pen-query-cells.h"
#include "pen-query-resolve.h"
#include "pen-query-verdict.h"

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

static void
write_rate (PenTableWriter *writer, const PenRate *rate)
{
  pen_table_writer_unsigned (writer, rate->samples);
  pen_query_write_real_or_empty (writer, rate->seconds, 6);
  pen_query_write_real_or_empty (writer, rate->rate, 2);
  pen_query_write_real_or_empty (writer, rate->low, 2);
  pen_query_write_real_or_empty (writer, rate->high, 2);
  pen_query_write_real_or_empty (writer, rate->share, 6);
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
  pen_query_write_real_or_empty (writer, row->before.lost + row->after.lost, 6);
  pen_query_write_real_or_empty (writer, row->test.ratio, 3);
  pen_query_write_real_or_empty (writer, row->test.low, 3);
  pen_query_write_real_or_empty (writer, row->test.high, 3);
  pen_query_write_real_or_empty (writer, row->test.p, 6);
  pen_table_writer_text (writer, pen_verdict_to_string (row->verdict));
}

/* ---- listing ---- */

static void
write_listed_rate (PenTableWriter *writer, const PenRate *rate)
{
  pen_table_writer_unsigned (writer, rate->samples);
  pen_query_write_real_or_empty (writer, rate->rate, 2);
  pen_comparison_write_interval (writer, rate->low, rate->high, 2);
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
  pen_query_write_real_or_empty (writer, row->test.ratio, 3);
  pen_comparison_write_interval (writer, row->test.low, row->test.high, 3);
  pen_query_write_real_or_empty (writer, row->test.p, 6);
  pen_table_writer_text (writer, pen_verdict_to_string (row->verdict));
}

/* All changes of a cause together, under the same heads: before is without it, after is with it. */
static void
write_listed_cause (PenTableWriter *writer, const PenVerdictCause *cause)
{
  const PenTwoPhases *two = &cause->two;
  gboolean is_different = two->rate == PEN_VERDICT_MORE || two->rate == PEN_VERDICT_LESS;

  pen_table_writer_style (writer, is_different ? PEN_STYLE_MARKED : PEN_STYLE_PLAIN);
  pen_table_writer_text (writer, _ ("all"));
  pen_table_writer_empty (writer);
  pen_table_writer_text (writer, pen_cause_to_string (cause->cause));
  write_listed_rate (writer, &two->phases[PEN_TEXT_OFF].rate);
  write_listed_rate (writer, &two->phases[PEN_TEXT_ON].rate);
  pen_query_write_real_or_empty (writer, two->rate_test.ratio, 3);
  pen_comparison_write_interval (writer, two->rate_test.low, two->rate_test.high, 3);
  pen_query_write_real_or_empty (writer, two->rate_test.p, 6);
  pen_table_writer_text (writer, pen_verdict_to_string (two->rate));
}

/* ---- what is asked for ---- */

static gboolean
is_one_place (const char *target)
{
  return strchr (target, '+') || g_str_has_prefix (target, "0x");
}

/* @address: G_MAXUINT64: of @function */
typedef struct {
  guint64 address;
  guint32 function;
} Target;

static gboolean
find_target (PenQuery *self, const char *name, Target *target, GError **error)
{
  g_autoptr (GArray) found = NULL;

  *target = (Target){ G_MAXUINT64, 0 };
  if (is_one_place (name))
    return pen_query_resolve (self, name, &target->address, error);
  found = pen_query_find_functions (self, name, error);
  /* The function with most samples where several have that name. */
  if (found)
    target->function = g_array_index (found, guint32, 0);
  return found != NULL;
}

static PenComparisons *
compare_target (PenQuery *self, const PenFilter *filter, const Target *target, GError **error)
{
  return target->address != G_MAXUINT64
             ? pen_query_compare_address (self, filter, target->address, error)
             : pen_query_compare_function (self, filter, target->function, error);
}

static PenVerdictReport *
judge_target (PenQuery *self, const PenFilter *filter, const Target *target, GError **error)
{
  return target->address != G_MAXUINT64
             ? pen_query_verdict_of_address (self, filter, target->address, error)
             : pen_query_verdict_of_function (self, filter, target->function, error);
}

static gboolean
write_pooled (PenQuery *self, const PenFilter *filter, const Target *target, PenTableWriter *writer,
              GError **error)
{
  g_autoptr (PenVerdictReport) report = judge_target (self, filter, target, error);
  g_autofree char *text = report ? pen_verdict_report_describe (report) : NULL;

  if (!report)
    return FALSE;
  pen_table_writer_heading (writer, text);
  for (guint i = 0; i < report->causes->len; i++) {
    write_listed_cause (writer, report->causes->pdata[i]);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  pen_table_writer_section (writer, _ ("Change by change"));
  return TRUE;
}

static gboolean
fail_unpatched (const char *target, GError **error)
{
  g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
               _ ("%s was not patched in this recording"), target);
  return FALSE;
}

gboolean
pen_query_write_phases (PenQuery *self, const PenFilter *filter, const char *target,
                        PenTableWriter *writer, GError **error)
{
  g_autoptr (PenVerdictReport) report = NULL;
  Target place;

  if (!find_target (self, target, &place, error))
    return FALSE;
  report = judge_target (self, filter, &place, error);
  if (!report)
    return FALSE;
  return report->causes->len > 0 ? pen_verdict_report_write (report, writer, error)
                                 : fail_unpatched (target, error);
}

gboolean
pen_query_write_comparison (PenQuery *self, const PenFilter *filter, const char *target,
                            guint change, PenTableWriter *writer, GError **error)
{
  g_autoptr (PenComparisons) compared = NULL;
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;
  Target place;

  if (!find_target (self, target, &place, error))
    return FALSE;
  compared = compare_target (self, filter, &place, error);
  if (!compared)
    return FALSE;
  if (compared->rows->len == 0)
    return fail_unpatched (target, error);
  if (change > compared->rows->len) {
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                 _ ("%s was patched %u times; there is no change %u"), target, compared->rows->len,
                 change);
    return FALSE;
  }
  if (is_listing)
    pen_table_writer_set_columns (writer, listing_columns, G_N_ELEMENTS (listing_columns));
  else
    pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  if (is_listing && change == 0 && !write_pooled (self, filter, &place, writer, error))
    return FALSE;
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
