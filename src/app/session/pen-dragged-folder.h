/* pen-dragged-folder.h: where files lie that are dragged out of a window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * pen_dragged_folder_make:
 *
 * Makes a folder for one file, which only the user can look into: `dragged/XXXXXX` in the cache.
 * Removes those that were left there for more than a day, by runs that fell. Blocks.
 *
 * Returns: (transfer full): its path
 */
char *pen_dragged_folder_make (GError **error);

/* Removes it with the files in it. Blocks. */
void pen_dragged_folder_remove (const char *path);

G_END_DECLS
