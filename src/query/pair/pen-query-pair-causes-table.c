/* pen-query-pair-causes-table.c: what stands differently in two recordings, as rows and as a
 * listing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-pair-causes.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "pen-comparison-cells.h"
#include "pen-pair-cells.h"
#include "pen-query-cells.h"

static const PenColumn columns[] = {
  { "cause", PEN_COLUMN_TEXT },       { "for", PEN_COLUMN_TEXT },
  { "programs", PEN_COLUMN_TEXT },    { "purpose", PEN_COLUMN_TEXT },
  { "symbol", PEN_COLUMN_TEXT },      { "offset", PEN_COLUMN_HEX },
  { "kind", PEN_COLUMN_TEXT },        { "occupant", PEN_COLUMN_TEXT },
  { "difference", PEN_COLUMN_TEXT },  { "a_state", PEN_COLUMN_TEXT },
  { "a_on", PEN_COLUMN_NUMBER },      { "a_unknown", PEN_COLUMN_NUMBER },
  { "a_flips", PEN_COLUMN_NUMBER },   { "a_sites", PEN_COLUMN_NUMBER },
  { "a_known_by", PEN_COLUMN_TEXT },  { "a_samples", PEN_COLUMN_NUMBER },
  { "a_rate", PEN_COLUMN_NUMBER },    { "a_low", PEN_COLUMN_NUMBER },
  { "a_high", PEN_COLUMN_NUMBER },    { "a_share", PEN_COLUMN_NUMBER },
  { "b_state", PEN_COLUMN_TEXT },     { "b_on", PEN_COLUMN_NUMBER },
  { "b_unknown", PEN_COLUMN_NUMBER }, { "b_flips", PEN_COLUMN_NUMBER },
  { "b_sites", PEN_COLUMN_NUMBER },   { "b_known_by", PEN_COLUMN_TEXT },
  { "b_samples", PEN_COLUMN_NUMBER }, { "b_rate", PEN_COLUMN_NUMBER },
  { "b_low", PEN_COLUMN_NUMBER },     { "b_high", PEN_COLUMN_NUMBER },
  { "b_share", PEN_COLUMN_NUMBER },   { "ratio", PEN_COLUMN_NUMBER },
  { "ratio_low", PEN_COLUMN_NUMBER }, { "ratio_high", PEN_COLUMN_NUMBER },
  { "p", PEN_COLUMN_NUMBER },         { "verdict", PEN_COLUMN_TEXT },
  { "obstacle", PEN_COLUMN_TEXT },
};

static const PenColumn listing_columns[] = {
  { "cause", PEN_COLUMN_TEXT },       { "for", PEN_COLUMN_TEXT },
  { "at", PEN_COLUMN_TEXT },          { "A", PEN_COLUMN_TEXT },
  { "on %", PEN_COLUMN_NUMBER },      { "flips", PEN_COLUMN_NUMBER },
  { "B", PEN_COLUMN_TEXT },           { "on %", PEN_COLUMN_NUMBER },
  { "flips", PEN_COLUMN_NUMBER },     { "", PEN_COLUMN_TEXT },
  { "A samples", PEN_COLUMN_NUMBER }, { "rate", PEN_COLUMN_NUMBER },
  { "B samples", PEN_COLUMN_NUMBER }, { "rate", PEN_COLUMN_NUMBER },
  { "ratio", PEN_COLUMN_NUMBER },     { "interval", PEN_COLUMN_TEXT },
  { "verdict", PEN_COLUMN_TEXT },
};

/* ---- csv, json ---- */

static const char *
get_source (const PenPairCause *row, const PenPairStand *stand)
{
  if (stand->state == PEN_PAIR_STAND_IS_UNKNOWN || row->is_program)
    return NULL;
  return stand->is_read ? "text" : "patches";
}

static void
write_side (PenTableWriter *writer, const PenPairCause *row, guint side)
{
  const PenPairStand *stand = &row->stands[side];
  const PenRate *rate = &row->rates[side];

  pen_table_writer_text (writer, pen_pair_stand_state_to_string (stand->state));
  pen_query_write_real_or_empty (writer, stand->on, 6);
  pen_query_write_real_or_empty (writer, stand->unknown, 6);
  pen_table_writer_unsigned (writer, stand->flips);
  pen_table_writer_unsigned (writer, stand->sites);
  pen_query_write_text_or_empty (writer, get_source (row, stand));
  pen_table_writer_unsigned (writer, rate->samples);
  pen_pair_write_rate (writer, rate);
  pen_query_write_real_or_empty (writer, rate->share, 6);
}

static void
write_row (PenTableWriter *writer, const PenPairs *pairs, const PenPairCause *row)
{
  pen_table_writer_text (writer, pen_pair_cause_get_word (row));
  pen_table_writer_text (writer, row->name);
  pen_query_write_text_or_empty (writer, row->detail);
  pen_query_write_text_or_empty (writer, row->purpose);
  pen_query_write_text_or_empty (writer, row->symbol);
  pen_query_write_hex_or_empty (writer, row->symbol != NULL, row->offset);
  if (row->occupant) {
    pen_query_write_occupant (writer, row->kind, row->occupant);
  } else {
    pen_query_write_text_or_empty (writer, row->is_program ? pen_kind_to_string (row->kind) : NULL);
    pen_table_writer_empty (writer);
  }
  pen_table_writer_text (writer, pen_pair_stand_to_string (row->verdict));
  write_side (writer, row, 0);
  write_side (writer, row, 1);
  pen_pair_write_test (writer, &row->test);
  pen_table_writer_text (writer, pen_pair_obstacle_to_string (pairs->obstacle));
}

/* ---- listing ---- */

static void
write_heading (PenTableWriter *writer, const PenPairSource sources[2], const PenPairs *pairs,
               const PenPairCauses *causes)
{
  g_autofree char *words
      = g_strdup_printf (ngettext ("%u of %u thing that is patched, or BPF program, stands "
                                   "differently",
                                   "%u of %u things that are patched, and BPF programs, stand "
                                   "differently",
                                   causes->rows->len),
                         causes->n_different, causes->rows->len);

  pen_pair_write_sides (writer, pairs, sources);
  pen_table_writer_heading (writer, words);
}

static void
write_listed_stand (PenTableWriter *writer, const PenPairStand *stand)
{
  pen_table_writer_text (writer, pen_pair_stand_state_to_string (stand->state));
  pen_query_write_real_or_empty (
      writer, stand->state == PEN_PAIR_STAND_IS_UNKNOWN ? NAN : 100 * stand->on, 1);
  pen_table_writer_unsigned (writer, stand->flips);
}

static void
write_listed_row (PenTableWriter *writer, const PenPairCause *row)
{
  gboolean is_marked
      = row->verdict != PEN_PAIR_STAND_SAME && row->verdict != PEN_PAIR_STAND_UNKNOWN;
  g_autofree char *name
      = row->purpose ? g_strdup_printf ("%s (%s)", row->name, row->purpose) : NULL;
  g_autofree char *place
      = row->symbol ? g_strdup_printf ("%s+0x%" PRIx64, row->symbol, row->offset) : NULL;

  pen_table_writer_style (writer, is_marked ? PEN_STYLE_MARKED : PEN_STYLE_DIM);
  pen_table_writer_text (writer, pen_pair_cause_get_word (row));
  pen_table_writer_text (writer, name ? name : row->name);
  pen_query_write_text_or_empty (writer, g_strcmp0 (place, row->name) != 0 ? place : NULL);
  write_listed_stand (writer, &row->stands[0]);
  write_listed_stand (writer, &row->stands[1]);
  pen_table_writer_text (writer, pen_pair_stand_to_string (row->verdict));
  for (guint side = 0; side < 2; side++) {
    pen_table_writer_unsigned (writer, row->rates[side].samples);
    pen_query_write_real_or_empty (writer, row->rates[side].rate, 2);
  }
  pen_query_write_real_or_empty (writer, row->test.test.ratio, 3);
  if (row->rates[0].samples + row->rates[1].samples > 0)
    pen_comparison_write_interval (writer, row->test.test.low, row->test.test.high, 3);
  else
    pen_table_writer_empty (writer);
  pen_table_writer_text (writer, pen_pair_verdict_to_string (row->test.verdict));
}

/* ---- both ---- */

gboolean
pen_query_write_pair_causes_of (const PenPairSource sources[2], const PenPairs *pairs,
                                PenTableWriter *writer, GError **error)
{
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;
  g_autoptr (PenPairCauses) causes = pen_query_pair_causes (sources, pairs, error);

  if (!causes)
    return FALSE;
  if (is_listing) {
    pen_table_writer_set_columns (writer, listing_columns, G_N_ELEMENTS (listing_columns));
    write_heading (writer, sources, pairs, causes);
  } else {
    pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  }
  for (guint i = 0; i < causes->rows->len; i++) {
    if (is_listing)
      write_listed_row (writer, causes->rows->pdata[i]);
    else
      write_row (writer, pairs, causes->rows->pdata[i]);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}

gboolean
pen_query_write_pair_causes (const PenPairSource sources[2], PenTableWriter *writer, GError **error)
{
  g_autoptr (PenPairs) pairs = pen_query_pair (sources, error);

  return pairs && pen_query_write_pair_causes_of (sources, pairs, writer, error);
}
