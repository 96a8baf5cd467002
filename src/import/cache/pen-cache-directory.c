/* pen-cache-directory.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cache-directory.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Only a directory of our own that no other user could write to is trusted with stores; one that
 * others can look into is closed to them. */
static gboolean
is_own_directory (const char *path)
{
  int fd = g_open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
  struct stat status;
  gboolean is_own = fd >= 0 && fstat (fd, &status) == 0 && status.st_uid == geteuid ()
                    && (status.st_mode & 022) == 0 && access (path, W_OK | X_OK) == 0
                    && ((status.st_mode & 055) == 0 || fchmod (fd, 0700) == 0);

  if (fd >= 0)
    close (fd);
  return is_own;
}

char *
pen_cache_directory (GError **error)
{
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "pentimento", NULL);
  g_autofree char *name = NULL;
  g_autofree char *temporary = NULL;

  if (g_mkdir_with_parents (cache, 0700) == 0 && is_own_directory (cache))
    return g_steal_pointer (&cache);

  name = g_strdup_printf ("pentimento-%u", (guint) geteuid ());
  temporary = g_build_filename (g_get_tmp_dir (), name, NULL);
  if (g_mkdir (temporary, 0700) != 0 && errno == EEXIST && !is_own_directory (temporary))
    g_clear_pointer (&temporary, g_free);

  if (!temporary || !is_own_directory (temporary)) {
    g_free (temporary);
    temporary = g_dir_make_tmp ("pentimento-XXXXXX", error);
    if (!temporary)
      return NULL;
  }

  g_message (_ ("Cannot use “%s” as a cache; imports go to “%s”."), cache, temporary);
  return g_steal_pointer (&temporary);
}
