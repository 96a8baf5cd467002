/* pen-found-file.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-found-file.h"

#include <sys/stat.h>
#include <unistd.h>

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)

static gboolean
read_state (const char *path, PenStoreFoundFile *file)
{
  struct stat status;

  if (g_str_has_prefix (path, "/proc/") || stat (path, &status) != 0)
    return FALSE;

  *file = (PenStoreFoundFile){
    .path = path,
    .size = (guint64) status.st_size,
    .changed = (gint64) status.st_mtim.tv_sec * NS_PER_SECOND + status.st_mtim.tv_nsec,
  };
  return TRUE;
}

gboolean
pen_found_file_write (const char *path, PenStoreWriter *writer, GError **error)
{
  PenStoreFoundFile file;

  return !read_state (path, &file) || pen_store_writer_add_found_file (writer, &file, error);
}

gboolean
pen_found_files_are_unchanged (PenStore *store)
{
  g_autoptr (GArray) files = pen_store_load_found_files (store, NULL);

  for (guint i = 0; files && i < files->len; i++) {
    const PenStoreFoundFile *then = &g_array_index (files, PenStoreFoundFile, i);
    PenStoreFoundFile now;

    if (read_state (then->path, &now) && (now.size != then->size || now.changed != then->changed))
      return FALSE;
  }
  return files != NULL;
}

gboolean
pen_found_files_are_all (PenStore *store)
{
  g_autoptr (GPtrArray) paths = pen_store_load_absent_files (store, NULL);

  for (guint i = 0; paths && i < paths->len; i++)
    if (access (paths->pdata[i], F_OK) == 0)
      return FALSE;
  return paths != NULL;
}
