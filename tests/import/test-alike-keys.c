/* test-alike-keys.c: captures whose names and addresses were chosen against hash tables
 *
 * With a hash that leaves out what differs, or that everybody can compute, each of these takes
 * minutes: longer than the test may run.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#define LETTERS 17
#define N_RECORDS (1u << LETTERS)
#define KSYMBOLS 200000u

static PenTestCapture *
make_capture (void)
{
  PenTestCapture *capture = pen_test_capture_new ();

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  return capture;
}

/* g_str_hash() is the same for all of them. */
static char *
make_name (guint number)
{
  GString *name = g_string_new (NULL);

  for (guint i = 0; i < LETTERS; i++)
    g_string_append (name, (number >> i & 1) != 0 ? "bB" : "ac");
  return g_string_free (name, FALSE);
}

static void
import (ImportFixture *fixture, PenTestCapture *capture, const char *sql, const char *expected)
{
  g_autoptr (PenStore) store = NULL;
  g_autofree char *answer = NULL;

  import_fixture_import (fixture, capture, 0);
  store = import_fixture_open (fixture);
  answer = import_fixture_ask (store, sql);
  g_assert_cmpstr (answer, ==, expected);
}

/* Each has another name, and is a function of its own. */
static void
test_ksymbols_at_one_address (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenTestCapture) capture = make_capture ();

  for (guint i = 0; i < KSYMBOLS; i++) {
    g_autofree char *name = g_strdup_printf ("bpf_prog_%u", i);

    pen_test_capture_at (capture, 1000 + i, -1, 0, 0);
    pen_test_capture_add_ksymbol (capture, PROGRAM, 64, 1, 0, name);
  }
  import (fixture, capture, "SELECT CAST(count(DISTINCT symbol) AS TEXT) FROM function", "200000");
}

static void
test_ksymbols_of_alike_names (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenTestCapture) capture = make_capture ();

  for (guint i = 0; i < N_RECORDS; i++) {
    g_autofree char *name = make_name (i);

    pen_test_capture_at (capture, 1000 + i, -1, 0, 0);
    pen_test_capture_add_ksymbol (capture, PROGRAM + 64 * (guint64) i, 64, 1, 0, name);
  }
  import (fixture, capture, "SELECT CAST(count(DISTINCT symbol) AS TEXT) FROM function", "131072");
}

static void
test_maps_of_alike_names (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenTestCapture) capture = make_capture ();

  for (guint i = 0; i < N_RECORDS; i++) {
    g_autofree char *name = make_name (i);

    pen_test_capture_at (capture, 1000 + i, 7, 7, 0);
    pen_test_capture_add_mmap (capture, 0, 7, 7, 4096 * (guint64) (i + 1), 4096, 0, name);
  }
  import (fixture, capture, "SELECT CAST(count(DISTINCT name) AS TEXT) FROM tenure", "131072");
}

/* Threads that differ in their name only. */
static void
test_comms_of_one_thread (ImportFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenTestCapture) capture = make_capture ();

  for (guint i = 0; i < N_RECORDS; i++) {
    g_autofree char *name = g_strdup_printf ("c%u", i);

    pen_test_capture_at (capture, 1000 + 2 * i, 7, 7, 0);
    pen_test_capture_add_comm (capture, 7, 7, FALSE, name);
    pen_test_capture_at (capture, 1001 + 2 * i, 7, 7, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL, 1);
  }
  import (fixture, capture, "SELECT CAST(count(*) AS TEXT) FROM thread", "131072");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, test)                                                                            \
  g_test_add ("/import/alike-keys/" name, ImportFixture, NULL, import_fixture_set_up, test,        \
              import_fixture_tear_down)
  ADD ("ksymbols-at-one-address", test_ksymbols_at_one_address);
  ADD ("ksymbols-of-alike-names", test_ksymbols_of_alike_names);
  ADD ("maps-of-alike-names", test_maps_of_alike_names);
  ADD ("comms-of-one-thread", test_comms_of_one_thread);
#undef ADD
  return g_test_run ();
}
