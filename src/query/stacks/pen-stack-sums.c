/* pen-stack-sums.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-sums.h"

#include <stdlib.h>

PenStackSums *
pen_stack_sums_new (PenStore *store, GError **error)
{
  g_autoptr (PenStackSums) self = g_new0 (PenStackSums, 1);

  self->spans = pen_store_get_stack_spans (store, &self->n_spans);
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
  g_clear_pointer (&self->whole, g_array_unref);
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

/* ---- cells ---- */

/*
 * Whole: the cells of all spans in the making
 * @cells: of the stacks' own functions and event 0; @of_stack: of each stack, which it is, plus one
 * @others: those of another function or event, as they come
 */
typedef struct {
  GArray *cells;
  guint32 *of_stack;
  GArray *others;
  gboolean is_over;
} Whole;

static void
whole_clear (Whole *self)
{
  g_clear_pointer (&self->cells, g_array_unref);
  g_clear_pointer (&self->others, g_array_unref);
  g_free (self->of_stack);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Whole, whole_clear)

static void
whole_init (Whole *self, guint32 n_stacks)
{
  self->cells = g_array_new (FALSE, FALSE, sizeof (PenStackCell));
  self->others = g_array_new (FALSE, FALSE, sizeof (PenStackCell));
  self->of_stack = g_new0 (guint32, (gsize) n_stacks + 1);
}

static void
whole_add (Whole *self, const PenStoredStack *stacks, const GArray *cells)
{
  for (guint i = 0; i < cells->len; i++) {
    const PenStackCell *cell = &g_array_index (cells, PenStackCell, i);
    guint32 *of = &self->of_stack[cell->stack];
    PenStackCell *sum;

    if (cell->event != 0 || cell->function != stacks[cell->stack].function) {
      g_array_append_val (self->others, *cell);
      continue;
    }
    if (*of == 0) {
      g_array_append_val (self->cells, *cell);
      *of = self->cells->len;
      continue;
    }
    sum = &g_array_index (self->cells, PenStackCell, *of - 1);
    sum->samples += cell->samples;
    sum->period += cell->period;
  }
  self->is_over |= self->others->len > PEN_STACK_CELLS_MAX;
}

static GArray *
whole_finish (Whole *self)
{
  guint n_own = self->cells->len;

  qsort (self->others->data, self->others->len, sizeof (PenStackCell), pen_stack_cell_compare);
  for (guint i = 0; i < self->others->len; i++) {
    const PenStackCell *cell = &g_array_index (self->others, PenStackCell, i);
    PenStackCell *last = self->cells->len > n_own
                             ? &g_array_index (self->cells, PenStackCell, self->cells->len - 1)
                             : NULL;

    if (last && pen_stack_cell_compare (last, cell) == 0) {
      last->samples += cell->samples;
      last->period += cell->period;
    } else {
      g_array_append_val (self->cells, *cell);
    }
  }
  return g_steal_pointer (&self->cells);
}

static void
hand_out (const GArray *cells, PenStackCellsFunc func, gpointer user_data)
{
  func ((const PenStackCell *) (gpointer) cells->data, cells->len, user_data);
}

gboolean
pen_stack_sums_foreach (PenStackSums *self, PenStore *store, const PenStackSpan *spans, guint n,
                        PenStackCellsFunc func, gpointer user_data, GError **error)
{
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (PenStackCell));
  g_auto (Whole) whole = { 0 };

  if (n == self->n_spans && self->whole) {
    hand_out (self->whole, func, user_data);
    return TRUE;
  }
  if (n == self->n_spans)
    whole_init (&whole, self->n_stacks);
  for (guint i = 0; i < n; i++) {
    if (!pen_store_read_stack_span (store, &spans[i], self->stacks, self->n_stacks, cells, error))
      return FALSE;
    hand_out (cells, func, user_data);
    if (whole.cells && !whole.is_over)
      whole_add (&whole, self->stacks, cells);
  }
  if (whole.cells && !whole.is_over)
    self->whole = whole_finish (&whole);
  return TRUE;
}
