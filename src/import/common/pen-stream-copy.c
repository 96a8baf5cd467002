/* pen-stream-copy.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stream-copy.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PIECE 65536u

struct _PenStreamCopy {
  GInputStream *from;
  GOutputStream *to;
  char *directory; /* for messages */
  guint64 most;    /* bytes that it may have */
  GCancellable *cancellable;
  GThread *thread;
  gint is_done; /* atomic */
  GError *error;
};

static gboolean
copy (PenStreamCopy *self, GError **error)
{
  g_autofree guint8 *piece = g_malloc (PIECE);
  guint64 written = 0;
  gssize got;

  while ((got = g_input_stream_read (self->from, piece, PIECE, self->cancellable, error)) > 0) {
    written += (guint64) got;
    if (written > self->most) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                   _ ("The copy of the stream needs more than half of the free space in “%s”. Set "
                      "TMPDIR to a directory with more free space"),
                   self->directory);
      return FALSE;
    }
    if (!g_output_stream_write_all (self->to, piece, (gsize) got, NULL, self->cancellable, error))
      return FALSE;
  }
  return got == 0;
}

static gpointer
run (gpointer data)
{
  PenStreamCopy *self = data;

  if (copy (self, &self->error))
    g_output_stream_close (self->to, NULL, &self->error);
  g_atomic_int_set (&self->is_done, TRUE);
  return NULL;
}

static int
open_stream (const char *path)
{
  if (strcmp (path, "-") == 0)
    return fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  /* To be waited for with the cancellable. */
  return open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

PenStreamCopy *
pen_stream_copy_start (const char *path, const char *copy_path, GError **error)
{
  g_autoptr (PenStreamCopy) self = g_new0 (PenStreamCopy, 1);
  int from = open_stream (path);
  int code = errno;
  struct statvfs info;
  int to;

  if (from < 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot read “%s”: %s"), path,
                 g_strerror (code));
    return NULL;
  }
  self->from = g_unix_input_stream_new (from, TRUE);
  to = open (copy_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  code = errno;
  self->directory = g_path_get_dirname (copy_path);
  if (to < 0 || fstatvfs (to, &info) < 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot write “%s”: %s"),
                 copy_path, g_strerror (code));
    if (to >= 0)
      close (to);
    return NULL;
  }
  self->to = g_unix_output_stream_new (to, TRUE);
  self->most = (guint64) info.f_bavail * info.f_frsize / 2;
  self->cancellable = g_cancellable_new ();
  self->thread = g_thread_new ("stream", run, self);
  return g_steal_pointer (&self);
}

void
pen_stream_copy_free (PenStreamCopy *self)
{
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  if (self->thread)
    g_thread_join (self->thread);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->to);
  g_clear_object (&self->from);
  g_clear_error (&self->error);
  g_free (self->directory);
  g_free (self);
}

gboolean
pen_stream_copy_is_done (PenStreamCopy *self)
{
  return g_atomic_int_get (&self->is_done);
}

gboolean
pen_stream_copy_finish (PenStreamCopy *self, GError **error)
{
  g_thread_join (g_steal_pointer (&self->thread));
  if (!self->error)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}
