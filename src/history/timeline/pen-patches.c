/* pen-patches.c: how often each byte of a tenure has been patched (rules P1–P3)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-patches.h"

#include "pen-binary-search.h"

#include <string.h>

#define COMPARE(a, b) ((a) < (b) ? -1 : (a) > (b))

void
pen_patches_init (PenPatches *self)
{
  self->patches = g_array_new (FALSE, FALSE, sizeof (PenPatch));
  self->sites = g_array_new (FALSE, FALSE, sizeof (PenPatchSite));
}

void
pen_patches_clear (PenPatches *self)
{
  g_clear_pointer (&self->patches, g_array_unref);
  g_clear_pointer (&self->sites, g_array_unref);
  g_clear_pointer (&self->edges, g_free);
  g_clear_pointer (&self->first_edge, g_free);
  g_clear_pointer (&self->first_site, g_free);
  g_clear_pointer (&self->moments, g_free);
  g_clear_pointer (&self->site_ends, pen_end_tree_free);
}

PenPokeEffect
pen_patches_get_effect (const PenPoke *poke)
{
  if (poke->old_length == poke->new_length
      && (poke->old_length == 0
          || memcmp (poke->old_bytes, poke->new_bytes, poke->old_length) == 0))
    return PEN_POKE_SAME;
  if (poke->old_length == 0)
    return PEN_POKE_FILL;
  if (poke->new_length == 0)
    return PEN_POKE_CLEAR;
  return PEN_POKE_PATCH;
}

void
pen_patches_add (PenPatches *self, PenMoment moment, guint32 tenure, guint64 start, guint64 end)
{
  PenPatch patch = { .moment = moment, .start = start, .end = end, .tenure = tenure };

  g_array_append_val (self->patches, patch);
}

typedef struct {
  guint32 tenure;
  guint64 address;
} Edge;

static int
compare_edges (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const Edge *first = a;
  const Edge *second = b;

  if (first->tenure != second->tenure)
    return COMPARE (first->tenure, second->tenure);
  return COMPARE (first->address, second->address);
}

static GArray *
collect_edges (const PenPatches *self, PenCancelCheck *check)
{
  GArray *edges = g_array_sized_new (FALSE, FALSE, sizeof (Edge), 2 * self->patches->len);

  for (guint i = 0; i < self->patches->len; i++) {
    const PenPatch *patch = &g_array_index (self->patches, PenPatch, i);
    Edge both[] = { { patch->tenure, patch->start }, { patch->tenure, patch->end } };

    g_array_append_vals (edges, both, 2);
  }
  pen_cancel_check_sort (check, edges->data, edges->len, sizeof (Edge), compare_edges, NULL);
  return edges;
}

/* Counts per tenure become the place of each tenure's first. */
static void
accumulate (guint32 *first, guint n_tenures)
{
  for (guint tenure = 0; tenure <= n_tenures; tenure++)
    first[tenure + 1] += first[tenure];
}

static gboolean
make_edges (PenPatches *self, PenCancelCheck *check)
{
  g_autoptr (GArray) all = collect_edges (self, check);
  guint kept = 0;

  if (check->is_stopped)
    return FALSE;

  self->edges = g_new (guint64, all->len + 1);
  self->first_edge = g_new0 (guint32, self->n_tenures + 2);
  for (guint i = 0; i < all->len; i++) {
    const Edge *edge = &g_array_index (all, Edge, i);

    if (i > 0 && compare_edges (edge, edge - 1, NULL) == 0)
      continue;
    self->edges[kept++] = edge->address;
    self->first_edge[edge->tenure + 1]++;
  }
  self->n_edges = kept;
  accumulate (self->first_edge, self->n_tenures);

  for (guint i = 0; i < self->patches->len; i++) {
    PenPatch *patch = &g_array_index (self->patches, PenPatch, i);

    patch->first_edge = pen_patches_find_edge (self, patch->tenure, patch->start);
    patch->end_edge = pen_patches_find_edge (self, patch->tenure, patch->end);
    if (!pen_cancel_check_step (check))
      return FALSE;
  }
  return TRUE;
}

static int
compare_sites (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenPatch *patches = user_data;
  guint32 i = *(const guint32 *) a;
  guint32 j = *(const guint32 *) b;

  if (patches[i].tenure != patches[j].tenure)
    return COMPARE (patches[i].tenure, patches[j].tenure);
  if (patches[i].start != patches[j].start)
    return COMPARE (patches[i].start, patches[j].start);
  if (patches[i].end != patches[j].end)
    return COMPARE (patches[i].end, patches[j].end);
  return COMPARE (i, j);
}

static gboolean
make_sites (PenPatches *self, PenCancelCheck *check)
{
  const PenPatch *patches = (const PenPatch *) (gpointer) self->patches->data;
  guint n = self->patches->len;
  g_autofree guint32 *order = g_new (guint32, n);
  const PenPatch *last = NULL;

  self->first_site = g_new0 (guint32, self->n_tenures + 2);
  self->moments = g_new (PenMoment, n);
  for (guint i = 0; i < n; i++)
    order[i] = i;
  if (!pen_cancel_check_sort (check, order, n, sizeof *order, compare_sites, (gpointer) patches))
    return FALSE;

  for (guint i = 0; i < n; i++) {
    const PenPatch *patch = &patches[order[i]];

    if (!last || last->tenure != patch->tenure || last->start != patch->start
        || last->end != patch->end) {
      PenPatchSite site = { .start = patch->start, .end = patch->end, .first = i };

      g_array_append_val (self->sites, site);
      self->first_site[patch->tenure + 1]++;
    }
    g_array_index (self->sites, PenPatchSite, self->sites->len - 1).n++;
    self->moments[i] = patch->moment;
    last = patch;
  }
  accumulate (self->first_site, self->n_tenures);

  self->site_ends = pen_end_tree_new (self->sites->len);
  for (guint i = 0; i < self->sites->len; i++)
    self->site_ends->max[self->site_ends->size + i]
        = g_array_index (self->sites, PenPatchSite, i).end;
  pen_end_tree_build (self->site_ends);
  return TRUE;
}

gboolean
pen_patches_finish (PenPatches *self, guint n_tenures, PenCancelCheck *check)
{
  self->n_tenures = n_tenures;
  return make_edges (self, check) && make_sites (self, check);
}

static guint32
count_before (const PenMoment *moments, guint32 n, PenMoment moment)
{
  return PEN_BINARY_SEARCH (i, 0, n, pen_moment_compare (moments[i], moment) < 0);
}

/* How many sites of @tenure start at or below @address. */
static guint32
find_last_site (const PenPatches *self, guint32 tenure, guint64 address)
{
  return PEN_BINARY_SEARCH (i, self->first_site[tenure], self->first_site[tenure + 1],
                            g_array_index (self->sites, PenPatchSite, i).start <= address);
}

guint32
pen_patches_count (const PenPatches *self, guint32 tenure, guint64 address, PenMoment moment)
{
  guint32 first = self->first_site[tenure];
  guint32 above = find_last_site (self, tenure, address);
  guint32 count = 0;

  while (above > first) {
    guint32 found = pen_end_tree_find_last (self->site_ends, above - 1, address);
    const PenPatchSite *site;

    if (found == PEN_END_TREE_NONE || found < first)
      break;
    site = &g_array_index (self->sites, PenPatchSite, found);
    count += count_before (&self->moments[site->first], site->n, moment);
    above = found;
  }
  return count;
}
