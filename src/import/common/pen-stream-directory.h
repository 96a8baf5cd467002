/* pen-stream-directory.h: a place for files that are gone when they are not used any more
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * PenStreamDirectory: of one process, in TMPDIR, else /var/tmp, since /tmp may be memory
 * @lock: held while it is in use: what killed processes left is removed by the next
 * @store: where a store may be written
 * @copy: where a copy of a stream may be written
 */
typedef struct {
  char *path;
  int lock;
  char *store;
  char *copy;
} PenStreamDirectory;

PenStreamDirectory *pen_stream_directory_new (GError **error);
/* With the two files in it: open ones stay readable without their names. */
void pen_stream_directory_free (PenStreamDirectory *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStreamDirectory, pen_stream_directory_free)

G_END_DECLS
