/* pen-store.c: opening
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-header.h"
#include "pen-store-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-late-close.h"
#include "pen-schema-check.h"
#include "pen-table-hash.h"

/* Between two tries to mark a file as being in use. */
#define HOLD_WAIT_US 1000
#define HOLD_TRIES 20
/* No cell of a store comes near this. */
#define MAX_CELL (256 << 20)

G_DEFINE_QUARK (pen_store_error_quark, pen_store_error)
G_DEFINE_FINAL_TYPE (PenStore, pen_store, G_TYPE_OBJECT)

gboolean
pen_store_set_damaged (PenStore *self, const char *what, GError **error)
{
  g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED,
               "“%s” is damaged: %s. Import the capture again.", self->path, what);
  return FALSE;
}

static void
pen_store_init (PenStore *self)
{
  self->hold = -1;
  self->strings = pen_names_new ();
  self->blobs
      = g_hash_table_new_full (pen_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  self->facts = g_hash_table_new (pen_str_hash, g_str_equal);
  self->events = g_ptr_array_new_with_free_func (g_free);
  self->blocks = g_array_new (FALSE, FALSE, sizeof (PenBlockInfo));
  self->bucket_blocks = g_array_new (FALSE, FALSE, sizeof (PenBucketBlockInfo));
  self->spans = g_array_new (FALSE, FALSE, sizeof (PenStoreSpan));
  self->stack_spans = g_array_new (FALSE, FALSE, sizeof (PenStackSpan));
  self->symbols
      = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref);
}

static void
pen_store_finalize (GObject *object)
{
  PenStore *self = PEN_STORE (object);

  g_clear_pointer (&self->read_block, sqlite3_finalize);
  g_clear_pointer (&self->read_chains, sqlite3_finalize);
  g_clear_pointer (&self->read_payloads, sqlite3_finalize);
  g_clear_pointer (&self->read_tenure, sqlite3_finalize);
  g_clear_pointer (&self->read_text, sqlite3_finalize);
  g_clear_pointer (&self->poke_search, pen_poke_search_free);
  g_clear_pointer (&self->db, sqlite3_close_v2);
  if (self->hold >= 0)
    pen_late_close (self->hold);
  pen_unpacker_clear (&self->unpacker);
  g_clear_pointer (&self->kernel_text, pen_kernel_text_free);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->samples);
  g_clear_pointer (&self->state, pen_page_state_unref);
  g_clear_pointer (&self->threads, g_array_unref);
  g_clear_pointer (&self->functions, g_array_unref);
  g_clear_pointer (&self->biases, g_hash_table_unref);
  g_free (self->buckets);
  g_free (self->bucket_functions);
  g_clear_pointer (&self->changes, pen_change_index_free);
  g_clear_pointer (&self->kernel_tenures, g_array_unref);
  g_clear_pointer (&self->batches, g_array_unref);
  g_clear_pointer (&self->frames, g_array_unref);
  g_clear_pointer (&self->payloads, pen_payload_block_free);
  for (guint i = 0; i < PEN_CHAIN_BLOCKS_KEPT; i++)
    g_free (self->chain_blocks[i]);
  g_hash_table_unref (self->symbols);
  g_clear_pointer (&self->symbol_blocks, g_hash_table_unref);
  g_array_unref (self->blocks);
  g_array_unref (self->bucket_blocks);
  g_array_unref (self->spans);
  g_array_unref (self->stack_spans);
  g_clear_pointer (&self->piece, pen_span_piece_free);
  g_ptr_array_unref (self->events);
  g_hash_table_unref (self->facts);
  g_clear_pointer (&self->shared, g_array_unref);
  g_hash_table_unref (self->blobs);
  pen_names_free (self->strings);
  g_free (self->path);

  G_OBJECT_CLASS (pen_store_parent_class)->finalize (object);
}

static void
pen_store_class_init (PenStoreClass *class)
{
  G_OBJECT_CLASS (class)->finalize = pen_store_finalize;
}

gboolean
pen_store_is_store (const char *path)
{
  return pen_store_header_read (path, &(guint32){ 0 });
}

gboolean
pen_store_is_cancelled (PenStore *self)
{
  return self->cancellable && g_cancellable_is_cancelled (self->cancellable);
}

/* ---- many reads ---- */

/* Who writes a note waits some seconds for the lock. */
#define LOCKED_MOST_US G_USEC_PER_SEC

/* Whoever was cancelled lets go of the lock, too. */
static gboolean
exec_to_the_end (PenStore *self, const char *sql, GError **error)
{
  gboolean is_done;

  sqlite3_progress_handler (self->db, 0, NULL, NULL);
  is_done = pen_sql_exec (self->db, sql, error);
  pen_store_watch_cancellable (self);
  return is_done;
}

gboolean
pen_store_begin_reading (PenStore *self, GError **error)
{
  if (self->n_readings == 0 && !exec_to_the_end (self, "BEGIN", error))
    return FALSE;
  if (self->n_readings++ == 0)
    self->locked_at = g_get_monotonic_time ();
  return TRUE;
}

void
pen_store_end_reading (PenStore *self)
{
  g_return_if_fail (self->n_readings > 0);
  /* Nothing was written: it has nothing to fail at. */
  if (--self->n_readings == 0)
    exec_to_the_end (self, "COMMIT", NULL);
}

static gboolean
renew_lock (PenStore *self, GError **error)
{
  gint64 now = g_get_monotonic_time ();

  if (now - self->locked_at < LOCKED_MOST_US)
    return TRUE;
  self->locked_at = now;
  return exec_to_the_end (self, "COMMIT; BEGIN", error);
}

gboolean
pen_store_goes_on (PenStore *self, GError **error)
{
  return (!self->cancellable || !g_cancellable_set_error_if_cancelled (self->cancellable, error))
         && (self->n_readings == 0 || renew_lock (self, error));
}

static int
must_stop (void *user_data)
{
  return pen_store_is_cancelled (user_data);
}

void
pen_store_watch_cancellable (PenStore *self)
{
  sqlite3_progress_handler (self->db, PEN_STORE_CANCEL_STEPS, must_stop, self);
}

/* Tells who clears the cache that the file is in use, for as long as it is. Nothing hangs on it but
 * that: without it the store can be read as well. */
static void
store_hold (PenStore *self)
{
  self->hold = g_open (self->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);

  /* Another holds it alone for a moment: who looks whether it is in use, or who has just made it.
   */
  for (guint tries = 0; self->hold >= 0 && tries < HOLD_TRIES; tries++) {
    if (flock (self->hold, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK)
      return;
    g_usleep (HOLD_WAIT_US);
  }
}

static gboolean
store_open_database (PenStore *self, GError **error)
{
  self->db = self->state ? pen_sql_open_state (self->path, error)
                         : pen_sql_open_stranger (self->path, SQLITE_OPEN_READONLY, error);
  if (!self->db)
    return FALSE;

  sqlite3_limit (self->db, SQLITE_LIMIT_LENGTH, MAX_CELL);
  pen_store_watch_cancellable (self);
  return TRUE;
}

static gboolean
store_check_version (PenStore *self, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  int version;

  statement = pen_sql_prepare (self->db, "PRAGMA user_version", error);
  if (!statement)
    return FALSE;

  switch (pen_sql_step (statement, error)) {
  case PEN_SQL_FAILED:
    return FALSE;
  case PEN_SQL_ROW:
    version = sqlite3_column_int (statement, 0);
    break;
  default:
    version = 0;
    break;
  }

  if (version > PEN_STORE_VERSION) {
    g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_NEWER,
                 "“%s” was written by a newer Pentimento (store version %d, this one reads %d). "
                 "Update Pentimento, or import the capture again with this one.",
                 self->path, version, PEN_STORE_VERSION);
    return FALSE;
  }
  if (version < PEN_STORE_VERSION) {
    g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_OLDER,
                 "“%s” was written by an older Pentimento (store version %d, this one reads %d). "
                 "Import the capture again.",
                 self->path, version, PEN_STORE_VERSION);
    return FALSE;
  }
  return TRUE;
}

sqlite3_stmt *
pen_store_prepare_of (PenStore *self, PenTableId table, const char *sql, GError **error)
{
  const char *name = pen_store_tables[pen_store_table_of (table, self->population)].name;
  g_auto (GStrv) parts = g_strsplit (sql, "%s", 2);
  g_autofree char *whole = g_strjoinv (name, parts);

  return pen_sql_prepare (self->db, whole, error);
}

static gboolean
store_load_block_infos (PenStore *self, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_store_prepare_of (self, PEN_TABLE_SAMPLE_BLOCK,
                                    "SELECT id, first, last, n FROM %s ORDER BY id", error);
  if (!statement)
    return FALSE;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenBlockInfo info = {
      .first = pen_sql_u64 (statement, 1),
      .last = pen_sql_u64 (statement, 2),
      .n = (guint) sqlite3_column_int (statement, 3),
    };

    if (sqlite3_column_int64 (statement, 0) != self->blocks->len || info.n > PEN_BLOCK_SAMPLES)
      return pen_store_set_damaged (self, "its sample blocks are not in order", error);

    g_array_append_val (self->blocks, info);
  }
  return step == PEN_SQL_DONE;
}

static gboolean
store_count_chains (PenStore *self, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;
  gint64 n;

  statement = pen_store_prepare_of (self, PEN_TABLE_CHAIN_BLOCK, "SELECT ifnull(sum(n), 0) FROM %s",
                                    error);
  if (!statement)
    return FALSE;

  step = pen_sql_step (statement, error);
  if (step != PEN_SQL_ROW)
    return FALSE;

  n = sqlite3_column_int64 (statement, 0);
  if (n < 0 || n >= G_MAXUINT32)
    return pen_store_set_damaged (self, "it claims more callchains than there can be", error);
  self->n_chains = (guint32) n;
  return TRUE;
}

static gboolean
store_check_complete (PenStore *self, GError **error)
{
  if (g_strcmp0 (pen_store_get_fact (self, "complete"), "1") == 0)
    return TRUE;

  g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_UNFINISHED,
               "“%s” is unfinished: its import was cut short. Import the capture again.",
               self->path);
  return FALSE;
}

static gboolean
check_file (const char *path, GError **error)
{
  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "“%s” does not exist.", path);
    return FALSE;
  }
  if (!pen_store_is_store (path)) {
    g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_NOT_A_STORE,
                 "“%s” is not a Pentimento store, or may not be read.", path);
    return FALSE;
  }
  return TRUE;
}

/* @state: (nullable): whose name @path is */
static PenStore *
store_open (const char *path, PenPageState *state, PenPopulation population, GError **error)
{
  g_autoptr (PenStore) self = g_object_new (PEN_TYPE_STORE, NULL);

  self->path = g_strdup (path);
  self->population = population;
  if (state)
    self->state = pen_page_state_ref (state);
  else if (check_file (path, error))
    store_hold (self);
  else
    return NULL;

  if (!store_open_database (self, error) || !store_check_version (self, error)
      || !pen_schema_check (self->db, path, error) || !pen_store_load_facts (self, error)
      || !store_check_complete (self, error) || !pen_store_load_events (self, error)
      || !store_load_block_infos (self, error) || !pen_store_load_bucket_blocks (self, error)
      || !pen_store_load_spans (self, error) || !pen_store_load_stack_spans (self, error)
      || !store_count_chains (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

PenStore *
pen_store_open (const char *path, GError **error)
{
  return store_open (path, NULL, PEN_POPULATION_SAMPLES, error);
}

PenStore *
pen_store_open_state (PenPageState *state, GError **error)
{
  return store_open (pen_page_state_get_name (state), state, PEN_POPULATION_SAMPLES, error);
}

PenStore *
pen_store_open_waits (PenStore *self, GError **error)
{
  PenStore *waits = store_open (self->path, self->state, PEN_POPULATION_WAITS, error);

  if (!waits)
    return NULL;
  pen_store_set_cancellable (waits, self->cancellable);
  waits->samples = g_object_ref (self);
  return waits;
}

PenStore *
pen_store_get_samples (PenStore *self)
{
  return self->population == PEN_POPULATION_WAITS ? self->samples : self;
}

/* As long as @self holds its file, no other one gets that inode. */
static gboolean
is_still_named (PenStore *self)
{
  struct stat held;
  struct stat named;

  return self->hold >= 0 && fstat (self->hold, &held) == 0 && g_stat (self->path, &named) == 0
         && held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

PenStore *
pen_store_open_again (PenStore *self, GError **error)
{
  g_autoptr (PenStore) other = store_open (self->path, self->state, self->population, error);

  if (!other || self->state || is_still_named (self))
    return g_steal_pointer (&other);
  g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_FAILED,
               "“%s” is another file now. Open it again.", self->path);
  return NULL;
}

gboolean
pen_store_is_same_file (PenStore *a, PenStore *b)
{
  struct stat x;
  struct stat y;

  return a->hold >= 0 && b->hold >= 0 && fstat (a->hold, &x) == 0 && fstat (b->hold, &y) == 0
         && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

PenPopulation
pen_store_get_population (PenStore *self)
{
  return self->population;
}

gboolean
pen_store_has_waits (PenStore *self)
{
  return pen_store_get_fact_int (self, "waits", 0) > 0;
}

const char *
pen_store_get_path (PenStore *self)
{
  return self->path;
}

void
pen_store_set_cancellable (PenStore *self, GCancellable *cancellable)
{
  g_set_object (&self->cancellable, cancellable);
}

GCancellable *
pen_store_get_cancellable (PenStore *self)
{
  return self->cancellable;
}

const PenBlockInfo *
pen_store_get_blocks (PenStore *self, guint *n)
{
  *n = self->blocks->len;
  return (const PenBlockInfo *) (gpointer) self->blocks->data;
}
