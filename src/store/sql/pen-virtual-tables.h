/* pen-virtual-tables.h: samples, buckets and callchains as rows of virtual tables
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <sqlite3.h>

#include "pen-store.h"

G_BEGIN_DECLS

/*
 * pen_virtual_tables_register:
 * @store: (nullable): whose connection @db is; it must outlive @db. NULL: the store that is the
 * main database of @db, by its file's name, opened when it is asked for the first time
 *
 * Gives @db the tables `sample` and `bucket`, the table-valued function `callchain(id)`, and
 * temporary views over them: docs/store.md. Their columns are those of the sample table first.
 *
 * Returns: an SQLite result code
 */
int pen_virtual_tables_register (sqlite3 *db, PenStore *store);

G_END_DECLS
