/* test-docs.c: docs/store.md and the view `change` have the columns that there are, and no others
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <gio/gio.h>

#include "pen-schema.h"
#include "pen-sql.h"
#include "pen-store-table.h"

static void
append_line (GString *text, const char *name, const PenStoreTable *table)
{
  g_string_append_printf (text, "| `%s` | ", name);
  for (guint i = 0; i < table->n_columns; i++)
    g_string_append_printf (text, "%s`%s`", i > 0 ? ", " : "", table->columns[i].name);
  g_string_append (text, " |\n");
}

static void
test_columns (void)
{
  g_autoptr (GString) expected
      = g_string_new ("## All columns\n\n| table | columns |\n|---|---|\n");
  g_autofree char *page = NULL;
  g_autoptr (GError) error = NULL;
  const char *found;
  char *end;

  for (guint i = 0; i < PEN_TABLES; i++)
    append_line (expected, pen_store_tables[i].name, &pen_store_tables[i]);
  append_line (expected, "change", &pen_store_change_view);

  g_file_get_contents (PEN_STORE_DOCS, &page, NULL, &error);
  g_assert_no_error (error);
  found = strstr (page, "## All columns\n");
  g_assert_nonnull (found);
  end = strstr (found, "|\n\n");
  g_assert_nonnull (end);
  end[2] = '\0';
  g_assert_cmpstr (found, ==, expected->str);
}

/* Its rows are read by position. */
static void
test_change_view (void)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autoptr (GError) error = NULL;
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  pen_schema_create (db, &error);
  g_assert_no_error (error);
  statement = pen_sql_prepare (db, pen_schema_changes, &error);
  g_assert_no_error (error);

  g_assert_cmpint (sqlite3_column_count (statement), ==, pen_store_change_view.n_columns);
  for (guint i = 0; i < pen_store_change_view.n_columns; i++)
    g_assert_cmpstr (sqlite3_column_name (statement, (int) i), ==,
                     pen_store_change_view.columns[i].name);
  g_clear_pointer (&statement, sqlite3_finalize);
  sqlite3_close (db);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/docs/columns", test_columns);
  g_test_add_func ("/store/docs/change-view", test_change_view);
  return g_test_run ();
}
