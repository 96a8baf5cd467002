/* pen-block-packer.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-block-packer.h"

struct _PenBlockPacker {
  PenSampleBlock *block;
  PenPacker *packer;
  PenPackedBlock packed;
  GThread *thread; /* NULL: nothing is in the works */
};

PenBlockPacker *
pen_block_packer_new (void)
{
  PenBlockPacker *self = g_new0 (PenBlockPacker, 1);

  self->block = pen_sample_block_new ();
  self->packer = pen_packer_new ();
  return self;
}

void
pen_block_packer_free (PenBlockPacker *self)
{
  if (!self)
    return;

  if (self->thread)
    g_thread_join (self->thread);
  pen_sample_block_free (self->block);
  pen_packer_free (self->packer);
  g_free (self);
}

static gpointer
pack (gpointer data)
{
  PenBlockPacker *self = data;
  const PenSampleBlock *block = self->block;
  PenPackedBlock packed = { .n = block->n, .first = G_MAXUINT64 };

  for (guint i = 0; i < block->n; i++)
    if ((block->has[i] & PEN_SAMPLE_HAS_TIME) != 0) {
      packed.first = MIN (packed.first, block->time[i]);
      packed.last = MAX (packed.last, block->time[i]);
    }
  packed.first = MIN (packed.first, packed.last);
  packed.bytes = pen_sample_block_pack (block, self->packer, &packed.length);
  self->packed = packed;
  return NULL;
}

void
pen_block_packer_start (PenBlockPacker *self, PenSampleBlock *block)
{
  PenSampleBlock filled = *block;

  g_return_if_fail (!self->thread);

  /* The arrays change places: nothing is copied. */
  *block = *self->block;
  block->n = 0;
  *self->block = filled;
  self->thread = g_thread_new ("block", pack, self);
}

gboolean
pen_block_packer_wait (PenBlockPacker *self, PenPackedBlock *packed)
{
  if (!self->thread)
    return FALSE;

  g_thread_join (g_steal_pointer (&self->thread));
  *packed = self->packed;
  return TRUE;
}
