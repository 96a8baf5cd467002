/* pen-import-place.h: which capture a folder means
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_import_find_capture:
 * @path: a capture, a store, or a folder that has a capture with perf's own name in it
 *
 * A folder that is no perf.data directory itself stands for the `perf.data`, file or directory, in
 * it; anything else for itself.
 *
 * Returns: (transfer full): a path
 */
char *pen_import_find_capture (const char *path);

G_END_DECLS
