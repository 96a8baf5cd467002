/* pen-query-verdict-table.c: the phases of a verdict, as rows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-verdict.h"

#include "pen-comparison-cells.h"
#include "pen-query-cells.h"

static const PenColumn columns[] = {
  { "cause", PEN_COLUMN_TEXT },        { "key", PEN_COLUMN_TEXT },
  { "address", PEN_COLUMN_HEX },       { "target", PEN_COLUMN_TEXT },
  { "comm", PEN_COLUMN_TEXT },         { "phase", PEN_COLUMN_TEXT },
  { "stretches", PEN_COLUMN_NUMBER },  { "samples", PEN_COLUMN_NUMBER },
  { "seconds", PEN_COLUMN_NUMBER },    { "lost_seconds", PEN_COLUMN_NUMBER },
  { "rate", PEN_COLUMN_NUMBER },       { "low", PEN_COLUMN_NUMBER },
  { "high", PEN_COLUMN_NUMBER },       { "share", PEN_COLUMN_NUMBER },
  { "period", PEN_COLUMN_NUMBER },     { "uneven", PEN_COLUMN_TEXT },
  { "ratio", PEN_COLUMN_NUMBER },      { "ratio_low", PEN_COLUMN_NUMBER },
  { "ratio_high", PEN_COLUMN_NUMBER }, { "p", PEN_COLUMN_NUMBER },
  { "verdict", PEN_COLUMN_TEXT },      { "share_ratio", PEN_COLUMN_NUMBER },
  { "share_low", PEN_COLUMN_NUMBER },  { "share_high", PEN_COLUMN_NUMBER },
  { "share_p", PEN_COLUMN_NUMBER },    { "share_verdict", PEN_COLUMN_TEXT },
  { "differs", PEN_COLUMN_TEXT },
};

static const PenColumn listing_columns[] = {
  { "cause", PEN_COLUMN_TEXT },      { "comm", PEN_COLUMN_TEXT },
  { "phase", PEN_COLUMN_TEXT },      { "stretches", PEN_COLUMN_NUMBER },
  { "samples", PEN_COLUMN_NUMBER },  { "seconds", PEN_COLUMN_NUMBER },
  { "rate", PEN_COLUMN_NUMBER },     { "95 %", PEN_COLUMN_TEXT },
  { "share", PEN_COLUMN_NUMBER },    { "ratio", PEN_COLUMN_NUMBER },
  { "95 %", PEN_COLUMN_TEXT },       { "verdict", PEN_COLUMN_TEXT },
  { "of share", PEN_COLUMN_NUMBER }, { "95 %", PEN_COLUMN_TEXT },
  { "verdict", PEN_COLUMN_TEXT },
};

/* A row of the table: a phase, with what it belongs to. @task: NULL: all of them */
typedef struct {
  const PenVerdictCause *cause;
  const PenVerdictTask *task;
  const PenTwoPhases *two;
  PenTextState state;
} Row;

/* The ratio stands with the phase that it is about. */
static gboolean
has_tests (const Row *row)
{
  return row->state == PEN_TEXT_ON;
}

static void
write_test (PenTableWriter *writer, const Row *row, const PenRateTest *test, PenVerdict verdict)
{
  if (has_tests (row)) {
    pen_query_write_real_or_empty (writer, test->ratio, 3);
    pen_query_write_real_or_empty (writer, test->low, 3);
    pen_query_write_real_or_empty (writer, test->high, 3);
    pen_query_write_real_or_empty (writer, test->p, 6);
    pen_table_writer_text (writer, pen_verdict_to_string (verdict));
    return;
  }
  for (guint i = 0; i < 5; i++)
    pen_table_writer_empty (writer);
}

static void
write_row (PenTableWriter *writer, const Row *row)
{
  const PenPhase *phase = &row->two->phases[row->state];

  pen_table_writer_text (writer, pen_cause_to_string (row->cause->cause));
  pen_table_writer_text (writer, row->cause->key);
  pen_table_writer_hex (writer, row->cause->address);
  pen_table_writer_text (writer, row->cause->target);
  pen_table_writer_text (writer, row->task ? row->task->comm : NULL);
  pen_table_writer_text (writer, pen_text_state_to_string (row->state));
  pen_table_writer_unsigned (writer, phase->stretches);
  pen_table_writer_unsigned (writer, phase->rate.samples);
  pen_query_write_real_or_empty (writer, phase->rate.seconds, 6);
  pen_query_write_real_or_empty (writer, phase->rate.lost, 6);
  pen_query_write_real_or_empty (writer, phase->rate.rate, 2);
  pen_query_write_real_or_empty (writer, phase->rate.low, 2);
  pen_query_write_real_or_empty (writer, phase->rate.high, 2);
  pen_query_write_real_or_empty (writer, phase->rate.share, 6);
  pen_query_write_unsigned_or_empty (writer, !row->task, phase->period);
  pen_table_writer_text (writer, row->task ? NULL : phase->is_uneven ? "yes" : "no");
  write_test (writer, row, &row->two->rate_test, row->two->rate);
  write_test (writer, row, &row->two->share_test, row->two->share);
  pen_table_writer_text (writer, !row->task ? NULL : row->task->differs ? "yes" : "no");
}

static void
write_listed_test (PenTableWriter *writer, const Row *row, const PenRateTest *test,
                   PenVerdict verdict)
{
  if (has_tests (row)) {
    pen_query_write_real_or_empty (writer, test->ratio, 3);
    pen_comparison_write_interval (writer, test->low, test->high, 3);
    pen_table_writer_text (writer, pen_verdict_to_string (verdict));
    return;
  }
  for (guint i = 0; i < 3; i++)
    pen_table_writer_empty (writer);
}

static void
write_listed_row (PenTableWriter *writer, const Row *row)
{
  const PenPhase *phase = &row->two->phases[row->state];
  gboolean is_different = row->two->rate == PEN_VERDICT_MORE || row->two->rate == PEN_VERDICT_LESS;
  g_autofree char *cause
      = row->cause->key
            ? g_strdup_printf ("%s %s", pen_cause_to_string (row->cause->cause), row->cause->key)
            : g_strdup (pen_cause_to_string (row->cause->cause));

  pen_table_writer_style (writer,
                          is_different && has_tests (row) ? PEN_STYLE_MARKED : PEN_STYLE_PLAIN);
  pen_table_writer_text (writer, cause);
  pen_table_writer_text (writer, row->task ? row->task->comm : NULL);
  pen_table_writer_text (writer, pen_text_state_to_string (row->state));
  pen_table_writer_unsigned (writer, phase->stretches);
  pen_table_writer_unsigned (writer, phase->rate.samples);
  pen_query_write_real_or_empty (writer, phase->rate.seconds, 3);
  pen_query_write_real_or_empty (writer, phase->rate.rate, 2);
  pen_comparison_write_interval (writer, phase->rate.low, phase->rate.high, 2);
  pen_query_write_real_or_empty (writer, phase->rate.share, 6);
  write_listed_test (writer, row, &row->two->rate_test, row->two->rate);
  write_listed_test (writer, row, &row->two->share_test, row->two->share);
}

static gboolean
write_phases (PenTableWriter *writer, Row *row, gboolean is_listing, GError **error)
{
  static const PenTextState order[]
      = { PEN_TEXT_OFF, PEN_TEXT_ON, PEN_TEXT_OTHER, PEN_TEXT_UNKNOWN };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++) {
    const PenPhase *phase = &row->two->phases[order[i]];

    row->state = order[i];
    /* Off and on are always there, also where there was none of it. */
    if (phase->rate.seconds <= 0 && phase->rate.lost <= 0 && i >= 2)
      continue;
    if (is_listing)
      write_listed_row (writer, row);
    else
      write_row (writer, row);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return TRUE;
}

static void
write_sentences (const PenVerdictReport *self, PenTableWriter *writer)
{
  g_autofree char *text = pen_verdict_report_describe (self);
  g_autofree char *more = pen_verdict_report_describe_more (self);
  g_auto (GStrv) lines = g_strsplit (more, "\n", -1);

  pen_table_writer_heading (writer, text);
  for (guint i = 0; lines[i]; i++)
    pen_table_writer_heading (writer, lines[i]);
}

gboolean
pen_verdict_report_write (const PenVerdictReport *self, PenTableWriter *writer, GError **error)
{
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;

  if (is_listing)
    pen_table_writer_set_columns (writer, listing_columns, G_N_ELEMENTS (listing_columns));
  else
    pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  write_sentences (self, writer);
  for (guint i = 0; i < self->causes->len; i++) {
    const PenVerdictCause *cause = self->causes->pdata[i];
    Row row = { cause, NULL, &cause->two, PEN_TEXT_OFF };

    if (!write_phases (writer, &row, is_listing, error))
      return FALSE;
    for (guint k = 0; k < cause->tasks->len; k++) {
      row.task = cause->tasks->pdata[k];
      row.two = &row.task->two;
      if (!write_phases (writer, &row, is_listing, error))
        return FALSE;
    }
  }
  return pen_table_writer_finish (writer, error);
}
