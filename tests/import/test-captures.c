/* test-captures.c: real recordings: what they are known to hold
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <sched.h>
#include <string.h>

#include "pen-store-buckets.h"
#include "pen-store-functions.h"
#include "pen-store-pokes.h"
#include "pen-store-records.h"
#include "pen-store-samples.h"
#include "pen-store-spans.h"

/* Sums that must agree with one another, whatever the capture. */
static void
check_store (PenStore *store)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autoptr (GPtrArray) counts = pen_store_load_record_counts (store, NULL);
  guint n_buckets;
  guint n_functions;
  guint n_blocks;
  const PenBucket *buckets = pen_store_get_buckets (store, &n_buckets, NULL);
  const PenFunction *functions = pen_store_get_functions (store, &n_functions, NULL);
  guint64 in_buckets = 0;
  guint64 in_functions = 0;
  guint64 in_blocks = 0;
  guint64 samples = 0;
  PenMoment last = PEN_MOMENT_START;
  g_autofree guint64 *seen = g_new0 (guint64, n_buckets + 1);

  g_assert_nonnull (buckets);
  g_assert_nonnull (functions);
  for (guint i = 0; i < n_buckets; i++)
    in_buckets += buckets[i].samples;
  for (guint i = 0; i < n_functions; i++)
    in_functions += functions[i].samples;
  for (guint i = 0; i < counts->len; i++) {
    const PenRecordCount *count = g_ptr_array_index (counts, i);

    if (count->type == 9)
      samples = count->records;
  }
  /* Those of bpf-output events are none of the profile (W1). */
  samples -= (guint64) pen_store_get_fact_int (store, "outputs", 0);

  pen_store_get_blocks (store, &n_blocks);
  for (guint b = 0; b < n_blocks; b++) {
    GError *error = NULL;

    pen_store_read_block (store, b, block, &error);
    g_assert_no_error (error);
    in_blocks += block->n;
    for (guint i = 0; i < block->n; i++) {
      PenMoment moment = pen_moment (block->time[i], 0);

      g_assert_cmpint (pen_moment_compare (last, moment), <=, 0);
      last = moment;
      seen[block->bucket[i]]++;
    }
  }

  for (guint i = 0; i < n_buckets; i++)
    g_assert_cmpuint (seen[i], ==, buckets[i].samples);
  g_assert_cmpuint (in_buckets, ==, samples);
  g_assert_cmpuint (in_functions, ==, samples);
  g_assert_cmpuint (in_blocks, ==, samples);
  g_assert_cmpuint (samples, >, 0);
}

static void
import_and_check (ImportFixture *fixture, const char *path)
{
  g_autoptr (PenStore) store = NULL;
  GError *error = NULL;

  g_test_message ("%s", path);
  pen_import (path, fixture->store, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  store = import_fixture_open (fixture);
  check_store (store);
}

/* Threads that never run at the same time order nothing that they do not order anyway. */
static void
check_on_one_cpu (ImportFixture *fixture, const char *path)
{
  g_autofree char *other = g_strconcat (fixture->store, "-other", NULL);
  g_autofree char *bytes = NULL;
  g_autofree char *other_bytes = NULL;
  gsize length;
  gsize other_length;
  cpu_set_t all;
  cpu_set_t one;
  GError *error = NULL;

  g_assert_cmpint (sched_getaffinity (0, sizeof all, &all), ==, 0);
  CPU_ZERO (&one);
  CPU_SET (sched_getcpu (), &one);
  g_assert_cmpint (sched_setaffinity (0, sizeof one, &one), ==, 0);
  pen_import (path, other, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sched_setaffinity (0, sizeof all, &all), ==, 0);

  g_file_get_contents (fixture->store, &bytes, &length, &error);
  g_assert_no_error (error);
  g_file_get_contents (other, &other_bytes, &other_length, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (length, ==, other_length);
  g_assert_true (memcmp (bytes, other_bytes, length) == 0);
}

static void
test_bundled (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *directory = g_test_build_filename (G_TEST_DIST, "data", NULL);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, ".data")) {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      import_and_check (fixture, path);
      check_on_one_cpu (fixture, path);
      n++;
    }

  if (n == 0)
    g_test_skip ("no captures under tests/data");
}

static gboolean
add_span_samples (const PenSpanBucket *bucket, gpointer user_data)
{
  guint64 *samples = user_data;

  *samples += bucket->samples;
  return TRUE;
}

/* More instructions than the import keeps in mind at a time: buckets come in generations, and
 * spans tell of them all. */
static void
test_many_buckets (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  const guint n_samples = 700000;
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (PenStore) store = NULL;
  const PenStoreSpan *spans;
  guint n_spans;
  guint64 in_spans = 0;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_mmap (capture, 1, -1, 0, KERNEL, 0x4000000, KERNEL,
                             "[kernel.kallsyms]_text");
  for (guint i = 0; i < n_samples; i++) {
    pen_test_capture_at (capture, 1000 + i, 7, 7, 0);
    pen_test_capture_add_sample (capture, 1, KERNEL + i % (n_samples - 1000) * 3, 1);
  }
  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_FILE);

  store = import_fixture_open (fixture);
  check_store (store);
  g_assert_cmpuint (pen_store_count_buckets (store), ==, n_samples);

  spans = pen_store_get_spans (store, &n_spans);
  g_assert_cmpuint (n_spans, ==, 2);
  for (guint i = 0; i < n_spans; i++) {
    GError *error = NULL;

    pen_store_foreach_span_bucket (store, &spans[i], 0, G_MAXUINT32, add_span_samples, &in_spans,
                                   &error);
    g_assert_no_error (error);
  }
  g_assert_cmpuint (in_spans, ==, n_samples);
}

static guint
count_pokes (PenStore *store, PenCause cause, guint *breaks)
{
  g_autoptr (GArray) pokes = pen_store_load_pokes (store, 0, G_MAXUINT64, NULL);
  guint n = 0;

  for (guint i = 0; i < pokes->len; i++) {
    const PenPoke *stored = &g_array_index (pokes, PenPoke, i);

    n += stored->cause == cause;
    *breaks += stored->breaks_chain;
  }
  return n;
}

/* A live patch of two functions: the trampolines call live patching's handler, and a list of names
 * of meanwhile knows the module that is one. While it was there a tracer came to one of the two,
 * and went.
 */
static void
test_livepatch (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "l-livepatch.data", NULL);
  g_autofree char *names
      = g_test_build_filename (G_TEST_DIST, "data", "truth", "l-livepatch.kallsyms", NULL);
  g_autofree char *dated = g_strconcat (names, "@112.151", NULL);
  const PenSources sources = { .kallsyms = (const char *const[]){ dated, NULL } };
  guint n_of[2] = { 0 };

  for (guint has_names = 0; has_names < 2; has_names++) {
    g_autoptr (PenStore) store = NULL;
    g_autoptr (GArray) pokes = NULL;
    GError *error = NULL;

    pen_import (path, fixture->store, has_names ? &sources : NULL, NULL, NULL, NULL, &error);
    g_assert_no_error (error);
    store = import_fixture_open (fixture);
    pokes = pen_store_load_pokes (store, 0, G_MAXUINT64, NULL);
    for (guint i = 0; i < pokes->len; i++) {
      const PenPoke *poke = &g_array_index (pokes, PenPoke, i);
      gboolean is_patch = poke->cause == PEN_CAUSE_LIVEPATCH;

      if (g_strcmp0 (poke->site, "cmdline_proc_show") != 0
          && g_strcmp0 (poke->site, "__x64_sys_getppid") != 0)
        continue;
      n_of[is_patch]++;
      g_assert_cmpint (poke->confidence, ==, PEN_CONFIDENCE_CERTAIN);
      g_assert_cmpstr (poke->replacement, ==, is_patch && has_names ? "[penlp]" : NULL);
    }
  }
  g_assert_cmpuint (n_of[TRUE], ==, 2 * 4);
  g_assert_cmpuint (n_of[FALSE], ==, 2 * 2);
}

/* The whole recordings, with kcore and kallsyms: how they were made is known. */
static void
test_large (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const struct {
    const char *name;
    guint breaks; /* pokes whose old bytes are not what was there */
  } captures[] = {
    { "a-jump-labels", 0 }, { "b-ftrace", 0 },  { "c-kprobes", 0 },           { "d-bpf", 0 },
    { "e-modules", 0 },     { "g-usermap", 0 }, { "f-everything-nocomp", 0 }, { "k7.2.12-d", 0 },
    { "m-lost", 1881 },
  };
  const char *large = g_getenv ("PENTIMENTO_CAPTURES");

  if (!large) {
    g_test_skip ("PENTIMENTO_CAPTURES is not set");
    return;
  }

  for (guint i = 0; i < G_N_ELEMENTS (captures); i++) {
    g_autofree char *path = g_build_filename (large, captures[i].name, "perf.data", NULL);
    g_autoptr (PenStore) store = NULL;
    guint breaks = 0;

    import_and_check (fixture, path);
    store = import_fixture_open (fixture);
    count_pokes (store, PEN_CAUSE_UNKNOWN, &breaks);
    g_assert_cmpuint (breaks, ==, captures[i].breaks);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/import/captures/bundled", ImportFixture, NULL, import_fixture_set_up, test_bundled,
              import_fixture_tear_down);
  g_test_add ("/import/captures/livepatch", ImportFixture, NULL, import_fixture_set_up,
              test_livepatch, import_fixture_tear_down);
  g_test_add ("/import/captures/many-buckets", ImportFixture, NULL, import_fixture_set_up,
              test_many_buckets, import_fixture_tear_down);
  g_test_add ("/import/captures/large", ImportFixture, NULL, import_fixture_set_up, test_large,
              import_fixture_tear_down);
  return g_test_run ();
}
