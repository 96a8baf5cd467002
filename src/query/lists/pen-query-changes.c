/* pen-query-changes.c: every map, register, unregister and poke as a table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-poke-phrases.h"
#include "pen-query-change-list.h"
#include "pen-matcher.h"
#include "pen-patch-path.h"
#include "pen-query-cells.h"
#include "pen-query-changes.h"
#include "pen-query-private.h"

static const PenColumn columns[] = {
  { "time", PEN_COLUMN_TIME },
  { "change", PEN_COLUMN_TEXT },
  { "address", PEN_COLUMN_HEX },
  { "length", PEN_COLUMN_NUMBER },
  { "kind", PEN_COLUMN_TEXT },
  { "occupant", PEN_COLUMN_TEXT },
  { "symbol", PEN_COLUMN_TEXT },
  { "offset", PEN_COLUMN_HEX },
  { "cause", PEN_COLUMN_TEXT },
  { "old", PEN_COLUMN_TEXT },
  { "new", PEN_COLUMN_TEXT },
  { "cpu", PEN_COLUMN_NUMBER },
  { "pid", PEN_COLUMN_NUMBER },
  { "tid", PEN_COLUMN_NUMBER },
  { "comm", PEN_COLUMN_TEXT },
  { "evidence", PEN_COLUMN_TEXT },
  /* For batches, where they are asked for. */
  { "confidence", PEN_COLUMN_TEXT },
  { "key", PEN_COLUMN_TEXT },
  { "batch", PEN_COLUMN_NUMBER },
  { "sites", PEN_COLUMN_NUMBER },
  { "sentence", PEN_COLUMN_TEXT },
  { "purpose", PEN_COLUMN_TEXT },
  { "called_from", PEN_COLUMN_TEXT },
  { "called_from_evidence", PEN_COLUMN_TEXT },
  { "called_from_samples", PEN_COLUMN_NUMBER },
};

#define N_BATCH_COLUMNS 9

typedef struct {
  PenQuery *query;
  gboolean has_batches;
  PenTableWriter *writer;
  GError *error;
} ChangeSheet;

static void
write_change (PenTableWriter *writer, const PenChange *change)
{
  if (change->has_time)
    pen_table_writer_time (writer, change->time);
  else
    pen_table_writer_empty (writer);
  pen_table_writer_text (writer, change->change);
  pen_table_writer_hex (writer, change->address);
  pen_table_writer_unsigned (writer, change->length);
  pen_query_write_occupant (writer, change->kind, change->occupant);
  pen_query_write_text_or_empty (writer, change->symbol);
  pen_query_write_hex_or_empty (writer, change->symbol && *change->symbol != '\0', change->offset);
  pen_table_writer_text (writer, change->poke != 0 ? pen_cause_to_string (change->cause) : NULL);
  pen_table_writer_bytes (writer, change->old_bytes, change->poke != 0 ? change->old_length : 0);
  pen_table_writer_bytes (writer, change->new_bytes, change->poke != 0 ? change->new_length : 0);
  pen_query_write_cpu (writer, change->cpu);
  pen_query_write_task (writer, change->has_task, change->pid, change->tid, change->comm);
  pen_table_writer_text (writer, pen_evidence_to_string (change->evidence));
}

static gboolean
write_batch (ChangeSheet *sheet, const PenChange *change)
{
  const PenBatch *batch = pen_query_get_batch (sheet->query, change->batch, &sheet->error);
  g_autofree char *sentence = NULL;
  PenPatchPath path = { 0 };

  if (sheet->error
      || !pen_query_find_patch_path (sheet->query, change->batch, &path, &sheet->error))
    return FALSE;
  pen_query_write_cause (sheet->writer, change->poke != 0, change->confidence, change->key,
                         change->batch, change->n_sites);
  sentence = batch ? pen_batch_describe (batch) : NULL;
  pen_table_writer_text (sheet->writer, sentence);
  pen_query_write_text_or_empty (sheet->writer, batch ? batch->purpose : NULL);
  pen_query_write_patch_path (sheet->writer, &path);
  return TRUE;
}

typedef struct {
  const PenMatcher *matcher;
  PenChangeFunc func;
  gpointer user_data;
} Choice;

static gboolean
hand_if_meant (const PenChange *change, gpointer user_data)
{
  const Choice *choice = user_data;

  return !pen_matcher_has_change (choice->matcher, change)
         || choice->func (change, choice->user_data);
}

gboolean
pen_query_foreach_change (PenQuery *self, const PenFilter *filter, PenChangeFunc func,
                          gpointer user_data, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  Choice choice = { matcher, func, user_data };

  return matcher && pen_store_foreach_change (self->store, hand_if_meant, &choice, error);
}

static gboolean
write_meant (const PenChange *change, gpointer user_data)
{
  ChangeSheet *sheet = user_data;

  write_change (sheet->writer, change);
  if (sheet->has_batches && !write_batch (sheet, change))
    return FALSE;
  return pen_table_writer_end_row (sheet->writer, &sheet->error);
}

static gboolean
finish (ChangeSheet *sheet, GError **error)
{
  if (sheet->error) {
    g_propagate_error (error, sheet->error);
    return FALSE;
  }
  return pen_table_writer_finish (sheet->writer, error);
}

static gboolean
write_changes (PenQuery *self, const PenFilter *filter, gboolean has_batches,
               PenTableWriter *writer, GError **error)
{
  ChangeSheet sheet = { .query = self, .has_batches = has_batches, .writer = writer };

  pen_table_writer_set_columns (writer, columns,
                                G_N_ELEMENTS (columns) - (has_batches ? 0 : N_BATCH_COLUMNS));
  return pen_query_foreach_change (self, filter, write_meant, &sheet, error)
         && finish (&sheet, error);
}

gboolean
pen_query_write_changes (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                         GError **error)
{
  return write_changes (self, filter, FALSE, writer, error);
}

gboolean
pen_query_write_batched_changes (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                 GError **error)
{
  return write_changes (self, filter, TRUE, writer, error);
}

gboolean
pen_query_write_change_list (PenQuery *self, const PenChangeList *list, PenTableWriter *writer,
                             GError **error)
{
  ChangeSheet sheet = { .query = self, .writer = writer };

  pen_table_writer_set_columns (writer, columns, G_N_ELEMENTS (columns) - N_BATCH_COLUMNS);
  return pen_store_foreach_change_of (self->store, (const guint32 *) list->ids->data,
                                      list->ids->len, write_meant, &sheet, error)
         && finish (&sheet, error);
}
