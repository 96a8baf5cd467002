/* pen-session.c: one open capture and what is looked at: every view binds to it, none to another
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session.h"

#include <string.h>

#define STRIP_BINS 96

struct _PenSession {
  GObject parent_instance;

  PenWorker *worker;
  PenProgressBox *progress;
  gint64 opened_at; /* monotonic, µs */

  PenSessionState state;
  char *path;
  GError *failure;
  PenOpened *opened;

  PenSpan visible;
  PenFilter *filter;
  guint64 playhead;
  char *search;
  gboolean has_function;
  guint32 function;
  gboolean has_line;
  guint64 line;
  guint overview_bins;

  PenOverview *overview;
  PenCounts *counts;
  PenFunctionList *functions;
  PenStrips *annotation;
  PenHistoryTable *history;
  GError *errors[PEN_JOBS];
  GTask *export_task;

  guint32 stale; /* bit per PenJobKind: to be asked again */
  guint ask_id;
};

enum {
  PROP_0,
  PROP_STATE,
  PROP_PROGRESS,
  PROP_VISIBLE,
  PROP_FILTER,
  PROP_PLAYHEAD,
  PROP_SEARCH,
  PROP_FUNCTION,
  PROP_LINE,
  PROP_OVERVIEW,
  PROP_COUNTS,
  PROP_FUNCTIONS,
  PROP_ANNOTATION,
  PROP_HISTORY,
  PROP_BUSY,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (PenSession, pen_session, G_TYPE_OBJECT)

static void
notify (PenSession *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

/* ---- asking ---- */

static void
set_error (PenSession *self, PenJobKind kind, const GError *error)
{
  g_clear_error (&self->errors[kind]);
  if (error)
    self->errors[kind] = g_error_copy (error);
}

static void
on_overview (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;

  set_error (self, PEN_JOB_OVERVIEW, error);
  if (result) {
    g_clear_pointer (&self->overview, pen_overview_free);
    self->overview = result;
  }
  notify (self, PROP_OVERVIEW);
  notify (self, PROP_BUSY);
}

static void
on_count (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;

  set_error (self, PEN_JOB_COUNT, error);
  g_clear_pointer (&self->counts, g_free);
  self->counts = result;
  notify (self, PROP_COUNTS);
  notify (self, PROP_BUSY);
}

static void
on_functions (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  g_autoptr (PenFunctionList) old = g_steal_pointer (&self->functions);
  guint32 hottest;

  set_error (self, PEN_JOB_FUNCTIONS, error);
  self->functions = result;
  notify (self, PROP_FUNCTIONS);
  notify (self, PROP_BUSY);

  if (!self->has_function && pen_session_find_hottest_function (self, &hottest))
    pen_session_set_function (self, hottest);
}

static void
on_annotation (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  g_autoptr (PenStrips) old = g_steal_pointer (&self->annotation);

  set_error (self, PEN_JOB_ANNOTATION, error);
  self->annotation = result;
  notify (self, PROP_ANNOTATION);
  notify (self, PROP_BUSY);
}

static void
on_strips (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  PenStrips *strips = result;

  /* Of a text that was replaced meanwhile: its own strips are on their way. */
  if (strips && self->annotation && strips->text == self->annotation->text)
    on_annotation (strips, NULL, self);
  else if (strips)
    pen_strips_unref (strips);
  notify (self, PROP_BUSY);
}

static void
on_history (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  g_autoptr (PenHistoryTable) old = g_steal_pointer (&self->history);

  set_error (self, PEN_JOB_HISTORY, error);
  self->history = result;
  notify (self, PROP_HISTORY);
  notify (self, PROP_BUSY);
}

static void
ask (PenSession *self,
     PenJobKind kind,
     PenWorkFunc func,
     PenQuestion *question,
     GDestroyNotify result_free,
     PenDoneFunc done)
{
  pen_worker_submit (self->worker, kind, func, question, (GDestroyNotify) pen_question_free,
                     result_free, done);
}

static void
ask_about_text (PenSession *self, guint32 stale)
{
  PenQuestion *question;

  if ((stale & (1u << PEN_JOB_ANNOTATION)) && self->has_function) {
    question = pen_question_new (self->filter);
    question->function = self->function;
    question->span = self->visible;
    question->n_bins = STRIP_BINS;
    ask (self, PEN_JOB_ANNOTATION, pen_question_annotation, question,
         (GDestroyNotify) pen_strips_unref, on_annotation);
  } else if ((stale & (1u << PEN_JOB_STRIPS)) && self->annotation) {
    question = pen_question_new (self->filter);
    question->text = g_atomic_rc_box_acquire (self->annotation->text);
    question->span = self->visible;
    question->n_bins = STRIP_BINS;
    ask (self, PEN_JOB_STRIPS, pen_question_strips, question, (GDestroyNotify) pen_strips_unref,
         on_strips);
  }

  if ((stale & (1u << PEN_JOB_HISTORY)) && self->has_line) {
    question = pen_question_new (self->filter);
    question->address = self->line;
    ask (self, PEN_JOB_HISTORY, pen_question_history, question,
         (GDestroyNotify) pen_history_table_unref, on_history);
  }
}

static gboolean
ask_what_is_stale (gpointer data)
{
  PenSession *self = data;
  guint32 stale = self->stale;
  PenQuestion *question;

  self->ask_id = 0;
  self->stale = 0;

  if ((stale & (1u << PEN_JOB_OVERVIEW)) && self->overview_bins > 0) {
    question = pen_question_new (self->filter);
    question->span = self->visible;
    question->n_bins = self->overview_bins;
    ask (self, PEN_JOB_OVERVIEW, pen_question_overview, question,
         (GDestroyNotify) pen_overview_free, on_overview);
  }
  if (stale & (1u << PEN_JOB_COUNT))
    ask (self, PEN_JOB_COUNT, pen_question_count, pen_question_new (self->filter), g_free, on_count);
  if (stale & (1u << PEN_JOB_FUNCTIONS))
    ask (self, PEN_JOB_FUNCTIONS, pen_question_functions, pen_question_new (self->filter),
         (GDestroyNotify) pen_function_list_unref, on_functions);
  ask_about_text (self, stale);

  notify (self, PROP_BUSY);
  return G_SOURCE_REMOVE;
}

/* Several changes of one turn of the main loop make one question. */
static void
make_stale (PenSession *self, guint32 jobs)
{
  if (self->state != PEN_SESSION_READY)
    return;
  self->stale |= jobs;
  if (self->ask_id == 0)
    self->ask_id = g_idle_add_full (G_PRIORITY_DEFAULT, ask_what_is_stale, self, NULL);
}

/* ---- opening ---- */

static void
forget_answers (PenSession *self)
{
  g_clear_pointer (&self->overview, pen_overview_free);
  g_clear_pointer (&self->counts, g_free);
  g_clear_pointer (&self->functions, pen_function_list_unref);
  g_clear_pointer (&self->annotation, pen_strips_unref);
  g_clear_pointer (&self->history, pen_history_table_unref);
  g_clear_pointer (&self->opened, pen_opened_unref);
  for (guint i = 0; i < PEN_JOBS; i++)
    g_clear_error (&self->errors[i]);
}

/* A new capture gets a new worker: nothing that was asked about the old one can come in late. */
static void
close_capture (PenSession *self)
{
  g_clear_handle_id (&self->ask_id, g_source_remove);
  self->stale = 0;
  if (self->export_task) {
    g_task_return_new_error (self->export_task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                             "The recording was closed");
    g_clear_object (&self->export_task);
  }
  if (self->progress)
    pen_progress_box_disown (self->progress);
  g_clear_pointer (&self->progress, pen_progress_box_unref);
  forget_answers (self);
  if (self->worker)
    pen_worker_shutdown (self->worker);
  g_clear_object (&self->worker);
  g_clear_error (&self->failure);

  pen_filter_free (self->filter);
  self->filter = pen_filter_new ();
  g_clear_pointer (&self->search, g_free);
  self->search = g_strdup ("");
  self->has_function = FALSE;
  self->has_line = FALSE;
  self->visible = (PenSpan){ 0, 0 };
  self->playhead = 0;
}

static void
notify_all (PenSession *self)
{
  g_object_freeze_notify (G_OBJECT (self));
  for (guint i = PROP_0 + 1; i < N_PROPS; i++)
    notify (self, i);
  g_object_thaw_notify (G_OBJECT (self));
}

static void
set_state (PenSession *self, PenSessionState state)
{
  self->state = state;
  notify (self, PROP_STATE);
}

static gboolean
on_progress (gpointer owner)
{
  notify (PEN_SESSION (owner), PROP_PROGRESS);
  return G_SOURCE_REMOVE;
}

static void
on_opened (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    pen_session_cancel (self);
    return;
  }
  if (!result) {
    self->failure = g_error_copy (error);
    set_state (self, PEN_SESSION_FAILED);
    return;
  }

  self->opened = result;
  self->visible = self->opened->span;
  self->playhead = self->opened->span.from;
  self->state = PEN_SESSION_READY;
  make_stale (self, 1u << PEN_JOB_OVERVIEW | 1u << PEN_JOB_COUNT | 1u << PEN_JOB_FUNCTIONS);
  notify_all (self);
}

void
pen_session_open (PenSession *self, const char *path)
{
  g_autofree char *copy = g_strdup (path);
  PenQuestion *question;

  g_return_if_fail (PEN_IS_SESSION (self));
  g_return_if_fail (path != NULL);

  close_capture (self);
  g_free (self->path);
  self->path = g_steal_pointer (&copy);
  self->worker = pen_worker_new (self);
  self->progress = pen_progress_box_new (on_progress, self);
  self->opened_at = g_get_monotonic_time ();
  self->state = PEN_SESSION_IMPORTING;

  question = pen_question_new (NULL);
  question->path = g_strdup (self->path);
  question->progress = pen_progress_box_ref (self->progress);
  ask (self, PEN_JOB_OPEN, pen_question_open, question, (GDestroyNotify) pen_opened_unref,
       on_opened);
  notify_all (self);
}

void
pen_session_cancel (PenSession *self)
{
  g_return_if_fail (PEN_IS_SESSION (self));

  if (self->state != PEN_SESSION_IMPORTING)
    return;
  close_capture (self);
  g_clear_pointer (&self->path, g_free);
  self->state = PEN_SESSION_EMPTY;
  notify_all (self);
}

PenSessionState
pen_session_get_state (PenSession *self)
{
  return self->state;
}

const char *
pen_session_get_path (PenSession *self)
{
  return self->path;
}

const GError *
pen_session_get_failure (PenSession *self)
{
  return self->failure;
}

void
pen_session_get_progress (PenSession *self, PenImportProgress *progress)
{
  memset (progress, 0, sizeof *progress);
  if (!self->progress)
    return;
  g_mutex_lock (&self->progress->lock);
  *progress = self->progress->newest;
  g_mutex_unlock (&self->progress->lock);
}

double
pen_session_get_elapsed (PenSession *self)
{
  return (double) (g_get_monotonic_time () - self->opened_at) / G_USEC_PER_SEC;
}

const PenOpened *
pen_session_get_opened (PenSession *self)
{
  return self->opened;
}

/* ---- what is looked at ---- */

PenSpan
pen_session_get_span (PenSession *self)
{
  return self->opened ? self->opened->span : (PenSpan){ 0, 0 };
}

PenSpan
pen_session_get_visible (PenSession *self)
{
  return self->visible;
}

void
pen_session_set_visible (PenSession *self, PenSpan visible)
{
  if (!self->opened)
    return;
  visible = pen_span_clamp (visible, self->opened->span);
  if (pen_span_equal (visible, self->visible))
    return;
  self->visible = visible;
  make_stale (self, 1u << PEN_JOB_OVERVIEW | 1u << PEN_JOB_STRIPS);
  notify (self, PROP_VISIBLE);
}

const PenFilter *
pen_session_get_filter (PenSession *self)
{
  return self->filter;
}

void
pen_session_set_filter (PenSession *self, const PenFilter *filter)
{
  g_return_if_fail (filter != NULL);

  if (pen_filter_equal (self->filter, filter))
    return;
  pen_filter_free (self->filter);
  self->filter = pen_filter_copy (filter);
  make_stale (self, 1u << PEN_JOB_OVERVIEW | 1u << PEN_JOB_COUNT | 1u << PEN_JOB_FUNCTIONS
                        | 1u << PEN_JOB_ANNOTATION | 1u << PEN_JOB_HISTORY);
  notify (self, PROP_FILTER);
}

void
pen_session_set_selected (PenSession *self, const PenSpan *span)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (self->filter);

  filter->has_time = span != NULL;
  filter->from = span ? span->from : 0;
  filter->to = span ? span->to : 0;
  pen_session_set_filter (self, filter);
}

gboolean
pen_session_get_selected (PenSession *self, PenSpan *span)
{
  if (self->filter->has_time)
    *span = (PenSpan){ self->filter->from, self->filter->to };
  return self->filter->has_time;
}

void
pen_session_set_changed_only (PenSession *self, gboolean changed)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (self->filter);

  filter->changed = changed;
  pen_session_set_filter (self, filter);
}

void
pen_session_set_kinds (PenSession *self, guint32 kinds)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (self->filter);

  filter->kinds = kinds;
  pen_session_set_filter (self, filter);
}

guint64
pen_session_get_playhead (PenSession *self)
{
  return self->playhead;
}

void
pen_session_set_playhead (PenSession *self, guint64 time)
{
  PenSpan span = pen_session_get_span (self);

  time = CLAMP (time, span.from, span.to);
  if (time == self->playhead)
    return;
  self->playhead = time;
  notify (self, PROP_PLAYHEAD);
}

/* The time of the change nearest to @time in that direction; FALSE: there is none. */
static gboolean
find_change (PenSession *self, guint64 time, int direction, guint64 *found)
{
  GArray *pokes = self->annotation ? self->annotation->text->annotated->pokes : NULL;
  gboolean of_text = pokes && pokes->len > 0;
  guint n = of_text ? pokes->len : self->opened->ticks->len;
  gboolean any = FALSE;

  *found = time;
  for (guint i = 0; i < n; i++) {
    guint64 at = of_text ? g_array_index (pokes, PenStoredPoke, i).poke.moment.time
                         : g_array_index (self->opened->ticks, PenPokeTick, i).time;

    if (direction > 0 ? at > time && (!any || at < *found) : at < time && (!any || at > *found)) {
      *found = at;
      any = TRUE;
    }
  }
  return any;
}

void
pen_session_step_change (PenSession *self, int direction)
{
  guint64 found;

  if (!self->opened || !find_change (self, self->playhead, direction, &found))
    return;
  if (found < self->visible.from || found > self->visible.to) {
    guint64 half = pen_span_length (self->visible) / 2;
    guint64 from = found > half ? found - half : 0;

    pen_session_set_visible (self, (PenSpan){ from, from + pen_span_length (self->visible) });
  }
  pen_session_set_playhead (self, found);
}

const char *
pen_session_get_search (PenSession *self)
{
  return self->search;
}

void
pen_session_set_search (PenSession *self, const char *search)
{
  g_autofree char *folded = g_utf8_casefold (search, -1);

  if (g_str_equal (folded, self->search))
    return;
  g_free (self->search);
  self->search = g_steal_pointer (&folded);
  notify (self, PROP_SEARCH);
}

gboolean
pen_session_matches_search (PenSession *self, const PenFunction *function)
{
  g_autofree char *valid = NULL;
  g_autofree char *folded = NULL;

  if (self->search[0] == '\0')
    return TRUE;
  valid = g_utf8_make_valid (function->symbol ? function->symbol : function->occupant, -1);
  folded = g_utf8_casefold (valid, -1);
  return strstr (folded, self->search) != NULL;
}

gboolean
pen_session_get_function (PenSession *self, guint32 *function)
{
  *function = self->function;
  return self->has_function;
}

void
pen_session_set_function (PenSession *self, guint32 function)
{
  if (self->has_function && self->function == function)
    return;
  self->has_function = TRUE;
  self->function = function;
  pen_session_set_line (self, NULL);
  make_stale (self, 1u << PEN_JOB_ANNOTATION);
  notify (self, PROP_FUNCTION);
}

gboolean
pen_session_get_line (PenSession *self, guint64 *address)
{
  *address = self->line;
  return self->has_line;
}

void
pen_session_set_line (PenSession *self, const guint64 *address)
{
  if (address ? self->has_line && self->line == *address : !self->has_line)
    return;
  self->has_line = address != NULL;
  self->line = address ? *address : 0;
  if (address) {
    make_stale (self, 1u << PEN_JOB_HISTORY);
  } else {
    if (self->worker)
      pen_worker_cancel (self->worker, PEN_JOB_HISTORY);
    self->stale &= ~(1u << PEN_JOB_HISTORY);
    g_clear_pointer (&self->history, pen_history_table_unref);
    notify (self, PROP_HISTORY);
  }
  notify (self, PROP_LINE);
}

void
pen_session_set_overview_bins (PenSession *self, guint n_bins)
{
  if (self->overview_bins == n_bins)
    return;
  self->overview_bins = n_bins;
  make_stale (self, 1u << PEN_JOB_OVERVIEW);
}

/* ---- answers ---- */

const PenOverview *
pen_session_get_overview (PenSession *self)
{
  return self->overview;
}

const PenCounts *
pen_session_get_counts (PenSession *self)
{
  return self->counts;
}

const PenFunctionList *
pen_session_get_functions (PenSession *self)
{
  return self->functions;
}

const PenStrips *
pen_session_get_annotation (PenSession *self)
{
  return self->annotation;
}

const PenHistoryTable *
pen_session_get_history (PenSession *self)
{
  return self->history;
}

const GError *
pen_session_get_error (PenSession *self, PenJobKind kind)
{
  return self->errors[kind];
}

gboolean
pen_session_is_busy (PenSession *self, PenJobKind kind)
{
  return (self->stale & (1u << kind)) || (self->worker && pen_worker_is_busy (self->worker, kind));
}

gboolean
pen_session_is_settled (PenSession *self)
{
  for (guint i = 0; i < PEN_JOBS; i++) {
    if (pen_session_is_busy (self, i))
      return FALSE;
  }
  return TRUE;
}

/* Out-of-line text that was only filled once has pokes, but a single version. */
static gboolean
is_patched (const PenFunction *function)
{
  return function->pokes > 0 && function->versions > 1;
}

gboolean
pen_session_find_hottest_function (PenSession *self, guint32 *function)
{
  const PenFunction *best = NULL;

  if (!self->functions)
    return FALSE;
  for (guint i = 0; i < self->functions->rows->len; i++) {
    const PenFunction *row
        = &g_array_index (self->functions->rows, PenFunctionRow, i).function;

    if (row->length == 0)
      continue;
    if (!best || (is_patched (row) && !is_patched (best))
        || (is_patched (row) == is_patched (best) && row->samples > best->samples))
      best = row;
  }
  if (best)
    *function = best->id;
  return best != NULL;
}

gboolean
pen_session_find_hottest_line (PenSession *self, guint64 *address)
{
  GPtrArray *lines;
  guint64 sum = 0, most = 0;
  gboolean found = FALSE;

  if (!self->annotation)
    return FALSE;
  lines = self->annotation->text->annotated->lines;
  for (guint i = 0; i < lines->len; i++) {
    const PenAnnotationLine *line = g_ptr_array_index (lines, i);
    const PenAnnotationLine *before = i > 0 ? g_ptr_array_index (lines, i - 1) : NULL;

    sum = (before && before->address == line->address ? sum : 0) + line->samples;
    if (line->is_patched && !line->is_inside && (!found || sum > most)) {
      most = sum;
      *address = line->address;
      found = TRUE;
    }
  }
  return found;
}

/* ---- export ---- */

gboolean
pen_session_can_export (PenSession *self, PenExport table)
{
  if (self->state != PEN_SESSION_READY)
    return FALSE;
  if (table == PEN_EXPORT_ANNOTATION)
    return self->annotation != NULL;
  if (table == PEN_EXPORT_HISTORY)
    return self->has_line;
  return TRUE;
}

/* What the search leaves of the list, as a part of the filter. */
static void
filter_by_search (PenSession *self, PenFilter *filter)
{
  if (self->search[0] == '\0' || !self->functions)
    return;
  g_clear_pointer (&filter->symbols, g_ptr_array_unref);
  filter->symbols = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < self->functions->rows->len; i++) {
    const PenFunction *row
        = &g_array_index (self->functions->rows, PenFunctionRow, i).function;

    if (row->symbol && pen_session_matches_search (self, row))
      g_ptr_array_add (filter->symbols, g_strdup (row->symbol));
  }
}

static void
on_exported (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  g_autoptr (GTask) task = g_steal_pointer (&self->export_task);
  g_autoptr (GFile) file = result;

  if (error)
    g_task_return_error (task, g_error_copy (error));
  else
    g_task_return_boolean (task, TRUE);
  notify (self, PROP_BUSY);
}

void
pen_session_export_async (PenSession *self,
                          PenExport table,
                          GFile *file,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  PenQuestion *question;

  if (!pen_session_can_export (self, table)) {
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                             "There is no %s to export", pen_export_to_string (table));
    return;
  }
  if (self->export_task) {
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_BUSY,
                             "Another export is still being written");
    return;
  }

  question = pen_question_new (self->filter);
  question->table = table;
  question->file = g_object_ref (file);
  if (table == PEN_EXPORT_FUNCTIONS)
    filter_by_search (self, question->filter);
  question->address = table == PEN_EXPORT_HISTORY ? self->line
                      : self->annotation ? self->annotation->text->annotated->start
                                         : 0;
  self->export_task = g_steal_pointer (&task);
  ask (self, PEN_JOB_EXPORT, pen_question_export, question, g_object_unref, on_exported);
  notify (self, PROP_BUSY);
}

gboolean
pen_session_export_finish (PenSession *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* ---- object ---- */

static void
pen_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PenSession *self = PEN_SESSION (object);

  switch (id) {
  case PROP_STATE:
    g_value_set_uint (value, self->state);
    break;
  case PROP_BUSY:
    g_value_set_boolean (value, !pen_session_is_settled (self));
    break;
  case PROP_PLAYHEAD:
    g_value_set_uint64 (value, self->playhead);
    break;
  case PROP_SEARCH:
    g_value_set_string (value, self->search);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
pen_session_dispose (GObject *object)
{
  PenSession *self = PEN_SESSION (object);

  close_capture (self);

  G_OBJECT_CLASS (pen_session_parent_class)->dispose (object);
}

static void
pen_session_finalize (GObject *object)
{
  PenSession *self = PEN_SESSION (object);

  pen_filter_free (self->filter);
  g_free (self->search);
  g_free (self->path);

  G_OBJECT_CLASS (pen_session_parent_class)->finalize (object);
}

static void
pen_session_class_init (PenSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  /* Notified as properties, read with the functions of the header. */
  static const struct {
    guint id;
    const char *name;
  } plain[] = {
    { PROP_PROGRESS, "progress" },   { PROP_VISIBLE, "visible" },
    { PROP_FILTER, "filter" },       { PROP_FUNCTION, "function" },
    { PROP_LINE, "line" },           { PROP_OVERVIEW, "overview" },
    { PROP_COUNTS, "counts" },       { PROP_FUNCTIONS, "functions" },
    { PROP_ANNOTATION, "annotation" }, { PROP_HISTORY, "history" },
  };

  object_class->get_property = pen_session_get_property;
  object_class->dispose = pen_session_dispose;
  object_class->finalize = pen_session_finalize;

  properties[PROP_STATE]
      = g_param_spec_uint ("state", NULL, NULL, 0, PEN_SESSION_FAILED, PEN_SESSION_EMPTY, flags);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, flags);
  properties[PROP_PLAYHEAD]
      = g_param_spec_uint64 ("playhead", NULL, NULL, 0, G_MAXUINT64, 0, flags);
  properties[PROP_SEARCH] = g_param_spec_string ("search", NULL, NULL, "", flags);
  for (gsize i = 0; i < G_N_ELEMENTS (plain); i++)
    properties[plain[i].id] = g_param_spec_pointer (plain[i].name, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
pen_session_init (PenSession *self)
{
  self->filter = pen_filter_new ();
  self->search = g_strdup ("");
}

PenSession *
pen_session_new (void)
{
  return g_object_new (PEN_TYPE_SESSION, NULL);
}
