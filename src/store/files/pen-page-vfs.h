/* pen-page-vfs.h: SQLite's way to a PenPageFile
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Registers it once. Returns: its name (sqlite.org/vfs.html) */
const char *pen_page_vfs_register (void);

G_END_DECLS
