/* pen-loader-refine.c: answers that were estimated, because that is quick, are asked for once more
 * while nothing else is to do
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-loader-private.h"

#include <string.h>

static gboolean
is_same_picture (const PenMapBins *a, const PenMapBins *b)
{
  return a->from == b->from && a->to == b->to && a->n_columns == b->n_columns
         && a->n_rows == b->n_rows
         && memcmp (a->edges, b->edges, (a->n_rows + 1) * sizeof *a->edges) == 0;
}

static void
on_refined_map (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenLoader *self = user_data;
  g_autoptr (PenMapAnswer) answer = NULL;

  if (pen_worker_was_dropped (result))
    return;
  self->refining = 0;
  answer = pen_load_map_finish (result, NULL);
  if (answer && answer->bins && self->answers.map
      && is_same_picture (answer->bins, self->answers.map)) {
    g_clear_pointer (&self->answers.map, pen_map_bins_free);
    self->answers.map = g_steal_pointer (&answer->bins);
    self->loaded (self->owner, PEN_JOB_MAP);
  }
}

static void
on_refined_tasks (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  const PenLoaderTasks *tasks = user_data;
  PenLoader *self = tasks->loader;
  PenTaskBins **place = &self->answers.tasks[tasks->key];
  g_autoptr (PenTaskBins) bins = NULL;

  if (pen_worker_was_dropped (result))
    return;
  self->refining = 0;
  bins = pen_load_tasks_finish (result, NULL);
  if (bins && *place && bins->from == (*place)->from && bins->to == (*place)->to
      && bins->n_bins == (*place)->n_bins) {
    g_clear_pointer (place, pen_task_bins_free);
    *place = g_steal_pointer (&bins);
    self->loaded (self->owner, pen_loader_task_jobs[tasks->key]);
  }
}

void
pen_loader_refine (PenLoader *self)
{
  const PenAnswers *answers = &self->answers;
  const PenViewState *view = self->view;

  if (!pen_loader_is_settled (self))
    return;
  /* Something else took its place. */
  self->refined &= ~self->refining;
  self->refining = 0;
  if (view->page == PEN_PAGE_MAP && answers->map && answers->map->grain > 0
      && !(self->refined >> PEN_JOB_MAP & 1)) {
    self->refining = 1u << PEN_JOB_MAP;
    pen_load_map_async (self->worker, PEN_JOB_REFINE, view->filter, view->flame, view->visible,
                        &self->cells, on_refined_map, self);
  }
  for (guint key = 0; key < G_N_ELEMENTS (pen_loader_task_jobs) && !self->refining; key++) {
    if (!answers->tasks[key] || answers->tasks[key]->stride == 1
        || (self->refined >> pen_loader_task_jobs[key] & 1))
      continue;
    self->refining = 1u << pen_loader_task_jobs[key];
    pen_load_tasks_async (self->worker, PEN_JOB_REFINE, view, key, self->overview_bins,
                          on_refined_tasks, &self->tasks[key]);
  }
  self->refined |= self->refining;
  if (!self->refining)
    pen_loader_ask_ahead (self);
}
