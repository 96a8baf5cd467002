/* pen-new-file.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-new-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

static char *
temporary_name (const char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_strdup_printf (".%s.%08x.part", base, g_random_int ());

  return g_build_filename (directory, name, NULL);
}

/* Created here and not by SQLite: O_EXCL, so that no file or link of that name is written to. */
static gboolean
create_file (PenNewFile *self, GError **error)
{
  int fd = -1;

  for (guint tries = 0; tries < 16 && fd < 0; tries++) {
    g_free (self->temporary);
    self->temporary = temporary_name (self->path);
    fd = g_open (self->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST)
      break;
  }

  if (fd < 0) {
    int code = errno;

    g_clear_pointer (&self->temporary, g_free);
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
                 "Cannot write beside “%s”: %s. Choose a directory that you may write to.",
                 self->path, g_strerror (code));
    return FALSE;
  }

  close (fd);

  return TRUE;
}

PenNewFile *
pen_new_file_create (const char *path, GError **error)
{
  g_autoptr (PenNewFile) self = g_new0 (PenNewFile, 1);

  self->path = g_canonicalize_filename (path, NULL);

  return create_file (self, error) ? g_steal_pointer (&self) : NULL;
}

void
pen_new_file_free (PenNewFile *self)
{
  if (self == NULL)
    return;

  if (self->temporary != NULL)
    g_unlink (self->temporary);

  g_free (self->temporary);
  g_free (self->path);
  g_free (self);
}

static gboolean
set_errno_error (GError **error, const char *path, const char *doing)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "Cannot %s “%s”: %s", doing, path,
               g_strerror (code));

  return FALSE;
}

static gboolean
sync_path (const char *path, int flags, GError **error)
{
  int fd = g_open (path, flags | O_CLOEXEC, 0);
  gboolean ok = fd >= 0 && fsync (fd) == 0;

  if (!ok)
    set_errno_error (error, path, "write to the disk");
  if (fd >= 0)
    close (fd);

  return ok;
}

gboolean
pen_new_file_finish (PenNewFile *self, GCancellable *cancellable, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (self->path);

  if (!sync_path (self->temporary, O_RDONLY, error))
    return FALSE;
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (g_rename (self->temporary, self->path) != 0)
    return set_errno_error (error, self->path, "write");

  g_clear_pointer (&self->temporary, g_free);
  /* Some file systems cannot sync a directory; the store is whole all the same. */
  sync_path (directory, O_RDONLY | O_DIRECTORY, NULL);

  return TRUE;
}
