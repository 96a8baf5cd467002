/* pen-query-history-table.c: the history of a byte as a table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

static const PenColumn columns[] = {
  { "from", PEN_COLUMN_TIME },
  { "to", PEN_COLUMN_TIME },
  { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },
  { "symbol", PEN_COLUMN_TEXT },
  { "offset", PEN_COLUMN_HEX },
  { "revision", PEN_COLUMN_NUMBER },
  { "bytes", PEN_COLUMN_TEXT },
  { "instruction", PEN_COLUMN_TEXT },
  { "before_bytes", PEN_COLUMN_TEXT },
  { "before_instruction", PEN_COLUMN_TEXT },
  { "cause", PEN_COLUMN_TEXT },
  { "reason", PEN_COLUMN_TEXT },
  { "confidence", PEN_COLUMN_TEXT },
  { "key", PEN_COLUMN_TEXT },
  { "batch", PEN_COLUMN_NUMBER },
  { "sites", PEN_COLUMN_NUMBER },
  { "cpu", PEN_COLUMN_NUMBER },
  { "pid", PEN_COLUMN_NUMBER },
  { "tid", PEN_COLUMN_NUMBER },
  { "comm", PEN_COLUMN_TEXT },
  { "samples", PEN_COLUMN_NUMBER },
  { "period", PEN_COLUMN_NUMBER },
  { "near_from", PEN_COLUMN_NUMBER },
  { "near_to", PEN_COLUMN_NUMBER },
  { "share", PEN_COLUMN_NUMBER },
  { "rate", PEN_COLUMN_NUMBER },
  { "evidence", PEN_COLUMN_TEXT },
  { "program", PEN_COLUMN_TEXT },
};

static void
write_patch (PenTableWriter *writer, const PenHistoryRow *row)
{
  pen_table_writer_bytes (writer, row->before_bytes, row->n_before_bytes);
  pen_query_write_text_or_empty (writer, row->before_instruction);
  pen_table_writer_text (writer, row->poke != 0 ? pen_cause_to_string (row->cause) : NULL);
  pen_query_write_text_or_empty (writer, row->reason);
  pen_query_write_cause (writer, row->poke != 0, row->confidence, row->key, row->batch,
                         row->n_sites);
  pen_query_write_cpu (writer, row->cpu);
  pen_query_write_task (writer, row->pid != -1, row->pid, row->tid, row->comm);
}

static void
write_row (PenTableWriter *writer, const PenHistoryRow *row)
{
  pen_table_writer_style (writer, row->poke != 0 ? PEN_STYLE_MARKED : PEN_STYLE_PLAIN);
  pen_query_write_span (writer, row->from, TRUE, row->to, TRUE);
  pen_query_write_occupant (writer, row->kind, row->occupant);
  pen_query_write_text_or_empty (writer, row->symbol);
  if (row->symbol != NULL)
    pen_table_writer_hex (writer, row->offset);
  else
    pen_table_writer_empty (writer);
  pen_table_writer_unsigned (writer, row->revision);
  pen_table_writer_bytes (writer, row->bytes, row->n_bytes);
  pen_query_write_text_or_empty (writer, row->instruction);
  write_patch (writer, row);
  pen_table_writer_unsigned (writer, row->samples);
  pen_table_writer_unsigned (writer, row->period);
  pen_table_writer_unsigned (writer, row->near_from);
  pen_table_writer_unsigned (writer, row->near_to);
  pen_table_writer_real (writer, row->share, 4);
  pen_table_writer_real (writer, row->rate, 2);
  pen_query_write_evidence_of (writer, row->evidence, row->bytes_source, row->is_unverified);
  pen_query_write_text_or_empty (writer, row->program);
}

gboolean
pen_query_write_history (PenQuery *self, const PenFilter *filter, const char *target,
                         PenSyntax syntax, PenTableWriter *writer, GError **error)
{
  return pen_query_write_history_with_band (self, filter, target, syntax, PEN_BAND, writer, error);
}

gboolean
pen_query_write_history_with_band (PenQuery *self, const PenFilter *filter, const char *target,
                                   PenSyntax syntax, guint64 band, PenTableWriter *writer,
                                   GError **error)
{
  g_autoptr (GPtrArray) rows = NULL;
  guint64 address;

  if (!pen_query_resolve (self, target, &address, error))
    return FALSE;
  rows = pen_query_history_with_band (self, filter, address, syntax, band, error);
  if (rows == NULL)
    return FALSE;
  if (rows->len == 0) {
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                 "Nothing is known to have held %s, and no sample fell on it", target);
    return FALSE;
  }
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < rows->len; i++) {
    write_row (writer, rows->pdata[i]);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
