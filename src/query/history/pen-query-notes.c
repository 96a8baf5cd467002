/* pen-query-notes.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-notes.h"

#include "pen-query-cells.h"
#include "pen-query-private.h"

static const PenColumn columns[] = {
  { "id", PEN_COLUMN_NUMBER },    { "time", PEN_COLUMN_TIME },  { "address", PEN_COLUMN_HEX },
  { "symbol", PEN_COLUMN_TEXT },  { "offset", PEN_COLUMN_HEX }, { "text", PEN_COLUMN_TEXT },
  { "written", PEN_COLUMN_TEXT },
};

void
pen_note_row_free (PenNoteRow *row)
{
  g_clear_pointer (&row->note, pen_note_free);
  g_free (row->symbol);
  g_free (row);
}

static void
choose_function (const PenFunction *function, gpointer user_data)
{
  const PenFunction **best = user_data;

  if (!*best || function->samples > (*best)->samples)
    *best = function;
}

static PenNoteRow *
make_row (PenQuery *self, const PenNote *note)
{
  PenNoteRow *row = g_new0 (PenNoteRow, 1);
  const PenFunction *function = NULL;

  row->note = pen_note_copy (note);
  if (note->has_address && note->address < G_MAXUINT64)
    pen_query_foreach_function_in (self, note->address, note->address + 1, choose_function,
                                   &function);
  if (!function)
    return row;
  row->symbol = g_strdup (function->symbol);
  row->offset = note->address - function->start;
  row->has_function = TRUE;
  row->function = function->id;
  return row;
}

GPtrArray *
pen_query_notes (PenQuery *self, const char *path, GError **error)
{
  g_autoptr (GPtrArray) notes = pen_notes_load (path, error);
  GPtrArray *rows;

  if (!notes || !pen_query_load (self, error))
    return NULL;
  rows = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_note_row_free);
  for (guint i = 0; i < notes->len; i++)
    g_ptr_array_add (rows, make_row (self, notes->pdata[i]));
  return rows;
}

static char *
format_written (gint64 written)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (written / G_USEC_PER_SEC);

  return time ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%SZ") : NULL;
}

gboolean
pen_query_write_notes (PenQuery *self, const char *path, PenTableWriter *writer, GError **error)
{
  g_autoptr (GPtrArray) rows = pen_query_notes (self, path, error);

  if (!rows)
    return FALSE;
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < rows->len; i++) {
    const PenNoteRow *row = rows->pdata[i];
    g_autofree char *written = format_written (row->note->written);

    pen_table_writer_unsigned (writer, (guint64) row->note->id);
    if (row->note->has_time)
      pen_table_writer_time (writer, row->note->time);
    else
      pen_table_writer_empty (writer);
    if (row->note->has_address)
      pen_table_writer_hex (writer, row->note->address);
    else
      pen_table_writer_empty (writer);
    pen_table_writer_text (writer, row->symbol);
    pen_query_write_hex_or_empty (writer, row->symbol != NULL, row->offset);
    pen_table_writer_text (writer, row->note->text);
    pen_table_writer_text (writer, written);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
