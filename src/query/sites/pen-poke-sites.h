/* pen-poke-sites.h: all pokes, by the places that they hit
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-private.h"
#include "pen-store-pokes.h"

G_BEGIN_DECLS

/*
 * PenPokeSites: a site is an address in one tenure
 * @pokes: (element-type PenPoke): by id
 * @site_of: of each of @pokes
 * @order: indexes of @pokes by site, then by id
 * @starts: where those of site i begin in @order; @n_sites + 1 elements
 * @batches: the store's
 */
typedef struct {
  GArray *pokes;
  guint32 *site_of;
  guint32 *order;
  guint32 *starts;
  guint n_sites;
  const PenBatch *batches;
  guint n_batches;
} PenPokeSites;

/* Cost: every poke is read, and sorted. */
PenPokeSites *pen_poke_sites_new (PenQuery *query, GError **error);
void pen_poke_sites_free (PenPokeSites *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPokeSites, pen_poke_sites_free)

static inline const PenPoke *
pen_poke_sites_get (const PenPokeSites *self, guint poke)
{
  return &g_array_index (self->pokes, PenPoke, poke);
}

/* (nullable): the batch of a poke */
static inline const PenBatch *
pen_poke_sites_get_batch (const PenPokeSites *self, const PenPoke *poke)
{
  return poke->batch >= 1 && poke->batch <= self->n_batches ? &self->batches[poke->batch - 1]
                                                            : NULL;
}

G_END_DECLS
