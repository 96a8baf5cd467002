/* pen-settings-file.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-settings-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "pen-new-file.h"

char *
pen_settings_file_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "pentimento", "settings.ini", NULL);
}

static GKeyFile *
read_file (const char *path, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) wrong = NULL;

  if (g_key_file_load_from_file (file, path, G_KEY_FILE_KEEP_COMMENTS, &wrong)
      || g_error_matches (wrong, G_FILE_ERROR, G_FILE_ERROR_NOENT)
      || g_error_matches (wrong, G_FILE_ERROR, G_FILE_ERROR_NOTDIR))
    return g_steal_pointer (&file);

  g_set_error (error, wrong->domain, wrong->code, _ ("Cannot read “%s”: %s"), path, wrong->message);
  return NULL;
}

GKeyFile *
pen_settings_file_read (GError **error)
{
  g_autofree char *path = pen_settings_file_path ();

  return read_file (path, error);
}

static gboolean
write_file (GKeyFile *file, const char *path, GError **error)
{
  gsize length;
  g_autofree char *text = g_key_file_to_data (file, &length, NULL);

  return pen_new_file_save (path, 0600, text, length, error);
}

/* The directory is locked, not the file: saving replaces the file.
 * Returns: a descriptor, whose closing unlocks; -1 with errno */
static int
lock_directory (const char *directory)
{
  int fd;

  if (g_mkdir_with_parents (directory, 0700) != 0)
    return -1;
  fd = open (directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  /* Some file systems have no locks: then the last writer wins, as without one. */
  while (fd >= 0 && flock (fd, LOCK_EX) != 0 && errno == EINTR)
    ;
  return fd;
}

gboolean
pen_settings_file_change (PenSettingsChange change, gpointer data, GError **error)
{
  g_autofree char *path = pen_settings_file_path ();
  g_autofree char *directory = g_path_get_dirname (path);
  g_autoptr (GKeyFile) file = NULL;
  int fd = lock_directory (directory);
  gboolean done;

  if (fd < 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), _ ("Cannot write “%s”: %s"),
                 path, g_strerror (errno));
    return FALSE;
  }
  file = read_file (path, error);
  done = file && (!change (file, data) || write_file (file, path, error));
  close (fd);
  return done;
}
