/* pen-schema-check.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-schema-check.h"

#include <string.h>

#include "pen-sql.h"
#include "pen-store-table.h"
#include "pen-store.h"

static gboolean
refuse (const char *path, const char *what, const char *name, GError **error)
{
  g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_NOT_A_STORE,
               "“%s” was changed by someone: it has %s “%s”, as no store has. Import the capture "
               "again.",
               path, what, name);
  return FALSE;
}

/* SQLite writes a statement's beginning in one way only; what was put there by hand may lie in the
 * other columns, but this is what SQLite goes by. */
static gboolean
is_passive (const char *type, const char *sql)
{
  static const struct {
    const char *type;
    const char *beginning;
  } passive[] = {
    { "table", "CREATE TABLE " },
    { "view", "CREATE VIEW " },
    { "index", "CREATE INDEX " },
    { "index", "CREATE UNIQUE INDEX " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (passive); i++)
    if (strcmp (type, passive[i].type) == 0 && g_str_has_prefix (sql, passive[i].beginning))
      return TRUE;

  /* The index of a primary key. */
  return strcmp (type, "index") == 0 && *sql == '\0';
}

static gboolean
check_statements (sqlite3 *db, const char *path, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (db, "SELECT type, sql, name FROM sqlite_schema", error);
  if (!statement)
    return FALSE;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW)
    if (!is_passive (pen_sql_text (statement, 0), pen_sql_text (statement, 1)))
      return refuse (path, "the trigger or virtual table", pen_sql_text (statement, 2), error);
  return step == PEN_SQL_DONE;
}

/* SQLite gives no such data for a view. */
static gboolean
is_table (sqlite3 *db, const char *name)
{
  return sqlite3_table_column_metadata (db, "main", name, NULL, NULL, NULL, NULL, NULL, NULL)
         == SQLITE_OK;
}

/* The view of a table with shared columns, as it was made. @is_there: (out): TRUE where there need
 * not be one. Returns: FALSE: it cannot be looked for */
static gboolean
find_view (sqlite3 *db, const PenStoreTable *table, gboolean *is_there, GError **error)
{
  g_autofree char *view = pen_store_table_get_view (table);
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  *is_there = TRUE;
  if (!view)
    return TRUE;
  statement = pen_sql_prepare (
      db, "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = ?1 AND sql = ?2", error);
  if (!statement)
    return FALSE;

  sqlite3_bind_text (statement, 1, table->name, -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 2, view, -1, SQLITE_STATIC);
  step = pen_sql_step (statement, error);
  *is_there = step == PEN_SQL_ROW;
  return step != PEN_SQL_FAILED;
}

gboolean
pen_schema_check (sqlite3 *db, const char *path, GError **error)
{
  if (!check_statements (db, path, error))
    return FALSE;

  for (guint i = 0; i < PEN_TABLES; i++) {
    const char *table = pen_store_table_get_rows (&pen_store_tables[i]);
    gboolean is_there;

    if (!find_view (db, &pen_store_tables[i], &is_there, error))
      return FALSE;
    if (!is_there || !is_table (db, table)) {
      g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED,
                   "“%s” is damaged: it has no %s “%s”. Import the capture again.", path,
                   is_there ? "table" : "view", is_there ? table : pen_store_tables[i].name);
      return FALSE;
    }
  }
  return TRUE;
}
