/* pen-query-instants-table.c: the text of two instants: as rows, and as a listing to read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-instants.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "pen-query-cells.h"
#include "pen-query-resolve.h"

static const PenColumn columns[] = {
  { "address", PEN_COLUMN_HEX },      { "symbol", PEN_COLUMN_TEXT },
  { "offset", PEN_COLUMN_HEX },       { "difference", PEN_COLUMN_TEXT },
  { "a_kind", PEN_COLUMN_TEXT },      { "a_occupant", PEN_COLUMN_TEXT },
  { "a_from", PEN_COLUMN_TIME },      { "a_to", PEN_COLUMN_TIME },
  { "a_bytes", PEN_COLUMN_TEXT },     { "a_instruction", PEN_COLUMN_TEXT },
  { "a_target", PEN_COLUMN_TEXT },    { "a_samples", PEN_COLUMN_NUMBER },
  { "a_off_cpu", PEN_COLUMN_NUMBER }, /* of waits only */
  { "b_kind", PEN_COLUMN_TEXT },      { "b_occupant", PEN_COLUMN_TEXT },
  { "b_from", PEN_COLUMN_TIME },      { "b_to", PEN_COLUMN_TIME },
  { "b_bytes", PEN_COLUMN_TEXT },     { "b_instruction", PEN_COLUMN_TEXT },
  { "b_target", PEN_COLUMN_TEXT },    { "b_samples", PEN_COLUMN_NUMBER },
  { "b_off_cpu", PEN_COLUMN_NUMBER },
};

static const PenColumn listing_columns[] = {
  { "~", PEN_COLUMN_TEXT },
  { "offset", PEN_COLUMN_HEX },
  { "samples A", PEN_COLUMN_NUMBER },
  { "off_cpu A", PEN_COLUMN_NUMBER }, /* of waits only */
  { "instruction A", PEN_COLUMN_TEXT },
  { "target A", PEN_COLUMN_TEXT },
  { "samples B", PEN_COLUMN_NUMBER },
  { "off_cpu B", PEN_COLUMN_NUMBER },
  { "instruction B", PEN_COLUMN_TEXT },
  { "target B", PEN_COLUMN_TEXT },
  { "difference", PEN_COLUMN_TEXT },
};

/* ---- csv, json ---- */

static void
write_side (PenTableWriter *writer, const PenInstants *instants, const PenInstantRow *row, guint i)
{
  const PenInstantSide *side = &instants->sides[i];
  const PenTextStretch *stretch = row->stretches[i];
  const PenAnnotationLine *line = row->lines[i];
  gboolean is_known = stretch && stretch->tenure.id != 0;
  gboolean is_of_waits = instants->population == PEN_POPULATION_WAITS;

  pen_query_write_occupant (writer, is_known ? stretch->tenure.kind : PEN_KIND_UNKNOWN,
                            is_known ? stretch->tenure.occupant : NULL);
  pen_query_write_span (writer, side->from, TRUE, side->to, TRUE);
  if (!line) {
    for (guint k = 0; k < (is_of_waits ? 5 : 4); k++)
      pen_table_writer_empty (writer);
    return;
  }
  pen_table_writer_bytes (writer, line->bytes, line->n_bytes);
  pen_query_write_text_or_empty (writer, line->instruction);
  pen_query_write_text_or_empty (writer, line->target);
  pen_table_writer_unsigned (writer, row->samples[i]);
  if (is_of_waits)
    pen_table_writer_unsigned (writer, row->periods[i]);
}

static void
write_row (PenTableWriter *writer, const PenInstants *instants, const PenInstantRow *row)
{
  const char *symbol = NULL;
  guint64 offset = 0;
  gboolean has_symbol = pen_instant_row_get_place (row, &symbol, &offset);

  pen_table_writer_hex (writer, row->address);
  pen_query_write_text_or_empty (writer, symbol);
  pen_query_write_hex_or_empty (writer, has_symbol, offset);
  pen_table_writer_text (writer, pen_instant_difference_to_string (row->difference));
  write_side (writer, instants, row, 0);
  write_side (writer, instants, row, 1);
}

/* ---- listing ---- */

static void
append_occupants (GString *words, const PenTextAt *text)
{
  for (guint i = 0; i < text->stretches->len; i++) {
    const PenTextStretch *stretch = &g_array_index (text->stretches, PenTextStretch, i);

    if (stretch->tenure.id == 0)
      g_string_append_printf (words, "  %s", _ ("unknown occupant"));
    else
      g_string_append_printf (words, "  %s %s %s",
                              stretch->symbol ? stretch->symbol : _ ("(no symbol)"),
                              pen_kind_to_string (stretch->tenure.kind), stretch->tenure.occupant);
    if (i == 2 && text->stretches->len > 3) {
      g_string_append (words, " …");
      break;
    }
  }
}

static void
append_amount (GString *words, PenAmount amount)
{
  if (amount.population == PEN_POPULATION_WAITS)
    g_string_append_printf (words,
                            ngettext ("  %" PRIu64 " wait, %" PRIu64 " ns off CPU",
                                      "  %" PRIu64 " waits, %" PRIu64 " ns off CPU", amount.n),
                            amount.n, amount.period);
  else
    g_string_append_printf (
        words, ngettext ("  %" PRIu64 " sample", "  %" PRIu64 " samples", amount.n), amount.n);
}

static void
write_side_heading (PenTableWriter *writer, const PenInstants *instants, guint i,
                    const char *letter)
{
  const PenInstantSide *side = &instants->sides[i];
  g_autoptr (GString) words = g_string_new (letter);

  g_string_append_printf (words, "  %s ",
                          side->text->moment.position == 0 ? C_ ("moment", "just before")
                                                           : C_ ("moment", "at"));
  pen_query_append_moment (words, side->text->moment, 9);
  append_occupants (words, side->text);
  g_string_append (words, _ ("  unchanged "));
  pen_query_append_moment (words, side->from, 9);
  g_string_append (words, " – ");
  pen_query_append_moment (words, side->to, 9);
  append_amount (words, pen_instants_get_amount (instants, i));
  pen_table_writer_heading (writer, words->str);
}

static void
write_heading (PenTableWriter *writer, const PenInstants *instants)
{
  g_autofree char *words = g_strdup_printf (
      ngettext ("0x%" PRIx64 "-0x%" PRIx64 "  %u of %u line differs",
                "0x%" PRIx64 "-0x%" PRIx64 "  %u of %u lines differ", instants->rows->len),
      instants->start, instants->end, instants->n_different, instants->rows->len);

  pen_table_writer_heading (writer, words);
  write_side_heading (writer, instants, 0, "A");
  write_side_heading (writer, instants, 1, "B");
}

static void
write_listed_side (PenTableWriter *writer, const PenInstants *instants, const PenInstantRow *row,
                   guint i)
{
  const PenAnnotationLine *line = row->lines[i];

  pen_query_write_unsigned_or_empty (writer, row->samples[i] > 0, row->samples[i]);
  if (instants->population == PEN_POPULATION_WAITS)
    pen_query_write_unsigned_or_empty (writer, row->samples[i] > 0, row->periods[i]);
  pen_query_write_text_or_empty (writer, line ? line->instruction : NULL);
  pen_query_write_text_or_empty (writer, line ? line->target : NULL);
}

static void
write_listed_row (PenTableWriter *writer, const PenInstants *instants, const PenInstantRow *row)
{
  gboolean differs = row->difference != PEN_INSTANT_SAME;
  const char *symbol = NULL;
  guint64 offset = row->address;

  pen_instant_row_get_place (row, &symbol, &offset);
  pen_table_writer_style (writer, differs ? PEN_STYLE_MARKED : PEN_STYLE_PLAIN);
  pen_table_writer_text (writer, differs ? "~" : NULL);
  pen_table_writer_hex (writer, offset);
  write_listed_side (writer, instants, row, 0);
  write_listed_side (writer, instants, row, 1);
  pen_table_writer_text (writer, pen_instant_difference_to_string (row->difference));
}

/* ---- both ---- */

static void
set_columns (PenQuery *query, PenTableWriter *writer)
{
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;
  gboolean is_of_waits = pen_query_is_of_waits (query);
  const PenColumn *all = is_listing ? listing_columns : columns;
  guint n = is_listing ? G_N_ELEMENTS (listing_columns) : G_N_ELEMENTS (columns);
  PenColumn shown[G_N_ELEMENTS (columns)];
  guint n_shown = 0;

  for (guint i = 0; i < n; i++) {
    if (is_of_waits || !strstr (all[i].name, "off_cpu"))
      shown[n_shown++] = all[i];
  }
  if (is_of_waits) {
    pen_table_writer_rename (writer, "a_samples", "a_waits");
    pen_table_writer_rename (writer, "b_samples", "b_waits");
    pen_table_writer_rename (writer, "samples A", "waits A");
    pen_table_writer_rename (writer, "samples B", "waits B");
  }
  pen_table_writer_set_columns (writer, shown, n_shown);
}

static gboolean
write_range (PenQuery *self, const PenFilter *filter, guint64 start, guint64 end,
             const PenMoment *moments, PenSyntax syntax, gboolean all, PenTableWriter *writer,
             GError **error)
{
  g_autoptr (PenInstants) instants
      = pen_query_instants (self, filter, start, end, moments, syntax, error);
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;

  if (!instants)
    return FALSE;
  if (is_listing)
    write_heading (writer, instants);
  for (guint i = 0; i < instants->rows->len; i++) {
    const PenInstantRow *row = &g_array_index (instants->rows, PenInstantRow, i);

    if (!all && row->difference == PEN_INSTANT_SAME)
      continue;
    if (is_listing)
      write_listed_row (writer, instants, row);
    else
      write_row (writer, instants, row);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_query_write_instants_of (PenQuery *self, const PenFilter *filter, guint64 start, guint64 end,
                             const PenMoment *moments, PenSyntax syntax, gboolean all,
                             PenTableWriter *writer, GError **error)
{
  set_columns (self, writer);
  return write_range (self, filter, start, end, moments, syntax, all, writer, error)
         && pen_table_writer_finish (writer, error);
}

/* ---- what a name meant at either instant ---- */

static void
add_ranges (GArray *ranges, const GArray *more)
{
  for (guint i = 0; i < more->len; i++) {
    PenTextRange range = g_array_index (more, PenTextRange, i);
    gboolean is_new = TRUE;

    for (guint k = 0; k < ranges->len; k++) {
      PenTextRange *known = &g_array_index (ranges, PenTextRange, k);

      if (known->start != range.start)
        continue;
      known->end = MAX (known->end, range.end);
      is_new = FALSE;
    }
    if (is_new)
      g_array_append_val (ranges, range);
  }
}

/* Where the name was at A, and where at B. It has to be there at one of them. */
static GArray *
find_ranges (PenQuery *self, const char *target, guint64 length, const PenMoment *moments,
             GError **error)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (PenTextRange));
  GError *failures[2] = { NULL, NULL };

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GArray) found = pen_query_find_text (self, target, length, moments[i], &failures[i]);

    if (found)
      add_ranges (ranges, found);
  }
  if (ranges->len > 0) {
    g_clear_error (&failures[0]);
    g_clear_error (&failures[1]);
    return g_steal_pointer (&ranges);
  }
  g_clear_error (&failures[1]);
  g_propagate_error (error, failures[0]);
  return NULL;
}

gboolean
pen_query_write_instants (PenQuery *self, const PenFilter *filter, const char *target,
                          guint64 length, char **at, PenSyntax syntax, gboolean all,
                          PenTableWriter *writer, GError **error)
{
  g_autoptr (GArray) ranges = NULL;
  PenMoment moments[2];

  if (!pen_query_parse_moment (self, at[0], &moments[0], error)
      || !pen_query_parse_moment (self, at[1], &moments[1], error))
    return FALSE;
  ranges = find_ranges (self, target, length, moments, error);
  if (!ranges)
    return FALSE;
  set_columns (self, writer);
  for (guint i = 0; i < ranges->len; i++) {
    const PenTextRange *range = &g_array_index (ranges, PenTextRange, i);

    if (!write_range (self, filter, range->start, range->end, moments, syntax, all, writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
