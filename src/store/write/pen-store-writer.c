/* pen-store-writer.c: the file, and facts about the capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-writer-private.h"

PenStoreWriter *
pen_store_writer_new (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenStoreWriter) self = g_new0 (PenStoreWriter, 1);

  self->packer = pen_packer_new ();
  self->block_packer = pen_block_packer_new ();
  g_set_object (&self->cancellable, cancellable);

  self->file = pen_new_file_create (path, error);
  if (self->file == NULL)
    return NULL;
  self->thread = pen_store_thread_new (self->file, cancellable);

  return g_steal_pointer (&self);
}

GCancellable *
pen_store_writer_get_cancellable (PenStoreWriter *self)
{
  return self->cancellable;
}

void
pen_store_writer_free (PenStoreWriter *self)
{
  if (self == NULL)
    return;

  pen_store_thread_free (self->thread);
  g_clear_pointer (&self->read_span_piece, sqlite3_finalize);
  g_clear_pointer (&self->file, pen_new_file_free);
  pen_packer_free (self->packer);
  pen_unpacker_clear (&self->unpacker);
  pen_block_packer_free (self->block_packer);
  g_clear_object (&self->cancellable);
  g_free (self);
}

gboolean
pen_store_writer_end (PenStoreWriter *self, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error)
      || !pen_store_writer_flush_block (self, error)
      || !pen_store_writer_set_fact_int (self, "longest_poke", self->longest_poke, error))
    return FALSE;

  if (self->read_span_piece != NULL && pen_store_thread_wait (self->thread, error) == NULL)
    return FALSE;

  g_clear_pointer (&self->read_span_piece, sqlite3_finalize);
  self->is_ended = pen_store_thread_end (self->thread, error);

  return self->is_ended;
}

gboolean
pen_store_writer_finish (PenStoreWriter *self, GError **error)
{
  return (self->is_ended || pen_store_writer_end (self, error))
         && pen_store_thread_join (self->thread, error) && pen_new_file_finish (self->file, error);
}

gboolean
pen_store_writer_start_row (PenStoreWriter *self, guint8 insert, PenRow *row, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;

  return pen_store_thread_start_row (self->thread, insert, row, error);
}

gboolean
pen_store_writer_set_fact (PenStoreWriter *self, const char *key, const char *value, GError **error)
{
  PenRow row;

  if (value == NULL)
    return TRUE;
  if (!pen_store_writer_start_row (self, INSERT_FACT, &row, error))
    return FALSE;

  pen_row_text (&row, key);
  pen_row_text (&row, value);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_set_fact_int (PenStoreWriter *self, const char *key, guint64 value, GError **error)
{
  char text[24];

  g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, value);

  return pen_store_writer_set_fact (self, key, text, error);
}

gboolean
pen_store_writer_add_file (PenStoreWriter *self, guint32 id, const char *name, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_FILE, &row, error))
    return FALSE;

  pen_row_u64 (&row, id);
  pen_row_text (&row, name);

  return pen_row_end (&row, error);
}

static gboolean
add_tracepoint (PenStoreWriter *self, guint32 event_id, const PenStoreEvent *event, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_TRACEPOINT, &row, error))
    return FALSE;

  pen_row_u64 (&row, event_id);
  pen_row_text (&row, event->system);
  pen_row_text (&row, event->format);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_event (PenStoreWriter *self, guint32 id, const PenStoreEvent *event,
                            GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_EVENT, &row, error))
    return FALSE;

  pen_row_u64 (&row, id);
  pen_row_text (&row, event->name != NULL ? event->name : "");
  pen_row_u64 (&row, event->type);
  pen_row_u64 (&row, event->size);
  pen_row_u64 (&row, event->config);
  pen_row_u64 (&row, event->flags);
  pen_row_u64 (&row, event->sample_type);
  pen_row_u64 (&row, event->read_format);
  pen_row_u64 (&row, event->period_or_frequency);
  pen_row_u64 (&row, event->ids);
  pen_row_u64 (&row, event->samples);
  if (!pen_row_end (&row, error))
    return FALSE;

  return event->format == NULL || add_tracepoint (self, id, event, error);
}

gboolean
pen_store_writer_add_record_count (PenStoreWriter *self, guint32 type, const char *name,
                                   guint64 records, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_RECORD_COUNT, &row, error))
    return FALSE;

  pen_row_u64 (&row, type);
  pen_row_text (&row, name);
  pen_row_u64 (&row, records);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_problem (PenStoreWriter *self, const char *action, guint32 file,
                              guint64 offset, const char *record, guint64 count, const char *reason,
                              GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_PROBLEM, &row, error))
    return FALSE;

  pen_row_null (&row);
  pen_row_text (&row, action);
  pen_row_u64 (&row, file);
  pen_row_u64 (&row, offset);
  pen_row_text (&row, record);
  pen_row_u64 (&row, count);
  pen_row_text (&row, reason != NULL ? reason : "");

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_loss (PenStoreWriter *self, const PenLoss *loss, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_LOSS, &row, error))
    return FALSE;

  pen_row_null (&row);
  pen_row_text (&row, pen_loss_kind_to_string (loss->kind));
  pen_row_u64 (&row, loss->from);
  pen_row_u64 (&row, loss->to);
  pen_row_cpu (&row, loss->cpu);
  pen_row_u64 (&row, loss->count);
  pen_row_u64 (&row, loss->repeated);
  if (loss->has_event)
    pen_row_u64 (&row, loss->event);
  else
    pen_row_null (&row);

  return pen_row_end (&row, error);
}
