/* pen-sql.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sql.h"

#include <errno.h>
#include <string.h>

#include "pen-journal.h"
#include "pen-page-file.h"
#include "pen-store.h"

#define BUSY_MS 5000

/* The name of the database's file, for messages. */
static const char *
get_path (sqlite3 *db)
{
  const char *path = sqlite3_db_filename (db, "main");

  return path && *path != '\0' ? path : "the store";
}

/* Names the directory, since the user may never have heard of the file: it has another name until
 * it is whole. */
static void
set_no_space (const char *path, const char *reason, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (path);

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
               "Cannot write to “%s”: %s. Make room there, or choose another place.", directory,
               reason);
}

/* With what it puts after the name of a file, a path has 512 bytes at most (os_unix.c,
 * MAX_PATHNAME), and SQLite says no more than that it cannot open the file. */
#define PATH_BYTES 503u

static gboolean
is_too_long (const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);

  return strlen (absolute) > PATH_BYTES;
}

static void
set_failed (sqlite3 *db, const char *path, const char *doing, GError **error)
{
  g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_FAILED, "“%s”: %s: %s", path, doing,
               sqlite3_errmsg (db));
}

gboolean
pen_sql_set_error (sqlite3 *db, const char *path, const char *doing, GError **error)
{
  int code = sqlite3_errcode (db);

  switch (code & 0xff) {
  case SQLITE_INTERRUPT:
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
    break;
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
    g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED,
                 "“%s” is damaged (%s): %s. Import the capture again.", path, doing,
                 sqlite3_errmsg (db));
    break;
  case SQLITE_CANTOPEN:
    if (is_too_long (path))
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FILENAME_TOO_LONG,
                   "“%s”: the path has more than the %u bytes that SQLite takes. Choose a shorter "
                   "one.",
                   path, PATH_BYTES);
    else
      set_failed (db, path, doing, error);
    break;
  case SQLITE_FULL:
    set_no_space (path, g_strerror (ENOSPC), error);
    break;
  case SQLITE_IOERR:
    /* Which of them it was, SQLite does not tell. */
    if (sqlite3_extended_errcode (db) == SQLITE_IOERR_WRITE)
      set_no_space (path, "the disk fails, or a quota or a limit on sizes of files is reached",
                    error);
    else
      set_failed (db, path, doing, error);
    break;
  default:
    set_failed (db, path, doing, error);
    break;
  }
  return FALSE;
}

/* Read as if it were on a disk that nobody can write to: without locks, without a look at a journal
 * or a log (sqlite.org/uri.html, "immutable"). */
static char *
make_immutable (const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *escaped = g_uri_escape_string (absolute, "/", FALSE);

  return g_strconcat ("file://", escaped, "?immutable=1", NULL);
}

static gboolean
choose_name (const char *path, int *flags, char **name, GError **error)
{
  gboolean is_foreign = FALSE;

  /* One that is to be made has nothing to undo: SQLite removes what is left of an earlier one. */
  if (g_file_test (path, G_FILE_TEST_EXISTS) && !pen_journal_settle (path, &is_foreign, error))
    return FALSE;
  if (is_foreign && (*flags & SQLITE_OPEN_READWRITE) != 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY,
                 "Another program changes “%s”, or left a journal or a log beside it: nothing is "
                 "written to it. Copy it alone to another folder, and open the copy.",
                 path);
    return FALSE;
  }
  if (is_foreign)
    *flags |= SQLITE_OPEN_URI;
  *name = is_foreign ? make_immutable (path) : g_strdup (path);
  return TRUE;
}

static sqlite3 *
open_guarded (const char *path, const char *name, int flags, const char *vfs, GError **error)
{
  sqlite3 *db = NULL;

  if (sqlite3_open_v2 (name, &db, flags | SQLITE_OPEN_NOMUTEX, vfs) != SQLITE_OK) {
    pen_sql_set_error (db, path, "opening", error);
    sqlite3_close (db);
    return NULL;
  }
  /* Who writes a note keeps readers out for a moment; who reads keeps writers out. */
  sqlite3_busy_timeout (db, BUSY_MS);
  sqlite3_db_config (db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  if (!pen_sql_exec (db, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;", error)) {
    sqlite3_close (db);
    return NULL;
  }
  return db;
}

sqlite3 *
pen_sql_open_stranger (const char *path, int flags, GError **error)
{
  g_autofree char *name = NULL;

  return choose_name (path, &flags, &name, error) ? open_guarded (path, name, flags, NULL, error)
                                                  : NULL;
}

sqlite3 *
pen_sql_open_state (const char *name, GError **error)
{
  return open_guarded (name, name, SQLITE_OPEN_READONLY, pen_page_file_get_vfs (), error);
}

gboolean
pen_sql_exec (sqlite3 *db, const char *sql, GError **error)
{
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) != SQLITE_OK)
    return pen_sql_set_error (db, get_path (db), sql, error);
  return TRUE;
}

/* Another process has begun to write a note, and was killed: one that only reads may not undo that.
 *
 * Returns: TRUE: what has failed can be tried again */
static gboolean
undo_left (sqlite3 *db)
{
  gboolean is_foreign;

  return sqlite3_extended_errcode (db) == SQLITE_READONLY_ROLLBACK
         && pen_journal_settle (get_path (db), &is_foreign, NULL) && !is_foreign;
}

int
pen_sql_step_raw (sqlite3_stmt *statement)
{
  int code = sqlite3_step (statement);

  /* It comes when a statement begins, never in the middle. */
  if ((code & 0xff) == SQLITE_READONLY && undo_left (sqlite3_db_handle (statement))) {
    sqlite3_reset (statement);
    code = sqlite3_step (statement);
  }
  return code;
}

sqlite3_stmt *
pen_sql_prepare (sqlite3 *db, const char *sql, GError **error)
{
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v3 (db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) == SQLITE_OK
      || (undo_left (db)
          && sqlite3_prepare_v3 (db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL)
                 == SQLITE_OK))
    return statement;

  /* A table or column that is missing says that the file is not what its header claims. */
  if ((sqlite3_errcode (db) & 0xff) == SQLITE_ERROR)
    g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED,
                 "“%s” is damaged: %s. Import the capture again.", get_path (db),
                 sqlite3_errmsg (db));
  else
    pen_sql_set_error (db, get_path (db), "preparing a query", error);
  return NULL;
}

PenSqlStep
pen_sql_step (sqlite3_stmt *statement, GError **error)
{
  sqlite3 *db = sqlite3_db_handle (statement);

  switch (pen_sql_step_raw (statement)) {
  case SQLITE_ROW:
    return PEN_SQL_ROW;
  case SQLITE_DONE:
    return PEN_SQL_DONE;
  default:
    pen_sql_set_error (db, get_path (db), "running a query", error);
    return PEN_SQL_FAILED;
  }
}

void
pen_sql_bind_range (sqlite3_stmt *statement, int index, guint64 first, guint64 last)
{
  gboolean crosses = (first >> 63) == 0 && (last >> 63) == 1;

  pen_sql_bind_u64 (statement, index, first);
  pen_sql_bind_u64 (statement, index + 1, crosses ? (guint64) G_MAXINT64 : last);
  /* An empty second range where one is enough. */
  sqlite3_bind_int64 (statement, index + 2, crosses ? G_MININT64 : 1);
  pen_sql_bind_u64 (statement, index + 3, crosses ? last : 0);
}
