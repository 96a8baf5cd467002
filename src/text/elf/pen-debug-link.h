/* pen-debug-link.h: a file's references to its debug information
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gelf.h>
#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * pen_debug_link_read:
 * @crc: (out): of all of the other file
 *
 * Section .gnu_debuglink (GDB's manual, “Separate Debug Files”).
 *
 * Returns: (transfer full) (nullable): a file name: it leads nowhere else
 */
char *pen_debug_link_read (Elf *elf, guint32 *crc);

/* Reads all of the file. */
gboolean pen_debug_link_has_crc (const char *path, guint32 crc, GCancellable *cancellable);

/*
 * pen_debug_link_read_alternate:
 * @build_id: (out): valid as long as @elf
 *
 * Section .gnu_debugaltlink: where dwz(1) put what several files have in common.
 *
 * Returns: (transfer full) (nullable): a path, which may be relative to the file's own directory
 */
char *pen_debug_link_read_alternate (Elf *elf, const guint8 **build_id, guint *length);

/*
 * pen_debug_link_list_alternates:
 * @path: of the file that has the reference
 * @link: the reference
 *
 * Returns: (transfer full): where that may be, unchecked
 */
char **pen_debug_link_list_alternates (const char *path, const char *link, const guint8 *build_id,
                                       guint length);

G_END_DECLS
