/* pen-query-history-table.c: the history of a byte as rows, and as a listing to read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-history.h"

#include <glib/gi18n-lib.h>

#include "pen-patch-path.h"
#include "pen-query-cells.h"
#include "pen-query-private.h"
#include "pen-query-resolve.h"

static const PenColumn columns[] = {
  { "from", PEN_COLUMN_TIME },
  { "to", PEN_COLUMN_TIME },
  { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },
  { "symbol", PEN_COLUMN_TEXT },
  { "offset", PEN_COLUMN_HEX },
  { "revision", PEN_COLUMN_NUMBER },
  { "bytes", PEN_COLUMN_TEXT },
  { "instruction", PEN_COLUMN_TEXT },
  { "before_bytes", PEN_COLUMN_TEXT },
  { "before_instruction", PEN_COLUMN_TEXT },
  { "cause", PEN_COLUMN_TEXT },
  { "reason", PEN_COLUMN_TEXT },
  { "confidence", PEN_COLUMN_TEXT },
  { "key", PEN_COLUMN_TEXT },
  { "batch", PEN_COLUMN_NUMBER },
  { "sites", PEN_COLUMN_NUMBER },
  { "cpu", PEN_COLUMN_NUMBER },
  { "pid", PEN_COLUMN_NUMBER },
  { "tid", PEN_COLUMN_NUMBER },
  { "comm", PEN_COLUMN_TEXT },
  { "samples", PEN_COLUMN_NUMBER },
  { "period", PEN_COLUMN_NUMBER },
  { "near_from", PEN_COLUMN_NUMBER },
  { "near_to", PEN_COLUMN_NUMBER },
  { "share", PEN_COLUMN_NUMBER },
  { "rate", PEN_COLUMN_NUMBER },
  { "evidence", PEN_COLUMN_TEXT },
  { "program", PEN_COLUMN_TEXT },
  { "called_from", PEN_COLUMN_TEXT },
  { "called_from_evidence", PEN_COLUMN_TEXT },
  { "called_from_samples", PEN_COLUMN_NUMBER },
};

/* The columns of a version; how it came to be stands above it. */
static const PenColumn listing_columns[] = {
  { "from", PEN_COLUMN_TIME },        { "to", PEN_COLUMN_TIME },
  { "revision", PEN_COLUMN_NUMBER },  { "samples", PEN_COLUMN_NUMBER },
  { "period", PEN_COLUMN_NUMBER }, /* of waits only */
  { "share", PEN_COLUMN_NUMBER },     { "rate", PEN_COLUMN_NUMBER },
  { "near", PEN_COLUMN_TEXT },        { "bytes", PEN_COLUMN_TEXT },
  { "instruction", PEN_COLUMN_TEXT }, { "evidence", PEN_COLUMN_TEXT },
};

/* ---- csv, json ---- */

static void
write_patch (PenTableWriter *writer, const PenHistoryRow *row)
{
  pen_table_writer_bytes (writer, row->before_bytes, row->n_before_bytes);
  pen_query_write_text_or_empty (writer, row->before_instruction);
  pen_table_writer_text (writer, row->poke != 0 ? pen_cause_to_string (row->cause) : NULL);
  pen_query_write_text_or_empty (writer, row->reason);
  pen_query_write_cause (writer, row->poke != 0, row->confidence, row->key, row->batch,
                         row->n_sites);
  pen_query_write_cpu (writer, row->cpu);
  pen_query_write_task (writer, row->pid != -1, row->pid, row->tid, row->comm);
}

static void
write_row (PenTableWriter *writer, const PenHistoryRow *row)
{
  pen_table_writer_style (writer, row->poke != 0 ? PEN_STYLE_MARKED : PEN_STYLE_PLAIN);
  pen_query_write_span (writer, row->from, TRUE, row->to, TRUE);
  pen_query_write_occupant (writer, row->kind, row->occupant);
  pen_query_write_text_or_empty (writer, row->symbol);
  pen_query_write_hex_or_empty (writer, row->symbol != NULL, row->offset);
  pen_table_writer_unsigned (writer, row->revision);
  pen_table_writer_bytes (writer, row->bytes, row->n_bytes);
  pen_query_write_text_or_empty (writer, row->instruction);
  write_patch (writer, row);
  pen_table_writer_unsigned (writer, row->samples);
  pen_table_writer_unsigned (writer, row->period);
  pen_table_writer_unsigned (writer, row->near_from);
  pen_table_writer_unsigned (writer, row->near_to);
  pen_table_writer_real (writer, row->share, 4);
  pen_table_writer_real (writer, row->rate, 2);
  pen_query_write_evidence_of (writer, row->evidence, row->bytes_source, row->is_unverified);
  pen_query_write_text_or_empty (writer, row->program);
  pen_query_write_patch_path (writer, &row->path);
}

static gboolean
write_rows (PenTableWriter *writer, GPtrArray *rows, GError **error)
{
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < rows->len; i++) {
    write_row (writer, rows->pdata[i]);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}

/* ---- listing ---- */

static void
write_tenure_heading (PenTableWriter *writer, const PenHistoryRow *row)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (row->symbol)
    g_string_append_printf (text, "%s+0x%" G_GINT64_MODIFIER "x  ", row->symbol, row->offset);
  g_string_append_printf (text, "%s %s", pen_kind_to_string (row->kind), row->occupant);
  if (row->program)
    g_string_append_printf (text, "  %s", row->program);
  pen_table_writer_heading (writer, text->str);
}

/* "ftrace (certain), by sh [126] on CPU 0: A 5-byte nop … became …" */
static void
write_patch_section (PenTableWriter *writer, const PenHistoryRow *row)
{
  g_autoptr (GString) text = g_string_new ("  ");
  g_autofree char *path = NULL;

  g_string_append_printf (text, "%s (%s)", pen_cause_to_string (row->cause),
                          pen_confidence_to_string (row->confidence));
  if (row->key && *row->key != '\0')
    g_string_append_printf (text, " %s", row->key);
  if (row->comm && *row->comm != '\0')
    g_string_append_printf (text, _ (", by %s [%d]"), row->comm, row->tid);
  if (row->cpu != G_MAXUINT32)
    g_string_append_printf (text, _ (" on CPU %u"), row->cpu);
  if (row->reason)
    g_string_append_printf (text, ": %s", row->reason);
  if (row->batch != 0 && row->n_sites > 1)
    g_string_append_printf (text, _ (" One of %u sites patched together."), row->n_sites);
  path = pen_patch_path_describe (&row->path);
  if (path)
    g_string_append_printf (text, " %s.", path);
  pen_table_writer_section (writer, text->str);
}

static void
write_listed_row (PenTableWriter *writer, const PenHistoryRow *row, gboolean has_periods)
{
  g_autofree char *near
      = g_strdup_printf ("%" G_GUINT64_FORMAT "|%" G_GUINT64_FORMAT, row->near_from, row->near_to);

  pen_table_writer_style (writer, row->poke != 0 ? PEN_STYLE_MARKED : PEN_STYLE_PLAIN);
  pen_query_write_span (writer, row->from, TRUE, row->to, TRUE);
  pen_table_writer_unsigned (writer, row->revision);
  pen_table_writer_unsigned (writer, row->samples);
  if (has_periods)
    pen_table_writer_unsigned (writer, row->period);
  pen_table_writer_real (writer, 100 * row->share, 2);
  pen_table_writer_real (writer, row->rate, 2);
  pen_table_writer_text (writer, row->samples > 0 ? near : NULL);
  pen_table_writer_bytes (writer, row->bytes, row->n_bytes);
  pen_query_write_text_or_empty (writer, row->instruction);
  pen_query_write_evidence_of (writer, row->evidence, row->bytes_source, row->is_unverified);
}

static gboolean
write_listing (PenTableWriter *writer, GPtrArray *rows, gboolean has_periods, GError **error)
{
  const PenHistoryRow *last = NULL;
  PenColumn shown[G_N_ELEMENTS (listing_columns)];
  guint n_shown = 0;

  for (guint i = 0; i < G_N_ELEMENTS (listing_columns); i++) {
    if (has_periods || !g_str_equal (listing_columns[i].name, "period"))
      shown[n_shown++] = listing_columns[i];
  }
  pen_table_writer_set_columns (writer, shown, n_shown);
  for (guint i = 0; i < rows->len; i++) {
    const PenHistoryRow *row = rows->pdata[i];

    if (!last || last->tenure != row->tenure)
      write_tenure_heading (writer, row);
    if (row->poke != 0)
      write_patch_section (writer, row);
    write_listed_row (writer, row, has_periods);
    if (!pen_table_writer_end_row (writer, error))
      return FALSE;
    last = row;
  }
  return pen_table_writer_finish (writer, error);
}

gboolean
pen_query_write_history (PenQuery *self, const PenFilter *filter, const char *target,
                         PenSyntax syntax, PenTableWriter *writer, GError **error)
{
  return pen_query_write_history_with_band (self, filter, target, syntax, PEN_BAND, writer, error);
}

gboolean
pen_query_write_history_with_band (PenQuery *self, const PenFilter *filter, const char *target,
                                   PenSyntax syntax, guint64 band, PenTableWriter *writer,
                                   GError **error)
{
  g_autoptr (GPtrArray) rows = NULL;
  guint64 address;

  if (!pen_query_resolve (self, target, &address, error))
    return FALSE;
  rows = pen_query_history_with_band (self, filter, address, syntax, band, error);
  /* What the rows were made from has been freed. */
  if (!rows || !pen_store_goes_on (self->store, error))
    return FALSE;
  if (rows->len == 0) {
    g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
                 _ ("no occupant of %s is known, and it has no samples"), target);
    return FALSE;
  }
  return pen_table_writer_get_format (writer) == PEN_FORMAT_TABLE
             ? write_listing (writer, rows, pen_query_is_of_waits (self), error)
             : write_rows (writer, rows, error);
}
