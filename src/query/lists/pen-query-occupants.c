/* pen-query-occupants.c: every tenure as a table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include "pen-occupant-count.h"
#include "pen-program-words.h"
#include "pen-query-cells.h"
#include "pen-query-occupants.h"
#include "pen-space-names.h"
#include "pen-store-programs.h"

static const PenColumn columns[] = {
  { "from", PEN_COLUMN_TIME },
  { "to", PEN_COLUMN_TIME },
  { "space", PEN_COLUMN_TEXT },
  { "start", PEN_COLUMN_HEX },
  { "end", PEN_COLUMN_HEX },
  { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },
  { "samples", PEN_COLUMN_NUMBER },
  { "period", PEN_COLUMN_NUMBER }, /* of waits only */
  { "changes", PEN_COLUMN_NUMBER },
  { "evidence", PEN_COLUMN_TEXT },
  { "tenure", PEN_COLUMN_NUMBER },
  /* For programs, where they are asked for. */
  { "bpf_id", PEN_COLUMN_NUMBER },
  { "bpf_type", PEN_COLUMN_TEXT },
  { "bpf_name", PEN_COLUMN_TEXT },
  { "bpf_tag", PEN_COLUMN_TEXT },
  { "bpf_metadata", PEN_COLUMN_TEXT },
};

#define N_PROGRAM_COLUMNS 5

typedef struct {
  PenQuery *query;
  gboolean has_programs;
  gboolean has_periods;
  const PenSpaceNames *spaces;
  PenTableWriter *writer;
  GError *error;
} OccupantSheet;

/* A program that the capture does not describe has its id and the tag of its BPF_EVENT. */
static gboolean
write_program (OccupantSheet *sheet, const PenTenure *tenure)
{
  PenTableWriter *writer = sheet->writer;
  PenStoredBpfProgram program = { .name = "" };
  g_autoptr (GString) tag = g_string_new (NULL);
  const guint8 *bytes = tenure->bpf_tag;
  const char *type = NULL;
  g_autofree char *metadata = pen_query_describe_metadata (sheet->query, tenure, &sheet->error);

  if (!metadata)
    return FALSE;
  if (tenure->bpf_id == 0) {
    for (guint i = 1; i < N_PROGRAM_COLUMNS; i++)
      pen_table_writer_empty (writer);
    pen_query_write_text_or_empty (writer, metadata);
    return TRUE;
  }
  if (pen_store_find_bpf_program (sheet->query->store, tenure->bpf_id, &program, &sheet->error)) {
    type = pen_bpf_type_to_string (program.type);
    bytes = program.tag;
  }
  for (guint i = 0; i < sizeof program.tag; i++)
    g_string_append_printf (tag, "%02x", bytes[i]);
  pen_table_writer_unsigned (writer, tenure->bpf_id);
  pen_table_writer_text (writer, type);
  pen_query_write_text_or_empty (writer, program.name);
  pen_table_writer_text (writer, tag->str);
  pen_query_write_text_or_empty (writer, metadata);
  return !sheet->error;
}

static gboolean
write_tenure (const PenTenure *tenure, guint64 samples, guint64 period, guint64 changes,
              gpointer user_data)
{
  OccupantSheet *sheet = user_data;
  PenTableWriter *writer = sheet->writer;

  pen_query_write_span (writer, tenure->from, TRUE, tenure->to, TRUE);
  pen_table_writer_text (writer, pen_space_names_get (sheet->spaces, tenure->space));
  pen_table_writer_hex (writer, tenure->start);
  pen_table_writer_hex (writer, tenure->end);
  pen_query_write_occupant (writer, tenure->kind, tenure->occupant);
  pen_table_writer_unsigned (writer, samples);
  if (sheet->has_periods)
    pen_table_writer_unsigned (writer, period);
  pen_table_writer_unsigned (writer, changes);
  pen_query_write_tenure_evidence (
      writer, pen_tenure_get_evidence (tenure, tenure->start, tenure->from, tenure->to),
      pen_tenure_get_source (tenure, tenure->start), pen_tenure_get_inferred_from (tenure),
      pen_query_is_unverified (tenure, tenure->to));
  pen_table_writer_unsigned (writer, tenure->id);
  if (sheet->has_programs && !write_program (sheet, tenure))
    return FALSE;
  return pen_table_writer_end_row (writer, &sheet->error);
}

static void
set_columns (const OccupantSheet *sheet)
{
  guint n = G_N_ELEMENTS (columns) - (sheet->has_programs ? 0 : N_PROGRAM_COLUMNS);
  PenColumn shown[G_N_ELEMENTS (columns)];
  guint n_shown = 0;

  for (guint i = 0; i < n; i++) {
    if (sheet->has_periods || !g_str_equal (columns[i].name, "period"))
      shown[n_shown++] = columns[i];
  }
  pen_table_writer_set_columns (sheet->writer, shown, n_shown);
}

static gboolean
write_occupants (PenQuery *self, const PenFilter *filter, gboolean has_programs,
                 PenTableWriter *writer, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (PenSpaceNames) spaces = NULL;
  OccupantSheet sheet = { .query = self,
                          .has_programs = has_programs,
                          .has_periods = pen_query_is_of_waits (self),
                          .writer = writer };

  if (!matcher)
    return FALSE;
  sheet.spaces = spaces = pen_space_names_load (self->store, error);
  if (!spaces)
    return FALSE;
  set_columns (&sheet);
  if (!pen_query_foreach_occupant (self, matcher, write_tenure, &sheet, error))
    return FALSE;
  if (sheet.error) {
    g_propagate_error (error, sheet.error);
    return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}

gboolean
pen_query_write_occupants (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                           GError **error)
{
  return write_occupants (self, filter, FALSE, writer, error);
}

gboolean
pen_query_write_programs (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                          GError **error)
{
  return write_occupants (self, filter, TRUE, writer, error);
}
