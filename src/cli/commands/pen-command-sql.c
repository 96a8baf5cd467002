/* pen-command-sql.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command-run.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "pen-capture.h"
#include "pen-sql-query.h"
#include "pen-table-hash.h"

/* A table shows control characters escaped; csv and json need valid UTF-8 only. */
static char *
name_column (const PenArguments *arguments, PenSqlQuery *query, guint column)
{
  const char *name = pen_sql_query_get_name (query, column);

  return arguments->format == PEN_FORMAT_TABLE ? pen_display_text (name)
                                               : g_utf8_make_valid (name, -1);
}

/* “SELECT a.id, b.id” has two columns of one name, but keys of a JSON object are distinct. */
static char *
name_column_apart (const PenArguments *arguments, PenSqlQuery *query, guint column,
                   GHashTable *names)
{
  char *name = name_column (arguments, query, column);
  guint copies = 1;

  while (g_hash_table_contains (names, name)) {
    g_autofree char *first = name_column (arguments, query, column);

    g_free (name);
    name = g_strdup_printf ("%s:%u", first, copies++);
  }
  g_hash_table_add (names, name);
  return name;
}

/* Columns of SQLite have no type: the first row decides. */
static PenColumnType
guess_type (PenSqlQuery *query, guint column, gboolean has_row)
{
  PenSqlType type = has_row ? pen_sql_query_get_cell (query, column).type : PEN_SQL_NULL;

  return type == PEN_SQL_INTEGER || type == PEN_SQL_REAL ? PEN_COLUMN_NUMBER : PEN_COLUMN_TEXT;
}

static void
set_columns (const PenArguments *arguments, PenSqlQuery *query, gboolean has_row,
             PenTableWriter *writer)
{
  guint n = pen_sql_query_get_n_columns (query);
  g_autofree PenColumn *columns = g_new0 (PenColumn, n);
  g_autoptr (GHashTable) names = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < n; i++) {
    columns[i].name = name_column_apart (arguments, query, i, names);
    columns[i].type = guess_type (query, i, has_row);
  }
  pen_table_writer_set_columns (writer, columns, n);
}

/* A text may contain NULs, which no format can show. */
static void
write_text (PenTableWriter *writer, const PenSqlCell *cell)
{
  GString *text;

  if (!memchr (cell->text, '\0', cell->n)) {
    pen_table_writer_text (writer, cell->text);
    return;
  }

  text = g_string_sized_new (cell->n);
  for (gsize i = 0; i < cell->n; i++) {
    if (cell->text[i] == '\0')
      g_string_append (text, "\uFFFD");
    else
      g_string_append_c (text, cell->text[i]);
  }
  pen_table_writer_text (writer, text->str);
  g_string_free (text, TRUE);
}

static void
write_cell (PenTableWriter *writer, const PenSqlCell *cell)
{
  switch (cell->type) {
  case PEN_SQL_INTEGER:
    pen_table_writer_signed (writer, cell->integer);
    break;
  case PEN_SQL_REAL:
    pen_table_writer_double (writer, cell->real);
    break;
  case PEN_SQL_TEXT:
    write_text (writer, cell);
    break;
  case PEN_SQL_BYTES:
    pen_table_writer_bytes (writer, cell->bytes, cell->n);
    break;
  default:
    pen_table_writer_empty (writer);
    break;
  }
}

static gboolean
write_rows (const PenArguments *arguments, PenSqlQuery *query, PenTableWriter *writer,
            GError **error)
{
  guint n = pen_sql_query_get_n_columns (query);
  gboolean has_row;

  if (!pen_sql_query_next (query, &has_row, error))
    return FALSE;
  set_columns (arguments, query, has_row, writer);
  while (has_row) {
    for (guint i = 0; i < n; i++) {
      PenSqlCell cell = pen_sql_query_get_cell (query, i);

      write_cell (writer, &cell);
    }
    if (!pen_table_writer_end_row (writer, error) || !pen_sql_query_next (query, &has_row, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}

/* The store knows the timeout, the command the option that raises it. */
static void
explain (const PenArguments *arguments, GError **error)
{
  if (error && g_error_matches (*error, PEN_SQL_ERROR, PEN_SQL_ERROR_TIME)) {
    g_autoptr (GError) late = g_steal_pointer (error);

    *error
        = g_error_new (PEN_SQL_ERROR, PEN_SQL_ERROR_TIME, _ ("%s (see --timeout)"), late->message);
  }
  pen_capture_name_in_error (arguments, error);
}

typedef struct {
  const PenArguments *arguments;
  PenOutput *output; /* NULL: not yet */
} Answer;

/* All that would be left to others is a file that is not whole. */
static void
leave (const GError *error, gpointer user_data)
{
  Answer *self = user_data;
  g_autoptr (GError) explained = g_error_copy (error);

  explain (self->arguments, &explained);
  g_clear_pointer (&self->output, pen_output_free);
  pen_command_print_error (explained);
  _exit (PEN_EXIT_FAILED);
}

static gboolean
answer (const PenArguments *arguments, PenStore *store, GError **error)
{
  Answer self = { .arguments = arguments };
  g_autoptr (PenSqlQuery) query
      = pen_sql_query_new (store, arguments->target, arguments->timeout, leave, &self, error);
  g_autoptr (PenOutput) output = NULL;
  g_autoptr (PenTableWriter) writer = NULL;

  if (!query)
    return FALSE;
  output = pen_output_new (arguments->output, arguments->capture, error);
  if (!output)
    return FALSE;
  self.output = output;
  writer = pen_command_new_writer (arguments, pen_output_get_stream (output),
                                   pen_output_is_terminal (output));
  return write_rows (arguments, query, writer, error) && pen_output_commit (output, error);
}

int
pen_command_sql (const PenArguments *arguments, GError **error)
{
  g_autoptr (PenStore) store = pen_capture_open (arguments, error);

  if (!store || !pen_capture_warn (arguments, store, error))
    return PEN_EXIT_FAILED;
  if (!answer (arguments, store, error)) {
    if (error && g_error_matches (*error, PEN_SQL_ERROR, PEN_SQL_ERROR_USAGE))
      return PEN_EXIT_USAGE;
    explain (arguments, error);
    return PEN_EXIT_FAILED;
  }
  return pen_command_judge (arguments, store, error);
}
