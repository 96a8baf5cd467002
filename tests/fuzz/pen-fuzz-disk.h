/* pen-fuzz-disk.h: the database of one path, in memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_fuzz_disk_use: from now on SQLite reads and writes a buffer in place of the file at @path,
 * which stays for those who look at files; all other files are as before. No locks, no journals.
 */
void pen_fuzz_disk_use (const char *path, const guint8 *bytes, gsize size);

/* Makes the buffer hold just these bytes: who has the database open sees that it was changed. */
void pen_fuzz_disk_set (const guint8 *bytes, gsize size);

/* Returns: (transfer none): until the buffer is written to. */
guint8 *pen_fuzz_disk_get (gsize *size);

G_END_DECLS
