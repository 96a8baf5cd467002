/* pen-stream.h: a range of a file, read once from front to back
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-file.h"

G_BEGIN_DECLS

/* header.size is a u16. */
#define PEN_RECORD_SIZE_MAX 65535

/*
 * PenStream:
 * @capacity: how much @buffer can hold
 * @position, @limit: the bytes at hand
 * @fetched: the file's offset that belongs to @limit
 * @end: the range ends here; of a FIFO or standard input, this is known when it has ended
 * @shrank: the file turned out to be shorter than the range, which now ends with the file
 * @is_cut_in_skip: a FIFO or standard input ended within what was to be passed over
 */
typedef struct {
  PenFile *file; /* borrowed */
  guint8 *buffer;
  gsize capacity;
  const guint8 *position;
  const guint8 *limit;
  guint64 fetched;
  guint64 end;
  gboolean shrank;
  gboolean is_cut_in_skip;
} PenStream;

void pen_stream_clear (PenStream *self);

/* Starts over with bytes [@begin, @end) of @file. */
void pen_stream_start (PenStream *self, PenFile *file, guint64 begin, guint64 end);

/*
 * pen_stream_fill:
 * @needed: at most PEN_RECORD_SIZE_MAX
 *
 * Gets at least @needed bytes to hand, or all that the range still has; moves what was at hand.
 * A stream is waited for only as long as there are fewer. A file that has shrunk ends the range.
 */
gboolean pen_stream_fill (PenStream *self, gsize needed, GError **error);

/* Passes over @size bytes that need not be at hand. FALSE if the range has fewer. */
gboolean pen_stream_skip (PenStream *self, guint64 size);

/*
 * pen_stream_take:
 *
 * Appends the next @size bytes to @bytes, or as many as the range still has: memory grows with what
 * there is, not with @size.
 */
gboolean pen_stream_take (PenStream *self, gsize size, GByteArray *bytes, GError **error);

static inline gsize
pen_stream_available (const PenStream *self)
{
  return (gsize) (self->limit - self->position);
}

static inline guint64
pen_stream_get_offset (const PenStream *self)
{
  return self->fetched - pen_stream_available (self);
}

/* How many bytes the range still has. */
static inline guint64
pen_stream_get_left (const PenStream *self)
{
  return self->end - pen_stream_get_offset (self);
}

G_END_DECLS
