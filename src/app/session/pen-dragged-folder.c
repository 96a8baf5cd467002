/* pen-dragged-folder.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-dragged-folder.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-cache-directory.h"

/* A program that takes a file only when it sends it, as a mail, had a day to do so. */
#define LEFT_AFTER_S (24 * 60 * 60)

void
pen_dragged_folder_remove (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *file = g_build_filename (path, name, NULL);

    /* A folder in it is none of ours. */
    unlink (file);
  }
  rmdir (path);
}

static gboolean
is_left (const char *path, gint64 now)
{
  struct stat status;

  return lstat (path, &status) == 0 && S_ISDIR (status.st_mode) && status.st_uid == geteuid ()
         && status.st_mtim.tv_sec < now - LEFT_AFTER_S;
}

static void
remove_left (const char *dragged)
{
  g_autoptr (GDir) dir = g_dir_open (dragged, 0, NULL);
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  const char *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (dragged, name, NULL);

    if (is_left (path, now))
      pen_dragged_folder_remove (path);
  }
}

char *
pen_dragged_folder_make (GError **error)
{
  g_autofree char *cache = pen_cache_directory (error);
  g_autofree char *dragged = NULL;
  g_autofree char *path = NULL;
  int code;

  if (!cache)
    return NULL;
  dragged = g_build_filename (cache, "dragged", NULL);
  path = g_build_filename (dragged, "XXXXXX", NULL);
  if ((g_mkdir (dragged, 0700) == 0 || errno == EEXIST) && g_mkdtemp (path)) {
    remove_left (dragged);
    return g_steal_pointer (&path);
  }
  code = errno;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot write “%s”: %s"),
               dragged, g_strerror (code));
  return NULL;
}
