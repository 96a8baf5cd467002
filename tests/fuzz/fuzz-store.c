/* fuzz-store.c: a store that was damaged, asked everything
 *
 * The input is a list of damages to a store that is whole at first:
 *   0 OFFSET(4) LENGTH(1) BYTES        bytes of the file
 *   1 TABLE(1) ROW(1)                  a row is gone
 *   2 TABLE(1) COLUMN(1) ROW(1) VALUE  a value is another one
 * where VALUE is 0 INTEGER(8), 1 LENGTH(1) TEXT, 2 LENGTH(1) BLOB, 3 LENGTH(1) PACKED, or 4 (NULL).
 * PACKED gets the checksum of a pack around it: it is not refused for that.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#include "pen-fuzz-ask.h"
#include "pen-fuzz-history.h"
#include "pen-fuzz.h"
#include "pen-import.h"
#include "pen-pack.h"
#include "pen-sql-query.h"
#include "pen-store-verify.h"

#define MAX_DAMAGES 16
#define N_ROWS 16

enum { DAMAGE_BYTES, DAMAGE_ROW, DAMAGE_VALUE, DAMAGES };
enum { VALUE_INTEGER, VALUE_TEXT, VALUE_BLOB, VALUE_PACKED, VALUE_NULL, VALUES };

static char *path;
static char *whole;
static gsize whole_size;
static GPtrArray *tables;  /* char * */
static GPtrArray *columns; /* by table: char ** */

static void
run_sql (sqlite3 *db, const char *sql)
{
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
}

/* A hostile store need not have our schema's constraints. */
static void
drop_constraints (sqlite3 *db)
{
  run_sql (db, "PRAGMA writable_schema = ON");
  run_sql (db, "UPDATE sqlite_schema SET sql = replace (sql, ' NOT NULL', '')");
  run_sql (db, "PRAGMA writable_schema = OFF");
}

static void
list_columns (sqlite3 *db)
{
  sqlite3_stmt *statement;
  const char *sql = "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info (t.name) c"
                    " WHERE t.type = 'table' ORDER BY t.name, c.cid";

  tables = g_ptr_array_new ();
  columns = g_ptr_array_new ();
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  while (sqlite3_step (statement) == SQLITE_ROW) {
    const char *table = (const char *) sqlite3_column_text (statement, 0);
    const char *column = (const char *) sqlite3_column_text (statement, 1);

    if (tables->len == 0 || !g_str_equal (g_ptr_array_index (tables, tables->len - 1), table)) {
      g_ptr_array_add (tables, g_strdup (table));
      g_ptr_array_add (columns, g_ptr_array_new ());
    }
    g_ptr_array_add (g_ptr_array_index (columns, columns->len - 1), g_strdup (column));
  }
  sqlite3_finalize (statement);
}

static void
make_store (void)
{
  const char *directory = pen_fuzz_get_directory ();
  g_autofree char *capture_path = g_build_filename (directory, "capture", NULL);
  g_autoptr (PenTestCapture) capture = pen_fuzz_make_history ();
  g_autoptr (GError) error = NULL;
  sqlite3 *db;

  path = g_build_filename (directory, "store.pentimento", NULL);
  pen_test_capture_write (capture, capture_path, PEN_TEST_CAPTURE_DIRECTORY, &error);
  g_assert_no_error (error);
  pen_import (capture_path, path, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  drop_constraints (db);
  list_columns (db);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  g_assert_true (g_file_get_contents (path, &whole, &whole_size, &error));
}

static void
change_bytes (PenFuzzBytes *input)
{
  guint64 offset = pen_fuzz_take (input, 4) % whole_size;
  gsize length = (gsize) pen_fuzz_take (input, 1);
  const guint8 *bytes = pen_fuzz_take_bytes (input, &length);
  g_autofree char *contents = NULL;
  gsize size;

  if (!g_file_get_contents (path, &contents, &size, NULL) || offset >= size)
    return;
  memcpy (contents + offset, bytes, MIN (length, size - offset));
  pen_fuzz_write (path, (const guint8 *) contents, size);
}

static void
bind_bytes (sqlite3_stmt *statement, PenFuzzBytes *input, guint type)
{
  gsize length = (gsize) pen_fuzz_take (input, 1);
  const guint8 *bytes = pen_fuzz_take_bytes (input, &length);
  g_autoptr (PenPacker) packer = NULL;

  if (type == VALUE_TEXT) {
    sqlite3_bind_text (statement, 1, (const char *) bytes, (int) length, SQLITE_TRANSIENT);
    return;
  }
  if (type == VALUE_PACKED) {
    packer = pen_packer_new ();
    pen_packer_bytes (packer, bytes, length);
    bytes = pen_packer_finish (packer, &length);
  }
  sqlite3_bind_blob (statement, 1, bytes, (int) length, SQLITE_TRANSIENT);
}

static void
bind_value (sqlite3_stmt *statement, PenFuzzBytes *input)
{
  guint type = pen_fuzz_take (input, 1) % VALUES;

  if (type == VALUE_INTEGER)
    sqlite3_bind_int64 (statement, 1, (sqlite3_int64) pen_fuzz_take (input, 8));
  else if (type != VALUE_NULL)
    bind_bytes (statement, input, type);
}

/* Errors are left alone: the file may be damaged already. */
static void
change_row (PenFuzzBytes *input, gboolean is_value)
{
  guint table = (guint) pen_fuzz_take (input, 1) % tables->len;
  const char *name = g_ptr_array_index (tables, table);
  GPtrArray *names = g_ptr_array_index (columns, table);
  const char *column
      = is_value ? g_ptr_array_index (names, pen_fuzz_take (input, 1) % names->len) : NULL;
  const char *key = g_ptr_array_index (names, 0);
  guint row = (guint) pen_fuzz_take (input, 1) % N_ROWS;
  g_autofree char *what
      = is_value ? g_strdup_printf ("UPDATE OR IGNORE \"%s\" SET \"%s\" = ?", name, column)
                 : g_strdup_printf ("DELETE FROM \"%s\"", name);
  g_autofree char *sql = g_strdup_printf (
      "%s WHERE \"%s\" = (SELECT \"%s\" FROM \"%s\" LIMIT 1 OFFSET %u)", what, key, key, name, row);
  sqlite3 *db;
  sqlite3_stmt *statement;

  if (sqlite3_open (path, &db) == SQLITE_OK) {
    sqlite3_exec (db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL, NULL);
    if (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) == SQLITE_OK) {
      if (is_value)
        bind_value (statement, input);
      sqlite3_step (statement);
      sqlite3_finalize (statement);
    }
  }
  sqlite3_close (db);
}

/* Through the virtual tables, and one that orders and joins them. */
static void
ask_sql (PenStore *opened, guint choice)
{
  static const char *const queries[] = {
    "SELECT count(*), max(time), max(symbol), max(offset) FROM sample",
    "SELECT count(payload) FROM sample WHERE time > 5 AND pid IN (1, 42) ORDER BY time",
    "SELECT * FROM bucket b JOIN function f ON f.id = b.function WHERE f.id < 4",
    "SELECT count(c.symbol), max(c.depth) FROM sample s, callchain(s.callchain) c",
    "SELECT * FROM version_total",
    "SELECT * FROM patch_total, loss_total, function_total",
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenSqlQuery) query
      = pen_sql_query_new (opened, queries[choice % G_N_ELEMENTS (queries)], 5, NULL, NULL, &error);
  gboolean has_row = query != NULL;

  while (has_row && pen_sql_query_next (query, &has_row, &error))
    for (guint i = 0; has_row && i < pen_sql_query_get_n_columns (query); i++)
      pen_sql_query_get_cell (query, i);
}

static void
verify (PenStore *opened)
{
  g_autoptr (GError) error = NULL;
  PenVerified verified;

  g_assert_true (pen_store_verify (opened, NULL, NULL, &verified, &error) == (!error));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  PenFuzzBytes input = { data, data + size };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenStore) store = NULL;

  if (!path)
    make_store ();
  pen_fuzz_write (path, (const guint8 *) whole, whole_size);

  for (guint i = 0; i < MAX_DAMAGES && input.at < input.end; i++) {
    guint damage = pen_fuzz_take (&input, 1) % DAMAGES;

    if (damage == DAMAGE_BYTES)
      change_bytes (&input);
    else
      change_row (&input, damage == DAMAGE_VALUE);
  }

  store = pen_store_open (path, &error);
  g_assert_true ((!store) == (error != NULL));
  if (store) {
    guint choice = pen_fuzz_hash (data, size);

    pen_fuzz_ask (store, choice);
    verify (store);
    ask_sql (store, choice);
  }
  return 0;
}
