/* pen-loader.c: when each question is asked, and of what
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-loader-private.h"

/* Stacks keep up to 40 bytes for each sample, and for each callchain: of recordings with more they
 * are asked when somebody looks. */
#define STACKS_AHEAD_MAX (3u << 20)
#define STACKS_AHEAD (1u << PEN_JOB_FLAME | 1u << PEN_JOB_NEIGHBOURS)

/* The jobs of each page alone. */
static const guint32 page_jobs[PEN_PAGES] = {
  [PEN_PAGE_CALLERS] = 1u << PEN_JOB_FLAME | 1u << PEN_JOB_NEIGHBOURS | 1u << PEN_JOB_HEAT
                       | 1u << PEN_JOB_CHART | 1u << PEN_JOB_MATCHES,
  [PEN_PAGE_MAP] = 1u << PEN_JOB_MAP,
  [PEN_PAGE_CAUSES] = 1u << PEN_JOB_CAUSES | 1u << PEN_JOB_CHANGES,
  [PEN_PAGE_OCCUPANTS] = 1u << PEN_JOB_OCCUPANTS,
  [PEN_PAGE_RECORDING] = 1u << PEN_JOB_RECORDING,
};

/* ---- when it asks ---- */

static void
on_answered (gpointer owner)
{
  PenLoader *self = owner;

  self->loaded (self->owner, PEN_JOBS);
  if (self->opened)
    pen_loader_refine (self);
}

static gboolean
ask_what_is_stale (gpointer data)
{
  PenLoader *self = data;
  guint32 stale = self->stale;

  self->ask_id = 0;
  self->stale = 0;
  self->asked_ahead &= ~stale;
  pen_loader_ask (self, stale);
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
  pen_loader_ask (self, self->asked_ahead);
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

/* ---- life ---- */

const PenAnswers *
pen_loader_get_answers (PenLoader *self)
{
  return &self->answers;
}

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
  /* A part is soon replaced by another. */
  self->ahead = opened->live ? 0 : PEN_LOADER_AHEAD;
  if (opened->samples > STACKS_AHEAD_MAX || opened->callchains > STACKS_AHEAD_MAX)
    self->ahead &= ~STACKS_AHEAD;
}

void
pen_loader_adopt (PenLoader *self, const PenViewState *view, PenLoadedFunc loaded)
{
  self->view = view;
  self->loaded = loaded;
}

void
pen_loader_take_sizes (PenLoader *self, const PenLoader *from)
{
  const PenMapCells *cells = &from->cells;

  self->overview_bins = from->overview_bins;
  self->flame_width = from->flame_width;
  self->heat_columns = from->heat_columns;
  self->chart_width = from->chart_width;
  self->flame_search = g_strdup (from->flame_search);
  self->cells.n_columns = cells->n_columns;
  self->cells.n_rows = cells->n_rows;
  self->cells.edges
      = cells->edges ? g_memdup2 (cells->edges, (cells->n_rows + 1) * sizeof *cells->edges) : NULL;
  self->cause_order = from->cause_order;
  self->cause_order.search = g_strdup (from->cause_order.search);
  self->change_order = from->change_order;
  self->change_order.search = g_strdup (from->change_order.search);
}

void
pen_loader_take_changes (PenLoader *self, PenLoader *from)
{
  if (from->changes_of && !self->answers.changes)
    self->answers.changes = g_steal_pointer (&from->answers.changes);
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
