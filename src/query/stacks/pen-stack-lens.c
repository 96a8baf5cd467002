/* pen-stack-lens.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-lens.h"

static gboolean
flag_block (PenStackLens *self, PenQuery *query, const PenFrameColumns *frames, guint number,
            GError **error)
{
  guint8 *flags = self->chains + (gsize) number * PEN_BLOCK_CHAINS + 1;
  const PenChainNode *chains;
  guint n;

  if (!pen_store_goes_on (query->store, error)
      || !pen_store_read_chain_block (query->store, number, &chains, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    if (chains[i].frame >= frames->n)
      return pen_stack_map_refuse_damage (query, error);
    flags[i] = self->chains[chains[i].parent] | self->spot->frames[chains[i].frame];
  }
  return TRUE;
}

PenStackLens *
pen_stack_lens_new (PenQuery *query, const PenFrameColumns *frames, const PenStackSpot *spot,
                    GError **error)
{
  g_autoptr (PenStackLens) self = g_new0 (PenStackLens, 1);
  guint32 n = pen_store_count_chains (query->store);

  self->spot = spot;
  if (n > PEN_STACK_CHAINS_MAX) {
    pen_stack_map_refuse_size (error);
    return NULL;
  }
  self->chains = g_malloc0 ((gsize) n + 1);
  for (guint32 i = 0; i * (guint64) PEN_BLOCK_CHAINS < n; i++) {
    if (!flag_block (self, query, frames, i, error))
      return NULL;
  }
  return g_steal_pointer (&self);
}

void
pen_stack_lens_free (PenStackLens *self)
{
  if (!self)
    return;
  g_free (self->chains);
  g_free (self);
}
