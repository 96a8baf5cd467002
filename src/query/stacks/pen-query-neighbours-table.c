/* pen-query-neighbours-table.c: callers and callees as rows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-stacks.h"

#include "pen-query-cells.h"
#include "pen-query-private.h"
#include "pen-store-pokes.h"

static const PenColumn columns[] = {
  { "relation", PEN_COLUMN_TEXT }, { "samples", PEN_COLUMN_NUMBER },
  { "share", PEN_COLUMN_NUMBER },  { "rate", PEN_COLUMN_NUMBER },
  { "symbol", PEN_COLUMN_TEXT },   { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT }, { "period", PEN_COLUMN_NUMBER },
  { "first", PEN_COLUMN_TIME },    { "last", PEN_COLUMN_TIME },
  { "tenure", PEN_COLUMN_NUMBER }, { "revision", PEN_COLUMN_NUMBER },
  { "cause", PEN_COLUMN_TEXT },    { "since", PEN_COLUMN_TIME },
};

#define N_PLAIN_COLUMNS 10

static const char *
get_relation (const PenStackNeighbour *row, PenStackSide side)
{
  switch (row->what) {
  case PEN_NEIGHBOUR_FRAME:
    return side == PEN_STACK_CALLERS ? "caller" : "callee";
  case PEN_NEIGHBOUR_NONE:
    return side == PEN_STACK_CALLERS ? "outermost" : "itself";
  default:
    return "unknown";
  }
}

/* tenure, revision, cause, since */
static void
write_version (PenQuery *query, const PenStackNeighbour *row, PenTableWriter *writer)
{
  const GArray *ticks = query->ticks;
  const PenPokeTick *tick = row->poke > 0 && row->poke <= ticks->len
                                ? &g_array_index (ticks, PenPokeTick, row->poke - 1)
                                : NULL;

  pen_query_write_unsigned_or_empty (writer, row->tenure != 0, row->tenure);
  pen_table_writer_unsigned (writer, row->revision);
  pen_table_writer_text (writer, row->poke > 0 ? pen_cause_to_string (row->cause) : NULL);
  if (tick && tick->poke == row->poke && tick->time > 0)
    pen_table_writer_time (writer, tick->time);
  else
    pen_table_writer_empty (writer);
}

static void
write_row (PenQuery *query, const PenStackNeighbours *found, const PenStackNeighbour *row,
           PenStackSide side, gboolean has_versions, PenTableWriter *writer)
{
  gboolean is_timed = row->first > 0 || row->last > 0;

  pen_table_writer_text (writer, get_relation (row, side));
  pen_table_writer_unsigned (writer, row->count.samples);
  pen_table_writer_real (writer, row->share, 6);
  pen_query_write_real_or_empty (writer, row->rate, 2);
  if (row->what == PEN_NEIGHBOUR_FRAME) {
    const PenStackGroup *group = &found->groups[row->group];

    pen_query_write_text_or_empty (writer, group->symbol);
    pen_query_write_occupant (writer, group->kind, group->occupant);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  pen_table_writer_unsigned (writer, row->count.period);
  if (is_timed) {
    pen_table_writer_time (writer, row->first);
    pen_table_writer_time (writer, row->last);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  if (has_versions)
    write_version (query, row, writer);
}

gboolean
pen_query_write_neighbours_of (PenQuery *self, const PenFilter *filter, const PenStackPlace *place,
                               PenStackSide side, PenStackGrouping grouping,
                               PenStackMeasure measure, gboolean has_versions,
                               PenTableWriter *writer, GError **error)
{
  PenNeighbourQuestion question = { *place, grouping, measure, has_versions };
  g_autoptr (PenStackNeighbours) found
      = pen_query_stack_neighbours (self, filter, &question, side, error);

  if (!found || (has_versions && !pen_query_load_ticks (self, error)))
    return FALSE;
  if (grouping == PEN_STACK_BY_FILE)
    pen_table_writer_rename (writer, "symbol", "file");
  pen_table_writer_set_columns (writer, columns,
                                has_versions ? G_N_ELEMENTS (columns) : N_PLAIN_COLUMNS);
  for (guint i = 0; i < found->rows->len; i++) {
    write_row (self, found, &g_array_index (found->rows, PenStackNeighbour, i), side, has_versions,
               writer);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}

gboolean
pen_query_write_neighbours (PenQuery *self, const PenFilter *filter, const char *target,
                            const PenMoment *moment, PenStackSide side, PenStackGrouping grouping,
                            PenStackMeasure measure, gboolean has_versions, PenTableWriter *writer,
                            GError **error)
{
  g_autoptr (PenFilter) narrowed = filter ? pen_filter_copy (filter) : pen_filter_new ();
  PenStackPlace place;
  guint64 from, to;

  return pen_query_find_stack_place (self, target, &place, error)
         && (!moment
             || pen_query_select_stack_text (self, &place, *moment, narrowed, &from, &to, error))
         && pen_query_write_neighbours_of (self, narrowed, &place, side, grouping, measure,
                                           has_versions, writer, error);
}
