/* pen-sql-query.h: a user's own question to a store, in SQL
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"

G_BEGIN_DECLS

#define PEN_SQL_ERROR (pen_sql_error_quark ())
GQuark pen_sql_error_quark (void);

typedef enum {
  PEN_SQL_ERROR_USAGE, /* it is no SQL, names what is not there, or would do more than read */
  PEN_SQL_ERROR_TIME,  /* it took longer than it may */
  PEN_SQL_ERROR_MEMORY,
  PEN_SQL_ERROR_FAILED,
} PenSqlError;

/* The memory that SQLite may take for all of a query. Sorts that are larger go to a temporary file.
 */
#define PEN_SQL_MEMORY (256 << 20)

/*
 * pen_sql_forgo_limit: SQLite counts what memory it has for the limit above, under a lock, for each
 * piece that it takes or gives back. A program that will have no PenSqlQuery can do without.
 *
 * To be called before the first store is opened or written.
 */
void pen_sql_forgo_limit (void);

/*
 * PenSqlQuery: one statement, which can only read: the tables of docs/store.md, and the virtual
 * ones of pen-virtual-tables.h. One at a time for a store; nothing else is to be asked of it
 * meanwhile.
 */
typedef struct _PenSqlQuery PenSqlQuery;

typedef enum {
  PEN_SQL_NULL,
  PEN_SQL_INTEGER,
  PEN_SQL_REAL,
  PEN_SQL_TEXT,
  PEN_SQL_BYTES,
} PenSqlType;

/* @text, @bytes: until the next row; @text has @n bytes and a NUL after them, and may have more.
 */
typedef struct {
  PenSqlType type;
  gint64 integer;
  double real;
  const char *text;
  const guint8 *bytes;
  gsize n;
} PenSqlCell;

/*
 * PenSqlStuckFunc: what to do with a query that goes on a second after it was to stop, since a
 * single function of SQLite does, which nothing can end but the end of the process.
 * @error: PEN_SQL_ERROR_TIME or G_IO_ERROR_CANCELLED, as the query would have had it
 *
 * Called in a thread of its own, while the query's is in SQLite, and stays there until this
 * returns.
 */
typedef void (*PenSqlStuckFunc) (const GError *error, gpointer user_data);

/*
 * pen_sql_query_new:
 * @seconds: how long it may work, without the time between pen_sql_query_next() and the next one;
 *   0: as long as it likes
 * @func: (nullable): for a query that does not stop, also for one that this function prepares
 */
PenSqlQuery *pen_sql_query_new (PenStore *store, const char *sql, guint seconds,
                                PenSqlStuckFunc func, gpointer user_data, GError **error);
void pen_sql_query_free (PenSqlQuery *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSqlQuery, pen_sql_query_free)

guint pen_sql_query_get_n_columns (PenSqlQuery *self);
const char *pen_sql_query_get_name (PenSqlQuery *self, guint column);

/* To the next row, the first one at first. @has_row: (out): FALSE: there are no more */
gboolean pen_sql_query_next (PenSqlQuery *self, gboolean *has_row, GError **error);
PenSqlCell pen_sql_query_get_cell (PenSqlQuery *self, guint column);

G_END_DECLS
