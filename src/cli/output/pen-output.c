/* pen-output.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-output.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixoutputstream.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-capture-mode.h"
#include "pen-new-file-stream.h"

/*
 * @fd: of a device or named pipe, which is written in place; else -1
 * @file: of any other name
 * @mode: of which the umask takes away
 */
struct _PenOutput {
  GOutputStream *stream;
  int fd;
  char *path;
  PenNewFile *file;
  mode_t mode;
};

static gboolean
fail (const char *path, const char *what, int code, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s: %s", name, what,
               g_strerror (code));
  return FALSE;
}

/* A link stays a link: its target is replaced. */
static char *
resolve (const char *path)
{
  char *real = realpath (path, NULL);
  char *copy = g_strdup (real ? real : path);

  free (real);
  return copy;
}

static gboolean
open_file (PenOutput *self, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (self->path);
  g_autofree char *base = g_path_get_basename (self->path);

  /* One that was killed cannot clean up. */
  pen_new_file_remove_left (directory, base);
  self->file = pen_new_file_create (self->path, self->mode, error);
  if (self->file)
    self->stream = pen_new_file_stream_new (self->file);
  return self->file != NULL;
}

PenOutput *
pen_output_new (const char *path, const char *capture, GError **error)
{
  g_autoptr (PenOutput) self = g_new0 (PenOutput, 1);
  struct stat status;

  self->fd = -1;
  self->mode = capture ? pen_capture_mode (capture) : 0666;
  if (!path || g_str_equal (path, "-")) {
    self->stream = g_unix_output_stream_new (STDOUT_FILENO, FALSE);
    return g_steal_pointer (&self);
  }

  self->path = resolve (path);
  if (stat (self->path, &status) == 0 && !S_ISREG (status.st_mode)) {
    self->fd = g_open (self->path, O_WRONLY | O_CLOEXEC | O_NOCTTY, 0);
    if (self->fd < 0) {
      fail (path, _ ("cannot be written"), errno, error);
      return NULL;
    }
    self->stream = g_unix_output_stream_new (self->fd, FALSE);
  } else if (!open_file (self, error)) {
    return NULL;
  }
  return g_steal_pointer (&self);
}

GOutputStream *
pen_output_get_stream (PenOutput *self)
{
  return self->stream;
}

gboolean
pen_output_is_terminal (PenOutput *self)
{
  return !self->file && isatty (self->fd >= 0 ? self->fd : STDOUT_FILENO) == 1;
}

/* A file that is replaced was meant for those who could read it, and no others. */
static gboolean
take_mode (PenOutput *self)
{
  struct stat status;

  return stat (self->path, &status) != 0
         || fchmod (self->file->fd, status.st_mode & self->mode) == 0;
}

gboolean
pen_output_commit (PenOutput *self, GError **error)
{
  if (self->fd >= 0) {
    int code = close (self->fd) == 0 ? 0 : errno;

    self->fd = -1;
    return code == 0 || fail (self->path, _ ("cannot be written"), code, error);
  }
  if (!self->file)
    return TRUE;
  if (!take_mode (self))
    return fail (self->path, _ ("cannot be written"), errno, error);

  pen_new_file_begin_sync (self->file, NULL);
  return pen_new_file_finish (self->file, error);
}

void
pen_output_free (PenOutput *self)
{
  g_clear_object (&self->stream);
  if (self->fd >= 0)
    close (self->fd);
  pen_new_file_free (self->file);
  g_free (self->path);
  g_free (self);
}

/* ---- not onto the input ---- */

static gboolean
is_same_file (const char *a, const char *b)
{
  struct stat x;
  struct stat y;

  return stat (a, &x) == 0 && stat (b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Whether @path, which need not exist, or its link's target is below @directory. */
static gboolean
lies_in (const char *path, const char *directory)
{
  g_autofree char *target = resolve (path);
  g_autofree char *parent = g_path_get_dirname (target);
  g_autofree char *place = resolve (parent);

  if (!g_file_test (directory, G_FILE_TEST_IS_DIR))
    return FALSE;
  for (;;) {
    if (is_same_file (place, directory))
      return TRUE;

    char *above = g_path_get_dirname (place);
    gboolean is_top = g_str_equal (above, place);

    g_free (place);
    place = above;
    if (is_top)
      return FALSE;
  }
}

gboolean
pen_output_check_distinct (const char *output, const char *input, GError **error)
{
  if (!output || !input || g_str_equal (output, "-"))
    return TRUE;
  if (!is_same_file (output, input) && !lies_in (output, input))
    return TRUE;

  g_autofree char *name = g_filename_display_name (output);

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
               _ ("%s: is the input or part of it; choose another output file"), name);
  return FALSE;
}
