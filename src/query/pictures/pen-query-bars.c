/* pen-query-bars.c: tenures of dynamic text, laid out in lanes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>

#include "pen-query-private.h"

#include "pen-compare.h"
#include "pen-query-bars.h"
#include "pen-store-occupants.h"

static gboolean
collect_bar (const PenTenure *tenure, gpointer user_data)
{
  PenBar bar = { *tenure, 0, tenure->samples };

  if (tenure->space == PEN_SPACE_KERNEL && tenure->kind != PEN_KIND_KERNEL
      && tenure->kind != PEN_KIND_GUEST)
    g_array_append_val (user_data, bar);
  return TRUE;
}

static int
compare_by_address (gconstpointer a, gconstpointer b)
{
  const PenTenure *x = &(*(PenBar *const *) a)->tenure;
  const PenTenure *y = &(*(PenBar *const *) b)->tenure;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

static int
compare_by_time (gconstpointer a, gconstpointer b)
{
  const PenTenure *x = &(*(PenBar *const *) a)->tenure;
  const PenTenure *y = &(*(PenBar *const *) b)->tenure;
  int order = pen_moment_compare (x->from, y->from);

  if (order != 0)
    return order;
  return x->id < y->id ? -1 : x->id > y->id;
}

/* ---- lanes of a group ---- */

/* @start, @to: of the latest bar in it */
typedef struct {
  guint number;
  guint64 start;
  PenMoment to;
} Lane;

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const Lane *x = a;
  const Lane *y = b;

  return PEN_COMPARE (x->number, y->number);
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const Lane *x = a;
  const Lane *y = b;

  return x->start != y->start ? PEN_COMPARE (x->start, y->start) : compare_numbers (a, b);
}

static int
compare_ends (gconstpointer a, gconstpointer b)
{
  const Lane *x = a;
  const Lane *y = b;
  int order = pen_moment_compare (x->to, y->to);

  return order != 0 ? order : compare_numbers (a, b);
}

/* Lane *, each in @busy, or in both of the others. There may be as many as bars. */
typedef struct {
  GTree *busy; /* by their ends */
  GTree *free;
  GTree *free_by_start;
  guint n_lanes;
} Lanes;

static void
lanes_init (Lanes *self)
{
  self->busy = g_tree_new (compare_ends);
  self->free = g_tree_new (compare_numbers);
  self->free_by_start = g_tree_new (compare_starts);
  self->n_lanes = 0;
}

static gboolean
free_lane (gpointer lane, gpointer value G_GNUC_UNUSED, gpointer user_data G_GNUC_UNUSED)
{
  g_free (lane);
  return FALSE;
}

static void
lanes_clear (Lanes *self)
{
  g_tree_foreach (self->busy, free_lane, NULL);
  g_tree_foreach (self->free, free_lane, NULL);
  g_tree_unref (self->busy);
  g_tree_unref (self->free);
  g_tree_unref (self->free_by_start);
}

/* Frees those whose bars ended by @moment, which only rises. */
static void
free_lanes (Lanes *self, PenMoment moment)
{
  GTreeNode *node;

  while ((node = g_tree_node_first (self->busy))) {
    Lane *lane = g_tree_node_key (node);

    if (pen_moment_compare (lane->to, moment) > 0)
      return;
    g_tree_remove (self->busy, lane);
    g_tree_insert (self->free, lane, lane);
    g_tree_insert (self->free_by_start, lane, lane);
  }
}

/* The first free one that held @start, else the first free one, else one more. */
static Lane *
take_lane (Lanes *self, guint64 start)
{
  GTreeNode *node = g_tree_lower_bound (self->free_by_start, &(Lane){ .start = start });
  Lane *lane = node ? g_tree_node_key (node) : NULL;

  if (!lane || lane->start != start) {
    node = g_tree_node_first (self->free);
    lane = node ? g_tree_node_key (node) : NULL;
  }
  if (!lane) {
    lane = g_new0 (Lane, 1);
    lane->number = self->n_lanes++;
    return lane;
  }
  g_tree_remove (self->free, lane);
  g_tree_remove (self->free_by_start, lane);
  return lane;
}

/*
 * Bars of overlapping addresses share a lane, unless they also stand at the same time (K3: packed
 * trampolines): those would hide each other, so each goes to the first lane of the group that is
 * free by then, one that held the same start if there is one.
 */
static guint
place_group (PenBar **bars, guint n_bars, guint first_lane)
{
  Lanes lanes;

  lanes_init (&lanes);
  qsort (bars, n_bars, sizeof *bars, compare_by_time);
  for (guint i = 0; i < n_bars; i++) {
    const PenTenure *tenure = &bars[i]->tenure;
    Lane *lane;

    free_lanes (&lanes, tenure->from);
    lane = take_lane (&lanes, tenure->start);
    lane->start = tenure->start;
    lane->to = tenure->to;
    g_tree_insert (lanes.busy, lane, lane);
    bars[i]->lane = first_lane + lane->number;
  }
  lanes_clear (&lanes);
  return first_lane + lanes.n_lanes;
}

guint
pen_query_place_bars (GArray *bars)
{
  g_autofree PenBar **order = g_new (PenBar *, bars->len + 1);
  guint n_lanes = 0;
  guint begin = 0;
  guint64 end = 0;

  for (guint i = 0; i < bars->len; i++)
    order[i] = &g_array_index (bars, PenBar, i);
  qsort (order, bars->len, sizeof *order, compare_by_address);
  for (guint i = 0; i < bars->len; i++) {
    if (i > begin && order[i]->tenure.start >= end) {
      n_lanes = place_group (order + begin, i - begin, n_lanes);
      begin = i;
      end = 0;
    }
    end = MAX (end, order[i]->tenure.end);
  }
  if (bars->len > begin)
    n_lanes = place_group (order + begin, bars->len - begin, n_lanes);
  return n_lanes;
}

GArray *
pen_query_bars (PenQuery *self, guint *n_lanes, GError **error)
{
  g_autoptr (GArray) bars = g_array_new (FALSE, FALSE, sizeof (PenBar));

  if (!pen_query_load (self, error))
    return NULL;
  if (!pen_store_foreach_tenure (self->store, FALSE, collect_bar, bars, error))
    return NULL;
  *n_lanes = pen_query_place_bars (bars);
  return g_steal_pointer (&bars);
}
