/* pen-found-file.h: has a file that an import found changed since?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-writer.h"

G_BEGIN_DECLS

/* Files that the user gave or the capture brought along are in the key of an import; this is for
 * those that were found. Files of /proc are never the same twice, and left out. */
gboolean pen_found_file_write (const char *path, PenStoreWriter *writer, GError **error);

/* One that is gone does not count: what it said is in the store. */
gboolean pen_found_files_are_unchanged (PenStore *store);

/* Is there still nothing where the import looked for debug information in vain? */
gboolean pen_found_files_are_all (PenStore *store);

G_END_DECLS
