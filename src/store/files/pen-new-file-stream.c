/* pen-new-file-stream.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-new-file-stream.h"

#include <errno.h>
#include <unistd.h>

struct _PenNewFileStream {
  GOutputStream parent_instance;
  PenNewFile *file;
};

G_DEFINE_FINAL_TYPE (PenNewFileStream, pen_new_file_stream, G_TYPE_OUTPUT_STREAM)

static gssize
pen_new_file_stream_write (GOutputStream *stream, const void *bytes, gsize n,
                           GCancellable *cancellable, GError **error)
{
  PenNewFileStream *self = PEN_NEW_FILE_STREAM (stream);

  for (;;) {
    gssize done;
    int code;

    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return -1;
    done = write (self->file->fd, bytes, n);
    if (done >= 0)
      return done;
    code = errno;
    if (code == EINTR)
      continue;
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "Cannot write “%s”: %s",
                 self->file->path, g_strerror (code));
    return -1;
  }
}

static void
pen_new_file_stream_class_init (PenNewFileStreamClass *class)
{
  G_OUTPUT_STREAM_CLASS (class)->write_fn = pen_new_file_stream_write;
}

static void
pen_new_file_stream_init (G_GNUC_UNUSED PenNewFileStream *self)
{
}

GOutputStream *
pen_new_file_stream_new (PenNewFile *file)
{
  PenNewFileStream *self = g_object_new (PEN_TYPE_NEW_FILE_STREAM, NULL);

  self->file = file;
  return G_OUTPUT_STREAM (self);
}
