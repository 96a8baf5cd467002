/* pen-poke-sites.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-poke-sites.h"

#include "pen-compare.h"

static int
compare_places (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenPokeSites *self = user_data;
  const PenPoke *x = pen_poke_sites_get (self, *(const guint32 *) a);
  const PenPoke *y = pen_poke_sites_get (self, *(const guint32 *) b);

  if (x->address != y->address)
    return PEN_COMPARE (x->address, y->address);
  if (x->tenure != y->tenure)
    return PEN_COMPARE (x->tenure, y->tenure);
  return PEN_COMPARE (x->id, y->id);
}

static void
find_sites (PenPokeSites *self)
{
  guint n = self->pokes->len;
  const PenPoke *before = NULL;

  self->site_of = g_new (guint32, n + 1);
  self->order = g_new (guint32, n + 1);
  self->starts = g_new (guint32, n + 1);
  for (guint i = 0; i < n; i++)
    self->order[i] = i;
  g_qsort_with_data (self->order, (gint) n, sizeof *self->order, compare_places, self);
  for (guint i = 0; i < n; i++) {
    const PenPoke *poke = pen_poke_sites_get (self, self->order[i]);

    if (!before || before->address != poke->address || before->tenure != poke->tenure)
      self->starts[self->n_sites++] = i;
    self->site_of[self->order[i]] = self->n_sites - 1;
    before = poke;
  }
  self->starts[self->n_sites] = n;
}

PenPokeSites *
pen_poke_sites_new (PenQuery *query, GError **error)
{
  g_autoptr (PenPokeSites) self = g_new0 (PenPokeSites, 1);
  GError *failure = NULL;

  self->pokes = pen_store_load_pokes (query->store, 0, G_MAXUINT64, error);
  if (!self->pokes)
    return NULL;
  self->batches = pen_store_get_batches (query->store, &self->n_batches, &failure);
  if (failure) {
    g_propagate_error (error, failure);
    return NULL;
  }
  find_sites (self);
  return g_steal_pointer (&self);
}

void
pen_poke_sites_free (PenPokeSites *self)
{
  g_clear_pointer (&self->pokes, g_array_unref);
  g_free (self->site_of);
  g_free (self->order);
  g_free (self->starts);
  g_free (self);
}
