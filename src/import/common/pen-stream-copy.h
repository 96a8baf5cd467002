/* pen-stream-copy.h: a stream, copied into a file as it comes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _PenStreamCopy PenStreamCopy;

/*
 * pen_stream_copy_start:
 * @path: a FIFO, or "-" for standard input
 * @copy: a file, which is made
 *
 * Copies in a thread of its own. It takes no more than half of the space that is free there.
 */
PenStreamCopy *pen_stream_copy_start (const char *path, const char *copy, GError **error);
/* Stops it, if it is not done. */
void pen_stream_copy_free (PenStreamCopy *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStreamCopy, pen_stream_copy_free)

/* Nothing more is written to the copy: the stream has ended, or its copy has failed. */
gboolean pen_stream_copy_is_done (PenStreamCopy *self);
/* Waits for the end. FALSE with @error: not all of the stream is there */
gboolean pen_stream_copy_finish (PenStreamCopy *self, GError **error);

G_END_DECLS
