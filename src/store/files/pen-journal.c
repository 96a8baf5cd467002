/* pen-journal.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-journal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-late-close.h"
#include "pen-sql.h"

/* Readers hold a store for the length of one question. */
#define BUSY_MS 5000
/* More than a kernel's tick, which is as finely as files' times are kept. */
#define LOOK_AGAIN_US 12000

/* sqlite.org/fileformat2.html: 1.3 the database's header, 3 the rollback journal, 4.1 the log. A
 * journal that ends with the magic number names, before it, a file that is to be removed when the
 * changes of several databases are undone together (pager.c, readSuperJournal()). */
#define HEADER_SIZE 28
#define PAGES_AT 16
#define PAGE_SIZE_AT 24
#define DATABASE_HEADER_SIZE 20
#define DATABASE_PAGE_SIZE_AT 16
#define DATABASE_WRITE_AT 18
#define DATABASE_READ_AT 19
#define WITH_LOG 2

static const guint8 journal_magic[] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };

typedef enum {
  JOURNAL,
  LOG,
  LOG_INDEX,
  KINDS,
} Kind;

static const char *const suffixes[KINDS] = {
  [JOURNAL] = "-journal",
  [LOG] = "-wal",
  [LOG_INDEX] = "-shm",
};

/* Where SQLite looks for a journal: beside the file itself, not beside a link to it. */
static char *
resolve (const char *path)
{
  char *real = realpath (path, NULL);
  char *copy = real ? g_strdup (real) : g_canonicalize_filename (path, NULL);

  free (real);
  return copy;
}

static guint32
get_number (const guint8 *bytes)
{
  guint32 number;

  memcpy (&number, bytes, sizeof number);
  return GUINT32_FROM_BE (number);
}

/* A name of 255 bytes leaves no room for a journal's: so there is none. */
static gboolean
is_absent (int code)
{
  return code == ENOENT || code == ENAMETOOLONG;
}

/* Returns: how many of @n bytes there are at @offset; -1 with errno */
static gssize
read_at (const char *path, goffset offset, guint8 *bytes, gsize n)
{
  int fd = g_open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
  gssize got = fd >= 0 ? pread (fd, bytes, n, offset) : -1;
  int code = errno;

  if (fd >= 0)
    pen_late_close (fd);
  errno = code;
  return got;
}

static gboolean
begins_with (const guint8 *bytes, gsize n, const void *beginning, gsize length)
{
  static const guint8 zeros[sizeof journal_magic];
  gsize common = MIN (n, length);

  return memcmp (bytes, beginning, common) == 0 || memcmp (bytes, zeros, common) == 0;
}

/* Empty ones, and those that begin with zeros, are what a machine that stopped leaves of one, or
 * what SQLite keeps for the next time. */
static gboolean
looks_like (Kind kind, const char *path)
{
  static const guint8 log_magic[] = { 0x37, 0x7f, 0x06 };
  static const guint32 index_version = 3007000;
  guint8 bytes[sizeof journal_magic];
  gssize n = read_at (path, 0, bytes, sizeof bytes);

  if (n < 0)
    return FALSE;

  switch (kind) {
  case JOURNAL:
    return begins_with (bytes, (gsize) n, journal_magic, sizeof journal_magic);
  case LOG:
    return begins_with (bytes, (gsize) n, log_magic, sizeof log_magic);
  case LOG_INDEX:
  case KINDS:
  default:
    return begins_with (bytes, (gsize) n, &index_version, sizeof index_version);
  }
}

/* ---- what lies beside ---- */

typedef enum {
  NOTHING, /* nothing to undo */
  OURS,    /* as a note leaves it */
  FOREIGN,
} Finding;

static gboolean
wants_log (const guint8 *header)
{
  return header[DATABASE_WRITE_AT] == WITH_LOG || header[DATABASE_READ_AT] == WITH_LOG;
}

/* One that fits the database: neither would pages of another size be put into it, nor would it
 * grow. */
static gboolean
fits (const guint8 *header, const char *database, goffset size)
{
  guint8 bytes[DATABASE_HEADER_SIZE];
  guint32 page_size = get_number (header + PAGE_SIZE_AT);
  guint32 pages = get_number (header + PAGES_AT);

  if (page_size < 512 || page_size > 65536 || (page_size & (page_size - 1)) != 0)
    return FALSE;
  /* Nothing was there before. */
  if (pages == 0)
    return TRUE;
  if (read_at (database, 0, bytes, sizeof bytes) != (gssize) sizeof bytes)
    return FALSE;

  guint32 own = (guint32) bytes[DATABASE_PAGE_SIZE_AT] << 8 | bytes[DATABASE_PAGE_SIZE_AT + 1];

  return (own == 1 ? 65536 : own) == page_size && (goffset) pages * page_size <= size;
}

/* Whoever has put a database anywhere may have put a journal beside it, and a link, or a second
 * name of another file, in place of either. */
static Finding
look_at_journal (const char *journal, const char *database, const struct stat *status)
{
  guint8 header[HEADER_SIZE];
  guint8 tail[sizeof journal_magic];
  struct stat own;
  gssize n;

  if (lstat (journal, &own) != 0)
    return is_absent (errno) ? NOTHING : FOREIGN;
  if (!S_ISREG (own.st_mode) || own.st_nlink != 1 || status->st_nlink != 1
      || own.st_uid != status->st_uid)
    return FOREIGN;
  if (own.st_size == 0)
    return NOTHING;
  if (!looks_like (JOURNAL, journal))
    return FOREIGN;

  if (own.st_size >= (goffset) sizeof tail
      && (read_at (journal, own.st_size - (goffset) sizeof tail, tail, sizeof tail)
              != (gssize) sizeof tail
          || (memcmp (tail, journal_magic, sizeof tail) == 0
              && own.st_size > (goffset) sizeof tail)))
    return FOREIGN;

  n = read_at (journal, 0, header, sizeof header);
  if (n < 1)
    return FOREIGN;
  /* SQLite goes by the first byte. */
  if (header[0] == 0)
    return NOTHING;
  if (n == (gssize) sizeof header && !fits (header, database, status->st_size))
    return FOREIGN;
  return OURS;
}

/* A name that is gone has the number 0. */
typedef struct {
  struct {
    dev_t device;
    ino_t number;
    off_t size;
    struct timespec modified;
  } files[1 + KINDS];
} Traces;

static void
take_traces (const char *database, Traces *traces)
{
  memset (traces, 0, sizeof *traces);
  for (guint i = 0; i <= KINDS; i++) {
    g_autofree char *name = g_strconcat (database, i < KINDS ? suffixes[i] : "", NULL);
    struct stat status;

    if (lstat (name, &status) != 0)
      continue;
    traces->files[i].device = status.st_dev;
    traces->files[i].number = status.st_ino;
    traces->files[i].size = status.st_size;
    traces->files[i].modified = status.st_mtim;
  }
}

static Finding
look_once (const char *database)
{
  g_autofree char *journal = g_strconcat (database, suffixes[JOURNAL], NULL);
  g_autofree char *log = g_strconcat (database, suffixes[LOG], NULL);
  guint8 header[DATABASE_HEADER_SIZE];
  struct stat status;

  if (lstat (database, &status) != 0 || !S_ISREG (status.st_mode))
    return FOREIGN;
  /* SQLite takes a log also where the database does not want one. */
  if (lstat (log, &status) == 0)
    return FOREIGN;
  if (lstat (database, &status) != 0
      || (read_at (database, 0, header, sizeof header) == (gssize) sizeof header
          && wants_log (header)))
    return FOREIGN;
  return look_at_journal (journal, database, &status);
}

/* A note that is written meanwhile changes one file after the other, and removes the journal: what
 * was read of them then does not fit together, and is read once more. */
static Finding
look_beside (const char *database)
{
  gint64 until = g_get_monotonic_time () + BUSY_MS * 1000;

  for (;;) {
    Traces before;
    Traces after;
    Finding found;

    take_traces (database, &before);
    found = look_once (database);
    if (found != FOREIGN)
      return found;
    g_usleep (LOOK_AGAIN_US);
    take_traces (database, &after);
    if (memcmp (&before, &after, sizeof before) == 0 || g_get_monotonic_time () > until)
      return FOREIGN;
  }
}

/* ---- undoing ---- */

static gboolean
set_not_undone (const char *database, const char *reason, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
               "A change of “%s” was interrupted, and “%s%s”, which undoes it, cannot be applied: "
               "%s. Copy both files to a folder that you may write to, and open the copy.",
               database, database, suffixes[JOURNAL], reason);
  return FALSE;
}

/* SQLite looks for a journal, and whether its writer lives, when it begins to read. */
static gboolean
undo (const char *database, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (database);
  sqlite3 *db = NULL;
  gboolean is_done;

  if (g_access (database, W_OK) != 0 || g_access (directory, W_OK) != 0)
    return set_not_undone (database, g_strerror (errno), error);

  pen_late_close_hold ();
  is_done
      = sqlite3_open_v2 (database, &db,
                         SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, NULL)
        == SQLITE_OK;
  if (is_done) {
    sqlite3_busy_timeout (db, BUSY_MS);
    is_done = sqlite3_exec (db, "PRAGMA mmap_size = 0; PRAGMA schema_version;", NULL, NULL, NULL)
              == SQLITE_OK;
  }
  if (!is_done)
    set_not_undone (database, sqlite3_errmsg (db), error);
  sqlite3_close (db);
  pen_late_close_release ();
  return is_done;
}

gboolean
pen_journal_settle (const char *path, gboolean *is_foreign, GError **error)
{
  g_autofree char *database = resolve (path);
  Finding found = look_beside (database);

  *is_foreign = found == FOREIGN;
  return found != OURS || undo (database, error);
}

/* ---- names that another file gets ---- */

struct _PenJournalTaken {
  sqlite3 *db; /* NULL: there is none */
};

gboolean
pen_journal_check_place (const char *path, GError **error)
{
  for (Kind kind = 0; kind < KINDS; kind++) {
    g_autofree char *name = g_strconcat (path, suffixes[kind], NULL);
    struct stat status;

    if (lstat (name, &status) != 0)
      continue;
    if (!S_ISREG (status.st_mode) || !looks_like (kind, name)) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
                   "Cannot write “%s”: “%s” beside it would be taken for a part of it. Choose "
                   "another name, or rename that file.",
                   path, name);
      return FALSE;
    }
  }
  return TRUE;
}

/* Returns: FALSE with errno */
static gboolean
sync_directory (const char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);
  int fd = g_open (directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  /* Not every file system can do it. */
  gboolean is_synced = fd >= 0 && (fsync (fd) == 0 || errno == EINVAL);
  int code = errno;

  if (fd >= 0)
    close (fd);
  errno = code;
  return is_synced;
}

/* @is_any: some may have been there */
static gboolean
remove_all (const char *path, gboolean is_any, GError **error)
{
  for (Kind kind = 0; kind < KINDS; kind++) {
    g_autofree char *name = g_strconcat (path, suffixes[kind], NULL);

    if (g_unlink (name) == 0) {
      is_any = TRUE;
    } else if (!is_absent (errno)) {
      int code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "Cannot remove “%s”: %s", name,
                   g_strerror (code));
      return FALSE;
    }
  }
  /* The new file must not get its name on the disk while the journal still has its own there. */
  if (is_any && !sync_directory (path)) {
    int code = errno;

    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
                 "Cannot write the folder of “%s” to the disk: %s", path, g_strerror (code));
    return FALSE;
  }
  return TRUE;
}

/* As one who writes, before the first write: readers go on. */
static sqlite3 *
keep_writers_out (const char *path)
{
  sqlite3 *db = NULL;
  gboolean is_foreign;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || g_file_test (path, G_FILE_TEST_IS_SYMLINK)
      || !pen_journal_settle (path, &is_foreign, NULL) || is_foreign)
    return NULL;
  if (sqlite3_open_v2 (path, &db,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, NULL)
      == SQLITE_OK) {
    sqlite3_busy_timeout (db, BUSY_MS);
    if (sqlite3_exec (db, "PRAGMA mmap_size = 0; BEGIN IMMEDIATE;", NULL, NULL, NULL) == SQLITE_OK)
      return db;
  }
  /* Nobody can write notes into what is no database. */
  sqlite3_close (db);
  return NULL;
}

PenJournalTaken *
pen_journal_take_place (const char *path, GError **error)
{
  PenJournalTaken *self;

  if (!pen_journal_check_place (path, error))
    return NULL;

  self = g_new0 (PenJournalTaken, 1);
  pen_late_close_hold ();
  self->db = keep_writers_out (path);
  /* That a change was undone, or made, just now, the disk need not know yet. */
  if (!remove_all (path, g_file_test (path, G_FILE_TEST_EXISTS), error))
    g_clear_pointer (&self, pen_journal_give_place);
  return self;
}

void
pen_journal_give_place (PenJournalTaken *self)
{
  sqlite3_close (self->db);
  pen_late_close_release ();
  g_free (self);
}

void
pen_journal_remove (const char *path)
{
  if (pen_journal_check_place (path, NULL))
    remove_all (path, FALSE, NULL);
}

char *
pen_journal_get_owner (const char *name)
{
  for (Kind kind = 0; kind < KINDS; kind++)
    if (g_str_has_suffix (name, suffixes[kind]))
      return g_strndup (name, strlen (name) - strlen (suffixes[kind]));
  return NULL;
}
