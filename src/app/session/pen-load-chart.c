/* pen-load-chart.c: stacks in time order, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-load-chart.h"

#include "pen-load-flame.h"
#include "pen-stack-chart.h"

/* A page can be scrolled. */
#define MOST_CPUS (4 * PEN_CHART_MOST_CPUS)
#define MOST_TASKS (2 * PEN_CHART_MOST_TASKS)
#define MOST_LEVELS (2 * PEN_CHART_MOST_LEVELS)

typedef struct {
  PenFilter *filter;
  PenFlameState *state;
  PenSpan span;
  guint pixels;
} Question;

static void
question_free (gpointer data)
{
  Question *self = data;

  pen_flame_state_unref (self->state);
  pen_filter_free (self->filter);
  g_free (self);
}

static gpointer
load_chart (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Question *question = input;
  PenQuery *asked = pen_load_flame_choose (*query, question->state, error);
  gboolean is_of_waits = asked && asked != *query;
  /* No CPU waits. */
  PenChartKey key = is_of_waits ? PEN_CHART_BY_TASK : question->state->chart_key;
  g_autoptr (PenChartAnswer) answer = NULL;
  g_autoptr (GError) wrong = NULL;

  if (!asked)
    return NULL;
  answer = pen_chart_answer_new (asked);
  answer->chart = pen_stack_chart_load (
      asked, question->filter, question->state->grouping, key, question->span, question->pixels,
      key == PEN_CHART_BY_CPU ? MOST_CPUS : MOST_TASKS, MOST_LEVELS, error);
  if (!answer->chart)
    return NULL;
  /* There may be none. */
  answer->functions
      = pen_store_get_functions (pen_query_get_store (asked), &answer->n_functions, &wrong);
  if (!wrong)
    return g_steal_pointer (&answer);
  g_propagate_error (error, g_steal_pointer (&wrong));
  return NULL;
}

void
pen_load_chart_async (PenWorker *worker, const PenViewState *view, guint pixels,
                      GAsyncReadyCallback callback, gpointer user_data)
{
  Question *question = g_new0 (Question, 1);

  question->filter = pen_filter_copy (view->filter);
  question->state = pen_flame_state_copy (view->flame);
  question->span = view->visible;
  question->pixels = pixels;
  pen_worker_run_async (worker, PEN_JOB_CHART, "chart", load_chart, question, question_free,
                        (GDestroyNotify) pen_chart_answer_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (chart, PenChartAnswer)
