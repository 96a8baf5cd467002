/* pen-stream.c: a range of a file, read once from front to back
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stream.h"

#include <string.h>

/* Large enough that the system calls do not count, small enough for the second-level cache. */
#define CHUNK (256 * 1024)
#define CAPACITY (CHUNK + PEN_RECORD_SIZE_MAX)
/* See pen_stream_fill(): up to seven bytes before the first. */
#define ALIGNMENT_SLACK 8

void
pen_stream_clear (PenStream *self)
{
  g_clear_pointer (&self->buffer, g_free);
  *self = (PenStream){ 0 };
}

/* No more than the range has: a directory may have thousands of files, most of them small. */
static void
reserve (PenStream *self, gsize capacity)
{
  if (self->buffer && capacity <= self->capacity)
    return;
  g_free (self->buffer);
  self->buffer = g_malloc (capacity + ALIGNMENT_SLACK);
  self->capacity = capacity;
}

void
pen_stream_start (PenStream *self, PenFile *file, guint64 begin, guint64 end)
{
  reserve (self, (gsize) MIN ((guint64) CAPACITY, MAX (begin, end) - begin));
  self->file = file;
  self->position = self->limit = self->buffer;
  self->fetched = begin;
  self->end = MAX (begin, end);
  self->shrank = FALSE;
  self->is_cut_in_skip = FALSE;
}

gboolean
pen_stream_fill (PenStream *self, gsize needed, GError **error)
{
  gsize kept = pen_stream_available (self);
  guint8 *start;
  gsize wanted;
  gsize least;
  gssize got;

  g_assert (needed <= PEN_RECORD_SIZE_MAX);
  if (kept >= needed || self->fetched >= self->end)
    return TRUE;

  /* Memory is aligned to 8 bytes as the file is, so that arrays can be used in place. */
  start = self->buffer + (pen_stream_get_offset (self) & 7);
  memmove (start, self->position, kept);
  self->position = start;
  self->limit = start + kept;

  wanted = (gsize) MIN ((guint64) CHUNK, self->end - self->fetched);
  least = MIN (needed - kept, wanted);
  got = pen_file_read_some (self->file, self->fetched, start + kept, least, wanted, error);
  if (got < 0)
    return FALSE;
  self->limit += got;
  self->fetched += (guint64) got;
  if ((gsize) got < (self->file->is_stream ? least : wanted)) {
    self->end = self->fetched;
    self->shrank = !self->file->is_stream;
    self->is_cut_in_skip = self->file->is_stream && self->file->position < self->fetched;
  }
  return TRUE;
}

gboolean
pen_stream_take (PenStream *self, gsize size, GByteArray *bytes, GError **error)
{
  while (size > 0) {
    gsize step;

    if (!pen_stream_fill (self, MIN (size, PEN_RECORD_SIZE_MAX), error))
      return FALSE;
    step = MIN (size, pen_stream_available (self));
    if (step == 0)
      return TRUE;
    g_byte_array_append (bytes, self->position, (guint) step);
    self->position += step;
    size -= step;
  }
  return TRUE;
}

gboolean
pen_stream_skip (PenStream *self, guint64 size)
{
  guint64 available = pen_stream_available (self);

  if (size > pen_stream_get_left (self))
    return FALSE;

  if (size <= available) {
    self->position += size;
    return TRUE;
  }
  self->fetched += size - available;
  self->position = self->limit = self->buffer;
  return TRUE;
}
