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

/*
 * pen_file_roots_may_follow:
 * @path: as recorded
 * @has_symfs: it is looked for below a directory that the user gave, and nowhere else
 *
 * A recorded path is only followed if it is absolute and does not lead upwards. Without @has_symfs,
 * pen_file_roots_is_refused() must not apply.
 */
gboolean pen_file_roots_may_follow (const char *path, gboolean has_symfs);

/*
 * pen_file_roots_is_refused:
 *
 * A recording comes from anyone, and to look at some places of this machine is to act: automounts
 * ask the network for a machine that the path names (/net, autofs(5)); files of /proc, /sys and
 * /dev are devices, processes and the kernel; /run/user has mounts of the desktop. The kernel
 * records no path with an empty or “.” part.
 *
 * Returns: TRUE: an absolute path that is not looked for on this machine (PEN_REASON_PLACE_REFUSED)
 */
gboolean pen_file_roots_is_refused (const char *path);

G_END_DECLS
