/* pen-regular-file.c: opens what a capture brings along
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-regular-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-reason.h"

static gboolean
set_errno (GError **error, const char *path, int code)
{
  return pen_reason_set_error (error, g_io_error_from_errno (code), PEN_REASON_SYSTEM, path,
                               pen_reason_name_errno (code), NULL);
}

static gboolean
check_regular (const char *path, const struct stat *st, GError **error)
{
  return S_ISREG (st->st_mode)
         || pen_reason_set_error (error, G_IO_ERROR_NOT_REGULAR_FILE, PEN_REASON_FILE_NOT_REGULAR,
                                  path, NULL);
}

int
pen_regular_file_open (const char *path, guint64 *size, GError **error)
{
  struct stat st;
  int fd;

  /* Opening a device can already do something, so look before, and again after: it may have been
   * exchanged in between. */
  if (stat (path, &st) != 0) {
    set_errno (error, path, errno);
    return -1;
  }
  if (!check_regular (path, &st, error))
    return -1;

  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) {
    set_errno (error, path, errno);
    return -1;
  }
  if (fstat (fd, &st) != 0) {
    set_errno (error, path, errno);
    close (fd);
    return -1;
  }
  if (!check_regular (path, &st, error)) {
    close (fd);
    return -1;
  }

  *size = (guint64) st.st_size;
  return fd;
}

#define BLOCK (64 * 1024)

struct _PenLineReader {
  char *path;
  int fd;           /* -1: of @text */
  const char *text; /* what is not yet in @block */
  gsize left;
  gsize begin; /* of what is not yet given out, in block */
  gsize end;
  gboolean at_end;
  char block[BLOCK + 1];
};

PenLineReader *
pen_line_reader_new (const char *path, GError **error)
{
  PenLineReader *self;
  guint64 size;
  int fd = pen_regular_file_open (path, &size, error);

  if (fd < 0)
    return NULL;

  self = g_new0 (PenLineReader, 1);
  self->path = g_strdup (path);
  self->fd = fd;
  return self;
}

PenLineReader *
pen_line_reader_new_for_text (const char *text, gsize length)
{
  PenLineReader *self = g_new0 (PenLineReader, 1);

  self->fd = -1;
  self->text = text;
  self->left = length;
  return self;
}

void
pen_line_reader_free (PenLineReader *self)
{
  if (!self)
    return;
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->path);
  g_free (self);
}

/* Returns: bytes that were put to @to; 0: the end; -1 with errno */
static gssize
take (PenLineReader *self, char *to, gsize n)
{
  gssize got;

  if (self->fd < 0) {
    n = MIN (n, self->left);
    memcpy (to, self->text, n);
    self->text += n;
    self->left -= n;
    return (gssize) n;
  }
  do
    got = read (self->fd, to, n);
  while (got < 0 && errno == EINTR);
  return got;
}

/* Moves the rest to the front of the block and fills it up. */
static gboolean
fill (PenLineReader *self, GError **error)
{
  gssize got;

  memmove (self->block, self->block + self->begin, self->end - self->begin);
  self->end -= self->begin;
  self->begin = 0;

  got = take (self, self->block + self->end, BLOCK - self->end);
  if (got < 0)
    return set_errno (error, self->path, errno);
  self->end += (gsize) got;
  self->at_end = got == 0;
  return TRUE;
}

gboolean
pen_line_reader_next (PenLineReader *self, char **line, GError **error)
{
  gboolean is_too_long = FALSE;

  for (;;) {
    char *start = self->block + self->begin;
    gsize available = self->end - self->begin;
    char *newline = memchr (start, '\n', available);
    gsize length = newline ? (gsize) (newline - start) : available;

    if (!newline && !self->at_end) {
      if (available > PEN_LINE_MAX) {
        is_too_long = TRUE;
        self->begin = self->end;
      }
      if (!fill (self, error))
        return FALSE;
      continue;
    }
    if (!newline && length == 0 && !is_too_long)
      return FALSE;

    self->begin += length + (newline ? 1 : 0);
    start[length] = '\0';
    if (is_too_long || length > PEN_LINE_MAX || memchr (start, '\0', length))
      *line = NULL;
    else
      *line = start;
    return TRUE;
  }
}
