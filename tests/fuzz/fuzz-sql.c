/* fuzz-sql.c: a stranger's queries to a store
 *
 * The input is one statement. It is refused, or its first rows are read; the file is what it was,
 * and nothing is beside it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "pen-fuzz-history.h"
#include "pen-fuzz-mutate.h"
#include "pen-fuzz.h"
#include "pen-import.h"
#include "pen-sql-query.h"

#define ROWS_MAX 8u
/* The whole file is compared once in so many inputs, what the system says of it each time. */
#define COMPARED_ONCE_IN 1024u

static PenStore *store;
static char *directory;
static char *path;
static char *whole;
static gsize whole_size;
static GStatBuf stat_of_whole;

static void
make_store (void)
{
  g_autofree char *capture_path = g_build_filename (pen_fuzz_get_directory (), "capture", NULL);
  g_autoptr (PenTestCapture) capture = pen_fuzz_make_history ();
  g_autoptr (GError) error = NULL;

  directory = g_build_filename (pen_fuzz_get_directory (), "store", NULL);
  g_assert_cmpint (g_mkdir (directory, 0700), ==, 0);
  path = g_build_filename (directory, "sql.pentimento", NULL);
  pen_test_capture_write (capture, capture_path, PEN_TEST_CAPTURE_DIRECTORY, &error);
  g_assert_no_error (error);
  pen_import (capture_path, path, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  store = pen_store_open (path, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &whole, &whole_size, &error));
  g_assert_cmpint (g_stat (path, &stat_of_whole), ==, 0);
}

static void
check_store (void)
{
  static guint n_checked;
  g_autofree char *now = NULL;
  g_autoptr (GDir) dir = NULL;
  GStatBuf buf;
  gsize size;

  g_assert_cmpint (g_stat (path, &buf), ==, 0);
  g_assert_cmpint (buf.st_size, ==, stat_of_whole.st_size);
  g_assert_cmpint (buf.st_mtim.tv_nsec, ==, stat_of_whole.st_mtim.tv_nsec);
  if (n_checked++ % COMPARED_ONCE_IN != 0)
    return;

  g_assert_true (g_file_get_contents (path, &now, &size, NULL));
  g_assert_cmpmem (now, size, whole, whole_size);
  dir = g_dir_open (directory, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (dir), ==, "sql.pentimento");
  g_assert_null (g_dir_read_name (dir));
}

static void
touch_cell (const PenSqlCell *cell)
{
  if (cell->type == PEN_SQL_TEXT)
    pen_fuzz_touch_bytes ((const guint8 *) cell->text, cell->n + 1);
  else if (cell->type == PEN_SQL_BYTES)
    pen_fuzz_touch_bytes (cell->bytes, cell->n);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autofree char *sql = g_strndup ((const char *) data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenSqlQuery) query = NULL;
  gboolean has_row;

  if (!store)
    make_store ();
  query = pen_sql_query_new (store, sql, 1, NULL, NULL, &error);
  g_assert_true ((!query) == (error != NULL));
  has_row = query != NULL;
  for (guint row = 0; has_row && row < ROWS_MAX; row++) {
    if (!pen_sql_query_next (query, &has_row, &error)) {
      g_assert_nonnull (error);
      break;
    }
    for (guint i = 0; has_row && i < pen_sql_query_get_n_columns (query); i++) {
      PenSqlCell cell = pen_sql_query_get_cell (query, i);

      touch_cell (&cell);
    }
  }
  g_clear_pointer (&query, pen_sql_query_free);
  check_store ();
  return 0;
}

size_t
LLVMFuzzerCustomMutator (guint8 *data, size_t size, size_t max_size, unsigned int seed)
{
  static const char *const words[] = { "SELECT ",
                                       " FROM ",
                                       " WHERE ",
                                       " GROUP BY ",
                                       " ORDER BY ",
                                       " LIMIT ",
                                       " IN (",
                                       ")",
                                       "(",
                                       ",",
                                       "*",
                                       " = ",
                                       " > ",
                                       " <= ",
                                       " AND ",
                                       " OR ",
                                       " JOIN ",
                                       " ON ",
                                       " NOT ",
                                       " NULL ",
                                       "'",
                                       "\"",
                                       ";",
                                       "--",
                                       "/*",
                                       "count(",
                                       "max(",
                                       "group_concat(",
                                       "printf(",
                                       "randomblob(",
                                       "zeroblob(",
                                       "load_extension(",
                                       "json_each(",
                                       "hex(",
                                       "replace(",
                                       "writefile(",
                                       "fts3_tokenizer(",
                                       " UNION ALL ",
                                       " EXCEPT ",
                                       "WITH RECURSIVE x(a) AS (",
                                       " VALUES (",
                                       "INSERT INTO ",
                                       "UPDATE ",
                                       "DELETE FROM ",
                                       "CREATE TEMP TABLE ",
                                       "CREATE VIEW ",
                                       "ATTACH ",
                                       "DETACH ",
                                       "VACUUM INTO ",
                                       "PRAGMA ",
                                       "PRAGMA journal_mode = wal",
                                       "PRAGMA writable_schema = on",
                                       "BEGIN",
                                       "COMMIT",
                                       "SAVEPOINT a",
                                       "ANALYZE",
                                       "REINDEX",
                                       "EXPLAIN ",
                                       "EXPLAIN QUERY PLAN ",
                                       "sample",
                                       "bucket",
                                       "function",
                                       "callchain(",
                                       "version_total",
                                       "function_total",
                                       "text_poke",
                                       "sqlite_schema",
                                       "pragma_table_info(",
                                       "pragma_function_list",
                                       "time",
                                       "symbol",
                                       "id",
                                       "payload",
                                       "address",
                                       "rowid",
                                       "CAST(",
                                       " AS ",
                                       " OVER (",
                                       " COLLATE ",
                                       " GLOB ",
                                       " LIKE ",
                                       " ESCAPE ",
                                       " REGEXP ",
                                       " MATCH ",
                                       "RETURNING ",
                                       "?",
                                       "?1",
                                       ":a",
                                       "x'00'",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "1e999",
                                       "CASE WHEN ",
                                       " THEN ",
                                       " ELSE ",
                                       " END",
                                       NULL };

  if (size == 0 || pen_fuzz_random (&seed, 3) == 0)
    return LLVMFuzzerMutate (data, size, max_size);
  return pen_fuzz_mutate_lines (data, size, max_size, &seed, words);
}
