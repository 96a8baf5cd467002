/* pen-query-find-table.c: what was found, as a table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-find.h"

#include <glib/gi18n-lib.h>

#include "pen-query-cells.h"
#include "pen-query-resolve.h"

static const PenColumn columns[] = {
  { "place", PEN_COLUMN_NUMBER },   { "text", PEN_COLUMN_TEXT },
  { "found", PEN_COLUMN_TEXT },     { "when", PEN_COLUMN_TEXT },
  { "from", PEN_COLUMN_TIME },      { "to", PEN_COLUMN_TIME },
  { "address", PEN_COLUMN_HEX },    { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },  { "bpf_id", PEN_COLUMN_NUMBER },
  { "name", PEN_COLUMN_TEXT },      { "offset", PEN_COLUMN_HEX },
  { "length", PEN_COLUMN_HEX },     { "stated", PEN_COLUMN_HEX },
  { "samples", PEN_COLUMN_NUMBER }, { "changes", PEN_COLUMN_NUMBER },
  { "pid", PEN_COLUMN_NUMBER },     { "tid", PEN_COLUMN_NUMBER },
  { "evidence", PEN_COLUMN_TEXT },  { "tenure", PEN_COLUMN_NUMBER },
  { "remark", PEN_COLUMN_TEXT },
};

/* Below a heading that says the place, or what is found. */
static const PenColumn listing_columns[] = {
  { "when", PEN_COLUMN_TEXT },      { "from", PEN_COLUMN_TIME },
  { "to", PEN_COLUMN_TIME },        { "address", PEN_COLUMN_HEX },
  { "kind", PEN_COLUMN_TEXT },      { "occupant", PEN_COLUMN_TEXT },
  { "bpf_id", PEN_COLUMN_NUMBER },  { "name", PEN_COLUMN_TEXT },
  { "offset", PEN_COLUMN_HEX },     { "length", PEN_COLUMN_HEX },
  { "samples", PEN_COLUMN_NUMBER }, { "changes", PEN_COLUMN_NUMBER },
  { "pid", PEN_COLUMN_NUMBER },     { "evidence", PEN_COLUMN_TEXT },
  { "remark", PEN_COLUMN_TEXT },
};

static gboolean
has_span (const PenFoundRow *row)
{
  return row->tenure != 0 || row->found == PEN_FOUND_KEY || row->found == PEN_FOUND_TIME;
}

static void
write_when (PenTableWriter *writer, const PenFoundRow *row)
{
  pen_query_write_text_or_empty (writer, pen_found_when_to_string (row->when));
  if (has_span (row)) {
    pen_query_write_span (writer, row->from, TRUE, row->to, TRUE);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
}

/* An unknown occupant is a fact; that a task has none is not. */
static void
write_occupant (PenTableWriter *writer, const PenFoundRow *row)
{
  if (row->tenure != 0 || row->function != G_MAXUINT32 || row->found == PEN_FOUND_ADDRESS) {
    pen_query_write_occupant (writer, row->kind, row->occupant);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  pen_query_write_unsigned_or_empty (writer, row->bpf_id != 0, row->bpf_id);
}

static void
write_task (PenTableWriter *writer, const PenFoundRow *row, gboolean is_listing)
{
  for (guint i = 0; i < (is_listing ? 1 : 2); i++) {
    if (row->has_task)
      pen_table_writer_signed (writer, i == 0 ? row->pid : row->tid);
    else
      pen_table_writer_empty (writer);
  }
}

static void
write_row (PenTableWriter *writer, const PenFound *found, const PenFoundRow *row)
{
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;

  if (!is_listing && row->place < found->places->len) {
    pen_table_writer_unsigned (writer, row->place + 1);
    pen_table_writer_text (writer, g_array_index (found->places, PenFoundPlace, row->place).text);
  } else if (!is_listing) {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  if (!is_listing)
    pen_table_writer_text (writer, pen_found_kind_to_string (row->found));
  write_when (writer, row);
  pen_query_write_hex_or_empty (writer, row->has_address, row->address);
  write_occupant (writer, row);
  pen_query_write_text_or_empty (writer, row->name);
  pen_query_write_hex_or_empty (writer, row->has_offset, row->offset);
  pen_query_write_hex_or_empty (writer, row->length > 0, row->length);
  if (!is_listing)
    pen_query_write_hex_or_empty (writer, row->stated > 0, row->stated);
  pen_query_write_unsigned_or_empty (writer, row->samples != 0, row->samples);
  pen_query_write_unsigned_or_empty (writer, row->changes != 0, row->changes);
  write_task (writer, row, is_listing);
  if (row->tenure != 0)
    pen_query_write_tenure_evidence (writer, row->evidence, row->source, row->inferred_from,
                                     row->is_unverified);
  else
    pen_table_writer_empty (writer);
  if (!is_listing)
    pen_query_write_unsigned_or_empty (writer, row->tenure != 0, row->tenure);
  pen_query_write_text_or_empty (writer, pen_found_remark_to_string (row->remark));
}

static void
write_heading (PenTableWriter *writer, const PenFound *found, const PenFoundRow *row,
               const PenFoundRow *before)
{
  static const char *const headings[PEN_FOUNDS] = {
    [PEN_FOUND_ADDRESS] = N_ ("Addresses"), [PEN_FOUND_FUNCTION] = N_ ("Functions"),
    [PEN_FOUND_TASK] = N_ ("Tasks"),        [PEN_FOUND_KEY] = N_ ("Keys"),
    [PEN_FOUND_TIME] = N_ ("Times"),        [PEN_FOUND_OCCUPANT] = N_ ("Occupants"),
  };

  if (before && before->found == row->found && before->place == row->place)
    return;
  pen_table_writer_section (writer,
                            row->place < found->places->len
                                ? g_array_index (found->places, PenFoundPlace, row->place).text
                                : _ (headings[row->found]));
}

static gboolean
write_rows (PenTableWriter *writer, const PenFound *found, GError **error)
{
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;

  for (guint i = 0; i < found->rows->len; i++) {
    const PenFoundRow *row = &g_array_index (found->rows, PenFoundRow, i);

    if (is_listing)
      write_heading (writer, found, row, i > 0 ? row - 1 : NULL);
    if (is_listing && row->when == PEN_FOUND_THEN)
      pen_table_writer_style (writer, PEN_STYLE_MARKED);
    write_row (writer, found, row);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}

gboolean
pen_query_write_found (PenQuery *self, const char *text, const char *at, PenTableWriter *writer,
                       GError **error)
{
  g_autoptr (PenFound) found = NULL;
  PenMoment moment;

  if (at && !pen_query_parse_moment (self, at, &moment, error))
    return FALSE;
  found = at ? pen_query_find (self, text, moment, error)
             : pen_query_find_at_own_time (self, text, PEN_MOMENT_END, error);
  if (!found)
    return FALSE;
  if (found->rows->len == 0) {
    g_set_error_literal (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                         found->is_trace ? _ ("no symbol or address in the text")
                                         : _ ("nothing of that name in this recording"));
    return FALSE;
  }
  if (pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE)
    pen_table_writer_set_columns (writer, listing_columns, G_N_ELEMENTS (listing_columns));
  else
    pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  return write_rows (writer, found, error);
}
