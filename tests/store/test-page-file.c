/* test-page-file.c: a database that is written on while earlier states of it are read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-page-file.h"

#include <sqlite3.h>

#include "pen-store-functions.h"
#include "pen-store-records.h"
#include "pen-store-writer.h"

#define ROWS 2000

static sqlite3 *
open_database (const char *name, int flags)
{
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open_v2 (name, &db, flags, pen_page_file_get_vfs ()), ==, SQLITE_OK);
  return db;
}

static void
run (sqlite3 *db, const char *sql)
{
  char *message = NULL;

  sqlite3_exec (db, sql, NULL, NULL, &message);
  g_assert_cmpstr (message, ==, NULL);
}

static sqlite3 *
open_writer (PenPageFile *file)
{
  sqlite3 *db = open_database (pen_page_file_get_name (file), SQLITE_OPEN_READWRITE);

  run (db, "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE;"
           "CREATE TABLE t (id INTEGER PRIMARY KEY, round INTEGER, filler BLOB)");
  return db;
}

/* All rows are of this round. */
static void
write_round (sqlite3 *db, guint round)
{
  g_autofree char *sql = g_strdup_printf (
      "BEGIN; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %u)"
      " INSERT OR REPLACE INTO t SELECT i, %u, zeroblob(200) FROM n; COMMIT;",
      ROWS, round);

  run (db, sql);
}

static gint64
get_number (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *statement;
  gint64 number;

  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  number = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  return number;
}

static void
check_round (sqlite3 *db, guint round)
{
  g_assert_cmpint (get_number (db, "SELECT count(*) FROM t"), ==, ROWS);
  g_assert_cmpint (get_number (db, "SELECT min(round) FROM t"), ==, round);
  g_assert_cmpint (get_number (db, "SELECT max(round) FROM t"), ==, round);
}

static void
test_states (void)
{
  g_autoptr (PenPageFile) file = pen_page_file_new (g_get_tmp_dir (), NULL);
  sqlite3 *writer = open_writer (file);
  sqlite3 *readers[5];

  for (guint i = 0; i < G_N_ELEMENTS (readers); i++) {
    g_autoptr (PenPageState) state = NULL;

    write_round (writer, i);
    state = pen_page_file_publish (file);
    /* It lives as long as who reads it. */
    readers[i] = open_database (pen_page_state_get_name (state), SQLITE_OPEN_READONLY);
  }
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++) {
    check_round (readers[i], i);
    g_assert_cmpint (sqlite3_exec (readers[i], "DELETE FROM t", NULL, NULL, NULL), ==,
                     SQLITE_READONLY);
    sqlite3_close (readers[i]);
  }
  sqlite3_close (writer);
}

/* Places that no state has any more are used again. */
static void
test_size (void)
{
  g_autoptr (PenPageFile) file = pen_page_file_new (g_get_tmp_dir (), NULL);
  sqlite3 *writer = open_writer (file);
  g_autoptr (PenPageState) held = NULL;
  guint64 size;

  write_round (writer, 0);
  size = pen_page_file_get_size (file);
  for (guint i = 1; i <= 20; i++) {
    PenPageState *state = pen_page_file_publish (file);

    g_clear_pointer (&held, pen_page_state_unref);
    held = state;
    write_round (writer, i);
  }
  g_assert_cmpuint (pen_page_file_get_size (file), <=, 3 * size);
  sqlite3_close (writer);
}

static void
test_names (void)
{
  g_autoptr (PenPageFile) file = pen_page_file_new (g_get_tmp_dir (), NULL);
  PenPageState *state;
  g_autofree char *name = NULL;
  sqlite3 *db = open_writer (file);

  write_round (db, 0);
  sqlite3_close (db);
  state = pen_page_file_publish (file);
  name = g_strdup (pen_page_state_get_name (state));
  pen_page_state_unref (state);
  g_assert_cmpint (sqlite3_open_v2 (name, &db, SQLITE_OPEN_READONLY, pen_page_file_get_vfs ()), ==,
                   SQLITE_CANTOPEN);
  sqlite3_close (db);
  g_assert_null (pen_page_file_new ("/nowhere", NULL));
}

static PenStore *
write_part (PenStoreWriter *writer, guint part)
{
  g_autoptr (PenPageState) state = NULL;
  const PenFunction function
      = { .id = part, .symbol = "f", .occupant = "o", .start = part, .samples = part + 1 };
  g_autoptr (GError) error = NULL;
  PenStore *store;

  if (part > 0)
    g_assert_true (pen_store_writer_begin_part (writer, NULL, NULL));
  g_assert_true (pen_store_writer_set_fact_int (writer, "samples", part, NULL));
  g_assert_true (pen_store_writer_add_function (writer, &function, NULL));
  g_assert_true (pen_store_writer_add_record_count (writer, part, "x", 1, NULL));
  g_assert_true (pen_store_writer_begin_rest (writer, NULL));
  state = pen_store_writer_publish (writer, NULL);
  store = pen_store_open_state (state, &error);
  g_assert_no_error (error);
  return store;
}

static void
check_store (PenStore *store, guint part)
{
  g_autoptr (GPtrArray) counts = pen_store_load_record_counts (store, NULL);
  guint n;

  g_assert_cmpint (pen_store_get_fact_int (store, "samples", -1), ==, part);
  g_assert_nonnull (pen_store_get_functions (store, &n, NULL));
  g_assert_cmpuint (n, ==, part + 1);
  g_assert_cmpuint (counts->len, ==, 1);
}

static void
test_parts (void)
{
  g_autoptr (PenPageFile) file = pen_page_file_new (g_get_tmp_dir (), NULL);
  PenStoreWriter *writer = pen_store_writer_new_pages (file, NULL);
  g_autoptr (PenStore) first = write_part (writer, 0);
  g_autoptr (PenStore) second = write_part (writer, 1);
  g_autoptr (PenStore) third = write_part (writer, 2);
  g_autoptr (PenStore) again = NULL;

  pen_store_writer_free (writer);
  check_store (third, 2);
  check_store (first, 0);
  check_store (second, 1);
  again = pen_store_open_again (first, NULL);
  check_store (again, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/page-file/states", test_states);
  g_test_add_func ("/store/page-file/size", test_size);
  g_test_add_func ("/store/page-file/names", test_names);
  g_test_add_func ("/store/page-file/parts", test_parts);
  return g_test_run ();
}
