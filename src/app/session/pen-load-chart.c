/* pen-load-chart.c: stacks in time order, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-load-chart.h"

#include "pen-stack-chart.h"

/* A page can be scrolled. */
#define MOST_CPUS (4 * PEN_CHART_MOST_CPUS)
#define MOST_TASKS (2 * PEN_CHART_MOST_TASKS)
#define MOST_LEVELS (2 * PEN_CHART_MOST_LEVELS)

typedef struct {
  PenFilter *filter;
  PenStackGrouping grouping;
  PenChartKey key;
  PenSpan span;
  guint pixels;
} Question;

static void
question_free (gpointer data)
{
  Question *self = data;

  pen_filter_free (self->filter);
  g_free (self);
}

static gpointer
load_chart (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Question *question = input;
  g_autoptr (PenChartAnswer) answer = pen_chart_answer_new (*query);
  g_autoptr (GError) wrong = NULL;

  answer->chart = pen_stack_chart_load (
      *query, question->filter, question->grouping, question->key, question->span, question->pixels,
      question->key == PEN_CHART_BY_CPU ? MOST_CPUS : MOST_TASKS, MOST_LEVELS, error);
  if (!answer->chart)
    return NULL;
  /* There may be none. */
  answer->functions
      = pen_store_get_functions (pen_query_get_store (*query), &answer->n_functions, &wrong);
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
  question->grouping = view->flame->grouping;
  question->key = view->flame->chart_key;
  question->span = view->visible;
  question->pixels = pixels;
  pen_worker_run_async (worker, PEN_JOB_CHART, "chart", load_chart, question, question_free,
                        (GDestroyNotify) pen_chart_answer_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (chart, PenChartAnswer)
