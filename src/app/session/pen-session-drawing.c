/* pen-session-drawing.c: what a session keeps for its timelines: lanes, what is pointed at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include <string.h>

/* What one answer may cost: most blocks of samples that are read, most rows. */
#define TASK_BLOCKS 24
#define CPU_ROWS 64
#define PROCESS_ROWS 10
/* The same of an answer that has time: blocks of a thousand million samples. */
#define REFINED_BLOCKS 20000

static const PenJobKind task_jobs[] = {
  [PEN_TASKS_BY_CPU] = PEN_JOB_CPUS,
  [PEN_TASKS_BY_PROCESS] = PEN_JOB_PROCESSES,
};

void
pen_session_drawing_clear (PenSession *self)
{
  PenSessionDrawing *drawing = &self->drawing;

  for (guint i = 0; i < G_N_ELEMENTS (drawing->tasks); i++)
    g_clear_pointer (&drawing->tasks[i], pen_task_bins_free);
  drawing->hover = (PenHover){ 0 };
  g_clear_pointer (&drawing->axis, pen_address_axis_unref);
  g_clear_pointer (&drawing->map, pen_map_bins_free);
  g_clear_pointer (&drawing->map_edges, g_free);
  drawing->map_columns = 0;
  drawing->refined = drawing->refining = 0;
  drawing->axis_view = (PenAxisView){ 0, 1 };
  drawing->has_addresses = FALSE;
  drawing->folded = 0;
  memset (drawing->shows_tasks, 0, sizeof drawing->shows_tasks);
}

/* ---- lanes ---- */

/* Answers are told in the same way, but nobody has gone anywhere then. */
static void
choose_lanes (PenSession *self)
{
  pen_session_notify (self, PEN_SESSION_PROP_LANES);
  pen_session_visit (self);
  pen_session_keep_view (self);
}

guint32
pen_session_get_folded (PenSession *self)
{
  return self->drawing.folded;
}

void
pen_session_set_folded (PenSession *self, guint32 folded)
{
  if (self->drawing.folded == folded)
    return;
  self->drawing.folded = folded;
  choose_lanes (self);
}

gboolean
pen_session_shows_tasks (PenSession *self, PenTaskKey key)
{
  return self->drawing.shows_tasks[key];
}

void
pen_session_set_shows_tasks (PenSession *self, PenTaskKey key, gboolean shows)
{
  if (self->drawing.shows_tasks[key] == shows)
    return;
  self->drawing.shows_tasks[key] = shows;
  if (shows) {
    pen_session_make_stale (self, 1u << task_jobs[key]);
  } else {
    if (self->worker)
      pen_worker_cancel (self->worker, task_jobs[key]);
    self->stale &= ~(1u << task_jobs[key]);
    g_clear_pointer (&self->drawing.tasks[key], pen_task_bins_free);
  }
  choose_lanes (self);
}

const PenTaskBins *
pen_session_get_task_bins (PenSession *self, PenTaskKey key)
{
  return self->drawing.tasks[key];
}

static void
take_tasks (PenSession *self, PenTaskKey key, gpointer result, const GError *error)
{
  PenTaskBins *bins = result;
  gboolean wanted = bins && self->drawing.shows_tasks[key];

  g_clear_error (&self->errors[task_jobs[key]]);
  if (error)
    self->errors[task_jobs[key]] = g_error_copy (error);
  self->drawing.refined &= ~(1u << task_jobs[key]);
  if (wanted) {
    g_clear_pointer (&self->drawing.tasks[key], pen_task_bins_free);
    self->drawing.tasks[key] = bins;
    pen_session_notify (self, PEN_SESSION_PROP_LANES);
  } else {
    pen_task_bins_free (bins);
  }
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

static void
on_cpus (gpointer result, const GError *error, gpointer owner)
{
  take_tasks (owner, PEN_TASKS_BY_CPU, result, error);
}

static void
on_processes (gpointer result, const GError *error, gpointer owner)
{
  take_tasks (owner, PEN_TASKS_BY_PROCESS, result, error);
}

static PenQuestion *
new_tasks_question (PenSession *self, PenTaskKey key, guint n_blocks)
{
  PenQuestion *question = pen_question_new (self->filter);

  question->span = self->visible;
  question->n_bins = self->overview_bins;
  question->n_rows = key == PEN_TASKS_BY_CPU ? CPU_ROWS : PROCESS_ROWS;
  question->n_blocks = n_blocks;
  question->task_key = key;
  return question;
}

static void
ask_tasks (PenSession *self, PenTaskKey key)
{
  pen_session_ask (self, task_jobs[key], pen_question_tasks,
                   new_tasks_question (self, key, TASK_BLOCKS), (GDestroyNotify) pen_task_bins_free,
                   key == PEN_TASKS_BY_CPU ? on_cpus : on_processes);
}

/* ---- what is pointed at ---- */

const PenHover *
pen_session_get_hover (PenSession *self)
{
  return &self->drawing.hover;
}

static gboolean
is_same_hover (const PenHover *a, const PenHover *b)
{
  if (a->has_time != b->has_time || a->has_address != b->has_address || a->batch != b->batch)
    return FALSE;
  return (!a->has_time || a->time == b->time)
         && (!a->has_address
             || (a->address_from == b->address_from && a->address_to == b->address_to));
}

void
pen_session_set_hover (PenSession *self, const PenHover *hover)
{
  static const PenHover nothing = { 0 };

  if (!hover)
    hover = &nothing;
  if (is_same_hover (hover, &self->drawing.hover))
    return;
  self->drawing.hover = *hover;
  pen_session_notify (self, PEN_SESSION_PROP_HOVER);
}

/* ---- the text map ---- */

const PenAddressAxis *
pen_session_get_axis (PenSession *self)
{
  return self->drawing.axis;
}

const PenMapBins *
pen_session_get_map (PenSession *self)
{
  return self->drawing.map;
}

PenAxisView
pen_session_get_axis_view (PenSession *self)
{
  return self->drawing.axis_view;
}

void
pen_session_set_axis_view (PenSession *self, PenAxisView view)
{
  PenSessionDrawing *drawing = &self->drawing;

  view.from = CLAMP (view.from, 0, 1);
  view.to = CLAMP (view.to, 0, 1);
  if (!(view.to > view.from)
      || (view.from == drawing->axis_view.from && view.to == drawing->axis_view.to))
    return;
  drawing->axis_view = view;
  drawing->has_addresses = FALSE;
  pen_session_notify (self, PEN_SESSION_PROP_AXIS_VIEW);
}

gboolean
pen_session_get_map_addresses (PenSession *self, guint64 *from, guint64 *to)
{
  const PenSessionDrawing *drawing = &self->drawing;

  if (drawing->has_addresses) {
    *from = drawing->address_from;
    *to = drawing->address_to;
    return TRUE;
  }
  if (!drawing->axis || (drawing->axis_view.from <= 0 && drawing->axis_view.to >= 1))
    return FALSE;
  *from = pen_address_axis_get_address (drawing->axis, drawing->axis_view.from);
  *to = pen_address_axis_get_address (drawing->axis, drawing->axis_view.to);
  return TRUE;
}

/* There was no axis yet when it was known which addresses were looked at last. */
static void
restore_addresses (PenSession *self)
{
  PenSessionDrawing *drawing = &self->drawing;
  PenAxisView view;

  if (!drawing->has_addresses)
    return;
  view.from = pen_address_axis_get_position (drawing->axis, drawing->address_from);
  view.to = pen_address_axis_get_position (drawing->axis, drawing->address_to);
  drawing->has_addresses = FALSE;
  if (view.to > view.from && (view.from > 0 || view.to < 1)) {
    self->settling = TRUE;
    pen_session_set_axis_view (self, view);
  }
}

void
pen_session_set_map_cells (PenSession *self, guint n_columns, const guint64 *edges, guint n_rows)
{
  PenSessionDrawing *drawing = &self->drawing;
  gsize size = (n_rows + 1) * sizeof *edges;

  if (drawing->map_columns == n_columns && drawing->map_rows == n_rows && drawing->map_edges
      && memcmp (drawing->map_edges, edges, size) == 0)
    return;
  g_free (drawing->map_edges);
  drawing->map_edges = g_memdup2 (edges, size);
  drawing->map_rows = n_rows;
  drawing->map_columns = n_columns;
  pen_session_make_stale (self, 1u << PEN_JOB_MAP);
}

static void
on_map (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  PenSessionDrawing *drawing = &self->drawing;
  g_autoptr (PenMapAnswer) answer = result;

  pen_session_set_error (self, PEN_JOB_MAP, error);
  if (answer && !drawing->axis) {
    drawing->axis = g_steal_pointer (&answer->axis);
    restore_addresses (self);
  }
  drawing->refined &= ~(1u << PEN_JOB_MAP);
  if (answer && answer->bins) {
    g_clear_pointer (&drawing->map, pen_map_bins_free);
    drawing->map = g_steal_pointer (&answer->bins);
  }
  pen_session_notify (self, PEN_SESSION_PROP_MAP);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

static PenQuestion *
new_map_question (PenSession *self)
{
  PenSessionDrawing *drawing = &self->drawing;
  PenQuestion *question = pen_question_new (self->filter);

  question->span = self->visible;
  if (drawing->axis)
    question->axis = pen_address_axis_ref (drawing->axis);
  if (drawing->axis && drawing->map_edges) {
    question->n_bins = drawing->map_columns;
    question->n_rows = drawing->map_rows;
    question->edges
        = g_memdup2 (drawing->map_edges, (drawing->map_rows + 1) * sizeof *drawing->map_edges);
  }
  return question;
}

static void
ask_map (PenSession *self)
{
  pen_session_ask (self, PEN_JOB_MAP, pen_question_map, new_map_question (self),
                   (GDestroyNotify) pen_map_answer_free, on_map);
}

/* ---- refining ---- */

/* FALSE: the answer is of no use: another job has stopped it, or it has failed. */
static gboolean
end_refining (PenSession *self, PenJobKind kind, const GError *error)
{
  self->drawing.refining = 0;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    self->drawing.refined &= ~(1u << kind);
  return !error;
}

static gboolean
is_same_picture (const PenMapBins *a, const PenMapBins *b)
{
  return a->from == b->from && a->to == b->to && a->n_columns == b->n_columns
         && a->n_rows == b->n_rows
         && memcmp (a->edges, b->edges, (a->n_rows + 1) * sizeof *a->edges) == 0;
}

static void
on_refined_map (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  PenSessionDrawing *drawing = &self->drawing;
  g_autoptr (PenMapAnswer) answer = result;

  if (end_refining (self, PEN_JOB_MAP, error) && answer->bins && drawing->map
      && is_same_picture (answer->bins, drawing->map)) {
    g_clear_pointer (&drawing->map, pen_map_bins_free);
    drawing->map = g_steal_pointer (&answer->bins);
    pen_session_notify (self, PEN_SESSION_PROP_MAP);
  }
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

static void
take_refined_tasks (PenSession *self, PenTaskKey key, PenTaskBins *bins, const GError *error)
{
  PenTaskBins **place = &self->drawing.tasks[key];

  if (end_refining (self, task_jobs[key], error) && *place && bins->from == (*place)->from
      && bins->to == (*place)->to && bins->n_bins == (*place)->n_bins) {
    pen_task_bins_free (*place);
    *place = g_steal_pointer (&bins);
    pen_session_notify (self, PEN_SESSION_PROP_LANES);
  }
  pen_task_bins_free (bins);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

static void
on_refined_cpus (gpointer result, const GError *error, gpointer owner)
{
  take_refined_tasks (owner, PEN_TASKS_BY_CPU, result, error);
}

static void
on_refined_processes (gpointer result, const GError *error, gpointer owner)
{
  take_refined_tasks (owner, PEN_TASKS_BY_PROCESS, result, error);
}

static void
begin_refining (PenSession *self, PenJobKind kind)
{
  self->drawing.refined |= 1u << kind;
  self->drawing.refining = 1u << kind;
}

void
pen_session_refine (PenSession *self)
{
  PenSessionDrawing *drawing = &self->drawing;

  if (self->state != PEN_SESSION_READY || !pen_session_is_settled (self))
    return;
  if (self->page == PEN_PAGE_MAP && drawing->map && drawing->map->grain > 0
      && !(drawing->refined >> PEN_JOB_MAP & 1)) {
    PenQuestion *question = new_map_question (self);

    question->exactly = TRUE;
    begin_refining (self, PEN_JOB_MAP);
    pen_session_ask (self, PEN_JOB_REFINE, pen_question_map, question,
                     (GDestroyNotify) pen_map_answer_free, on_refined_map);
    return;
  }
  for (guint key = 0; key < G_N_ELEMENTS (task_jobs); key++) {
    if (!drawing->tasks[key] || drawing->tasks[key]->stride == 1
        || (drawing->refined >> task_jobs[key] & 1))
      continue;
    begin_refining (self, task_jobs[key]);
    pen_session_ask (self, PEN_JOB_REFINE, pen_question_tasks,
                     new_tasks_question (self, key, REFINED_BLOCKS),
                     (GDestroyNotify) pen_task_bins_free,
                     key == PEN_TASKS_BY_CPU ? on_refined_cpus : on_refined_processes);
    return;
  }
}

void
pen_session_stop_refining (PenSession *self)
{
  if (!self->drawing.refining)
    return;
  pen_worker_cancel (self->worker, PEN_JOB_REFINE);
  /* A job that had not begun says nothing any more. */
  self->drawing.refined &= ~self->drawing.refining;
  self->drawing.refining = 0;
}

/* ---- asking ---- */

void
pen_session_ask_about_drawing (PenSession *self, guint32 stale)
{
  if (stale & (1u << PEN_JOB_MAP))
    ask_map (self);
  for (guint key = 0; key < G_N_ELEMENTS (task_jobs); key++) {
    if ((stale & (1u << task_jobs[key])) && self->drawing.shows_tasks[key]
        && self->overview_bins > 0)
      ask_tasks (self, key);
  }
}
