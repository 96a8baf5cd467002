/* pen-record-place.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of ours: pentimento/start/kallsyms. */
#define DEPTH_MAX 3u

static gboolean
set_errno (GError **error, const char *path)
{
  int number = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number), "%s: %s", path,
               g_strerror (number));
  return FALSE;
}

/* What perf and this program write into a recording. */
static gboolean
is_ours (const char *name)
{
  return g_str_equal (name, "data") || g_str_has_prefix (name, "data.")
         || g_str_has_prefix (name, "kcore_dir") || g_str_equal (name, "pentimento");
}

static gboolean
refuse_unknown (const char *path, const char *name, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_EMPTY,
               _ ("%s: “%s” in it is no part of a recording: move it away, or use -o"), path, name);
  return FALSE;
}

static gboolean
is_dots (const char *name)
{
  return g_str_equal (name, ".") || g_str_equal (name, "..");
}

/* Before anything is removed. */
static gboolean
check_names (const char *path, DIR *directory, GError **error)
{
  struct dirent *entry;

  while ((entry = readdir (directory))) {
    if (!is_dots (entry->d_name) && !is_ours (entry->d_name))
      return refuse_unknown (path, entry->d_name, error);
  }
  rewinddir (directory);
  return TRUE;
}

static gboolean remove_entry (const char *path, int parent, const char *name, guint depth,
                              GError **error);

static gboolean
remove_contents (const char *path, DIR *directory, guint depth, GError **error)
{
  struct dirent *entry;

  if (depth == 0 && !check_names (path, directory, error))
    return FALSE;
  while ((entry = readdir (directory))) {
    if (!is_dots (entry->d_name)
        && !remove_entry (path, dirfd (directory), entry->d_name, depth + 1, error))
      return FALSE;
  }
  return TRUE;
}

/* Links are removed, not followed. */
static gboolean
remove_entry (const char *path, int parent, const char *name, guint depth, GError **error)
{
  int file = openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *directory;
  gboolean is_empty;

  if (file < 0 && (errno == ENOTDIR || errno == ELOOP))
    return unlinkat (parent, name, 0) == 0 || set_errno (error, path);
  if (file < 0)
    return set_errno (error, path);
  directory = fdopendir (file);
  if (!directory || depth > DEPTH_MAX) {
    close (file);
    return refuse_unknown (path, name, error);
  }
  is_empty = remove_contents (path, directory, depth, error);
  closedir (directory);
  return is_empty && (unlinkat (parent, name, AT_REMOVEDIR) == 0 || set_errno (error, path));
}

/* A directory that is no recording stays where it is. */
static gboolean
check_place (const char *path, GError **error)
{
  int file = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *directory;
  gboolean is_recording;

  if (file < 0)
    return TRUE;
  directory = fdopendir (file);
  if (!directory) {
    close (file);
    return set_errno (error, path);
  }
  is_recording = check_names (path, directory, error);
  closedir (directory);
  return is_recording;
}

/* Without slashes at the end. */
static char *
make_plain (const char *path)
{
  gsize n = strlen (path);

  while (n > 1 && path[n - 1] == '/')
    n--;
  return g_strndup (path, n);
}

gboolean
pen_record_place_set_aside (const char *path, gboolean *was_moved, GError **error)
{
  g_autofree char *plain = make_plain (path);
  g_autofree char *old = g_strconcat (plain, ".old", NULL);
  struct stat status;

  *was_moved = FALSE;
  if (lstat (plain, &status) != 0)
    return errno == ENOENT || set_errno (error, plain);
  if (!check_place (plain, error))
    return FALSE;
  if (lstat (old, &status) == 0 && !remove_entry (old, AT_FDCWD, old, 0, error))
    return FALSE;
  if (g_rename (plain, old) != 0)
    return set_errno (error, plain);
  *was_moved = TRUE;
  return TRUE;
}

void
pen_record_place_put_back (const char *path, gboolean was_moved)
{
  g_autofree char *plain = make_plain (path);
  g_autofree char *old = g_strconcat (plain, ".old", NULL);
  struct stat status;

  if (lstat (plain, &status) == 0 && !remove_entry (plain, AT_FDCWD, plain, 0, NULL))
    return;
  if (was_moved)
    g_rename (old, plain);
}

gboolean
pen_record_place_make (const char *path, GError **error)
{
  return g_mkdir (path, 0700) == 0 || set_errno (error, path);
}
