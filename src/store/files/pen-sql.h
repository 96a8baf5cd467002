/* pen-sql.h: SQLite with GError; used inside src/store only
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

G_BEGIN_DECLS

G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3_stmt, sqlite3_finalize)

typedef enum {
  PEN_SQL_ROW,
  PEN_SQL_DONE,
  PEN_SQL_FAILED, /* with an error */
} PenSqlStep;

/* Turns the last failure of @db into an error of PEN_STORE_ERROR, or G_IO_ERROR_CANCELLED where a
 * progress handler stopped it. Always returns FALSE. */
gboolean pen_sql_set_error (sqlite3 *db, const char *path, const char *doing, GError **error);

/*
 * pen_sql_open_stranger:
 * @path: a file that may come from anywhere
 * @flags: SQLite's, for reading or for writing
 *
 * Undoes an interrupted change first (pen-journal.h). Nothing in its schema is allowed to do more
 * than hold rows. What is not ours beside it is not looked at; then it is not written to either.
 *
 * Returns: (nullable): to be closed, also by sqlite3_close_v2()
 */
sqlite3 *pen_sql_open_stranger (const char *path, int flags, GError **error);

/* The same of a state (pen-page-file.h), which is ours. */
sqlite3 *pen_sql_open_state (const char *name, GError **error);

gboolean pen_sql_exec (sqlite3 *db, const char *sql, GError **error);
sqlite3_stmt *pen_sql_prepare (sqlite3 *db, const char *sql, GError **error);
PenSqlStep pen_sql_step (sqlite3_stmt *statement, GError **error);

/* As sqlite3_step(); undoes what another process has left meanwhile. */
int pen_sql_step_raw (sqlite3_stmt *statement);

/* Unsigned 64-bit values are kept as SQLite's signed ones, two's complement. */
static inline void
pen_sql_bind_u64 (sqlite3_stmt *statement, int index, guint64 value)
{
  sqlite3_bind_int64 (statement, index, (sqlite3_int64) value);
}

static inline guint64
pen_sql_u64 (sqlite3_stmt *statement, int column)
{
  return (guint64) sqlite3_column_int64 (statement, column);
}

/* Never NULL. Valid until the next step. */
static inline const char *
pen_sql_text (sqlite3_stmt *statement, int column)
{
  const char *text = (const char *) sqlite3_column_text (statement, column);

  return text ? text : "";
}

/*
 * An unsigned range [@first, @last] is one range of signed integers, or two where it crosses 2^63.
 * Binds four parameters from @index on, for "x BETWEEN ?1 AND ?2 OR x BETWEEN ?3 AND ?4".
 */
void pen_sql_bind_range (sqlite3_stmt *statement, int index, guint64 first, guint64 last);

G_END_DECLS
