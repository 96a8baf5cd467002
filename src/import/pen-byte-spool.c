/* pen-byte-spool.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-byte-spool.h"

#include <string.h>

#include "pen-scratch-file.h"

#define FIRST_SIZE 65536u
/* Read at once from the file: about what a few dozen runs take. */
#define WINDOW 16384u

struct _PenByteSpool {
  PenScratchFile file; /* [0, base) */
  guint64 base;
  guint8 *newest; /* [base, base + filled) */
  gsize filled;
  gsize size;
  gsize memory;
  guint8 *window; /* of the file */
  guint64 window_start;
  gsize window_filled;
};

PenByteSpool *
pen_byte_spool_new (const char *directory, gsize memory)
{
  PenByteSpool *self = g_new0 (PenByteSpool, 1);

  pen_scratch_file_init (&self->file, directory);
  self->memory = MAX (memory, 8);

  return self;
}

void
pen_byte_spool_free (PenByteSpool *self)
{
  if (self == NULL)
    return;

  pen_scratch_file_clear (&self->file);
  g_free (self->newest);
  g_free (self->window);
  g_free (self);
}

static gboolean
make_room (PenByteSpool *self, gsize n, GError **error)
{
  if (self->filled > 0 && self->filled + n > self->memory) {
    if (!pen_scratch_file_append (&self->file, self->newest, self->filled, error))
      return FALSE;
    self->base += self->filled;
    self->filled = 0;
  }

  if (self->filled + n > self->size) {
    self->size = MAX (FIRST_SIZE, MAX (self->filled + n, MIN (2 * self->size, self->memory)));
    self->newest = g_realloc (self->newest, self->size);
  }

  return TRUE;
}

gboolean
pen_byte_spool_add (PenByteSpool *self, const void *bytes, gsize n, guint32 *place, GError **error)
{
  guint64 offset = self->base + self->filled;
  gsize padded = (n + 7) & ~(gsize) 7;

  g_return_val_if_fail (n <= PEN_SPOOL_RUN_MAX, FALSE);

  *place = 0;
  if (offset / 8 >= PEN_SPOOL_PLACE_MAX)
    return TRUE;
  if (!make_room (self, padded, error))
    return FALSE;

  memcpy (self->newest + self->filled, bytes, n);
  memset (self->newest + self->filled + n, 0, padded - n);
  self->filled += padded;
  *place = (guint32) (offset / 8) + 1;

  return TRUE;
}

static gboolean
fill_window (PenByteSpool *self, guint64 offset, gsize n, GError **error)
{
  gsize wanted = (gsize) MIN (MAX (n, WINDOW), self->base - offset);

  if (self->window == NULL)
    self->window = g_malloc (PEN_SPOOL_RUN_MAX);

  self->window_filled = 0;
  if (!pen_scratch_file_read (&self->file, offset, self->window, wanted, error))
    return FALSE;
  self->window_start = offset;
  self->window_filled = wanted;

  return TRUE;
}

const guint8 *
pen_byte_spool_get (PenByteSpool *self, guint32 place, gsize n, GError **error)
{
  guint64 offset = ((guint64) place - 1) * 8;

  g_return_val_if_fail (
      place > 0 && n <= PEN_SPOOL_RUN_MAX && offset + n <= self->base + self->filled, NULL);

  if (offset >= self->base)
    return self->newest + (offset - self->base);

  if (offset < self->window_start || offset + n > self->window_start + self->window_filled) {
    if (!fill_window (self, offset, n, error))
      return NULL;
  }

  return self->window + (offset - self->window_start);
}
