/* pen-capture-links.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-capture-links.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "pen-capture-files.h"
#include "pen-file-roots.h"

/* As many as the kernel follows (path_resolution(7)). */
#define MAX_LINKS 40u

/* A path on its way: what is resolved, without a link in it, and the parts that are left, the next
 * one last. */
typedef struct {
  const char *base; /* resolved, too */
  char *resolved;
  GPtrArray *parts;
  guint n_links;
} Walk;

static void
add_parts (Walk *self, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  for (guint i = g_strv_length (parts); i > 0; i--)
    g_ptr_array_add (self->parts, g_strdup (parts[i - 1]));
}

/* Takes @path. */
static void
move_to (Walk *self, char *path)
{
  g_free (self->resolved);
  self->resolved = path;
}

static gboolean
is_below (const char *path, const char *directory)
{
  gsize n = strlen (directory);

  return strncmp (path, directory, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* What is in the directory itself is where the user said; elsewhere it is the links' word. */
static gboolean
may_look_at (const Walk *self, const char *path)
{
  return is_below (path, self->base) || !pen_file_roots_is_refused (path);
}

/* Returns: FALSE: it leads to where nothing is looked at */
static gboolean
step (Walk *self, const char *part)
{
  g_autofree char *path = NULL;
  g_autofree char *target = NULL;

  if (*part == '\0' || g_str_equal (part, "."))
    return TRUE;
  if (g_str_equal (part, "..")) {
    move_to (self, g_path_get_dirname (self->resolved));
    return TRUE;
  }
  path = g_build_filename (self->resolved, part, NULL);
  if (!may_look_at (self, path))
    return FALSE;
  /* What is not there, or no link, is itself. */
  target = g_file_read_link (path, NULL);
  if (!target) {
    move_to (self, g_steal_pointer (&path));
    return TRUE;
  }
  if (++self->n_links > MAX_LINKS)
    return FALSE;
  if (*target == '/')
    move_to (self, g_strdup ("/"));
  add_parts (self, target);
  return TRUE;
}

static gboolean
can_follow (const char *base, const char *name)
{
  Walk walk = { .base = base,
                .resolved = g_strdup (base),
                .parts = g_ptr_array_new_with_free_func (g_free) };
  gboolean is_good = TRUE;

  add_parts (&walk, name);
  while (is_good && walk.parts->len > 0) {
    g_autofree char *part = g_ptr_array_steal_index (walk.parts, walk.parts->len - 1);

    is_good = step (&walk, part);
  }
  g_ptr_array_unref (walk.parts);
  g_free (walk.resolved);
  return is_good;
}

static gboolean
check_name (const char *directory, const char *name, GError **error)
{
  if (can_follow (directory, name))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
               _ ("“%s/%s” is a link to a place that links of a recording must not lead to: "
                  "/proc, /sys, /dev, /net, /run/user and the like. Replace it by a copy."),
               directory, name);
  return FALSE;
}

/* The files data.0 … are opened only where they are no links. A folder may have the recording in it
 * (pen_import_find_capture()). */
static gboolean
check_directory (const char *directory, GError **error)
{
  if (!check_name (directory, "data", error) || !check_name (directory, "perf.data", error)
      || !check_name (directory, "perf.data/data", error))
    return FALSE;
  for (const char *const *file = pen_capture_files_get (); *file; file++) {
    g_autofree char *inner = g_build_filename ("perf.data", *file, NULL);

    if (!check_name (directory, *file, error) || !check_name (directory, inner, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_capture_links_check (const char *capture, GError **error)
{
  g_autofree char *directory = NULL;
  char *resolved;
  gboolean is_good;

  if (g_file_test (capture, G_FILE_TEST_IS_DIR))
    directory = g_strdup (capture);
  else if (g_str_has_suffix (capture, "/data"))
    directory = g_path_get_dirname (capture);
  else
    return TRUE;
  resolved = realpath (directory, NULL);
  is_good = !resolved || check_directory (resolved, error);
  free (resolved);
  return is_good;
}
