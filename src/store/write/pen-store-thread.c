/* pen-store-thread.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-thread.h"

#include "pen-schema.h"
#include "pen-shared-values.h"
#include "pen-sql.h"
#include "pen-store.h"

/* How many of SQLite's instructions run between two looks at the cancellable: a few milliseconds.
 */
#define CANCEL_STEPS 10000
/* Rows go to the thread when they are this long together; a row may be longer. */
#define BATCH_LENGTH (64u << 10)
/* How many such batches there are, at most: who gives the rows of a history with some ten thousand
 * maps need not wait, but goes on to what comes next. Few of them are kept when they are empty. */
#define MAX_BATCHES 128u
#define KEPT_BATCHES 32u
/* Small pieces of memory that SQLite need not ask for each time: 32 statements keep some hundred.
 */
#define LOOKASIDE_SIZE 512
#define LOOKASIDE_SLOTS 1024

/*
 * @rows: the batch that is being filled; @before: its last row
 * @n_batches: how many there are, @rows among them
 * @filled, @empty: the others, but for the one that the thread has in hand; @end comes last
 *
 * The thread's, but for who called pen_store_thread_wait(): @db, @shared, @statements,
 * @bound.
 */
struct _PenStoreThread {
  PenNewFile *file;   /* or */
  PenPageFile *pages; /* NULL: there is a file */
  GCancellable *cancellable;

  GByteArray *rows;
  PenRowBefore before;
  guint n_batches;
  GAsyncQueue *filled;
  GAsyncQueue *empty;
  GByteArray *end;
  GThread *thread;
  gboolean is_ended;
  int is_abandoned; /* atomic */
  int has_failed;   /* atomic: @error is set, and stays */
  GError *error;

  sqlite3 *db;
  PenSharedValues *shared;
  sqlite3_stmt *statements[PEN_TABLES];
  guint64 bound[PEN_TABLES]; /* see pen_store_row_bind() */
};

static int
is_cancelled (void *user_data)
{
  return g_cancellable_is_cancelled (user_data);
}

/* Without SQLite's own locks: nobody else knows the file, and it is locked as a PenNewFile. */
static gboolean
open_file (PenStoreThread *self, GError **error)
{
  const char *name = self->pages ? pen_page_file_get_name (self->pages) : self->file->temporary;

  return sqlite3_open_v2 (name, &self->db,
                          SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW,
                          self->pages ? pen_page_file_get_vfs () : "unix-none")
             == SQLITE_OK
         || pen_sql_set_error (self->db, name, "opening", error);
}

static void
watch_cancellable (PenStoreThread *self)
{
  sqlite3_progress_handler (self->db, self->cancellable ? CANCEL_STEPS : 0,
                            self->cancellable ? is_cancelled : NULL, self->cancellable);
}

static gboolean
open_database (PenStoreThread *self, GError **error)
{
  /* No journal and no waiting for the disk: until the rename, the file counts for nothing. */
  g_autofree char *pragmas = g_strdup_printf (
      "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16384; PRAGMA foreign_keys = OFF;"
      "PRAGMA application_id = %d; PRAGMA user_version = %d; BEGIN;",
      PEN_STORE_APPLICATION_ID, PEN_STORE_VERSION);

  if (!open_file (self, error))
    return FALSE;
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_LOOKASIDE, NULL, LOOKASIDE_SIZE, LOOKASIDE_SLOTS);
  watch_cancellable (self);
  self->shared = pen_shared_values_new (self->db);
  return pen_sql_exec (self->db, pragmas, error) && pen_schema_create (self->db, error)
         && (!self->pages || pen_schema_create_indexes (self->db, error));
}

/* Rows of an index are sorted in as much memory as there is cache, then in a file. (Sorted in
 * memory by PRAGMA temp_store, each would be allocated apart, without a bound.) */
static gboolean
end_database (PenStoreThread *self, GError **error)
{
  return pen_schema_create_indexes (self->db, error)
         && pen_sql_exec (self->db, "INSERT INTO capture VALUES ('complete', '1'); COMMIT;", error);
}

static void
close_database (PenStoreThread *self)
{
  for (guint i = 0; i < PEN_TABLES; i++)
    g_clear_pointer (&self->statements[i], sqlite3_finalize);
  g_clear_pointer (&self->shared, pen_shared_values_free);
  g_clear_pointer (&self->db, sqlite3_close_v2);
}

static sqlite3_stmt *
prepare (PenStoreThread *self, PenTableId table, GError **error)
{
  g_autofree char *sql = pen_store_table_get_insert (&pen_store_tables[table], self->pages != NULL);

  g_assert (pen_store_tables[table].n_columns <= PEN_STORE_MAX_COLUMNS);
  self->statements[table] = pen_sql_prepare (self->db, sql, error);
  return self->statements[table];
}

/* Of the row that is being inserted. */
typedef struct {
  PenSharedValues *values;
  GError *error;
} Sharing;

static gint64
share (const guint8 *bytes, gsize n, gboolean is_text, gpointer user_data)
{
  Sharing *sharing = user_data;

  return sharing->error
             ? 0
             : pen_shared_values_get (sharing->values, bytes, n, is_text, &sharing->error);
}

static gboolean
insert_rows (PenStoreThread *self, const GByteArray *rows, GError **error)
{
  Sharing sharing = { .values = self->shared };

  for (gsize at = 0; at < rows->len;) {
    PenTableId table = pen_store_row_get_table (rows, at);
    sqlite3_stmt *statement = self->statements[table];
    PenSqlStep step;

    if (!statement)
      statement = prepare (self, table, error);
    if (!statement)
      return FALSE;

    at = pen_store_row_bind (rows, at, statement, share, &sharing, &self->bound[table]);
    if (sharing.error) {
      g_propagate_error (error, sharing.error);
      return FALSE;
    }
    step = pen_sql_step (statement, error);
    sqlite3_reset (statement);
    if (step != PEN_SQL_DONE)
      return FALSE;
  }
  return TRUE;
}

static gboolean
note (PenStoreThread *self, gboolean is_ok)
{
  if (!is_ok)
    g_atomic_int_set (&self->has_failed, TRUE);
  return is_ok;
}

static gpointer
write_rows (gpointer data)
{
  PenStoreThread *self = data;
  gboolean is_ok = self->pages ? !self->error : note (self, open_database (self, &self->error));
  GByteArray *rows;

  while ((rows = g_async_queue_pop (self->filled)) != self->end) {
    if (is_ok && !g_atomic_int_get (&self->is_abandoned))
      is_ok = note (self, insert_rows (self, rows, &self->error));

    /* A buffer that was long once would stay so. */
    if (rows->len > 2 * BATCH_LENGTH) {
      g_byte_array_unref (rows);
      rows = g_byte_array_sized_new (BATCH_LENGTH);
    }
    g_byte_array_set_size (rows, 0);
    g_async_queue_push (self->empty, rows);
    if (self->file)
      pen_new_file_write_on (self->file);
  }

  if (is_ok && self->is_ended)
    is_ok = note (self, end_database (self, &self->error));
  close_database (self);
  if (is_ok && self->is_ended)
    pen_new_file_begin_sync (self->file, self->cancellable);
  return NULL;
}

static PenStoreThread *
new_thread (PenNewFile *file, PenPageFile *pages, GCancellable *cancellable)
{
  PenStoreThread *self = g_new0 (PenStoreThread, 1);

  self->file = file;
  self->pages = pages ? pen_page_file_ref (pages) : NULL;
  g_set_object (&self->cancellable, cancellable);
  self->filled = g_async_queue_new ();
  self->empty = g_async_queue_new ();
  self->end = g_byte_array_new ();
  self->rows = g_byte_array_sized_new (BATCH_LENGTH);
  self->n_batches = 1;
  /* Who goes on, or waits, uses it before there is a row. */
  if (pages)
    note (self, open_database (self, &self->error));
  self->thread = g_thread_new ("store", write_rows, self);
  return self;
}

PenStoreThread *
pen_store_thread_new (PenNewFile *file, GCancellable *cancellable)
{
  return new_thread (file, NULL, cancellable);
}

PenStoreThread *
pen_store_thread_new_pages (PenPageFile *pages, GCancellable *cancellable)
{
  return new_thread (NULL, pages, cancellable);
}

static void
end_thread (PenStoreThread *self)
{
  if (!self->thread)
    return;

  if (!self->is_ended) {
    g_atomic_int_set (&self->is_abandoned, TRUE);
    g_async_queue_push (self->filled, self->end);
  }
  g_thread_join (g_steal_pointer (&self->thread));
}

void
pen_store_thread_free (PenStoreThread *self)
{
  GByteArray *rows;

  if (!self)
    return;

  end_thread (self);
  while ((rows = g_async_queue_try_pop (self->empty)))
    g_byte_array_unref (rows);
  g_async_queue_unref (self->empty);
  g_async_queue_unref (self->filled);
  g_clear_pointer (&self->rows, g_byte_array_unref);
  g_byte_array_unref (self->end);
  g_clear_error (&self->error);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->pages, pen_page_file_unref);
  g_free (self);
}

static gboolean
check (PenStoreThread *self, GError **error)
{
  if (G_LIKELY (!g_atomic_int_get (&self->has_failed)))
    return TRUE;

  if (error)
    *error = g_error_copy (self->error);
  return FALSE;
}

static GByteArray *
take_empty (PenStoreThread *self)
{
  GByteArray *rows = g_async_queue_try_pop (self->empty);

  if (rows) {
    while (g_async_queue_length (self->empty) > (gint) KEPT_BATCHES) {
      g_byte_array_unref (g_async_queue_pop (self->empty));
      self->n_batches--;
    }
    return rows;
  }
  if (self->n_batches == MAX_BATCHES)
    return g_async_queue_pop (self->empty);

  self->n_batches++;
  return g_byte_array_sized_new (BATCH_LENGTH);
}

static void
give_rows (PenStoreThread *self)
{
  if (self->rows->len == 0)
    return;

  g_async_queue_push (self->filled, self->rows);
  self->rows = take_empty (self);
  self->before.is_there = FALSE;
}

gboolean
pen_store_thread_add (PenStoreThread *self, PenTableId table, gconstpointer row, GError **error)
{
  g_return_val_if_fail (!self->is_ended, FALSE);

  pen_store_row_append (self->rows, table, row, &self->before);
  if (self->rows->len >= BATCH_LENGTH)
    give_rows (self);
  return check (self, error);
}

sqlite3 *
pen_store_thread_wait (PenStoreThread *self, GError **error)
{
  GByteArray *batches[MAX_BATCHES];
  guint n;

  give_rows (self);
  n = self->n_batches - 1;
  for (guint i = 0; i < n; i++)
    batches[i] = g_async_queue_pop (self->empty);
  for (guint i = 0; i < n; i++)
    g_async_queue_push (self->empty, batches[i]);
  return check (self, error) ? self->db : NULL;
}

PenPageState *
pen_store_thread_publish (PenStoreThread *self, GError **error)
{
  sqlite3 *db = pen_store_thread_wait (self, error);
  PenPageState *state;

  if (!db
      || !pen_sql_exec (db, "INSERT OR REPLACE INTO capture VALUES ('complete', '1'); COMMIT;",
                        error))
    return NULL;
  state = pen_page_file_publish (self->pages);
  if (!pen_sql_exec (db, "BEGIN;", error))
    g_clear_pointer (&state, pen_page_state_unref);
  return state;
}

gboolean
pen_store_thread_go_on (PenStoreThread *self, const PenTableId *tables, guint n,
                        GCancellable *cancellable, GError **error)
{
  sqlite3 *db = pen_store_thread_wait (self, error);

  if (!db)
    return FALSE;
  g_set_object (&self->cancellable, cancellable);
  watch_cancellable (self);
  for (guint i = 0; i < n; i++) {
    g_autofree char *sql = g_strconcat (
        "DELETE FROM ", pen_store_table_get_rows (&pen_store_tables[tables[i]]), NULL);

    if (!pen_sql_exec (db, sql, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_store_thread_run (PenStoreThread *self, const char *sql, GError **error)
{
  sqlite3 *db = pen_store_thread_wait (self, error);

  return db && pen_sql_exec (db, sql, error);
}

gboolean
pen_store_thread_end (PenStoreThread *self, GError **error)
{
  if (!check (self, error))
    return FALSE;

  give_rows (self);
  self->is_ended = TRUE;
  g_async_queue_push (self->filled, self->end);
  return TRUE;
}

gboolean
pen_store_thread_join (PenStoreThread *self, GError **error)
{
  end_thread (self);
  return check (self, error);
}
