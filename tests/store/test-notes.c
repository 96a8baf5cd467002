/* test-notes.c: notes in a store, and in a file of their own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-notes.h"
#include "pen-store-occupants.h"
#include "pen-store-verify.h"
#include "store-fixture.h"

static PenNote *
make_note (const char *text, gint64 time, guint64 address)
{
  PenNote *note = pen_note_new ();

  note->text = g_strdup (text);
  note->has_time = time >= 0;
  note->time = (guint64) MAX (time, 0);
  note->has_address = address != 0;
  note->address = address;
  note->written = 1234567;
  return note;
}

static void
put (const char *path, PenNote *note)
{
  GError *error = NULL;

  OK (pen_notes_put (path, note, &error));
  g_assert_cmpint (note->id, >, 0);
}

static void
assert_note (GPtrArray *notes, guint i, const PenNote *expected)
{
  const PenNote *note = notes->pdata[i];

  g_assert_cmpint (note->id, ==, expected->id);
  g_assert_cmpstr (note->text, ==, expected->text);
  g_assert_cmpint (note->has_time, ==, expected->has_time);
  g_assert_cmpuint (note->time, ==, expected->time);
  g_assert_cmpint (note->has_address, ==, expected->has_address);
  g_assert_cmpuint (note->address, ==, expected->address);
  g_assert_cmpint (note->written, ==, expected->written);
}

static void
check_life (const char *path)
{
  g_autoptr (PenNote) line = make_note ("a 'line'; -- of %s", -1, 0xffffffff81000010);
  g_autoptr (PenNote) late = make_note ("späte Zeit", 7000, 0);
  g_autoptr (PenNote) early = make_note ("both", 10, 0xfffffffffffffffe);
  g_autoptr (GPtrArray) notes = NULL;
  GError *error = NULL;

  put (path, line);
  put (path, late);
  put (path, early);
  notes = pen_notes_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (notes->len, ==, 3);
  assert_note (notes, 0, early);
  assert_note (notes, 1, late);
  assert_note (notes, 2, line);

  g_free (late->text);
  late->text = g_strdup ("changed");
  put (path, late);
  OK (pen_notes_remove (path, early->id, &error));
  OK (pen_notes_remove (path, 99, &error));
  g_clear_pointer (&notes, g_ptr_array_unref);
  notes = pen_notes_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (notes->len, ==, 2);
  assert_note (notes, 0, late);
  assert_note (notes, 1, line);
}

static void
add_damage (const char *what, gpointer user_data)
{
  g_string_append_printf (user_data, "%s\n", what);
}

static char *
verify (const char *path)
{
  g_autoptr (PenStore) store = store_fixture_open (path);
  GString *damage = g_string_new (NULL);
  PenVerified verified;
  GError *error = NULL;

  OK (pen_store_verify (store, add_damage, damage, &verified, &error));
  return g_string_free (damage, FALSE);
}

/* The store is as good as before (the fixture's is not in all its parts), and whoever has it open
 * goes on reading. */
static void
test_store (StoreFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenStore) open = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  store_fixture_write (fixture->path);
  before = verify (fixture->path);
  open = store_fixture_open (fixture->path);
  check_life (fixture->path);
  g_assert_nonnull (pen_store_get_fact (open, "complete"));
  after = verify (fixture->path);
  g_assert_cmpstr (after, ==, before);
}

static void
test_file (StoreFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (fixture->directory, "notes", "x.notes", NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GPtrArray) none = NULL;
  struct stat status;
  GError *error = NULL;

  none = pen_notes_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  check_life (path);
  /* They are for the user alone, and SQLite does not see to that. */
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
  g_assert_cmpint (g_stat (folder, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0700);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_read_only (StoreFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenNote) note = make_note ("text", 1, 0);
  g_autoptr (GError) error = NULL;

  if (geteuid () == 0) {
    g_test_skip ("root may write to everything");
    return;
  }
  store_fixture_write (fixture->path);
  g_chmod (fixture->path, 0400);
  g_assert_false (pen_notes_put (fixture->path, note, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY);
  g_assert_nonnull (strstr (error->message, fixture->path));
}

static void
assert_refused (const char *path)
{
  g_autoptr (PenNote) note = make_note ("text", 1, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) reading = NULL;

  g_assert_false (pen_notes_put (path, note, &error));
  g_assert_nonnull (error);
  g_assert_null (pen_notes_load (path, &reading));
  g_assert_nonnull (reading);
}

/* Nothing is written into what is no store, nor where a trigger would act. */
static void
test_refused (StoreFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  g_assert_true (g_file_set_contents (fixture->path, "some text, and more of it", -1, NULL));
  assert_refused (fixture->path);
  g_assert_true (g_file_get_contents (fixture->path, &before, NULL, NULL));
  g_assert_cmpstr (before, ==, "some text, and more of it");
  g_unlink (fixture->path);

  store_fixture_write (fixture->path);
  store_fixture_change (fixture->path, "PRAGMA user_version = 5");
  assert_refused (fixture->path);
  g_unlink (fixture->path);

  store_fixture_write (fixture->path);
  store_fixture_change (fixture->path, "CREATE TRIGGER t AFTER INSERT ON note BEGIN DELETE FROM "
                                       "capture; END");
  assert_refused (fixture->path);
}

static void
test_long_text (StoreFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *text = g_malloc0 (3 * PEN_NOTE_TEXT_MAX + 1);
  g_autoptr (PenNote) note = NULL;
  g_autoptr (GPtrArray) notes = NULL;
  GError *error = NULL;
  gsize length;

  for (guint i = 0; i < PEN_NOTE_TEXT_MAX; i++)
    memcpy (text + 3 * i, "€", 3);
  note = make_note (text, 1, 0);
  store_fixture_write (fixture->path);
  put (fixture->path, note);
  notes = pen_notes_load (fixture->path, &error);
  g_assert_no_error (error);
  length = strlen (((PenNote *) notes->pdata[0])->text);
  g_assert_cmpuint (length, <=, PEN_NOTE_TEXT_MAX);
  g_assert_cmpuint (length, >, PEN_NOTE_TEXT_MAX - 4);
  g_assert_true (g_utf8_validate (((PenNote *) notes->pdata[0])->text, -1, NULL));
}

/* A name may be longer than one that leaves room for a journal's. */
static void
test_long_name (StoreFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (guint length = 246; length <= 249; length++) {
    g_autofree char *name = g_strnfill (length, 'n');
    g_autofree char *path = g_build_filename (fixture->directory, name, NULL);
    g_autoptr (PenNote) note = make_note ("text", 1, 0);
    g_autoptr (GPtrArray) notes = NULL;
    GError *error = NULL;

    store_fixture_write (path);
    if (length <= 247) {
      put (path, note);
    } else {
      g_assert_false (pen_notes_put (path, note, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FILENAME_TOO_LONG);
      g_clear_error (&error);
    }
    notes = pen_notes_load (path, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (notes->len, ==, length <= 247);
    g_unlink (path);
  }
}

/* ---- beside a question of many reads ---- */

static gpointer
write_note (gpointer path)
{
  g_autoptr (PenNote) note = make_note ("meanwhile", -1, 0);

  put (path, note);
  return NULL;
}

static void
read_some (PenStore *store)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) spaces = pen_store_load_spaces (store, &error);

  g_assert_no_error (error);
  g_assert_nonnull (spaces);
}

/* Who reads for long lets go of the file now and then, also where it was cancelled: a note gets in.
 */
static void
test_beside_reading (StoreFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GPtrArray) notes = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GThread) writer = NULL;
  gint64 end = g_get_monotonic_time () + 2 * G_USEC_PER_SEC;
  GError *error = NULL;

  store_fixture_write (fixture->path);
  store = store_fixture_open (fixture->path);
  OK (pen_store_begin_reading (store, &error));
  OK (pen_store_begin_reading (store, &error));
  read_some (store);
  writer = g_thread_new ("writer", write_note, fixture->path);
  while (g_get_monotonic_time () < end) {
    OK (pen_store_goes_on (store, &error));
    read_some (store);
    g_usleep (10000);
  }
  g_thread_join (g_steal_pointer (&writer));
  notes = pen_notes_load (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (notes->len, ==, 1);
  pen_store_end_reading (store);
  pen_store_set_cancellable (store, cancellable);
  g_cancellable_cancel (cancellable);
  g_assert_false (pen_store_goes_on (store, NULL));
  pen_store_end_reading (store);
  pen_store_set_cancellable (store, NULL);
  write_note (fixture->path);
  OK (pen_store_begin_reading (store, &error));
  read_some (store);
  pen_store_end_reading (store);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*test) (StoreFixture *, gconstpointer);
  } tests[] = {
    { "/notes/store", test_store },
    { "/notes/file", test_file },
    { "/notes/read-only", test_read_only },
    { "/notes/refused", test_refused },
    { "/notes/long-text", test_long_text },
    { "/notes/long-name", test_long_name },
    { "/notes/beside-reading", test_beside_reading },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, StoreFixture, NULL, store_fixture_set_up, tests[i].test,
                store_fixture_tear_down);
  return g_test_run ();
}
