/* pen-query-witness.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-witness.h"

#include "pen-matcher.h"
#include "pen-query-cells.h"
#include "pen-query-private.h"

static const PenColumn columns[] = {
  { "time", PEN_COLUMN_TIME },       { "cpu", PEN_COLUMN_NUMBER },  { "pid", PEN_COLUMN_NUMBER },
  { "tid", PEN_COLUMN_NUMBER },      { "comm", PEN_COLUMN_TEXT },   { "start", PEN_COLUMN_HEX },
  { "ip", PEN_COLUMN_HEX },          { "kind", PEN_COLUMN_TEXT },   { "occupant", PEN_COLUMN_TEXT },
  { "revision", PEN_COLUMN_NUMBER }, { "symbol", PEN_COLUMN_TEXT }, { "offset", PEN_COLUMN_HEX },
  { "verdict", PEN_COLUMN_TEXT },    { "flags", PEN_COLUMN_TEXT },  { "bytes", PEN_COLUMN_TEXT },
};

typedef struct {
  PenQuery *query;
  const PenMatcher *matcher;
  PenTableWriter *writer;
  GError *error;
} WitnessSheet;

static void
write_flags (PenTableWriter *writer, guint flags)
{
  static const struct {
    guint flag;
    const char *word;
  } words[] = {
    { PEN_READING_USER, "user" },
    { PEN_READING_FIRST, "first" },
    { PEN_READING_UNREADABLE, "unreadable" },
  };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if ((flags & words[i].flag) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", words[i].word);
  pen_query_write_text_or_empty (writer, text->str);
}

/* kind, occupant, revision, symbol, offset */
static void
write_place (WitnessSheet *sheet, const PenBpfOutput *output)
{
  const PenFunction *function = pen_query_get_function (sheet->query, output->function);
  PenTableWriter *writer = sheet->writer;

  pen_query_write_occupant (writer, output->kind, function ? function->occupant : NULL);
  pen_table_writer_unsigned (writer, output->revision);
  pen_query_write_text_or_empty (writer, function ? function->symbol : NULL);
  if (function && function->symbol && output->has_address)
    pen_table_writer_hex (writer, pen_store_get_offset (sheet->query->store, function,
                                                        output->tenure, output->address));
  else
    pen_table_writer_empty (writer);
}

static gboolean
write_reading (const PenReading *reading, const PenBpfOutput *output, gpointer user_data)
{
  WitnessSheet *sheet = user_data;
  PenTableWriter *writer = sheet->writer;
  const PenThread *thread
      = output->thread < sheet->query->n_threads ? &sheet->query->threads[output->thread] : NULL;

  if (!pen_matcher_has_output (sheet->matcher, output))
    return TRUE;
  if (output->has_time)
    pen_table_writer_time (writer, output->time);
  else
    pen_table_writer_empty (writer);
  pen_query_write_cpu (writer, output->cpu);
  pen_query_write_task (writer, thread && thread->has_task, thread ? thread->pid : 0,
                        thread ? thread->tid : 0, thread ? thread->comm : "");
  pen_table_writer_hex (writer, reading->start);
  pen_query_write_hex_or_empty (writer, output->has_address, output->address);
  write_place (sheet, output);
  pen_query_write_text_or_empty (writer, pen_witness_verdict_to_string (reading->verdict));
  write_flags (writer, reading->flags);
  pen_table_writer_bytes (writer, reading->bytes, reading->length);
  return pen_table_writer_end_row (writer, &sheet->error);
}

gboolean
pen_query_write_witness (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                         GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  WitnessSheet sheet = { self, matcher, writer, NULL };

  if (!matcher || !pen_query_load_threads (self, error))
    return FALSE;
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));
  if (!pen_store_foreach_reading (self->store, write_reading, &sheet, error))
    return FALSE;
  if (sheet.error) {
    g_propagate_error (error, sheet.error);
    return FALSE;
  }
  return pen_table_writer_finish (writer, error);
}
