/* pen-file.c: one file of a capture, open for reading
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-reader.h"

/* The buffer that parts of a stream are skipped through. */
#define DISCARD_SIZE 65536

/* The system's message for @path, with what to do where that is known. */
static void
set_error (GError **error, const char *path, int saved_errno)
{
  g_autofree char *quoted = NULL;

  if (saved_errno != EACCES && saved_errno != EPERM) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved_errno), _ ("Cannot read “%s”: %s"),
                 path, g_strerror (saved_errno));
    return;
  }
  quoted = g_shell_quote (path);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
               _ ("Cannot read “%s”: permission denied. A recording made as root belongs to root: "
                  "run “sudo chown -R \"$USER\" %s”, or open it as the user who recorded it"),
               path, quoted);
}

static PenFile *
file_new (const char *path, const char *name)
{
  PenFile *self = g_new0 (PenFile, 1);

  self->path = g_strdup (path);
  self->name = g_strdup (name);
  self->fd = -1;
  return self;
}

static gboolean
check_kind (const char *path, const struct stat *info, PenFileFlags flags, GError **error)
{
  if (S_ISREG (info->st_mode) || (S_ISFIFO (info->st_mode) && (flags & PEN_FILE_FIFOS)))
    return TRUE;

  g_set_error (error, PEN_READER_ERROR, PEN_READER_ERROR_NOT_REGULAR,
               S_ISDIR (info->st_mode)
                   ? _ ("“%s” is a directory, not a file: open the recording itself")
                   : _ ("“%s” is not a regular file: save the recording to a file first"),
               path);
  return FALSE;
}

PenFile *
pen_file_open (const char *path, const char *name, PenFileFlags flags, GError **error)
{
  g_autoptr (PenFile) self = file_new (path, name);
  gboolean follow_links = (flags & PEN_FILE_LINKS) != 0;
  struct stat info;

  /* Looked at before it is opened as well: to open some devices is to act on them. */
  if ((follow_links ? stat (path, &info) : lstat (path, &info)) < 0) {
    set_error (error, path, errno);
    return NULL;
  }
  if (!check_kind (path, &info, flags, error))
    return NULL;

  self->fd
      = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (follow_links ? 0 : O_NOFOLLOW));
  if (self->fd < 0 || fstat (self->fd, &info) < 0) {
    set_error (error, path, errno);
    return NULL;
  }
  if (!check_kind (path, &info, flags, error))
    return NULL;

  self->is_stream = S_ISFIFO (info.st_mode);
  self->size = self->is_stream ? 0 : (guint64) info.st_size;
  return g_steal_pointer (&self);
}

PenFile *
pen_file_open_standard_input (GError **error)
{
  g_autoptr (PenFile) self = file_new ("-", "standard input");
  struct stat info;

  self->fd = fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  if (self->fd < 0 || fstat (self->fd, &info) < 0) {
    set_error (error, "standard input", errno);
    return NULL;
  }
  if (!S_ISREG (info.st_mode) && !S_ISFIFO (info.st_mode) && !S_ISSOCK (info.st_mode)) {
    g_set_error (error, PEN_READER_ERROR, PEN_READER_ERROR_NOT_REGULAR,
                 isatty (self->fd)
                     ? _ ("“-” reads standard input, which is a terminal: redirect a recording to "
                          "it, as in “perf record -o - … | …”")
                     : _ ("“-” reads standard input, which is neither a pipe nor a file"));
    return NULL;
  }

  /* If another process has read some of a file, what is left is the recording. */
  self->is_stream = !S_ISREG (info.st_mode) || lseek (self->fd, 0, SEEK_CUR) != 0;
  self->size = self->is_stream ? 0 : (guint64) info.st_size;
  return g_steal_pointer (&self);
}

PenFile *
pen_file_new_for_temporary (int fd, const PenFile *like, guint64 size)
{
  PenFile *self = file_new (like->path, like->name);

  self->fd = fd;
  self->size = size;
  return self;
}

void
pen_file_free (PenFile *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->path);
  g_free (self->name);
  g_free (self);
}

/* Until there is something to read, or the last writer has gone: before the first one has come, a
 * FIFO would seem to have ended. */
static gboolean
wait_for_writer (PenFile *self, GError **error)
{
  GPollFD fds[2] = { { .fd = self->fd, .events = G_IO_IN } };
  gboolean can_cancel = g_cancellable_make_pollfd (self->cancellable, &fds[1]);

  while (g_poll (fds, can_cancel ? 2 : 1, -1) < 0 && errno == EINTR)
    ;
  if (can_cancel)
    g_cancellable_release_fd (self->cancellable);
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

/* Takes what comes next, until there are @least bytes; 0 at the end. */
static gssize
take_from_stream (PenFile *self, void *buffer, gsize least, gsize length, GError **error)
{
  gsize done = 0;

  while (done < least) {
    ssize_t n;

    if (!wait_for_writer (self, error))
      return -1;
    n = read (self->fd, (guint8 *) buffer + done, length - done);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (n < 0) {
      set_error (error, self->path, errno);
      return -1;
    }
    if (n == 0)
      break;
    done += (gsize) n;
  }
  self->position += done;
  return (gssize) done;
}

static gboolean
take_head (PenFile *self, GError **error)
{
  gssize got;

  if (self->has_head)
    return TRUE;
  got = take_from_stream (self, self->head, sizeof self->head, sizeof self->head, error);
  if (got < 0)
    return FALSE;
  self->head_length = (gsize) got;
  self->has_head = TRUE;
  return TRUE;
}

/* FALSE: failed, with @error; the stream may end before it gets there. */
static gboolean
pass_over (PenFile *self, guint64 offset, GError **error)
{
  g_autofree guint8 *scratch = NULL;

  while (self->position < offset) {
    gsize step = (gsize) MIN (offset - self->position, DISCARD_SIZE);
    gssize got;

    if (!scratch)
      scratch = g_malloc (DISCARD_SIZE);
    got = take_from_stream (self, scratch, step, step, error);
    if (got < 0)
      return FALSE;
    if ((gsize) got < step)
      break;
  }
  return TRUE;
}

static gssize
read_stream (PenFile *self, guint64 offset, guint8 *buffer, gsize least, gsize length,
             GError **error)
{
  gsize done = 0;
  gssize got;

  if (!take_head (self, error))
    return -1;
  if (offset < self->head_length) {
    done = MIN (length, self->head_length - (gsize) offset);
    memcpy (buffer, self->head + offset, done);
  }
  if (done >= least)
    return (gssize) done;

  if (offset + done < self->position) {
    g_set_error (error, PEN_READER_ERROR, PEN_READER_ERROR_UNSUPPORTED,
                 _ ("Cannot read “%s” a second time: save the recording to a file first"),
                 self->path);
    return -1;
  }
  if (!pass_over (self, offset + done, error))
    return -1;
  if (self->position < offset + done)
    return (gssize) done;
  got = take_from_stream (self, buffer + done, least - done, length - done, error);
  return got < 0 ? -1 : (gssize) done + got;
}

gssize
pen_file_read_some (PenFile *self, guint64 offset, void *buffer, gsize least, gsize length,
                    GError **error)
{
  gsize done = 0;

  if (self->is_stream)
    return read_stream (self, offset, buffer, least, length, error);

  while (done < length) {
    ssize_t n = pread (self->fd, (guint8 *) buffer + done, length - done, (off_t) (offset + done));

    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      set_error (error, self->path, errno);
      return -1;
    }
    if (n == 0)
      break;
    done += (gsize) n;
  }
  return (gssize) done;
}

gssize
pen_file_read (PenFile *self, guint64 offset, void *buffer, gsize length, GError **error)
{
  return pen_file_read_some (self, offset, buffer, length, length, error);
}
