/* pen-store-header.h: facts of a store in the first bytes of its file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * pen_store_header_read:
 * @version: (out): the store version that it claims
 *
 * Looks at the header alone, without SQLite and without locks.
 *
 * Returns: FALSE: no regular file, may not be read, or no store
 */
gboolean pen_store_header_read (const char *path, guint32 *version);

/*
 * pen_store_header_check_target:
 *
 * May an import be written to @path, in place of what is there? Not where that is a store of a
 * newer version: this one could not make it again.
 *
 * Returns: FALSE with PEN_STORE_ERROR_NEWER
 */
gboolean pen_store_header_check_target (const char *path, GError **error);

G_END_DECLS
