/* pen-detour-counts.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-detour-counts.h"

typedef struct {
  PenDetourCounts *self;
  PenDetourMap *map;
  gboolean is_of_waits;
} Counting;

static void
count_one (const Counting *counting, PenDetourCount *count, PenCostPart part, guint64 period)
{
  count->count.samples++;
  count->count.period += period;
  count->parts[part] += counting->is_of_waits ? period : 1;
}

static PenDetourCount *
get_count (PenDetourCounts *self, const PenDetour *detour)
{
  if (detour->poke == G_MAXUINT)
    return &self->without_site[detour->cause];
  if (self->numbers[detour->poke] == 0) {
    g_array_set_size (self->of_pokes, self->of_pokes->len + 1);
    self->numbers[detour->poke] = self->of_pokes->len;
  }
  return &g_array_index (self->of_pokes, PenDetourCount, self->numbers[detour->poke] - 1);
}

static gboolean
count_batch (const PenStackBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  Counting *counting = user_data;
  PenDetourCounts *self = counting->self;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint at = batch->rows[i];
    guint64 period = batch->block->period[at];
    PenDetour detour;

    self->total.samples++;
    self->total.period += period;
    if (!pen_detour_map_find (counting->map, batch->block, at, &detour))
      continue;
    count_one (counting, get_count (self, &detour), detour.part, period);
    count_one (counting, &self->of_cause[detour.cause], detour.part, period);
  }
  return TRUE;
}

PenDetourCounts *
pen_detour_counts_new (PenStackIndex *index, const PenPokeSites *sites, const PenMatcher *matcher,
                       guint64 from, guint64 to, GError **error)
{
  g_autoptr (PenDetourMap) map = pen_detour_map_new (index, sites, error);
  g_autoptr (PenDetourCounts) self = NULL;
  Counting counting = { .map = map, .is_of_waits = pen_query_is_of_waits (index->query) };

  if (!map)
    return NULL;
  self = g_new0 (PenDetourCounts, 1);
  self->numbers = g_new0 (guint32, (gsize) sites->pokes->len + 1);
  self->of_pokes = g_array_new (FALSE, TRUE, sizeof (PenDetourCount));
  counting.self = self;
  if (!pen_stack_index_scan (index, matcher, PEN_STACK_GROUPINGS, PEN_SAMPLE_COLUMN_TIME, from, to,
                             count_batch, &counting, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
pen_detour_counts_free (PenDetourCounts *self)
{
  g_free (self->numbers);
  g_array_unref (self->of_pokes);
  g_free (self);
}

void
pen_detour_count_add (PenDetourCount *self, const PenDetourCount *other)
{
  self->count.samples += other->count.samples;
  self->count.period += other->count.period;
  for (guint i = 0; i < PEN_COST_PARTS; i++)
    self->parts[i] += other->parts[i];
}
