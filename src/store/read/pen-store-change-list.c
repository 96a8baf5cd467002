/* pen-store-change-list.c: the view `change`, sorted, searched and grouped
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-change-order.h"
#include "pen-store-private.h"

/* SQLite calls it for each change that the other conditions leave. */
#define IS_LISTED "pen_is_listed"

typedef struct {
  PenChangeTest test;
  gpointer user_data;
} Listing;

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

#define SEARCHED                                                                                   \
  "instr(lower(ifnull(symbol, '') || char(10) || occupant || char(10) || change || char(10) ||"    \
  " ifnull(comm, '') || char(10) || ifnull(cause, '') || char(10) || kind || char(10) ||"          \
  " printf('0x%x', address)), lower(?1))"

static void
append_order (GString *sql, const PenChangeOrder *order)
{
  const char *direction = order->is_descending ? " DESC" : "";

  g_string_append (sql, " ORDER BY ");
  if (order->is_grouped && order->sort == PEN_CHANGE_SORT_TIME)
    g_string_append_printf (sql, "%s(id) OVER (PARTITION BY ifnull(batch, -id))%s, id%s",
                            order->is_descending ? "max" : "min", direction, direction);
  else if (order->sort == PEN_CHANGE_SORT_TIME)
    g_string_append_printf (sql, "id%s", direction);
  else
    for (guint i = 0; i < G_N_ELEMENTS (sorts[0]) && sorts[order->sort][i]; i++)
      g_string_append_printf (sql, "%s%s NULLS LAST, ", sorts[order->sort][i], direction);
  if (order->sort != PEN_CHANGE_SORT_TIME)
    g_string_append (sql, "id");
}

static void
is_listed (sqlite3_context *context, G_GNUC_UNUSED int n, sqlite3_value **values)
{
  const Listing *listing = sqlite3_user_data (context);
  guint32 id = (guint32) sqlite3_value_int64 (values[0]);

  sqlite3_result_int (context, listing->test (id, listing->user_data));
}

static GArray *
read_list (PenStore *self, const char *sql, const char *search, GError **error)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (PenListedChange));
  g_autoptr (sqlite3_stmt) statement = pen_sql_prepare (self->db, sql, error);
  PenSqlStep step = PEN_SQL_FAILED;

  if (statement && search)
    sqlite3_bind_text (statement, 1, search, -1, SQLITE_STATIC);
  while (statement && (step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenListedChange change
        = { (guint32) pen_sql_u64 (statement, 0), (guint32) pen_sql_u64 (statement, 1) };

    g_array_append_val (list, change);
  }
  return step == PEN_SQL_DONE ? g_steal_pointer (&list) : NULL;
}

GArray *
pen_store_list_changes (PenStore *self, const PenChangeOrder *order, PenChangeTest test,
                        gpointer user_data, GError **error)
{
  const char *search = order->search && *order->search != '\0' ? order->search : NULL;
  g_autoptr (GString) sql = g_string_new ("SELECT id, batch FROM change WHERE ");
  Listing listing = { test, user_data };
  GArray *list;

  g_string_append (sql, scopes[order->scope]);
  if (search)
    g_string_append (sql, " AND " SEARCHED);
  if (test)
    g_string_append (sql, " AND " IS_LISTED "(id)");
  append_order (sql, order);

  sqlite3_create_function_v2 (self->db, IS_LISTED, 1, SQLITE_UTF8, &listing, is_listed, NULL, NULL,
                              NULL);
  list = read_list (self, sql->str, search, error);
  sqlite3_create_function_v2 (self->db, IS_LISTED, 1, SQLITE_UTF8, NULL, NULL, NULL, NULL, NULL);
  return list;
}

gboolean
pen_store_count_changes (PenStore *self, guint64 *n, GError **error)
{
  g_autoptr (sqlite3_stmt) statement
      = pen_sql_prepare (self->db, "SELECT count(*) FROM change", error);

  if (!statement || pen_sql_step (statement, error) != PEN_SQL_ROW)
    return FALSE;
  *n = pen_sql_u64 (statement, 0);
  return TRUE;
}

gboolean
pen_store_find_change (PenStore *self, PenMoment moment, guint32 *id, GError **error)
{
  /* Each of the three tables has an index of positions; what has no time counts as 0. */
  g_autoptr (sqlite3_stmt) statement
      = pen_sql_prepare (self->db,
                         "SELECT id FROM change WHERE position = ?2"
                         " AND ifnull(nullif(time, -1), 0) = ?1 ORDER BY id DESC LIMIT 1",
                         error);

  if (!statement)
    return FALSE;
  pen_sql_bind_u64 (statement, 1, moment.time);
  pen_sql_bind_u64 (statement, 2, moment.position);
  if (pen_sql_step (statement, error) != PEN_SQL_ROW)
    return FALSE;
  *id = (guint32) pen_sql_u64 (statement, 0);
  return TRUE;
}
