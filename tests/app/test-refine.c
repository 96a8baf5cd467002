/* test-refine.c: what is estimated at first is exact as soon as there is nothing else to do
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "app-support.h"
#include "random-store.h"

/* More blocks than one quick answer reads. */
static const RandomStoreShape shape = { .seed = 11,
                                        .n_blocks = 60,
                                        .block_samples = 40,
                                        .fan = 4,
                                        .step = 5000,
                                        .n_places = 20,
                                        .n_generations = 1 };

static guint n_estimates;

static void
on_lanes (PenSession *session)
{
  const PenTaskBins *bins = pen_session_get_answers (session)->tasks[PEN_TASKS_BY_CPU];

  n_estimates += bins && bins->stride > 1;
}

static void
test_cpus (void)
{
  g_autoptr (RandomStore) random = random_store_new (&shape);
  g_autoptr (PenSession) session = pen_session_new ();
  g_autoptr (PenTaskBins) all = NULL;
  const PenTaskBins *shown;
  PenSpan span;

  pen_session_set_remembers (session, FALSE);
  g_signal_connect (session, "answered::tasks", G_CALLBACK (on_lanes), NULL);
  pen_session_open (session, random->path);
  app_support_settle (session);
  g_assert_cmpint (pen_session_get_state (session), ==, PEN_SESSION_READY);
  pen_session_set_overview_bins (session, 50);
  pen_session_set_shows_tasks (session, PEN_TASKS_BY_CPU, TRUE);
  app_support_settle (session);

  shown = pen_session_get_answers (session)->tasks[PEN_TASKS_BY_CPU];
  span = pen_session_get_view (session)->visible;
  all = pen_query_task_bins (random->query, NULL, PEN_TASKS_BY_CPU, span.from, span.to, 50, 64,
                             G_MAXUINT, NULL);
  g_assert_cmpuint (n_estimates, >, 0);
  g_assert_cmpuint (shown->stride, ==, 1);
  g_assert_cmpuint (shown->rows->len, ==, all->rows->len);
  g_assert_true (
      memcmp (shown->counts, all->counts, 50 * (gsize) all->rows->len * sizeof *all->counts) == 0);

  /* The next stretch is another question. */
  n_estimates = 0;
  span.to = span.from + pen_span_length (span) * 9 / 10;
  pen_session_set_visible (session, span);
  app_support_settle (session);
  g_assert_cmpuint (n_estimates, >, 0);
  shown = pen_session_get_answers (session)->tasks[PEN_TASKS_BY_CPU];
  g_assert_cmpuint (shown->stride, ==, 1);
  g_assert_cmpuint (shown->to, ==, pen_session_get_view (session)->visible.to);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  app_support_begin ();
  g_test_add_func ("/refine/cpus", test_cpus);
  status = g_test_run ();
  app_support_end ();
  return status;
}
