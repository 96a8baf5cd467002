/* pen-frame-table.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-frame-table.h"

#include "pen-hash.h"

#include "pen-tagged-slots.h"

struct _PenFrameTable {
  GArray *frames;
  PenTaggedSlots slots;
  PenHashKey key;
};

G_STATIC_ASSERT (PEN_FRAMES_MAX <= PEN_TAGGED_SLOTS_MAX);

PenFrameTable *
pen_frame_table_new (void)
{
  PenFrameTable *self = g_new0 (PenFrameTable, 1);

  self->frames = g_array_new (FALSE, FALSE, sizeof (PenTableFrame));
  self->key = pen_hash_key ();
  pen_tagged_slots_clear (&self->slots, PEN_TAGGED_SLOTS_FIRST);
  return self;
}

void
pen_frame_table_free (PenFrameTable *self)
{
  g_array_unref (self->frames);
  g_free (self->slots.slots);
  g_free (self);
}

GArray *
pen_frame_table_get_frames (PenFrameTable *self)
{
  return self->frames;
}

static guint64
hash_frame (PenFrameTable *self, const PenTableFrame *frame)
{
  guint64 words[] = { frame->address, (guint64) frame->tenure << 32 | frame->revision };

  return pen_hash_words (&self->key, (guint) frame->kind << 1 | frame->is_return, words,
                         G_N_ELEMENTS (words));
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
  pen_tagged_slots_clear (&self->slots, 2 * self->slots.n_slots);
  for (guint i = 0; i < self->frames->len; i++)
    pen_tagged_slots_add (&self->slots,
                          hash_frame (self, &g_array_index (self->frames, PenTableFrame, i)), i);
}

guint32
pen_frame_table_get (PenFrameTable *self, const PenTableFrame *key)
{
  guint64 hash = hash_frame (self, key);
  guint32 id = self->frames->len;
  guint slot = 0;
  guint32 index = pen_tagged_slots_find (&self->slots, hash, &slot, TRUE);

  while (index != PEN_TAGGED_SLOTS_NONE) {
    if (is_same (&g_array_index (self->frames, PenTableFrame, index), key))
      return index;
    index = pen_tagged_slots_find (&self->slots, hash, &slot, FALSE);
  }

  if (id == PEN_FRAMES_MAX)
    return PEN_FRAME_NONE;

  if (pen_tagged_slots_are_full (&self->slots))
    grow (self);
  pen_tagged_slots_add (&self->slots, hash, id);
  g_array_append_vals (self->frames, key, 1);
  return id;
}
