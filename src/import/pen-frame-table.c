/* pen-frame-table.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-frame-table.h"

#include "pen-hash.h"

#define FIRST_SLOTS 4096u /* a power of two */
#define EMPTY G_MAXUINT32

struct _PenFrameTable {
  GArray *frames;
  guint32 *slots; /* indexes of frames, or EMPTY */
  guint n_slots;
  guint64 seed;
};

PenFrameTable *
pen_frame_table_new (void)
{
  PenFrameTable *self = g_new0 (PenFrameTable, 1);

  self->frames = g_array_new (FALSE, FALSE, sizeof (PenTableFrame));
  self->seed = pen_hash_seed ();
  self->n_slots = FIRST_SLOTS;
  self->slots = g_new (guint32, self->n_slots);
  for (guint i = 0; i < self->n_slots; i++)
    self->slots[i] = EMPTY;

  return self;
}

void
pen_frame_table_free (PenFrameTable *self)
{
  if (self == NULL)
    return;

  g_array_unref (self->frames);
  g_free (self->slots);
  g_free (self);
}

GArray *
pen_frame_table_get_frames (PenFrameTable *self)
{
  return self->frames;
}

static guint
first_slot (PenFrameTable *self, const PenTableFrame *key)
{
  guint64 hash = pen_hash_mix (self->seed, key->address);

  hash = pen_hash_mix (hash, (guint64) key->tenure << 32 | key->revision);
  hash = pen_hash_mix (hash, (guint) key->kind << 1 | key->is_return);

  return (guint) (hash >> 32) & (self->n_slots - 1);
}

static gboolean
is_same (const PenTableFrame *a, const PenTableFrame *b)
{
  return a->address == b->address && a->tenure == b->tenure && a->revision == b->revision
         && a->kind == b->kind && a->is_return == b->is_return;
}

static void
grow (PenFrameTable *self)
{
  self->n_slots *= 2;
  self->slots = g_renew (guint32, self->slots, self->n_slots);
  for (guint i = 0; i < self->n_slots; i++)
    self->slots[i] = EMPTY;

  for (guint i = 0; i < self->frames->len; i++) {
    guint slot = first_slot (self, &g_array_index (self->frames, PenTableFrame, i));

    while (self->slots[slot] != EMPTY)
      slot = (slot + 1) & (self->n_slots - 1);
    self->slots[slot] = i;
  }
}

guint32
pen_frame_table_get (PenFrameTable *self, const PenTableFrame *key)
{
  guint slot = first_slot (self, key);
  guint32 id = self->frames->len;

  for (; self->slots[slot] != EMPTY; slot = (slot + 1) & (self->n_slots - 1))
    if (is_same (&g_array_index (self->frames, PenTableFrame, self->slots[slot]), key))
      return self->slots[slot];

  if (id == PEN_FRAMES_MAX)
    return PEN_FRAME_NONE;

  g_array_append_vals (self->frames, key, 1);
  self->slots[slot] = id;
  if (self->frames->len > self->n_slots / 2)
    grow (self);

  return id;
}
