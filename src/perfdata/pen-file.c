/* pen-file.c: one file of a capture, open for reading
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-reader.h"

static void
set_error_from_errno (GError **error, const char *path, int saved_errno)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved_errno), "Cannot read “%s”: %s", path,
               g_strerror (saved_errno));
}

static gboolean
check_regular (const char *path, const struct stat *info, GError **error)
{
  if (S_ISREG (info->st_mode))
    return TRUE;

  g_set_error (error, PEN_READER_ERROR, PEN_READER_ERROR_NOT_REGULAR,
               "“%s” is not a regular file: save the recording to a file first", path);
  return FALSE;
}

PenFile *
pen_file_open (const char *path, const char *name, gboolean follow_links, GError **error)
{
  g_autoptr (PenFile) self = g_new0 (PenFile, 1);
  int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (follow_links ? 0 : O_NOFOLLOW);
  struct stat info;

  self->path = g_strdup (path);
  self->name = g_strdup (name);
  self->fd = -1;

  /* Looked at before it is opened as well: to open some devices is to act on them. */
  if ((follow_links ? stat (path, &info) : lstat (path, &info)) < 0) {
    set_error_from_errno (error, path, errno);
    return NULL;
  }
  if (!check_regular (path, &info, error))
    return NULL;

  self->fd = open (path, flags);
  if (self->fd < 0 || fstat (self->fd, &info) < 0) {
    set_error_from_errno (error, path, errno);
    return NULL;
  }
  if (!check_regular (path, &info, error))
    return NULL;

  self->size = (guint64) info.st_size;
  return g_steal_pointer (&self);
}

void
pen_file_free (PenFile *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->path);
  g_free (self->name);
  g_free (self);
}

gssize
pen_file_read (PenFile *self, guint64 offset, void *buffer, gsize length, GError **error)
{
  gsize done = 0;

  while (done < length) {
    ssize_t n = pread (self->fd, (guint8 *) buffer + done, length - done, (off_t) (offset + done));

    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      set_error_from_errno (error, self->path, errno);
      return -1;
    }
    if (n == 0)
      break;
    done += (gsize) n;
  }
  return (gssize) done;
}
