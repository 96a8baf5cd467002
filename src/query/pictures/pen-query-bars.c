/* pen-query-bars.c: tenures of dynamic text, laid out in lanes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>

#include "pen-query-private.h"

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

/*
 * Bars of overlapping addresses share a lane, unless they also stand at the same time (K3: packed
 * trampolines): those would hide each other, so each goes to the first lane of the group that is
 * free by then, one that held the same start if there is one.
 */
static guint
place_group (PenBar **bars, guint n_bars, guint first_lane)
{
  g_autoptr (GArray) lanes = g_array_new (FALSE, FALSE, sizeof (PenBar *)); /* latest of each */

  qsort (bars, n_bars, sizeof *bars, compare_by_time);
  for (guint i = 0; i < n_bars; i++) {
    guint chosen = lanes->len;

    for (guint lane = 0; lane < lanes->len; lane++) {
      const PenBar *latest = g_array_index (lanes, PenBar *, lane);

      if (pen_moment_compare (latest->tenure.to, bars[i]->tenure.from) > 0)
        continue;
      if (chosen == lanes->len || latest->tenure.start == bars[i]->tenure.start)
        chosen = lane;
      if (latest->tenure.start == bars[i]->tenure.start)
        break;
    }
    if (chosen == lanes->len)
      g_array_append_val (lanes, bars[i]);
    else
      g_array_index (lanes, PenBar *, chosen) = bars[i];
    bars[i]->lane = first_lane + chosen;
  }
  return first_lane + lanes->len;
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
