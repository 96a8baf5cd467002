/* pen-loader-asks.c: each question of PenLoader, and what becomes of its answer
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-loader-private.h"

#include "pen-load-causes.h"
#include "pen-load-chart.h"
#include "pen-load-flame.h"
#include "pen-load-lists.h"
#include "pen-load-matches.h"
#include "pen-load-pictures.h"
#include "pen-load-text.h"

const PenJobKind pen_loader_task_jobs[2] = {
  [PEN_TASKS_BY_CPU] = PEN_JOB_CPUS,
  [PEN_TASKS_BY_PROCESS] = PEN_JOB_PROCESSES,
};

/* px: of the picture of stacks, before it is drawn the first time. */
#define FLAME_WIDTH_AHEAD 1024

/* ---- answers ---- */

static void
tell (PenLoader *self, PenJobKind kind)
{
  self->ahead &= ~(1u << kind);
  self->asked_ahead &= ~(1u << kind);
  self->loaded (self->owner, kind);
}

/* An answer in place of the one before, which the views let go of meanwhile. */
#define DEFINE_TAKER(name, KIND, Type, unref)                                                      \
  static void on_##name (GObject *worker, GAsyncResult *result, gpointer user_data)                \
  {                                                                                                \
    PenLoader *self = user_data;                                                                   \
    Type *old;                                                                                     \
                                                                                                   \
    if (pen_worker_was_dropped (result))                                                           \
      return;                                                                                      \
    old = self->answers.name;                                                                      \
    self->answers.name = pen_load_##name##_finish (result, NULL);                                  \
    tell (self, KIND);                                                                             \
    g_clear_pointer (&old, unref);                                                                 \
  }

DEFINE_TAKER (counts, PEN_JOB_COUNT, PenCounts, g_free)
DEFINE_TAKER (functions, PEN_JOB_FUNCTIONS, PenFunctionList, pen_function_list_unref)
DEFINE_TAKER (instants, PEN_JOB_INSTANTS, PenInstantTable, pen_instant_table_unref)
DEFINE_TAKER (verdict, PEN_JOB_VERDICT, PenVerdictAnswer, pen_verdict_answer_unref)
DEFINE_TAKER (history, PEN_JOB_HISTORY, PenHistoryTable, pen_history_table_unref)
DEFINE_TAKER (neighbours, PEN_JOB_NEIGHBOURS, PenNeighbourAnswer, pen_neighbour_answer_unref)
DEFINE_TAKER (matches, PEN_JOB_MATCHES, PenMatchAnswer, pen_match_answer_free)
DEFINE_TAKER (changes, PEN_JOB_CHANGES, PenChangeTable, pen_change_table_unref)
DEFINE_TAKER (change_rows, PEN_JOB_CHANGE_ROWS, GPtrArray, g_ptr_array_unref)
DEFINE_TAKER (occupants, PEN_JOB_OCCUPANTS, PenOccupantTable, pen_occupant_table_unref)
DEFINE_TAKER (recording, PEN_JOB_RECORDING, PenRecording, pen_recording_unref)
DEFINE_TAKER (choices, PEN_JOB_CHOICES, PenFilterChoices, pen_filter_choices_free)
DEFINE_TAKER (notes, PEN_JOB_NOTES, GPtrArray, g_ptr_array_unref)

/* The page of causes selects a row of the answer, whose changes are asked for then. */
static void
on_causes (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenLoader *self = user_data;
  g_autoptr (PenCauseTable) old = NULL;

  if (pen_worker_was_dropped (result))
    return;
  old = g_steal_pointer (&self->answers.causes);
  self->answers.causes = pen_load_causes_finish (result, NULL);
  tell (self, PEN_JOB_CAUSES);
  if (self->changes_wait)
    pen_loader_make_stale (self, 1u << PEN_JOB_CHANGES);
  self->changes_wait = FALSE;
}

/* Without an answer, pictures stay as they are. */
static void
on_overview (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenLoader *self = user_data;
  PenOverview *overview;

  if (pen_worker_was_dropped (result))
    return;
  overview = pen_load_overview_finish (result, NULL);
  if (overview) {
    g_clear_pointer (&self->answers.overview, pen_overview_free);
    self->answers.overview = overview;
  }
  self->loaded (self->owner, PEN_JOB_OVERVIEW);
}

static void
on_heat (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenLoader *self = user_data;
  PenHeat *heat;

  if (pen_worker_was_dropped (result))
    return;
  heat = pen_load_heat_finish (result, NULL);
  if (heat) {
    g_clear_pointer (&self->answers.heat, pen_heat_free);
    self->answers.heat = heat;
  }
  self->loaded (self->owner, PEN_JOB_HEAT);
}

static void
on_chart (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenLoader *self = user_data;
  PenChartAnswer *answer;

  if (pen_worker_was_dropped (result))
    return;
  answer = pen_load_chart_finish (result, NULL);
  if (answer) {
    g_clear_pointer (&self->answers.chart, pen_chart_answer_unref);
    self->answers.chart = answer;
  }
  self->loaded (self->owner, PEN_JOB_CHART);
}

static void
on_flame (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenLoader *self = user_data;
  g_autoptr (PenFlameAnswer) old = NULL;
  PenFlameAnswer *answer;

  if (pen_worker_was_dropped (result))
    return;
  answer = pen_load_flame_finish (result, NULL);
  if (answer) {
    old = g_steal_pointer (&self->answers.flame);
    self->answers.flame = answer;
  }
  tell (self, PEN_JOB_FLAME);
}

static void
on_map (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenLoader *self = user_data;
  g_autoptr (PenMapAnswer) answer = NULL;

  if (pen_worker_was_dropped (result))
    return;
  answer = pen_load_map_finish (result, NULL);
  if (answer && !self->answers.axis)
    self->answers.axis = self->cells.axis = g_steal_pointer (&answer->axis);
  self->refined &= ~(1u << PEN_JOB_MAP);
  if (answer && answer->bins) {
    g_clear_pointer (&self->answers.map, pen_map_bins_free);
    self->answers.map = g_steal_pointer (&answer->bins);
  }
  tell (self, PEN_JOB_MAP);
}

static void
on_tasks (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  const PenLoaderTasks *tasks = user_data;
  PenLoader *self = tasks->loader;
  PenJobKind kind = pen_loader_task_jobs[tasks->key];
  PenTaskBins *bins;

  if (pen_worker_was_dropped (result))
    return;
  bins = pen_load_tasks_finish (result, NULL);
  self->refined &= ~(1u << kind);
  if (!bins)
    return;
  g_clear_pointer (&self->answers.tasks[tasks->key], pen_task_bins_free);
  self->answers.tasks[tasks->key] = bins;
  self->loaded (self->owner, kind);
}

/* After the history of the line that was selected meanwhile. That of the text before stays until
 * then. */
static void
ask_about_verdict (PenLoader *self)
{
  const PenSides *sides = self->answers.sides;
  const PenAnnotated *annotated = sides ? sides->text->annotated : NULL;

  if (annotated && annotated->pokes->len > 0 && annotated->function != G_MAXUINT32)
    pen_load_verdict_async (self->worker, self->view->filter, annotated->function, on_verdict,
                            self);
}

static void
on_sides (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenLoader *self = user_data;

  if (pen_worker_was_dropped (result))
    return;
  g_clear_pointer (&self->answers.sides, pen_sides_unref);
  self->answers.sides = pen_load_sides_finish (result, NULL);
  self->loaded (self->owner, PEN_JOB_SIDES);
  ask_about_verdict (self);
}

/* After the text, which is shown without them meanwhile. */
static void
ask_about_sides (PenLoader *self)
{
  const PenStrips *strips = self->answers.annotation;

  g_clear_pointer (&self->answers.sides, pen_sides_unref);
  pen_worker_cancel (self->worker, PEN_JOB_SIDES);
  pen_worker_cancel (self->worker, PEN_JOB_VERDICT);
  self->loaded (self->owner, PEN_JOB_SIDES);
  if (strips)
    pen_load_sides_async (self->worker, self->view->filter, strips->text, on_sides, self);
}

/* For the text that is there. */
static void
ask_about_instants (PenLoader *self)
{
  const PenViewState *view = self->view;
  guint64 times[] = { view->playhead, view->mark };

  if (!self->answers.annotation && self->answers.instants) {
    pen_loader_forget (self, PEN_JOB_INSTANTS);
    self->loaded (self->owner, PEN_JOB_INSTANTS);
  }
  if (view->has_mark && self->answers.annotation)
    pen_load_instants_async (self->worker, view->filter, self->answers.annotation->text, times,
                             self->syntax, on_instants, self);
}

static void
take_strips (PenLoader *self, PenStrips *strips, PenJobKind kind)
{
  g_autoptr (PenStrips) old = g_steal_pointer (&self->answers.annotation);

  self->answers.annotation = strips;
  self->loaded (self->owner, kind);
}

static void
on_annotation (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenLoader *self = user_data;

  if (pen_worker_was_dropped (result))
    return;
  take_strips (self, pen_load_annotation_finish (result, NULL), PEN_JOB_ANNOTATION);
  ask_about_sides (self);
  ask_about_instants (self);
}

static void
on_strips (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenLoader *self = user_data;
  g_autoptr (PenStrips) strips = NULL;

  if (pen_worker_was_dropped (result))
    return;
  strips = pen_load_strips_finish (result, NULL);
  /* Strips of a text that was replaced meanwhile are dropped: the new one's are on their way. */
  if (strips && self->answers.annotation && strips->text == self->answers.annotation->text)
    take_strips (self, g_steal_pointer (&strips), PEN_JOB_STRIPS);
}

/* ---- questions ---- */

static void
ask_about_pictures (PenLoader *self, guint32 stale)
{
  const PenViewState *view = self->view;

  if (stale & (1u << PEN_JOB_MAP))
    pen_load_map_async (self->worker, PEN_JOB_MAP, view->filter, view->flame, view->visible,
                        &self->cells, on_map, self);
  if ((stale & (1u << PEN_JOB_FLAME)) && (self->flame_width > 0 || stale == self->asked_ahead))
    pen_load_flame_async (self->worker, view->filter, view->flame,
                          self->flame_width > 0 ? self->flame_width : FLAME_WIDTH_AHEAD, on_flame,
                          self);
  if (stale & (1u << PEN_JOB_NEIGHBOURS))
    pen_load_neighbours_async (self->worker, view, on_neighbours, self);
  if ((stale & (1u << PEN_JOB_HEAT)) && self->heat_columns > 0 && view->flame
      && view->flame->is_heat)
    pen_load_heat_async (self->worker, view->filter, view->flame, view->visible, self->heat_columns,
                         on_heat, self);
  if ((stale & (1u << PEN_JOB_MATCHES)) && self->flame_search)
    pen_load_matches_async (self->worker, view, self->flame_search, on_matches, self);
  if ((stale & (1u << PEN_JOB_CHART)) && self->chart_width > 0
      && pen_flame_state_shows_chart (view->flame))
    pen_load_chart_async (self->worker, view, self->chart_width, on_chart, self);
  for (guint key = 0; key < G_N_ELEMENTS (pen_loader_task_jobs); key++) {
    if ((stale & (1u << pen_loader_task_jobs[key])) && view->shows_tasks[key]
        && self->overview_bins > 0)
      pen_load_tasks_async (self->worker, pen_loader_task_jobs[key], view, key, self->overview_bins,
                            on_tasks, &self->tasks[key]);
  }
}

static void
ask_about_text (PenLoader *self, guint32 stale)
{
  const PenViewState *view = self->view;

  if ((stale & (1u << PEN_JOB_ANNOTATION)) && view->has_function)
    pen_load_annotation_async (self->worker, view, self->syntax, on_annotation, self);
  else if ((stale & (1u << PEN_JOB_STRIPS)) && self->answers.annotation)
    pen_load_strips_async (self->worker, view->filter, self->answers.annotation->text,
                           view->visible, on_strips, self);
  if ((stale & (1u << PEN_JOB_INSTANTS)) && !(stale & (1u << PEN_JOB_ANNOTATION)))
    ask_about_instants (self);
  if ((stale & (1u << PEN_JOB_HISTORY)) && view->has_line)
    pen_load_history_async (self->worker, view, self->syntax, on_history, self);
}

void
pen_loader_ask (PenLoader *self, guint32 stale)
{
  const PenFilter *filter = self->view->filter;

  if ((stale & (1u << PEN_JOB_OVERVIEW)) && self->overview_bins > 0)
    pen_load_overview_async (self->worker, filter, self->view->flame, self->view->visible,
                             self->overview_bins, on_overview, self);
  if (stale & (1u << PEN_JOB_COUNT))
    pen_load_counts_async (self->worker, filter, self->view->flame, on_counts, self);
  if (stale & (1u << PEN_JOB_FUNCTIONS))
    pen_load_functions_async (self->worker, filter, self->view->flame, on_functions, self);
  ask_about_pictures (self, stale);
  ask_about_text (self, stale);
  if (stale & (1u << PEN_JOB_NOTES))
    pen_load_notes_async (self->worker, self->opened->notes_file, on_notes, self);
  if (stale & (1u << PEN_JOB_CHOICES))
    pen_load_choices_async (self->worker, on_choices, self);
  if (stale & (1u << PEN_JOB_CAUSES)) {
    pen_load_causes_async (self->worker, filter, self->view->flame, &self->cause_order,
                           self->answers.causes, on_causes, self);
    self->changes_wait |= (stale >> PEN_JOB_CHANGES & 1) != 0;
  }
  if ((stale & (1u << PEN_JOB_CHANGES)) && !self->changes_wait)
    pen_load_changes_async (self->worker, filter, &self->change_order, self->changes_of,
                            self->changes_of_row, on_changes, self);
  if (stale & (1u << PEN_JOB_OCCUPANTS))
    pen_load_occupants_async (self->worker, filter, self->view->flame, on_occupants, self);
  if (stale & (1u << PEN_JOB_RECORDING))
    pen_load_recording_async (self->worker, on_recording, self);
}

void
pen_loader_ask_change_rows (PenLoader *self, GArray *ids)
{
  if (!self->opened)
    return;
  pen_load_change_rows_async (self->worker, ids, on_change_rows, self);
  self->loaded (self->owner, PEN_JOBS);
}
