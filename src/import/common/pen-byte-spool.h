/* pen-byte-spool.h: many small runs of bytes, kept until they are asked for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* No run is longer: that of a record, and a length before it. */
#define PEN_SPOOL_RUN_MAX (65536u + 64u)

/* Where a run is: its offset in units of 8 bytes, and 1, so that 0 is none. */
#define PEN_SPOOL_PLACE_MAX 0x7fffffffu

/*
 * PenByteSpool: the newest runs are in memory, those before them in a temporary file. Reading runs
 * about in the order in which they came costs little, also where several such orders are mixed.
 */
typedef struct _PenByteSpool PenByteSpool;

PenByteSpool *pen_byte_spool_new (const char *directory, gsize memory);
void pen_byte_spool_free (PenByteSpool *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenByteSpool, pen_byte_spool_free)

/*
 * @place: (out): to find it again, at most PEN_SPOOL_PLACE_MAX; 0 where there is no more room,
 * which is beyond 16 GiB
 */
gboolean pen_byte_spool_add (PenByteSpool *self, const void *bytes, gsize n, guint32 *place,
                             GError **error);

/*
 * pen_byte_spool_reserve:
 * @place: (out): as of pen_byte_spool_add(); 0: no more room
 *
 * Returns: where the caller writes a new run of @n bytes before the next call; NULL: no more room,
 * or @error
 */
guint8 *pen_byte_spool_reserve (PenByteSpool *self, gsize n, guint32 *place, GError **error);

/* In memory: the bytes at [base, base + filled). */
typedef struct {
  guint64 base;
  guint8 *bytes;
  gsize filled;
} PenSpoolMemory;

/* It stays where it is; adding alters it. */
const PenSpoolMemory *pen_byte_spool_get_memory (PenByteSpool *self);

/* The run at @place, 8-byte aligned, if it is in memory: until the next one is added; else NULL. */
static inline const guint64 *
pen_spool_memory_peek (const PenSpoolMemory *self, guint32 place)
{
  guint64 offset = ((guint64) place - 1) * 8 - self->base;

  return offset < self->filled ? (const guint64 *) (gconstpointer) (self->bytes + offset) : NULL;
}

/* The first @n bytes of the run at @place, 8-byte aligned: valid until the next call, or NULL with
 * @error. */
const guint8 *pen_byte_spool_get (PenByteSpool *self, guint32 place, gsize n, GError **error);

/* The same where nothing has to be read for it, else NULL. */
const guint8 *pen_byte_spool_peek (PenByteSpool *self, guint32 place, gsize n);

/* @bytes in place of the first @n of the run at @place. */
gboolean pen_byte_spool_change (PenByteSpool *self, guint32 place, const void *bytes, gsize n,
                                GError **error);

G_END_DECLS
