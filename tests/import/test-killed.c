/* test-killed.c: imports that are killed at any moment, and processes that open one capture at once
 *
 * PENTIMENTO_KILLS=N kills N times instead of a few dozen.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pen-store-samples.h"
#include "test-share.h"

#define SAMPLES 120000u

#define DEFAULT_KILLS TEST_SHARE (48, 6)

static char *program;

static PenTestCapture *
make_capture (void)
{
  static const guint8 nop[] = { 0x90 };
  static const guint8 trap[] = { 0xcc };
  PenTestCapture *capture = import_fixture_make_capture ();

  for (guint i = 0; i < SAMPLES; i++) {
    pen_test_capture_from (capture, 0);
    pen_test_capture_at (capture, 10000 + i, 42, 42, 1);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL + i % 4096, 1);
    if (i % 16 != 0)
      continue;
    pen_test_capture_from (capture, 1);
    pen_test_capture_add_text_poke (capture, KERNEL + i % 4096, nop, 1, trap, 1);
  }
  return capture;
}

static void
write_capture (ImportFixture *fixture)
{
  g_autoptr (PenTestCapture) capture = make_capture ();
  GError *error = NULL;

  pen_test_capture_write (capture, fixture->capture, PEN_TEST_CAPTURE_DIRECTORY, &error);
  g_assert_no_error (error);
}

/* ---- what lies in a directory ---- */

static char *
cache_directory (void)
{
  return g_build_filename (g_get_user_cache_dir (), "pentimento", NULL);
}

/* Every file that does not hide, and is named as stores are, is one, whole, with every sample. */
static void
assert_whole (const char *path)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  GError *error = NULL;
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;
  guint64 samples = 0;
  guint n;

  store = pen_store_open (path, &error);
  g_assert_no_error (error);
  pen_store_get_blocks (store, &n);
  for (guint i = 0; i < n; i++) {
    pen_store_read_block (store, i, block, &error);
    g_assert_no_error (error);
    samples += block->n;
  }
  g_assert_cmpuint (samples, ==, SAMPLES + 10);

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, "PRAGMA integrity_check", -1, &statement, NULL), ==,
                   SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  g_assert_cmpstr ((const char *) sqlite3_column_text (statement, 0), ==, "ok");
  sqlite3_finalize (statement);
  sqlite3_close (db);
}

typedef struct {
  guint stores;
  guint unfinished;
  guint others;
} Found;

static Found
look_into (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;
  Found found = { 0 };

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (directory, name, NULL);

    if (name[0] == '.') {
      g_assert_true (g_str_has_suffix (name, ".part"));
      found.unfinished++;
    } else if (g_str_has_suffix (name, ".pentimento")) {
      assert_whole (path);
      found.stores++;
    } else {
      found.others++;
    }
  }
  return found;
}

/* ---- processes ---- */

static GSubprocess *
start_full (const char *hold, const char *const *words)
{
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDIN_PIPE);
  GError *error = NULL;
  GSubprocess *process;

  if (hold)
    g_subprocess_launcher_setenv (launcher, "IMPORT_PROCESS_HOLD", hold, TRUE);
  process = g_subprocess_launcher_spawnv (launcher, words, &error);
  g_assert_no_error (error);
  return process;
}

static GSubprocess *
start (const char *hold, const char *capture)
{
  const char *words[] = { program, "open", capture, NULL };

  return start_full (hold, words);
}

/* Reads on until the line that begins so; TRUE if it came. Lines that were passed are added to
 * @passed. */
static gboolean
read_until (GSubprocess *process, const char *prefix, GString *passed)
{
  GInputStream *stream = g_subprocess_get_stdout_pipe (process);
  g_autoptr (GString) line = g_string_new (NULL);
  char c;

  while (g_input_stream_read (stream, &c, 1, NULL, NULL) == 1) {
    if (c != '\n') {
      g_string_append_c (line, c);
      continue;
    }
    if (passed)
      g_string_append_printf (passed, "%s\n", line->str);
    if (g_str_has_prefix (line->str, prefix))
      return TRUE;
    g_string_truncate (line, 0);
  }
  return FALSE;
}

static void
let_go (GSubprocess *process)
{
  GOutputStream *stream = g_subprocess_get_stdin_pipe (process);

  g_assert_true (g_output_stream_write_all (stream, "\n", 1, NULL, NULL, NULL));
}

/* To the end. Returns: what it said. */
static char *
finish (GSubprocess *process)
{
  GString *said = g_string_new (NULL);

  read_until (process, "store ", said);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  return g_string_free (said, FALSE);
}

static void
kill_process (GSubprocess *process)
{
  g_subprocess_send_signal (process, SIGKILL);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
}

static gboolean
was_killed (GSubprocess *process)
{
  return g_subprocess_get_if_signaled (process);
}

static gint64
measure_once (ImportFixture *fixture)
{
  g_autofree char *cache = cache_directory ();
  gint64 begun = g_get_monotonic_time ();
  g_autoptr (GSubprocess) process = start (NULL, fixture->capture);
  g_autofree char *said = finish (process);
  gint64 took = g_get_monotonic_time () - begun;

  g_assert_nonnull (strstr (said, "store "));
  import_fixture_remove (cache);
  return took;
}

static guint
get_kills (void)
{
  const char *wanted = g_getenv ("PENTIMENTO_KILLS");

  return wanted ? (guint) MAX (atoi (wanted), 1) : DEFAULT_KILLS;
}

/* How long an import takes here, in µs; the first one has more to do. */
static gint64
measure_import (ImportFixture *fixture)
{
  gint64 first = measure_once (fixture);

  return MIN (first, measure_once (fixture));
}

/* ---- tests ---- */

static void
test_killed_in_cache (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *cache = cache_directory ();
  g_autofree char *interrupted = g_strdup_printf ("note %d\n", PEN_IMPORT_NOTE_INTERRUPTED);
  guint kills = get_kills ();
  guint killed = 0;
  guint left = 0;
  guint told = 0;
  gint64 whole;

  write_capture (fixture);
  whole = measure_import (fixture);
  for (guint i = 0; i < kills; i++) {
    g_autoptr (GSubprocess) victim = start (NULL, fixture->capture);
    g_autoptr (GSubprocess) next = NULL;
    g_autofree char *said = NULL;
    Found found;

    g_usleep ((gulong) (g_test_rand_double () * 1.1 * (double) whole));
    kill_process (victim);
    killed += was_killed (victim);
    found = look_into (cache);
    left += found.unfinished;

    next = start (NULL, fixture->capture);
    said = finish (next);
    g_assert_nonnull (strstr (said, "store "));
    /* What has begun to be written is told of; what was finished is not made again. */
    if (found.unfinished > 0 && found.stores == 0)
      g_assert_nonnull (strstr (said, interrupted));
    if (found.stores > 0)
      g_assert_null (strstr (said, "stage"));
    told += strstr (said, interrupted) != NULL;

    found = look_into (cache);
    g_assert_cmpuint (found.stores, ==, 1);
    g_assert_cmpuint (found.unfinished, ==, 0);
    g_assert_cmpuint (found.others, ==, 0);
    import_fixture_remove (cache);
  }

  g_test_message ("%u of %u were killed in time; %u left a part of a store; %u were told of",
                  killed, kills, left, told);
  g_assert_cmpuint (left, >, 0);
}

/* Where the user named the store: what was there before stays until the new one is whole. */
static void
test_killed_over_store (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  const char *words[] = { program, "import", fixture->capture, fixture->store, NULL };
  GError *error = NULL;
  Found found;
  gint64 whole;

  write_capture (fixture);
  whole = g_get_monotonic_time ();
  pen_import (fixture->capture, fixture->store, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  whole = g_get_monotonic_time () - whole;

  for (guint i = 0; i < get_kills () / 4 + 1; i++) {
    g_autoptr (GSubprocess) victim = start_full (NULL, words);

    g_usleep ((gulong) (g_test_rand_double () * (double) whole));
    kill_process (victim);
    found = look_into (fixture->directory);
    g_assert_cmpuint (found.stores, ==, 1);
  }

  pen_import (fixture->capture, fixture->store, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  found = look_into (fixture->directory);
  g_assert_cmpuint (found.stores, ==, 1);
  g_assert_cmpuint (found.unfinished, ==, 0);
}

/* What a living process is at work on is left alone, by whoever cleans up. */
static void
test_living (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *cache = cache_directory ();
  g_autofree char *other = g_build_filename (fixture->directory, "other.data", NULL);
  g_autofree char *said = NULL;
  g_autofree char *store = NULL;
  g_autoptr (PenTestCapture) small = import_fixture_make_capture ();
  g_autoptr (GSubprocess) process = NULL;
  GError *error = NULL;

  write_capture (fixture);
  pen_test_capture_write (small, other, PEN_TEST_CAPTURE_DIRECTORY, &error);
  g_assert_no_error (error);

  process = start ("3", fixture->capture);
  g_assert_true (read_until (process, "stage 3", NULL));
  store = pen_import_open (other, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_unlink (store), ==, 0);
  g_assert_cmpuint (look_into (cache).unfinished, ==, 1);
  g_assert_cmpuint (look_into (cache).others, ==, 1);

  let_go (process);
  said = finish (process);
  g_assert_nonnull (strstr (said, "store "));
  g_assert_cmpuint (look_into (cache).stores, ==, 1);
  import_fixture_remove (other);
}

/* One imports, the others say that they wait, and read what it has made. */
static void
test_waiting (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GSubprocess) first = NULL;
  g_autoptr (GSubprocess) second = NULL;
  g_autofree char *said = NULL;
  g_autofree char *first_said = NULL;

  write_capture (fixture);
  first = start ("2", fixture->capture);
  g_assert_true (read_until (first, "stage 2", NULL));
  second = start (NULL, fixture->capture);
  g_assert_true (read_until (second, "waiting", NULL));

  let_go (first);
  said = finish (second);
  g_assert_null (strstr (said, "stage"));
  g_assert_null (strstr (said, "note"));
  first_said = finish (first);
  g_assert_nonnull (strstr (first_said, strstr (said, "store ")));
}

/* If the one that imports dies, one of those that wait takes over. */
static void
test_taking_over (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *cache = cache_directory ();
  g_autofree char *interrupted = g_strdup_printf ("note %d\n", PEN_IMPORT_NOTE_INTERRUPTED);
  g_autoptr (GSubprocess) first = NULL;
  GSubprocess *waiting[3];
  guint imported = 0;

  write_capture (fixture);
  first = start ("2", fixture->capture);
  g_assert_true (read_until (first, "stage 2", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (waiting); i++) {
    waiting[i] = start (NULL, fixture->capture);
    g_assert_true (read_until (waiting[i], "waiting", NULL));
  }

  kill_process (first);
  for (guint i = 0; i < G_N_ELEMENTS (waiting); i++) {
    g_autofree char *said = finish (waiting[i]);

    g_assert_nonnull (strstr (said, "store "));
    if (strstr (said, "stage")) {
      imported++;
      g_assert_nonnull (strstr (said, interrupted));
    }
    g_object_unref (waiting[i]);
  }
  g_assert_cmpuint (imported, ==, 1);
  g_assert_cmpuint (look_into (cache).stores, ==, 1);
  g_assert_cmpuint (look_into (cache).unfinished, ==, 0);
  g_assert_cmpuint (look_into (cache).others, ==, 0);
}

static void
cancel_when_waiting (const PenImportProgress *progress, gpointer user_data)
{
  g_assert_true (progress->is_waiting);
  g_cancellable_cancel (user_data);
}

static void
test_cancel_waiting (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GSubprocess) first = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;
  char *store;

  write_capture (fixture);
  first = start ("1", fixture->capture);
  g_assert_true (read_until (first, "stage 1", NULL));
  store = pen_import_open (fixture->capture, NULL, cancel_when_waiting, cancellable, cancellable,
                           &error);
  g_assert_null (store);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  /* Which does not disturb the one that imports. */
  let_go (first);
  said = finish (first);
  g_assert_nonnull (strstr (said, "store "));
}

static void
tear_down (ImportFixture *fixture, gconstpointer data)
{
  g_autofree char *cache = cache_directory ();

  import_fixture_remove (cache);
  import_fixture_tear_down (fixture, data);
}

int
main (int argc, char **argv)
{
  g_autofree char *home = NULL;
  g_autofree char *here = g_path_get_dirname (argv[0]);
  int status;

  /* Each import is synced: in memory, where that is possible. */
  if (!g_getenv ("TMPDIR") && g_access ("/dev/shm", W_OK) == 0)
    g_setenv ("TMPDIR", "/dev/shm", TRUE);
  home = g_dir_make_tmp ("pen-killed-XXXXXX", NULL);
  g_assert_nonnull (home);
  g_setenv ("XDG_CACHE_HOME", home, TRUE);
  signal (SIGPIPE, SIG_IGN);
  program = g_build_filename (here, "import-process", NULL);
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func)                                                                            \
  g_test_add ("/import/killed/" name, ImportFixture, NULL, import_fixture_set_up, func, tear_down)

  ADD ("in-cache", test_killed_in_cache);
  ADD ("over-store", test_killed_over_store);
  ADD ("living", test_living);
  ADD ("waiting", test_waiting);
  ADD ("taking-over", test_taking_over);
  ADD ("cancel-waiting", test_cancel_waiting);

  status = g_test_run ();
  import_fixture_remove (home);
  g_free (program);
  return status;
}
