/* pen-schema-check.h: does a file's schema hold what a store's holds, and nothing that acts?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-sql.h"

G_BEGIN_DECLS

/*
 * Refuses, with PEN_STORE_ERROR_NOT_A_STORE, what may do more than hold rows: triggers, virtual
 * tables, and views under the names of a store's tables. Tables, indexes and views that a user has
 * added are welcome. Nothing of the schema is run to find out.
 */
gboolean pen_schema_check (sqlite3 *db, const char *path, GError **error);

G_END_DECLS
