/* pen-inflater.c: the records inside COMPRESSED records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-inflater.h"

#include <string.h>
#include <zstd.h>

#include "pen-reason.h"
#include "pen-stream.h"

#define CHUNK (256 * 1024)
#define CAPACITY (CHUNK + PEN_RECORD_SIZE_MAX + 1)

struct _PenInflater {
  ZSTD_DCtx *context;
  ZSTD_inBuffer input;
  gboolean may_hold_more; /* the output was full: zstd may have more without more input */
  guint8 *buffer;
  gsize position;
  gsize limit;
  guint64 produced;
  guint64 output_max;
  const char *reason;
};

PenInflater *
pen_inflater_new (void)
{
  return g_new0 (PenInflater, 1);
}

void
pen_inflater_free (PenInflater *self)
{
  ZSTD_freeDCtx (self->context);
  g_free (self->buffer);
  g_free (self);
}

void
pen_inflater_reset (PenInflater *self)
{
  if (self->context)
    ZSTD_DCtx_reset (self->context, ZSTD_reset_session_only);
  self->input = (ZSTD_inBuffer){ 0 };
  self->may_hold_more = FALSE;
  self->position = self->limit = 0;
  self->reason = NULL;
}

/* Most captures are not compressed: half a megabyte is taken when there is a use for it. */
static void
allocate (PenInflater *self)
{
  self->context = ZSTD_createDCtx ();
  if (!self->context)
    g_error ("Out of memory for a zstd context");
  self->buffer = g_malloc (CAPACITY);
}

void
pen_inflater_begin (PenInflater *self, const guint8 *data, gsize length, guint64 output_max)
{
  if (!self->context)
    allocate (self);
  self->input = (ZSTD_inBuffer){ data, length, 0 };
  self->produced = 0;
  self->output_max = output_max;
}

static gboolean
produce (PenInflater *self)
{
  ZSTD_outBuffer output;
  size_t result;

  memmove (self->buffer, self->buffer + self->position, self->limit - self->position);
  self->limit -= self->position;
  self->position = 0;

  output = (ZSTD_outBuffer){ self->buffer + self->limit, MIN (CHUNK, CAPACITY - self->limit), 0 };
  result = ZSTD_decompressStream (self->context, &output, &self->input);
  if (ZSTD_isError (result)) {
    self->reason = PEN_REASON_COMPRESSED_DAMAGED;
    return FALSE;
  }
  self->may_hold_more = output.pos == output.size;
  self->limit += output.pos;
  self->produced += output.pos;
  if (self->produced > self->output_max) {
    self->reason = PEN_REASON_COMPRESSED_TOO_LARGE;
    return FALSE;
  }
  return TRUE;
}

const guint8 *
pen_inflater_peek (PenInflater *self, gsize needed, gsize *available)
{
  *available = 0;
  if (self->reason)
    return NULL;

  while (self->limit - self->position < needed
         && (self->may_hold_more || self->input.pos < self->input.size)) {
    if (!produce (self))
      return NULL;
  }
  *available = self->limit - self->position;
  return self->buffer + self->position;
}

const char *
pen_inflater_get_reason (PenInflater *self)
{
  return self->reason;
}

void
pen_inflater_consume (PenInflater *self, gsize size)
{
  self->position += size;
}

gsize
pen_inflater_get_left_over (PenInflater *self)
{
  return self->limit - self->position;
}
