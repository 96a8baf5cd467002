/* pen-query-pair-paths-table.c: call paths of two recordings as rows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-pair-paths.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-comparison-cells.h"
#include "pen-pair-cells.h"
#include "pen-query-cells.h"
#include "pen-query-pair-text.h"

/* Spaces before a name, at most. */
#define INDENT_MAX 60u

static const PenColumn columns[] = {
  { "depth", PEN_COLUMN_NUMBER },     { "symbol", PEN_COLUMN_TEXT },
  { "kind", PEN_COLUMN_TEXT },        { "occupant", PEN_COLUMN_TEXT },
  { "b_symbol", PEN_COLUMN_TEXT },    { "a_samples", PEN_COLUMN_NUMBER },
  { "a_own", PEN_COLUMN_NUMBER },     { "a_rate", PEN_COLUMN_NUMBER },
  { "a_low", PEN_COLUMN_NUMBER },     { "a_high", PEN_COLUMN_NUMBER },
  { "a_share", PEN_COLUMN_NUMBER },   { "b_samples", PEN_COLUMN_NUMBER },
  { "b_own", PEN_COLUMN_NUMBER },     { "b_rate", PEN_COLUMN_NUMBER },
  { "b_low", PEN_COLUMN_NUMBER },     { "b_high", PEN_COLUMN_NUMBER },
  { "b_share", PEN_COLUMN_NUMBER },   { "ratio", PEN_COLUMN_NUMBER },
  { "ratio_low", PEN_COLUMN_NUMBER }, { "ratio_high", PEN_COLUMN_NUMBER },
  { "p", PEN_COLUMN_NUMBER },         { "verdict", PEN_COLUMN_TEXT },
  { "obstacle", PEN_COLUMN_TEXT },
};

static const PenColumn listing_columns[] = {
  { "symbol", PEN_COLUMN_TEXT },  { "A", PEN_COLUMN_NUMBER },      { "own", PEN_COLUMN_NUMBER },
  { "rate", PEN_COLUMN_NUMBER },  { "share", PEN_COLUMN_NUMBER },  { "B", PEN_COLUMN_NUMBER },
  { "own", PEN_COLUMN_NUMBER },   { "rate", PEN_COLUMN_NUMBER },   { "share", PEN_COLUMN_NUMBER },
  { "ratio", PEN_COLUMN_NUMBER }, { "interval", PEN_COLUMN_TEXT }, { "verdict", PEN_COLUMN_TEXT },
};

static void
write_row (PenTableWriter *writer, const PenPairPaths *paths, const PenPairPath *path,
           const PenPairFrame *frame)
{
  pen_table_writer_unsigned (writer, path->depth);
  pen_query_write_text_or_empty (writer, frame ? frame->symbol : NULL);
  if (frame && !frame->is_unrecorded) {
    pen_query_write_occupant (writer, frame->kind, frame->occupant);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  pen_query_write_text_or_empty (writer, frame ? frame->b_symbol : NULL);
  for (guint side = 0; side < 2; side++) {
    pen_table_writer_unsigned (writer, path->rates[side].samples);
    pen_table_writer_unsigned (writer, path->own[side]);
    pen_pair_write_rate (writer, &path->rates[side]);
    pen_query_write_real_or_empty (writer, path->rates[side].share, 6);
  }
  pen_pair_write_test (writer, &path->test);
  pen_table_writer_text (writer, pen_pair_obstacle_to_string (paths->obstacle));
}

static char *
make_name (const PenPairPath *path, const PenPairFrame *frame)
{
  g_autofree char *name = frame ? pen_pair_frame_get_name (frame) : g_strdup (_ ("(all)"));
  int indent = (int) MIN (2 * path->depth, INDENT_MAX);

  return frame && frame->b_symbol
             ? g_strdup_printf ("%*s%s → %s", indent, "", name, frame->b_symbol)
             : g_strdup_printf ("%*s%s", indent, "", name);
}

static void
write_listed_row (PenTableWriter *writer, const PenPairPath *path, const PenPairFrame *frame)
{
  g_autofree char *name = make_name (path, frame);

  pen_table_writer_style (writer, path->test.verdict != PEN_PAIR_UNSURE ? PEN_STYLE_MARKED
                                                                        : PEN_STYLE_PLAIN);
  pen_table_writer_text (writer, name);
  for (guint side = 0; side < 2; side++) {
    pen_table_writer_unsigned (writer, path->rates[side].samples);
    pen_query_write_unsigned_or_empty (writer, path->own[side] > 0, path->own[side]);
    pen_query_write_real_or_empty (writer, path->rates[side].rate, 2);
    pen_query_write_real_or_empty (writer, path->rates[side].share, 4);
  }
  pen_query_write_real_or_empty (writer, path->test.test.ratio, 3);
  pen_comparison_write_interval (writer, path->test.test.low, path->test.test.high, 3);
  pen_table_writer_text (writer, pen_pair_verdict_to_string (path->test.verdict));
}

/* The tree is level after level; rows are in the order in which one reads calls. */
static gboolean
write_paths (PenTableWriter *writer, const PenPairPaths *self, GError **error)
{
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 index = 0;

  g_array_append_val (stack, index);
  while (stack->len > 0) {
    const PenPairPath *path;

    index = g_array_index (stack, guint32, stack->len - 1);
    g_array_set_size (stack, stack->len - 1);
    path = pen_pair_paths_get (self, index);
    if (is_listing)
      write_listed_row (writer, path, pen_pair_paths_get_frame (self, path));
    else
      write_row (writer, self, path, pen_pair_paths_get_frame (self, path));
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
    for (guint32 i = path->n_children; i > 0; i--) {
      guint32 child = path->first_child + i - 1;

      g_array_append_val (stack, child);
    }
  }
  return TRUE;
}

static gboolean
write_tree (const PenPairSource sources[2], const PenPairs *pairs, const PenPairRow *row,
            double least, PenTableWriter *writer, GError **error)
{
  g_autoptr (PenPairPaths) paths = pen_query_pair_paths (sources, pairs, row, least, error);

  return paths && write_paths (writer, paths, error);
}

static void
begin (PenTableWriter *writer, const PenPairSource sources[2], const PenPairs *pairs)
{
  if (pen_table_writer_get_format (writer) != PEN_FORMAT_TABLE) {
    pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
    return;
  }
  pen_table_writer_set_columns (writer, listing_columns, G_N_ELEMENTS (listing_columns));
  pen_pair_write_sides (writer, pairs, sources);
  if (!pairs->has_same_chains)
    pen_table_writer_heading (writer, pen_pair_obstacle_describe (PEN_PAIR_OTHER_CHAINS));
}

gboolean
pen_query_write_pair_paths_of (const PenPairSource sources[2], const PenPairs *pairs,
                               const PenPairRow *row, double least, PenTableWriter *writer,
                               GError **error)
{
  begin (writer, sources, pairs);
  return write_tree (sources, pairs, row, least, writer, error)
         && pen_table_writer_finish (writer, error);
}

gboolean
pen_query_write_pair_paths (const PenPairSource sources[2], const char *symbol, double least,
                            PenTableWriter *writer, GError **error)
{
  g_autoptr (PenPairs) pairs = pen_query_pair (sources, error);
  g_autoptr (GPtrArray) rows = NULL;

  if (!pairs)
    return FALSE;
  if (!symbol)
    return pen_query_write_pair_paths_of (sources, pairs, NULL, least, writer, error);
  rows = pen_pairs_find (pairs, sources, symbol, error);
  if (!rows)
    return FALSE;
  begin (writer, sources, pairs);
  for (guint i = 0; i < rows->len; i++)
    if (!write_tree (sources, pairs, rows->pdata[i], least, writer, error))
      return FALSE;
  return pen_table_writer_finish (writer, error);
}
