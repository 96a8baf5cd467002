/* pen-file.h: one file of a capture, open for reading
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-magic.h"

G_BEGIN_DECLS

/*
 * PenFile:
 * @path: for messages
 * @name: for messages: the file's name within the capture
 * @size: in bytes, when it was opened; it may have shrunk since. 0 for a stream
 * @is_stream: a FIFO or standard input: it is read once, from front to back, and its size is known
 *   when it has ended
 * @position: of a stream: how much has been taken from it
 * @cancellable: (nullable): borrowed: ends the wait for a stream's writer
 * @head: of a stream: its first bytes, which can be read again
 */
typedef struct {
  char *path;
  char *name;
  int fd;
  guint64 size;
  gboolean is_stream;
  guint64 position;
  GCancellable *cancellable;
  gboolean has_head;
  guint8 head[PEN_MAGIC_LENGTH];
  gsize head_length;
} PenFile;

/* The kinds of file that the path may lead to: for files beside the given one, PEN_FILE_PLAIN. */
typedef enum {
  PEN_FILE_PLAIN = 0,
  PEN_FILE_LINKS = 1 << 0, /* a symbolic link to one */
  PEN_FILE_FIFOS = 1 << 1, /* a FIFO */
} PenFileFlags;

/*
 * pen_file_open:
 *
 * Opens regular files only, unless @flags say more, and never waits: with a FIFO, pen_file_read()
 * waits for the writer.
 */
PenFile *pen_file_open (const char *path, const char *name, PenFileFlags flags, GError **error);

/* Standard input: a pipe, a socket, or a regular file that it was redirected from. */
PenFile *pen_file_open_standard_input (GError **error);

/* @fd: (transfer full): a regular file that has no name; @like: whose path and name it takes */
PenFile *pen_file_new_for_temporary (int fd, const PenFile *like, guint64 size);
void pen_file_free (PenFile *self);

/*
 * pen_file_read:
 *
 * Reads up to @length bytes at @offset; of a stream, never before its present position, except
 * within the head. Never maps the file: in a mapped file that shrinks, the next access is a SIGBUS.
 *
 * Returns: how many bytes there were, fewer than @length only at the file's end; -1 with @error
 */
gssize pen_file_read (PenFile *self, guint64 offset, void *buffer, gsize length, GError **error);

/* The same, but a stream is not waited for once @least bytes have come: what its writer has not
 * written yet may take long. Returns: fewer than @least only at the file's end */
gssize pen_file_read_some (PenFile *self, guint64 offset, void *buffer, gsize least, gsize length,
                           GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFile, pen_file_free)

G_END_DECLS
