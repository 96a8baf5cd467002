/* pen-cause-lanes.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-lanes.h"

#include "pen-binary-search.h"
#include "pen-compare.h"
#include "pen-poke-state.h"
#include "pen-store-records.h"
#include "pen-tenure.h"

/* ---- losses ---- */

/* As the history has it: what makes a tenure unverified. */
static gboolean
hides_pokes (const PenLoss *loss)
{
  return loss->kind == PEN_LOSS_RECORDS || loss->kind == PEN_LOSS_SET_ASIDE
         || (loss->kind == PEN_LOSS_TRUNCATED && loss->from < loss->to);
}

gboolean
pen_poke_losses_init (PenPokeLosses *self, PenQuery *query, GError **error)
{
  g_autoptr (GArray) all = pen_store_load_losses (query->store, error);
  guint64 latest = 0;

  if (!all)
    return FALSE;
  self->losses = g_array_new (FALSE, FALSE, sizeof (PenLoss));
  for (guint i = 0; i < all->len; i++) {
    const PenLoss *loss = &g_array_index (all, PenLoss, i);

    if (!hides_pokes (loss) || (self->losses->len > 0 && loss->to <= latest))
      continue;
    latest = loss->to;
    g_array_append_vals (self->losses, loss, 1);
  }
  return TRUE;
}

void
pen_poke_losses_clear (PenPokeLosses *self)
{
  g_clear_pointer (&self->losses, g_array_unref);
}

/* @first, @last: (out): of what was lost in [@from, @to), both in it */
static gboolean
find_lost (const PenPokeLosses *self, guint64 from, guint64 to, guint64 *first, guint64 *last)
{
  const PenLoss *losses = (const PenLoss *) (gpointer) self->losses->data;
  guint n = self->losses->len;
  guint low = PEN_BINARY_SEARCH (i, 0, n, losses[i].to < from);
  guint high = PEN_BINARY_SEARCH (j, low, n, losses[j].from < to);

  if (low == high)
    return FALSE;
  *first = MAX (losses[low].from, from);
  *last = MIN (losses[high - 1].to, to - 1);
  return TRUE;
}

/* ---- one site ---- */

typedef struct {
  const PenPokeSites *sites;
  const PenPoke *original; /* the first patch */
  const PenPokeLosses *losses;
  PenSiteFunc func;
  gpointer user_data;
} Walk;

static const PenBatch *
get_batch (const Walk *walk, const PenPoke *poke)
{
  return pen_poke_sites_get_batch (walk->sites, poke);
}

static PenCauseState
get_state_after (const Walk *walk, const PenPoke *poke)
{
  if (poke->effect == PEN_POKE_CLEAR)
    return PEN_CAUSE_NONE;
  if (poke->effect == PEN_POKE_FILL)
    return PEN_CAUSE_OFF;
  return pen_poke_is_on_after (poke, get_batch (walk, poke), walk->original) ? PEN_CAUSE_ON
                                                                             : PEN_CAUSE_OFF;
}

static PenCauseState
get_state_before (const Walk *walk, const PenPoke *poke)
{
  if (poke->effect == PEN_POKE_FILL)
    return PEN_CAUSE_NONE;
  if (poke->effect == PEN_POKE_CLEAR)
    return PEN_CAUSE_OFF;
  return pen_poke_is_on_before (poke, get_batch (walk, poke), walk->original) ? PEN_CAUSE_ON
                                                                              : PEN_CAUSE_OFF;
}

static void
give (const Walk *walk, guint64 from, guint64 to, PenCauseState state, guint owner, guint before,
      guint after)
{
  PenSiteStretch stretch = { { from, to, state }, owner, before, after };

  if (from < to && state != PEN_CAUSE_NONE)
    walk->func (&stretch, walk->user_data);
}

/* From poke @p to poke @q. The poke after a loss shows what stood there since; before a loss it is
 * what the poke before left. */
static void
walk_between (const Walk *walk, guint p, guint q, guint64 from, guint64 to)
{
  const PenPoke *before = p == PEN_NO_POKE ? NULL : pen_poke_sites_get (walk->sites, p);
  const PenPoke *after = q == PEN_NO_POKE ? NULL : pen_poke_sites_get (walk->sites, q);
  PenCauseState left = before ? get_state_after (walk, before) : get_state_before (walk, after);
  gboolean breaks = after && after->breaks_chain;
  guint64 first;
  guint64 last;

  if (from >= to)
    return;
  if (!find_lost (walk->losses, from, to, &first, &last)) {
    give (walk, from, to, breaks ? PEN_CAUSE_UNSURE : left, before ? p : q, p, q);
    return;
  }
  give (walk, from, first, !before && breaks ? PEN_CAUSE_UNSURE : left, before ? p : q, p, q);
  give (walk, first, last + 1, PEN_CAUSE_UNSURE, PEN_NO_POKE, p, q);
  if (after)
    give (walk, last + 1, to, get_state_before (walk, after),
          before && !breaks && left == PEN_CAUSE_ON ? p : q, p, q);
  else
    give (walk, last + 1, to, PEN_CAUSE_UNSURE, PEN_NO_POKE, p, q);
}

static const PenPoke *
find_original (const PenPokeSites *sites, guint site)
{
  for (guint i = sites->starts[site]; i < sites->starts[site + 1]; i++) {
    const PenPoke *poke = pen_poke_sites_get (sites, sites->order[i]);

    if (poke->effect == PEN_POKE_PATCH)
      return poke;
  }
  return NULL;
}

void
pen_site_foreach_stretch (const PenPokeSites *sites, guint site, const PenTenure *tenure,
                          const PenPokeLosses *losses, PenSiteFunc func, gpointer user_data)
{
  Walk walk = { sites, find_original (sites, site), losses, func, user_data };
  guint64 from = tenure ? tenure->from.time : 0;
  guint64 end = tenure ? tenure->to.time : G_MAXUINT64;
  guint p = PEN_NO_POKE;

  if (!walk.original)
    return;
  for (guint i = sites->starts[site]; i < sites->starts[site + 1]; i++) {
    const PenPoke *poke = pen_poke_sites_get (sites, sites->order[i]);

    if (poke->effect == PEN_POKE_SAME)
      continue;
    walk_between (&walk, p, sites->order[i], from, poke->moment.time);
    p = sites->order[i];
    from = poke->moment.time;
  }
  walk_between (&walk, p, PEN_NO_POKE, from, end);
}

/* ---- lanes ---- */

void
pen_lane_append (GArray *stretches, guint first, PenCauseStretch stretch)
{
  PenCauseStretch *last = stretches->len > first
                              ? &g_array_index (stretches, PenCauseStretch, stretches->len - 1)
                              : NULL;

  if (stretch.from >= stretch.to || stretch.state == PEN_CAUSE_NONE)
    return;
  if (last && last->to == stretch.from && last->state == stretch.state)
    last->to = stretch.to;
  else
    g_array_append_val (stretches, stretch);
}

typedef struct {
  guint64 time;
  gint8 step;
  guint8 state;
} Edge;

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const Edge *x = a;
  const Edge *y = b;

  return PEN_COMPARE (x->time, y->time);
}

void
pen_lane_append_union (GArray *stretches, GArray *parts)
{
  g_autoptr (GArray) edges = g_array_sized_new (FALSE, FALSE, sizeof (Edge), 2 * parts->len);
  guint counts[PEN_CAUSE_STATES] = { 0 };
  guint first = stretches->len;
  guint64 from = 0;

  for (guint i = 0; i < parts->len; i++) {
    const PenCauseStretch *part = &g_array_index (parts, PenCauseStretch, i);
    Edge begin = { part->from, 1, (guint8) part->state };
    Edge end = { part->to, -1, (guint8) part->state };

    g_array_append_val (edges, begin);
    g_array_append_val (edges, end);
  }
  g_array_sort (edges, compare_edges);
  for (guint i = 0; i < edges->len; i++) {
    const Edge *edge = &g_array_index (edges, Edge, i);
    PenCauseState state = PEN_CAUSE_ON;

    while (state != PEN_CAUSE_NONE && counts[state] == 0)
      state--;
    pen_lane_append (stretches, first, (PenCauseStretch){ from, edge->time, state });
    counts[edge->state] += (guint) edge->step;
    from = edge->time;
  }
}
