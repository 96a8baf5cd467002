/* pen-stack-inner.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-inner.h"

PenStackInner *
pen_stack_inner_new (PenQuery *query, const PenStackMap *map, const PenStackSpot *spot,
                     GError **error)
{
  g_autoptr (PenStackInner) self = g_new0 (PenStackInner, 1);
  guint32 n = pen_store_count_chains (query->store);

  self->spot = spot;
  self->nodes = g_new (guint32, (gsize) n + 1);
  self->nodes[0] = PEN_STACK_NOWHERE;
  for (guint32 number = 0; number * (guint64) PEN_BLOCK_CHAINS < n; number++) {
    guint32 first = number * PEN_BLOCK_CHAINS + 1;
    const PenChainNode *chains;
    guint n_chains;

    if (!pen_store_goes_on (query->store, error)
        || !pen_store_read_chain_block (query->store, number, &chains, &n_chains, error))
      return NULL;
    /* The map was made of them: their frames are there. */
    for (guint i = 0; i < n_chains; i++)
      self->nodes[first + i]
          = spot->frames[chains[i].frame] ? map->nodes[first + i] : self->nodes[chains[i].parent];
  }
  return g_steal_pointer (&self);
}

void
pen_stack_inner_free (PenStackInner *self)
{
  if (!self)
    return;
  g_free (self->nodes);
  g_free (self);
}
