/* test-follow.c: a recording that is imported while it is made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-follow.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "import-fixture.h"
#include "pen-cache-directory.h"
#include "pen-kept-names.h"
#include "pen-record.h"
#include "pen-store-records.h"

#define SAMPLES 3000u
/* The layout is described in the kernel's tools/perf/Documentation/perf.data-file-format.txt. */
#define AT_DATA 40
#define AT_DATA_SIZE 48

static char *
make_bytes (ImportFixture *fixture, PenTestCaptureFlags flags, gsize *length)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  g_autoptr (GError) error = NULL;
  char *bytes;

  for (guint i = 0; i < SAMPLES; i++) {
    pen_test_capture_from (capture, 0);
    pen_test_capture_at (capture, 10000 + i, 42, 42, 1);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL + i % 4096, 1);
  }
  pen_test_capture_write (capture, fixture->capture, flags, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (fixture->capture, &bytes, length, NULL));
  g_assert_cmpint (g_unlink (fixture->capture), ==, 0);
  return bytes;
}

static int
open_writer (const char *path)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  return fd;
}

static void
put (int fd, const char *bytes, gsize from, gsize to)
{
  g_assert_cmpint (write (fd, bytes + from, to - from), ==, (gssize) (to - from));
}

static gint64
count (PenStore *store)
{
  return pen_store_get_fact_int (store, "samples", 0);
}

static PenStore *
next (PenFollow *follow, gboolean expects_last)
{
  g_autoptr (GError) error = NULL;
  gboolean is_last;
  PenStore *store = pen_follow_next (follow, NULL, NULL, &is_last, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (is_last, ==, expects_last);
  return store;
}

static void
check_no_problems (PenStore *store)
{
  g_autoptr (GPtrArray) problems = pen_store_load_problems (store, NULL);

  g_assert_cmpuint (problems->len, ==, 0);
}

static void
test_growing (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gsize length;
  g_autofree char *bytes = make_bytes (fixture, PEN_TEST_CAPTURE_UNTERMINATED, &length);
  g_autofree char *cache = pen_cache_directory (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFollow) follow = NULL;
  g_autoptr (PenStore) first = NULL;
  g_autoptr (PenStore) second = NULL;
  g_autoptr (PenStore) last = NULL;
  int fd = open_writer (fixture->capture);
  guint64 begin;
  guint64 size;

  /* Within a record. */
  put (fd, bytes, 0, length / 2 + 3);
  g_assert_true (pen_follow_is_possible (fixture->capture));
  follow = pen_follow_new (fixture->capture, NULL, &error);
  g_assert_no_error (error);
  first = next (follow, FALSE);
  g_assert_cmpint (count (first), >, SAMPLES / 3);
  check_no_problems (first);

  put (fd, bytes, length / 2 + 3, length);
  second = next (follow, FALSE);
  g_assert_cmpint (count (second), >, count (first));
  check_no_problems (second);
  g_assert_false (g_file_test (pen_store_get_path (second), G_FILE_TEST_EXISTS));

  memcpy (&begin, bytes + AT_DATA, sizeof begin);
  size = length - begin;
  g_assert_cmpint (pwrite (fd, &size, sizeof size, AT_DATA_SIZE), ==, sizeof size);
  close (fd);
  g_assert_false (pen_follow_is_possible (fixture->capture));
  last = next (follow, TRUE);
  g_assert_cmpint (count (last), ==, count (second));
  g_assert_true (g_str_has_prefix (pen_store_get_path (last), cache));
  /* The parts can still be asked. */
  g_assert_cmpint (count (first), <, count (last));
}

/* What there is is kept, and its end is told of. */
static void
test_killed (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gsize length;
  g_autofree char *bytes = make_bytes (fixture, PEN_TEST_CAPTURE_UNTERMINATED, &length);
  g_autoptr (PenFollow) follow = NULL;
  g_autoptr (PenStore) first = NULL;
  g_autoptr (PenStore) last = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  int fd = open_writer (fixture->capture);

  put (fd, bytes, 0, length - 3);
  follow = pen_follow_new (fixture->capture, NULL, NULL);
  first = next (follow, FALSE);
  close (fd);
  last = next (follow, TRUE);
  g_assert_cmpint (count (last), ==, count (first));
  problems = pen_store_load_problems (last, NULL);
  g_assert_cmpuint (problems->len, >, 0);
}

static void
test_stream (ImportFixture *fixture, gconstpointer data)
{
  PenTestCaptureFlags flags = GPOINTER_TO_UINT (data);
  gsize length;
  g_autofree char *bytes = make_bytes (fixture, flags, &length);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFollow) follow = NULL;
  g_autoptr (PenStore) first = NULL;
  g_autoptr (PenStore) last = NULL;
  int fd;

  g_assert_cmpint (mkfifo (fixture->capture, 0600), ==, 0);
  g_assert_true (pen_follow_is_possible (fixture->capture));
  follow = pen_follow_new (fixture->capture, NULL, &error);
  g_assert_no_error (error);
  fd = open (fixture->capture, O_WRONLY | O_CLOEXEC);
  put (fd, bytes, 0, length / 2);
  if (flags & PEN_TEST_CAPTURE_PIPE)
    first = next (follow, FALSE);
  put (fd, bytes, length / 2, length);
  close (fd);
  /* A part may come in between. */
  while (!last) {
    gboolean is_last;
    g_autoptr (PenStore) store = pen_follow_next (follow, NULL, NULL, &is_last, NULL, &error);

    g_assert_no_error (error);
    if (is_last)
      last = g_steal_pointer (&store);
  }
  g_assert_cmpint (count (last), >, SAMPLES);
  if (first)
    g_assert_cmpint (count (first), <, count (last));
  check_no_problems (last);
}

/* In pipe form. Returns: where the first sample is */
static gsize
find_sample (const char *bytes, gsize length)
{
  gsize at = 16;
  guint32 type = 0;
  guint16 size;

  while (at + 8 <= length) {
    memcpy (&type, bytes + at, sizeof type);
    memcpy (&size, bytes + at + 6, sizeof size);
    if (type == PEN_RECORD_SAMPLE)
      return at;
    at += size;
  }
  g_assert_not_reached ();
}

typedef struct {
  int fd;
  const char *bytes;
  gsize from;
  gsize to;
} Late;

static gpointer
put_late (gpointer data)
{
  const Late *late = data;

  g_usleep (700000);
  put (late->fd, late->bytes, late->from, late->to);
  return NULL;
}

/* perf writes its events, and what it finds in /proc, for seconds before the first sample. */
static void
test_stream_without_samples (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gsize length;
  g_autofree char *bytes = make_bytes (fixture, PEN_TEST_CAPTURE_PIPE, &length);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFollow) follow = NULL;
  g_autoptr (PenStore) first = NULL;
  Late late = { .bytes = bytes, .from = find_sample (bytes, length), .to = length / 2 };
  GThread *thread;

  g_assert_cmpint (mkfifo (fixture->capture, 0600), ==, 0);
  follow = pen_follow_new (fixture->capture, NULL, &error);
  g_assert_no_error (error);
  late.fd = open (fixture->capture, O_WRONLY | O_CLOEXEC);
  put (late.fd, bytes, 0, late.from);
  thread = g_thread_new ("writer", put_late, &late);
  first = next (follow, FALSE);
  g_assert_cmpint (count (first), >, SAMPLES / 3);
  check_no_problems (first);
  g_thread_join (thread);
  close (late.fd);
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (50000);
  g_cancellable_cancel (data);
  return NULL;
}

/* Nothing has come yet. */
static void
test_cancelled (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFollow) follow = NULL;
  int fd = open_writer (fixture->capture);
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  gboolean is_last;

  follow = pen_follow_new (fixture->capture, NULL, NULL);
  g_assert_null (pen_follow_next (follow, NULL, NULL, &is_last, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  close (fd);
}

static void
test_complete (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gsize length;
  g_autofree char *bytes = make_bytes (fixture, PEN_TEST_CAPTURE_FILE, &length);
  g_autoptr (PenFollow) follow = NULL;
  g_autoptr (PenStore) last = NULL;

  g_assert_true (g_file_set_contents (fixture->capture, bytes, (gssize) length, NULL));
  g_assert_false (pen_follow_is_possible (fixture->capture));
  follow = pen_follow_new (fixture->capture, NULL, NULL);
  last = next (follow, TRUE);
  g_assert_cmpint (count (last), >, SAMPLES);
}

static void
write_names (const char *path, const char *name)
{
  g_autofree char *text
      = g_strdup_printf ("ffffffff81000000 T _stext\nffffffff81000100 T %s\n", name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* Read again only where they may be others. */
static void
test_names (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenKeptNames) kept = pen_kept_names_new ();
  g_autoptr (PenKallsyms) first = NULL;
  g_autoptr (PenKallsyms) again = NULL;
  g_autoptr (PenKallsyms) changed = NULL;
  g_autoptr (PenKallsyms) after = NULL;

  write_names (fixture->capture, "one");
  first = pen_kept_names_load (kept, fixture->capture, NULL, NULL);
  again = pen_kept_names_load (kept, fixture->capture, NULL, NULL);
  g_assert_true (first == again);

  write_names (fixture->capture, "another");
  changed = pen_kept_names_load (kept, fixture->capture, NULL, NULL);
  g_assert_cmphex (pen_kallsyms_lookup (changed, "another"), ==, 0xffffffff81000100);
  g_assert_cmphex (pen_kallsyms_lookup (first, "one"), ==, 0xffffffff81000100);

  /* What one import moves, another finds where it was. */
  pen_kallsyms_move (changed, 0x1000);
  after = pen_kept_names_load (kept, fixture->capture, NULL, NULL);
  g_assert_cmphex (pen_kallsyms_lookup (after, "another"), ==, 0xffffffff81000100);
  g_assert_null (pen_kept_names_load (kept, fixture->directory, NULL, NULL));
}

static void
add_tests (void)
{
#define ADD(name, data, func)                                                                      \
  g_test_add ("/import/follow/" name, ImportFixture, GUINT_TO_POINTER (data),                      \
              import_fixture_set_up, func, import_fixture_tear_down)
  ADD ("growing", 0, test_growing);
  ADD ("killed", 0, test_killed);
  ADD ("stream", PEN_TEST_CAPTURE_PIPE, test_stream);
  ADD ("stream-of-a-file", PEN_TEST_CAPTURE_FILE, test_stream);
  ADD ("stream-without-samples", PEN_TEST_CAPTURE_PIPE, test_stream_without_samples);
  ADD ("cancelled", 0, test_cancelled);
  ADD ("complete", 0, test_complete);
  ADD ("names", 0, test_names);
}

int
main (int argc, char **argv)
{
  return import_fixture_main (argc, argv, add_tests);
}
