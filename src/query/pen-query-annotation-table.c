/* pen-query-annotation-table.c: annotation as rows, and as a listing to read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

static const PenColumn columns[] = {
  { "address", PEN_COLUMN_HEX },    { "offset", PEN_COLUMN_HEX },
  { "version", PEN_COLUMN_NUMBER }, { "from", PEN_COLUMN_TIME },
  { "to", PEN_COLUMN_TIME },        { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },  { "revision", PEN_COLUMN_NUMBER },
  { "bytes", PEN_COLUMN_TEXT },     { "instruction", PEN_COLUMN_TEXT },
  { "target", PEN_COLUMN_TEXT },    { "source", PEN_COLUMN_TEXT },
  { "samples", PEN_COLUMN_NUMBER }, { "period", PEN_COLUMN_NUMBER },
  { "first", PEN_COLUMN_TIME },     { "last", PEN_COLUMN_TIME },
  { "evidence", PEN_COLUMN_TEXT },
};

static const PenColumn listing_columns[] = {
  { "samples", PEN_COLUMN_NUMBER }, { "share", PEN_COLUMN_NUMBER },
  { "~", PEN_COLUMN_TEXT },         { "offset", PEN_COLUMN_HEX },
  { "v", PEN_COLUMN_NUMBER },       { "from", PEN_COLUMN_TIME },
  { "to", PEN_COLUMN_TIME },        { "bytes", PEN_COLUMN_TEXT },
  { "instruction", PEN_COLUMN_TEXT }, { "target", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },
};

static const PenTenure *
find_tenure (const PenAnnotated *annotated, guint32 id)
{
  for (guint i = 0; id != 0 && i < annotated->tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (annotated->tenures, PenTenure, i);

    if (tenure->id == id)
      return tenure;
  }
  return NULL;
}

static void
write_first_and_last (PenTableWriter *writer, const PenAnnotationLine *line)
{
  if (line->samples == 0) {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
    return;
  }
  pen_table_writer_time (writer, line->first);
  pen_table_writer_time (writer, line->last);
}

/* ---- csv, json ---- */

static void
write_row (PenTableWriter *writer, const PenAnnotated *annotated, const PenAnnotationLine *line)
{
  const PenTenure *tenure = find_tenure (annotated, line->tenure);

  pen_table_writer_hex (writer, line->address);
  if (annotated->symbol != NULL)
    pen_table_writer_hex (writer, line->offset);
  else
    pen_table_writer_empty (writer);
  pen_table_writer_unsigned (writer, line->version);
  pen_query_write_span (writer, line->from, TRUE, line->to, TRUE);
  pen_query_write_occupant (writer, tenure != NULL ? tenure->kind : PEN_KIND_UNKNOWN,
                            tenure != NULL ? tenure->occupant : NULL);
  pen_table_writer_unsigned (writer, line->revision);
  pen_table_writer_bytes (writer, line->bytes, line->n_bytes);
  pen_query_write_text_or_empty (writer, line->instruction);
  pen_query_write_text_or_empty (writer, line->target);
  pen_table_writer_empty (writer);
  pen_table_writer_unsigned (writer, line->samples);
  pen_table_writer_unsigned (writer, line->period);
  write_first_and_last (writer, line);
  pen_query_write_evidence (writer, line->evidence, pen_query_is_unverified (tenure, line->to));
}

/* ---- listing ---- */

static void
append_moment (GString *text, PenMoment moment)
{
  if (moment.time == 0)
    g_string_append (text, "start");
  else if (moment.time == G_MAXUINT64)
    g_string_append (text, "end");
  else
    g_string_append_printf (text, "%" G_GUINT64_FORMAT ".%06u", moment.time / 1000000000u,
                            (guint) (moment.time % 1000000000u / 1000u));
}

static gboolean
is_listed (const PenAnnotated *annotated, guint32 tenure)
{
  for (guint i = 0; i < annotated->lines->len; i++) {
    if (((const PenAnnotationLine *) annotated->lines->pdata[i])->tenure == tenure)
      return TRUE;
  }
  return FALSE;
}

static guint
count_listed (const PenAnnotated *annotated)
{
  guint n = 0;

  for (guint i = 0; i < annotated->tenures->len; i++)
    n += is_listed (annotated, g_array_index (annotated->tenures, PenTenure, i).id);
  return n;
}

static guint64
sum_samples (const PenAnnotated *annotated)
{
  guint64 sum = 0;

  for (guint i = 0; i < annotated->lines->len; i++)
    sum += ((const PenAnnotationLine *) annotated->lines->pdata[i])->samples;
  return sum;
}

static void
write_headings (PenTableWriter *writer, const PenAnnotated *annotated)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 others = sum_samples (annotated) - annotated->samples;

  g_string_append_printf (
      text,
      "%s  %s %s  0x%" G_GINT64_MODIFIER "x-0x%" G_GINT64_MODIFIER "x  %" G_GUINT64_FORMAT
      " of %" G_GUINT64_FORMAT " samples",
      annotated->symbol != NULL ? annotated->symbol : "(no symbol)",
      pen_kind_to_string (annotated->kind), annotated->occupant, annotated->start, annotated->end,
      annotated->samples, annotated->total_samples);
  if (others > 0)
    g_string_append_printf (
        text, ", %" G_GUINT64_FORMAT " more of others that held these addresses", others);
  pen_table_writer_heading (writer, text->str);

  for (guint i = 0; i < annotated->tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (annotated->tenures, PenTenure, i);

    if (!is_listed (annotated, tenure->id))
      continue;
    g_string_assign (text, "  ");
    append_moment (text, tenure->from);
    g_string_append (text, " – ");
    append_moment (text, tenure->to);
    g_string_append_printf (text, "  %s %s, %s", pen_kind_to_string (tenure->kind),
                            tenure->occupant, pen_evidence_to_string (tenure->evidence));
    if (pen_query_is_unverified (tenure, tenure->to)) {
      g_string_append (text, ", unverified from ");
      append_moment (text, tenure->unverified_from);
    }
    pen_table_writer_heading (writer, text->str);
  }
}

static void
write_listed_line (PenTableWriter *writer,
                   const PenAnnotated *annotated,
                   const PenAnnotationLine *line,
                   gboolean has_others)
{
  const PenTenure *tenure = find_tenure (annotated, line->tenure);
  guint64 all = annotated->samples;

  pen_table_writer_style (writer, line->is_patched    ? PEN_STYLE_MARKED
                                  : line->samples > 0 ? PEN_STYLE_PLAIN
                                                      : PEN_STYLE_DIM);
  if (line->samples > 0) {
    pen_table_writer_unsigned (writer, line->samples);
    pen_table_writer_real (writer, all > 0 ? 100.0 * (double) line->samples / (double) all : 0, 2);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  pen_table_writer_text (writer, line->is_patched ? "~" : NULL);
  pen_table_writer_hex (writer, annotated->symbol != NULL ? line->offset : line->address);
  if (line->is_patched) {
    pen_table_writer_unsigned (writer, line->version);
    pen_query_write_span (writer, line->from, TRUE, line->to, TRUE);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  pen_table_writer_bytes (writer, line->bytes, line->n_bytes);
  pen_table_writer_text (writer, line->is_inside ? "(inside the instruction before)"
                                                 : line->instruction);
  pen_query_write_text_or_empty (writer, line->target);
  pen_table_writer_text (writer, has_others && tenure != NULL ? tenure->occupant : NULL);
}

/* ---- both ---- */

static gboolean
write_annotated (PenTableWriter *writer, const PenAnnotated *annotated, GError **error)
{
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;
  gboolean has_others = is_listing && count_listed (annotated) > 1;

  if (is_listing)
    write_headings (writer, annotated);
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];

    if (is_listing)
      write_listed_line (writer, annotated, line, has_others);
    else
      write_row (writer, annotated, line);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_query_write_annotation (PenQuery *self,
                            const PenFilter *filter,
                            const char *target,
                            PenSyntax syntax,
                            PenTableWriter *writer,
                            GError **error)
{
  g_autoptr (GArray) functions = pen_query_find_functions (self, target, error);

  if (functions == NULL)
    return FALSE;
  if (pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE)
    pen_table_writer_set_columns (writer, listing_columns, G_N_ELEMENTS (listing_columns));
  else
    pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < functions->len; i++) {
    g_autoptr (PenAnnotated) annotated = pen_query_annotate (
        self, filter, g_array_index (functions, guint32, i), syntax, error);

    if (annotated == NULL || !write_annotated (writer, annotated, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
