/* test-change-orders.c: lists of changes against the view `change`, as SQLite sorts it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <sqlite3.h>

#include "pen-change-order.h"
#include "pen-import.h"

#define SEARCHED                                                                                   \
  "instr(lower(ifnull(symbol, '') || char(10) || occupant || char(10) || change || char(10) ||"    \
  " ifnull(comm, '') || char(10) || ifnull(cause, '') || char(10) || kind || char(10) ||"          \
  " printf('0x%x', address)), lower(?1))"

static const char *const scopes[PEN_CHANGE_SCOPES] = {
  [PEN_CHANGE_SCOPE_ALL] = "1",
  [PEN_CHANGE_SCOPE_TIMED] = "time NOT IN (0, -1)",
  [PEN_CHANGE_SCOPE_TEXT] = "change <> 'map' AND time NOT IN (0, -1)",
  [PEN_CHANGE_SCOPE_PATCHES] = "effect = 'patch'",
  [PEN_CHANGE_SCOPE_PROGRAMS] = "change IN ('register', 'unregister')",
  [PEN_CHANGE_SCOPE_MAPS] = "change = 'map'",
};

/* What a row shows nothing for is NULL here: it comes last in either direction. Unsigned numbers of
 * the upper half are negative to SQLite. */
static const char *const sorts[PEN_CHANGE_SORTS][4] = {
  [PEN_CHANGE_SORT_TIME] = { "id" },
  [PEN_CHANGE_SORT_CHANGE] = { "change" },
  [PEN_CHANGE_SORT_PLACE] = { "nullif(occupant, '')", "ifnull(symbol, '')" },
  [PEN_CHANGE_SORT_ADDRESS] = { "address < 0", "address" },
  [PEN_CHANGE_SORT_LENGTH] = { "length < 0", "length" },
  [PEN_CHANGE_SORT_CAUSE] = { "CASE effect WHEN 'patch' THEN cause END" },
  [PEN_CHANGE_SORT_CPU] = { "cpu" },
  [PEN_CHANGE_SORT_TASK]
  = { "CASE WHEN pid IS NOT NULL THEN ifnull(comm, '') END", "pid < 0", "pid", "cpu" },
};

static char *
make_sql (const PenChangeOrder *order)
{
  const char *direction = order->is_descending ? "DESC" : "ASC";
  GString *sql = g_string_new (NULL);

  g_string_append_printf (sql, "SELECT id, batch FROM change WHERE %s%s ORDER BY ",
                          scopes[order->scope], order->search ? " AND " SEARCHED : "");
  if (order->is_grouped && order->sort == PEN_CHANGE_SORT_TIME)
    g_string_append_printf (sql, "%s(id) OVER (PARTITION BY ifnull(batch, -id)) %s, ",
                            order->is_descending ? "max" : "min", direction);
  for (guint i = 0; i < G_N_ELEMENTS (sorts[0]) && sorts[order->sort][i]; i++)
    g_string_append_printf (sql, "%s %s NULLS LAST, ", sorts[order->sort][i], direction);
  g_string_append (sql, "id");
  return g_string_free (sql, FALSE);
}

static void
check_order (PenStore *store, sqlite3 *db, const PenChangeOrder *order)
{
  g_autofree char *sql = make_sql (order);
  g_autoptr (GArray) list = NULL;
  g_autoptr (GError) error = NULL;
  sqlite3_stmt *statement;
  guint i = 0;

  list = pen_store_list_changes (store, order, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  if (order->search)
    sqlite3_bind_text (statement, 1, order->search, -1, SQLITE_STATIC);
  for (; sqlite3_step (statement) == SQLITE_ROW; i++) {
    const PenListedChange *change = &g_array_index (list, PenListedChange, i);

    g_assert_cmpuint (i, <, list->len);
    g_assert_cmpuint (change->id, ==, (guint32) sqlite3_column_int64 (statement, 0));
    g_assert_cmpuint (change->batch, ==, (guint32) sqlite3_column_int64 (statement, 1));
  }
  g_assert_cmpuint (i, ==, list->len);
  sqlite3_finalize (statement);
}

static void
test_orders (gconstpointer capture)
{
  static const char *const words[] = { NULL, "r", "sched" };
  g_autofree char *file = g_test_build_filename (G_TEST_DIST, "data", capture, NULL);
  g_autofree char *place = g_dir_make_tmp ("pentimento-orders-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (place, "store", NULL);
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GError) error = NULL;
  sqlite3 *db = NULL;
  guint64 n = 0;

  pen_import (file, path, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  store = pen_store_open (path, &error);
  g_assert_no_error (error);
  g_assert_true (pen_store_count_changes (store, &n, &error));
  g_assert_cmpuint (n, >, 10);
  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  for (PenChangeSort sort = 0; sort < PEN_CHANGE_SORTS; sort++) {
    for (guint i = 0; i < PEN_CHANGE_SCOPES * G_N_ELEMENTS (words) * 4; i++) {
      const PenChangeOrder order = { .sort = sort,
                                     .is_descending = (i & 1) != 0,
                                     .is_grouped = (i & 2) != 0,
                                     .scope = i / 4 % PEN_CHANGE_SCOPES,
                                     .search = words[i / 4 / PEN_CHANGE_SCOPES] };

      check_order (store, db, &order);
    }
  }
  sqlite3_close (db);
  g_clear_object (&store);
  g_unlink (path);
  g_rmdir (place);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/change-orders/everything", "f-everything-z.data", test_orders);
  g_test_add_data_func ("/change-orders/bpf", "d-bpf.data", test_orders);
  return g_test_run ();
}
