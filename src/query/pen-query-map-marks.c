/* pen-query-map-marks.c: pokes and names on a text map
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bins.h"
#include "pen-query-map-private.h"

/* Pokes of one cause that are no further apart than this, in rows and columns, are one mark. */
#define MARK_CELLS 3
/* A name needs the room of a line of letters. */
#define NAME_ROWS 5

static void
choose_function (const PenFunction *function, gpointer user_data)
{
  const PenFunction **best = user_data;

  if (*best == NULL || function->samples > (*best)->samples)
    *best = function;
}

/* Of several that were there in turn, the one with most samples. */
static guint32
find_function (PenQuery *self, guint64 address)
{
  const PenFunction *best = NULL;

  pen_query_foreach_function_in (self, address, address + 1, choose_function, &best);
  return best != NULL ? best->id : G_MAXUINT32;
}

GArray *
pen_query_map_mark (PenQuery *self, const PenMatcher *matcher, const PenMapPlacer *placer,
                    const PenMapBins *map)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (PenMapMark));
  g_autoptr (GHashTable) cells = g_hash_table_new (NULL, NULL); /* cell → index plus one */
  guint end = pen_query_find_tick (self, map->to);
  guint n_columns = map->n_columns / MARK_CELLS + 1;
  PenBins bins;

  pen_bins_init (&bins, map->from, map->to, map->n_columns);
  for (guint i = pen_query_find_tick (self, map->from); i < end; i++) {
    const PenPokeTick *tick = &g_array_index (self->ticks, PenPokeTick, i);
    guint32 row = pen_map_placer_find_row (placer, tick->address);
    gsize cell;
    guint index;

    if (row == PEN_MAP_NO_ROW || !pen_matcher_has_tick (matcher, tick))
      continue;
    cell = ((gsize) (row / MARK_CELLS) * n_columns + pen_bins_find (&bins, tick->time) / MARK_CELLS)
               * PEN_CAUSES
           + tick->cause;
    index = GPOINTER_TO_UINT (g_hash_table_lookup (cells, GSIZE_TO_POINTER (cell)));
    if (index > 0) {
      PenMapMark *mark = &g_array_index (marks, PenMapMark, index - 1);

      mark->last = tick->time;
      mark->count++;
      if (mark->batch != tick->batch)
        mark->batch = 0;
    } else {
      PenMapMark mark = { .first = tick->time,
                          .last = tick->time,
                          .address = tick->address,
                          .poke = tick->poke,
                          .count = 1,
                          .batch = tick->batch,
                          .function = find_function (self, tick->address),
                          .cause = tick->cause };

      g_array_append_val (marks, mark);
      g_hash_table_insert (cells, GSIZE_TO_POINTER (cell), GUINT_TO_POINTER (marks->len));
    }
  }
  return marks;
}

GArray *
pen_query_map_name (PenQuery *self, const PenMapPlacer *placer)
{
  GArray *names = g_array_new (FALSE, FALSE, sizeof (PenMapName));

  for (guint i = 0; i < self->ranges->len; i++) {
    const PenFunctionRange *range = &g_array_index (self->ranges, PenFunctionRange, i);
    const PenFunction *function = &self->functions[range->function];
    PenMapRows rows = placer->rows[range->function];
    PenMapName name = { range->start, range->end, function->symbol, function->kind, function->id };

    if (rows.first != PEN_MAP_NO_ROW && rows.last - rows.first + 1 >= NAME_ROWS
        && function->symbol != NULL)
      g_array_append_val (names, name);
  }
  return names;
}
