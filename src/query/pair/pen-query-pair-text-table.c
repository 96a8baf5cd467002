/* pen-query-pair-text-table.c: a function of two recordings as rows, and as a listing to read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-pair-text.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "pen-comparison-cells.h"
#include "pen-pair-cells.h"
#include "pen-query-cells.h"
#include "pen-query-source-lines.h"

static const PenColumn columns[] = {
  { "symbol", PEN_COLUMN_TEXT },        { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },      { "difference", PEN_COLUMN_TEXT },
  { "site", PEN_COLUMN_TEXT },          { "masked", PEN_COLUMN_TEXT },
  { "a_offset", PEN_COLUMN_HEX },       { "a_bytes", PEN_COLUMN_TEXT },
  { "a_instruction", PEN_COLUMN_TEXT }, { "a_target", PEN_COLUMN_TEXT },
  { "a_source", PEN_COLUMN_TEXT },      { "a_samples", PEN_COLUMN_NUMBER },
  { "a_rate", PEN_COLUMN_NUMBER },      { "a_low", PEN_COLUMN_NUMBER },
  { "a_high", PEN_COLUMN_NUMBER },      { "b_offset", PEN_COLUMN_HEX },
  { "b_bytes", PEN_COLUMN_TEXT },       { "b_instruction", PEN_COLUMN_TEXT },
  { "b_target", PEN_COLUMN_TEXT },      { "b_source", PEN_COLUMN_TEXT },
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

static const PenColumn source_columns[] = {
  { "symbol", PEN_COLUMN_TEXT },           { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },         { "a_source", PEN_COLUMN_TEXT },
  { "a_instructions", PEN_COLUMN_NUMBER }, { "a_samples", PEN_COLUMN_NUMBER },
  { "a_rate", PEN_COLUMN_NUMBER },         { "a_low", PEN_COLUMN_NUMBER },
  { "a_high", PEN_COLUMN_NUMBER },         { "a_share", PEN_COLUMN_NUMBER },
  { "b_source", PEN_COLUMN_TEXT },         { "b_instructions", PEN_COLUMN_NUMBER },
  { "b_samples", PEN_COLUMN_NUMBER },      { "b_rate", PEN_COLUMN_NUMBER },
  { "b_low", PEN_COLUMN_NUMBER },          { "b_high", PEN_COLUMN_NUMBER },
  { "b_share", PEN_COLUMN_NUMBER },        { "changed", PEN_COLUMN_NUMBER },
  { "ratio", PEN_COLUMN_NUMBER },          { "ratio_low", PEN_COLUMN_NUMBER },
  { "ratio_high", PEN_COLUMN_NUMBER },     { "p", PEN_COLUMN_NUMBER },
  { "verdict", PEN_COLUMN_TEXT },
};

static const PenColumn listing_line_columns[] = {
  { "symbol", PEN_COLUMN_TEXT },      { "source of A", PEN_COLUMN_TEXT },
  { "A", PEN_COLUMN_NUMBER },         { "rate", PEN_COLUMN_NUMBER },
  { "source of B", PEN_COLUMN_TEXT }, { "B", PEN_COLUMN_NUMBER },
  { "rate", PEN_COLUMN_NUMBER },      { "changed", PEN_COLUMN_NUMBER },
  { "ratio", PEN_COLUMN_NUMBER },     { "interval", PEN_COLUMN_TEXT },
  { "verdict", PEN_COLUMN_TEXT },
};

static const PenColumn listing_source_columns[] = {
  { "source of A", PEN_COLUMN_TEXT }, { "A", PEN_COLUMN_NUMBER },
  { "rate", PEN_COLUMN_NUMBER },      { "source of B", PEN_COLUMN_TEXT },
  { "B", PEN_COLUMN_NUMBER },         { "rate", PEN_COLUMN_NUMBER },
  { "changed", PEN_COLUMN_NUMBER },   { "ratio", PEN_COLUMN_NUMBER },
  { "interval", PEN_COLUMN_TEXT },    { "verdict", PEN_COLUMN_TEXT },
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
  if (own)
    pen_query_write_source (writer, own);
  else
    pen_table_writer_empty (writer);
  pen_table_writer_unsigned (writer, rate->samples);
  pen_pair_write_rate (writer, rate);
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
  pen_pair_write_test (writer, &line->test);
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
  if (side == 1 && line->difference == PEN_PAIR_LINE_SAME && line->lines[0])
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
  if (!function->is_there[side]) {
    /* Translators: after the name of a recording */
    g_string_append (words, _ (" · not there"));
  } else {
    if (function->symbols[side])
      g_string_append_printf (words, " · %s", function->symbols[side]);
    if (function->loads[side] > 1)
      g_string_append_printf (words, ngettext (" · %u load", " · %u loads", function->loads[side]),
                              function->loads[side]);
    if (function->versions[side] > 0)
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

/* ---- lines of source ---- */

static void
write_place (PenTableWriter *writer, const PenPairSourceLine *line, guint side)
{
  g_autofree char *place = NULL;

  if (line->files[side])
    place = g_strdup_printf ("%s:%u", line->files[side], line->lines[side]);
  pen_query_write_text_or_empty (writer, place);
}

static void
write_source (PenTableWriter *writer, const PenPairRow *row, const PenPairSourceLine *line)
{
  pen_table_writer_text (writer, row->symbol);
  pen_query_write_occupant (writer, row->kind, row->occupant);
  for (guint side = 0; side < 2; side++) {
    write_place (writer, line, side);
    pen_table_writer_unsigned (writer, line->instructions[side]);
    pen_table_writer_unsigned (writer, line->rates[side].samples);
    pen_pair_write_rate (writer, &line->rates[side]);
    pen_query_write_real_or_empty (writer, line->rates[side].share, 6);
  }
  pen_table_writer_unsigned (writer, line->n_different);
  pen_pair_write_test (writer, &line->test);
}

/* @symbol: (nullable): a cell before the others; NULL: none */
static void
write_listed_source (PenTableWriter *writer, const PenPairSourceLine *line, const char *symbol)
{
  gboolean is_marked = line->n_different > 0 || line->test.verdict != PEN_PAIR_UNSURE;

  pen_table_writer_style (writer, is_marked ? PEN_STYLE_MARKED : PEN_STYLE_PLAIN);
  if (symbol)
    pen_table_writer_text (writer, symbol);
  for (guint side = 0; side < 2; side++) {
    write_place (writer, line, side);
    pen_query_write_unsigned_or_empty (writer, line->rates[side].samples > 0,
                                       line->rates[side].samples);
    pen_query_write_real_or_empty (writer,
                                   line->rates[side].samples > 0 ? line->rates[side].rate : NAN, 2);
  }
  pen_query_write_unsigned_or_empty (writer, line->n_different > 0, line->n_different);
  pen_query_write_real_or_empty (writer, line->test.test.ratio, 3);
  if (line->rates[0].samples + line->rates[1].samples > 0)
    pen_comparison_write_interval (writer, line->test.test.low, line->test.test.high, 3);
  else
    pen_table_writer_empty (writer);
  pen_table_writer_text (writer, pen_pair_verdict_to_string (line->test.verdict));
}

/* ---- all ---- */

typedef struct {
  const PenPairSource *sources;
  const PenPairs *pairs;
  PenPairTextRows by;
  PenTableWriter *writer;
  gboolean is_listing;
} Writing;

static gboolean
write_function (Writing *self, const PenPairRow *row, const PenPairFunction *function,
                GError **error)
{
  const GPtrArray *rows = self->by == PEN_PAIR_BY_SOURCE_LINE ? function->sources : function->lines;

  if (self->is_listing)
    write_heading (self->writer, self->sources, row, function);
  for (guint i = 0; i < rows->len; i++) {
    if (self->by == PEN_PAIR_BY_SOURCE_LINE)
      self->is_listing ? write_listed_source (self->writer, rows->pdata[i], NULL)
                       : write_source (self->writer, row, rows->pdata[i]);
    else
      self->is_listing ? write_listed_line (self->writer, rows->pdata[i])
                       : write_line (self->writer, row, rows->pdata[i]);
    if (!pen_table_writer_end_row (self->writer, error))
      return FALSE;
  }
  return TRUE;
}

static void
begin (Writing *self)
{
  const char *obstacle = pen_pair_obstacle_describe (self->pairs->obstacle);

  if (self->by == PEN_PAIR_BY_SOURCE_LINE && self->is_listing)
    pen_table_writer_set_columns (self->writer, listing_source_columns,
                                  G_N_ELEMENTS (listing_source_columns));
  else if (self->by == PEN_PAIR_BY_SOURCE_LINE)
    pen_table_writer_set_columns (self->writer, source_columns, G_N_ELEMENTS (source_columns));
  else if (self->is_listing)
    pen_table_writer_set_columns (self->writer, listing_columns, G_N_ELEMENTS (listing_columns));
  else
    pen_table_writer_set_columns (self->writer, columns, G_N_ELEMENTS (columns));
  if (self->is_listing && obstacle)
    pen_table_writer_heading (self->writer, obstacle);
}

gboolean
pen_query_write_pair_text_of (const PenPairSource sources[2], const PenPairs *pairs,
                              const GPtrArray *rows, PenPairTextRows by, PenSyntax syntax,
                              PenTableWriter *writer, GError **error)
{
  Writing self
      = { sources, pairs, by, writer, pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE };

  begin (&self);
  for (guint i = 0; i < rows->len; i++) {
    g_autoptr (PenPairAnnotation) annotation
        = pen_query_pair_annotate (sources, pairs, rows->pdata[i], syntax, G_MAXUINT, error);

    if (!annotation)
      return FALSE;
    for (guint k = 0; k < annotation->functions->len; k++)
      if (!write_function (&self, rows->pdata[i], annotation->functions->pdata[k], error))
        return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}

static gboolean
write_all_lines (const PenPairSource sources[2], const PenPairs *pairs, PenTableWriter *writer,
                 GError **error)
{
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;
  g_autoptr (PenPairSourceList) lines = pen_query_pair_lines (sources, pairs, error);

  if (!lines)
    return FALSE;
  if (is_listing) {
    pen_table_writer_set_columns (writer, listing_line_columns,
                                  G_N_ELEMENTS (listing_line_columns));
    pen_pair_write_sides (writer, pairs, sources);
  } else {
    pen_table_writer_set_columns (writer, source_columns, G_N_ELEMENTS (source_columns));
  }
  for (guint i = 0; i < lines->lines->len; i++) {
    const PenPairFunctionLine *own = &g_array_index (lines->lines, PenPairFunctionLine, i);

    if (is_listing)
      write_listed_source (writer, &own->line,
                           own->row->symbol ? own->row->symbol : own->row->occupant);
    else
      write_source (writer, own->row, &own->line);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}

gboolean
pen_query_write_pair_text (const PenPairSource sources[2], const char *symbol, PenPairTextRows by,
                           PenSyntax syntax, PenTableWriter *writer, GError **error)
{
  g_autoptr (PenPairs) pairs = pen_query_pair (sources, error);
  g_autoptr (GPtrArray) rows = NULL;

  if (!pairs)
    return FALSE;
  if (!symbol)
    return write_all_lines (sources, pairs, writer, error);
  rows = pen_pairs_find (pairs, sources, symbol, error);
  return rows && pen_query_write_pair_text_of (sources, pairs, rows, by, syntax, writer, error);
}
