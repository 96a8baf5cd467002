/* pen-query-samples.c: the sample table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

static const PenColumn columns[] = {
  { "time", PEN_COLUMN_TIME },       { "event", PEN_COLUMN_TEXT },  { "cpu", PEN_COLUMN_NUMBER },
  { "pid", PEN_COLUMN_NUMBER },      { "tid", PEN_COLUMN_NUMBER },  { "comm", PEN_COLUMN_TEXT },
  { "address", PEN_COLUMN_HEX },     { "kind", PEN_COLUMN_TEXT },   { "occupant", PEN_COLUMN_TEXT },
  { "revision", PEN_COLUMN_NUMBER }, { "symbol", PEN_COLUMN_TEXT }, { "offset", PEN_COLUMN_HEX },
  { "period", PEN_COLUMN_NUMBER },
};

/* Text is the same in many rows: each piece of it is encoded once. */
typedef struct {
  PenQuery *query;
  PenTableWriter *writer;
  PenTableFragment **events;
  PenTableFragment **threads;   /* pid, tid, comm */
  PenTableFragment **occupants; /* kind, occupant: by function */
  PenTableFragment **symbols;   /* by function */
} SampleSheet;

static PenTableFragment **
fragments_new (guint n)
{
  return g_new0 (PenTableFragment *, (gsize) n + 1);
}

static void
fragments_free (PenTableFragment **fragments, guint n)
{
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&fragments[i], pen_table_fragment_free);
  g_free (fragments);
}

static void
write_event (SampleSheet *sheet, int event)
{
  if (event < 0 || (guint) event >= sheet->query->events->len) {
    pen_table_writer_empty (sheet->writer);
    return;
  }
  if (sheet->events[event] == NULL) {
    const PenStoreEvent *row = sheet->query->events->pdata[event];

    pen_table_writer_begin_fragment (sheet->writer);
    pen_query_write_text_or_empty (sheet->writer, row->name);
    sheet->events[event] = pen_table_writer_end_fragment (sheet->writer);
  }
  pen_table_writer_fragment (sheet->writer, sheet->events[event]);
}

static void
write_thread (SampleSheet *sheet, guint32 index)
{
  if (sheet->threads[index] == NULL) {
    const PenThread *thread = &sheet->query->threads[index];

    pen_table_writer_begin_fragment (sheet->writer);
    pen_query_write_task (sheet->writer, thread->has_task, thread->pid, thread->tid, thread->comm);
    sheet->threads[index] = pen_table_writer_end_fragment (sheet->writer);
  }
  pen_table_writer_fragment (sheet->writer, sheet->threads[index]);
}

static void
write_holder (SampleSheet *sheet, const PenBucket *bucket)
{
  PenTableFragment **slot;
  const PenFunction *function = pen_query_get_function (sheet->query, bucket->function);

  if (function == NULL) {
    pen_query_write_occupant (sheet->writer, bucket->kind, NULL);
    return;
  }
  slot = &sheet->occupants[bucket->function];
  if (*slot == NULL) {
    pen_table_writer_begin_fragment (sheet->writer);
    pen_query_write_occupant (sheet->writer, bucket->kind, function->occupant);
    *slot = pen_table_writer_end_fragment (sheet->writer);
  }
  pen_table_writer_fragment (sheet->writer, *slot);
}

static void
write_symbol (SampleSheet *sheet, const PenBucket *bucket)
{
  PenTableFragment **slot;
  const PenFunction *function = pen_query_get_function (sheet->query, bucket->function);

  if (function == NULL || function->symbol == NULL || !bucket->has_address) {
    pen_table_writer_empty (sheet->writer);
    pen_table_writer_empty (sheet->writer);
    return;
  }
  slot = &sheet->symbols[bucket->function];
  if (*slot == NULL) {
    pen_table_writer_begin_fragment (sheet->writer);
    pen_table_writer_text (sheet->writer, function->symbol);
    *slot = pen_table_writer_end_fragment (sheet->writer);
  }
  pen_table_writer_fragment (sheet->writer, *slot);
  pen_table_writer_hex (sheet->writer, bucket->address - function->start);
}

static void
write_sample (SampleSheet *sheet, const PenSampleBlock *block, guint row)
{
  const PenBucket *bucket = &sheet->query->buckets[block->bucket[row]];
  guint8 has = block->has[row];

  if (has & PEN_SAMPLE_HAS_TIME)
    pen_table_writer_time (sheet->writer, block->time[row]);
  else
    pen_table_writer_empty (sheet->writer);
  write_event (sheet, bucket->event);
  if (has & PEN_SAMPLE_HAS_CPU)
    pen_table_writer_unsigned (sheet->writer, block->cpu[row]);
  else
    pen_table_writer_empty (sheet->writer);
  write_thread (sheet, block->thread[row]);
  if (bucket->has_address)
    pen_table_writer_hex (sheet->writer, bucket->address);
  else
    pen_table_writer_empty (sheet->writer);
  write_holder (sheet, bucket);
  pen_table_writer_unsigned (sheet->writer, bucket->revision);
  write_symbol (sheet, bucket);
  if (has & PEN_SAMPLE_HAS_PERIOD)
    pen_table_writer_unsigned (sheet->writer, block->period[row]);
  else
    pen_table_writer_empty (sheet->writer);
}

static gboolean
write_rows (const PenSampleBlock *block, const guint32 *rows, guint n_rows, gpointer user_data,
            GError **error)
{
  SampleSheet *sheet = user_data;

  for (guint i = 0; i < n_rows; i++) {
    write_sample (sheet, block, rows[i]);
    if (!pen_table_writer_end_row (sheet->writer, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_query_write_samples (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                         GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  SampleSheet sheet = { self, writer, NULL, NULL, NULL, NULL };

  if (matcher == NULL)
    return FALSE;
  sheet.events = fragments_new (self->events->len);
  sheet.threads = fragments_new (self->n_threads);
  sheet.occupants = fragments_new (self->n_functions);
  sheet.symbols = fragments_new (self->n_functions);
  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns));

  gboolean is_done
      = pen_query_scan (self, matcher, 0, G_MAXUINT64, FALSE, write_rows, &sheet, error)
        && pen_table_writer_finish (writer, error);

  fragments_free (sheet.events, self->events->len);
  fragments_free (sheet.threads, self->n_threads);
  fragments_free (sheet.occupants, self->n_functions);
  fragments_free (sheet.symbols, self->n_functions);
  return is_done;
}
