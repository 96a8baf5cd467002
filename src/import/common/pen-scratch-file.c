/* pen-scratch-file.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-scratch-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "pen-background-close.h"
#include "pen-new-file.h"

#define NAME "pentimento-samples"

void
pen_scratch_file_init (PenScratchFile *self, const char *directory)
{
  self->directory = g_strdup (directory);
  self->fd = -1;
  self->length = 0;
}

void
pen_scratch_file_clear (PenScratchFile *self)
{
  if (self->fd >= 0)
    pen_background_close (self->fd);
  self->fd = -1;
  g_clear_pointer (&self->directory, g_free);
}

static gboolean
set_errno_error (PenScratchFile *self, const char *format, GError **error)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), format, self->directory,
               g_strerror (code));
  return FALSE;
}

static gboolean
open_file (PenScratchFile *self, GError **error)
{
  g_autofree char *name = NULL;
  g_autoptr (PenNewFile) file = NULL;

  self->fd = g_open (self->directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (self->fd >= 0)
    return TRUE;

  /* Not every file system has files without a name. It is lost with the PenNewFile; who is killed
   * before that leaves it to the next one. */
  name = g_build_filename (self->directory, NAME, NULL);
  pen_new_file_remove_left (self->directory, NAME);
  file = pen_new_file_create (name, 0600, error);
  if (!file)
    return FALSE;
  self->fd = fcntl (file->fd, F_DUPFD_CLOEXEC, 0);
  return self->fd >= 0
         || set_errno_error (self, _ ("Cannot make a temporary file in “%s”: %s"), error);
}

gboolean
pen_scratch_file_write (PenScratchFile *self, guint64 offset, const void *bytes, gsize n,
                        GError **error)
{
  const guint8 *at = bytes;

  if (self->fd < 0 && !open_file (self, error))
    return FALSE;

  while (n > 0) {
    gssize written = pwrite (self->fd, at, n, (goffset) offset);

    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return set_errno_error (self, _ ("Cannot write a temporary file in “%s”: %s"), error);

    at += written;
    n -= (gsize) written;
    offset += (guint64) written;
    self->length = MAX (self->length, offset);
  }
  return TRUE;
}

gboolean
pen_scratch_file_append (PenScratchFile *self, const void *bytes, gsize n, GError **error)
{
  return pen_scratch_file_write (self, self->length, bytes, n, error);
}

gboolean
pen_scratch_file_read (PenScratchFile *self, guint64 offset, void *bytes, gsize n, GError **error)
{
  gsize got = 0;

  while (got < n) {
    gssize read = pread (self->fd, (guint8 *) bytes + got, n - got, (goffset) (offset + got));

    if (read < 0 && errno == EINTR)
      continue;
    if (read <= 0) {
      if (read == 0)
        errno = EIO;
      return set_errno_error (self, _ ("Cannot read a temporary file in “%s”: %s"), error);
    }
    got += (gsize) read;
  }
  return TRUE;
}
