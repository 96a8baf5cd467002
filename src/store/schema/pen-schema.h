/* pen-schema.h: tables, views and indexes of a store; described for people in docs/store.md
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

/* SQL: the value of a shared column. */
#define PEN_SHARED(column) "(SELECT value FROM shared WHERE id = " column ")"

/* Before the first row: tables and views. */
gboolean pen_schema_create (sqlite3 *db, GError **error);
/* After the last row: an index that is built at the end costs a sort, not a search per row. */
gboolean pen_schema_create_indexes (sqlite3 *db, GError **error);

/* The rows of the view `change`; of them, the poke ?1; and the map or ksymbol with the number ?1.
 */
extern const char pen_schema_changes[];
extern const char pen_schema_poke_change[];
extern const char pen_schema_other_change[];
