/* pen-import-stream.c: what comes through a FIFO or standard input, opened as captures are
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-new-file.h"

#define PREFIX "pentimento-stream-"
#define STORE "stream.pentimento"

gboolean
pen_import_is_stream (const char *path)
{
  struct stat status;

  return strcmp (path, "-") == 0 || (stat (path, &status) == 0 && S_ISFIFO (status.st_mode));
}

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

  pen_new_file_remove_left (path, STORE);
  g_unlink (store);
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
               "Cannot make a directory for temporary files in “%s”: %s. Name another one with "
               "TMPDIR.",
               parent, g_strerror (code));
  return NULL;
}

static PenStore *
import_stream (const char *path, const PenSources *sources, PenImportFunc func, gpointer user_data,
               GCancellable *cancellable, GError **error)
{
  const char *parent = choose_parent ();
  g_autofree char *directory = NULL;
  g_autofree char *target = NULL;
  PenStore *store = NULL;
  int fd;

  remove_left (parent);
  directory = make_directory (parent, &fd, error);
  if (!directory)
    return NULL;

  target = g_build_filename (directory, STORE, NULL);
  if (pen_import (path, target, sources, func, user_data, cancellable, error))
    store = pen_store_open (target, error);
  /* An open file stays readable without its name, and cannot be left over. */
  remove_directory (directory);
  close (fd);
  return store;
}

PenStore *
pen_import_open_store (const char *path, const PenSources *sources, PenImportFunc func,
                       gpointer user_data, GCancellable *cancellable, GError **error)
{
  g_autofree char *store = NULL;

  if (pen_import_is_stream (path))
    return import_stream (path, sources, func, user_data, cancellable, error);

  store = pen_import_open (path, sources, func, user_data, cancellable, error);
  return store ? pen_store_open (store, error) : NULL;
}
