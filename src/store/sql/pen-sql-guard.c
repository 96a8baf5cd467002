/* pen-sql-guard.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sql-guard.h"

#include <string.h>

#include "pen-table-hash.h"

/* Bits of pragma_function_list's column flags: sqlite.org/c3ref/c_deterministic.html. */
#define HARMLESS "(flags & 0x200800) <> 0 AND (flags & 0x80000) = 0"

/* The bounds of a statement. The longest cell that the virtual tables read is a block of samples,
 * of less than 3 MiB. */
static const struct {
  int limit;
  int value;
} limits[] = {
  { SQLITE_LIMIT_LENGTH, 16 << 20 },
  { SQLITE_LIMIT_SQL_LENGTH, 1 << 20 },
  { SQLITE_LIMIT_EXPR_DEPTH, 200 },
  { SQLITE_LIMIT_COMPOUND_SELECT, 100 },
  { SQLITE_LIMIT_ATTACHED, 0 },
  { SQLITE_LIMIT_TRIGGER_DEPTH, 0 },
  { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000 },
  { SQLITE_LIMIT_WORKER_THREADS, 0 },
};

struct _PenSqlGuard {
  sqlite3 *db;
  GHashTable *functions; /* names of those that are let through */
  char *reason;
  int former[G_N_ELEMENTS (limits)];
};

/* One name may stand for several functions: all of them have to be harmless. */
static GHashTable *
load_functions (sqlite3 *db)
{
  GHashTable *functions = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (db,
                          "SELECT lower(name) FROM pragma_function_list"
                          " GROUP BY 1 HAVING min(" HARMLESS ")",
                          -1, &statement, NULL)
      == SQLITE_OK)
    while (sqlite3_step (statement) == SQLITE_ROW)
      g_hash_table_add (functions, g_strdup ((const char *) sqlite3_column_text (statement, 0)));
  sqlite3_finalize (statement);
  return functions;
}

static gboolean
is_in (const char *word, const char *const *words)
{
  for (; *words; words++)
    if (g_ascii_strcasecmp (word, *words) == 0)
      return TRUE;
  return FALSE;
}

/* With an argument the latter would set something. */
static gboolean
is_describing_pragma (const char *name, const char *argument)
{
  static const char *const of_a_table[]
      = { "foreign_key_list", "function_list", "index_info",  "index_list",
          "index_xinfo",      "module_list",   "pragma_list", "table_info",
          "table_list",       "table_xinfo",   NULL };
  static const char *const of_the_file[]
      = { "application_id", "collation_list", "encoding", "page_count",
          "page_size",      "user_version",   NULL };

  return is_in (name, of_a_table) || (!argument && is_in (name, of_the_file));
}

static int
deny (PenSqlGuard *self, char *reason)
{
  g_free (self->reason);
  self->reason = reason;
  return SQLITE_DENY;
}

static int
deny_writing (PenSqlGuard *self)
{
  return deny (self, g_strdup ("a query can only read"));
}

static gboolean
is_harmless_function (PenSqlGuard *self, const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return g_hash_table_contains (self->functions, lower);
}

/* @second: name of a function, or argument of a pragma: sqlite.org/c3ref/c_alter_table.html */
static int
authorize (void *data, int action, const char *first, const char *second,
           G_GNUC_UNUSED const char *database, G_GNUC_UNUSED const char *by)
{
  PenSqlGuard *self = data;

  switch (action) {
  case SQLITE_SELECT:
  case SQLITE_READ:
  case SQLITE_RECURSIVE:
    return SQLITE_OK;
  case SQLITE_UPDATE:
    /* SQLite compiles one to declare a virtual table, and never runs it. A user's statement of this
     * kind is refused for not being read-only. */
    return strcmp (first, "sqlite_master") == 0 ? SQLITE_OK : deny_writing (self);
  case SQLITE_FUNCTION:
    return is_harmless_function (self, second)
               ? SQLITE_OK
               : deny (self, g_strdup_printf ("the function %s is not allowed", second));
  case SQLITE_PRAGMA:
    return is_describing_pragma (first, second)
               ? SQLITE_OK
               : deny (self, g_strdup_printf ("this use of PRAGMA %s is not allowed", first));
  default:
    return deny_writing (self);
  }
}

PenSqlGuard *
pen_sql_guard_new (sqlite3 *db)
{
  PenSqlGuard *self = g_new0 (PenSqlGuard, 1);

  self->db = db;
  self->functions = load_functions (db);
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    self->former[i] = sqlite3_limit (db, limits[i].limit, limits[i].value);
  sqlite3_set_authorizer (db, authorize, self);
  return self;
}

void
pen_sql_guard_free (PenSqlGuard *self)
{
  if (!self)
    return;

  sqlite3_set_authorizer (self->db, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    sqlite3_limit (self->db, limits[i].limit, self->former[i]);
  g_hash_table_unref (self->functions);
  g_free (self->reason);
  g_free (self);
}

const char *
pen_sql_guard_get_reason (PenSqlGuard *self)
{
  return self->reason;
}
