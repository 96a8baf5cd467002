/* pen-import-lock.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-lock.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".importing"
/* Each time, another process has removed the file between two system calls of this one. */
#define MAX_TRIES 64

PenImportLock *
pen_import_lock_new (const char *directory, const char *name)
{
  PenImportLock *self = g_new0 (PenImportLock, 1);
  g_autofree char *file = g_strconcat (name, SUFFIX, NULL);

  self->path = g_build_filename (directory, file, NULL);
  self->fd = -1;
  return self;
}

/* Whoever gives the lock up removes the file: what was waited for may be one that is gone. */
static gboolean
is_there (PenImportLock *self, int fd)
{
  struct stat named;
  struct stat open;

  return lstat (self->path, &named) == 0 && fstat (fd, &open) == 0 && named.st_dev == open.st_dev
         && named.st_ino == open.st_ino;
}

static gboolean
set_error (PenImportLock *self, int code, GError **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot write “%s”: %s"),
               self->path, g_strerror (code));
  return FALSE;
}

/* The holder leaves a mark in the file, so that one which another has just made, and not yet
 * locked, is not taken for one that was left behind. */
static gboolean
leave_mark (int fd)
{
  struct stat status;
  gboolean is_marked = fstat (fd, &status) == 0 && status.st_size > 0;

  /* On a disk that is full, there is none; the next write will fail. */
  if (!is_marked && pwrite (fd, "1", 1, 0) != 1)
    g_debug ("“importing” is not marked: %s", g_strerror (errno));
  return is_marked;
}

gboolean
pen_import_lock_try (PenImportLock *self, GError **error)
{
  for (guint tries = 0; tries < MAX_TRIES; tries++) {
    int fd = g_open (self->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    gboolean is_locked;

    if (fd < 0)
      return set_error (self, errno, error);

    is_locked = flock (fd, LOCK_EX | LOCK_NB) == 0;
    if (!is_locked && errno == EWOULDBLOCK) {
      close (fd);
      return FALSE;
    }

    /* On a network file system without locks, two imports may run: the last one stays. */
    if (!is_locked || is_there (self, fd)) {
      self->fd = fd;
      self->was_interrupted = leave_mark (fd) && is_locked;
      return TRUE;
    }
    close (fd);
  }
  return FALSE;
}

void
pen_import_lock_free (PenImportLock *self)
{
  if (self->fd >= 0) {
    g_unlink (self->path);
    close (self->fd);
  }

  g_free (self->path);
  g_free (self);
}
