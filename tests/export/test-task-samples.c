/* test-task-samples.c: samples by task are the same however many are kept at a time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <inttypes.h>

#include "query-fixture.h"

#include "pen-task-samples.h"

static gboolean
spell (const PenTaskSample *sample, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  g_string_append_printf (user_data, " %" PRIu64 ":%u:%u", sample->time, sample->stack,
                          sample->cpu);
  return TRUE;
}

/* Every task with its samples. */
static char *
list (QueryFixture *fixture, guint most)
{
  const PenWeightedOptions options = { .suffixes = PEN_FOLD_VERSION };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenWeightedStacks) stacks
      = pen_weighted_stacks_new (fixture->query, NULL, &options, &error);
  g_autoptr (PenTaskSamples) samples = NULL;
  g_auto (GStrv) lines = NULL;
  guint n;
  const PenTaskTotal *tasks;

  g_assert_no_error (error);
  samples = pen_task_samples_new (stacks, PEN_STACK_SAMPLES, most, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (pen_task_samples_get_total (samples).n, ==, FIXTURE_SAMPLES);
  tasks = pen_task_samples_get (samples, &n);
  g_assert_cmpuint (n, >, 1);
  lines = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++) {
    GString *line = g_string_new (NULL);

    g_string_printf (line, "%u %" PRIu64, i, tasks[i].n);
    g_assert_true (pen_task_samples_foreach (samples, i, spell, line, &error));
    g_assert_no_error (error);
    lines[i] = g_string_free (line, FALSE);
  }
  return g_strjoinv ("\n", lines);
}

static void
test_passes (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *all = list (fixture, PEN_TASK_SAMPLES_KEPT);

  g_test_message ("%s", all);
  for (guint most = 0; most <= FIXTURE_SAMPLES; most++) {
    g_autofree char *some = list (fixture, most);

    g_assert_cmpstr (some, ==, all);
  }
}

static gboolean
stop (const PenTaskSample *sample G_GNUC_UNUSED, gpointer user_data, GError **error)
{
  guint *n = user_data;

  if (++*n < 2)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "enough");
  return FALSE;
}

static void
test_stops (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (guint most = 0; most < 100; most += 99) {
    const PenWeightedOptions options = { 0 };
    g_autoptr (PenWeightedStacks) stacks
        = pen_weighted_stacks_new (fixture->query, NULL, &options, NULL);
    g_autoptr (PenTaskSamples) samples
        = pen_task_samples_new (stacks, PEN_STACK_SAMPLES, most, NULL);
    g_autoptr (GError) error = NULL;
    guint n = 0;

    g_assert_false (pen_task_samples_foreach (samples, 0, stop, &n, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
    g_assert_cmpuint (n, ==, 2);
  }
}

/* A cancel ends it, in each of its passes. */
static void
test_cancel (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const PenWeightedOptions options = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (PenWeightedStacks) stacks
      = pen_weighted_stacks_new (fixture->query, NULL, &options, NULL);
  g_autoptr (PenTaskSamples) samples
      = pen_task_samples_new (stacks, PEN_STACK_SAMPLES, PEN_TASK_SAMPLES_KEPT, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) line = g_string_new (NULL);

  pen_store_set_cancellable (fixture->store, cancellable);
  g_cancellable_cancel (cancellable);
  g_assert_false (pen_task_samples_foreach (samples, 0, spell, line, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  pen_store_set_cancellable (fixture->store, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/export/task-samples/passes", QueryFixture, NULL, query_fixture_set_up, test_passes,
              query_fixture_tear_down);
  g_test_add ("/export/task-samples/stops", QueryFixture, NULL, query_fixture_set_up, test_stops,
              query_fixture_tear_down);
  g_test_add ("/export/task-samples/cancel", QueryFixture, NULL, query_fixture_set_up, test_cancel,
              query_fixture_tear_down);
  return g_test_run ();
}
