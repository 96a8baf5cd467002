/* pen-query-pair-text-table.c: a function of two recordings as rows, and as a listing to read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-pair-text.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "pen-comparison-cells.h"
#include "pen-query-cells.h"

static const PenColumn columns[] = {
  { "symbol", PEN_COLUMN_TEXT },        { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },      { "difference", PEN_COLUMN_TEXT },
  { "site", PEN_COLUMN_TEXT },          { "masked", PEN_COLUMN_TEXT },
  { "a_offset", PEN_COLUMN_HEX },       { "a_bytes", PEN_COLUMN_TEXT },
  { "a_instruction", PEN_COLUMN_TEXT }, { "a_target", PEN_COLUMN_TEXT },
  { "a_samples", PEN_COLUMN_NUMBER },   { "a_rate", PEN_COLUMN_NUMBER },
  { "a_low", PEN_COLUMN_NUMBER },       { "a_high", PEN_COLUMN_NUMBER },
  { "b_offset", PEN_COLUMN_HEX },       { "b_bytes", PEN_COLUMN_TEXT },
  { "b_instruction", PEN_COLUMN_TEXT }, { "b_target", PEN_COLUMN_TEXT },
  { "b_samples", PEN_COLUMN_NUMBER },   { "b_rate", PEN_COLUMN_NUMBER },
  { "b_low", PEN_COLUMN_NUMBER },       { "b_high", PEN_COLUMN_NUMBER },
  { "ratio", PEN_COLUMN_NUMBER },       { "ratio_low", PEN_COLUMN_NUMBER },
  { "ratio_high", PEN_COLUMN_NUMBER },  { "p", PEN_COLUMN_NUMBER },
  { "verdict", PEN_COLUMN_TEXT },
};

static const PenColumn listing_columns[] = {
  { "", PEN_COLUMN_TEXT },
  { "A", PEN_COLUMN_NUMBER },
  { "rate", PEN_COLUMN_NUMBER },
  { "offset", PEN_COLUMN_HEX },
  { "instruction", PEN_COLUMN_TEXT },
  { "B", PEN_COLUMN_NUMBER },
  { "rate", PEN_COLUMN_NUMBER },
  { "offset", PEN_COLUMN_HEX },
  { "instruction", PEN_COLUMN_TEXT },
  { "ratio", PEN_COLUMN_NUMBER },
  { "interval", PEN_COLUMN_TEXT },
  { "verdict", PEN_COLUMN_TEXT },
  { "site", PEN_COLUMN_TEXT },
};

/* ---- csv, json ---- */

static void
write_side (PenTableWriter *writer, const PenPairLine *line, guint side)
{
  const PenAnnotationLine *own = line->lines[side];
  const PenRate *rate = &line->rates[side];

  pen_query_write_hex_or_empty (writer, own != NULL, own ? own->offset : 0);
  if (own)
    pen_table_writer_bytes (writer, own->bytes, own->n_bytes);
  else
    pen_table_writer_empty (writer);
  pen_table_writer_text (writer, own ? own->instruction : NULL);
  pen_table_writer_text (writer, line->targets[side]);
  pen_table_writer_unsigned (writer, rate->samples);
  pen_query_write_real_or_empty (writer, rate->rate, 3);
  pen_query_write_real_or_empty (writer, rate->low, 3);
  pen_query_write_real_or_empty (writer, rate->high, 3);
}

static const char *
get_site (const PenPairLine *line)
{
  return line->cause != PEN_CAUSE_UNKNOWN ? pen_cause_to_string (line->cause) : NULL;
}

static void
write_line (PenTableWriter *writer, const PenPairRow *row, const PenPairLine *line)
{
  pen_table_writer_text (writer, row->symbol);
  pen_query_write_occupant (writer, row->kind, row->occupant);
  pen_table_writer_text (writer, pen_pair_difference_to_string (line->difference));
  pen_table_writer_text (writer, get_site (line));
  pen_table_writer_text (writer, line->is_masked ? "yes" : NULL);
  write_side (writer, line, 0);
  write_side (writer, line, 1);
  pen_query_write_real_or_empty (writer, line->test.test.ratio, 3);
  pen_query_write_real_or_empty (writer, line->test.test.low, 3);
  pen_query_write_real_or_empty (writer, line->test.test.high, 3);
  if (isfinite (line->test.test.p))
    pen_table_writer_double (writer, line->test.test.p);
  else
    pen_table_writer_empty (writer);
  pen_table_writer_text (writer, pen_pair_verdict_to_string (line->test.verdict));
}

/* ---- listing ---- */

static void
write_listed_instruction (PenTableWriter *writer, const PenPairLine *line, guint side)
{
  g_autofree char *both = NULL;
  const PenAnnotationLine *own = line->lines[side];

  if (own && line->targets[side])
    both = g_strdup_printf ("%s <%s>", own->instruction, line->targets[side]);
  pen_table_writer_text (writer, both ? both : own ? own->instruction : NULL);
}

static void
write_listed_side (PenTableWriter *writer, const PenPairLine *line, guint side)
{
  const PenRate *rate = &line->rates[side];
  const PenAnnotationLine *own = line->lines[side];

  pen_query_write_unsigned_or_empty (writer, rate->samples > 0, rate->samples);
  pen_query_write_real_or_empty (writer, rate->samples > 0 ? rate->rate : NAN, 2);
  pen_query_write_hex_or_empty (writer, own != NULL, own ? own->offset : 0);
  /* What is the same reads once. */
  if (side == 1 && line->difference == PEN_PAIR_LINE_SAME)
    pen_table_writer_empty (writer);
  else if (side == 0 && line->difference == PEN_PAIR_LINE_REST)
    pen_table_writer_text (writer, _ ("(samples on other bytes)"));
  else
    write_listed_instruction (writer, line, side);
}

static void
write_listed_line (PenTableWriter *writer, const PenPairLine *line)
{
  static const char *const marks[PEN_PAIR_DIFFERENCES] = {
    [PEN_PAIR_LINE_SAME] = "",     [PEN_PAIR_LINE_CHANGED] = "~", [PEN_PAIR_LINE_ADDED] = "+",
    [PEN_PAIR_LINE_REMOVED] = "-", [PEN_PAIR_LINE_UNKNOWN] = "?", [PEN_PAIR_LINE_REST] = "",
  };
  gboolean is_marked
      = line->difference != PEN_PAIR_LINE_SAME || line->test.verdict != PEN_PAIR_UNSURE;

  pen_table_writer_style (writer, is_marked ? PEN_STYLE_MARKED : PEN_STYLE_PLAIN);
  pen_table_writer_text (writer, marks[line->difference]);
  write_listed_side (writer, line, 0);
  write_listed_side (writer, line, 1);
  pen_query_write_real_or_empty (writer, line->test.test.ratio, 3);
  if (line->rates[0].samples + line->rates[1].samples > 0)
    pen_comparison_write_interval (writer, line->test.test.low, line->test.test.high, 3);
  else
    pen_table_writer_empty (writer);
  pen_table_writer_text (writer, pen_pair_verdict_to_string (line->test.verdict));
  pen_table_writer_text (writer, get_site (line));
}

static void
write_side_heading (PenTableWriter *writer, const PenPairSource *source,
                    const PenPairFunction *function, guint side)
{
  g_autoptr (GString) words = g_string_new (side == 0 ? "A" : "B");

  g_string_append_printf (words, "  %s", source->name ? source->name : "");
  if (function->functions[side] == G_MAXUINT32) {
    /* Translators: after the name of a recording */
    g_string_append (words, _ (" · not there"));
  } else {
    if (function->symbols[side])
      g_string_append_printf (words, " · %s", function->symbols[side]);
    g_string_append_printf (words,
                            ngettext (" · %" PRIu64 " version", " · %" PRIu64 " versions",
                                      (gulong) function->versions[side]),
                            function->versions[side]);
    /* Translators: a time follows */
    g_string_append (words, _ (" · as of "));
    pen_query_append_moment (words, function->moments[side], 9);
    g_string_append_printf (words,
                            ngettext (" · %" PRIu64 " sample", " · %" PRIu64 " samples",
                                      (gulong) function->samples[side]),
                            function->samples[side]);
  }
  pen_table_writer_heading (writer, words->str);
}

static void
write_heading (PenTableWriter *writer, const PenPairSource sources[2], const PenPairRow *row,
               const PenPairFunction *function)
{
  g_autoptr (GString) words = g_string_new (row->symbol ? row->symbol : _ ("(no symbol)"));

  g_string_append_printf (words, "  %s",
                          row->kind == PEN_KIND_UNKNOWN ? pen_kind_to_string (row->kind)
                                                        : row->occupant);
  if (function->text != PEN_PAIR_TEXT_NONE)
    g_string_append_printf (words,
                            ngettext ("  text: %s, %u of %u line differs",
                                      "  text: %s, %u of %u lines differ", function->lines->len),
                            pen_pair_text_state_to_string (function->text), function->n_different,
                            function->lines->len);
  pen_table_writer_heading (writer, words->str);
  write_side_heading (writer, &sources[0], function, 0);
  write_side_heading (writer, &sources[1], function, 1);
}

/* ---- both ---- */

static gboolean
write_row (PenTableWriter *writer, const PenPairSource sources[2], const PenPairs *pairs,
           const PenPairRow *row, PenSyntax syntax, GError **error)
{
  g_autoptr (PenPairAnnotation) annotation
      = pen_query_pair_annotate (sources, pairs, row, syntax, G_MAXUINT, error);
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;

  if (!annotation)
    return FALSE;
  for (guint i = 0; i < annotation->functions->len; i++) {
    const PenPairFunction *function = annotation->functions->pdata[i];

    if (is_listing)
      write_heading (writer, sources, row, function);
    for (guint k = 0; k < function->lines->len; k++) {
      if (is_listing)
        write_listed_line (writer, function->lines->pdata[k]);
      else
        write_line (writer, row, function->lines->pdata[k]);
      if (!pen_table_writer_end_row (writer, error))
        return FALSE;
    }
  }
  return TRUE;
}

gboolean
pen_query_write_pair_text (const PenPairSource sources[2], const char *symbol, PenSyntax syntax,
                           PenTableWriter *writer, GError **error)
{
  g_autoptr (PenPairs) pairs = pen_query_pair (sources, error);
  g_autoptr (GPtrArray) rows = pairs ? pen_pairs_find (pairs, sources, symbol, error) : NULL;
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;
  const char *obstacle;

  if (!rows)
    return FALSE;
  if (is_listing)
    pen_table_writer_set_columns (writer, listing_columns, G_N_ELEMENTS (listing_columns));
  else
    pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  obstacle = pen_pair_obstacle_describe (pairs->obstacle);
  if (is_listing && obstacle)
    pen_table_writer_heading (writer, obstacle);
  for (guint i = 0; i < rows->len; i++)
    if (!write_row (writer, sources, pairs, rows->pdata[i], syntax, error))
      return FALSE;
  return pen_table_writer_finish (writer, error);
}
