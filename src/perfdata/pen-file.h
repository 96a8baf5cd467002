/* pen-file.h: one file of a capture, open for reading
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * PenFile:
 * @name: for messages: the file's name within the capture
 * @size: in bytes, when it was opened; it may have shrunk since
 */
typedef struct {
  char *path;
  char *name;
  int fd;
  guint64 size;
} PenFile;

/*
 * pen_file_open:
 * @follow_links: whether @path may be a symbolic link
 *
 * Opens regular files only, and never waits (as opening a FIFO would).
 */
PenFile *pen_file_open (const char *path, const char *name, gboolean follow_links,
                        GError **error);
void pen_file_free (PenFile *self);

/*
 * pen_file_read:
 *
 * Reads up to @length bytes at @offset. Never maps the file: in a mapped file that shrinks, the next
 * access is a SIGBUS.
 *
 * Returns: how many bytes there were, fewer than @length only at the file's end; -1 with @error
 */
gssize pen_file_read (PenFile *self, guint64 offset, void *buffer, gsize length, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFile, pen_file_free)

G_END_DECLS
