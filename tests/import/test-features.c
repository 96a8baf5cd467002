/* test-features.c: what the capture says of its machine, its files and its BPF programs is kept
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <string.h>

#include "pen-store-occupants.h"
#include "pen-store-records.h"
#include "pen-store-sources.h"

#include "pen-reason.h"

static const guint8 id_a[20] = { 0xaa, 1, 2, 3 };
static const guint8 id_b[20] = { 0xbb, 1, 2, 3 };

static void
add_module (PenTestCapture *capture, guint64 start, const char *name, const guint8 *build_id)
{
  pen_test_capture_add_mmap2 (capture, PEN_TEST_KERNEL, -1, 0, start, 0x1000, 0, 5, 2, build_id,
                              name);
}

static const PenTenure *
find_tenure (GArray *tenures, const char *occupant)
{
  for (guint i = 0; i < tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (tenures, PenTenure, i);

    if (strcmp (tenure->occupant, occupant) == 0)
      return tenure;
  }
  return NULL;
}

static GArray *
import_modules (ImportFixture *fixture, const guint8 *of_second, PenStore **store)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  GError *error = NULL;
  GArray *tenures;

  pen_test_capture_as_recorder (capture);
  add_module (capture, 0xffffffffa1000000u, "/lib/modules/6.1/first.ko", id_a);
  add_module (capture, 0xffffffffa1001000u, "/lib/modules/6.1/first.ko.xz", id_a);
  add_module (capture, 0xffffffffa1002000u, "/lib/modules/6.1/second.ko", of_second);
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, 42, 42, 0x700000, 0x1000, 0, 5, 2, id_a,
                              "/lib/user.so");
  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_DIRECTORY);
  *store = import_fixture_open (fixture);
  tenures = pen_store_load_tenures (*store, 0, 0xffffffffa1000000u, 0xffffffffa1003000u, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tenures->len, ==, 3);
  return tenures;
}

static guint
count_problems (PenStore *store, const char *reason)
{
  g_autoptr (GPtrArray) problems = pen_store_load_problems (store, NULL);
  guint n = 0;

  for (guint i = 0; i < problems->len; i++)
    n += g_str_equal (((PenStoreProblem *) g_ptr_array_index (problems, i))->reason, reason);
  return n;
}

static void
test_module_build_ids (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  for (guint is_defect = 0; is_defect < 2; is_defect++) {
    g_autoptr (PenStore) store = NULL;
    g_autoptr (GArray) tenures = import_modules (fixture, is_defect ? id_a : id_b, &store);
    const PenTenure *first = find_tenure (tenures, "[first]");
    const PenTenure *second = find_tenure (tenures, "[second]");

    g_assert_cmpuint (first->build_id_length, ==, is_defect ? 0 : 20);
    g_assert_cmpuint (second->build_id_length, ==, is_defect ? 0 : 20);
    g_assert_cmpuint (count_problems (store, PEN_REASON_SAME_BUILD_ID), ==, is_defect);
    if (!is_defect)
      g_assert_cmpmem (second->build_id, 20, id_b, 20);
  }
}

static void
test_facts (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenTestCapture) capture = import_fixture_make_capture ();
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) build_ids = NULL;
  const PenStoredBuildId *build_id;

  pen_test_capture_set_clock (capture, 1, 1700000000000000000, 5000, 4);
  pen_test_capture_add_build_id (capture, -1, 1, id_a, 20, "[kernel.kallsyms]");
  pen_test_capture_add_build_id (capture, 42, 2, id_b, 16, "/bin/worker");
  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_DIRECTORY);
  store = import_fixture_open (fixture);

  g_assert_cmpstr (pen_store_get_fact (store, "wall_clock_offset_ns"), ==, "1699999999999995000");
  g_assert_cmpstr (pen_store_get_fact (store, "clock_resolution_ns"), ==, "4");
  g_assert_cmpstr (pen_store_get_fact (store, "byte_order"), ==, "little");

  build_ids = pen_store_load_build_ids (store, NULL);
  g_assert_cmpuint (build_ids->len, ==, 2);
  build_id = &g_array_index (build_ids, PenStoredBuildId, 0);
  g_assert_cmpstr (build_id->mode, ==, "kernel");
  g_assert_cmpmem (build_id->id, build_id->id_length, id_a, 20);
  build_id = &g_array_index (build_ids, PenStoredBuildId, 1);
  g_assert_cmpstr (build_id->mode, ==, "user");
  g_assert_cmpstr (build_id->name, ==, "/bin/worker");
  g_assert_cmpint (build_id->pid, ==, 42);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/import/features/module-build-ids", ImportFixture, NULL, import_fixture_set_up,
              test_module_build_ids, import_fixture_tear_down);
  g_test_add ("/import/features/facts", ImportFixture, NULL, import_fixture_set_up, test_facts,
              import_fixture_tear_down);
  return g_test_run ();
}
