/* test-changing.c: captures that change while they are read, and imports that are stopped anywhere
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pen-store-records.h"

#define SAMPLES 60000u
#define PATCHES 20000u

static PenTestCapture *
make_large_capture (void)
{
  static const guint8 nop[] = { 0x90 };
  static const guint8 trap[] = { 0xcc };
  PenTestCapture *capture = import_fixture_make_capture ();

  for (guint i = 0; i < SAMPLES; i++) {
    pen_test_capture_from (capture, 0);
    pen_test_capture_at (capture, 10000 + i, 42, 42, 1);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL + i % 4096, 1);
    if (i % (SAMPLES / PATCHES) != 0)
      continue;
    pen_test_capture_from (capture, 1);
    pen_test_capture_add_text_poke (capture, KERNEL + i % 4096, nop, 1, trap, 1);
  }
  return capture;
}

typedef struct {
  const char *path;
  goffset size; /* to which it is cut when reading begins; -1: grows */
  gboolean is_done;
} Change;

static void
change_file (const PenImportProgress *progress, gpointer user_data)
{
  Change *change = user_data;
  FILE *file;

  if (change->is_done || progress->stage != PEN_IMPORT_READ)
    return;

  change->is_done = TRUE;
  if (change->size >= 0) {
    g_assert_cmpint (truncate (change->path, change->size), ==, 0);
    return;
  }
  file = g_fopen (change->path, "ab");
  g_assert_nonnull (file);
  fwrite ("more of it", 1, 10, file);
  fclose (file);
}

static guint64
import_changing (ImportFixture *fixture, goffset size, gboolean *has_ended)
{
  Change change = { fixture->capture, size, FALSE };
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GArray) losses = NULL;
  GError *error = NULL;

  pen_import (fixture->capture, fixture->store, NULL, change_file, &change, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (change.is_done);
  store = import_fixture_open (fixture);

  *has_ended = FALSE;
  problems = pen_store_load_problems (store, NULL);
  for (guint i = 0; i < problems->len; i++)
    *has_ended
        |= strcmp (((PenStoreProblem *) g_ptr_array_index (problems, i))->action, "ended") == 0;
  losses = pen_store_load_losses (store, NULL);
  for (guint i = 0; i < losses->len; i++)
    if (g_array_index (losses, PenLoss, i).kind == PEN_LOSS_TRUNCATED)
      g_assert_true (*has_ended);
  return (guint64) pen_store_get_fact_int (store, "samples", -1);
}

static void
write_capture (ImportFixture *fixture, PenTestCapture *capture)
{
  GError *error = NULL;

  import_fixture_remove (fixture->capture);
  g_assert_true (pen_test_capture_write (capture, fixture->capture, PEN_TEST_CAPTURE_FILE, &error));
  g_assert_no_error (error);
}

/* What was good is there, and where it ended is said. */
static void
test_cut (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = make_large_capture ();
  gboolean has_ended;
  guint64 samples;
  GStatBuf status;

  write_capture (fixture, capture);
  g_assert_cmpint (g_stat (fixture->capture, &status), ==, 0);
  samples = import_changing (fixture, status.st_size / 2, &has_ended);
  g_assert_true (has_ended);
  g_assert_cmpuint (samples, >, SAMPLES / 4);
  g_assert_cmpuint (samples, <, SAMPLES * 3 / 4);
}

static void
test_grown (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = make_large_capture ();
  gboolean has_ended;

  write_capture (fixture, capture);
  g_assert_cmpuint (import_changing (fixture, -1, &has_ended), ==, SAMPLES + 10);
  g_assert_false (has_ended);
}

/* The cache has it under what it was when the import began: then it is not found again. */
static void
test_cache (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = make_large_capture ();
  Change change = { fixture->capture, -1, FALSE };
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  g_autoptr (PenStore) store = NULL;
  GStatBuf status;
  GError *error = NULL;

  write_capture (fixture, capture);
  g_assert_cmpint (g_stat (fixture->capture, &status), ==, 0);
  change.size = status.st_size / 2;

  first = pen_import_open (fixture->capture, NULL, change_file, &change, NULL, &error);
  g_assert_no_error (error);
  second = pen_import_open (fixture->capture, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (first, !=, second);
  third = pen_import_open (fixture->capture, NULL, NULL, NULL, NULL, &error);
  g_assert_cmpstr (second, ==, third);
  store = pen_store_open (third, &error);
  g_assert_no_error (error);
}

typedef struct {
  GCancellable *cancellable;
  PenImportStage stage;
  guint call; /* of that stage, from 1, at which it is cancelled */
  guint calls;
} Stop;

static void
stop_at (const PenImportProgress *progress, gpointer user_data)
{
  Stop *stop = user_data;

  if (progress->stage == stop->stage && ++stop->calls == stop->call)
    g_cancellable_cancel (stop->cancellable);
}

static void
test_cancel_each_stage (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = make_large_capture ();

  write_capture (fixture, capture);
  for (guint stage = 0; stage < PEN_IMPORT_STAGES; stage++) {
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    Stop stop = { cancellable, stage, 1, 0 };
    g_autofree char *left = NULL;
    GError *error = NULL;

    g_assert_false (
        pen_import (fixture->capture, fixture->store, NULL, stop_at, &stop, cancellable, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_clear_error (&error);
    left = import_fixture_list (fixture->directory);
    g_assert_cmpstr (left, ==, "perf.data");
  }
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = g_dir_make_tmp ("pen-changing-XXXXXX", NULL);
  int result;

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func)                                                                            \
  g_test_add ("/import/changing/" name, ImportFixture, NULL, import_fixture_set_up, func,          \
              import_fixture_tear_down)

  ADD ("cut", test_cut);
  ADD ("grown", test_grown);
  ADD ("cache", test_cache);
  ADD ("cancel-each-stage", test_cancel_each_stage);

  result = g_test_run ();
  import_fixture_remove (cache);
  return result;
}
