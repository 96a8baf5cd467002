/* test-cache.c: imports kept in the user's cache
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-cache.h"
#include "pen-kernel-text.h"
#include "pen-store-text.h"

typedef struct {
  guint imports;
  PenImportStage stage; /* told last */
} Count;

/* A stage that is told is an import that is made; on a busy machine it is told of more than once.
 */
static void
count_imports (const PenImportProgress *progress, gpointer user_data)
{
  Count *count = user_data;

  if (progress->stage == PEN_IMPORT_HISTORY && count->stage != PEN_IMPORT_HISTORY)
    count->imports++;
  count->stage = progress->stage;
}

static char *
cache_directory (void)
{
  return g_build_filename (g_get_user_cache_dir (), "pentimento", NULL);
}

static guint
count_stores (void)
{
  g_autofree char *cache = cache_directory ();
  g_autoptr (GDir) dir = g_dir_open (cache, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir && (name = g_dir_read_name (dir))) {
    g_assert_false (g_str_has_suffix (name, ".part"));
    n += g_str_has_suffix (name, ".pentimento");
  }
  return n;
}

static void
write_capture (ImportFixture *fixture, guint64 extra_samples)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  GError *error = NULL;

  pen_test_capture_from (capture, 0);
  for (guint64 i = 0; i < extra_samples; i++) {
    pen_test_capture_at (capture, 7000 + i, 42, 42, 1);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL + i, 1);
  }

  import_fixture_remove (fixture->capture);
  pen_test_capture_write (capture, fixture->capture, PEN_TEST_CAPTURE_DIRECTORY, &error);
  g_assert_no_error (error);
}

static char *
open_capture (const char *path, const PenSources *sources, Count *count)
{
  GError *error = NULL;
  char *store = pen_import_open (path, sources, count_imports, count, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (g_path_is_absolute (store));
  return store;
}

static gint64
stored_samples (const char *path)
{
  g_autoptr (PenStore) store = pen_store_open (path, NULL);

  g_assert_nonnull (store);
  return pen_store_get_fact_int (store, "samples", -1);
}

static void
test_kept (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *data_file = g_build_filename (fixture->capture, "data", NULL);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  g_autofree char *direct = NULL;
  Count count = { 0 };

  write_capture (fixture, 0);
  first = open_capture (fixture->capture, NULL, &count);
  second = open_capture (fixture->capture, NULL, &count);
  g_assert_cmpstr (first, ==, second);
  g_assert_cmpuint (count.imports, ==, 1);
  g_assert_cmpint (stored_samples (first), ==, 10);

  direct = open_capture (first, NULL, &count);
  g_assert_cmpstr (direct, ==, first);
  g_assert_cmpuint (count.imports, ==, 1);

  third = open_capture (data_file, NULL, &count);
  g_assert_cmpint (stored_samples (third), ==, 10);
}

/* Another file under the same name is another capture; the old import is of no use any more. */
static void
test_changed (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  Count count = { 0 };

  for (guint i = 0; i < 4; i++) {
    g_autofree char *store = NULL;

    write_capture (fixture, i);
    store = open_capture (fixture->capture, NULL, &count);
    g_assert_cmpint (stored_samples (store), ==, 10 + i);
    g_assert_cmpuint (count.imports, ==, i + 1);
    g_assert_cmpuint (count_stores (), ==, 1);
  }
}

/* The size stays, only the time of change does not. */
static void
test_touched (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *kallsyms = g_build_filename (fixture->capture, "kcore_dir", "kallsyms", NULL);
  struct timespec times[2] = { { 1000, 5 }, { 1000, 6 } };
  Count count = { 0 };

  write_capture (fixture, 0);
  g_free (open_capture (fixture->capture, NULL, &count));
  g_assert_cmpint (utimensat (AT_FDCWD, kallsyms, times, 0), ==, 0);
  g_free (open_capture (fixture->capture, NULL, &count));
  times[1].tv_nsec++;
  g_assert_cmpint (utimensat (AT_FDCWD, kallsyms, times, 0), ==, 0);
  g_free (open_capture (fixture->capture, NULL, &count));
  g_free (open_capture (fixture->capture, NULL, &count));
  g_assert_cmpuint (count.imports, ==, 3);
}

static void
test_sources (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->directory, "names", NULL);
  g_autofree char *without = NULL;
  g_autofree char *with = NULL;
  g_autofree char *again = NULL;
  PenSources sources = { .kallsyms = (const char *const[]){ path, NULL } };
  Count count = { 0 };

  g_assert_true (g_file_set_contents (path, "ffffffff81001000 T other_name\n", -1, NULL));
  write_capture (fixture, 0);
  without = open_capture (fixture->capture, NULL, &count);
  with = open_capture (fixture->capture, &sources, &count);
  again = open_capture (fixture->capture, NULL, &count);
  g_assert_cmpstr (with, !=, without);
  g_assert_cmpstr (again, ==, without);
  g_assert_cmpuint (count.imports, ==, 2);
}

/* A copy of /sys/module counts by its contents: its own time stays. */
static void
test_module_folder (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->directory, "module", NULL);
  g_autofree char *sections = g_build_filename (folder, "m", "sections", NULL);
  g_autofree char *text = g_build_filename (sections, ".text", NULL);
  const PenSources sources = { .modules = (const char *const[]){ folder, NULL } };
  struct timespec times[2] = { { 1000, 5 }, { 1000, 6 } };
  Count count = { 0 };

  g_assert_cmpint (g_mkdir_with_parents (sections, 0700), ==, 0);
  g_assert_true (g_file_set_contents (text, "0xffffffffc0300000\n", -1, NULL));
  write_capture (fixture, 0);
  g_free (open_capture (fixture->capture, &sources, &count));
  g_free (open_capture (fixture->capture, &sources, &count));
  g_assert_cmpuint (count.imports, ==, 1);
  g_assert_cmpint (utimensat (AT_FDCWD, text, times, 0), ==, 0);
  g_free (open_capture (fixture->capture, &sources, &count));
  g_free (open_capture (fixture->capture, &sources, &count));
  g_assert_cmpuint (count.imports, ==, 2);
}

static void
test_damaged (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *store = NULL;
  g_autofree char *again = NULL;
  Count count = { 0 };

  write_capture (fixture, 0);
  store = open_capture (fixture->capture, NULL, &count);
  g_assert_true (g_file_set_contents (store, "SQLite format 3", 16, NULL));
  again = open_capture (fixture->capture, NULL, &count);
  g_assert_cmpstr (again, ==, store);
  g_assert_cmpuint (count.imports, ==, 2);
  g_assert_cmpint (stored_samples (again), ==, 10);
}

typedef struct {
  const char *path;
  char *store;
  Count count;
} Opener;

static gpointer
open_in_thread (gpointer data)
{
  Opener *opener = data;

  opener->store = pen_import_open (opener->path, NULL, count_imports, &opener->count, NULL, NULL);
  return NULL;
}

/* flock() keeps two openings of one file apart within a process as well as between two. */
static void
test_together (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  Opener openers[4] = { { 0 } };
  GThread *threads[G_N_ELEMENTS (openers)];
  guint imports = 0;

  write_capture (fixture, 5000);
  for (guint i = 0; i < G_N_ELEMENTS (openers); i++) {
    openers[i].path = fixture->capture;
    threads[i] = g_thread_new ("opener", open_in_thread, &openers[i]);
  }

  for (guint i = 0; i < G_N_ELEMENTS (openers); i++) {
    g_thread_join (threads[i]);
    g_assert_nonnull (openers[i].store);
    g_assert_cmpstr (openers[i].store, ==, openers[0].store);
    imports += openers[i].count.imports;
  }
  g_assert_cmpuint (imports, ==, 1);

  for (guint i = 0; i < G_N_ELEMENTS (openers); i++)
    g_free (openers[i].store);
}

static void
cancel_at_once (G_GNUC_UNUSED const PenImportProgress *progress, gpointer user_data)
{
  g_cancellable_cancel (user_data);
}

static void
test_cancel (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  write_capture (fixture, 0);
  g_assert_null (
      pen_import_open (fixture->capture, NULL, cancel_at_once, cancellable, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (count_stores (), ==, 0);
}

/* A file where the directory should be: as little use as a directory that may not be written to,
 * and true for root as well. */
static void
test_unusable_cache (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *cache = cache_directory ();
  g_autofree char *parent = g_path_get_dirname (cache);
  g_autofree char *store = NULL;
  g_autofree char *directory = NULL;
  Count count = { 0 };

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (cache, "in the way", -1, NULL));
  write_capture (fixture, 0);

  g_test_expect_message (NULL, G_LOG_LEVEL_MESSAGE, "Cannot use*as a cache*");
  store = open_capture (fixture->capture, NULL, &count);
  g_test_assert_expected_messages ();
  g_assert_false (g_str_has_prefix (store, cache));
  g_assert_cmpint (stored_samples (store), ==, 10);

  directory = g_path_get_dirname (store);
  g_assert_cmpint (g_unlink (store), ==, 0);
  g_unlink (cache);
}

static void
test_missing (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (pen_import_open (fixture->capture, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, fixture->capture));
}

static void
test_permission (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *data_file = g_build_filename (fixture->capture, "data", NULL);

  if (geteuid () == 0) {
    g_test_skip ("root may read everything");
    return;
  }

  write_capture (fixture, 0);
  g_assert_cmpint (g_chmod (data_file, 0), ==, 0);
  g_assert_null (pen_import_open (fixture->capture, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_assert_nonnull (strstr (error->message, "chown"));
  g_assert_nonnull (strstr (error->message, data_file));
}

static void
tear_down (ImportFixture *fixture, gconstpointer data)
{
  g_autofree char *cache = cache_directory ();

  import_fixture_remove (cache);
  import_fixture_tear_down (fixture, data);
}

/* ---- the kernel's text ---- */

#define TEXT_LENGTH 0x50000u

static void
write_kernel_capture (ImportFixture *fixture, const guint8 *text)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  GError *error = NULL;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, KERNEL, TEXT_LENGTH, KERNEL,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_kcore_segment (capture, KERNEL, text, TEXT_LENGTH);
  pen_test_capture_at (capture, 1000, 42, 42, 0);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL + 0x10, 1);
  import_fixture_remove (fixture->capture);
  pen_test_capture_write (capture, fixture->capture, PEN_TEST_CAPTURE_DIRECTORY, &error);
  g_assert_no_error (error);
}

/* The bytes that a store has: where several pieces have one, the first counts. */
static void
assert_text (const char *path, const guint8 *expected, gsize n_known)
{
  g_autoptr (PenStore) store = pen_store_open (path, NULL);
  g_autoptr (GPtrArray) texts = NULL;
  g_autofree guint8 *known = g_malloc0 (TEXT_LENGTH);
  gsize n = 0;

  g_assert_nonnull (store);
  texts = pen_store_load_text (store, KERNEL, KERNEL + TEXT_LENGTH, NULL);
  for (guint i = 0; i < texts->len; i++) {
    const PenStoredText *text = texts->pdata[i];
    gsize length;
    const guint8 *bytes = g_bytes_get_data (text->bytes, &length);

    g_assert_cmpint (text->evidence, ==, PEN_EVIDENCE_FILE);
    for (gsize k = 0; k < length; k++) {
      gsize at = (gsize) (text->start - KERNEL) + k;

      if (known[at])
        continue;
      known[at] = 1;
      n++;
      g_assert_cmphex (bytes[k], ==, expected[at]);
    }
  }
  g_assert_cmpuint (n, ==, n_known);
}

static PenStoreKernelText
get_kernel_text (const char *path)
{
  g_autoptr (PenStore) store = pen_store_open (path, NULL);

  return pen_store_has_kernel_text (store);
}

/* Returns: (transfer full): the path of the one that is there; NULL: none, or several */
static char *
find_kernel_text (guint *n)
{
  g_autofree char *cache = cache_directory ();
  g_autoptr (GDir) dir = g_dir_open (cache, 0, NULL);
  char *path = NULL;
  const char *name;

  *n = 0;
  while (dir && (name = g_dir_read_name (dir)))
    if (pen_kernel_text_is_name (name)) {
      g_free (path);
      path = g_build_filename (cache, name, NULL);
      (*n)++;
    }
  return path;
}

static void
test_kernel_text (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *cache = cache_directory ();
  g_autofree guint8 *text = g_malloc (TEXT_LENGTH);
  g_autofree guint8 *later = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *file = NULL;
  g_autofree char *again = NULL;
  g_autofree char *bytes = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  PenCacheTrimmed trimmed;
  struct stat status;
  Count count = { 0 };
  gsize length;
  guint n;

  for (guint i = 0; i < TEXT_LENGTH; i++)
    text[i] = (guint8) (i * 7 + i / 256);
  later = g_memdup2 (text, TEXT_LENGTH);
  memset (later + 0x20ffe, 0x90, 5); /* across two pages */
  later[TEXT_LENGTH - 1] ^= 1;

  write_kernel_capture (fixture, text);
  first = open_capture (fixture->capture, NULL, &count);
  file = find_kernel_text (&n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (g_stat (file, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
  assert_text (first, text, TEXT_LENGTH);

  /* A later recording of that boot shares it; each has its own bytes. */
  g_assert_cmpint (g_rename (first, fixture->store), ==, 0);
  write_kernel_capture (fixture, later);
  second = open_capture (fixture->capture, NULL, &count);
  g_assert_cmpint (g_rename (fixture->store, first), ==, 0);
  again = find_kernel_text (&n);
  g_assert_cmpstr (again, ==, file);
  g_assert_cmpuint (n, ==, 1);
  assert_text (first, text, TEXT_LENGTH);
  assert_text (second, later, TEXT_LENGTH);

  entries = pen_cache_load_entries (cache, NULL);
  n = 0;
  for (guint i = 0; i < entries->len; i++)
    n += ((PenCacheEntry *) entries->pdata[i])->state == PEN_CACHE_KERNEL_TEXT;
  g_assert_cmpuint (n, ==, 1);

  /* A store that was taken away from it says so, and has what it has. */
  g_assert_cmpint (get_kernel_text (second), ==, PEN_STORE_KERNEL_TEXT_THERE);
  g_assert_cmpint (g_rename (second, fixture->store), ==, 0);
  g_assert_cmpint (get_kernel_text (fixture->store), ==, PEN_STORE_KERNEL_TEXT_GONE);
  g_assert_cmpint (g_rename (fixture->store, second), ==, 0);

  /* A damaged chunk is not believed: the last one has a page of 64 KiB. */
  g_assert_true (g_file_get_contents (file, &bytes, &length, NULL));
  bytes[length - 3] ^= 0x55;
  g_assert_true (g_file_set_contents (file, bytes, (gssize) length, NULL));
  assert_text (first, text, TEXT_LENGTH - 0x10000);
  /* Nor is a file that others may write, one that is cut off, or another's. */
  g_assert_cmpint (g_chmod (file, 0666), ==, 0);
  g_assert_cmpint (get_kernel_text (first), ==, PEN_STORE_KERNEL_TEXT_GONE);
  g_assert_cmpint (g_chmod (file, 0600), ==, 0);
  g_assert_true (g_file_set_contents (file, bytes, (gssize) length - 1, NULL));
  g_assert_cmpint (get_kernel_text (first), ==, PEN_STORE_KERNEL_TEXT_GONE);
  bytes[8] ^= 1;
  g_assert_true (g_file_set_contents (file, bytes, (gssize) length, NULL));
  g_assert_cmpint (get_kernel_text (first), ==, PEN_STORE_KERNEL_TEXT_GONE);

  /* Another boot's, by its bytes. */
  memset (text, 0x90, TEXT_LENGTH);
  for (guint i = 0; i < 0x20; i++)
    text[i * 0x1000] = (guint8) i;
  write_kernel_capture (fixture, text);
  g_free (first);
  first = open_capture (fixture->capture, NULL, &count);
  assert_text (first, text, TEXT_LENGTH);

  g_assert_true (pen_cache_trim (cache, 0, NULL, 0, &trimmed, NULL));
  g_free (find_kernel_text (&n));
  g_assert_cmpuint (n, ==, 0);
}

/* Whatever the file holds, nothing is read outside of it. */
static void
test_hostile_text (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char key[] = "0123456789abcdef0123456789abcdef";
  g_autoptr (GRand) random = g_rand_new_with_seed (0x74657874);
  g_autofree guint8 *text = g_malloc0 (0x30000);
  guint8 pages[0x30];
  g_autofree char *name = NULL;
  g_autofree char *path = NULL;
  g_autofree char *good = NULL;
  gsize length;

  memset (pages, 1, sizeof pages);
  pages[3] = 0;
  for (guint i = 0; i < 0x30000; i++)
    text[i] = (guint8) g_rand_int (random);
  name = pen_kernel_text_write (fixture->directory, key, KERNEL, text, 0x30000, pages, NULL);
  g_assert_nonnull (name);
  path = g_build_filename (fixture->directory, name, NULL);
  g_assert_true (g_file_get_contents (path, &good, &length, NULL));
  for (guint round = 0; round < 300; round++) {
    g_autofree char *bad = g_memdup2 (good, length);
    g_autofree guint8 *bytes = g_malloc (0x30010);
    g_autofree guint8 *known = g_malloc (0x30010);
    g_autoptr (PenKernelText) file = NULL;

    for (guint i = 0; i < 3; i++)
      bad[g_rand_int_range (random, 0, round % 2 ? 96 : (gint32) length)]
          = (char) g_rand_int (random);
    g_assert_true (g_file_set_contents (path, bad, (gssize) length, NULL));
    file = pen_kernel_text_open (path, NULL);
    if (!file)
      continue;
    pen_kernel_text_read (file, KERNEL - 8, 0x30010, bytes, known);
    /* The checksum finds what was changed in a chunk. */
    for (guint i = 8; i < 0x30008 && pen_kernel_text_get_start (file) == KERNEL; i++)
      if (known[i])
        g_assert_cmphex (bytes[i], ==, text[i - 8]);
  }
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  g_autofree char *home = g_dir_make_tmp ("pen-cache-XXXXXX", NULL);
  int status;

  /* A cache of our own, whoever runs this. GLib reads it once: before anything else. */
  g_assert_nonnull (home);
  g_setenv ("XDG_CACHE_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpstr (g_get_user_cache_dir (), ==, home);

#define ADD(name, func)                                                                            \
  g_test_add ("/import/cache/" name, ImportFixture, NULL, import_fixture_set_up, func, tear_down)

  ADD ("kept", test_kept);
  ADD ("changed", test_changed);
  ADD ("touched", test_touched);
  ADD ("sources", test_sources);
  ADD ("module-folder", test_module_folder);
  ADD ("damaged", test_damaged);
  ADD ("together", test_together);
  ADD ("cancel", test_cancel);
  ADD ("unusable", test_unusable_cache);
  ADD ("missing", test_missing);
  ADD ("permission", test_permission);
  ADD ("kernel-text", test_kernel_text);
  ADD ("hostile-text", test_hostile_text);

  status = g_test_run ();
  import_fixture_remove (home);
  return status;
}
