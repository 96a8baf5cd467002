/* pen-sqlite-host.h: in front of every source of the loadable extension
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

/* Calls go to the SQLite that loads the extension, by its table of routines, and to no other: two
 * of them in one process would take each other's locks away (sqlite.org/howtocorrupt.html, 2.2.1).
 */
#include <sqlite3ext.h>

SQLITE_EXTENSION_INIT3
