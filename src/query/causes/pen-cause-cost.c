/* pen-cause-cost.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-cost.h"

#include <math.h>

#include "pen-cause-counts.h"
#include "pen-store-callchains.h"

static gboolean
has_detours (const PenCauseLeaves *leaves)
{
  if (pen_store_count_chains (leaves->query->store) == 0)
    return FALSE;
  for (guint i = 0; i < leaves->groups->len; i++) {
    if (pen_cause_has_detours (g_array_index (leaves->groups, PenCauseGroup, i).cause))
      return TRUE;
  }
  return FALSE;
}

static void
count_leaves (PenCauseCosts *self, const PenCauseLeaves *leaves)
{
  for (guint i = 0; i < leaves->sites->pokes->len; i++) {
    const PenDetourCount *count = pen_detour_counts_get (self->counts, i);
    PenCauseLeaf *leaf;

    if (!count || leaves->leaf_of[i] == PEN_NO_LEAF)
      continue;
    leaf = &g_array_index (leaves->leaves, PenCauseLeaf, leaves->leaf_of[i]);
    if (leaf->cost == 0) {
      g_array_set_size (self->of_leaves, self->of_leaves->len + 1);
      leaf->cost = self->of_leaves->len;
    }
    pen_detour_count_add (&g_array_index (self->of_leaves, PenDetourCount, leaf->cost - 1), count);
  }
}

PenCauseCosts *
pen_cause_costs_new (PenCauseLeaves *leaves, const PenFilter *filter, GError **error)
{
  g_autoptr (PenCauseCosts) self = g_new0 (PenCauseCosts, 1);
  g_autoptr (PenMatcher) matcher = NULL;
  PenStackIndex *index;

  self->population = pen_store_get_population (leaves->query->store);
  self->of_leaves = g_array_new (FALSE, TRUE, sizeof (PenDetourCount));
  if (!has_detours (leaves))
    return g_steal_pointer (&self);
  matcher = pen_matcher_new (leaves->query, filter, error);
  index = matcher ? pen_stack_index_get (leaves->query, PEN_STACK_BY_FUNCTION, error) : NULL;
  if (!index)
    return NULL;
  self->counts = pen_detour_counts_new (
      index, leaves->sites, matcher, matcher->asks_time ? matcher->filter->from : 0,
      matcher->asks_time ? matcher->filter->to : G_MAXUINT64, error);
  if (!self->counts)
    return NULL;
  count_leaves (self, leaves);
  return g_steal_pointer (&self);
}

void
pen_cause_costs_free (PenCauseCosts *self)
{
  g_clear_pointer (&self->counts, pen_detour_counts_free);
  g_array_unref (self->of_leaves);
  g_free (self);
}

gboolean
pen_cause_costs_has (const PenCauseCosts *self, PenCause cause)
{
  return self->counts && pen_cause_has_detours (cause);
}

void
pen_cause_costs_add (const PenCauseCosts *self, const PenCauseLeaf *leaf, PenDetourCount *sum)
{
  if (leaf->cost > 0)
    pen_detour_count_add (sum, &g_array_index (self->of_leaves, PenDetourCount, leaf->cost - 1));
}

static PenAmount
get_amount (const PenCauseCosts *self, PenStackCount count)
{
  return (PenAmount){ self->population, count.samples, count.period };
}

PenCauseCost
pen_cause_costs_finish (const PenCauseCosts *self, const PenCauseRow *row,
                        const PenDetourCount *sum)
{
  const PenDetourCount *all = row->level == 0 ? &self->counts->of_cause[row->cause] : sum;
  PenAmount total = get_amount (self, self->counts->total);
  PenCauseCost cost = { .while_on.amount = get_amount (self, all->count) };

  cost.elsewhere = get_amount (self, all->count);
  cost.elsewhere.n -= sum->count.samples;
  cost.elsewhere.period -= sum->count.period;
  for (guint i = 0; i < PEN_COST_PARTS; i++)
    cost.parts[i] = all->parts[i];
  cost.share = pen_amount_get (total) > 0 ? (double) pen_amount_get (cost.while_on.amount)
                                                / (double) pen_amount_get (total)
                                          : NAN;
  cost.while_on.seconds = cost.elsewhere.n == 0 ? row->on.seconds : 0;
  pen_cause_rate_finish (&cost.while_on);
  return cost;
}
