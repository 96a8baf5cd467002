/* pen-container.c: which files a capture is made of, and what its header says
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-container.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "pen-file-header.h"
#include "pen-reason.h"
#include "pen-spool.h"

#define PIPE_HEADER_SIZE 16

/* perf makes one file per thread at most, and a thread per CPU. */
#define DATA_FILES_MAX 65536

void
pen_container_free (PenContainer *self)
{
  g_ptr_array_unref (self->files);
  g_array_unref (self->ranges);
  g_clear_pointer (&self->patch_events, pen_event_table_free);
  g_free (self->kcore_dir);
  g_free (self->record_dir);
  g_free (self);
}

/* `data.N` → N, or -1. */
static gint64
parse_data_number (const char *name)
{
  const char *digits;

  if (!g_str_has_prefix (name, "data."))
    return -1;
  digits = name + strlen ("data.");
  if (*digits == '\0' || strlen (digits) > 9 || strspn (digits, "0123456789") != strlen (digits))
    return -1;
  return g_ascii_strtoll (digits, NULL, 10);
}

static gint
compare_data_names (gconstpointer a, gconstpointer b)
{
  gint64 left = parse_data_number (*(const char *const *) a);
  gint64 right = parse_data_number (*(const char *const *) b);

  return (left > right) - (left < right);
}

/* Names of the `data.N` files, by number. */
static GPtrArray *
list_data_names (const char *directory)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir && names->len < DATA_FILES_MAX && (name = g_dir_read_name (dir))) {
    if (parse_data_number (name) >= 0)
      g_ptr_array_add (names, g_strdup (name));
  }
  g_ptr_array_sort (names, compare_data_names);
  return names;
}

/* The directory that @path, a directory or its `data` file, stands for; NULL: a lone file. */
static char *
find_directory (const char *path)
{
  g_autofree char *name = NULL;
  g_autofree char *parent = NULL;
  g_autofree char *kcore_dir = NULL;
  g_autofree char *record_dir = NULL;
  g_autoptr (GPtrArray) names = NULL;

  if (g_str_equal (path, "-"))
    return NULL;
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return g_strdup (path);

  name = g_path_get_basename (path);
  if (!g_str_equal (name, "data"))
    return NULL;
  parent = g_path_get_dirname (path);
  kcore_dir = g_build_filename (parent, "kcore_dir", NULL);
  record_dir = g_build_filename (parent, "pentimento", NULL);
  names = list_data_names (parent);
  if (names->len == 0 && !g_file_test (kcore_dir, G_FILE_TEST_IS_DIR)
      && !g_file_test (record_dir, G_FILE_TEST_IS_DIR))
    return NULL;
  return g_steal_pointer (&parent);
}

static PenFile *
open_given_path (const char *path, const char *directory, GError **error)
{
  g_autofree char *main_path
      = directory ? g_build_filename (directory, "data", NULL) : g_strdup (path);
  g_autofree char *name = g_path_get_basename (main_path);

  if (g_str_equal (path, "-"))
    return pen_file_open_standard_input (error);
  if (directory && !g_file_test (main_path, G_FILE_TEST_EXISTS)
      && g_access (directory, X_OK) == 0) {
    g_set_error (error, PEN_READER_ERROR, PEN_READER_ERROR_NOT_PERF_DATA,
                 _ ("“%s” is a directory without a file “data”: not a perf.data directory"), path);
    return NULL;
  }
  return pen_file_open (main_path, name,
                        directory ? PEN_FILE_LINKS : PEN_FILE_LINKS | PEN_FILE_FIFOS, error);
}

/* A wrapped capture, or a stream that is not in pipe form, goes into a file first.
 */
static gboolean
spool_if_needed (PenContainer *self, PenFile **file, PenProblems *problems,
                 GCancellable *cancellable, GError **error)
{
  guint8 head[PEN_MAGIC_LENGTH];
  gssize length = pen_file_read (*file, 0, head, sizeof head, error);
  PenFile *spooled;

  if (length < 0)
    return FALSE;
  if (length == 0) {
    g_set_error (error, PEN_READER_ERROR, PEN_READER_ERROR_EMPTY,
                 _ ("“%s” is empty: the recorder ended before it wrote anything. Record again"),
                 (*file)->path);
    return FALSE;
  }

  self->wrapper = pen_magic_get_wrapper (head, (gsize) length);
  if (self->wrapper == PEN_WRAPPER_NONE
      && (!(*file)->is_stream || pen_magic_is_pipe_form (head, (gsize) length)
          || !pen_magic_is_perf_data (head, (gsize) length)))
    return TRUE;

  spooled = pen_spool (*file, self->wrapper, problems, cancellable, error);
  if (!spooled)
    return FALSE;
  pen_file_free (*file);
  *file = spooled;
  return TRUE;
}

static gboolean
open_main_file (PenContainer *self, const char *path, const char *directory, PenProblems *problems,
                GCancellable *cancellable, GError **error)
{
  g_autoptr (PenFile) file = open_given_path (path, directory, error);

  if (!file)
    return FALSE;
  file->cancellable = cancellable;
  if (!spool_if_needed (self, &file, problems, cancellable, error))
    return FALSE;
  g_ptr_array_add (self->files, g_steal_pointer (&file));
  return TRUE;
}

static void
add_range (PenContainer *self, guint file, guint64 begin, guint64 end)
{
  PenDataRange range = { file, begin, MAX (begin, end), FALSE };

  g_array_append_val (self->ranges, range);
}

/* Why @path was not opened: see pen_file_open() */
static char *
explain (const char *path, const GError *error)
{
  g_autofree char *quoted = g_shell_quote (path);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    return pen_reason_new (PEN_REASON_FORBIDDEN, path, quoted, NULL);
  if (!g_error_matches (error, PEN_READER_ERROR, PEN_READER_ERROR_NOT_REGULAR))
    return pen_reason_new (PEN_REASON_ERROR, error->message, NULL);
  return pen_reason_new (g_file_test (path, G_FILE_TEST_IS_DIR) ? PEN_REASON_DIRECTORY
                                                                : PEN_REASON_NOT_REGULAR,
                         path, NULL);
}

/* A link or a FIFO among them is not opened: perf itself makes only plain files. */
static void
open_data_files (PenContainer *self, const char *directory, PenProblems *problems)
{
  g_autoptr (GPtrArray) names = list_data_names (directory);

  for (guint i = 0; i < names->len; i++) {
    const char *name = g_ptr_array_index (names, i);
    g_autofree char *path = g_build_filename (directory, name, NULL);
    g_autoptr (GError) error = NULL;
    PenFile *file = pen_file_open (path, name, PEN_FILE_PLAIN, &error);

    if (!file) {
      g_autofree char *reason = explain (path, error);

      pen_problems_add (problems, PEN_PROBLEM_SET_ASIDE, 0, 0, 0, reason);
      continue;
    }
    g_ptr_array_add (self->files, file);
    add_range (self, self->files->len - 1, 0, file->size);
  }
}

/* Times of two files are of one clock. */
static gboolean
has_monotonic_clock (const PenEventTable *events)
{
  for (guint i = 0; i < events->attrs->len; i++) {
    const PenAttr *attr = events->attrs->pdata[i];

    if ((attr->flags & PEN_ATTR_USE_CLOCKID) != 0 && attr->clockid == CLOCK_MONOTONIC)
      return TRUE;
  }
  return FALSE;
}

/* Patches that perf does not record without --kcore. A recording without the file has none. */
static void
find_patches (PenContainer *self, const PenEventTable *events, gboolean is_growing,
              PenProblems *problems)
{
  g_autofree char *path = g_build_filename (self->record_dir, "patches", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFile) file = NULL;
  guint8 head[PEN_MAGIC_LENGTH];
  gssize length;

  self->has_patches = g_file_test (path, G_FILE_TEST_EXISTS) && has_monotonic_clock (events);
  /* While it grows, parts of one file are read; the import at the end has them. */
  if (!self->has_patches || is_growing)
    return;
  file = pen_file_open (path, "pentimento/patches", PEN_FILE_PLAIN, &error);
  length = file ? pen_file_read (file, 0, head, sizeof head, &error) : 0;
  if (error) {
    g_autofree char *reason = explain (path, error);

    pen_problems_add (problems, PEN_PROBLEM_SET_ASIDE, 0, 0, 0, reason);
  }
  if (length <= 0 || !pen_magic_is_pipe_form (head, (gsize) length))
    return;
  add_range (self, self->files->len, PIPE_HEADER_SIZE, file->size);
  g_array_index (self->ranges, PenDataRange, self->ranges->len - 1).is_of_patches = TRUE;
  g_ptr_array_add (self->files, g_steal_pointer (&file));
  self->patch_events = pen_event_table_new ();
}

static char *
find_folder (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  return g_file_test (path, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&path) : NULL;
}

PenContainer *
pen_container_open (const char *path, gboolean is_growing, PenEventTable *events,
                    PenFeatures *features, PenProblems *problems, GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (PenContainer) self = g_new0 (PenContainer, 1);
  g_autofree char *directory = find_directory (path);
  PenFileHeader header;
  PenFile *file;

  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_file_free);
  self->ranges = g_array_new (FALSE, FALSE, sizeof (PenDataRange));
  self->is_directory = directory != NULL;

  if (!open_main_file (self, path, directory, problems, cancellable, error))
    return NULL;
  file = g_ptr_array_index (self->files, 0);
  if (!pen_file_header_read (&header, file, is_growing, problems, error))
    return NULL;
  self->big_endian = header.big_endian;
  self->is_pipe = header.is_pipe;
  if (!pen_file_header_read_events (&header, file, events, problems, error))
    return NULL;
  pen_file_header_read_features (&header, file, events, features, problems);

  add_range (self, 0, header.data_begin, header.data_end);
  if (directory) {
    open_data_files (self, directory, problems);
    self->kcore_dir = find_folder (directory, "kcore_dir");
    self->record_dir = find_folder (directory, "pentimento");
    if (self->record_dir)
      find_patches (self, events, is_growing, problems);
  }
  return g_steal_pointer (&self);
}

GPtrArray *
pen_container_open_files (const char *path)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_file_free);
  g_autofree char *directory = find_directory (path);
  g_autoptr (GPtrArray) names = directory ? list_data_names (directory) : NULL;
  PenFile *file = open_given_path (path, directory, NULL);

  if (!file)
    return NULL;
  g_ptr_array_add (files, file);
  for (guint i = 0; names && i < names->len; i++) {
    const char *name = names->pdata[i];
    g_autofree char *other = g_build_filename (directory, name, NULL);

    file = pen_file_open (other, name, PEN_FILE_PLAIN, NULL);
    if (file)
      g_ptr_array_add (files, file);
  }
  return g_steal_pointer (&files);
}
