/* pen-notes.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-notes.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-journal.h"
#include "pen-late-close.h"
#include "pen-schema-check.h"
#include "pen-sql.h"
#include "pen-store-table.h"
#include "pen-store.h"

/* SQLite puts it after the name of the file that it writes to. */
#define JOURNAL_SUFFIX "-journal"

/* A file of notes alone: "PENN" in place of a store's "PENT". */
#define APPLICATION_ID 0x50454e4e
#define VERSION 1

typedef sqlite3 Database;

static void
close_database (Database *db)
{
  sqlite3_close (db);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Database, close_database)

PenNote *
pen_note_new (void)
{
  return g_new0 (PenNote, 1);
}

PenNote *
pen_note_copy (const PenNote *note)
{
  PenNote *copy = g_memdup2 (note, sizeof *note);

  copy->text = g_strdup (note->text);
  return copy;
}

void
pen_note_free (PenNote *note)
{
  g_free (note->text);
  g_free (note);
}

/* ---- opening ---- */

static gboolean
read_number (sqlite3 *db, const char *sql, gint64 *number, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = pen_sql_prepare (db, sql, error);

  if (!statement || pen_sql_step (statement, error) != PEN_SQL_ROW)
    return FALSE;
  *number = sqlite3_column_int64 (statement, 0);
  return TRUE;
}

/* Nothing in a store's schema is to act when it is written to; and what is no store of this version
 * is not written to. */
static gboolean
check_database (sqlite3 *db, const char *path, GError **error)
{
  gint64 id;
  gint64 version;

  if (!read_number (db, "PRAGMA application_id", &id, error)
      || !read_number (db, "PRAGMA user_version", &version, error))
    return FALSE;
  if (id == APPLICATION_ID && version == VERSION)
    return TRUE;
  if (id != PEN_STORE_APPLICATION_ID || version != PEN_STORE_VERSION) {
    g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_NOT_A_STORE,
                 "“%s” is no store of version %d, and no file of notes", path, PEN_STORE_VERSION);
    return FALSE;
  }
  return pen_schema_check (db, path, error);
}

/* All of it at once: a file with a part of it would be no file of notes, for ever. */
static gboolean
make_database (sqlite3 *db, GError **error)
{
  g_autofree char *table = pen_store_table_get_schema (&pen_store_tables[PEN_TABLE_NOTE]);
  g_autofree char *sql = g_strdup_printf ("PRAGMA application_id = %d; PRAGMA user_version = %d;"
                                          "%s; COMMIT;",
                                          APPLICATION_ID, VERSION, table);
  gint64 n;

  if (!pen_sql_exec (db, "BEGIN IMMEDIATE", error)
      || !read_number (db, "SELECT count(*) FROM sqlite_schema", &n, error))
    return FALSE;
  /* Another process may have made it meanwhile. */
  return pen_sql_exec (db, n == 0 ? sql : "COMMIT", error);
}

static sqlite3 *
open_database (const char *path, int flags, GError **error)
{
  g_autoptr (Database) db = pen_sql_open_stranger (path, flags, error);

  if (!db)
    return NULL;
  /* Once a note is said to be written it is, also where the machine stops right then. */
  if (!pen_sql_exec (db, "PRAGMA synchronous = EXTRA", error)
      || ((flags & SQLITE_OPEN_CREATE) != 0 && !make_database (db, error))
      || !check_database (db, path, error))
    return NULL;
  return g_steal_pointer (&db);
}

/* SQLite makes files that everyone may read; a journal gets the permissions of its file. */
static gboolean
make_private (const char *path, GError **error)
{
  int fd = g_open (path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);

  if (fd < 0) {
    int code = errno;

    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "Cannot write “%s”: %s", path,
                 g_strerror (code));
    return FALSE;
  }
  pen_late_close (fd);
  return TRUE;
}

/* A process that was about to make a file of notes, and was interrupted, leaves an empty one, at
 * the latest when that is undone. */
static gboolean
is_empty (const char *path)
{
  gboolean is_foreign;
  GStatBuf status;

  return pen_journal_settle (path, &is_foreign, NULL) && g_stat (path, &status) == 0
         && S_ISREG (status.st_mode) && status.st_size == 0;
}

/* For writing: makes a file of notes where there is none. */
static sqlite3 *
open_to_write (const char *path, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  gboolean exists = g_file_test (path, G_FILE_TEST_EXISTS);

  if (exists && g_access (path, W_OK) != 0) {
    g_set_error (
        error, G_IO_ERROR, G_IO_ERROR_READ_ONLY,
        "“%s” may not be written to: notes cannot be kept in it. Make it writable, or copy "
        "it and open the copy.",
        path);
    return NULL;
  }
  if (strlen (base) + strlen (JOURNAL_SUFFIX) > NAME_MAX) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FILENAME_TOO_LONG,
                 "“%s”: the name is too long for the file beside it that writing notes needs "
                 "(%u bytes at most). Rename it.",
                 path, (guint) (NAME_MAX - strlen (JOURNAL_SUFFIX)));
    return NULL;
  }
  if (!exists)
    g_mkdir_with_parents (directory, 0700);
  /* SQLite keeps a journal beside it while it writes. */
  if (g_access (directory, W_OK) != 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY,
                 "The folder of “%s” may not be written to: notes cannot be kept there. Make it "
                 "writable, or copy the store and open the copy.",
                 path);
    return NULL;
  }
  if (!exists && !make_private (path, error))
    return NULL;
  return open_database (
      path, SQLITE_OPEN_READWRITE | (exists && !is_empty (path) ? 0 : SQLITE_OPEN_CREATE), error);
}

/* ---- notes ---- */

static PenNote *
read_note (sqlite3_stmt *statement)
{
  PenNote *note = pen_note_new ();

  pen_store_row_read (&pen_store_tables[PEN_TABLE_NOTE], statement, NULL, note);
  note->text = g_strndup (note->text, PEN_NOTE_TEXT_MAX);
  return note;
}

GPtrArray *
pen_notes_load (const char *path, GError **error)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func ((GDestroyNotify) pen_note_free);
  g_autoptr (Database) db = NULL;
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autofree char *sql = NULL;
  PenSqlStep step = PEN_SQL_DONE;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || is_empty (path))
    return g_steal_pointer (&notes);
  db = open_database (path, SQLITE_OPEN_READONLY, error);
  if (!db)
    return NULL;
  sql = pen_store_table_get_select (&pen_store_tables[PEN_TABLE_NOTE],
                                    "ORDER BY time IS NULL, time, id");
  statement = pen_sql_prepare (db, sql, error);
  if (!statement)
    return NULL;
  while (notes->len < PEN_NOTES_MAX && (step = pen_sql_step (statement, error)) == PEN_SQL_ROW)
    g_ptr_array_add (notes, read_note (statement));
  return step != PEN_SQL_FAILED ? g_steal_pointer (&notes) : NULL;
}

static gboolean
run (sqlite3_stmt *statement, GError **error)
{
  return pen_sql_step (statement, error) == PEN_SQL_DONE;
}

/* Cut at a character. */
static char *
limit_text (const char *text)
{
  const char *end = text + strlen (text);

  if (end - text > PEN_NOTE_TEXT_MAX)
    end = g_utf8_find_prev_char (text, text + PEN_NOTE_TEXT_MAX + 1);
  return g_strndup (text, (gsize) (end - text));
}

static gboolean
put_note (const char *path, PenNote *note, GError **error)
{
  g_autoptr (Database) db = open_to_write (path, error);
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autofree char *text = limit_text (note->text);

  if (!db)
    return FALSE;
  statement = pen_sql_prepare (db,
                               "INSERT INTO note (id, time, address, text, written)"
                               " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE SET"
                               " time = ?2, address = ?3, text = ?4, written = ?5",
                               error);
  if (!statement)
    return FALSE;
  if (note->id > 0)
    sqlite3_bind_int64 (statement, 1, note->id);
  if (note->has_time)
    pen_sql_bind_u64 (statement, 2, note->time);
  if (note->has_address)
    pen_sql_bind_u64 (statement, 3, note->address);
  sqlite3_bind_text (statement, 4, text, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (statement, 5, note->written);
  if (!run (statement, error))
    return FALSE;
  if (note->id == 0)
    note->id = sqlite3_last_insert_rowid (db);
  return TRUE;
}

static gboolean
remove_note (const char *path, gint64 id, GError **error)
{
  g_autoptr (Database) db = open_to_write (path, error);
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (!db)
    return FALSE;
  statement = pen_sql_prepare (db, "DELETE FROM note WHERE id = ?1", error);
  if (!statement)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, id);
  return run (statement, error);
}

gboolean
pen_notes_put (const char *path, PenNote *note, GError **error)
{
  gboolean is_done;

  pen_late_close_hold ();
  is_done = put_note (path, note, error);
  pen_late_close_release ();
  return is_done;
}

gboolean
pen_notes_remove (const char *path, gint64 id, GError **error)
{
  gboolean is_done;

  pen_late_close_hold ();
  is_done = remove_note (path, id, error);
  pen_late_close_release ();
  return is_done;
}
