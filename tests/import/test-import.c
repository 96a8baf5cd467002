/* test-import.c: captures whose answer is known, in every shape
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <string.h>

#include "pen-store-buckets.h"
#include "pen-store-changes.h"
#include "pen-store-functions.h"
#include "pen-store-pokes.h"
#include "pen-store-records.h"
#include "pen-store-symbols.h"
#include "pen-store-text.h"

static const char samples[]
    = "1000 cpu-clock 1 42/42 worker ffffffff81001010 kernel [kernel.kallsyms] r0 vfs_read+10 "
      "1000000\n"
      "1500 cpu-clock 1 42/42 worker ffffffffa0000008 module [snd_hda] r0 hda_init+8 1000000\n"
      "1600 cpu-clock 1 42/42 worker 400123 dso /bin/worker r0 -+0 1000000\n"
      "1700 cpu-clock 1 42/42 worker 900000 unknown  r0 -+0 1000000\n"
      "1800 cpu-clock 1 42/42 worker ffffffff81001010 guest  r0 -+0 1000000\n"
      "1900 cpu-clock 1 42/42 worker ffffffff81001010 unknown  r0 -+0 1000000\n"
      "3000 cpu-clock 1 42/42 worker ffffffff81001010 kernel [kernel.kallsyms] r1 vfs_read+10 "
      "1000000\n"
      "3500 cpu-clock 1 42/42 worker ffffffffc0000008 bpf bpf_prog_0102030405060708_x r0 "
      "bpf_prog_0102030405060708_x+4 1000000\n"
      "4500 cpu-clock 1 42/42 worker ffffffffc0000008 unknown  r0 -+0 1000000\n"
      "5500 cpu-clock 1 42/42 worker ffffffff81001010 kernel [kernel.kallsyms] r2 vfs_read+10 "
      "1000000\n";

static void
test_samples (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const PenTestCaptureFlags shapes[] = {
    PEN_TEST_CAPTURE_DIRECTORY,
    PEN_TEST_CAPTURE_DIRECTORY | PEN_TEST_CAPTURE_ZSTD,
    PEN_TEST_CAPTURE_DIRECTORY | PEN_TEST_CAPTURE_INFLATED,
    PEN_TEST_CAPTURE_DIRECTORY | PEN_TEST_CAPTURE_THREADS,
    PEN_TEST_CAPTURE_DIRECTORY | PEN_TEST_CAPTURE_BIG_ENDIAN,
    PEN_TEST_CAPTURE_DIRECTORY | PEN_TEST_CAPTURE_UNTERMINATED,
  };
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    g_autoptr (PenStore) store = NULL;
    g_autofree char *dump = NULL;
    g_autoptr (GString) text = NULL;

    import_fixture_import (fixture, capture, shapes[i]);
    store = import_fixture_open (fixture);
    dump = import_fixture_dump_samples (store);
    text = g_string_new (dump);
    /* Without the features the event's name is derived, with modifiers. */
    g_string_replace (text, "cpu-clock:HG ", "cpu-clock ", 0);
    g_assert_cmpstr (text->str, ==, samples);
  }
}

static const PenFunction *
find_function (PenStore *store, const char *symbol)
{
  guint n;
  const PenFunction *functions = pen_store_get_functions (store, &n, NULL);

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (functions[i].symbol, symbol) == 0)
      return &functions[i];
  return NULL;
}

static void
test_functions (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  g_autoptr (PenStore) store = NULL;
  const PenFunction *function;
  const PenBucket *buckets;
  guint64 total = 0;
  guint n;

  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 100, 7, 7, 0);
  pen_test_capture_add_text_poke (capture, KERNEL + 0x1180, (const guint8 *) "\x90", 1,
                                  (const guint8 *) "\xcc", 1);
  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_DIRECTORY);
  store = import_fixture_open (fixture);

  function = find_function (store, "vfs_read");
  g_assert_cmpuint (function->start, ==, KERNEL + 0x1000);
  g_assert_cmpuint (function->length, ==, 0x100);
  g_assert_cmpuint (function->samples, ==, 3);
  g_assert_cmpuint (function->period, ==, 3000000);
  g_assert_cmpuint (function->pokes, ==, 3);
  g_assert_cmpuint (function->changes, ==, 3);
  g_assert_cmpuint (function->versions, ==, 4);

  /* Poked, and without samples. */
  function = find_function (store, "vfs_write");
  g_assert_nonnull (function);
  g_assert_cmpuint (function->samples, ==, 0);
  g_assert_cmpuint (function->pokes, ==, 1);

  function = find_function (store, "hda_init");
  g_assert_cmpuint (function->changes, ==, 0);
  g_assert_cmpuint (function->versions, ==, 1);

  function = find_function (store, "bpf_prog_0102030405060708_x");
  g_assert_cmpuint (function->changes, ==, 2);
  g_assert_cmpuint (function->versions, ==, 1);
  g_assert_cmpuint (function->samples, ==, 1);

  buckets = pen_store_get_buckets (store, &n, NULL);
  for (guint i = 0; i < n; i++)
    total += buckets[i].samples;
  g_assert_cmpuint (total, ==, 10);
}

static gboolean
take_change (const PenChange *change, gpointer user_data)
{
  g_string_append_printf (user_data, "%" G_GUINT64_FORMAT " %s %s %s %s %s %s %d\n", change->time,
                          change->change, pen_kind_to_string (change->kind), change->occupant,
                          change->symbol ? change->symbol : "-", change->comm,
                          pen_evidence_to_string (change->evidence), change->has_task);
  return TRUE;
}

static void
test_changes (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_DIRECTORY);
  store = import_fixture_open (fixture);
  g_assert_true (pen_store_foreach_change (store, take_change, text, NULL));
  g_assert_cmpstr (
      text->str, ==,
      "0 map module [late] -  file, unchecked 0\n"
      "0 map kernel [kernel.kallsyms] -  recorded 0\n"
      "0 map module [snd_hda] -  recorded 0\n"
      "0 map dso /bin/worker - worker recorded 1\n"
      "2000 poke kernel [kernel.kallsyms] vfs_read  recorded 1\n"
      "3200 register bpf bpf_prog_0102030405060708_x bpf_prog_0102030405060708_x  recorded 1\n"
      "4000 unregister bpf bpf_prog_0102030405060708_x bpf_prog_0102030405060708_x  recorded 1\n"
      "5000 poke kernel [kernel.kallsyms] vfs_read  recorded 1\n"
      "6000 poke kernel [kernel.kallsyms] vfs_read  recorded 1\n");
}

static const char *
loss_kind (PenStore *store, guint32 id)
{
  g_autoptr (GArray) losses = pen_store_load_losses (store, NULL);

  return id >= 1 && id <= losses->len
             ? pen_loss_kind_to_string (g_array_index (losses, PenLoss, id - 1).kind)
             : "none";
}

static void
test_pokes (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) pokes = NULL;
  static const gboolean breaks[] = { FALSE, FALSE, TRUE };

  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_DIRECTORY);
  store = import_fixture_open (fixture);
  pokes = pen_store_load_pokes (store, KERNEL, KERNEL + 0x10000, NULL);

  g_assert_cmpuint (pokes->len, ==, 3);
  for (guint i = 0; i < 3; i++) {
    const PenPoke *stored = &g_array_index (pokes, PenPoke, i);

    g_assert_cmpint (stored->breaks_chain, ==, breaks[i]);
    g_assert_cmpint (stored->effect, ==, PEN_POKE_PATCH);
    g_assert_cmpuint (stored->revision, ==, i + 1);
    g_assert_cmpint (stored->pid, ==, 7);
    g_assert_nonnull (stored->site);
  }
  g_assert_cmpint (g_array_index (pokes, PenPoke, 0).cause, ==, PEN_CAUSE_STATIC_KEY);
  g_assert_cmpstr (pen_store_get_fact (store, "chain_breaks"), ==, "1");
  g_assert_cmpstr (pen_store_get_fact (store, "chain_breaks_explained"), ==, "1");
  g_assert_cmpuint (g_array_index (pokes, PenPoke, 1).break_loss, ==, 0);
  g_assert_cmpstr (loss_kind (store, g_array_index (pokes, PenPoke, 2).break_loss), ==, "records");
}

/* The chain breaks at 6000; the text before was known since 5000. @lost: when a record says that
 * some are missing since what came before it. */
static guint32
find_break_loss (ImportFixture *fixture, guint64 lost)
{
  static const guint8 nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 jump[] = { 0xe9, 0x10, 0x00, 0x00, 0x00 };
  static const guint8 other[] = { 0xe9, 0x20, 0x00, 0x00, 0x00 };
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) pokes = NULL;
  const PenPoke *last;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 0, 0, 0, 0);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, KERNEL, 0x100000, KERNEL,
                             "[kernel.kallsyms]_text");
  pen_test_capture_at (capture, 2000, 7, 7, 0);
  pen_test_capture_add_text_poke (capture, KERNEL + 0x1010, nop5, 5, jump, 5);
  pen_test_capture_at (capture, lost - 100, 7, 7, 0);
  pen_test_capture_add_text_poke (capture, KERNEL + 0x2010, nop5, 5, jump, 5);
  pen_test_capture_at (capture, lost, 7, 7, 0);
  pen_test_capture_add_lost (capture, pen_test_capture_get_id (1, 0), 3);
  pen_test_capture_at (capture, 5000, 7, 7, 0);
  pen_test_capture_add_text_poke (capture, KERNEL + 0x1010, jump, 5, nop5, 5);
  pen_test_capture_at (capture, 6000, 7, 7, 0);
  pen_test_capture_add_text_poke (capture, KERNEL + 0x1010, other, 5, nop5, 5);
  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_FILE);
  store = import_fixture_open (fixture);
  pokes = pen_store_load_pokes (store, KERNEL + 0x1010, KERNEL + 0x1011, NULL);
  last = &g_array_index (pokes, PenPoke, pokes->len - 1);
  g_assert_true (last->breaks_chain);
  g_assert_cmpstr (pen_store_get_fact (store, "chain_breaks"), ==, "1");
  g_assert_cmpstr (pen_store_get_fact (store, "chain_breaks_explained"), ==,
                   last->break_loss != 0 ? "1" : "0");
  return last->break_loss;
}

static void
test_break_losses (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_assert_cmpuint (find_break_loss (fixture, 3000), ==, 0);
  g_assert_cmpuint (find_break_loss (fixture, 5500), !=, 0);
  g_assert_cmpuint (find_break_loss (fixture, 6500), ==, 0);
}

static void
test_text (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GPtrArray) kernel = NULL;
  g_autoptr (GPtrArray) program = NULL;
  const PenStoredText *text;
  const guint8 *bytes;
  const char *name;
  guint64 start;
  guint64 end;
  gsize length;

  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_DIRECTORY);
  store = import_fixture_open (fixture);

  kernel = pen_store_load_text (store, KERNEL + 0x1000, KERNEL + 0x1100, NULL);
  g_assert_cmpuint (kernel->len, ==, 1);
  text = g_ptr_array_index (kernel, 0);
  bytes = g_bytes_get_data (text->bytes, &length);
  g_assert_cmpstr (text->source, ==, "kcore");
  g_assert_cmpint (text->evidence, ==, PEN_EVIDENCE_FILE);
  g_assert_cmpuint (text->start, <=, KERNEL + 0x1000);
  g_assert_cmpuint (text->start + length, >=, KERNEL + 0x1100);
  g_assert_cmpuint (bytes[KERNEL + 0x1010 - text->start], ==, 0x0f);

  program = pen_store_load_text (store, PROGRAM, PROGRAM + 1, NULL);
  g_assert_cmpuint (program->len, ==, 1);
  text = g_ptr_array_index (program, 0);
  bytes = g_bytes_get_data (text->bytes, &length);
  g_assert_cmpuint (length, ==, 0x40);
  g_assert_cmpuint (bytes[0], ==, 0x55);
  g_assert_cmpint (text->evidence, ==, PEN_EVIDENCE_RECORDED);

  g_assert_true (
      pen_store_find_symbol (store, "[kernel.kallsyms]", KERNEL + 0x1234, &name, &start, &end));
  g_assert_cmpstr (name, ==, "last");
}

static void
test_losses (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) losses = NULL;
  static const PenLoss expected[] = {
    { PEN_LOSS_RECORDS, 4000, 5900, 0, 3, 0, TRUE, 1 },
    { PEN_LOSS_THROTTLED, 6100, 6300, 1, 0, 0, TRUE, 1 },
    { PEN_LOSS_THROTTLED, 6150, 6400, 2, 0, 0, TRUE, 1 },
    { PEN_LOSS_UNWANTED, 6300, 6350, 1, 5, 0, TRUE, 1 },
    { PEN_LOSS_SAMPLES, 6350, 6360, 1, 6, 0, TRUE, 1 },
    { PEN_LOSS_SAMPLES, 1000, 6400, G_MAXUINT32, 2, 2, FALSE, 0 },
    { PEN_LOSS_SAMPLES, 1000, 6400, G_MAXUINT32, 4, 1, FALSE, 0 },
  };

  pen_test_capture_at (capture, 6100, 42, 42, 1);
  pen_test_capture_add_throttle (capture, FALSE);
  pen_test_capture_at (capture, 6150, 42, 42, 2);
  pen_test_capture_add_throttle (capture, FALSE);
  pen_test_capture_at (capture, 6300, 42, 42, 1);
  pen_test_capture_add_throttle (capture, TRUE);
  pen_test_capture_at (capture, 6350, 42, 42, 1);
  pen_test_capture_add_lost_samples (capture, 1 << 15, 5);
  pen_test_capture_at (capture, 6360, 42, 42, 1);
  pen_test_capture_add_lost_samples (capture, 0, 6);
  pen_test_capture_at (capture, 6400, 42, 42, 3);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL, 1);
  /* At the end, per event: the three of LOST are among them. */
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_lost_samples (capture, 0, 2);
  pen_test_capture_from (capture, 0);
  pen_test_capture_add_lost_samples (capture, 0, 4);

  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_DIRECTORY);
  store = import_fixture_open (fixture);
  losses = pen_store_load_losses (store, NULL);

  g_assert_cmpuint (losses->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < losses->len; i++) {
    const PenLoss *loss = &g_array_index (losses, PenLoss, i);
    gboolean is_found = FALSE;

    for (guint k = 0; k < G_N_ELEMENTS (expected); k++)
      is_found |= loss->kind == expected[k].kind && loss->from == expected[k].from
                  && loss->to == expected[k].to && loss->cpu == expected[k].cpu
                  && loss->count == expected[k].count && loss->repeated == expected[k].repeated
                  && loss->has_event == expected[k].has_event && loss->event == expected[k].event;
    if (!is_found)
      g_error ("%s %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT " cpu %u count %" G_GUINT64_FORMAT
               " repeated %" G_GUINT64_FORMAT " event %d %u",
               pen_loss_kind_to_string (loss->kind), loss->from, loss->to, loss->cpu, loss->count,
               loss->repeated, loss->has_event, loss->event);
  }
}

/* Times 0 and 2^64-1 are shown as they were recorded; such a sample may have been taken at any time
 * (Order 0), so that what was patched there is not known. */
static void
test_untimed (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  g_autoptr (PenStore) store = NULL;
  g_autofree char *text = NULL;

  pen_test_capture_from (capture, 0);
  pen_test_capture_at (capture, G_MAXUINT64, 42, 42, 1);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL + 0x1010, 1000000);
  pen_test_capture_at (capture, 0, 42, 42, 1);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL + 0x1015, 1000000);

  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_DIRECTORY);
  store = import_fixture_open (fixture);
  text = import_fixture_dump_samples (store);
  g_assert_true (g_str_has_prefix (
      text,
      "18446744073709551615 cpu-clock 1 42/42 worker ffffffff81001010 unknown  r0 -+0 1000000\n"
      "0 cpu-clock 1 42/42 worker ffffffff81001015 kernel [kernel.kallsyms] r0 "
      "vfs_read+15 1000000\n"
      "1000 "));
  g_assert_cmpint (pen_store_get_fact_int (store, "timeless_samples", -1), ==, 2);
  g_assert_cmpint (pen_store_get_fact_int (store, "timeless_unknown", -1), ==, 1);
}

/* A file alone has no names and no bytes: said, not made up. */
static void
test_without_sources (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GPtrArray) kernel = NULL;
  const PenFunction *functions;
  guint n;

  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_FILE);
  store = import_fixture_open (fixture);
  g_assert_null (pen_store_get_fact (store, "kallsyms"));
  g_assert_null (pen_store_get_fact (store, "kcore"));
  kernel = pen_store_load_text (store, KERNEL, KERNEL + 0x10000, NULL);
  g_assert_cmpuint (kernel->len, ==, 0);

  functions = pen_store_get_functions (store, &n, NULL);
  for (guint i = 0; i < n; i++) {
    if (functions[i].kind != PEN_KIND_KERNEL)
      continue;
    g_assert_null (functions[i].symbol);
    g_assert_cmpuint (functions[i].samples, ==, 3);
    g_assert_cmpuint (functions[i].pokes, ==, 3);
    g_assert_cmpuint (functions[i].versions, ==, 4);
  }
}

static void
test_given_sources (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  g_autoptr (PenStore) store = NULL;
  g_autofree char *path = g_build_filename (fixture->directory, "names", NULL);
  PenSources sources = { .kallsyms = (const char *const[]){ path, NULL } };
  GError *error = NULL;

  g_assert_true (g_file_set_contents (path, "ffffffff81001000 T other_name\n", -1, NULL));
  g_assert_true (pen_test_capture_write (capture, fixture->capture, PEN_TEST_CAPTURE_FILE, NULL));
  pen_import (fixture->capture, fixture->store, &sources, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  store = import_fixture_open (fixture);
  g_assert_nonnull (find_function (store, "other_name"));
  g_assert_cmpstr (pen_store_get_fact (store, "kallsyms"), ==, path);

  /* What the user gave must be usable. */
  g_assert_true (g_file_set_contents (path, "0000000000000000 T hidden\n", -1, NULL));
  g_assert_false (
      pen_import (fixture->capture, fixture->store, &sources, NULL, NULL, NULL, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);
}

/* What the capture has beside it need not be: the import goes on and says so. */
static void
test_bad_kcore_dir (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autofree char *kcore = g_build_filename (fixture->capture, "kcore_dir", "kcore", NULL);
  g_autofree char *kallsyms = g_build_filename (fixture->capture, "kcore_dir", "kallsyms", NULL);
  GError *error = NULL;
  guint named = 0;

  g_assert_true (
      pen_test_capture_write (capture, fixture->capture, PEN_TEST_CAPTURE_DIRECTORY, NULL));
  g_assert_true (g_file_set_contents (kcore, "no ELF", -1, NULL));
  g_assert_true (g_file_set_contents (kallsyms, "0000000000000000 T hidden\n", -1, NULL));
  pen_import (fixture->capture, fixture->store, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);

  store = import_fixture_open (fixture);
  problems = pen_store_load_problems (store, NULL);
  for (guint i = 0; i < problems->len; i++) {
    const PenStoreProblem *problem = g_ptr_array_index (problems, i);

    named += strcmp (problem->file, kcore) == 0 || strcmp (problem->file, kallsyms) == 0;
  }
  g_assert_cmpuint (named, ==, 2);
}

static void
test_not_a_capture (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *left = NULL;

  g_assert_false (pen_import (fixture->capture, fixture->store, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  g_assert_true (g_file_set_contents (fixture->capture, "hello", -1, NULL));
  g_assert_false (pen_import (fixture->capture, fixture->store, NULL, NULL, NULL, NULL, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, fixture->capture));

  left = import_fixture_list (fixture->directory);
  g_assert_cmpstr (left, ==, "perf.data");
}

typedef struct {
  GCancellable *cancellable;
  guint calls;
  guint stop_at;
  guint stages;
  guint64 done;
} Watch;

static void
watch (const PenImportProgress *progress, gpointer user_data)
{
  Watch *self = user_data;

  g_assert_cmpint (progress->stage, >=, 0);
  g_assert_cmpint (progress->stage, <, PEN_IMPORT_STAGES);
  g_assert_cmpstr (pen_import_stage_to_string (progress->stage), !=, "");
  if (progress->total > 0)
    g_assert_cmpuint (progress->done, <=, progress->total);
  if ((self->stages & 1u << progress->stage) != 0)
    g_assert_cmpuint (progress->done, >=, self->done);
  self->done = progress->done;
  self->stages |= 1u << progress->stage;
  if (++self->calls == self->stop_at)
    g_cancellable_cancel (self->cancellable);
}

static void
test_progress_and_cancel (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  Watch all = { 0 };
  GError *error = NULL;

  g_assert_true (
      pen_test_capture_write (capture, fixture->capture, PEN_TEST_CAPTURE_DIRECTORY, NULL));
  g_assert_true (pen_import (fixture->capture, fixture->store, NULL, watch, &all, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (all.stages, ==, (1u << PEN_IMPORT_STAGES) - 1);
  import_fixture_remove (fixture->store);

  /* Each stage tells of its beginning; what comes between depends on how fast the machine is. */
  for (guint i = 1; i <= PEN_IMPORT_STAGES; i++) {
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    g_autofree char *left = NULL;
    Watch one = { .cancellable = cancellable, .stop_at = i };

    g_assert_false (
        pen_import (fixture->capture, fixture->store, NULL, watch, &one, cancellable, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_clear_error (&error);
    left = import_fixture_list (fixture->directory);
    g_assert_cmpstr (left, ==, "perf.data");
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func)                                                                            \
  g_test_add ("/import/" name, ImportFixture, NULL, import_fixture_set_up, func,                   \
              import_fixture_tear_down)

  ADD ("samples", test_samples);
  ADD ("functions", test_functions);
  ADD ("changes", test_changes);
  ADD ("pokes", test_pokes);
  ADD ("break-losses", test_break_losses);
  ADD ("text", test_text);
  ADD ("losses", test_losses);
  ADD ("untimed", test_untimed);
  ADD ("without-sources", test_without_sources);
  ADD ("given-sources", test_given_sources);
  ADD ("bad-kcore-dir", test_bad_kcore_dir);
  ADD ("not-a-capture", test_not_a_capture);
  ADD ("progress-and-cancel", test_progress_and_cancel);
  return g_test_run ();
}
