/* test-record-budget.c: recordings of more records than there is memory for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <string.h>

#include "pen-reason.h"
#include "pen-record-budget.h"
#include "pen-store-records.h"

#define MAX_RECORDS (PEN_RECORD_BUDGET / PEN_RECORD_COST)
#define MAX_OF_PROCESSES (PEN_RECORD_BUDGET_OF_PROCESSES / PEN_RECORD_COST)

static guint64
count_taken (PenRecordBudget *budget, const PenRecord *record)
{
  guint64 n = 0;

  while (pen_record_budget_take (budget, record))
    n++;
  return n;
}

static void
test_kinds (void)
{
  const PenRecord user_map
      = { .type = PEN_RECORD_MMAP2, .misc = PEN_CPUMODE_USER, .map = { .pid = 7, .name = "/a" } };
  const PenRecord kernel_map = { .type = PEN_RECORD_MMAP,
                                 .misc = PEN_CPUMODE_KERNEL,
                                 .map = { .pid = -1, .name = "[a]" } };
  const PenRecord sample = { .type = PEN_RECORD_SAMPLE };
  PenRecordBudget budget = { 0 };
  guint copies = pen_record_budget_get_copies (&budget);

  g_assert_cmpuint (count_taken (&budget, &user_map), ==, MAX_OF_PROCESSES);
  g_assert_cmpuint (pen_record_budget_get_copies (&budget), <, copies);
  /* The kernel's part is left. */
  g_assert_cmpuint (count_taken (&budget, &kernel_map), ==, MAX_RECORDS - MAX_OF_PROCESSES);
  g_assert_cmpuint (pen_record_budget_get_copies (&budget), <, 4);
  g_assert_true (pen_record_budget_take (&budget, &sample));
}

static void
test_lengths (void)
{
  g_autofree char *name = g_strnfill (4095, 'a');
  const PenRecord ksymbol = { .type = PEN_RECORD_KSYMBOL, .ksymbol = { .name = name } };
  const PenRecord poke
      = { .type = PEN_RECORD_TEXT_POKE, .text_poke = { .old_length = 30000, .new_length = 30000 } };
  PenRecordBudget of_names = { 0 };
  PenRecordBudget of_pokes = { 0 };

  g_assert_cmpuint (count_taken (&of_names, &ksymbol), <, PEN_RECORD_BUDGET / (3 * 4095));
  g_assert_cmpuint (count_taken (&of_pokes, &poke), <, PEN_RECORD_BUDGET / (2 * 60000));
}

/* The rest is left out, with a word and a loss; the kernel's records after it are kept. */
static void
test_import (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 call[] = { 0xe8, 0x01, 0x02, 0x03, 0x04 };
  const guint64 n = MAX_OF_PROCESSES + 1000;
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GArray) losses = NULL;
  const PenStoreProblem *problem;
  const PenLoss *loss;
  g_autofree char *pokes = NULL;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  for (guint64 i = 0; i < n; i++) {
    pen_test_capture_at (capture, 1000 + i, 8, 8, 0);
    pen_test_capture_add_exit (capture, 8, 7, 8, 7);
  }
  pen_test_capture_at (capture, 2000 + n, 8, 8, 0);
  pen_test_capture_add_text_poke (capture, KERNEL, nop, sizeof nop, call, sizeof call);
  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_FILE);

  store = import_fixture_open (fixture);
  problems = pen_store_load_problems (store, NULL);
  g_assert_cmpuint (problems->len, ==, 1);
  problem = g_ptr_array_index (problems, 0);
  g_assert_cmpstr (problem->action, ==, "set aside");
  g_assert_cmpstr (problem->record, ==, "EXIT");
  g_assert_cmpstr (problem->reason, ==, PEN_REASON_TOO_MANY_RECORDS);
  g_assert_cmpuint (problem->count, ==, 1000);

  losses = pen_store_load_losses (store, NULL);
  g_assert_cmpuint (losses->len, ==, 1);
  loss = &g_array_index (losses, PenLoss, 0);
  g_assert_cmpint (loss->kind, ==, PEN_LOSS_SET_ASIDE);
  g_assert_cmpuint (loss->count, ==, 1000);
  g_assert_cmpuint (loss->from, ==, 1000 + n - 1000);
  g_assert_cmpuint (loss->to, ==, 2000 + n);

  pokes = import_fixture_ask (store, "SELECT printf('%d', count(*)) FROM text_poke");
  g_assert_cmpstr (pokes, ==, "1");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/import/record-budget/kinds", test_kinds);
  g_test_add_func ("/import/record-budget/lengths", test_lengths);
  g_test_add ("/import/record-budget/import", ImportFixture, NULL, import_fixture_set_up,
              test_import, import_fixture_tear_down);
  return g_test_run ();
}
