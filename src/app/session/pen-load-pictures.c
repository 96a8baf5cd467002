/* pen-load-pictures.c: what the overview and the text map draw, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-load-pictures.h"

#include "pen-load-flame.h"

/* The most that one answer may cost: blocks of samples that are read, rows. */
#define TASK_BLOCKS 24
#define CPU_ROWS 64
#define PROCESS_ROWS 10
/* The same of an answer that has time: blocks of a thousand million samples. */
#define REFINED_BLOCKS 20000

typedef struct {
  PenFilter *filter;
  PenFlameState *flame; /* whose measure it has; NULL: samples */
  PenSpan span;
  guint n_bins;
  PenTaskKey key;
  PenMapCells cells;
  gboolean exactly;
} Picture;

static Picture *
picture_new (const PenFilter *filter, PenSpan span, guint n_bins)
{
  Picture *self = g_new0 (Picture, 1);

  self->filter = pen_filter_copy (filter);
  self->span = span;
  self->n_bins = n_bins;
  return self;
}

static Picture *
picture_new_measured (const PenFilter *filter, const PenFlameState *flame, PenSpan span,
                      guint n_bins)
{
  Picture *self = picture_new (filter, span, n_bins);

  self->flame = flame ? pen_flame_state_copy (flame) : NULL;
  return self;
}

static void
picture_free (gpointer data)
{
  Picture *self = data;

  pen_filter_free (self->filter);
  g_clear_pointer (&self->flame, pen_flame_state_unref);
  g_clear_pointer (&self->cells.axis, pen_address_axis_unref);
  g_free (self->cells.edges);
  g_free (self);
}

/* ---- overview ---- */

static gpointer
load_overview (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Picture *picture = input;
  PenQuery *asked = pen_load_flame_choose (*query, picture->flame, error);

  return asked ? pen_query_overview (asked, picture->filter, picture->span.from, picture->span.to,
                                     picture->n_bins, error)
               : NULL;
}

void
pen_load_overview_async (PenWorker *worker, const PenFilter *filter, const PenFlameState *flame,
                         PenSpan span, guint n_bins, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  pen_worker_run_async (worker, PEN_JOB_OVERVIEW, "overview", load_overview,
                        picture_new_measured (filter, flame, span, n_bins), picture_free,
                        (GDestroyNotify) pen_overview_free, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (overview, PenOverview)

/* ---- map ---- */

void
pen_map_answer_free (PenMapAnswer *self)
{
  g_clear_pointer (&self->axis, pen_address_axis_unref);
  pen_map_bins_free (self->bins);
  g_free (self);
}

static gpointer
load_map (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Picture *picture = input;
  const PenMapCells *cells = &picture->cells;
  PenQuery *asked = pen_load_flame_choose (*query, picture->flame, error);
  g_autoptr (PenMapAnswer) answer = g_new0 (PenMapAnswer, 1);

  if (!asked)
    return NULL;
  answer->axis
      = cells->axis ? pen_address_axis_ref (cells->axis) : pen_address_axis_load (*query, error);
  if (!answer->axis)
    return NULL;
  if (cells->edges) {
    answer->bins = (picture->exactly ? pen_query_map_exactly : pen_query_map) (
        asked, picture->filter, picture->span.from, picture->span.to, cells->n_columns,
        cells->edges, cells->n_rows, error);
    if (!answer->bins)
      return NULL;
  }
  return g_steal_pointer (&answer);
}

void
pen_load_map_async (PenWorker *worker, PenJobKind kind, const PenFilter *filter,
                    const PenFlameState *flame, PenSpan span, const PenMapCells *cells,
                    GAsyncReadyCallback callback, gpointer user_data)
{
  Picture *picture = picture_new_measured (filter, flame, span, 0);

  if (cells->axis)
    picture->cells.axis = pen_address_axis_ref (cells->axis);
  if (cells->axis && cells->edges) {
    picture->cells.edges = g_memdup2 (cells->edges, (cells->n_rows + 1) * sizeof *cells->edges);
    picture->cells.n_rows = cells->n_rows;
    picture->cells.n_columns = cells->n_columns;
  }
  picture->exactly = kind == PEN_JOB_REFINE;
  pen_worker_run_async (worker, kind, "map", load_map, picture, picture_free,
                        (GDestroyNotify) pen_map_answer_free, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (map, PenMapAnswer)

/* ---- heat map ---- */

static gpointer
load_heat (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Picture *picture = input;
  PenSpan span = picture->span;
  PenQuery *asked = pen_load_flame_choose (*query, picture->flame, error);

  return asked
             ? pen_query_heat (asked, picture->filter, span.from, span.to,
                               pen_heat_choose_column (span.from, span.to, picture->n_bins), error)
             : NULL;
}

void
pen_load_heat_async (PenWorker *worker, const PenFilter *filter, const PenFlameState *flame,
                     PenSpan span, guint n_columns, GAsyncReadyCallback callback,
                     gpointer user_data)
{
  pen_worker_run_async (worker, PEN_JOB_HEAT, "heat", load_heat,
                        picture_new_measured (filter, flame, span, n_columns), picture_free,
                        (GDestroyNotify) pen_heat_free, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (heat, PenHeat)

/* ---- tasks ---- */

static gpointer
load_tasks (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Picture *picture = input;
  PenQuery *asked = pen_load_flame_choose (*query, picture->flame, error);

  return asked ? pen_query_task_bins (asked, picture->filter, picture->key, picture->span.from,
                                      picture->span.to, picture->n_bins,
                                      picture->key == PEN_TASKS_BY_CPU ? CPU_ROWS : PROCESS_ROWS,
                                      picture->exactly ? REFINED_BLOCKS : TASK_BLOCKS, error)
               : NULL;
}

void
pen_load_tasks_async (PenWorker *worker, PenJobKind kind, const PenViewState *view, PenTaskKey key,
                      guint n_bins, GAsyncReadyCallback callback, gpointer user_data)
{
  Picture *picture = picture_new_measured (view->filter, view->flame, view->visible, n_bins);

  picture->key = key;
  picture->exactly = kind == PEN_JOB_REFINE;
  pen_worker_run_async (worker, kind, "tasks", load_tasks, picture, picture_free,
                        (GDestroyNotify) pen_task_bins_free, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (tasks, PenTaskBins)
