/* pen-query-causes-table.c: the tree of causes as a table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-causes.h"

#include <math.h>

#include "pen-cause-tree.h"
#include "pen-query-cells.h"
#include "pen-ratio-words.h"

static const PenColumn columns[] = {
  { "level", PEN_COLUMN_NUMBER },
  { "cause", PEN_COLUMN_TEXT },
  { "for", PEN_COLUMN_TEXT },
  { "programs", PEN_COLUMN_TEXT },
  { "purpose", PEN_COLUMN_TEXT },
  { "address", PEN_COLUMN_HEX },
  { "symbol", PEN_COLUMN_TEXT },
  { "offset", PEN_COLUMN_HEX },
  { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },
  { "flips", PEN_COLUMN_NUMBER },
  { "sites", PEN_COLUMN_NUMBER },
  { "on_seconds", PEN_COLUMN_NUMBER },
  { "off_seconds", PEN_COLUMN_NUMBER },
  { "unknown_seconds", PEN_COLUMN_NUMBER },
  { "on", PEN_COLUMN_NUMBER },
  { "on_rate", PEN_COLUMN_NUMBER },
  { "on_low", PEN_COLUMN_NUMBER },
  { "on_high", PEN_COLUMN_NUMBER },
  { "off", PEN_COLUMN_NUMBER },
  { "off_rate", PEN_COLUMN_NUMBER },
  { "off_low", PEN_COLUMN_NUMBER },
  { "off_high", PEN_COLUMN_NUMBER },
  { "ratio", PEN_COLUMN_NUMBER },
  { "ratio_low", PEN_COLUMN_NUMBER },
  { "ratio_high", PEN_COLUMN_NUMBER },
  { "p", PEN_COLUMN_NUMBER },
  { "verdict", PEN_COLUMN_TEXT },
  { "tasks", PEN_COLUMN_NUMBER },
  { "pid", PEN_COLUMN_NUMBER },
  { "comm", PEN_COLUMN_TEXT },
  { "first", PEN_COLUMN_TIME },
  { "last", PEN_COLUMN_TIME },
  { "cost", PEN_COLUMN_NUMBER },
  { "cost_share", PEN_COLUMN_NUMBER },
  { "cost_trampoline", PEN_COLUMN_NUMBER },
  { "cost_handler", PEN_COLUMN_NUMBER },
  { "cost_program", PEN_COLUMN_NUMBER },
};

/* For a terminal: one name in place of several columns. */
static const PenColumn listing_columns[] = {
  { "cause, what for, site", PEN_COLUMN_TEXT },
  { "flips", PEN_COLUMN_NUMBER },
  { "sites", PEN_COLUMN_NUMBER },
  { "on s", PEN_COLUMN_NUMBER },
  { "samples", PEN_COLUMN_NUMBER },
  { "rate", PEN_COLUMN_NUMBER },
  { "off s", PEN_COLUMN_NUMBER },
  { "samples", PEN_COLUMN_NUMBER },
  { "rate", PEN_COLUMN_NUMBER },
  { "ratio", PEN_COLUMN_NUMBER },
  { "95 %", PEN_COLUMN_TEXT },
  { "verdict", PEN_COLUMN_TEXT },
  { "cost", PEN_COLUMN_NUMBER },
  { "cost %", PEN_COLUMN_NUMBER },
  { "by", PEN_COLUMN_TEXT },
};

/* Names of columns that count, where waits are counted; @more: another column after it */
static const struct {
  const char *name;
  const char *of_waits;
  const char *more;
} wait_names[] = {
  { "on", "on_waits", "on_off_cpu" },
  { "off", "off_waits", "off_off_cpu" },
  { "samples", "off CPU s", NULL },
};

/* @shown: has room for as many again */
static guint
name_columns (const PenColumn *all, guint n, gboolean is_of_waits, PenColumn *shown)
{
  guint n_shown = 0;

  for (guint i = 0; i < n; i++) {
    PenColumn *column = &shown[n_shown++];

    *column = all[i];
    for (guint k = 0; is_of_waits && k < G_N_ELEMENTS (wait_names); k++) {
      if (!g_str_equal (all[i].name, wait_names[k].name))
        continue;
      column->name = wait_names[k].of_waits;
      if (wait_names[k].more)
        shown[n_shown++] = (PenColumn){ wait_names[k].more, PEN_COLUMN_NUMBER };
    }
  }
  return n_shown;
}

/* ---- csv, json ---- */

static void
write_place (PenTableWriter *writer, const PenCauseRow *row)
{
  gboolean has_place = row->level == 2 || row->symbol || row->occupant;

  pen_query_write_hex_or_empty (writer, has_place, row->address);
  pen_query_write_text_or_empty (writer, row->symbol);
  pen_query_write_hex_or_empty (writer, row->level == 2 && row->symbol, row->offset);
  if (has_place) {
    pen_query_write_occupant (writer, row->kind, row->occupant);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
}

static void
write_rate (PenTableWriter *writer, const PenCauseRate *rate)
{
  pen_table_writer_unsigned (writer, rate->amount.n);
  if (rate->amount.population == PEN_POPULATION_WAITS)
    pen_table_writer_unsigned (writer, rate->amount.period);
  pen_query_write_real_or_empty (writer, rate->rate, 4);
  pen_query_write_real_or_empty (writer, rate->low, 4);
  pen_query_write_real_or_empty (writer, rate->high, 4);
}

static void
write_cost (PenTableWriter *writer, const PenCauseCost *cost)
{
  pen_query_write_unsigned_or_empty (writer, cost != NULL,
                                     cost ? pen_amount_get (cost->while_on.amount) : 0);
  pen_query_write_real_or_empty (writer, cost ? cost->share : NAN, 6);
  for (guint i = 0; i < PEN_COST_PARTS; i++)
    pen_query_write_unsigned_or_empty (writer, cost != NULL, cost ? cost->parts[i] : 0);
}

static void
write_row (PenTableWriter *writer, const PenCauseTree *tree, const PenCauseRow *row)
{
  pen_table_writer_unsigned (writer, row->level);
  pen_table_writer_text (writer, pen_cause_to_string (row->cause));
  pen_query_write_text_or_empty (writer, row->name);
  pen_query_write_text_or_empty (writer, row->detail);
  pen_query_write_text_or_empty (writer, row->purpose);
  write_place (writer, row);
  pen_table_writer_unsigned (writer, row->flips);
  pen_table_writer_unsigned (writer, row->sites);
  pen_table_writer_real (writer, row->on_seconds, 9);
  pen_table_writer_real (writer, row->off_seconds, 9);
  pen_table_writer_real (writer, row->unknown_seconds, 9);
  write_rate (writer, &row->on);
  write_rate (writer, &row->off);
  pen_query_write_real_or_empty (writer, row->test.ratio, 4);
  pen_query_write_real_or_empty (writer, row->test.low, 4);
  pen_query_write_real_or_empty (writer, row->test.high, 4);
  pen_query_write_real_or_empty (writer, row->test.p, 6);
  pen_table_writer_text (writer, pen_verdict_to_string (row->verdict));
  pen_table_writer_unsigned (writer, row->n_tasks);
  if (row->has_task)
    pen_table_writer_signed (writer, row->pid);
  else
    pen_table_writer_empty (writer);
  pen_query_write_text_or_empty (writer, row->has_task ? row->comm : NULL);
  if (row->flips > 0) {
    pen_table_writer_time (writer, row->first);
    pen_table_writer_time (writer, row->last);
  } else {
    pen_table_writer_empty (writer);
    pen_table_writer_empty (writer);
  }
  write_cost (writer, pen_cause_tree_get_cost (tree, row));
}

/* ---- listing ---- */

static char *
name_row (const PenCauseRow *row)
{
  if (row->level == 0)
    return g_strdup (pen_cause_to_string (row->cause));
  if (row->level == 1 && row->purpose)
    return g_strdup_printf ("  %s (%s)", row->name[0] ? row->name : "unknown", row->purpose);
  if (row->level == 1)
    return g_strdup_printf ("  %s", row->name[0] ? row->name : "unknown");
  if (row->symbol)
    return g_strdup_printf ("    %s+0x%" G_GINT64_MODIFIER "x", row->symbol, row->offset);
  return g_strdup_printf ("    0x%" G_GINT64_MODIFIER "x", row->address);
}

/* Samples, or seconds off CPU. */
static void
write_listed_amount (PenTableWriter *writer, PenAmount amount)
{
  if (amount.population == PEN_POPULATION_WAITS)
    pen_table_writer_real (writer, (double) amount.period / 1e9, 3);
  else
    pen_table_writer_unsigned (writer, amount.n);
}

static void
write_listed (PenTableWriter *writer, const PenCauseTree *tree, const PenCauseRow *row)
{
  const PenCauseCost *cost = pen_cause_tree_get_cost (tree, row);
  g_autofree char *name = name_row (row);
  g_autofree char *low = pen_ratio_format_fixed (row->test.low, 2);
  g_autofree char *high = pen_ratio_format_fixed (row->test.high, 2);
  g_autofree char *range = isfinite (row->test.high) ? g_strdup_printf ("%s–%s", low, high) : NULL;
  g_autoptr (GString) by = g_string_new (NULL);

  if (row->has_task)
    g_string_append_printf (by, "%s [%d]", row->comm, row->pid);
  if (row->n_tasks > 1)
    g_string_append_printf (by, " +%u", row->n_tasks - 1);
  pen_table_writer_text (writer, name);
  pen_table_writer_unsigned (writer, row->flips);
  pen_table_writer_unsigned (writer, row->sites);
  pen_table_writer_real (writer, row->on_seconds, 3);
  write_listed_amount (writer, row->on.amount);
  pen_query_write_real_or_empty (writer, row->on.rate, 2);
  pen_table_writer_real (writer, row->off_seconds, 3);
  write_listed_amount (writer, row->off.amount);
  pen_query_write_real_or_empty (writer, row->off.rate, 2);
  pen_query_write_real_or_empty (writer, row->test.ratio, 2);
  pen_query_write_text_or_empty (writer, range);
  pen_table_writer_text (writer, pen_verdict_to_string (row->verdict));
  if (cost)
    write_listed_amount (writer, cost->while_on.amount);
  else
    pen_table_writer_empty (writer);
  pen_query_write_real_or_empty (writer, cost ? 100 * cost->share : NAN, 2);
  pen_table_writer_text (writer, by->str);
}

/* ---- all ---- */

/* A row, then those below it. */
static gboolean
write_rows (const PenCauseTree *tree, guint first, guint n, PenTableWriter *writer, GError **error)
{
  gboolean is_listing = pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE;

  for (guint i = first; i < first + n; i++) {
    const PenCauseRow *row = pen_cause_tree_get (tree, i);

    if (is_listing)
      write_listed (writer, tree, row);
    else
      write_row (writer, tree, row);
    if (!pen_table_writer_end_row (writer, error)
        || !write_rows (tree, row->first_child, row->n_children, writer, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_query_write_causes (PenQuery *self, const PenFilter *filter, const PenCauseOrder *order,
                        PenTableWriter *writer, GError **error)
{
  g_autoptr (PenCauseTree) tree = pen_cause_tree_new (self, filter, order, FALSE, error);
  gboolean is_of_waits = pen_query_is_of_waits (self);
  PenColumn shown[2 * G_N_ELEMENTS (columns)];
  guint n;

  if (!tree)
    return FALSE;
  if (pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE)
    n = name_columns (listing_columns, G_N_ELEMENTS (listing_columns), is_of_waits, shown);
  else
    n = name_columns (columns, G_N_ELEMENTS (columns), is_of_waits, shown);
  pen_table_writer_set_columns (writer, shown, n);
  return write_rows (tree, 0, tree->n_causes, writer, error)
         && pen_table_writer_finish (writer, error);
}
