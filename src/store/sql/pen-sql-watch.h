/* pen-sql-watch.h: how long a query works, and what is done when it does not stop
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-sql-query.h"

G_BEGIN_DECLS

/*
 * PenSqlWatch: SQLite asks between two instructions of a query whether it is to stop. One
 * instruction may be a function that works for hours, such as instr() of two long texts. A thread
 * looks for those, and calls the func of pen_sql_query_new() if one goes on after its time.
 */
typedef struct _PenSqlWatch PenSqlWatch;

/*
 * pen_sql_watch_new:
 * @seconds: of work; 0: as many as it likes
 * @cancellable: (nullable):
 * @func: (nullable): without it, there is no thread
 */
PenSqlWatch *pen_sql_watch_new (guint seconds, GCancellable *cancellable, PenSqlStuckFunc func,
                                gpointer user_data);
void pen_sql_watch_free (PenSqlWatch *self);

/* Around each stretch of work, all from one thread. */
void pen_sql_watch_begin (PenSqlWatch *self);
void pen_sql_watch_end (PenSqlWatch *self);

/* Within a stretch of work. Returns: that it is to stop */
gboolean pen_sql_watch_must_stop (PenSqlWatch *self);

/* If it had to stop for its time. Returns: FALSE */
gboolean pen_sql_watch_set_error (const PenSqlWatch *self, GError **error);
gboolean pen_sql_watch_is_late (const PenSqlWatch *self);

G_END_DECLS
