/* pen-store-writer.c: the file, and facts about the capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-schema.h"
#include "pen-store-writer-private.h"

/* How many of SQLite's instructions run between two looks at the cancellable: a few milliseconds.
 */
#define CANCEL_STEPS 10000

static const struct {
  const char *table;
  guint columns;
} inserts[INSERTS] = {
  [INSERT_FACT] = { "capture", 2 },
  [INSERT_FILE] = { "file", 2 },
  [INSERT_EVENT] = { "event", 11 },
  [INSERT_RECORD_COUNT] = { "record_count", 3 },
  [INSERT_PROBLEM] = { "problem", 7 },
  [INSERT_LOSS] = { "loss", 8 },
  [INSERT_MAP] = { "map", 16 },
  [INSERT_KSYMBOL] = { "ksymbol", 13 },
  [INSERT_POKE] = { "text_poke", 23 },
  [INSERT_BATCH] = { "batch", 15 },
  [INSERT_BPF_EVENT] = { "bpf_event", 9 },
  [INSERT_BPF_PROGRAM] = { "bpf_program", 6 },
  [INSERT_BPF_FUNCTION] = { "bpf_function", 8 },
  [INSERT_TASK] = { "task", 9 },
  [INSERT_SPACE] = { "space", 6 },
  [INSERT_TENURE] = { "tenure", 22 },
  [INSERT_PART] = { "part", 9 },
  [INSERT_TEXT] = { "text", 6 },
  [INSERT_SYMBOLS] = { "symbol_block", 4 },
  [INSERT_THREAD] = { "thread", 4 },
  [INSERT_NAME_FILE] = { "name_file", 6 },
  [INSERT_SOURCE] = { "source", 10 },
  [INSERT_NAMED_TENURE] = { "named_tenure", 3 },
  [INSERT_FILE_TEXT] = { "file_text", 6 },
  [INSERT_FUNCTION] = { "function", 13 },
  [INSERT_BUCKETS] = { "bucket_block", 7 },
  [INSERT_BLOCK] = { "sample_block", 5 },
  [INSERT_SPAN] = { "span", 10 },
  [INSERT_SPAN_PIECE] = { "span_piece", 5 },
  [INSERT_FRAMES] = { "frame_block", 3 },
  [INSERT_CHAINS] = { "chain_block", 3 },
  [INSERT_PAYLOADS] = { "payload_block", 4 },
  [INSERT_TRACEPOINT] = { "tracepoint", 3 },
  [INSERT_MODULE_EVENT] = { "module_event", 8 },
  [INSERT_BPF_LINE] = { "bpf_line", 8 },
  [INSERT_BTF] = { "btf", 2 },
  [INSERT_BUILD_ID] = { "build_id", 5 },
};

static int
writer_is_cancelled (void *user_data)
{
  return g_cancellable_is_cancelled (user_data);
}

static gboolean
exec_all (sqlite3 *db, const char *const *statements, GError **error)
{
  for (; *statements != NULL; statements++)
    if (!pen_sql_exec (db, *statements, error))
      return FALSE;

  return TRUE;
}

static gboolean
writer_open_database (PenStoreWriter *self, GError **error)
{
  /* No journal and no waiting for the disk: until the rename, the file counts for nothing. */
  g_autofree char *pragmas = g_strdup_printf (
      "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;"
      "PRAGMA foreign_keys = OFF; PRAGMA application_id = %d; PRAGMA user_version = %d; BEGIN;",
      PEN_STORE_APPLICATION_ID, PEN_STORE_VERSION);

  /* Without SQLite's own locks: nobody else knows the file, and it is locked as a PenNewFile. */
  if (sqlite3_open_v2 (self->file->temporary, &self->db,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW,
                       "unix-none")
      != SQLITE_OK)
    return pen_sql_set_error (self->db, self->file->temporary, "opening", error);

  if (self->cancellable != NULL)
    sqlite3_progress_handler (self->db, CANCEL_STEPS, writer_is_cancelled, self->cancellable);

  return pen_sql_exec (self->db, pragmas, error) && exec_all (self->db, pen_schema_tables, error);
}

PenStoreWriter *
pen_store_writer_new (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenStoreWriter) self = g_new0 (PenStoreWriter, 1);

  self->packer = pen_packer_new ();
  self->block_packer = pen_block_packer_new ();
  g_set_object (&self->cancellable, cancellable);

  self->file = pen_new_file_create (path, error);
  if (self->file == NULL || !writer_open_database (self, error))
    return NULL;

  return g_steal_pointer (&self);
}

GCancellable *
pen_store_writer_get_cancellable (PenStoreWriter *self)
{
  return self->cancellable;
}

static void
writer_close (PenStoreWriter *self)
{
  for (guint i = 0; i < INSERTS; i++)
    g_clear_pointer (&self->statements[i], sqlite3_finalize);

  g_clear_pointer (&self->read_span_piece, sqlite3_finalize);
  g_clear_pointer (&self->db, sqlite3_close_v2);
}

void
pen_store_writer_free (PenStoreWriter *self)
{
  if (self == NULL)
    return;

  writer_close (self);
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
  if (!pen_store_writer_flush_block (self, error) || !exec_all (self->db, pen_schema_indexes, error)
      || !pen_store_writer_set_fact_int (self, "longest_poke", self->longest_poke, error)
      || !pen_store_writer_set_fact (self, "complete", "1", error)
      || !pen_sql_exec (self->db, "COMMIT;", error))
    return FALSE;

  writer_close (self);
  pen_new_file_begin_sync (self->file, self->cancellable);

  return TRUE;
}

gboolean
pen_store_writer_finish (PenStoreWriter *self, GError **error)
{
  return (self->db == NULL || pen_store_writer_end (self, error))
         && pen_new_file_finish (self->file, error);
}

static sqlite3_stmt *
writer_prepare (PenStoreWriter *self, guint insert, GError **error)
{
  g_autoptr (GString) sql = g_string_new ("INSERT INTO ");

  g_string_append_printf (sql, "%s VALUES (?", inserts[insert].table);
  for (guint i = 1; i < inserts[insert].columns; i++)
    g_string_append (sql, ",?");
  g_string_append (sql, ")");

  self->statements[insert] = pen_sql_prepare (self->db, sql->str, error);

  return self->statements[insert];
}

gboolean
pen_store_writer_start_row (PenStoreWriter *self, guint insert, PenRow *row, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;

  row->statement = self->statements[insert];
  row->column = 0;

  if (row->statement == NULL)
    row->statement = writer_prepare (self, insert, error);

  return row->statement != NULL;
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
