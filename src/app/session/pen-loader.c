/* pen-loader.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-loader-private.h"

#include <string.h>

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

/* Stacks keep up to 40 bytes for each sample, and for each callchain: of recordings with more they
 * are asked when somebody looks. */
#define STACKS_AHEAD_MAX (3u << 20)
#define STACKS_AHEAD (1u << PEN_JOB_FLAME | 1u << PEN_JOB_NEIGHBOURS)

/* px: of the picture of stacks, before it is drawn the first time. */
#define FLAME_WIDTH_AHEAD 1024

/* The jobs of each page alone. */
static const guint32 page_jobs[PEN_PAGES] = {
  [PEN_PAGE_CALLERS] = 1u << PEN_JOB_FLAME | 1u << PEN_JOB_NEIGHBOURS | 1u << PEN_JOB_HEAT
                       | 1u << PEN_JOB_CHART | 1u << PEN_JOB_MATCHES,
  [PEN_PAGE_MAP] = 1u << PEN_JOB_MAP,
  [PEN_PAGE_CAUSES] = 1u << PEN_JOB_CAUSES | 1u << PEN_JOB_CHANGES,
  [PEN_PAGE_OCCUPANTS] = 1u << PEN_JOB_OCCUPANTS,
  [PEN_PAGE_RECORDING] = 1u << PEN_JOB_RECORDING,
};

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

const PenAnswers *
pen_loader_get_answers (PenLoader *self)
{
  return &self->answers;
}

/* ---- asking ---- */

static void
on_answered (gpointer owner)
{
  PenLoader *self = owner;

  self->loaded (self->owner, PEN_JOBS);
  if (self->opened)
    pen_loader_refine (self);
}

static void
ask_about_pictures (PenLoader *self, guint32 stale)
{
  const PenViewState *view = self->view;

  if (stale & (1u << PEN_JOB_MAP))
    pen_load_map_async (self->worker, PEN_JOB_MAP, view->filter, view->visible, &self->cells,
                        on_map, self);
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
      pen_load_tasks_async (self->worker, pen_loader_task_jobs[key], view->filter, key,
                            view->visible, self->overview_bins, on_tasks, &self->tasks[key]);
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
    pen_load_history_async (self->worker, view->filter, view->line, self->syntax, on_history, self);
}

static void
ask (PenLoader *self, guint32 stale)
{
  const PenFilter *filter = self->view->filter;

  if ((stale & (1u << PEN_JOB_OVERVIEW)) && self->overview_bins > 0)
    pen_load_overview_async (self->worker, filter, self->view->flame, self->view->visible,
                             self->overview_bins, on_overview, self);
  if (stale & (1u << PEN_JOB_COUNT))
    pen_load_counts_async (self->worker, filter, on_counts, self);
  if (stale & (1u << PEN_JOB_FUNCTIONS))
    pen_load_functions_async (self->worker, filter, self->view->flame, on_functions, self);
  ask_about_pictures (self, stale);
  ask_about_text (self, stale);
  if (stale & (1u << PEN_JOB_NOTES))
    pen_load_notes_async (self->worker, self->opened->notes_file, on_notes, self);
  if (stale & (1u << PEN_JOB_CHOICES))
    pen_load_choices_async (self->worker, on_choices, self);
  if (stale & (1u << PEN_JOB_CAUSES)) {
    pen_load_causes_async (self->worker, filter, &self->cause_order, self->answers.causes,
                           on_causes, self);
    self->changes_wait |= (stale >> PEN_JOB_CHANGES & 1) != 0;
  }
  if ((stale & (1u << PEN_JOB_CHANGES)) && !self->changes_wait)
    pen_load_changes_async (self->worker, filter, &self->change_order, self->changes_of,
                            self->changes_of_row, on_changes, self);
  if (stale & (1u << PEN_JOB_OCCUPANTS))
    pen_load_occupants_async (self->worker, filter, on_occupants, self);
  if (stale & (1u << PEN_JOB_RECORDING))
    pen_load_recording_async (self->worker, on_recording, self);
}

static gboolean
ask_what_is_stale (gpointer data)
{
  PenLoader *self = data;
  guint32 stale = self->stale;

  self->ask_id = 0;
  self->stale = 0;
  self->asked_ahead &= ~stale;
  ask (self, stale);
  on_answered (self);
  return G_SOURCE_REMOVE;
}

void
pen_loader_ask_ahead (PenLoader *self)
{
  PenJobKind kind;

  /* Something else took its place. */
  self->deferred |= self->asked_ahead;
  self->asked_ahead = self->ahead & self->deferred;
  if (self->asked_ahead == 0)
    return;
  kind = (PenJobKind) g_bit_nth_lsf (self->asked_ahead, -1);
  self->asked_ahead = 1u << kind;
  self->deferred &= ~self->asked_ahead;
  ask (self, self->asked_ahead);
  pen_worker_set_yields (self->worker, kind, TRUE);
  self->loaded (self->owner, PEN_JOBS);
}

/* The page is looked at now: the question is one as any other, if it was not dropped. */
static void
promote (PenLoader *self)
{
  guint32 job = self->asked_ahead & page_jobs[self->view->page];

  if (job == 0)
    return;
  self->asked_ahead = 0;
  if (!pen_worker_is_busy (self->worker, (PenJobKind) g_bit_nth_lsf (job, -1))) {
    self->deferred |= job;
    return;
  }
  pen_worker_set_yields (self->worker, (PenJobKind) g_bit_nth_lsf (job, -1), FALSE);
  if (job == 1u << PEN_JOB_CAUSES) {
    self->changes_wait |= (self->deferred >> PEN_JOB_CHANGES & 1) != 0;
    self->deferred &= ~(1u << PEN_JOB_CHANGES);
  }
}

void
pen_loader_make_stale (PenLoader *self, guint32 jobs)
{
  guint32 now = jobs;

  if (!self->opened)
    return;
  for (guint i = 0; i < PEN_PAGES; i++) {
    if (i != self->view->page)
      now &= ~page_jobs[i];
  }
  self->deferred = (self->deferred | jobs) & ~now;
  self->stale |= now;
  if (self->stale != 0 && self->ask_id == 0)
    self->ask_id = g_idle_add_full (G_PRIORITY_DEFAULT, ask_what_is_stale, self, NULL);
}

void
pen_loader_ask_deferred (PenLoader *self)
{
  guint32 jobs;

  promote (self);
  jobs = self->deferred & page_jobs[self->view->page];
  if (jobs != 0)
    pen_loader_make_stale (self, jobs);
}

void
pen_loader_forget (PenLoader *self, PenJobKind kind)
{
  if (self->worker)
    pen_worker_cancel (self->worker, kind);
  self->stale &= ~(1u << kind);
  if (kind == PEN_JOB_INSTANTS)
    g_clear_pointer (&self->answers.instants, pen_instant_table_unref);
  if (kind == PEN_JOB_MATCHES)
    g_clear_pointer (&self->answers.matches, pen_match_answer_free);
  if (kind == PEN_JOB_HISTORY)
    g_clear_pointer (&self->answers.history, pen_history_table_unref);
  for (guint key = 0; key < G_N_ELEMENTS (pen_loader_task_jobs); key++) {
    if (pen_loader_task_jobs[key] == kind)
      g_clear_pointer (&self->answers.tasks[key], pen_task_bins_free);
  }
}

gboolean
pen_loader_is_busy (PenLoader *self, PenJobKind kind)
{
  return (self->stale & (1u << kind)) || (kind == PEN_JOB_CHANGES && self->changes_wait)
         || (self->worker && pen_worker_is_busy (self->worker, kind));
}

gboolean
pen_loader_is_settled (PenLoader *self)
{
  for (guint i = 0; i < PEN_JOBS; i++) {
    if (pen_loader_is_busy (self, i))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_loader_works_ahead (PenLoader *self)
{
  for (guint i = 0; i < PEN_JOBS; i++) {
    if (pen_loader_is_busy (self, i) && self->asked_ahead != 1u << i)
      return FALSE;
  }
  return self->asked_ahead != 0;
}

/* ---- what of it ---- */

void
pen_loader_set_overview_bins (PenLoader *self, guint n_bins)
{
  if (self->overview_bins == n_bins)
    return;
  self->overview_bins = n_bins;
  pen_loader_make_stale (self, 1u << PEN_JOB_OVERVIEW | 1u << PEN_JOB_MAP | 1u << PEN_JOB_CPUS
                                   | 1u << PEN_JOB_PROCESSES);
}

void
pen_loader_set_flame_width (PenLoader *self, guint pixels)
{
  if (self->flame_width == pixels)
    return;
  self->flame_width = pixels;
  pen_loader_make_stale (self, 1u << PEN_JOB_FLAME);
}

void
pen_loader_set_heat_columns (PenLoader *self, guint n)
{
  if (self->heat_columns == n)
    return;
  self->heat_columns = n;
  pen_loader_make_stale (self, 1u << PEN_JOB_HEAT);
}

void
pen_loader_set_flame_search (PenLoader *self, const char *text)
{
  char *search = text[0] ? g_strdup (text) : NULL;

  if (g_strcmp0 (search, self->flame_search) == 0) {
    g_free (search);
    return;
  }
  g_free (self->flame_search);
  self->flame_search = search;
  if (search)
    pen_loader_make_stale (self, 1u << PEN_JOB_MATCHES);
  else
    pen_loader_forget (self, PEN_JOB_MATCHES);
}

void
pen_loader_set_chart_width (PenLoader *self, guint pixels)
{
  if (self->chart_width == pixels)
    return;
  self->chart_width = pixels;
  pen_loader_make_stale (self, 1u << PEN_JOB_CHART);
}

void
pen_loader_set_map_cells (PenLoader *self, guint n_columns, const guint64 *edges, guint n_rows)
{
  PenMapCells *cells = &self->cells;
  gsize size = (n_rows + 1) * sizeof *edges;

  if (cells->n_columns == n_columns && cells->n_rows == n_rows && cells->edges
      && memcmp (cells->edges, edges, size) == 0)
    return;
  g_free (cells->edges);
  cells->edges = g_memdup2 (edges, size);
  cells->n_rows = n_rows;
  cells->n_columns = n_columns;
  pen_loader_make_stale (self, 1u << PEN_JOB_MAP);
}

gboolean
pen_loader_get_map_addresses (PenLoader *self, guint64 *from, guint64 *to)
{
  if (!self->cells.edges)
    return FALSE;
  *from = self->cells.edges[0];
  *to = self->cells.edges[self->cells.n_rows];
  return TRUE;
}

void
pen_loader_set_syntax (PenLoader *self, PenSyntax syntax)
{
  if (self->syntax == syntax)
    return;
  self->syntax = syntax;
  pen_loader_make_stale (self, 1u << PEN_JOB_ANNOTATION | 1u << PEN_JOB_HISTORY);
}

PenSyntax
pen_loader_get_syntax (PenLoader *self)
{
  return self->syntax;
}

const PenChangeOrder *
pen_loader_get_change_order (PenLoader *self)
{
  return &self->change_order;
}

void
pen_loader_set_change_order (PenLoader *self, const PenChangeOrder *order)
{
  const PenChangeOrder *old = &self->change_order;
  char *search;

  if (old->sort == order->sort && old->is_descending == order->is_descending
      && old->scope == order->scope && old->is_grouped == order->is_grouped
      && g_strcmp0 (old->search, order->search) == 0)
    return;
  search = g_strdup (order->search);
  g_free ((char *) old->search);
  self->change_order = *order;
  self->change_order.search = search;
  pen_loader_make_stale (self, 1u << PEN_JOB_CHANGES);
}

const PenCauseOrder *
pen_loader_get_cause_order (PenLoader *self)
{
  return &self->cause_order;
}

void
pen_loader_set_cause_order (PenLoader *self, const PenCauseOrder *order)
{
  const PenCauseOrder *old = &self->cause_order;
  char *search;

  if (old->grouping == order->grouping && old->sort == order->sort
      && old->is_reversed == order->is_reversed && g_strcmp0 (old->search, order->search) == 0)
    return;
  search = g_strdup (order->search);
  g_free ((char *) old->search);
  self->cause_order = *order;
  self->cause_order.search = search;
  pen_loader_make_stale (self, 1u << PEN_JOB_CAUSES);
}

/* The same rows in another order have the same changes. */
static gboolean
has_same_changes (const PenCauseTable *a, guint row_a, const PenCauseTable *b, guint row_b)
{
  const PenCauseRow *x;
  const PenCauseRow *y;

  if (!a || !b || a->tree->changes != b->tree->changes)
    return !a && !b;
  x = pen_cause_tree_get (a->tree, row_a);
  y = pen_cause_tree_get (b->tree, row_b);
  return x->first_change == y->first_change && x->n_changes == y->n_changes;
}

void
pen_loader_set_changes_of (PenLoader *self, const PenCauseTable *causes, guint row)
{
  g_autoptr (PenCauseTable) old = g_steal_pointer (&self->changes_of);

  self->changes_of = causes ? g_atomic_rc_box_acquire ((PenCauseTable *) causes) : NULL;
  if (!has_same_changes (old, self->changes_of_row, causes, row))
    pen_loader_make_stale (self, 1u << PEN_JOB_CHANGES);
  self->changes_of_row = row;
}

const PenCauseTable *
pen_loader_get_changes_of (PenLoader *self, guint *row)
{
  *row = self->changes_of_row;
  return self->changes_of;
}

void
pen_loader_ask_change_rows (PenLoader *self, GArray *ids)
{
  if (!self->opened)
    return;
  pen_load_change_rows_async (self->worker, ids, on_change_rows, self);
  self->loaded (self->owner, PEN_JOBS);
}

/* ---- life ---- */

PenLoader *
pen_loader_new (const PenViewState *view, PenLoadedFunc loaded, gpointer owner)
{
  PenLoader *self = g_new0 (PenLoader, 1);

  self->view = view;
  self->loaded = loaded;
  self->owner = owner;
  for (guint key = 0; key < G_N_ELEMENTS (self->tasks); key++)
    self->tasks[key] = (PenLoaderTasks){ self, key };
  return self;
}

void
pen_loader_free (PenLoader *self)
{
  pen_loader_close (self);
  g_free ((char *) self->cause_order.search);
  g_free ((char *) self->change_order.search);
  g_free (self->flame_search);
  g_free (self);
}

PenWorker *
pen_loader_open (PenLoader *self)
{
  pen_loader_close (self);
  self->worker = pen_worker_new (on_answered, self);
  return self->worker;
}

void
pen_loader_start (PenLoader *self, const PenOpened *opened)
{
  self->opened = opened;
  self->syntax = opened->syntax;
  self->ahead = PEN_LOADER_AHEAD;
  if (opened->samples > STACKS_AHEAD_MAX || opened->callchains > STACKS_AHEAD_MAX)
    self->ahead &= ~STACKS_AHEAD;
}

PenWorker *
pen_loader_get_worker (PenLoader *self)
{
  return self->worker;
}

/* A new capture gets a new worker: nothing that was asked about the old one can come in late. */
void
pen_loader_close (PenLoader *self)
{
  g_clear_handle_id (&self->ask_id, g_source_remove);
  self->stale = self->deferred = self->refined = self->refining = self->ahead = self->asked_ahead
      = 0;
  self->changes_wait = FALSE;
  self->opened = NULL;
  if (self->worker)
    pen_worker_shutdown (self->worker);
  g_clear_object (&self->worker);
  pen_answers_clear (&self->answers);
  g_clear_pointer (&self->changes_of, pen_cause_table_unref);
  g_free (self->cells.edges);
  self->cells = (PenMapCells){ 0 };
}
