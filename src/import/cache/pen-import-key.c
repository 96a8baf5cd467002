/* pen-import-key.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-key.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pen-capture-files.h"
#include "pen-snapshot-file.h"
#include "pen-store.h"

void
pen_import_key_free (PenImportKey *self)
{
  g_free (self->place);
  g_free (self->content);
  g_free (self);
}

void
pen_import_explain_error (GError **error, const char *path)
{
  g_autofree char *quoted = NULL;

  if (!error || !g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED)
      || strstr ((*error)->message, "sudo"))
    return;

  quoted = g_shell_quote (path);
  g_prefix_error (error,
                  _ ("Permission denied. A recording made as root belongs to root: run “sudo chown "
                     "-R \"$USER\" %s”, or open it as the user who recorded it. "),
                  quoted);
}

/* The NUL keeps "a" and "bc" apart from "ab" and "c". */
static void
add_text (GChecksum *sum, const char *text)
{
  g_checksum_update (sum, (const guchar *) text, (gssize) strlen (text) + 1);
}

static void
add_status (GChecksum *sum, const char *path, const struct stat *status)
{
  g_autofree char *text = g_strdup_printf (
      "%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT ".%09ld %" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
      (guint64) status->st_size, (gint64) status->st_mtim.tv_sec, (long) status->st_mtim.tv_nsec,
      (guint64) status->st_dev, (guint64) status->st_ino);

  add_text (sum, path);
  add_text (sum, text);
}

static gboolean
add_file (GChecksum *sum, const char *path, gboolean is_required, GError **error)
{
  struct stat status;

  if (stat (path, &status) == 0) {
    add_status (sum, path, &status);
  } else if (is_required) {
    int code = errno;

    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot read “%s”: %s"), path,
                 g_strerror (code));
    return FALSE;
  }
  return TRUE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* `data` and its likes: data.0 … */
static gboolean
add_directory (GChecksum *sum, const char *directory, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (!dir)
    return FALSE;

  while ((name = g_dir_read_name (dir)))
    if (strcmp (name, "data") == 0 || g_str_has_prefix (name, "data."))
      g_ptr_array_add (names, g_build_filename (directory, name, NULL));
  g_ptr_array_sort (names, compare_names);

  for (guint i = 0; i < names->len; i++)
    if (!add_file (sum, g_ptr_array_index (names, i), TRUE, error))
      return FALSE;

  for (const char *const *extra = pen_capture_files_get (); *extra; extra++) {
    g_autofree char *path = g_build_filename (directory, *extra, NULL);

    if (!add_file (sum, path, FALSE, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
add_capture (GChecksum *sum, const char *path, GError **error)
{
  g_autofree char *directory = NULL;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return add_directory (sum, path, error);

  /* A directory's `data` stands for the directory, and then files beside it are read too. */
  if (g_str_has_suffix (path, G_DIR_SEPARATOR_S "data")) {
    directory = g_path_get_dirname (path);
    if (!add_directory (sum, directory, error))
      return FALSE;
  }
  return add_file (sum, path, TRUE, error);
}

static char *
canonical_path (const char *path, GError **error)
{
  char *resolved = realpath (path, NULL);
  char *canonical;
  int code = errno;

  if (!resolved) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot read “%s”: %s"), path,
                 g_strerror (code));
    return NULL;
  }

  canonical = g_strdup (resolved);
  free (resolved);
  return canonical;
}

/* A copy of /sys/module: what an import reads of it. */
static gboolean
add_module_folder (GChecksum *sum, const char *folder, GError **error)
{
  static const char *const parts[] = { "sections", "sections/.text", "notes" };
  g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (!dir)
    return FALSE;

  while ((name = g_dir_read_name (dir)))
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS (parts); k++) {
      g_autofree char *path
          = g_build_filename (folder, g_ptr_array_index (names, i), parts[k], NULL);

      add_file (sum, path, FALSE, NULL);
    }
  return TRUE;
}

static gboolean
add_snapshot (GChecksum *place, GChecksum *content, const char *word, GError **error)
{
  g_autoptr (PenSnapshotFile) file = pen_snapshot_file_parse (word, error);
  g_autofree char *path = file ? canonical_path (file->path, error) : NULL;
  g_autofree char *date = NULL;

  if (!path || !add_file (content, path, TRUE, error)
      || (g_file_test (path, G_FILE_TEST_IS_DIR) && !add_module_folder (content, path, error)))
    return FALSE;
  date = g_strdup_printf ("%u %" G_GUINT64_FORMAT, file->date, file->time);
  add_text (place, path);
  add_text (place, date);
  return TRUE;
}

PenImportKey *
pen_import_key_new (const char *capture, const PenSources *sources, GError **error)
{
  g_autoptr (PenImportKey) self = g_new0 (PenImportKey, 1);
  g_autoptr (GChecksum) place = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GChecksum) content = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *path = canonical_path (capture, error);
  g_autofree char *symfs = NULL;
  g_autofree char *perf_map = NULL;
  const char *const vmlinux[] = { sources ? sources->vmlinux : NULL, NULL };
  const char *const *const given[] = {
    sources ? sources->kallsyms : NULL,
    sources ? sources->kcore : NULL,
    sources ? sources->modules : NULL,
    vmlinux,
  };

  if (!path)
    return NULL;
  if (sources && sources->symfs && !(symfs = canonical_path (sources->symfs, error)))
    return NULL;
  if (sources && sources->perf_map && !(perf_map = canonical_path (sources->perf_map, error)))
    return NULL;

  add_text (place, path);
  add_text (content, G_STRINGIFY (PEN_STORE_VERSION));
  for (guint i = 0; i < G_N_ELEMENTS (given); i++) {
    for (const char *const *word = given[i]; word && *word; word++)
      if (!add_snapshot (place, content, *word, error))
        return NULL;
    add_text (place, "");
  }

  add_text (place, symfs ? symfs : "");
  add_text (place, perf_map ? perf_map : "");
  add_text (place, sources && sources->debuginfod ? "debuginfod" : "");
  add_text (place, sources && sources->source_lines ? "source lines" : "");
  if (!add_capture (content, path, error))
    return NULL;

  self->place = g_strdup (g_checksum_get_string (place));
  add_text (content, self->place);
  self->content = g_strdup (g_checksum_get_string (content));
  return g_steal_pointer (&self);
}

char *
pen_import_find_capture (const char *path)
{
  g_autofree char *data = g_build_filename (path, "data", NULL);
  g_autofree char *inner = g_build_filename (path, "perf.data", NULL);

  if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (data, G_FILE_TEST_EXISTS)
      && g_file_test (inner, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&inner);
  return g_strdup (path);
}
