/* pen-virtual-private.h: what the virtual tables share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <sqlite3.h>

#include "pen-store.h"

G_BEGIN_DECLS

/*
 * PenVirtualHost: what the tables of one connection share.
 * @store: NULL until it is needed, where it is opened by name
 */
typedef struct {
  gatomicrefcount references;
  sqlite3 *db;
  PenStore *store;
  gboolean owns_store;
} PenVirtualHost;

/*
 * PenVirtualTable: every table's object. SQLite frees base.zErrMsg.
 */
typedef struct {
  sqlite3_vtab base;
  PenStore *store;
} PenVirtualTable;

/* For xConnect. @columns: "CREATE TABLE x (…)"; @size: of what begins with a PenVirtualTable,
 * zeroed */
int pen_virtual_table_connect (sqlite3 *db, PenVirtualHost *host, const char *columns, gsize size,
                               sqlite3_vtab **table, char **message);
/* For xDisconnect. */
int pen_virtual_table_disconnect (sqlite3_vtab *table);

/* Hands a failure of the store on to SQLite, and frees it. Returns: an SQLite result code */
int pen_virtual_table_fail (sqlite3_vtab *table, GError *error);

/* ---- what a query asks a table for ---- */

/*
 * A constraint travels from xBestIndex to xFilter as two characters of idxStr: its column and its
 * operator. Constraints only ever narrow what is looked at: SQLite looks at each row once more.
 */
typedef struct {
  int column;
  guint8 operator; /* SQLITE_INDEX_CONSTRAINT_… */
  gboolean is_set; /* "IN": the value stands for several, sqlite3_vtab_in_first() */
} PenVirtualConstraint;

#define PEN_VIRTUAL_MAX_CONSTRAINTS 64

/*
 * Takes constraint @index of @info for xFilter's next argument. @column: as it is to be called
 * there Returns: FALSE where there are too many of them
 */
gboolean pen_virtual_take_constraint (sqlite3_index_info *info, int index, int column,
                                      GString *taken);
/* Hands what was taken to SQLite. */
int pen_virtual_finish_index (sqlite3_index_info *info, GString *taken);
/* In xFilter: constraint of argument @index. */
PenVirtualConstraint pen_virtual_get_constraint (const char *taken, int index);

/* FALSE only where no row with that @number, or @text (NULL: not known), can be equal to @value. */
gboolean pen_virtual_may_equal_integer (sqlite3_value *value, gint64 number);
gboolean pen_virtual_may_equal_text (sqlite3_value *value, const char *text);

/* A range of signed integers that shrinks; empty where first > last. */
typedef struct {
  gint64 first;
  gint64 last;
} PenVirtualRange;

#define PEN_VIRTUAL_RANGE_ALL ((PenVirtualRange){ G_MININT64, G_MAXINT64 })

/* Leaves in @range what may satisfy the comparison with @value. */
void pen_virtual_range_narrow (PenVirtualRange *range, guint8 operator, sqlite3_value * value);

/* The tables. */
extern const sqlite3_module pen_virtual_sample;
extern const sqlite3_module pen_virtual_bucket;
extern const sqlite3_module pen_virtual_callchain;

G_END_DECLS
