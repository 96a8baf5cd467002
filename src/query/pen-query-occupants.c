/* pen-query-occupants.c: every tenure as a table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include "pen-occupant-count.h"
#include "pen-space-names.h"

static const PenColumn columns[] = {
  { "from", PEN_COLUMN_TIME },      { "to", PEN_COLUMN_TIME },
  { "space", PEN_COLUMN_TEXT },     { "start", PEN_COLUMN_HEX },
  { "end", PEN_COLUMN_HEX },        { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },  { "samples", PEN_COLUMN_NUMBER },
  { "changes", PEN_COLUMN_NUMBER }, { "evidence", PEN_COLUMN_TEXT },
};

typedef struct {
  const PenSpaceNames *spaces;
  PenTableWriter *writer;
  GError *error;
} OccupantSheet;

static gboolean
write_tenure (const PenTenure *tenure, guint64 samples, guint64 changes, gpointer user_data)
{
  OccupantSheet *sheet = user_data;
  PenTableWriter *writer = sheet->writer;

  pen_query_write_span (writer, tenure->from, TRUE, tenure->to, TRUE);
  pen_table_writer_text (writer, pen_space_names_get (sheet->spaces, tenure->space));
  pen_table_writer_hex (writer, tenure->start);
  pen_table_writer_hex (writer, tenure->end);
  pen_query_write_occupant (writer, tenure->kind, tenure->occupant);
  pen_table_writer_unsigned (writer, samples);
  pen_table_writer_unsigned (writer, changes);
  pen_query_write_evidence (writer, tenure->evidence, pen_query_is_unverified (tenure, tenure->to));
  return pen_table_writer_end_row (writer, &sheet->error);
}

gboolean
pen_query_write_occupants (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                           GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (PenSpaceNames) spaces = NULL;
  OccupantSheet sheet = { NULL, writer, NULL };

  if (matcher == NULL)
    return FALSE;
  sheet.spaces = spaces = pen_space_names_load (self->store, error);
  if (spaces == NULL)
    return FALSE;
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  if (!pen_query_foreach_occupant (self, matcher, write_tenure, &sheet, error))
    return FALSE;
  if (sheet.error != NULL) {
    g_propagate_error (error, sheet.error);
    return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
