/* pen-query-cost-table.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>

#include "pen-query-cells.h"
#include "pen-query-cost.h"

static const PenColumn detour_columns[] = {
  { "cause", PEN_COLUMN_TEXT },        { "address", PEN_COLUMN_HEX },
  { "symbol", PEN_COLUMN_TEXT },       { "offset", PEN_COLUMN_HEX },
  { "user", PEN_COLUMN_TEXT },         { "samples", PEN_COLUMN_NUMBER },
  { "share", PEN_COLUMN_NUMBER },      { "period", PEN_COLUMN_NUMBER },
  { "trampoline", PEN_COLUMN_NUMBER }, { "handler", PEN_COLUMN_NUMBER },
  { "program", PEN_COLUMN_NUMBER },    { "seconds", PEN_COLUMN_NUMBER },
  { "rate", PEN_COLUMN_NUMBER },       { "rate_low", PEN_COLUMN_NUMBER },
  { "rate_high", PEN_COLUMN_NUMBER },
};

static const PenColumn program_columns[] = {
  { "program", PEN_COLUMN_TEXT },
  { "bpf_id", PEN_COLUMN_NUMBER },
  { "bpf_metadata", PEN_COLUMN_TEXT },
  { "tenure", PEN_COLUMN_NUMBER },
  { "from", PEN_COLUMN_TIME },
  { "to", PEN_COLUMN_TIME },
  { "samples", PEN_COLUMN_NUMBER },
  { "share", PEN_COLUMN_NUMBER },
  { "period", PEN_COLUMN_NUMBER },
  { "own", PEN_COLUMN_NUMBER },
  { "seconds", PEN_COLUMN_NUMBER },
  { "rate", PEN_COLUMN_NUMBER },
  { "rate_low", PEN_COLUMN_NUMBER },
  { "rate_high", PEN_COLUMN_NUMBER },
  { "previous_bpf_id", PEN_COLUMN_NUMBER },
  { "ratio", PEN_COLUMN_NUMBER },
  { "ratio_low", PEN_COLUMN_NUMBER },
  { "ratio_high", PEN_COLUMN_NUMBER },
  { "p", PEN_COLUMN_NUMBER },
};

static void
write_share (PenTableWriter *writer, double share)
{
  gboolean is_table = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;

  /* Per cent for people, as elsewhere. */
  pen_query_write_real_or_empty (writer, is_table ? 100 * share : share, is_table ? 2 : 6);
}

static void
write_rates (PenTableWriter *writer, const PenCostRow *row)
{
  pen_query_write_real_or_empty (writer, row->seconds, 6);
  pen_query_write_real_or_empty (writer, row->rate, 3);
  pen_query_write_real_or_empty (writer, row->low, 3);
  pen_query_write_real_or_empty (writer, row->high, 3);
}

static void
write_detour (PenTableWriter *writer, const PenCostRow *row)
{
  gboolean has_symbol = row->has_site && row->symbol;

  pen_table_writer_text (writer, pen_cause_to_string (row->cause));
  pen_query_write_hex_or_empty (writer, row->has_site, row->address);
  pen_query_write_text_or_empty (writer, row->symbol);
  pen_query_write_hex_or_empty (writer, has_symbol, row->offset);
  pen_query_write_text_or_empty (writer, row->user);
  pen_table_writer_unsigned (writer, row->count.samples);
  write_share (writer, row->share);
  pen_table_writer_unsigned (writer, row->count.period);
  for (guint i = 0; i < PEN_COST_PARTS; i++)
    pen_table_writer_unsigned (writer, row->parts[i]);
  write_rates (writer, row);
}

static void
write_program (PenTableWriter *writer, const PenCostTable *table, const PenCostRow *row)
{
  const PenCostRow *previous
      = row->previous != G_MAXUINT ? &g_array_index (table->rows, PenCostRow, row->previous) : NULL;

  pen_table_writer_text (writer, row->name);
  pen_query_write_unsigned_or_empty (writer, row->bpf_id != 0, row->bpf_id);
  pen_query_write_text_or_empty (writer, row->metadata);
  pen_table_writer_unsigned (writer, row->tenure);
  pen_table_writer_time (writer, row->from);
  pen_table_writer_time (writer, row->to);
  pen_table_writer_unsigned (writer, row->count.samples);
  write_share (writer, row->share);
  pen_table_writer_unsigned (writer, row->count.period);
  pen_table_writer_unsigned (writer, row->own);
  write_rates (writer, row);
  pen_query_write_unsigned_or_empty (writer, previous && previous->bpf_id != 0,
                                     previous ? previous->bpf_id : 0);
  pen_query_write_real_or_empty (writer, row->test.ratio, 3);
  pen_query_write_real_or_empty (writer, row->test.low, 3);
  pen_query_write_real_or_empty (writer, row->test.high, 3);
  pen_query_write_real_or_empty (writer, row->test.p, 4);
}

gboolean
pen_query_write_cost (PenQuery *self, const PenFilter *filter, PenCostGrouping grouping,
                      PenTableWriter *writer, GError **error)
{
  g_autoptr (PenCostTable) table = pen_query_cost (self, filter, grouping, error);
  gboolean is_program = grouping == PEN_COST_BY_PROGRAM;

  if (!table)
    return FALSE;
  pen_table_writer_set_columns (writer, is_program ? program_columns : detour_columns,
                                is_program ? G_N_ELEMENTS (program_columns)
                                           : G_N_ELEMENTS (detour_columns));
  for (guint i = 0; i < table->rows->len; i++) {
    const PenCostRow *row = &g_array_index (table->rows, PenCostRow, i);

    if (is_program)
      write_program (writer, table, row);
    else
      write_detour (writer, row);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
