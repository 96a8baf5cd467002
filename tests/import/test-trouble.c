/* test-trouble.c: disks that are full, caches that cannot be written, stores of other versions,
 * damaged ones, streams
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define VERSION_AT 60

typedef struct {
  guint imports;
  guint32 notes;
  PenImportStage stage; /* told last */
} Seen;

static void
see (const PenImportProgress *progress, gpointer user_data)
{
  Seen *seen = user_data;

  /* On a busy machine, a stage is told of more than once. */
  seen->imports += progress->stage == PEN_IMPORT_HISTORY && seen->stage != PEN_IMPORT_HISTORY;
  seen->stage = progress->stage;
  seen->notes |= progress->notes;
}

static char *
cache_directory (void)
{
  return g_build_filename (g_get_user_cache_dir (), "pentimento", NULL);
}

static void
write_capture (ImportFixture *fixture, guint samples)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  GError *error = NULL;

  pen_test_capture_from (capture, 0);
  for (guint i = 0; i < samples; i++) {
    pen_test_capture_at (capture, 7000 + i * 7919 % 65536, 42, 42, 1);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL + i * 31 % 8192, 1 + i % 1000);
  }
  pen_test_capture_write (capture, fixture->capture, PEN_TEST_CAPTURE_DIRECTORY, &error);
  g_assert_no_error (error);
}

/* A file system of our own, of @size bytes; NULL says why not. */
static const char *
mount_small (const char *path, gsize size)
{
  g_autofree char *options = g_strdup_printf ("size=%" G_GSIZE_FORMAT, size);

  if (geteuid () != 0)
    return "only root may mount a small file system";
  if (unshare (CLONE_NEWNS) != 0 || mount ("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
    return "no mounts of one's own here";
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  if (mount ("small", path, "tmpfs", 0, options) != 0)
    return "no small file system here";
  return NULL;
}

static void
assert_says (const GError *error, const char *words)
{
  if (!strstr (error->message, words))
    g_error ("“%s” is not in: %s", words, error->message);
}

/* ---- disks ---- */

static void
test_disk_full (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *small = g_build_filename (fixture->directory, "small", NULL);
  g_autofree char *store = g_build_filename (small, "a.pentimento", NULL);
  guint refused = 0;
  gboolean is_done = FALSE;

  write_capture (fixture, 40000);
  for (gsize size = 65536; !is_done; size *= 2) {
    g_autofree char *left = NULL;
    g_autoptr (GError) error = NULL;
    const char *reason = mount_small (small, size);

    if (reason) {
      g_test_skip (reason);
      return;
    }
    g_assert_cmpuint (size, <, 1u << 30);
    is_done = pen_import (fixture->capture, store, NULL, NULL, NULL, NULL, &error);
    left = import_fixture_list (small);
    if (!is_done) {
      refused++;
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
      assert_says (error, small);
      g_assert_cmpstr (left, ==, "");
    } else {
      g_assert_cmpstr (left, ==, "a.pentimento");
    }
    g_assert_cmpint (umount (small), ==, 0);
  }
  g_assert_cmpuint (refused, >, 1);
}

static void
fill_up (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "filler", NULL);
  int fd = g_open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  char zeros[4096] = { 0 };

  while (write (fd, zeros, sizeof zeros) > 0)
    ;
  g_assert_cmpint (errno, ==, ENOSPC);
  close (fd);
}

/* What was there before is there afterwards. */
static void
test_disk_full_over_store (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *small = g_build_filename (fixture->directory, "small", NULL);
  g_autofree char *store = g_build_filename (small, "a.pentimento", NULL);
  g_autoptr (PenStore) opened = NULL;
  g_autoptr (GError) error = NULL;
  const char *reason = mount_small (small, 2 << 20);

  if (reason) {
    g_test_skip (reason);
    return;
  }
  write_capture (fixture, 0);
  pen_import (fixture->capture, store, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  fill_up (small);
  g_assert_false (pen_import (fixture->capture, store, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);

  opened = pen_store_open (store, NULL);
  g_assert_nonnull (opened);
  g_assert_cmpint (pen_store_get_fact_int (opened, "samples", -1), ==, 10);
  g_clear_object (&opened);
  g_assert_cmpint (umount (small), ==, 0);
}

/* Another limit that files run into. */
static void
test_size_limit (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *left = NULL;
  g_autoptr (GError) error = NULL;
  struct rlimit before;
  struct rlimit limit;

  write_capture (fixture, 40000);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  limit = before;
  limit.rlim_cur = 100000;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_false (pen_import (fixture->capture, fixture->store, NULL, NULL, NULL, NULL, &error));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  signal (SIGXFSZ, SIG_DFL);

  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  assert_says (error, "limit on sizes");
  assert_says (error, fixture->directory);
  left = import_fixture_list (fixture->directory);
  g_assert_cmpstr (left, ==, "perf.data");
}

static void
test_read_only_cache (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *cache = cache_directory ();
  g_autofree char *store = NULL;
  g_autoptr (GError) error = NULL;
  const char *reason;

  write_capture (fixture, 0);
  reason = mount_small (cache, 1 << 20);
  if (!reason && mount (NULL, cache, NULL, MS_REMOUNT | MS_RDONLY, NULL) != 0)
    reason = "no file system is made read-only here";
  if (reason && geteuid () != 0) {
    /* For others, a mode is enough. */
    reason = NULL;
    g_assert_cmpint (g_mkdir_with_parents (cache, 0700), ==, 0);
    g_assert_cmpint (g_chmod (cache, 0500), ==, 0);
  }
  if (reason) {
    g_test_skip (reason);
    return;
  }

  g_test_expect_message (NULL, G_LOG_LEVEL_MESSAGE, "Cannot use*as a cache*");
  store = pen_import_open (fixture->capture, NULL, NULL, NULL, NULL, &error);
  g_test_assert_expected_messages ();
  g_assert_no_error (error);
  g_assert_false (g_str_has_prefix (store, cache));
  g_assert_cmpint (g_unlink (store), ==, 0);
  if (geteuid () == 0)
    g_assert_cmpint (umount (cache), ==, 0);
  else
    g_assert_cmpint (g_chmod (cache, 0700), ==, 0);
}

/* ---- stores ---- */

static void
set_version (const char *path, guint32 version)
{
  guint32 number = GUINT32_TO_BE (version);
  int fd = g_open (path, O_WRONLY | O_CLOEXEC, 0);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (pwrite (fd, &number, sizeof number, VERSION_AT), ==, sizeof number);
  close (fd);
}

static char *
get_sum (const char *path)
{
  g_autofree char *bytes = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) bytes, n);
}

static void
test_newer_store (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *left = NULL;
  g_autoptr (GError) error = NULL;

  write_capture (fixture, 0);
  g_assert_true (pen_import (fixture->capture, fixture->store, NULL, NULL, NULL, NULL, NULL));
  set_version (fixture->store, PEN_STORE_VERSION + 1);
  before = get_sum (fixture->store);

  g_assert_null (pen_import_open_store (fixture->store, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_NEWER);
  assert_says (error, fixture->store);
  assert_says (error, "newer Pentimento");
  g_clear_error (&error);

  g_assert_false (pen_import (fixture->capture, fixture->store, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_NEWER);
  assert_says (error, fixture->store);
  after = get_sum (fixture->store);
  g_assert_cmpstr (before, ==, after);
  left = import_fixture_list (fixture->directory);
  g_assert_cmpstr (left, ==, "perf.data store.pentimento");

  /* One of an older version can be made again. */
  set_version (fixture->store, PEN_STORE_VERSION - 1);
  g_assert_true (pen_import (fixture->capture, fixture->store, NULL, NULL, NULL, NULL, NULL));
}

static char *
open_capture (ImportFixture *fixture, Seen *seen)
{
  GError *error = NULL;
  char *store = pen_import_open (fixture->capture, NULL, see, seen, NULL, &error);

  g_assert_no_error (error);
  return store;
}

/* What another version of the program has in the cache has another name there. */
static char *
rename_as_version (const char *store, guint32 version)
{
  const char *dash = strrchr (store, '-');
  char *other = g_strdup_printf ("%.*s-%032x.pentimento", (int) (dash - store), store, version);

  g_assert_cmpint (g_rename (store, other), ==, 0);
  set_version (other, version);
  return other;
}

static void
test_other_versions_in_cache (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  g_autofree char *older = NULL;
  g_autofree char *newer = NULL;
  Seen seen = { 0 };

  write_capture (fixture, 0);
  first = open_capture (fixture, &seen);
  g_assert_cmpuint (seen.notes, ==, 0);
  older = rename_as_version (first, PEN_STORE_VERSION - 1);
  second = open_capture (fixture, &seen);
  g_assert_cmpuint (seen.imports, ==, 2);
  g_assert_cmpuint (seen.notes, ==, 1u << PEN_IMPORT_NOTE_OTHER_VERSION);
  g_assert_false (g_file_test (older, G_FILE_TEST_EXISTS));

  /* The newer one may have its own use of it. */
  newer = rename_as_version (second, PEN_STORE_VERSION + 1);
  seen.notes = 0;
  third = open_capture (fixture, &seen);
  g_assert_cmpuint (seen.imports, ==, 3);
  g_assert_cmpuint (seen.notes, ==, 0);
  g_assert_true (g_file_test (newer, G_FILE_TEST_EXISTS));
}

static void
damage (const char *path, guint how)
{
  static const char garbage[300] = "garbage";
  struct stat status;
  int fd;

  g_assert_cmpint (stat (path, &status), ==, 0);
  fd = g_open (path, O_WRONLY | O_CLOEXEC, 0);
  g_assert_cmpint (fd, >=, 0);
  switch (how) {
  case 0: /* cut */
    g_assert_cmpint (ftruncate (fd, status.st_size / 2), ==, 0);
    break;
  case 1: /* emptied */
    g_assert_cmpint (ftruncate (fd, 0), ==, 0);
    break;
  case 2: /* its list of tables */
    g_assert_cmpint (pwrite (fd, garbage, sizeof garbage, 100), ==, sizeof garbage);
    break;
  default: /* all of it */
    for (off_t at = 0; at < status.st_size; at += sizeof garbage)
      g_assert_cmpint (pwrite (fd, garbage, sizeof garbage, at), ==, sizeof garbage);
    break;
  }
  close (fd);
}

static void
test_damaged (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  write_capture (fixture, 1000);
  for (guint how = 0; how < 4; how++) {
    g_autofree char *cached = NULL;
    g_autofree char *again = NULL;
    g_autoptr (GError) error = NULL;
    g_autoptr (PenStore) store = NULL;
    Seen seen = { 0 };

    cached = open_capture (fixture, &seen);
    damage (cached, how);
    seen = (Seen){ 0 };
    again = open_capture (fixture, &seen);
    g_assert_cmpstr (again, ==, cached);
    g_assert_cmpuint (seen.imports, ==, 1);
    g_assert_cmpuint (seen.notes, ==, 1u << PEN_IMPORT_NOTE_DAMAGED);

    /* The user's own is never replaced behind their back. */
    g_assert_true (pen_import (fixture->capture, fixture->store, NULL, NULL, NULL, NULL, NULL));
    damage (fixture->store, how);
    store = pen_import_open_store (fixture->store, NULL, NULL, NULL, NULL, &error);
    g_assert_null (store);
    g_assert_nonnull (error);
    assert_says (error, fixture->store);
    if (how == 0 || how == 2)
      g_assert_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED);
  }
}

/* ---- streams ---- */

static gpointer
write_into_fifo (gpointer user_data)
{
  ImportFixture *fixture = user_data;
  g_autofree char *fifo = g_build_filename (fixture->directory, "fifo", NULL);
  g_autofree char *bytes = NULL;
  int fd;
  gsize n;

  g_assert_true (g_file_get_contents (fixture->capture, &bytes, &n, NULL));
  fd = g_open (fifo, O_WRONLY | O_CLOEXEC, 0);
  for (gsize at = 0; at < n;) {
    gssize written = write (fd, bytes + at, n - at);

    g_assert_cmpint (written, >, 0);
    at += (gsize) written;
  }
  close (fd);
  return NULL;
}

/* Each is another recording, though it has the same name. */
static void
test_fifo (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *fifo = g_build_filename (fixture->directory, "fifo", NULL);
  g_autofree char *temporary = g_build_filename (fixture->directory, "tmp", NULL);
  g_autofree char *left = g_build_filename (temporary, "pentimento-stream-AbCdEf", NULL);
  g_autofree char *part = g_build_filename (left, ".stream.pentimento.0123abcd.part", NULL);
  g_autofree char *cache = cache_directory ();
  g_autofree char *before = g_strdup (g_getenv ("TMPDIR"));
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_null (pen_import_open (fifo, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_clear_error (&error);
  g_assert_null (pen_import_open ("-", NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_clear_error (&error);

  /* As one that was killed has left it. */
  g_assert_cmpint (g_mkdir_with_parents (left, 0700), ==, 0);
  g_assert_true (g_file_set_contents (part, "SQLite", -1, NULL));
  g_setenv ("TMPDIR", temporary, TRUE);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
    g_autoptr (PenStore) store = NULL;
    g_autofree char *names = NULL;
    GThread *thread;

    pen_test_capture_from (capture, 0);
    for (guint k = 0; k < i; k++) {
      pen_test_capture_at (capture, 7000 + k, 42, 42, 1);
      pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL, 1);
    }
    import_fixture_remove (fixture->capture);
    g_assert_true (pen_test_capture_write (capture, fixture->capture, PEN_TEST_CAPTURE_PIPE, NULL));
    thread = g_thread_new ("writer", write_into_fifo, fixture);
    store = pen_import_open_store (fifo, NULL, NULL, NULL, NULL, &error);
    g_assert_no_error (error);
    g_thread_join (thread);
    g_assert_cmpint (pen_store_get_fact_int (store, "samples", -1), ==, 10 + i);
    names = import_fixture_list (temporary);
    g_assert_cmpstr (names, ==, "");
  }
  g_assert_false (g_file_test (cache, G_FILE_TEST_EXISTS));

  if (before)
    g_setenv ("TMPDIR", before, TRUE);
  else
    g_unsetenv ("TMPDIR");
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
  g_autofree char *home = g_dir_make_tmp ("pen-trouble-XXXXXX", NULL);
  int status;

  g_assert_nonnull (home);
  g_setenv ("XDG_CACHE_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func)                                                                            \
  g_test_add ("/import/trouble/" name, ImportFixture, NULL, import_fixture_set_up, func, tear_down)

  ADD ("disk-full", test_disk_full);
  ADD ("disk-full-over-store", test_disk_full_over_store);
  ADD ("size-limit", test_size_limit);
  ADD ("read-only-cache", test_read_only_cache);
  ADD ("newer-store", test_newer_store);
  ADD ("other-versions-in-cache", test_other_versions_in_cache);
  ADD ("damaged", test_damaged);
  ADD ("fifo", test_fifo);

  status = g_test_run ();
  import_fixture_remove (home);
  return status;
}
