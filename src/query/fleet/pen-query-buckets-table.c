/* pen-query-buckets-table.c: samples by place, version and cause, as a table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-cells.h"
#include "pen-query-buckets.h"
#include "pen-query-cells.h"
#include "pen-query-private.h"

static const PenColumn columns[] = {
  { "samples", PEN_COLUMN_NUMBER }, { "period", PEN_COLUMN_NUMBER },
  { "seconds", PEN_COLUMN_NUMBER }, { "kind", PEN_COLUMN_TEXT },
  { "build", PEN_COLUMN_TEXT },     { "occupant", PEN_COLUMN_TEXT },
  { "symbol", PEN_COLUMN_TEXT },    { "offset", PEN_COLUMN_HEX },
  { "version", PEN_COLUMN_TEXT },   { "cause", PEN_COLUMN_TEXT },
  { "event", PEN_COLUMN_TEXT },
};

void
pen_query_write_version (PenTableWriter *writer, gboolean has_version, guint64 version)
{
  char digits[17];

  g_snprintf (digits, sizeof digits, "%016" G_GINT64_MODIFIER "x", version);
  pen_table_writer_text (writer, has_version ? digits : NULL);
}

void
pen_query_write_stood (PenTableWriter *writer, gboolean is_known, double seconds)
{
  if (is_known)
    pen_table_writer_real (writer, seconds, 3);
  else
    pen_table_writer_empty (writer);
}

static void
write_row (PenTableWriter *writer, const PenNamedBucket *row)
{
  pen_table_writer_unsigned (writer, row->samples);
  pen_table_writer_unsigned (writer, row->period);
  pen_query_write_stood (writer, row->has_seconds, row->seconds);
  pen_table_writer_text (writer, pen_kind_to_string (row->kind));
  pen_query_write_text_or_empty (writer, row->build);
  pen_query_write_text_or_empty (writer, row->occupant);
  pen_query_write_text_or_empty (writer, row->symbol);
  pen_query_write_hex_or_empty (writer, row->has_offset, row->offset);
  pen_query_write_version (writer, row->has_version, row->version);
  pen_table_writer_text (writer, row->is_patched ? pen_cause_to_string (row->cause) : NULL);
  pen_query_write_text_or_empty (writer, row->event);
}

gboolean
pen_query_write_buckets (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                         GError **error)
{
  g_autoptr (PenNamedBuckets) named
      = pen_query_name_buckets (self, filter, PEN_BUCKETS_BY_SAMPLES, error);

  if (!named)
    return FALSE;
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < named->rows->len; i++) {
    write_row (writer, &g_array_index (named->rows, PenNamedBucket, i));
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
