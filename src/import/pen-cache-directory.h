/* pen-cache-directory.h: where imports are kept
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * $XDG_CACHE_HOME/pentimento, made where it is not there; where it cannot be used, a directory of
 * the user's own for temporary files, and a message that says so.
 *
 * Returns: (transfer full): a file name
 */
char *pen_cache_directory (GError **error);

G_END_DECLS
