/* test-journal.c: stores with which someone was at work when he, or the machine, was stopped
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pen-journal.h"
#include "pen-late-close.h"
#include "pen-notes.h"
#include "store-fixture.h"

/* ---- interrupted changes ---- */

static void
exec (sqlite3 *db, const char *sql)
{
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
}

/* In a process of its own, which ends in the middle: its pages are in the file, and the old ones in
 * the journal. */
static void
interrupt (const char *path, const char *sql)
{
  pid_t child = fork ();
  int status;

  if (child == 0) {
    sqlite3 *db = NULL;

    g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
    exec (db, "BEGIN");
    exec (db, sql);
    g_assert_cmpint (sqlite3_db_cacheflush (db), ==, SQLITE_OK);
    _exit (0);
  }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
}

#define INSERT "INSERT INTO note (text, written) VALUES (printf ('%.20000c', 'x'), 1)"

static char *
beside (const char *path, const char *suffix)
{
  return g_strconcat (path, suffix, NULL);
}

static gboolean
exists (const char *path)
{
  return g_file_test (path, G_FILE_TEST_IS_SYMLINK) || g_file_test (path, G_FILE_TEST_EXISTS);
}

static GBytes *
read_file (const char *path)
{
  char *bytes;
  gsize n;
  GError *error = NULL;

  OK (g_file_get_contents (path, &bytes, &n, &error));
  return g_bytes_new_take (bytes, n);
}

static void
write_file (const char *path, GBytes *bytes)
{
  GError *error = NULL;

  OK (g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes),
                           &error));
}

static void
put (const char *path, GError **error)
{
  g_autoptr (PenNote) note = pen_note_new ();

  note->text = g_strdup ("text");
  if (pen_notes_put (path, note, error))
    g_assert_cmpint (note->id, >, 0);
}

static guint
count_notes (const char *path)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) notes = pen_notes_load (path, &error);

  g_assert_no_error (error);
  return notes->len;
}

/* ---- undone ---- */

static void
open_store (const char *path)
{
  g_autoptr (PenStore) store = store_fixture_open (path);

  g_assert_cmpstr (pen_store_get_fact (store, "complete"), ==, "1");
}

static void
load_notes (const char *path)
{
  g_assert_cmpuint (count_notes (path), ==, 1);
}

static void
test_undone (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static void (*const ways[]) (const char *) = { open_store, load_notes };
  g_autofree char *journal = beside (fixture->path, "-journal");
  g_autoptr (GBytes) before = NULL;
  GError *error = NULL;

  store_fixture_write (fixture->path);
  put (fixture->path, &error);
  g_assert_no_error (error);
  before = read_file (fixture->path);
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    g_autoptr (GBytes) between = NULL;
    g_autoptr (GBytes) after = NULL;

    interrupt (fixture->path, INSERT);
    between = read_file (fixture->path);
    g_assert_false (g_bytes_equal (before, between));
    g_assert_true (exists (journal));
    ways[i](fixture->path);
    after = read_file (fixture->path);
    g_assert_true (g_bytes_equal (before, after));
    g_assert_false (exists (journal));
  }

  interrupt (fixture->path, INSERT);
  put (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_notes (fixture->path), ==, 2);
  open_store (fixture->path);
}

/* Whoever has it open goes on, though another is killed. */
static void
test_open (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *journal = beside (fixture->path, "-journal");
  g_autoptr (PenStore) store = NULL;
  GError *error = NULL;

  store_fixture_write (fixture->path);
  store = store_fixture_open (fixture->path);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GPtrArray) counts = NULL;

    interrupt (fixture->path, INSERT);
    g_assert_true (exists (journal));
    counts = pen_store_load_record_counts (store, &error);
    g_assert_no_error (error);
    g_assert_nonnull (counts);
    g_assert_false (exists (journal));
  }
}

/* One that is written right now is left alone. */
static void
test_living (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *journal = beside (fixture->path, "-journal");
  sqlite3 *db = NULL;

  store_fixture_write (fixture->path);
  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  exec (db, "BEGIN IMMEDIATE; INSERT INTO note (text, written) VALUES ('x', 1)");
  g_assert_true (exists (journal));
  g_assert_cmpuint (count_notes (fixture->path), ==, 0);
  open_store (fixture->path);
  g_assert_true (exists (journal));
  exec (db, "COMMIT");
  sqlite3_close (db);
  g_assert_cmpuint (count_notes (fixture->path), ==, 1);
}

/* The byte that one who writes has locked (sqlite.org/fileformat2.html, 1.4). */
#define RESERVED_BYTE 0x40000001

/* As another process sees it. */
static gboolean
is_locked (const char *path)
{
  pid_t child = fork ();
  int status;

  if (child == 0) {
    struct flock lock
        = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = RESERVED_BYTE, .l_len = 1 };
    int fd = g_open (path, O_RDWR, 0);

    g_assert_cmpint (fcntl (fd, F_GETLK, &lock), ==, 0);
    _exit (lock.l_type == F_UNLCK ? 0 : 1);
  }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  return status != 0;
}

/* Whatever another thread does with the file meanwhile. */
static void
test_locked (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  sqlite3 *db = NULL;

  store_fixture_write (fixture->path);
  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  for (guint i = 0; i < 2; i++) {
    pen_late_close_hold ();
    exec (db, "BEGIN IMMEDIATE; INSERT INTO note (text, written) VALUES ('x', 1)");
    g_assert_true (is_locked (fixture->path));
    g_assert_true (pen_store_is_store (fixture->path));
    open_store (fixture->path);
    g_assert_cmpuint (count_notes (fixture->path), ==, i);
    g_assert_true (is_locked (fixture->path));
    exec (db, "COMMIT");
    pen_late_close_release ();
    g_assert_false (is_locked (fixture->path));
  }
  sqlite3_close (db);
}

static void
test_not_undone (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) reading = NULL;

  if (geteuid () == 0) {
    g_test_skip ("root may write to everything");
    return;
  }
  store_fixture_write (fixture->path);
  interrupt (fixture->path, INSERT);
  g_chmod (fixture->directory, 0500);
  g_assert_null (pen_store_open (fixture->path, &error));
  g_assert_null (pen_notes_load (fixture->path, &reading));
  g_chmod (fixture->directory, 0700);
  g_assert_nonnull (strstr (error->message, "-journal"));
  g_assert_nonnull (strstr (reading->message, "-journal"));
  open_store (fixture->path);
}

/* The file of notes is there from its first note on, or not at all. */
static void
test_making_notes (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->directory, "x.notes", NULL);
  GError *error = NULL;

  interrupt (path,
             "PRAGMA application_id = 1346719310; CREATE TABLE note (id INTEGER PRIMARY KEY)");
  g_assert_cmpuint (count_notes (path), ==, 0);
  interrupt (path, "CREATE TABLE note (id INTEGER PRIMARY KEY)");
  put (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_notes (path), ==, 1);
  g_unlink (path);

  OK (g_file_set_contents (path, "", 0, &error));
  g_assert_cmpuint (count_notes (path), ==, 0);
  put (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_notes (path), ==, 1);
  g_unlink (path);
}

/* ---- forged ---- */

static void
append_number (GByteArray *bytes, guint32 number)
{
  guint32 big = GUINT32_TO_BE (number);

  g_byte_array_append (bytes, (const guint8 *) &big, sizeof big);
}

/* As when two databases were changed together: SQLite removes @victim, once it has undone the
 * change, as it is not a list of journals of which one is still there. */
static GBytes *
name_in_journal (GBytes *journal, const char *victim)
{
  static const guint8 magic[] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };
  GByteArray *bytes = g_byte_array_new ();
  guint32 sum = 0;

  for (const char *p = victim; *p != '\0'; p++)
    sum += (guint32) *p;
  g_byte_array_append (bytes, g_bytes_get_data (journal, NULL), (guint) g_bytes_get_size (journal));
  append_number (bytes, 0x40000000 / 16384 + 1);
  g_byte_array_append (bytes, (const guint8 *) victim, (guint) strlen (victim));
  append_number (bytes, (guint32) strlen (victim));
  append_number (bytes, sum);
  g_byte_array_append (bytes, magic, sizeof magic);
  return g_byte_array_free_to_bytes (bytes);
}

static void
assert_read_only (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) before = read_file (path);
  g_autoptr (GBytes) after = NULL;

  open_store (path);
  count_notes (path);
  put (path, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY);
  g_assert_nonnull (strstr (error->message, path));
  after = read_file (path);
  g_assert_true (g_bytes_equal (before, after));
}

static void
test_forged_journal (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *journal = beside (fixture->path, "-journal");
  g_autofree char *victim = g_build_filename (fixture->directory, "victim", NULL);
  g_autoptr (GBytes) own = NULL;
  g_autoptr (GBytes) forged = NULL;
  g_autoptr (GBytes) kept = NULL;
  GError *error = NULL;
  sqlite3 *db = NULL;

  store_fixture_write (fixture->path);
  interrupt (fixture->path, "UPDATE event SET name = 'x'");
  own = read_file (journal);
  forged = name_in_journal (own, victim);
  write_file (journal, forged);
  OK (g_file_set_contents (victim, "dear to somebody", -1, &error));

  assert_read_only (fixture->path);
  kept = read_file (journal);
  g_assert_true (g_bytes_equal (forged, kept));
  g_assert_true (exists (victim));

  /* So it is not for nothing. */
  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  exec (db, "SELECT * FROM note");
  sqlite3_close (db);
  g_assert_false (exists (victim));
}

/* Neither is gone through a link. */
static void
test_links (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const suffixes[] = { "-journal", "-wal" };
  g_autofree char *elsewhere = g_build_filename (fixture->directory, "elsewhere", NULL);
  g_autofree char *journal = beside (fixture->path, "-journal");
  g_autoptr (GBytes) before = NULL;
  g_autoptr (GBytes) after = NULL;

  store_fixture_write (fixture->path);
  interrupt (fixture->path, "UPDATE event SET name = 'x'");
  g_assert_cmpint (g_rename (journal, elsewhere), ==, 0);
  before = read_file (elsewhere);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++) {
    g_autofree char *name = beside (fixture->path, suffixes[i]);

    g_assert_cmpint (symlink (elsewhere, name), ==, 0);
    assert_read_only (fixture->path);
    g_assert_cmpint (g_unlink (name), ==, 0);
    g_assert_cmpint (link (elsewhere, name), ==, 0);
    assert_read_only (fixture->path);
    g_assert_cmpint (g_unlink (name), ==, 0);
  }
  after = read_file (elsewhere);
  g_assert_true (g_bytes_equal (before, after));
  g_unlink (elsewhere);
}

/* One that wants a log gets none, and one that lies there is not looked at. */
static void
test_log (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *log = beside (fixture->path, "-wal");
  g_autofree char *kept = g_build_filename (fixture->directory, "kept", NULL);
  sqlite3 *db = NULL;

  store_fixture_write (fixture->path);
  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  exec (db, "PRAGMA journal_mode = WAL");
  sqlite3_close (db);
  g_assert_cmpuint (store_fixture_count_files (fixture->directory), ==, 1);
  assert_read_only (fixture->path);
  g_assert_cmpuint (store_fixture_count_files (fixture->directory), ==, 1);

  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  exec (db, "DELETE FROM capture");
  g_assert_cmpint (link (log, kept), ==, 0);
  sqlite3_close (db);
  g_unlink (fixture->path);
  store_fixture_write (fixture->path);
  g_assert_cmpint (g_rename (kept, log), ==, 0);
  assert_read_only (fixture->path);
  g_assert_cmpuint (store_fixture_count_files (fixture->directory), ==, 2);
  g_unlink (log);
}

/* ---- another file under the name ---- */

/* In place of what has the name. */
static void
write_over (const char *path)
{
  GError *error = NULL;
  g_autoptr (PenStoreWriter) writer = pen_store_writer_new (path, 0666, NULL, &error);

  g_assert_no_error (error);
  store_fixture_write_history (writer);
  OK (pen_store_writer_finish (writer, &error));
}

static void
test_replaced (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const suffixes[] = { "-journal", "-wal", "-shm" };
  g_autofree char *journal = beside (fixture->path, "-journal");
  g_autoptr (GBytes) fresh = NULL;
  g_autoptr (GBytes) after = NULL;
  sqlite3 *db = NULL;

  write_over (fixture->path);
  fresh = read_file (fixture->path);
  for (guint i = 0; i < 2; i++) {
    interrupt (fixture->path, "UPDATE event SET name = 'x'; " INSERT);
    /* There is a file of the name, or none. */
    if (i == 1)
      g_assert_cmpint (g_unlink (fixture->path), ==, 0);
    write_over (fixture->path);
    g_assert_false (exists (journal));
    open_store (fixture->path);
    after = read_file (fixture->path);
    g_assert_true (g_bytes_equal (fresh, after));
    g_clear_pointer (&after, g_bytes_unref);
  }

  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  exec (db, "PRAGMA journal_mode = WAL; DELETE FROM capture");
  write_over (fixture->path);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++) {
    g_autofree char *name = beside (fixture->path, suffixes[i]);

    g_assert_false (exists (name));
  }
  sqlite3_close (db);
  open_store (fixture->path);
}

/* What somebody has named so, and is none of SQLite's, is not removed for a name. */
static void
test_diary (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *diary = beside (fixture->path, "-journal");
  g_autoptr (GError) error = NULL;
  g_autoptr (PenStoreWriter) writer = NULL;

  g_assert_true (g_file_set_contents (diary, "Dear diary", -1, NULL));
  writer = pen_store_writer_new (fixture->path, 0666, NULL, &error);
  g_assert_null (writer);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
  g_assert_nonnull (strstr (error->message, diary));
  g_assert_true (exists (diary));
  g_unlink (diary);

  store_fixture_write (fixture->path);
  g_assert_true (g_file_set_contents (diary, "Dear diary", -1, NULL));
  assert_read_only (fixture->path);
  g_assert_true (exists (diary));
  g_unlink (diary);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*test) (StoreFixture *, gconstpointer);
  } tests[] = {
    { "/journal/undone", test_undone },
    { "/journal/open", test_open },
    { "/journal/living", test_living },
    { "/journal/locked", test_locked },
    { "/journal/not-undone", test_not_undone },
    { "/journal/making-notes", test_making_notes },
    { "/journal/forged", test_forged_journal },
    { "/journal/links", test_links },
    { "/journal/log", test_log },
    { "/journal/replaced", test_replaced },
    { "/journal/diary", test_diary },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, StoreFixture, NULL, store_fixture_set_up, tests[i].test,
                store_fixture_tear_down);
  return g_test_run ();
}
