/* pen-store-writer.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-writer.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "pen-sample-block.h"
#include "pen-schema.h"
#include "pen-sql.h"
#include "pen-symbol-block.h"
#include "pen-text-limits.h"

/* How many of SQLite's instructions run between two looks at the cancellable: a few milliseconds. */
#define CANCEL_STEPS 10000

enum {
  INSERT_FACT,
  INSERT_FILE,
  INSERT_EVENT,
  INSERT_RECORD_COUNT,
  INSERT_PROBLEM,
  INSERT_LOSS,
  INSERT_MAP,
  INSERT_KSYMBOL,
  INSERT_POKE,
  INSERT_BPF_EVENT,
  INSERT_BPF_PROGRAM,
  INSERT_BPF_FUNCTION,
  INSERT_TASK,
  INSERT_SPACE,
  INSERT_TENURE,
  INSERT_PART,
  INSERT_TEXT,
  INSERT_SYMBOLS,
  INSERT_THREAD,
  INSERT_FUNCTION,
  INSERT_BUCKET,
  INSERT_BLOCK,
  INSERTS,
};

static const struct {
  const char *table;
  guint columns;
} inserts[INSERTS] = {
  [INSERT_FACT] = { "capture", 2 },
  [INSERT_FILE] = { "file", 2 },
  [INSERT_EVENT] = { "event", 8 },
  [INSERT_RECORD_COUNT] = { "record_count", 3 },
  [INSERT_PROBLEM] = { "problem", 7 },
  [INSERT_LOSS] = { "loss", 6 },
  [INSERT_MAP] = { "map", 16 },
  [INSERT_KSYMBOL] = { "ksymbol", 13 },
  [INSERT_POKE] = { "text_poke", 18 },
  [INSERT_BPF_EVENT] = { "bpf_event", 9 },
  [INSERT_BPF_PROGRAM] = { "bpf_program", 6 },
  [INSERT_BPF_FUNCTION] = { "bpf_function", 5 },
  [INSERT_TASK] = { "task", 9 },
  [INSERT_SPACE] = { "space", 6 },
  [INSERT_TENURE] = { "tenure", 21 },
  [INSERT_PART] = { "part", 9 },
  [INSERT_TEXT] = { "text", 6 },
  [INSERT_SYMBOLS] = { "symbol_block", 4 },
  [INSERT_THREAD] = { "thread", 4 },
  [INSERT_FUNCTION] = { "function", 11 },
  [INSERT_BUCKET] = { "bucket", 10 },
  [INSERT_BLOCK] = { "sample_block", 5 },
};

struct _PenStoreWriter {
  char *path;
  char *temporary; /* NULL once it has its name */
  sqlite3 *db;
  sqlite3_stmt *statements[INSERTS];
  PenPacker *packer;
  GCancellable *cancellable;
  guint64 blocks;
};

/* A row being bound, column by column. */
typedef struct {
  sqlite3_stmt *statement;
  int column;
} Row;

static int
writer_is_cancelled (void *user_data)
{
  return g_cancellable_is_cancelled (user_data);
}

static char *
temporary_name (const char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_strdup_printf (".%s.%08x.part", base, g_random_int ());

  return g_build_filename (directory, name, NULL);
}

/* Created here and not by SQLite: O_EXCL, so that no file or link of that name is written to. */
static gboolean
writer_create_file (PenStoreWriter *self, GError **error)
{
  int fd = -1;

  for (guint tries = 0; tries < 16 && fd < 0; tries++) {
    g_free (self->temporary);
    self->temporary = temporary_name (self->path);
    fd = g_open (self->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST)
      break;
  }

  if (fd < 0) {
    int code = errno;

    g_clear_pointer (&self->temporary, g_free);
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
                 "Cannot write beside “%s”: %s. Choose a directory that you may write to.",
                 self->path, g_strerror (code));
    return FALSE;
  }

  close (fd);

  return TRUE;
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
      "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;"
      "PRAGMA foreign_keys = OFF; PRAGMA application_id = %d; PRAGMA user_version = %d; BEGIN;",
      PEN_STORE_APPLICATION_ID, PEN_STORE_VERSION);

  if (sqlite3_open_v2 (self->temporary, &self->db,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, NULL)
      != SQLITE_OK)
    return pen_sql_set_error (self->db, self->temporary, "opening", error);

  if (self->cancellable != NULL)
    sqlite3_progress_handler (self->db, CANCEL_STEPS, writer_is_cancelled, self->cancellable);

  return pen_sql_exec (self->db, pragmas, error)
         && exec_all (self->db, pen_schema_tables, error);
}

PenStoreWriter *
pen_store_writer_new (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenStoreWriter) self = g_new0 (PenStoreWriter, 1);

  self->path = g_canonicalize_filename (path, NULL);
  self->packer = pen_packer_new ();
  g_set_object (&self->cancellable, cancellable);

  if (!writer_create_file (self, error) || !writer_open_database (self, error))
    return NULL;

  return g_steal_pointer (&self);
}

static void
writer_close (PenStoreWriter *self)
{
  for (guint i = 0; i < INSERTS; i++)
    g_clear_pointer (&self->statements[i], sqlite3_finalize);

  g_clear_pointer (&self->db, sqlite3_close_v2);
}

void
pen_store_writer_free (PenStoreWriter *self)
{
  if (self == NULL)
    return;

  writer_close (self);
  if (self->temporary != NULL)
    g_unlink (self->temporary);

  g_free (self->temporary);
  g_free (self->path);
  pen_packer_free (self->packer);
  g_clear_object (&self->cancellable);
  g_free (self);
}

static gboolean
set_errno_error (GError **error, const char *path, const char *doing)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "Cannot %s “%s”: %s", doing, path,
               g_strerror (code));

  return FALSE;
}

static gboolean
sync_path (const char *path, int flags, GError **error)
{
  int fd = g_open (path, flags | O_CLOEXEC, 0);
  gboolean ok = fd >= 0 && fsync (fd) == 0;

  if (!ok)
    set_errno_error (error, path, "write to the disk");
  if (fd >= 0)
    close (fd);

  return ok;
}

static gboolean
writer_rename (PenStoreWriter *self, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (self->path);

  if (!sync_path (self->temporary, O_RDONLY, error))
    return FALSE;
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (g_rename (self->temporary, self->path) != 0)
    return set_errno_error (error, self->path, "write");

  g_clear_pointer (&self->temporary, g_free);
  /* Some file systems cannot sync a directory; the store is whole all the same. */
  sync_path (directory, O_RDONLY | O_DIRECTORY, NULL);

  return TRUE;
}

gboolean
pen_store_writer_finish (PenStoreWriter *self, GError **error)
{
  if (!exec_all (self->db, pen_schema_indexes, error)
      || !pen_store_writer_set_fact (self, "complete", "1", error)
      || !pen_sql_exec (self->db, "COMMIT;", error))
    return FALSE;

  writer_close (self);

  return writer_rename (self, error);
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

static gboolean
row_start (PenStoreWriter *self, guint insert, Row *row, GError **error)
{
  row->statement = self->statements[insert];
  row->column = 0;

  if (row->statement == NULL)
    row->statement = writer_prepare (self, insert, error);

  return row->statement != NULL;
}

static gboolean
row_end (Row *row, GError **error)
{
  gboolean ok = pen_sql_step (row->statement, error) == PEN_SQL_DONE;

  sqlite3_reset (row->statement);

  return ok;
}

static void
row_u64 (Row *row, guint64 value)
{
  pen_sql_bind_u64 (row->statement, ++row->column, value);
}

static void
row_i64 (Row *row, gint64 value)
{
  sqlite3_bind_int64 (row->statement, ++row->column, value);
}

static void
row_null (Row *row)
{
  sqlite3_bind_null (row->statement, ++row->column);
}

static void
row_id (Row *row, guint32 id)
{
  pen_sql_bind_id (row->statement, ++row->column, id);
}

static void
row_text (Row *row, const char *text)
{
  sqlite3_bind_text (row->statement, ++row->column, text, -1, SQLITE_STATIC);
}

static void
row_blob (Row *row, const void *bytes, gsize n)
{
  /* A NULL pointer would bind NULL. */
  sqlite3_bind_blob64 (row->statement, ++row->column, n > 0 ? bytes : "", n, SQLITE_STATIC);
}

static void
row_time (Row *row, gboolean has_time, guint64 time)
{
  if (has_time)
    row_u64 (row, time);
  else
    row_null (row);
}

static void
row_moment (Row *row, PenMoment moment)
{
  row_u64 (row, moment.time);
  row_u64 (row, moment.position);
}

static void
row_end_moment (Row *row, PenMoment moment)
{
  pen_sql_bind_end (row->statement, row->column + 1, moment);
  row->column += 2;
}

static void
row_cpu (Row *row, guint32 cpu)
{
  pen_sql_bind_cpu (row->statement, ++row->column, cpu);
}

static void
row_task (Row *row, gboolean has_task, gint32 pid, gint32 tid)
{
  if (has_task) {
    row_i64 (row, pid);
    row_i64 (row, tid);
  } else {
    row_null (row);
    row_null (row);
  }
}

static void
row_comm (Row *row, const char *comm)
{
  row_text (row, comm != NULL && *comm != '\0' ? comm : NULL);
}

gboolean
pen_store_writer_set_fact (PenStoreWriter *self, const char *key, const char *value,
                           GError **error)
{
  Row row;

  if (value == NULL)
    return TRUE;
  if (!row_start (self, INSERT_FACT, &row, error))
    return FALSE;

  row_text (&row, key);
  row_text (&row, value);

  return row_end (&row, error);
}

gboolean
pen_store_writer_set_fact_int (PenStoreWriter *self, const char *key, guint64 value,
                               GError **error)
{
  char text[24];

  g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, value);

  return pen_store_writer_set_fact (self, key, text, error);
}

gboolean
pen_store_writer_add_file (PenStoreWriter *self, guint32 id, const char *name, GError **error)
{
  Row row;

  if (!row_start (self, INSERT_FILE, &row, error))
    return FALSE;

  row_u64 (&row, id);
  row_text (&row, name);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_event (PenStoreWriter *self, guint32 id, const PenStoreEvent *event,
                            guint64 sample_type, guint64 period_or_frequency, GError **error)
{
  Row row;

  if (!row_start (self, INSERT_EVENT, &row, error))
    return FALSE;

  row_u64 (&row, id);
  row_text (&row, event->name != NULL ? event->name : "");
  row_u64 (&row, event->type);
  row_u64 (&row, event->config);
  row_u64 (&row, event->flags);
  row_u64 (&row, sample_type);
  row_u64 (&row, period_or_frequency);
  row_u64 (&row, event->samples);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_record_count (PenStoreWriter *self, guint32 type, const char *name,
                                   guint64 records, GError **error)
{
  Row row;

  if (!row_start (self, INSERT_RECORD_COUNT, &row, error))
    return FALSE;

  row_u64 (&row, type);
  row_text (&row, name);
  row_u64 (&row, records);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_problem (PenStoreWriter *self, const char *action, guint32 file,
                              guint64 offset, const char *record, guint64 count,
                              const char *reason, GError **error)
{
  Row row;

  if (!row_start (self, INSERT_PROBLEM, &row, error))
    return FALSE;

  row_null (&row);
  row_text (&row, action);
  row_u64 (&row, file);
  row_u64 (&row, offset);
  row_text (&row, record);
  row_u64 (&row, count);
  row_text (&row, reason != NULL ? reason : "");

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_loss (PenStoreWriter *self, const PenLoss *loss, GError **error)
{
  Row row;

  if (!row_start (self, INSERT_LOSS, &row, error))
    return FALSE;

  row_null (&row);
  row_text (&row, pen_loss_kind_to_string (loss->kind));
  row_u64 (&row, loss->from);
  row_u64 (&row, loss->to);
  row_cpu (&row, loss->cpu);
  row_u64 (&row, loss->count);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_map (PenStoreWriter *self, const PenMapRow *map, GError **error)
{
  Row row;

  if (!row_start (self, INSERT_MAP, &row, error))
    return FALSE;

  row_u64 (&row, map->row.change);
  row_time (&row, map->row.has_time, map->row.time);
  row_u64 (&row, map->row.position);
  row_i64 (&row, map->is_kernel);
  row_i64 (&row, map->is_data);
  row_i64 (&row, map->row.pid);
  row_i64 (&row, map->row.tid);
  row_u64 (&row, map->start);
  row_u64 (&row, map->length);
  row_u64 (&row, map->file_offset);
  row_text (&row, map->name);
  if (map->build_id_length > 0)
    row_blob (&row, map->build_id, map->build_id_length);
  else
    row_null (&row);
  row_cpu (&row, map->row.cpu);
  row_comm (&row, map->row.comm);
  row_id (&row, map->row.tenure);
  row_text (&row, pen_evidence_to_string (map->evidence));

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_ksymbol (PenStoreWriter *self, const PenKsymbolRow *ksymbol, GError **error)
{
  Row row;

  if (!row_start (self, INSERT_KSYMBOL, &row, error))
    return FALSE;

  row_u64 (&row, ksymbol->row.change);
  row_time (&row, ksymbol->row.has_time, ksymbol->row.time);
  row_u64 (&row, ksymbol->row.position);
  row_i64 (&row, ksymbol->is_unregister);
  row_u64 (&row, ksymbol->type);
  row_u64 (&row, ksymbol->address);
  row_u64 (&row, ksymbol->length);
  row_text (&row, ksymbol->name);
  row_cpu (&row, ksymbol->row.cpu);
  row_task (&row, ksymbol->row.has_task, ksymbol->row.pid, ksymbol->row.tid);
  row_comm (&row, ksymbol->row.comm);
  row_id (&row, ksymbol->row.tenure);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_poke (PenStoreWriter *self, const PenPokeRow *stored, GError **error)
{
  const PenPoke *poke = stored->poke;
  Row row;

  if (!row_start (self, INSERT_POKE, &row, error))
    return FALSE;

  row_u64 (&row, poke->id);
  row_u64 (&row, stored->row.change);
  row_time (&row, stored->row.has_time, stored->row.time);
  row_u64 (&row, stored->row.position);
  row_u64 (&row, poke->address);
  row_blob (&row, poke->old_bytes, poke->old_length);
  row_blob (&row, poke->new_bytes, poke->new_length);
  row_text (&row, pen_poke_effect_to_string (poke->effect));
  row_id (&row, poke->tenure);
  row_u64 (&row, poke->revision);
  if (stored->function == G_MAXUINT32)
    row_null (&row);
  else
    row_u64 (&row, stored->function);
  row_text (&row, pen_cause_to_string (stored->cause));
  row_text (&row, stored->reason != NULL ? stored->reason : "");
  row_i64 (&row, stored->breaks_chain);
  row_cpu (&row, poke->cpu);
  row_task (&row, stored->row.has_task, poke->pid, poke->tid);
  row_comm (&row, poke->comm);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_bpf_event (PenStoreWriter *self, const PenBpfEventRow *event, GError **error)
{
  Row row;

  if (!row_start (self, INSERT_BPF_EVENT, &row, error))
    return FALSE;

  row_null (&row);
  row_time (&row, event->has_time, event->time);
  row_u64 (&row, event->position);
  row_i64 (&row, event->is_unload);
  row_u64 (&row, event->bpf_id);
  row_blob (&row, event->tag, 8);
  row_cpu (&row, event->cpu);
  row_task (&row, event->has_task, event->pid, event->tid);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_bpf_program (PenStoreWriter *self, guint32 bpf_id, guint32 type,
                                  const char *name, const guint8 tag[8], guint64 load_time,
                                  guint32 btf_id, GError **error)
{
  Row row;

  if (!row_start (self, INSERT_BPF_PROGRAM, &row, error))
    return FALSE;

  row_u64 (&row, bpf_id);
  row_u64 (&row, type);
  row_text (&row, name);
  row_blob (&row, tag, 8);
  row_u64 (&row, load_time);
  row_u64 (&row, btf_id);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_bpf_function (PenStoreWriter *self, guint32 bpf_id, guint number,
                                   guint64 address, guint32 length, guint32 tenure,
                                   GError **error)
{
  Row row;

  if (!row_start (self, INSERT_BPF_FUNCTION, &row, error))
    return FALSE;

  row_u64 (&row, bpf_id);
  row_u64 (&row, number);
  row_u64 (&row, address);
  row_u64 (&row, length);
  row_id (&row, tenure);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_task (PenStoreWriter *self, const PenTaskRow *task, GError **error)
{
  gboolean has_parent = task->comm == NULL;
  Row row;

  if (!row_start (self, INSERT_TASK, &row, error))
    return FALSE;

  row_null (&row);
  row_time (&row, task->has_time, task->time);
  row_u64 (&row, task->position);
  row_text (&row, task->what);
  row_i64 (&row, task->pid);
  row_i64 (&row, task->tid);
  row_task (&row, has_parent, task->ppid, task->ptid);
  row_text (&row, task->comm);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_space (PenStoreWriter *self, const PenSpace *space, GError **error)
{
  Row row;

  if (!row_start (self, INSERT_SPACE, &row, error))
    return FALSE;

  row_u64 (&row, space->id);
  row_i64 (&row, space->pid);
  row_moment (&row, space->from);
  row_end_moment (&row, space->to);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_tenure (PenStoreWriter *self, const PenTenure *tenure, GError **error)
{
  Row row;

  if (!row_start (self, INSERT_TENURE, &row, error))
    return FALSE;

  row_u64 (&row, tenure->id);
  row_u64 (&row, tenure->space);
  row_text (&row, tenure->layer == PEN_LAYER_MAP ? "map" : "ksymbol");
  row_text (&row, pen_kind_to_string (tenure->kind));
  row_text (&row, tenure->occupant);
  row_text (&row, tenure->name);
  row_u64 (&row, tenure->start);
  row_u64 (&row, tenure->end);
  row_u64 (&row, tenure->file_offset);
  row_moment (&row, tenure->from);
  row_end_moment (&row, tenure->to);
  row_text (&row, pen_bound_to_string (tenure->from_bound));
  row_text (&row, pen_bound_to_string (tenure->to_bound));
  row_text (&row, pen_evidence_to_string (tenure->evidence));
  row_id (&row, tenure->bpf_id);
  if (tenure->bpf_id != 0)
    row_blob (&row, tenure->bpf_tag, 8);
  else
    row_null (&row);
  if (tenure->build_id_length > 0)
    row_blob (&row, tenure->build_id, MIN (tenure->build_id_length, sizeof tenure->build_id));
  else
    row_null (&row);
  row_end_moment (&row, tenure->unverified_from);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_part (PenStoreWriter *self, const PenPart *part, GError **error)
{
  Row row;

  if (!row_start (self, INSERT_PART, &row, error))
    return FALSE;

  row_null (&row);
  row_u64 (&row, part->tenure);
  row_u64 (&row, part->start);
  row_u64 (&row, part->end);
  row_u64 (&row, part->file_offset);
  row_moment (&row, part->from);
  row_end_moment (&row, part->to);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_text (PenStoreWriter *self, const PenStoredText *text, GError **error)
{
  gsize length;
  const guint8 *bytes = g_bytes_get_data (text->bytes, &length);

  for (gsize done = 0; done < length; done += PEN_STORE_TEXT_MAX) {
    Row row;

    if (!row_start (self, INSERT_TEXT, &row, error))
      return FALSE;

    row_null (&row);
    row_u64 (&row, text->tenure);
    row_u64 (&row, text->start + done);
    row_blob (&row, bytes + done, MIN (length - done, PEN_STORE_TEXT_MAX));
    row_text (&row, pen_evidence_to_string (text->evidence));
    row_text (&row, text->source);
    if (!row_end (&row, error))
      return FALSE;
  }

  return TRUE;
}

gboolean
pen_store_writer_add_symbols (PenStoreWriter *self, const char *occupant,
                              const PenStoreSymbol *symbols, guint n, GError **error)
{
  for (guint done = 0; done < n;) {
    guint part = MIN (n - done, PEN_BLOCK_SYMBOLS);
    const guint8 *pack;
    gsize length;
    Row row;

    if (!row_start (self, INSERT_SYMBOLS, &row, error))
      return FALSE;

    pack = pen_symbol_block_pack (symbols + done, part, self->packer, &length);
    row_null (&row);
    row_text (&row, occupant);
    row_u64 (&row, part);
    row_blob (&row, pack, length);
    if (!row_end (&row, error))
      return FALSE;

    done += part;
  }

  return TRUE;
}

gboolean
pen_store_writer_add_thread (PenStoreWriter *self, guint32 id, const PenThread *thread,
                             GError **error)
{
  Row row;

  if (!row_start (self, INSERT_THREAD, &row, error))
    return FALSE;

  row_u64 (&row, id);
  row_task (&row, thread->has_task, thread->pid, thread->tid);
  row_text (&row, thread->comm != NULL ? thread->comm : "");

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_function (PenStoreWriter *self, const PenFunction *function, GError **error)
{
  Row row;

  if (!row_start (self, INSERT_FUNCTION, &row, error))
    return FALSE;

  row_u64 (&row, function->id);
  row_text (&row, function->symbol);
  row_text (&row, pen_kind_to_string (function->kind));
  row_text (&row, function->occupant);
  row_u64 (&row, function->start);
  row_u64 (&row, function->length);
  row_u64 (&row, function->samples);
  row_u64 (&row, function->period);
  row_u64 (&row, function->changes);
  row_u64 (&row, function->versions);
  row_u64 (&row, function->pokes);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_bucket (PenStoreWriter *self, const PenBucket *bucket, GError **error)
{
  Row row;

  if (!row_start (self, INSERT_BUCKET, &row, error))
    return FALSE;

  row_u64 (&row, bucket->id);
  row_i64 (&row, bucket->event);
  row_id (&row, bucket->tenure);
  row_u64 (&row, bucket->revision);
  if (bucket->has_address)
    row_u64 (&row, bucket->address);
  else
    row_null (&row);
  row_u64 (&row, bucket->function);
  row_u64 (&row, bucket->samples);
  row_u64 (&row, bucket->period);
  row_u64 (&row, bucket->first);
  row_u64 (&row, bucket->last);

  return row_end (&row, error);
}

gboolean
pen_store_writer_add_block (PenStoreWriter *self, const PenSampleBlock *block, GError **error)
{
  const guint8 *pack;
  gsize length;
  guint64 first = G_MAXUINT64;
  guint64 last = 0;
  Row row;

  if (!row_start (self, INSERT_BLOCK, &row, error))
    return FALSE;

  for (guint i = 0; i < block->n; i++)
    if ((block->has[i] & PEN_SAMPLE_HAS_TIME) != 0) {
      first = MIN (first, block->time[i]);
      last = MAX (last, block->time[i]);
    }

  pack = pen_sample_block_pack (block, self->packer, &length);
  row_u64 (&row, self->blocks++);
  row_u64 (&row, MIN (first, last));
  row_u64 (&row, last);
  row_u64 (&row, block->n);
  row_blob (&row, pack, length);

  return row_end (&row, error);
}
