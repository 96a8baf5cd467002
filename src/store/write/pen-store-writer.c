/* pen-store-writer.c: the file, and facts about the capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-writer-private.h"

#include "pen-table-hash.h"

static PenStoreWriter *
new_writer (GCancellable *cancellable)
{
  PenStoreWriter *self = g_new0 (PenStoreWriter, 1);

  self->packer = pen_packer_new ();
  self->block_packer = pen_block_packer_new ();
  self->facts = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, g_free);
  g_set_object (&self->cancellable, cancellable);
  return self;
}

PenStoreWriter *
pen_store_writer_new (const char *path, mode_t mode, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenStoreWriter) self = new_writer (cancellable);

  self->file = pen_new_file_create_database (path, mode, error);
  if (!self->file)
    return NULL;
  self->thread = pen_store_thread_new (self->file, cancellable);
  return g_steal_pointer (&self);
}

PenStoreWriter *
pen_store_writer_new_pages (PenPageFile *pages, GCancellable *cancellable)
{
  PenStoreWriter *self = new_writer (cancellable);

  self->thread = pen_store_thread_new_pages (pages, cancellable);
  return self;
}

void
pen_store_writer_free (PenStoreWriter *self)
{
  if (!self)
    return;

  pen_store_thread_free (self->thread);
  g_clear_pointer (&self->read_span_piece, sqlite3_finalize);
  g_clear_pointer (&self->file, pen_new_file_free);
  pen_packer_free (self->packer);
  pen_unpacker_clear (&self->unpacker);
  pen_block_packer_free (self->block_packer);
  g_hash_table_unref (self->facts);
  g_clear_object (&self->cancellable);
  g_free (self);
}

/* ---- parts ---- */

/* Few rows, or such as change anywhere. */
static const PenTableId renewed[] = {
  PEN_TABLE_CAPTURE,      PEN_TABLE_FILE,         PEN_TABLE_EVENT,       PEN_TABLE_RECORD_COUNT,
  PEN_TABLE_PROBLEM,      PEN_TABLE_LOSS,         PEN_TABLE_TEXT_POKE,   PEN_TABLE_BATCH,
  PEN_TABLE_BPF_PROGRAM,  PEN_TABLE_BPF_FUNCTION, PEN_TABLE_BPF_EVENT,   PEN_TABLE_TEXT,
  PEN_TABLE_SOURCE,       PEN_TABLE_FOUND_FILE,   PEN_TABLE_ABSENT_FILE, PEN_TABLE_TRACEPOINT,
  PEN_TABLE_BPF_LINE,     PEN_TABLE_BTF,          PEN_TABLE_BUILD_ID,    PEN_TABLE_BPF_METADATA,
  PEN_TABLE_MODULE_EVENT,
};

gboolean
pen_store_writer_begin_part (PenStoreWriter *self, GCancellable *cancellable, GError **error)
{
  g_autofree char *open_parts
      = g_strdup_printf ("DELETE FROM part WHERE id > %" G_GUINT64_FORMAT, self->n_settled);

  g_set_object (&self->cancellable, cancellable);
  g_hash_table_remove_all (self->facts);
  self->n_parts = self->n_settled;
  return pen_store_thread_go_on (self->thread, renewed, G_N_ELEMENTS (renewed), cancellable, error)
         && pen_store_thread_run (self->thread, open_parts, error);
}

void
pen_store_writer_settle_parts (PenStoreWriter *self)
{
  self->n_settled = self->n_parts;
}

gboolean
pen_store_writer_mark_unverified (PenStoreWriter *self, guint64 from, GError **error)
{
  gint64 time = (gint64) from;
  g_autofree char *sql = g_strdup_printf (
      "UPDATE tenure_row SET unverified_time = %" G_GINT64_FORMAT ", unverified_position = 0"
      " WHERE space <> 0 AND to_time >= %" G_GINT64_FORMAT
      " AND (unverified_time IS NULL OR unverified_time > %" G_GINT64_FORMAT ")",
      time, time, time);

  return pen_store_thread_run (self->thread, sql, error);
}

gboolean
pen_store_writer_clear_symbols (PenStoreWriter *self, GError **error)
{
  static const PenTableId symbols[] = { PEN_TABLE_SYMBOL_BLOCK };

  return pen_store_thread_go_on (self->thread, symbols, 1, self->cancellable, error);
}

gboolean
pen_store_writer_begin_rest (PenStoreWriter *self, GError **error)
{
  if (!pen_store_writer_flush_block (self, error))
    return FALSE;
  self->whole = self->rows[PEN_POPULATION_SAMPLES];
  return TRUE;
}

PenPageState *
pen_store_writer_publish (PenStoreWriter *self, GError **error)
{
  if (!pen_store_writer_flush_block (self, error)
      || !pen_store_writer_set_fact_int (self, "longest_poke", self->longest_poke, error))
    return NULL;
  self->rows[PEN_POPULATION_SAMPLES] = self->whole;
  return pen_store_thread_publish (self->thread, error);
}

gboolean
pen_store_writer_end (PenStoreWriter *self, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error)
      || !pen_store_writer_flush_block (self, error)
      || !pen_store_writer_set_fact_int (self, "longest_poke", self->longest_poke, error))
    return FALSE;

  if (self->read_span_piece && !pen_store_thread_wait (self->thread, error))
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

GCancellable *
pen_store_writer_get_cancellable (PenStoreWriter *self)
{
  return self->cancellable;
}

gboolean
pen_store_writer_add_row (PenStoreWriter *self, PenTableId table, gconstpointer row, GError **error)
{
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error)
         && pen_store_thread_add (self->thread, table, row, error);
}

gboolean
pen_store_writer_add_row_of (PenStoreWriter *self, PenTableId table, gconstpointer row,
                             GError **error)
{
  return pen_store_writer_add_row (self, pen_store_table_of (table, self->population), row, error);
}

gboolean
pen_store_writer_set_population (PenStoreWriter *self, PenPopulation population, GError **error)
{
  if (!pen_store_writer_flush_block (self, error)
      || (self->read_span_piece && !pen_store_thread_wait (self->thread, error)))
    return FALSE;

  g_clear_pointer (&self->read_span_piece, sqlite3_finalize);
  self->population = population;
  return TRUE;
}

gboolean
pen_store_writer_set_fact (PenStoreWriter *self, const char *key, const char *value, GError **error)
{
  if (!value)
    return TRUE;
  g_hash_table_replace (self->facts, g_strdup (key), g_strdup (value));
  return pen_store_writer_add_row (self, PEN_TABLE_CAPTURE, &(PenFactRow){ key, value }, error);
}

const char *
pen_store_writer_get_fact (PenStoreWriter *self, const char *key)
{
  return g_hash_table_lookup (self->facts, key);
}

gboolean
pen_store_writer_add_note (PenStoreWriter *self, const PenNote *note, GError **error)
{
  return pen_store_writer_add_row (self, PEN_TABLE_NOTE, note, error);
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
  return pen_store_writer_add_row (self, PEN_TABLE_FILE, &(PenStringRow){ id, name }, error);
}

gboolean
pen_store_writer_add_event (PenStoreWriter *self, guint32 id, const PenStoreEvent *event,
                            GError **error)
{
  PenStoreEvent row = *event;

  row.id = id;
  return pen_store_writer_add_row (self, PEN_TABLE_EVENT, &row, error)
         && (!event->format || pen_store_writer_add_row (self, PEN_TABLE_TRACEPOINT, &row, error));
}

gboolean
pen_store_writer_add_record_count (PenStoreWriter *self, guint32 type, const char *name,
                                   guint64 records, GError **error)
{
  PenRecordCount row = { type, name, records };

  return pen_store_writer_add_row (self, PEN_TABLE_RECORD_COUNT, &row, error);
}

gboolean
pen_store_writer_add_problem (PenStoreWriter *self, const char *action, guint32 file,
                              guint64 offset, const char *record, guint64 count, const char *reason,
                              GError **error)
{
  PenStoreProblem row = {
    .action = action,
    .file_id = file,
    .offset = offset,
    .record = record,
    .count = count,
    .reason = reason,
  };

  return pen_store_writer_add_row (self, PEN_TABLE_PROBLEM, &row, error);
}
