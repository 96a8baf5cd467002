/* pen-store-source-lines.c: from which lines of their source functions were made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-source-line-block.h"
#include "pen-store-private.h"
#include "pen-store-source-lines.h"

static void
free_lines (gpointer data)
{
  pen_function_lines_free (data);
}

GPtrArray *
pen_store_load_source_lines (PenStore *self, guint32 function, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (free_lines);
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db,
                               "SELECT tenure, n, n_calls, lines FROM source_lines"
                               " WHERE function = ? ORDER BY id",
                               error);
  if (!statement)
    return NULL;

  pen_sql_bind_u64 (statement, 1, function);
  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    const char *reason;
    PenFunctionLines *lines = pen_source_line_block_unpack (
        (guint32) sqlite3_column_int64 (statement, 0), sqlite3_column_int64 (statement, 1),
        sqlite3_column_int64 (statement, 2), sqlite3_column_blob (statement, 3),
        (gsize) sqlite3_column_bytes (statement, 3), &reason);

    if (!lines) {
      g_autofree char *what
          = g_strdup_printf ("the source lines of function %u: %s", function, reason);

      pen_store_set_damaged (self, what, error);
      return NULL;
    }
    g_ptr_array_add (all, lines);
  }
  return step == PEN_SQL_DONE ? g_steal_pointer (&all) : NULL;
}

/* Of the first line that says. What was inlined there was called from the function's own file. */
static guint32
find_own_file (const PenFunctionLines *lines)
{
  for (guint i = 0; i < lines->lines->len; i++) {
    const PenSourceLine *line = &g_array_index (lines->lines, PenSourceLine, i);
    guint32 file = line->file;

    /* They lead outwards. */
    for (guint call = line->call; call != 0;) {
      const PenSourceCall *made = &g_array_index (lines->calls, PenSourceCall, call - 1);

      file = made->file;
      call = made->outer;
    }
    if (file != 0)
      return file;
  }
  return 0;
}

static gboolean
take_source_file (PenStore *self, sqlite3_stmt *statement, guint n, guint32 *files, GError **error)
{
  gint64 function = sqlite3_column_int64 (statement, 0);
  g_autoptr (PenFunctionLines) lines = NULL;
  const char *reason;

  if (function < 0 || function >= n || files[function] != 0)
    return TRUE;
  lines = pen_source_line_block_unpack (
      (guint32) sqlite3_column_int64 (statement, 1), sqlite3_column_int64 (statement, 2),
      sqlite3_column_int64 (statement, 3), sqlite3_column_blob (statement, 4),
      (gsize) sqlite3_column_bytes (statement, 4), &reason);
  if (!lines) {
    g_autofree char *what = g_strdup_printf ("source lines: %s", reason);

    return pen_store_set_damaged (self, what, error);
  }
  files[function] = find_own_file (lines);
  return TRUE;
}

guint32 *
pen_store_load_source_files (PenStore *self, guint n, GError **error)
{
  g_autofree guint32 *files = g_new0 (guint32, (gsize) n + 1);
  g_autoptr (sqlite3_stmt) statement
      = pen_sql_prepare (self->db,
                         "SELECT function, tenure, n, n_calls, lines FROM source_lines"
                         " ORDER BY function, tenure",
                         error);
  PenSqlStep step = PEN_SQL_FAILED;

  while (statement && (step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    if (!take_source_file (self, statement, n, files, error))
      return NULL;
  }
  return step == PEN_SQL_DONE ? g_steal_pointer (&files) : NULL;
}

static const char *
find_string (PenStore *self, const char *sql, guint32 id, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = pen_sql_prepare (self->db, sql, error);
  PenSqlStep step;

  if (!statement)
    return NULL;

  pen_sql_bind_u64 (statement, 1, id);
  step = pen_sql_step (statement, error);
  return step == PEN_SQL_ROW ? pen_store_column_string (self, statement, 0) : NULL;
}

const char *
pen_store_find_source_file (PenStore *self, guint32 id, GError **error)
{
  return find_string (self, "SELECT path FROM source_file WHERE id = ?", id, error);
}

const char *
pen_store_find_inlined_function (PenStore *self, guint32 id, GError **error)
{
  return find_string (self, "SELECT name FROM inlined_function WHERE id = ?", id, error);
}
