/* pen-query-heat.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-heat.h"

#include "pen-sample-walk.h"
#include "pen-wait-steps.h"

void
pen_heat_free (PenHeat *self)
{
  g_free (self->counts);
  g_clear_pointer (&self->ticks, g_array_unref);
  g_clear_pointer (&self->causes, g_array_unref);
  g_free (self);
}

guint64
pen_heat_choose_column (guint64 from, guint64 to, guint n)
{
  static const guint steps[] = { 2, 5, 10 };
  guint64 least = (to - from - 1) / n + 1;
  guint64 power = 1;

  for (;;) {
    if (power >= least)
      return power;
    if (power > G_MAXUINT64 / 10)
      return G_MAXUINT64;
    for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
      if (power * steps[i] >= least)
        return power * steps[i];
    }
    power *= 10;
  }
}

/* Index of the cell that @time is in; it lies in the stretch. */
static gsize
find_cell (const PenHeat *heat, guint64 time)
{
  guint column, row;

  pen_heat_find_cell (heat, time, &column, &row);
  return (gsize) column * heat->n_rows + row;
}

static gboolean
count_rows (const PenSampleBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  PenHeat *heat = user_data;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint64 time = batch->block->time[batch->rows[i]];

    if (time >= heat->from && time < heat->to)
      heat->counts[find_cell (heat, time)]++;
  }
  return TRUE;
}

/* None is so narrow. */
static gboolean
refuse_tiles (const PenStoreSpan *span G_GNUC_UNUSED, guint first G_GNUC_UNUSED,
              guint last G_GNUC_UNUSED, gpointer user_data G_GNUC_UNUSED,
              GError **error G_GNUC_UNUSED)
{
  g_return_val_if_reached (TRUE);
}

static gboolean
count_samples (PenQuery *self, const PenMatcher *matcher, PenHeat *heat, GError **error)
{
  static const PenWalkFuncs funcs
      = { .tiles = refuse_tiles, .rows = count_rows, .only_places = TRUE };

  if (matcher->asks_rows)
    return pen_query_scan (self, matcher, heat->from, heat->to - 1, count_rows, heat, error);
  return pen_query_walk_tiles (self, matcher, heat->from, heat->to - 1, 0, &funcs, heat, error);
}

static gboolean
add_waits (PenQuery *self, const PenMatcher *matcher, PenHeat *heat, GError **error)
{
  guint n = heat->n_columns * heat->n_rows;
  g_autofree guint64 *edges = g_new (guint64, n + 1);

  /* The last column may go on after the end of what is counted. */
  for (guint i = 0; i < n; i++)
    edges[i] = MIN (pen_heat_get_time (heat, i / heat->n_rows, i % heat->n_rows), heat->to);
  edges[n] = heat->to;
  return pen_query_lay_out_waits (self, matcher, edges, n, 1, NULL, NULL, heat->counts, error);
}

/* ---- patches ---- */

typedef struct {
  gsize cell;
  PenCause cause;
} TickCell;

static int
compare_cells (gconstpointer a, gconstpointer b)
{
  const TickCell *x = a;
  const TickCell *y = b;

  if (x->cell != y->cell)
    return x->cell < y->cell ? -1 : 1;
  return x->cause < y->cause ? -1 : x->cause > y->cause;
}

static gboolean
add_ticks (PenQuery *self, const PenMatcher *matcher, PenHeat *heat, GError **error)
{
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (TickCell));
  const TickCell *all;
  guint most = 0;

  if (!pen_query_load_ticks (self, error))
    return FALSE;
  for (guint i = pen_query_find_tick (self, heat->from); i < self->ticks->len; i++) {
    const PenPokeTick *tick = &g_array_index (self->ticks, PenPokeTick, i);
    TickCell cell = { .cause = tick->cause };

    if (tick->time >= heat->to)
      break;
    if (tick->effect != PEN_POKE_PATCH || !pen_matcher_has_tick (matcher, tick))
      continue;
    cell.cell = find_cell (heat, tick->time);
    g_array_append_val (cells, cell);
  }
  g_array_sort (cells, compare_cells);

  all = (const TickCell *) (gpointer) cells->data;
  for (guint i = 0; i < cells->len; i++) {
    PenHeatTick tick = { (guint) (all[i].cell / heat->n_rows), (guint) (all[i].cell % heat->n_rows),
                         0, all[i].cause };
    gboolean is_first = i == 0 || all[i].cell != all[i - 1].cell;
    PenHeatTick *all_of_cell, *of_cause;

    if (is_first) {
      g_array_append_val (heat->ticks, tick);
      most = 0;
    }
    if (is_first || all[i].cause != all[i - 1].cause)
      g_array_append_val (heat->causes, tick);
    all_of_cell = &g_array_index (heat->ticks, PenHeatTick, heat->ticks->len - 1);
    of_cause = &g_array_index (heat->causes, PenHeatTick, heat->causes->len - 1);
    all_of_cell->n++;
    of_cause->n++;
    if (of_cause->n > most) {
      most = of_cause->n;
      all_of_cell->cause = of_cause->cause;
    }
  }
  return TRUE;
}

PenHeat *
pen_query_heat (PenQuery *self, const PenFilter *filter, guint64 from, guint64 to, guint64 column,
                GError **error)
{
  g_autoptr (PenMatcher) matcher = NULL;
  g_autoptr (PenHeat) heat = g_new0 (PenHeat, 1);
  gsize n;

  g_return_val_if_fail (to > from && column > 0, NULL);
  g_return_val_if_fail ((to - from - 1) / column < PEN_HEAT_MOST_COLUMNS, NULL);

  matcher = pen_matcher_new (self, filter, error);
  if (!matcher)
    return NULL;
  heat->from = from;
  heat->to = to;
  heat->column = column;
  heat->n_columns = (guint) ((to - from - 1) / column) + 1;
  /* A row is a nanosecond at least. */
  heat->n_rows = (guint) MIN (PEN_HEAT_ROWS, column);
  n = (gsize) heat->n_columns * heat->n_rows;
  heat->population = pen_store_get_population (self->store);
  heat->counts = g_new0 (guint64, n);
  heat->ticks = g_array_new (FALSE, FALSE, sizeof (PenHeatTick));
  heat->causes = g_array_new (FALSE, FALSE, sizeof (PenHeatTick));
  if (!(heat->population == PEN_POPULATION_WAITS ? add_waits : count_samples) (self, matcher, heat,
                                                                               error)
      || !add_ticks (self, matcher, heat, error))
    return NULL;
  for (gsize i = 0; i < n; i++)
    heat->max = MAX (heat->max, heat->counts[i]);
  return g_steal_pointer (&heat);
}
