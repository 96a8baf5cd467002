/* test-record-budget.c: recordings of more records than there is memory for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "import-fixture.h"

#include <string.h>

#include "pen-loss-tracker.h"
#include "pen-reason.h"
#include "pen-record-budget.h"
#include "pen-store-records.h"

/* Of maps with long names, so that few are too many. */
#define N_MAPS 40000u
#define NAME_LENGTH 4000

static guint64
count_taken (PenRecordBudget *budget, const PenRecord *record)
{
  guint64 n = 0;

  while (pen_record_budget_take (budget, record, TRUE))
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
  g_auto (PenRecordBudget) budget;
  guint copies;
  guint64 n;

  pen_record_budget_init (&budget);
  copies = pen_record_budget_get_copies (&budget);
  n = count_taken (&budget, &user_map);
  g_assert_cmpuint (n, >, 600000);
  g_assert_cmpuint (n, <, PEN_RECORD_BUDGET_OF_PROCESSES / 543);
  g_assert_cmpuint (pen_record_budget_get_copies (&budget), <, copies);
  /* The kernel's part is left. */
  n = count_taken (&budget, &kernel_map);
  g_assert_cmpuint (n, >, 50000);
  g_assert_cmpuint (n, <, PEN_RECORD_BUDGET / 1199);
  g_assert_cmpuint (pen_record_budget_get_copies (&budget), <, 4);
  g_assert_true (pen_record_budget_take (&budget, &sample, FALSE));
}

static void
test_lengths (void)
{
  g_autofree char *name = g_strnfill (4095, 'a');
  const PenRecord ksymbol = { .type = PEN_RECORD_KSYMBOL, .ksymbol = { .name = name } };
  const PenRecord poke
      = { .type = PEN_RECORD_TEXT_POKE, .text_poke = { .old_length = 30000, .new_length = 30000 } };
  g_auto (PenRecordBudget) of_names;
  g_auto (PenRecordBudget) of_pokes;

  pen_record_budget_init (&of_names);
  pen_record_budget_init (&of_pokes);
  g_assert_cmpuint (count_taken (&of_names, &ksymbol), <, PEN_RECORD_BUDGET / (3 * 4095));
  g_assert_cmpuint (count_taken (&of_pokes, &poke), <, PEN_RECORD_BUDGET / (2 * 60000));
}

/* A name that came before costs nothing, nor does a process that has a map. */
static void
test_known (void)
{
  g_autofree char *name = g_strnfill (4095, 'a');
  PenRecord map
      = { .type = PEN_RECORD_MMAP2, .misc = PEN_CPUMODE_USER, .map = { .pid = 7, .name = name } };
  g_auto (PenRecordBudget) budget;
  guint64 first;
  guint64 again;
  guint64 other;

  pen_record_budget_init (&budget);
  g_assert_true (pen_record_budget_take (&budget, &map, FALSE));
  first = budget.taken;
  g_assert_true (pen_record_budget_take (&budget, &map, TRUE));
  again = budget.taken - first;
  map.map.pid = 8;
  g_assert_true (pen_record_budget_take (&budget, &map, TRUE));
  other = budget.taken - first - again;
  g_assert_cmpuint (first, >, again + 3 * 4095);
  g_assert_cmpuint (other, >, again);
  g_assert_cmpuint (other, <, 2 * again);
}

static gboolean
take_task (PenRecordBudget *budget, PenRecordType type, guint16 misc, gint32 pid)
{
  const PenRecord comm
      = { .type = type, .misc = misc, .comm = { .pid = pid, .tid = pid, .comm = "cc1" } };
  const PenRecord task = { .type = type, .task = { .pid = pid, .tid = pid, .ppid = 1, .ptid = 1 } };

  return pen_record_budget_take (budget, type == PEN_RECORD_COMM ? &comm : &task, TRUE);
}

/* Tables that samples are counted in are as large as they can be beside few records, and fit what
 * these leave. */
static void
test_halvings (void)
{
  const PenRecord ksymbol = { .type = PEN_RECORD_KSYMBOL, .ksymbol = { .name = "a" } };
  g_auto (PenRecordBudget) budget;
  guint halvings = 0;

  pen_record_budget_init (&budget);
  do {
    guint64 left = PEN_RECORD_BUDGET - budget.taken;
    guint n = pen_record_budget_get_halvings (&budget, 0);

    g_assert_cmpuint (n, >=, halvings);
    g_assert_cmpuint (n, <=, PEN_HALVINGS_MAX);
    g_assert_true (n == PEN_HALVINGS_MAX || PEN_COUNTING_MEMORY >> n <= left);
    g_assert_true (n == 0 || PEN_COUNTING_MEMORY >> (n - 1) > left);
    halvings = n;
  } while (pen_record_budget_take (&budget, &ksymbol, TRUE));
  g_assert_cmpuint (halvings, ==, PEN_HALVINGS_MAX);

  /* Copies count. */
  pen_record_budget_clear (&budget);
  pen_record_budget_init (&budget);
  g_assert_cmpuint (pen_record_budget_get_halvings (&budget, 0), ==, 0);
  g_assert_cmpuint (
      pen_record_budget_get_halvings (&budget, pen_record_budget_get_copies (&budget)), ==,
      PEN_HALVINGS_MAX);
}

/* A build of 64,000 processes: a fork, an exec, six maps and an exit of each, and six maps that it
 * was given; and almost as many records of tasks, without maps. */
static void
test_build (void)
{
  PenRecord map
      = { .type = PEN_RECORD_MMAP2, .misc = PEN_CPUMODE_USER, .map = { .name = "/usr/bin/cc1" } };
  g_auto (PenRecordBudget) build;
  g_auto (PenRecordBudget) tasks;

  pen_record_budget_init (&build);
  pen_record_budget_init (&tasks);
  for (gint32 i = 0; i < 64000; i++) {
    map.map.pid = i % 32000 + 2;
    g_assert_true (take_task (&build, PEN_RECORD_FORK, 0, map.map.pid));
    g_assert_true (take_task (&build, PEN_RECORD_COMM, PEN_MISC_COMM_EXEC, map.map.pid));
    for (guint k = 0; k < 6; k++)
      g_assert_true (pen_record_budget_take (&build, &map, TRUE));
    g_assert_true (take_task (&build, PEN_RECORD_EXIT, 0, map.map.pid));
  }
  g_assert_cmpuint (pen_record_budget_get_copies (&build), >=, 6 * 64000);

  for (gint32 i = 0; i < 1900000; i++)
    g_assert_true (take_task (&tasks, i % 2 ? PEN_RECORD_COMM : PEN_RECORD_EXIT, 0, i % 32000 + 2));
}

/* What others take is not there for records, and the other way round. */
static void
test_shared (void)
{
  const PenRecord ksymbol = { .type = PEN_RECORD_KSYMBOL, .ksymbol = { .name = "a" } };
  const guint64 features = G_GUINT64_CONSTANT (100) << 20;
  g_auto (PenRecordBudget) budget;
  guint64 left;
  guint64 n;
  guint64 alone;

  pen_record_budget_init (&budget);
  alone = count_taken (&budget, &ksymbol);
  g_assert_false (pen_record_budget_take_loss (&budget));
  g_assert_false (pen_record_budget_take_module_event (&budget, 0));
  g_assert_cmpuint (pen_record_budget_get_threads (&budget, 0, PEN_HALVINGS_MAX), ==,
                    PEN_THREADS_MIN);

  pen_record_budget_clear (&budget);
  pen_record_budget_init (&budget);
  g_assert_cmpuint (pen_record_budget_get_threads (&budget, 0, 0), >, 1000000);
  left = pen_record_budget_get_left (&budget);
  pen_record_budget_set_features (&budget, features / 2);
  pen_record_budget_set_features (&budget, features);
  g_assert_cmpuint (pen_record_budget_get_left (&budget), ==, left - features);
  for (n = 0; pen_record_budget_take_loss (&budget); n++)
    continue;
  g_assert_cmpuint (n, >, 400000);
  g_assert_cmpuint (n, <, PEN_RECORD_BUDGET_OF_LOSSES / 178);
  for (n = 0; pen_record_budget_take_module_event (&budget, 52); n++)
    continue;
  g_assert_cmpuint (n, >, 400000);
  g_assert_cmpuint (n, <, PEN_RECORD_BUDGET_OF_MODULE_EVENTS / (290 + 52));
  n = count_taken (&budget, &ksymbol);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <, alone / 2);
  /* The reader may have taken more before it was told. */
  pen_record_budget_set_features (&budget, PEN_RECORD_BUDGET);
  g_assert_cmpuint (pen_record_budget_get_left (&budget), ==, 0);
  g_assert_false (pen_record_budget_take (&budget, &ksymbol, TRUE));
  g_assert_cmpuint (pen_record_budget_get_copies (&budget), ==, 0);
}

static void
add_lost (PenLossTracker *tracker, GPtrArray *problems, guint64 time, guint32 cpu, guint64 count)
{
  const PenRecord record = {
    .type = PEN_RECORD_LOST,
    .has = PEN_HAS_TIME | PEN_HAS_CPU,
    .time = time,
    .cpu = cpu,
    .event = 0,
    .lost = { .lost = count },
  };

  pen_loss_tracker_add (tracker, &record, problems);
}

/* Beyond the memory for losses, one is what all of its CPU were, from the first to the last. */
static void
test_joined_losses (void)
{
  g_autoptr (PenLossTracker) tracker = pen_loss_tracker_new ();
  g_autoptr (PenLossTracker) copy = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new ();
  GArray *losses = pen_loss_tracker_get_losses (tracker);
  const PenLoss *loss;
  guint64 sum = 0;
  guint n;

  add_lost (tracker, problems, 100, 0, 1);
  add_lost (tracker, problems, 110, 1, 1);
  pen_loss_tracker_join (tracker);
  add_lost (tracker, problems, 200, 0, 2);
  add_lost (tracker, problems, 210, 1, 4);
  add_lost (tracker, problems, 300, 0, 8);
  g_assert_cmpuint (losses->len, ==, 4);
  g_assert_cmpuint (pen_loss_tracker_get_joined (tracker), ==, 1);
  loss = &g_array_index (losses, PenLoss, 2);
  g_assert_cmpuint (loss->from, ==, 100);
  g_assert_cmpuint (loss->to, ==, 300);
  g_assert_cmpuint (loss->count, ==, 10);
  g_assert_cmpuint (loss->cpu, ==, 0);
  g_assert_cmpuint (g_array_index (losses, PenLoss, 3).count, ==, 4);

  /* What is joined in a copy leaves the rest as it is. */
  copy = pen_loss_tracker_copy (tracker);
  add_lost (copy, problems, 400, 0, 100);
  g_assert_cmpuint (g_array_index (losses, PenLoss, 2).count, ==, 10);
  g_assert_cmpuint (g_array_index (pen_loss_tracker_get_losses (copy), PenLoss, 2).count, ==, 110);

  /* CPUs without end have one loss together, of an unknown CPU. */
  for (guint cpu = 0; cpu < 50000; cpu++)
    add_lost (tracker, problems, 1000 + cpu, cpu, 1);
  g_assert_cmpuint (losses->len, <, 5000);
  loss = &g_array_index (losses, PenLoss, losses->len - 1);
  g_assert_cmpuint (loss->cpu, ==, G_MAXUINT32);
  g_assert_cmpuint (loss->to, ==, 1000 + 49999);
  for (n = 0; n < losses->len; n++)
    sum += g_array_index (losses, PenLoss, n).count;
  g_assert_cmpuint (sum, ==, 16 + 50000);
}

static char *
make_name (guint i)
{
  return g_strdup_printf ("/%0*u", NAME_LENGTH - 1, i);
}

static guint
count_maps_taken (void)
{
  PenRecord map = { .type = PEN_RECORD_MMAP2, .misc = PEN_CPUMODE_USER, .map = { .pid = 7 } };
  g_auto (PenRecordBudget) budget;
  guint n = 0;

  pen_record_budget_init (&budget);
  for (;; n++) {
    g_autofree char *name = make_name (n);

    map.map.name = name;
    if (!pen_record_budget_take (&budget, &map, FALSE))
      return n;
  }
}

/* The rest is left out, with a word and a loss; the kernel's records after it are kept. */
static void
test_import (ImportFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 call[] = { 0xe8, 0x01, 0x02, 0x03, 0x04 };
  const guint taken = count_maps_taken ();
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  g_autoptr (GArray) losses = NULL;
  const PenStoreProblem *problem;
  const PenLoss *loss;
  g_autofree char *pokes = NULL;

  g_assert_cmpuint (taken, <, N_MAPS);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  for (guint i = 0; i < N_MAPS; i++) {
    g_autofree char *name = make_name (i);

    pen_test_capture_at (capture, 1000 + i, 7, 7, 0);
    pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, 7, 7, 0x10000 * (guint64) (i + 1), 0x1000,
                                0, 5, 2, NULL, name);
  }
  pen_test_capture_at (capture, 2000 + N_MAPS, 8, 8, 0);
  pen_test_capture_add_text_poke (capture, KERNEL, nop, sizeof nop, call, sizeof call);
  import_fixture_import (fixture, capture, PEN_TEST_CAPTURE_FILE);

  store = import_fixture_open (fixture);
  problems = pen_store_load_problems (store, NULL);
  g_assert_cmpuint (problems->len, ==, 1);
  problem = g_ptr_array_index (problems, 0);
  g_assert_cmpstr (problem->action, ==, "set aside");
  g_assert_cmpstr (problem->record, ==, "MMAP2");
  g_assert_cmpstr (problem->reason, ==, PEN_REASON_TOO_MANY_RECORDS);
  g_assert_cmpuint (problem->count, ==, N_MAPS - taken);

  losses = pen_store_load_losses (store, NULL);
  g_assert_cmpuint (losses->len, ==, 1);
  loss = &g_array_index (losses, PenLoss, 0);
  g_assert_cmpint (loss->kind, ==, PEN_LOSS_SET_ASIDE);
  g_assert_cmpuint (loss->count, ==, N_MAPS - taken);
  g_assert_cmpuint (loss->from, ==, 1000 + taken);
  g_assert_cmpuint (loss->to, ==, 2000 + N_MAPS);

  pokes = import_fixture_ask (store, "SELECT printf('%d', count(*)) FROM text_poke");
  g_assert_cmpstr (pokes, ==, "1");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/import/record-budget/kinds", test_kinds);
  g_test_add_func ("/import/record-budget/lengths", test_lengths);
  g_test_add_func ("/import/record-budget/known", test_known);
  g_test_add_func ("/import/record-budget/halvings", test_halvings);
  g_test_add_func ("/import/record-budget/build", test_build);
  g_test_add_func ("/import/record-budget/shared", test_shared);
  g_test_add_func ("/import/record-budget/joined-losses", test_joined_losses);
  g_test_add ("/import/record-budget/import", ImportFixture, NULL, import_fixture_set_up,
              test_import, import_fixture_tear_down);
  return g_test_run ();
}
