/* pen-sql-guard.h: keeps a stranger's query from doing anything but read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

G_BEGIN_DECLS

typedef struct _PenSqlGuard PenSqlGuard;

/*
 * From now on until it is freed, statements are compiled for @db only if they read: no ATTACH, no
 * transaction, no PRAGMA but those that describe tables, no function that reaches out of the
 * database or that is not known to be harmless; and with limits to their size.
 */
PenSqlGuard *pen_sql_guard_new (sqlite3 *db);
void pen_sql_guard_free (PenSqlGuard *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSqlGuard, pen_sql_guard_free)

/* The reason why the last statement was refused. Returns: (nullable) */
const char *pen_sql_guard_get_reason (PenSqlGuard *self);

G_END_DECLS
