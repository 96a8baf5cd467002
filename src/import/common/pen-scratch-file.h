/* pen-scratch-file.h: a file for what does not fit into memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * PenScratchFile: it has no name, and is gone when it is closed, however the program ends. Nothing
 * is made before the first byte is written.
 */
typedef struct {
  char *directory;
  int fd;
  guint64 length; /* bytes written so far */
} PenScratchFile;

void pen_scratch_file_init (PenScratchFile *self, const char *directory);
void pen_scratch_file_clear (PenScratchFile *self);

/* At the end of what is there. */
gboolean pen_scratch_file_append (PenScratchFile *self, const void *bytes, gsize n, GError **error);

/* At @offset, which is not beyond the end of the file. */
gboolean pen_scratch_file_write (PenScratchFile *self, guint64 offset, const void *bytes, gsize n,
                                 GError **error);

/* All @n bytes at @offset, or an error. */
gboolean pen_scratch_file_read (PenScratchFile *self, guint64 offset, void *bytes, gsize n,
                                GError **error);

G_END_DECLS
