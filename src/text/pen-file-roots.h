/* pen-file-roots.h: where the recorded machine's files may be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_file_roots_new:
 * @symfs: (nullable): a directory that they are below: then nowhere else
 *
 * In a Flatpak sandbox the host's files are below /run/host.
 *
 * Returns: (transfer full): what to put before absolute paths, in this order
 */
char **pen_file_roots_new (const char *symfs);

/* A recorded path is only followed if it is absolute and does not lead upwards. */
gboolean pen_file_roots_may_follow (const char *path);

G_END_DECLS
