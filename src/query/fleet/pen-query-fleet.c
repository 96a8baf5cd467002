/* pen-query-fleet.c: one recording, as rows to add up over many machines
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-fleet-rows.h"

#include "pen-bucket-cells.h"
#include "pen-query-buckets.h"
#include "pen-query-causes.h"
#include "pen-query-cells.h"

static gboolean
write_buckets (PenFleetSheet *sheet, GError **error)
{
  PenTableWriter *writer = sheet->writer;
  g_autoptr (PenNamedBuckets) named
      = pen_query_name_buckets (sheet->query, NULL, PEN_BUCKETS_BY_PLACE, error);

  for (guint i = 0; named && i < named->rows->len; i++) {
    const PenNamedBucket *row = &g_array_index (named->rows, PenNamedBucket, i);

    pen_fleet_write_word (writer, row->build);
    pen_fleet_write_word (writer, pen_kind_to_string (row->kind));
    pen_fleet_write_word (writer, row->symbol);
    pen_table_writer_unsigned (writer, row->has_offset ? row->offset : 0);
    pen_query_write_version (writer, row->has_version, row->version);
    pen_fleet_write_word (writer, row->is_patched ? pen_cause_to_string (row->cause) : NULL);
    pen_fleet_write_word (writer, row->event);
    pen_fleet_write_word (writer, row->occupant);
    pen_fleet_write_word (writer, sheet->id);
    pen_table_writer_unsigned (writer, row->samples);
    pen_table_writer_unsigned (writer, row->period);
    pen_query_write_stood (writer, row->has_seconds, row->seconds);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return named != NULL;
}

/* A place stands for a name that is not known; as an address, it says nothing elsewhere. */
static const char *
get_name (const PenCauseRow *row)
{
  return row->is_place && g_str_has_prefix (row->name, "0x") ? NULL : row->name;
}

/* What patches were for: the middle level of the question. */
static gboolean
write_cause (PenFleetSheet *sheet, const PenCauseTree *tree, const PenCauseRow *row, GError **error)
{
  PenTableWriter *writer = sheet->writer;
  const PenCauseCost *cost = pen_cause_tree_get_cost (tree, row);

  pen_fleet_write_word (writer, pen_cause_to_string (row->cause));
  pen_fleet_write_word (writer, get_name (row));
  pen_fleet_write_word (writer, sheet->id);
  pen_fleet_write_word (writer, row->purpose);
  pen_table_writer_unsigned (writer, row->flips);
  pen_table_writer_unsigned (writer, row->sites);
  pen_query_write_stood (writer, TRUE, row->on_seconds);
  pen_query_write_stood (writer, TRUE, row->off_seconds);
  pen_query_write_stood (writer, TRUE, row->unknown_seconds);
  pen_table_writer_unsigned (writer, row->on.amount.n);
  pen_query_write_stood (writer, TRUE, row->on.seconds);
  pen_table_writer_unsigned (writer, row->off.amount.n);
  pen_query_write_stood (writer, TRUE, row->off.seconds);
  pen_query_write_unsigned_or_empty (writer, cost != NULL, cost ? cost->while_on.amount.n : 0);
  return pen_table_writer_end_row (writer, error);
}

static gboolean
write_causes (PenFleetSheet *sheet, GError **error)
{
  const PenCauseOrder order = { .grouping = PEN_CAUSES_BY_KEY };
  g_autoptr (PenCauseTree) tree = pen_query_causes (sheet->query, NULL, &order, error);

  if (!tree)
    return FALSE;
  for (guint i = 0; i < tree->rows->len; i++) {
    const PenCauseRow *row = pen_cause_tree_get (tree, i);

    if (row->level == 1 && !row->is_program && !write_cause (sheet, tree, row, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
write_rows (PenFleetSheet *sheet, PenFleetTable table, GError **error)
{
  switch (table) {
  case PEN_FLEET_CAPTURE:
    return pen_fleet_write_capture (sheet, error);
  case PEN_FLEET_BUCKETS:
    return write_buckets (sheet, error);
  case PEN_FLEET_CHANGES:
    return pen_fleet_write_changes (sheet, error);
  case PEN_FLEET_OCCUPANTS:
    return pen_fleet_write_occupants (sheet, error);
  case PEN_FLEET_CAUSES:
    return write_causes (sheet, error);
  case PEN_FLEET_TABLES:
  default:
    g_return_val_if_reached (FALSE);
  }
}

static void
set_columns (PenTableWriter *writer, PenFleetTable table)
{
  guint n;
  const PenFleetColumn *columns = pen_fleet_table_get_columns (table, &n);
  g_autofree PenColumn *written = g_new (PenColumn, n);

  for (guint i = 0; i < n; i++)
    written[i] = (PenColumn){ columns[i].name, PEN_COLUMN_TEXT };
  pen_table_writer_set_columns (writer, written, n);
}

gboolean
pen_query_write_fleet (PenQuery *self, PenFleetTable table, const char *id, PenTableWriter *writer,
                       GError **error)
{
  g_autoptr (PenNames) names = pen_names_new ();
  g_autoptr (GArray) builds = NULL;
  PenFleetSheet sheet = { .query = self, .id = id, .writer = writer, .names = names };

  if (!pen_query_load (self, error))
    return FALSE;
  sheet.builds = builds = pen_tenure_builds_load (self, names, error);
  if (!builds)
    return FALSE;
  sheet.time = pen_stood_time_make (self, NULL);
  set_columns (writer, table);
  return write_rows (&sheet, table, error) && pen_table_writer_finish (writer, error);
}
