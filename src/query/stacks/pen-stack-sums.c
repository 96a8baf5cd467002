/* pen-stack-sums.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-sums.h"

PenStackSums *
pen_stack_sums_new (PenStore *store, GError **error)
{
  g_autoptr (PenStackSums) self = g_new0 (PenStackSums, 1);

  self->spans = pen_store_get_stack_spans (store, &self->n_spans);
  if (self->n_spans > 0)
    self->end
        = self->spans[self->n_spans - 1].first_block + self->spans[self->n_spans - 1].n_blocks;
  self->stacks = pen_store_load_stacks (store, &self->n_stacks, error);
  return self->stacks ? g_steal_pointer (&self) : NULL;
}

void
pen_stack_sums_free (PenStackSums *self)
{
  if (!self)
    return;
  for (guint i = 0; i < PEN_STACK_GROUPINGS; i++)
    g_free (self->nodes[i]);
  g_free (self->stacks);
  g_free (self);
}

static inline gboolean
has_flag (const guint8 *functions, guint32 function)
{
  return function != PEN_STACK_NO_FUNCTION && functions[function];
}

guint32 *
pen_stack_sums_find_nodes (const PenStackSums *self, PenStackMap *map, GError **error)
{
  const PenStackSpot *place = map->rules.place;
  g_autofree guint32 *nodes = g_new (guint32, (gsize) self->n_stacks + 1);

  nodes[0] = map->outermost;
  for (guint32 i = 1; i <= self->n_stacks; i++) {
    PenStoredStack stack = self->stacks[i];

    if (stack.function == PEN_STACK_NO_FUNCTION)
      nodes[i] = map->unrecorded;
    else
      nodes[i]
          = pen_stack_map_step (map, nodes[stack.parent], map->rules.of_function[stack.function],
                                place && has_flag (place->functions, stack.function));
  }
  if (map->trie->is_full) {
    pen_stack_map_refuse_size (error);
    return NULL;
  }
  return g_steal_pointer (&nodes);
}

guint8 *
pen_stack_sums_find_through (const PenStackSums *self, const guint8 *functions)
{
  guint8 *through = g_malloc0 ((gsize) self->n_stacks + 1);

  for (guint32 i = 1; i <= self->n_stacks; i++)
    through[i] = has_flag (functions, self->stacks[i].function) || through[self->stacks[i].parent];
  return through;
}

guint32 *
pen_stack_sums_find_inner (const PenStackSums *self, const guint8 *functions, const guint32 *nodes)
{
  guint32 *inner = g_new (guint32, (gsize) self->n_stacks + 1);

  inner[0] = PEN_STACK_NOWHERE;
  for (guint32 i = 1; i <= self->n_stacks; i++)
    inner[i]
        = has_flag (functions, self->stacks[i].function) ? nodes[i] : inner[self->stacks[i].parent];
  return inner;
}

const PenStackSpan *
pen_stack_sums_find_spans (const PenStackSums *self, guint first, guint end, guint *n)
{
  guint begin = 0;

  while (begin < self->n_spans && self->spans[begin].first_block < first)
    begin++;
  *n = 0;
  while (begin + *n < self->n_spans
         && self->spans[begin + *n].first_block + self->spans[begin + *n].n_blocks <= end)
    ++*n;
  return self->spans + begin;
}
