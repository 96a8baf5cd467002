/* pen-stream-directory.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stream-directory.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-new-file.h"

#define PREFIX "pentimento-stream-"
#define STORE "stream.pentimento"
#define COPY "stream"

/* /tmp may be memory; TMPDIR is what the user wants. */
static const char *
choose_parent (void)
{
  const char *parent = g_getenv ("TMPDIR");

  if (!parent || *parent == '\0')
    parent = "/var/tmp";
  return g_access (parent, W_OK | X_OK) == 0 ? parent : g_get_tmp_dir ();
}

static int
open_directory (const char *path)
{
  return g_open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
}

static void
remove_directory (const char *path)
{
  g_autofree char *store = g_build_filename (path, STORE, NULL);
  g_autofree char *copy = g_build_filename (path, COPY, NULL);

  pen_new_file_remove_left (path, STORE);
  g_unlink (store);
  g_unlink (copy);
  g_rmdir (path);
}

/* Removes what killed imports of streams left: directories without a lock. */
static void
remove_left (const char *parent)
{
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *path = NULL;
    struct stat status;
    int fd;

    if (!g_str_has_prefix (name, PREFIX))
      continue;
    path = g_build_filename (parent, name, NULL);
    fd = open_directory (path);
    if (fd < 0)
      continue;
    if (fstat (fd, &status) == 0 && status.st_uid == geteuid ()
        && flock (fd, LOCK_EX | LOCK_NB) == 0)
      remove_directory (path);
    close (fd);
  }
}

/* Locked, as long as it is open. Between making and locking it another may take it for left behind:
 * then it is gone, and the next one is tried. */
static char *
make_directory (const char *parent, int *fd, GError **error)
{
  int code;

  for (guint tries = 0; tries < 16; tries++) {
    g_autofree char *path = g_build_filename (parent, PREFIX "XXXXXX", NULL);
    struct stat status;

    if (!g_mkdtemp (path))
      break;
    *fd = open_directory (path);
    if (*fd < 0 && errno == ENOENT)
      continue;
    if (*fd < 0)
      break;
    if ((flock (*fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        && g_stat (path, &status) == 0)
      return g_steal_pointer (&path);
    close (*fd);
  }

  code = errno;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
               _ ("Cannot make a directory for temporary files in “%s”: %s. Name another one with "
                  "TMPDIR."),
               parent, g_strerror (code));
  return NULL;
}

PenStreamDirectory *
pen_stream_directory_new (GError **error)
{
  g_autofree PenStreamDirectory *self = g_new0 (PenStreamDirectory, 1);
  const char *parent = choose_parent ();

  remove_left (parent);
  self->path = make_directory (parent, &self->lock, error);
  if (!self->path)
    return NULL;
  self->store = g_build_filename (self->path, STORE, NULL);
  self->copy = g_build_filename (self->path, COPY, NULL);
  return g_steal_pointer (&self);
}

void
pen_stream_directory_free (PenStreamDirectory *self)
{
  remove_directory (self->path);
  close (self->lock);
  g_free (self->copy);
  g_free (self->store);
  g_free (self->path);
  g_free (self);
}
