/* pen-query-text-table.c: text as of a time: as rows, as a listing to read, and as bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-text.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "pen-query-cells.h"
#include "pen-query-holdings.h"
#include "pen-query-resolve.h"
#include "pen-query-source-lines.h"

static const PenColumn columns[] = {
  { "address", PEN_COLUMN_HEX },      { "symbol", PEN_COLUMN_TEXT },
  { "offset", PEN_COLUMN_HEX },       { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },    { "from", PEN_COLUMN_TIME },
  { "to", PEN_COLUMN_TIME },          { "bytes", PEN_COLUMN_TEXT },
  { "instruction", PEN_COLUMN_TEXT }, { "target", PEN_COLUMN_TEXT },
  { "source", PEN_COLUMN_TEXT },      { "evidence", PEN_COLUMN_TEXT },
  { "inlined", PEN_COLUMN_TEXT },
};

static const PenColumn listing_columns[] = {
  { "~", PEN_COLUMN_TEXT },      { "offset", PEN_COLUMN_HEX },  { "from", PEN_COLUMN_TIME },
  { "to", PEN_COLUMN_TIME },     { "bytes", PEN_COLUMN_TEXT },  { "instruction", PEN_COLUMN_TEXT },
  { "target", PEN_COLUMN_TEXT }, { "source", PEN_COLUMN_TEXT },
};

/* ---- csv, json ---- */

static void
write_row (PenQuery *query, PenTableWriter *writer, const PenTextAt *text,
           const PenTextStretch *stretch, const PenAnnotationLine *line)
{
  const PenTenure *tenure = &stretch->tenure;
  gboolean is_known = tenure->id != 0;
  PenEvidence evidence;

  pen_table_writer_hex (writer, line->address);
  pen_query_write_text_or_empty (writer, stretch->symbol);
  pen_query_write_hex_or_empty (writer, stretch->symbol != NULL, line->offset);
  pen_query_write_occupant (writer, is_known ? tenure->kind : PEN_KIND_UNKNOWN,
                            is_known ? tenure->occupant : NULL);
  pen_query_write_span (writer, line->from, TRUE, line->to, TRUE);
  pen_table_writer_bytes (writer, line->bytes, line->n_bytes);
  pen_query_write_text_or_empty (writer, line->instruction);
  pen_query_write_text_or_empty (writer, line->target);
  pen_query_write_source (writer, line);
  evidence = is_known ? MIN (line->evidence, pen_query_get_evidence (query, tenure, line->address,
                                                                     text->moment, text->moment))
                      : line->evidence;
  pen_query_write_evidence_of (
      writer, evidence, pen_query_get_source (tenure, line->address, evidence, line->bytes_source),
      is_known && pen_query_is_unverified (tenure, text->moment));
  pen_query_write_inlined (writer, line);
}

/* ---- listing ---- */

static void
write_heading (PenTableWriter *writer, const PenTextAt *text, const PenTextStretch *stretch)
{
  const PenTenure *tenure = &stretch->tenure;
  g_autoptr (GString) words = g_string_new (NULL);

  if (tenure->id == 0) {
    g_string_append (words, _ ("unknown occupant"));
  } else {
    g_string_append_printf (words, "%s  %s %s",
                            stretch->symbol ? stretch->symbol : _ ("(no symbol)"),
                            pen_kind_to_string (tenure->kind), tenure->occupant);
  }
  g_string_append_printf (words, "  0x%" G_GINT64_MODIFIER "x-0x%" G_GINT64_MODIFIER "x  %s ",
                          stretch->start, stretch->end,
                          text->moment.position == 0 ? C_ ("moment", "just before")
                                                     : C_ ("moment", "at"));
  pen_query_append_moment (words, text->moment, 9);
  if (tenure->id != 0) {
    g_string_append (words, _ ("  held "));
    pen_query_append_moment (words, tenure->from, 9);
    g_string_append (words, " – ");
    pen_query_append_moment (words, tenure->to, 9);
    g_string_append (words, "  ");
    pen_query_append_evidence (words, tenure, stretch->start, text->moment, text->moment);
    if (pen_query_is_unverified (tenure, text->moment)) {
      g_string_append (words, _ (", unverified from "));
      pen_query_append_moment (words, tenure->unverified_from, 9);
    }
  }
  pen_table_writer_heading (writer, words->str);
}

static void
write_listed_line (PenTableWriter *writer, const PenTextStretch *stretch,
                   const PenAnnotationLine *line, const PenAnnotationLine *above)
{
  gboolean has_offset = stretch->symbol != NULL;

  pen_table_writer_style (writer, line->is_patched ? PEN_STYLE_MARKED : PEN_STYLE_PLAIN);
  pen_table_writer_text (writer, line->is_patched ? "~" : NULL);
  pen_table_writer_hex (writer, has_offset ? line->offset : line->address);
  if (line->is_patched) {
    pen_query_write_span (writer, line->from, TRUE, line->to, TRUE);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  pen_table_writer_bytes (writer, line->bytes, line->n_bytes);
  pen_table_writer_text (writer, line->instruction);
  pen_query_write_text_or_empty (writer, line->target);
  pen_query_write_listed_source (writer, line, above);
}

/* ---- both ---- */

static gboolean
write_stretch (PenQuery *query, PenTableWriter *writer, const PenTextAt *text,
               const PenTextStretch *stretch, GError **error)
{
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;

  if (is_listing)
    write_heading (writer, text, stretch);
  for (guint i = stretch->first_line; i < stretch->end_line; i++) {
    if (is_listing)
      write_listed_line (writer, stretch, text->lines->pdata[i],
                         i > stretch->first_line ? text->lines->pdata[i - 1] : NULL);
    else
      write_row (query, writer, text, stretch, text->lines->pdata[i]);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
write_text_at (PenQuery *query, PenTableWriter *writer, const PenTextAt *text, GError **error)
{
  for (guint i = 0; i < text->stretches->len; i++)
    if (!write_stretch (query, writer, text, &g_array_index (text->stretches, PenTextStretch, i),
                        error))
      return FALSE;
  return TRUE;
}

gboolean
pen_query_write_text (PenQuery *self, const char *target, guint64 length, const char *at,
                      PenSyntax syntax, PenTableWriter *writer, GError **error)
{
  g_autoptr (GArray) ranges = NULL;
  PenMoment moment;

  if (!pen_query_parse_moment (self, at, &moment, error))
    return FALSE;
  ranges = pen_query_find_text (self, target, length, moment, error);
  if (!ranges)
    return FALSE;
  if (pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE)
    pen_table_writer_set_columns (writer, listing_columns, G_N_ELEMENTS (listing_columns));
  else
    pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < ranges->len; i++) {
    const PenTextRange *range = &g_array_index (ranges, PenTextRange, i);
    g_autoptr (PenTextAt) text
        = pen_query_text_at (self, range->start, range->end, range->tenure, moment, syntax, error);

    if (!text || !write_text_at (self, writer, text, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}

/* ---- bytes ---- */

static gboolean
check_known (const PenTextAt *text, GError **error)
{
  for (guint64 at = text->start; at < text->end; at++) {
    guint64 end = at;

    while (end < text->end && !text->known[end - text->start])
      end++;
    if (end == at)
      continue;
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                 _ ("the bytes of 0x%" PRIx64 "-0x%" PRIx64
                    " are unknown at that time; the others are shown without --raw"),
                 at, end);
    return FALSE;
  }
  return TRUE;
}

gboolean
pen_query_write_bytes (PenQuery *self, const char *target, guint64 length, const char *at,
                       GOutputStream *stream, GError **error)
{
  g_autoptr (GArray) ranges = NULL;
  PenMoment moment;

  if (!pen_query_parse_moment (self, at, &moment, error))
    return FALSE;
  ranges = pen_query_find_text (self, target, length, moment, error);
  if (!ranges)
    return FALSE;
  for (guint i = 0; i < ranges->len; i++) {
    const PenTextRange *range = &g_array_index (ranges, PenTextRange, i);
    g_autoptr (PenTextAt) text = pen_query_text_at (self, range->start, range->end, range->tenure,
                                                    moment, PEN_SYNTAX_ATT, error);

    if (!text || !check_known (text, error)
        || !g_output_stream_write_all (stream, text->bytes, (gsize) (text->end - text->start), NULL,
                                       NULL, error))
      return FALSE;
  }
  return TRUE;
}
