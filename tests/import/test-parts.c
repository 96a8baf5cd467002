/* test-parts.c: a recording that is imported part by part, against imports of the same bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-part-importer.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "import-fixture.h"
#include "pen-page-file.h"
#include "pen-reader.h"
#include "pen-record.h"
#include "pen-store-buckets.h"
#include "pen-store-callchains.h"
#include "pen-store-functions.h"
#include "pen-store-samples.h"
#include "process-story.h"
#include "test-share.h"

/* The kernel's tools/perf/Documentation/perf.data-file-format.txt. */
#define AT_DATA 40
#define AT_DATA_SIZE 48
#define PIECES 4u
/* Rows that do not depend on the order in which functions were asked for. */
static const char *const queries[] = {
  "SELECT symbol, kind, occupant, start, length, samples, period, changes, versions, pokes,"
  " linkage_name FROM function WHERE samples > 0 OR changes > 0 ORDER BY 1, 2, 3, 4, 5",
  "SELECT * FROM tenure ORDER BY id",
  "SELECT * FROM space ORDER BY id",
  "SELECT tenure, start, end, file_offset, from_time, to_time FROM part ORDER BY 1, 2, 3, 5",
  "SELECT * FROM map ORDER BY change",
  "SELECT * FROM ksymbol ORDER BY change",
  "SELECT id, change, time, address, old, new, cause, confidence, rule, tenure, revision, batch,"
  " effect, site, key, breaks_chain, comm FROM text_poke ORDER BY id",
  "SELECT * FROM batch ORDER BY id",
  "SELECT time, position, what, pid, tid, comm FROM task ORDER BY position",
  "SELECT * FROM bpf_event ORDER BY position",
  "SELECT kind, from_time, to_time, cpu, count, repeated, event FROM loss ORDER BY 1, 2, 3, 4, 5",
  "SELECT type, records FROM record_count ORDER BY type",
  "SELECT name, samples FROM event ORDER BY id",
  "SELECT pid, tid, comm FROM thread ORDER BY 1, 2, 3",
  "SELECT t.start, t.bytes FROM text t ORDER BY t.tenure, t.start",
  "SELECT occupant, sum(n) FROM symbol_block GROUP BY 1 ORDER BY 1",
  "SELECT key, value FROM capture WHERE key IN ('records', 'samples', 'first_time', 'last_time',"
  " 'chain_breaks', 'module_space_samples', 'longest_poke', 'complete') ORDER BY 1",
};

static void
add_column (GString *text, sqlite3_stmt *statement, int column)
{
  static const char digits[] = "0123456789abcdef";
  const guint8 *bytes = sqlite3_column_blob (statement, column);
  int n = sqlite3_column_bytes (statement, column);

  if (sqlite3_column_type (statement, column) != SQLITE_BLOB)
    g_string_append_len (text, (const char *) bytes, n);
  else
    for (int i = 0; i < n; i++) {
      g_string_append_c (text, digits[bytes[i] >> 4]);
      g_string_append_c (text, digits[bytes[i] & 15]);
    }
  g_string_append_c (text, '|');
}

static void
add_rows (GString *text, sqlite3 *db, const char *sql)
{
  sqlite3_stmt *statement = NULL;

  g_string_append_printf (text, "== %s\n", sql);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  while (sqlite3_step (statement) == SQLITE_ROW) {
    for (int i = 0; i < sqlite3_column_count (statement); i++)
      add_column (text, statement, i);
    g_string_append_c (text, '\n');
  }
  sqlite3_finalize (statement);
}

/* @chains: the words of those that many samples share, by their number */
static const char *
get_chain_words (GHashTable *chains, PenStore *store, guint32 chain)
{
  char *known = g_hash_table_lookup (chains, GUINT_TO_POINTER (chain));
  g_autoptr (GArray) frames = NULL;
  GString *text;

  if (known)
    return known;
  frames = pen_store_load_callchain (store, chain, NULL);
  text = g_string_new (NULL);
  for (guint i = 0; i < frames->len; i++) {
    const PenFrame *frame = &g_array_index (frames, PenFrame, i);

    g_string_append_printf (text, " %" G_GINT64_MODIFIER "x %u %u %s", frame->address,
                            frame->tenure, frame->revision, frame->symbol);
  }
  known = g_string_free (text, FALSE);
  g_hash_table_insert (chains, GUINT_TO_POINTER (chain), known);
  return known;
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* In no order: that of those of one time may be another. */
static void
add_samples (GString *text, PenStore *store)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) chains = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  guint n;
  const PenBucket *buckets = pen_store_get_buckets (store, &n, NULL);
  const PenThread *threads = pen_store_get_threads (store, &n, NULL);
  const PenFunction *functions = pen_store_get_functions (store, &n, NULL);

  pen_store_get_blocks (store, &n);
  for (guint b = 0; b < n; b++) {
    g_assert_true (pen_store_read_block (store, b, block, NULL));
    for (guint i = 0; i < block->n; i++) {
      const PenBucket *bucket = &buckets[block->bucket[i]];
      const PenThread *thread = &threads[block->thread[i]];
      GString *line = g_string_new (NULL);

      g_string_append_printf (line, "%" G_GUINT64_FORMAT " %d %u %u %" G_GINT64_MODIFIER "x %s",
                              block->time[i], bucket->event, bucket->tenure, bucket->revision,
                              bucket->address, functions[bucket->function].symbol);
      g_string_append_printf (line, " %d %d %s %u %" G_GUINT64_FORMAT, thread->pid, thread->tid,
                              thread->comm, block->cpu[i], block->period[i]);
      g_string_append (line, get_chain_words (chains, store, block->chain[i]));
      g_ptr_array_add (lines, g_string_free (line, FALSE));
    }
  }
  g_ptr_array_sort (lines, compare_lines);
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (text, "%s\n", (char *) lines->pdata[i]);
}

static char *
dump (PenStore *store, gboolean is_state)
{
  GString *text = g_string_new (NULL);
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open_v2 (pen_store_get_path (store), &db, SQLITE_OPEN_READONLY,
                                    is_state ? pen_page_file_get_vfs () : NULL),
                   ==, SQLITE_OK);
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    add_rows (text, db, queries[i]);
  sqlite3_close (db);
  add_samples (text, store);
  return g_string_free (text, FALSE);
}

static void
check_equal (const char *part, const char *whole)
{
  g_auto (GStrv) of_part = NULL;
  g_auto (GStrv) of_whole = NULL;

  if (g_str_equal (part, whole))
    return;
  of_part = g_strsplit (part, "\n", -1);
  of_whole = g_strsplit (whole, "\n", -1);
  for (guint i = 0; of_part[i] || of_whole[i]; i++)
    g_assert_cmpstr (of_part[i], ==, of_whole[i]);
}

/* ---- recordings ---- */

/* Marks of rounds become something else: so all that is there is due, and parts can be compared
 * with imports of the same bytes. What comes late makes them begin anew. */
static void
remove_rounds (guint8 *bytes, gsize length)
{
  guint64 at;

  memcpy (&at, bytes + AT_DATA, sizeof at);
  while (at + 8 <= length) {
    guint32 type;
    guint16 size;
    guint32 more = 0;

    memcpy (&type, bytes + at, sizeof type);
    memcpy (&size, bytes + at + 6, sizeof size);
    if (size < 8)
      break;
    if (type == PEN_RECORD_FINISHED_ROUND)
      bytes[at] = PEN_RECORD_FINISHED_INIT;
    if (type == PEN_RECORD_TRACING_DATA)
      memcpy (&more, bytes + at + 8, sizeof more);
    at += size + ((more + 7) & ~7u);
  }
}

/* Of a file: without what comes after the records, and without their size. */
static guint8 *
load_unfinished (const char *path, gsize *length)
{
  char *bytes;
  guint64 begin;
  guint64 size;

  g_assert_true (g_file_get_contents (path, &bytes, length, NULL));
  memcpy (&begin, bytes + AT_DATA, sizeof begin);
  memcpy (&size, bytes + AT_DATA_SIZE, sizeof size);
  *length = (gsize) MIN (*length, begin + size);
  memset (bytes + AT_DATA_SIZE, 0, sizeof size);
  return (guint8 *) bytes;
}

static gboolean
has_shape (const char *path, const char *shape)
{
  g_autoptr (PenReader) reader = pen_reader_open (path, NULL, NULL);

  return reader && strcmp (pen_reader_get_shape (reader), shape) == 0;
}

/* ---- a directory as perf makes it ---- */

typedef struct {
  char *path;
  char *data;
  char *kcore_dir;
} Directory;

static const char *const sources[] = { "kallsyms", "kcore", "modules" };

static void
make_directory (Directory *self, ImportFixture *fixture, const char *from)
{
  self->path = g_build_filename (fixture->directory, "growing.data", NULL);
  self->data = g_build_filename (self->path, "data", NULL);
  self->kcore_dir = g_build_filename (self->path, "kcore_dir", NULL);
  g_assert_cmpint (g_mkdir_with_parents (self->kcore_dir, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++) {
    g_autofree char *source = g_build_filename (from, "kcore_dir", sources[i], NULL);
    g_autofree char *target = g_build_filename (self->kcore_dir, sources[i], NULL);
    g_autofree char *bytes = NULL;
    gsize length;

    if (g_file_get_contents (source, &bytes, &length, NULL))
      g_assert_true (g_file_set_contents (target, bytes, (gssize) length, NULL));
  }
}

static void
remove_directory (Directory *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++) {
    g_autofree char *path = g_build_filename (self->kcore_dir, sources[i], NULL);

    g_unlink (path);
  }
  g_unlink (self->data);
  g_assert_cmpint (g_rmdir (self->kcore_dir), ==, 0);
  g_assert_cmpint (g_rmdir (self->path), ==, 0);
  g_free (self->path);
  g_free (self->data);
  g_free (self->kcore_dir);
}

/* ---- parts ---- */

static PenStore *
import_whole (ImportFixture *fixture, const Directory *directory)
{
  g_autoptr (GError) error = NULL;

  pen_import_growing (directory->path, fixture->store, NULL, NULL, &error);
  g_assert_no_error (error);
  return pen_store_open (fixture->store, NULL);
}

static void
check_part (ImportFixture *fixture, const Directory *directory, PenStore *part)
{
  g_autoptr (PenStore) whole = import_whole (fixture, directory);
  g_autofree char *of_part = dump (part, TRUE);
  g_autofree char *of_whole = dump (whole, FALSE);

  check_equal (of_part, of_whole);
}

/* Returns: whether it could be imported in parts */
static gboolean
check_capture (ImportFixture *fixture, const char *path)
{
  g_autofree char *file = g_build_filename (path, "data", NULL);
  Directory directory;
  gsize length;
  g_autofree guint8 *bytes = load_unfinished (file, &length);
  g_autoptr (PenPartImporter) parts = NULL;
  g_autoptr (PenStore) first = NULL;
  g_autofree char *first_rows = NULL;
  gboolean is_fit = TRUE;
  gsize done = 0;
  int fd;

  make_directory (&directory, fixture, path);
  parts = pen_part_importer_new (directory.path, fixture->directory, NULL);
  fd = open (directory.data, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  remove_rounds (bytes, length);
  for (guint i = 1; i <= PIECES && is_fit; i++) {
    gsize end = i == PIECES ? length : length / PIECES * i + i;
    g_autoptr (GError) error = NULL;
    g_autoptr (PenStore) part = NULL;

    g_assert_cmpint (write (fd, bytes + done, end - done), ==, (gssize) (end - done));
    done = end;
    part = pen_part_importer_next (parts, &is_fit, NULL, &error);
    g_assert_no_error (error);
    if (!part)
      continue;
    check_part (fixture, &directory, part);
    if (!first) {
      first = g_object_ref (part);
      first_rows = dump (part, TRUE);
    }
  }
  close (fd);
  remove_directory (&directory);

  /* It is what it was. */
  if (first) {
    g_autoptr (PenStore) again = pen_store_open_again (first, NULL);
    g_autofree char *rows = dump (again, TRUE);

    g_assert_cmpstr (rows, ==, first_rows);
  }
  return is_fit;
}

static void
test_bundled (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *directory = g_test_build_filename (G_TEST_DIST, "data", NULL);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (directory, name, NULL);

    /* Readings of a witness, and what they say, wait for the whole import. */
    if (g_str_equal (name, "w-witness.data"))
      continue;
    if (!g_str_has_suffix (name, ".data") || !has_shape (path, "directory"))
      continue;
    if (TEST_IS_SANITIZED && !g_str_equal (name, "b-ftrace.data")
        && !g_str_equal (name, "e-modules.data"))
      continue;
    g_test_message ("%s", name);
    n += check_capture (fixture, path);
  }
  g_assert_cmpuint (n, >=, TEST_SHARE (6, 2));
}

/* ---- made ones ---- */

static PenStore *
grow (ImportFixture *fixture, PenPartImporter *parts, PenTestCapture *capture)
{
  g_autoptr (GError) error = NULL;
  gboolean is_fit;
  PenStore *store;

  pen_test_capture_write (capture, fixture->capture, PEN_TEST_CAPTURE_UNTERMINATED, &error);
  g_assert_no_error (error);
  store = pen_part_importer_next (parts, &is_fit, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (is_fit);
  return store;
}

static void
add_sample (PenTestCapture *capture, guint64 time, guint32 cpu)
{
  pen_test_capture_from (capture, 0);
  pen_test_capture_at (capture, time, 42, 42, cpu);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL + 0x1010, 1);
}

/* A patch, and a program, that came before samples that were placed. */
static void
test_late (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const guint8 old[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 new[] = { 0xe9, 0x10, 0x00, 0x00, 0x00 };
  const Directory file = { .path = fixture->capture };
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  g_autoptr (PenPartImporter) parts
      = pen_part_importer_new (fixture->capture, fixture->directory, NULL);
  g_autoptr (PenStore) first = NULL;
  g_autoptr (PenStore) second = NULL;
  g_autoptr (PenStore) third = NULL;

  for (guint i = 0; i < 100; i++)
    add_sample (capture, 10000 + i, i % 2);
  first = grow (fixture, parts, capture);
  check_part (fixture, &file, first);

  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 10050, 7, 7, 0);
  pen_test_capture_add_text_poke (capture, KERNEL + 0x1010, old, 5, new, 5);
  add_sample (capture, 10200, 0);
  second = grow (fixture, parts, capture);
  check_part (fixture, &file, second);

  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 9000, 42, 42, 0);
  pen_test_capture_add_ksymbol (capture, PROGRAM + 0x10000, 0x40, 1, 0, "bpf_prog_late");
  add_sample (capture, 10300, 0);
  third = grow (fixture, parts, capture);
  check_part (fixture, &file, third);
}

static gint64
count (PenStore *store)
{
  return pen_store_get_fact_int (store, "samples", -1);
}

/* What may still come of an earlier time is waited for. */
static void
test_rounds (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (PenPartImporter) parts
      = pen_part_importer_new (fixture->capture, fixture->directory, NULL);
  g_autoptr (PenStore) first = NULL;
  g_autoptr (PenStore) second = NULL;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  add_sample (capture, 1000, 0);
  add_sample (capture, 2000, 0);
  add_sample (capture, 1500, 1);
  add_sample (capture, 3000, 1);
  pen_test_capture_add_finished_round (capture);
  add_sample (capture, 2500, 0);
  first = grow (fixture, parts, capture);
  g_assert_cmpint (count (first), ==, 3);
  g_assert_null (grow (fixture, parts, capture));

  add_sample (capture, 3500, 0);
  add_sample (capture, 4000, 1);
  pen_test_capture_add_finished_round (capture);
  second = grow (fixture, parts, capture);
  g_assert_cmpint (count (second), ==, 6);
  g_assert_cmpint (count (first), ==, 3);
}

/* Each part has those only who are there, or come; all that is told of the others stays. */
static void
test_processes (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  const Directory file = { .path = fixture->capture };
  guint n = g_test_slow () ? 200 : TEST_SHARE (24, 12);

  for (guint32 seed = 1; seed <= 2; seed++) {
    g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
    g_autoptr (PenPartImporter) parts
        = pen_part_importer_new (fixture->capture, fixture->directory, NULL);
    g_autoptr (ProcessStory) story
        = process_story_new (seed, 1000000, 50000, KERNEL + 0x1010, TRUE);

    pen_test_capture_add_finished_round (capture);
    for (guint i = 0; i < n; i++) {
      g_autoptr (PenStore) part = NULL;

      process_story_go_on (story, capture, 20 + 10 * i);
      part = grow (fixture, parts, capture);
      g_assert_nonnull (part);
      check_part (fixture, &file, part);
      if (i % 10 != 9)
        continue;
      /* A process of which is heard late. */
      pen_test_capture_from (capture, 1);
      pen_test_capture_at (capture, process_story_get_time (story) - 5000000, 1, 1, 0);
      pen_test_capture_add_fork (capture, 0, 77, 1, 77, 1);
    }
    g_assert_cmpuint (process_story_count_started (story), >, TEST_SHARE (800, 200));
  }
}

/* Waits need all switches at once. */
static void
test_unfit (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  g_autoptr (PenPartImporter) parts
      = pen_part_importer_new (fixture->capture, fixture->directory, NULL);
  g_autoptr (PenStore) first = grow (fixture, parts, capture);
  g_autoptr (GError) error = NULL;
  gboolean is_fit;

  g_assert_nonnull (first);
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 20000, 42, 42, 0);
  pen_test_capture_add_raw (capture, PEN_RECORD_SWITCH, 0, NULL, 0, TRUE);
  add_sample (capture, 21000, 0);
  pen_test_capture_write (capture, fixture->capture, PEN_TEST_CAPTURE_UNTERMINATED, &error);
  g_assert_no_error (error);
  g_assert_null (pen_part_importer_next (parts, &is_fit, NULL, &error));
  g_assert_no_error (error);
  g_assert_false (is_fit);
}

static void
add_tests (void)
{
#define ADD(name, func)                                                                            \
  g_test_add ("/import/parts/" name, ImportFixture, NULL, import_fixture_set_up, func,             \
              import_fixture_tear_down)
  ADD ("late", test_late);
  ADD ("rounds", test_rounds);
  ADD ("processes", test_processes);
  ADD ("unfit", test_unfit);
  ADD ("bundled", test_bundled);
}

int
main (int argc, char **argv)
{
  return import_fixture_main (argc, argv, add_tests);
}
