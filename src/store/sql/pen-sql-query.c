/* pen-sql-query.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sql-query.h"

#include <string.h>

#include "pen-sql-guard.h"
#include "pen-sql-watch.h"
#include "pen-store-private.h"
#include "pen-virtual-tables.h"

struct _PenSqlQuery {
  PenStore *store;
  PenSqlGuard *guard;
  sqlite3_stmt *statement;
  sqlite3_int64 former_limit;
  PenSqlWatch *watch;
};

G_DEFINE_QUARK (pen_sql_error_quark, pen_sql_error)

/* ---- time and memory ---- */

static int
must_stop (void *watch)
{
  return pen_sql_watch_must_stop (watch);
}

static gboolean
set_error (PenSqlQuery *self, GError **error)
{
  int code = sqlite3_errcode (self->store->db) & 0xff;
  const char *message = sqlite3_errmsg (self->store->db);

  if (pen_sql_watch_is_late (self->watch) || code == SQLITE_INTERRUPT)
    pen_sql_watch_set_error (self->watch, error);
  else if (code == SQLITE_NOMEM)
    g_set_error (error, PEN_SQL_ERROR, PEN_SQL_ERROR_MEMORY,
                 "the query needs more than the %d MiB of memory that it may have; ask for less at "
                 "once",
                 PEN_SQL_MEMORY >> 20);
  else if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
    g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED, "%s", message);
  else
    g_set_error (error, PEN_SQL_ERROR, PEN_SQL_ERROR_FAILED, "%s", message);
  return FALSE;
}

/* ---- one statement, that reads ---- */

static gboolean refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  if (error)
    *error = g_error_new_valist (PEN_SQL_ERROR, PEN_SQL_ERROR_USAGE, format, values);
  va_end (values);
  return FALSE;
}

static gboolean
refuse_sql (PenSqlQuery *self, GError **error)
{
  int code = sqlite3_errcode (self->store->db) & 0xff;
  const char *message = sqlite3_errmsg (self->store->db);

  if (code == SQLITE_AUTH && pen_sql_guard_get_reason (self->guard))
    return refuse (error, "the query is refused: %s", pen_sql_guard_get_reason (self->guard));
  if (code != SQLITE_ERROR && code != SQLITE_AUTH && code != SQLITE_TOOBIG)
    return set_error (self, error);
  if (g_str_has_prefix (message, "no such table"))
    return refuse (error,
                   "%s; there are sample, bucket, callchain(ID), and those of “SELECT name FROM "
                   "sqlite_schema”",
                   message);
  return refuse (error, "%s", message);
}

static gboolean
prepare (PenSqlQuery *self, const char *sql, GError **error)
{
  sqlite3 *db = self->store->db;
  const char *rest;

  if (sqlite3_prepare_v2 (db, sql, -1, &self->statement, &rest) != SQLITE_OK)
    return refuse_sql (self, error);
  if (!self->statement && *rest == '\0')
    return refuse (error, "the query is empty");

  while (*rest != '\0') {
    g_autoptr (sqlite3_stmt) second = NULL;

    /* A comment, or another ";", is no statement. */
    if (sqlite3_prepare_v2 (db, rest, -1, &second, &rest) != SQLITE_OK || second)
      return refuse (error, "one query at a time: there is more after the first");
  }

  if (!self->statement)
    return refuse (error, "the query is empty");
  if (!sqlite3_stmt_readonly (self->statement) || sqlite3_column_count (self->statement) == 0)
    return refuse (error, "the query is refused: a query can only read");
  if (sqlite3_bind_parameter_count (self->statement) > 0)
    return refuse (error, "the query has a parameter (%s), and nothing to put there",
                   sqlite3_bind_parameter_name (self->statement, 1)
                       ? sqlite3_bind_parameter_name (self->statement, 1)
                       : "?");
  return TRUE;
}

static gboolean
begin (PenSqlQuery *self, const char *sql, GError **error)
{
  if (pen_virtual_tables_register (self->store->db, self->store) != SQLITE_OK)
    return set_error (self, error);
  self->guard = pen_sql_guard_new (self->store->db);
  return prepare (self, sql, error);
}

void
pen_sql_forgo_limit (void)
{
  sqlite3_config (SQLITE_CONFIG_MEMSTATUS, 0);
}

PenSqlQuery *
pen_sql_query_new (PenStore *store, const char *sql, guint seconds, PenSqlStuckFunc func,
                   gpointer user_data, GError **error)
{
  g_autoptr (PenSqlQuery) self = g_new0 (PenSqlQuery, 1);
  gboolean is_good;

  self->store = g_object_ref (store);
  self->former_limit = sqlite3_hard_heap_limit64 (sqlite3_memory_used () + PEN_SQL_MEMORY);
  self->watch = pen_sql_watch_new (seconds, store->cancellable, func, user_data);
  sqlite3_progress_handler (store->db, PEN_STORE_CANCEL_STEPS, must_stop, self->watch);

  pen_sql_watch_begin (self->watch);
  is_good = begin (self, sql, error);
  pen_sql_watch_end (self->watch);
  return is_good ? g_steal_pointer (&self) : NULL;
}

void
pen_sql_query_free (PenSqlQuery *self)
{
  if (!self)
    return;

  sqlite3_finalize (self->statement);
  pen_sql_guard_free (self->guard);
  pen_store_watch_cancellable (self->store);
  pen_sql_watch_free (self->watch);
  sqlite3_hard_heap_limit64 (self->former_limit);
  g_object_unref (self->store);
  g_free (self);
}

guint
pen_sql_query_get_n_columns (PenSqlQuery *self)
{
  return (guint) sqlite3_column_count (self->statement);
}

const char *
pen_sql_query_get_name (PenSqlQuery *self, guint column)
{
  const char *name = sqlite3_column_name (self->statement, (int) column);

  return name ? name : "";
}

gboolean
pen_sql_query_next (PenSqlQuery *self, gboolean *has_row, GError **error)
{
  int code;

  *has_row = FALSE;
  pen_sql_watch_begin (self->watch);
  code = pen_sql_step_raw (self->statement);
  pen_sql_watch_end (self->watch);

  if (code != SQLITE_ROW && code != SQLITE_DONE)
    return set_error (self, error);
  *has_row = code == SQLITE_ROW;
  return TRUE;
}

PenSqlCell
pen_sql_query_get_cell (PenSqlQuery *self, guint column)
{
  sqlite3_stmt *statement = self->statement;
  int index = (int) column;
  PenSqlCell cell = { .type = PEN_SQL_NULL };

  switch (sqlite3_column_type (statement, index)) {
  case SQLITE_INTEGER:
    cell.type = PEN_SQL_INTEGER;
    cell.integer = sqlite3_column_int64 (statement, index);
    break;
  case SQLITE_FLOAT:
    cell.type = PEN_SQL_REAL;
    cell.real = sqlite3_column_double (statement, index);
    break;
  case SQLITE_TEXT:
    cell.text = (const char *) sqlite3_column_text (statement, index);
    cell.n = (gsize) sqlite3_column_bytes (statement, index);
    cell.type = cell.text ? PEN_SQL_TEXT : PEN_SQL_NULL;
    break;
  case SQLITE_BLOB:
    cell.bytes = sqlite3_column_blob (statement, index);
    cell.n = (gsize) sqlite3_column_bytes (statement, index);
    cell.type = PEN_SQL_BYTES;
    break;
  default:
    break;
  }
  return cell;
}
