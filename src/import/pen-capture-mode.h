/* pen-capture-mode.h: who may read what was made of a capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/*
 * pen_capture_mode:
 * @capture: file, directory, store, FIFO or "-", for standard input
 *
 * A store, table or picture says what its capture says: whoever must not read the one must not read
 * the other. Of a directory, its `data` counts, and the directory itself. perf makes recordings
 * that only their owner can read, and so does a pipe.
 *
 * Returns: permissions for open(), of which the umask takes more away. The owner may always write;
 *   others may what the umask lets them if they may read @capture. Nobody else, if that cannot be
 *   found out.
 */
mode_t pen_capture_mode (const char *capture);

G_END_DECLS
