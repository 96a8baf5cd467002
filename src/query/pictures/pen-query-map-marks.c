/* pen-query-map-marks.c: pokes and names on a text map
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bins.h"
#include "pen-query-map-private.h"
#include "pen-table-hash.h"

/* Pokes of one cause that are no further apart than this, in rows and columns, are one mark. */
#define MARK_CELLS 3
/* A name needs the room of a line of letters. */
#define NAME_ROWS 5

static void
choose_function (const PenFunction *function, gpointer user_data)
{
  const PenFunction **best = user_data;

  if (!*best || function->samples > (*best)->samples)
    *best = function;
}

/* The one with most samples of several that were there in turn. */
static guint32
find_function (PenQuery *self, guint64 address)
{
  const PenFunction *best = NULL;

  pen_query_foreach_function_in (self, address, address + 1, choose_function, &best);
  return best ? best->id : G_MAXUINT32;
}

GArray *
pen_query_map_mark (PenQuery *self, const PenMatcher *matcher, const PenMapPlacer *placer,
                    const PenMapBins *map)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (PenMapMark));
  g_autoptr (GHashTable) cells
      = g_hash_table_new (pen_direct_hash, NULL); /* cell → index plus one */
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

/* FALSE: it has no row, or no name. */
static gboolean
get_name (PenQuery *self, const PenMapPlacer *placer, guint index, PenMapName *name, guint *n_rows)
{
  const PenFunctionRange *range = &g_array_index (self->ranges, PenFunctionRange, index);
  const PenFunction *function = &self->functions[range->function];
  PenMapRows rows = placer->rows[range->function];

  if (rows.first == PEN_MAP_NO_ROW || !function->symbol)
    return FALSE;
  *n_rows = rows.last - rows.first + 1;
  *name = (PenMapName){ range->start,   range->end,   function->symbol,
                        function->kind, function->id, function->samples };
  return TRUE;
}

GArray *
pen_query_map_name (PenQuery *self, const PenMapPlacer *placer)
{
  GArray *names = g_array_new (FALSE, FALSE, sizeof (PenMapName));
  PenMapName name;
  guint n_rows;

  for (guint i = 0; i < self->ranges->len; i++) {
    if (get_name (self, placer, i, &name, &n_rows) && n_rows >= NAME_ROWS)
      g_array_append_val (names, name);
  }
  return names;
}

/* Most samples first; of as many, the lower address. */
static gboolean
is_hotter (const PenMapName *a, const PenMapName *b)
{
  return a->samples != b->samples ? a->samples > b->samples : a->start < b->start;
}

/* Into its place, if it has one among the first. */
static void
insert_hot (GArray *hot, const PenMapName *name)
{
  guint place = hot->len;

  while (place > 0 && is_hotter (name, &g_array_index (hot, PenMapName, place - 1)))
    place--;
  if (place >= PEN_MAP_HOT_NAMES)
    return;
  g_array_insert_val (hot, place, *name);
  if (hot->len > PEN_MAP_HOT_NAMES)
    g_array_set_size (hot, PEN_MAP_HOT_NAMES);
}

GArray *
pen_query_map_name_hot (PenQuery *self, const PenMatcher *matcher, const PenMapPlacer *placer)
{
  GArray *hot = g_array_new (FALSE, FALSE, sizeof (PenMapName));
  PenMapName name;
  guint n_rows;

  for (guint i = 0; i < self->ranges->len; i++) {
    if (get_name (self, placer, i, &name, &n_rows) && n_rows < NAME_ROWS && name.samples > 0
        && pen_filter_admits_kind (matcher->filter, name.kind)
        && pen_matcher_has_function (matcher, name.function))
      insert_hot (hot, &name);
  }
  return hot;
}
