/* pen-new-file.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-new-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-background-close.h"
#include "pen-journal.h"
#include "pen-late-close.h"
#include "pen-new-file-stream.h"

#define SUFFIX ".part"
#define NUMBER_DIGITS 8
#define NAME_MAX_KEPT 200
/* Written out between two looks at the cancellable: some milliseconds, where the disk is no wreck.
 */
#define SYNC_STEP (2u << 20)
#define SYNC_AHEAD (4 * SYNC_STEP)

/* The part of the name @base that names of unfinished files have: names have 255 bytes at most. */
static gsize
kept_length (const char *base)
{
  gsize length = strlen (base);

  if (length <= NAME_MAX_KEPT)
    return length;
  /* Not within a character: some file systems want UTF-8. */
  for (length = NAME_MAX_KEPT; length > 0 && (base[length] & 0xc0) == 0x80; length--)
    ;
  return length;
}

static char *
temporary_name (const char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name
      = g_strdup_printf (".%.*s.%08x" SUFFIX, (int) kept_length (base), base, g_random_int ());

  return g_build_filename (directory, name, NULL);
}

/* Locked for as long as it is open: so that others see that it is being written, whatever
 * becomes of this process. Between its making and its locking another may take it for left behind:
 * then it has no name any more. */
static gboolean
lock_file (int fd)
{
  struct stat status;

  while (flock (fd, LOCK_EX) != 0) {
    /* Some network file systems have no locks; there, nobody removes what is left. */
    if (errno != EINTR)
      return TRUE;
  }
  return fstat (fd, &status) == 0 && status.st_nlink > 0;
}

/* Created here and not by SQLite: O_EXCL, so that no file or link of that name is written to. */
static gboolean
create_file (PenNewFile *self, mode_t mode, GError **error)
{
  for (guint tries = 0; tries < 16 && self->fd < 0; tries++) {
    g_free (self->temporary);
    self->temporary = temporary_name (self->path);
    self->fd = g_open (self->temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode);
    if (self->fd < 0 && errno != EEXIST)
      break;
    if (self->fd >= 0 && !lock_file (self->fd)) {
      close (self->fd);
      self->fd = -1;
      errno = EEXIST;
    }
  }

  if (self->fd < 0) {
    int code = errno;

    g_clear_pointer (&self->temporary, g_free);
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
                 "Cannot write beside “%s”: %s. Choose a directory that you may write to.",
                 self->path, g_strerror (code));
    return FALSE;
  }
  return TRUE;
}

PenNewFile *
pen_new_file_create (const char *path, mode_t mode, GError **error)
{
  g_autoptr (PenNewFile) self = g_new0 (PenNewFile, 1);

  self->path = g_canonicalize_filename (path, NULL);
  self->fd = -1;
  return create_file (self, mode, error) ? g_steal_pointer (&self) : NULL;
}

PenNewFile *
pen_new_file_create_database (const char *path, mode_t mode, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  PenNewFile *self = NULL;

  /* Known before the work rather than after it. */
  if (pen_journal_check_place (absolute, error))
    self = pen_new_file_create (path, mode, error);
  if (self)
    self->is_database = TRUE;
  return self;
}

static void
end_sync (PenNewFile *self)
{
  if (self->syncing)
    g_thread_join (g_steal_pointer (&self->syncing));
}

void
pen_new_file_free (PenNewFile *self)
{
  if (!self)
    return;

  end_sync (self);
  if (self->temporary) {
    g_unlink (self->temporary);
    pen_background_close (self->fd);
  } else if (self->fd >= 0) {
    pen_late_close (self->fd);
  }

  g_clear_object (&self->cancellable);
  g_clear_error (&self->error);
  g_free (self->temporary);
  g_free (self->path);
  g_free (self);
}

static gboolean
set_errno_error (GError **error, const char *path, const char *doing)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "Cannot %s “%s”: %s", doing, path,
               g_strerror (code));
  return FALSE;
}

/* Without waiting for it; what is not done is left to fsync(). */
static gboolean
begin_writing (int fd, goffset from, goffset to)
{
  return from >= to || sync_file_range (fd, from, to - from, SYNC_FILE_RANGE_WRITE) == 0;
}

/* fsync() of a large file takes seconds and cannot be called off: most is written before, part by
 * part, some parts at a time. File systems that cannot do so leave it to fsync(). */
static gboolean
write_out (int fd, GCancellable *cancellable, GError **error)
{
  const unsigned int flags
      = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  struct stat status;

  /* Short ones need no parts. */
  if (fstat (fd, &status) != 0 || status.st_size <= SYNC_STEP)
    return !g_cancellable_set_error_if_cancelled (cancellable, error);

  begin_writing (fd, 0, SYNC_AHEAD);
  for (goffset at = 0; at < status.st_size; at += SYNC_STEP) {
    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return FALSE;
    if (!begin_writing (fd, at + SYNC_AHEAD, at + SYNC_AHEAD + SYNC_STEP)
        || sync_file_range (fd, at, SYNC_STEP, flags) != 0)
      break;
  }
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

static gpointer
sync_file (gpointer data)
{
  PenNewFile *self = data;

  if (write_out (self->fd, self->cancellable, &self->error) && fsync (self->fd) != 0)
    set_errno_error (&self->error, self->path, "write to the disk");
  return NULL;
}

void
pen_new_file_write_on (PenNewFile *self)
{
  struct stat status;

  if (fstat (self->fd, &status) != 0 || status.st_size < self->begun + (goffset) SYNC_AHEAD)
    return;
  begin_writing (self->fd, self->begun, status.st_size);
  self->begun = status.st_size;
}

void
pen_new_file_begin_sync (PenNewFile *self, GCancellable *cancellable)
{
  g_return_if_fail (!self->syncing);

  g_set_object (&self->cancellable, cancellable);
  self->syncing = g_thread_new ("sync", sync_file, self);
}

static gboolean
take_name (PenNewFile *self, GError **error)
{
  return g_rename (self->temporary, self->path) == 0
         || set_errno_error (error, self->path, "write");
}

/* A journal beside it undoes changes of the file that had the name before: with the new one, it
 * would make neither of them. */
static gboolean
take_name_and_place (PenNewFile *self, GError **error)
{
  PenJournalTaken *taken = pen_journal_take_place (self->path, error);
  gboolean is_done = taken && take_name (self, error);

  g_clear_pointer (&taken, pen_journal_give_place);
  return is_done;
}

gboolean
pen_new_file_finish (PenNewFile *self, GError **error)
{
  g_return_val_if_fail (self->syncing != NULL, FALSE);

  end_sync (self);
  if (self->error) {
    g_propagate_error (error, g_steal_pointer (&self->error));
    return FALSE;
  }
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  /* The directory is not synced: a machine that stops now forgets the name at worst, and with it
   * the import, but never the order: where the name is, the content is. */
  if (!(self->is_database ? take_name_and_place (self, error) : take_name (self, error)))
    return FALSE;

  g_clear_pointer (&self->temporary, g_free);
  return TRUE;
}

/* ---- what is left of others ---- */

/* As temporary_name() makes them, for @base, or for any. */
static gboolean
is_temporary_name (const char *name, const char *base)
{
  gsize length = strlen (name);
  gsize tail = 1 + NUMBER_DIGITS + strlen (SUFFIX);
  const char *number;

  if (name[0] != '.' || length < 1 + 1 + tail || !g_str_has_suffix (name, SUFFIX))
    return FALSE;

  number = name + length - tail;
  if (*number != '.' || strspn (number + 1, "0123456789abcdef") != NUMBER_DIGITS)
    return FALSE;
  return !base
         || (kept_length (base) == (gsize) (number - name - 1)
             && strncmp (name + 1, base, kept_length (base)) == 0);
}

/* The name must still be that of the file that is locked, when it is taken away. */
static gboolean
is_name_of (const char *path, int fd)
{
  struct stat named;
  struct stat open;

  return lstat (path, &named) == 0 && fstat (fd, &open) == 0 && S_ISREG (open.st_mode)
         && named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

static gboolean
remove_if_left (const char *path)
{
  struct stat status;
  gboolean is_removed = FALSE;
  int fd;

  /* Looked at first: to open a device or a FIFO is to act on it. */
  if (lstat (path, &status) != 0 || !S_ISREG (status.st_mode) || status.st_uid != geteuid ())
    return FALSE;

  fd = g_open (path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0);
  if (fd < 0)
    return FALSE;

  if (flock (fd, LOCK_EX | LOCK_NB) == 0 && is_name_of (path, fd))
    is_removed = g_unlink (path) == 0;
  close (fd);
  return is_removed;
}

guint
pen_new_file_remove_left (const char *directory, const char *base)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;
  guint removed = 0;

  while (dir && (name = g_dir_read_name (dir))) {
    if (is_temporary_name (name, base)) {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      removed += remove_if_left (path);
    }
  }
  return removed;
}

gboolean
pen_new_file_save (const char *path, mode_t mode, const void *bytes, gsize n, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *directory = g_path_get_dirname (absolute);
  g_autofree char *base = g_path_get_basename (absolute);
  g_autoptr (PenNewFile) file = NULL;
  g_autoptr (GOutputStream) stream = NULL;

  pen_new_file_remove_left (directory, base);
  file = pen_new_file_create (absolute, mode, error);
  if (!file)
    return FALSE;
  stream = pen_new_file_stream_new (file);
  if (!g_output_stream_write_all (stream, bytes, n, NULL, NULL, error))
    return FALSE;
  pen_new_file_begin_sync (file, NULL);
  return pen_new_file_finish (file, error);
}
