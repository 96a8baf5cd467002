/* pen-recorder-move.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-recorder-move.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

/* More at the same second are a mistake. */
#define NAMES_MAX 100u

/* perf.data/pentimento/start/kallsyms */
#define DEPTH_MAX 4u

typedef struct {
  char *path;
  char *other; /* the folder, or the link in it */
} Move;

static void
move_free (Move *self)
{
  g_free (self->path);
  g_free (self->other);
  g_free (self);
}

static char *
set_errno (GError **error, const char *path, int number)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number), "%s: %s", path,
               g_strerror (number));
  return NULL;
}

static void
remove_tree (const char *path, guint depth)
{
  g_autoptr (GDir) directory
      = !g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? g_dir_open (path, 0, NULL) : NULL;
  const char *name;

  while (directory && depth < DEPTH_MAX && (name = g_dir_read_name (directory))) {
    g_autofree char *inner = g_build_filename (path, name, NULL);

    remove_tree (inner, depth + 1);
  }
  g_remove (path);
}

static gboolean
copy_file (const char *from, const char *to, GError **error)
{
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);

  return g_file_copy (source, target, G_FILE_COPY_NOFOLLOW_SYMLINKS, NULL, NULL, NULL, error);
}

static gboolean
copy_tree (const char *from, const char *to, guint depth, GError **error)
{
  g_autoptr (GDir) directory = g_dir_open (from, 0, error);
  gboolean is_copied = directory != NULL;
  const char *name;

  if (is_copied && g_mkdir (to, 0700) != 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", to,
                 g_strerror (errno));
    return FALSE;
  }
  while (is_copied && (name = g_dir_read_name (directory))) {
    g_autofree char *source = g_build_filename (from, name, NULL);
    g_autofree char *target = g_build_filename (to, name, NULL);
    gboolean is_directory
        = !g_file_test (source, G_FILE_TEST_IS_SYMLINK) && g_file_test (source, G_FILE_TEST_IS_DIR);

    is_copied = is_directory && depth < DEPTH_MAX ? copy_tree (source, target, depth + 1, error)
                                                  : copy_file (source, target, error);
  }
  return is_copied;
}

/* Returns: (transfer full) */
static char *
make_name (const char *folder, guint number)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%Y%m%d-%H%M%S");
  g_autofree char *name = number == 0 ? g_strdup_printf ("perf-%s.data", time)
                                      : g_strdup_printf ("perf-%s-%u.data", time, number + 1);

  return g_build_filename (folder, name, NULL);
}

static char *
make_link (const Move *self, GError **error)
{
  g_autofree char *link = NULL;
  int number = EEXIST;

  if (g_mkdir_with_parents (self->other, 0700) != 0)
    return set_errno (error, self->other, errno);
  for (guint i = 0; number == EEXIST && i < NAMES_MAX; i++) {
    g_free (link);
    link = make_name (self->other, i);
    number = symlink (self->path, link) == 0 ? 0 : errno;
  }
  return number == 0 ? g_steal_pointer (&link) : set_errno (error, link, number);
}

/* Returns: an errno, or 0 */
static int
exchange (const char *path, const char *link)
{
  if (renameat2 (AT_FDCWD, path, AT_FDCWD, link, RENAME_EXCHANGE) == 0)
    return unlink (path) == 0 ? 0 : errno;
  /* Some file systems cannot do that. */
  if (errno != EINVAL)
    return errno;
  return unlink (link) == 0 && g_rename (path, link) == 0 ? 0 : errno;
}

static char *
move (const Move *self, GError **error)
{
  const char *link = self->other;
  g_autofree char *copy = g_strconcat (link, ".part", NULL);
  int number = exchange (self->path, link);

  if (number == EXDEV) {
    if (!copy_tree (self->path, copy, 0, error)) {
      remove_tree (copy, 0);
      return NULL;
    }
    number = exchange (copy, link);
    if (number == 0)
      remove_tree (self->path, 0);
  }
  return number == 0 ? g_strdup (link) : set_errno (error, link, number);
}

static void
return_path (GTask *task, char *path, GError *error)
{
  if (path)
    g_task_return_pointer (task, path, g_free);
  else
    g_task_return_error (task, error);
}

static void
run_link (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  char *path = make_link (data, &error);

  return_path (task, path, error);
}

static void
run_move (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Move *self = data;
  GError *error = NULL;
  char *path = move (self, &error);
  g_autofree char *inner = g_path_get_dirname (self->path);
  g_autofree char *outer = g_path_get_dirname (inner);

  if (path && g_rmdir (inner) == 0)
    g_rmdir (outer);
  return_path (task, path, error);
}

static void
start (gpointer source, const char *path, const char *other, GTaskThreadFunc func,
       GAsyncReadyCallback callback)
{
  g_autoptr (GTask) task = g_task_new (source, NULL, callback, NULL);
  Move *self = g_new0 (Move, 1);

  self->path = g_strdup (path);
  self->other = g_strdup (other);
  g_task_set_task_data (task, self, (GDestroyNotify) move_free);
  g_task_run_in_thread (task, func);
}

void
pen_recorder_link_async (gpointer source, const char *path, const char *folder,
                         GAsyncReadyCallback callback)
{
  start (source, path, folder, run_link, callback);
}

void
pen_recorder_move_async (gpointer source, const char *path, const char *link,
                         GAsyncReadyCallback callback)
{
  start (source, path, link, run_move, callback);
}

char *
pen_recorder_move_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
