/* pen-sqlite-extension.c: the virtual tables, for any SQLite: “.load pentimento-sqlite”
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <sqlite3ext.h>

#include "pen-virtual-tables.h"

SQLITE_EXTENSION_INIT1

/* sqlite3_vtab_in() came with it. */
#define MIN_SQLITE 3038000

/* SQLite makes the name out of the file's. */
G_MODULE_EXPORT int sqlite3_pentimentosqlite_init (sqlite3 *db, char **message,
                                                   const sqlite3_api_routines *api);

int
sqlite3_pentimentosqlite_init (sqlite3 *db, char **message, const sqlite3_api_routines *api)
{
  int code;

  SQLITE_EXTENSION_INIT2 (api);

  if (sqlite3_libversion_number () < MIN_SQLITE) {
    *message = sqlite3_mprintf ("Pentimento's tables need SQLite 3.38 or newer; this is %s",
                                sqlite3_libversion ());
    return SQLITE_ERROR;
  }

  code = pen_virtual_tables_register (db, NULL);

  /* GObject keeps the types that were made known to it: the code must stay where it is. */
  return code == SQLITE_OK ? SQLITE_OK_LOAD_PERMANENTLY : code;
}
