/* pen-query-pair-table.c: functions of two recordings as rows, and as a listing to read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-pair.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-comparison-cells.h"
#include "pen-pair-cells.h"
#include "pen-query-cells.h"
#include "pen-query-private.h"

static const PenColumn columns[] = {
  { "symbol", PEN_COLUMN_TEXT },
  { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },
  { "b_symbol", PEN_COLUMN_TEXT },
  { "b_occupant", PEN_COLUMN_TEXT },
  { "a_samples", PEN_COLUMN_NUMBER },
  { "a_seconds", PEN_COLUMN_NUMBER },
  { "a_rate", PEN_COLUMN_NUMBER },
  { "a_low", PEN_COLUMN_NUMBER },
  { "a_high", PEN_COLUMN_NUMBER },
  { "a_share", PEN_COLUMN_NUMBER },
  { "a_share_low", PEN_COLUMN_NUMBER },
  { "a_share_high", PEN_COLUMN_NUMBER },
  { "b_samples", PEN_COLUMN_NUMBER },
  { "b_seconds", PEN_COLUMN_NUMBER },
  { "b_rate", PEN_COLUMN_NUMBER },
  { "b_low", PEN_COLUMN_NUMBER },
  { "b_high", PEN_COLUMN_NUMBER },
  { "b_share", PEN_COLUMN_NUMBER },
  { "b_share_low", PEN_COLUMN_NUMBER },
  { "b_share_high", PEN_COLUMN_NUMBER },
  { "factor", PEN_COLUMN_NUMBER },
  { "obstacle", PEN_COLUMN_TEXT },
  { "ratio", PEN_COLUMN_NUMBER },
  { "ratio_low", PEN_COLUMN_NUMBER },
  { "ratio_high", PEN_COLUMN_NUMBER },
  { "p", PEN_COLUMN_NUMBER },
  { "verdict", PEN_COLUMN_TEXT },
  { "share_ratio", PEN_COLUMN_NUMBER },
  { "share_low", PEN_COLUMN_NUMBER },
  { "share_high", PEN_COLUMN_NUMBER },
  { "share_p", PEN_COLUMN_NUMBER },
  { "share_verdict", PEN_COLUMN_TEXT },
  { "text", PEN_COLUMN_TEXT },
  { "changed", PEN_COLUMN_NUMBER },
  { "sites", PEN_COLUMN_TEXT },
  { "a_versions", PEN_COLUMN_NUMBER },
  { "b_versions", PEN_COLUMN_NUMBER },
};

static const PenColumn listing_columns[] = {
  { "symbol", PEN_COLUMN_TEXT },  { "occupant", PEN_COLUMN_TEXT }, { "A", PEN_COLUMN_NUMBER },
  { "rate", PEN_COLUMN_NUMBER },  { "95 %", PEN_COLUMN_TEXT },     { "share", PEN_COLUMN_NUMBER },
  { "B", PEN_COLUMN_NUMBER },     { "rate", PEN_COLUMN_NUMBER },   { "95 %", PEN_COLUMN_TEXT },
  { "share", PEN_COLUMN_NUMBER }, { "ratio", PEN_COLUMN_NUMBER },  { "interval", PEN_COLUMN_TEXT },
  { "verdict", PEN_COLUMN_TEXT }, { "text", PEN_COLUMN_TEXT },     { "changed", PEN_COLUMN_NUMBER },
  { "sites", PEN_COLUMN_TEXT },
};

/* Causes of places that stand differently. */
static void
write_text (PenTableWriter *writer, const PenPairRow *row)
{
  const char *causes[PEN_CAUSES];
  guint n = 0;

  for (PenCause cause = 0; cause < PEN_CAUSES; cause++)
    if ((row->causes >> cause & 1) != 0)
      causes[n++] = pen_cause_to_string (cause);
  pen_table_writer_text (writer, pen_pair_text_state_to_string (row->text));
  pen_query_write_unsigned_or_empty (writer, row->text >= PEN_PAIR_TEXT_SAME, row->n_changed);
  if (pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE) {
    g_autoptr (GString) words = g_string_new (NULL);

    for (guint i = 0; i < n; i++)
      g_string_append_printf (words, "%s%s", i > 0 ? ", " : "", causes[i]);
    pen_table_writer_text (writer, words->str);
  } else {
    pen_table_writer_list (writer, causes, n);
  }
}

/* ---- csv, json ---- */

static void
write_side (PenTableWriter *writer, const PenPairRow *row, double seconds, guint side)
{
  const PenRate *rate = &row->rates[side];

  pen_table_writer_unsigned (writer, rate->samples);
  pen_query_write_real_or_empty (writer, seconds, 6);
  pen_pair_write_rate (writer, rate);
  pen_query_write_real_or_empty (writer, rate->share, 6);
  pen_query_write_real_or_empty (writer, row->share_low[side], 6);
  pen_query_write_real_or_empty (writer, row->share_high[side], 6);
}

/* Of the function whose text is compared: those that were there, one after the other. */
static void
write_versions (PenTableWriter *writer, const PenPairSource *source, const PenPairRow *row,
                guint side)
{
  const PenFunction *function = row->found[side];

  if (row->functions[side]->len > 0)
    function
        = pen_query_get_function (source->query, g_array_index (row->functions[side], guint32, 0));
  pen_query_write_unsigned_or_empty (writer, function && function->versions > 0,
                                     function ? function->versions : 0);
}

static void
write_row (PenTableWriter *writer, const PenPairSource sources[2], const PenPairs *pairs,
           const PenPairRow *row)
{
  pen_table_writer_text (writer, row->symbol);
  pen_query_write_occupant (writer, row->kind, row->occupant);
  pen_table_writer_text (writer, row->is_renamed ? row->symbols[1] : NULL);
  pen_table_writer_text (writer, row->is_renamed ? row->occupants[1] : NULL);
  for (guint i = 0; i < 2; i++)
    write_side (writer, row, pairs->sides[i].seconds, i);
  pen_query_write_real_or_empty (writer, pairs->factor, 6);
  pen_table_writer_text (writer, pen_pair_obstacle_to_string (pairs->obstacle));
  pen_pair_write_test (writer, &row->rate);
  pen_pair_write_test (writer, &row->share);
  write_text (writer, row);
  for (guint i = 0; i < 2; i++)
    write_versions (writer, &sources[i], row, i);
}

/* ---- listing ---- */

static void
write_heading (PenTableWriter *writer, const PenPairs *pairs, const PenPairSource sources[2])
{
  g_autofree char *words
      = g_strdup_printf (ngettext ("%u function differs; with 95 %% confidence none of them by "
                                   "chance (ratios at a level of %.2g)",
                                   "%u functions differ; with 95 %% confidence none of them by "
                                   "chance (ratios at a level of %.2g)",
                                   pairs->n_different),
                         pairs->n_different, pairs->alpha);

  pen_pair_write_sides (writer, pairs, sources);
  pen_table_writer_heading (writer, words);
}

static void
write_listed_side (PenTableWriter *writer, const PenRate *rate)
{
  pen_table_writer_unsigned (writer, rate->samples);
  pen_query_write_real_or_empty (writer, rate->rate, 2);
  pen_comparison_write_interval (writer, rate->low, rate->high, 2);
  pen_query_write_real_or_empty (writer, rate->share, 4);
}

static void
write_listed_symbol (PenTableWriter *writer, const PenPairRow *row)
{
  g_autofree char *both
      = row->is_renamed ? g_strdup_printf ("%s → %s", row->symbols[0], row->symbols[1]) : NULL;

  pen_table_writer_text (writer, both ? both : row->symbol);
}

static void
write_listed_row (PenTableWriter *writer, const PenPairs *pairs, const PenPairRow *row)
{
  const PenPairTest *test = pen_pairs_get_test (pairs, row);

  pen_table_writer_style (writer,
                          test->verdict != PEN_PAIR_UNSURE ? PEN_STYLE_MARKED : PEN_STYLE_DIM);
  write_listed_symbol (writer, row);
  pen_table_writer_text (writer, row->kind == PEN_KIND_UNKNOWN ? pen_kind_to_string (row->kind)
                                                               : row->occupant);
  for (guint i = 0; i < 2; i++)
    write_listed_side (writer, &row->rates[i]);
  pen_query_write_real_or_empty (writer, test->test.ratio, 3);
  pen_comparison_write_interval (writer, test->test.low, test->test.high, 3);
  pen_table_writer_text (writer, pen_pair_verdict_to_string (test->verdict));
  write_text (writer, row);
}

/* ---- both ---- */

gboolean
pen_query_write_pair_of (const PenPairSource sources[2], const PenPairs *pairs,
                         PenTableWriter *writer, GError **error)
{
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;

  if (is_listing) {
    pen_table_writer_set_columns (writer, listing_columns, G_N_ELEMENTS (listing_columns));
    write_heading (writer, pairs, sources);
  } else {
    pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  }
  for (guint i = 0; i < pairs->rows->len; i++) {
    const PenPairRow *row = pairs->rows->pdata[i];

    if (is_listing)
      write_listed_row (writer, pairs, row);
    else
      write_row (writer, sources, pairs, row);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}

gboolean
pen_query_write_pair (const PenPairSource sources[2], PenTableWriter *writer, GError **error)
{
  g_autoptr (PenPairs) pairs = pen_query_pair (sources, error);

  return pairs && pen_query_write_pair_of (sources, pairs, writer, error);
}
