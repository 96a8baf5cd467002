/* pen-session.c: one open capture and what is looked at: every view binds to it, none to another
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-load-capture.h"
#include "pen-load-lists.h"
#include "pen-load-text.h"
#include "pen-place-name.h"
#include "pen-query-functions.h"

/* Whoever zooms and filters is not done yet. */
#define SAVE_AFTER_S 3

#define PICTURE_JOBS                                                                               \
  (1u << PEN_JOB_OVERVIEW | 1u << PEN_JOB_MAP | 1u << PEN_JOB_CPUS | 1u << PEN_JOB_PROCESSES)
#define FILTERED_JOBS                                                                              \
  (PICTURE_JOBS | 1u << PEN_JOB_COUNT | 1u << PEN_JOB_FUNCTIONS | 1u << PEN_JOB_ANNOTATION         \
   | 1u << PEN_JOB_HISTORY | 1u << PEN_JOB_CHANGES | 1u << PEN_JOB_OCCUPANTS)

static const PenJobKind task_jobs[] = {
  [PEN_TASKS_BY_CPU] = PEN_JOB_CPUS,
  [PEN_TASKS_BY_PROCESS] = PEN_JOB_PROCESSES,
};

struct _PenSession {
  GObject parent_instance;

  PenLoader *loader;
  PenProgressBox *progress;
  gint64 opened_at; /* monotonic, µs */

  PenSessionState state;
  char *path;
  GError *failure;
  PenOpened *opened;

  PenViewState view;
  char *search;
  PenHover hover;
  gboolean has_change; /* that is to be shown in the list of them */
  guint32 change;
  gboolean has_addresses; /* that were looked at last: they are, once there is an axis */
  guint64 address_from;
  guint64 address_to;

  PenPlaces *places;
  guint visit_id;
  gboolean settling; /* what changes next was not chosen by the person */
  gboolean remembers;
  gboolean wants_hottest; /* of the functions that come next */
  guint save_id;
  char **start_filters; /* (nullable): as they were given on the command line */
};

enum {
  PROP_0,
  PROP_STATE,
  PROP_PROGRESS,
  PROP_BUSY,
  PROP_VISIBLE,
  PROP_FILTER,
  PROP_PLAYHEAD,
  PROP_CLOCK,
  PROP_PAGE,
  PROP_SEARCH,
  PROP_FUNCTION,
  PROP_LINE,
  PROP_LANES,
  PROP_AXIS_VIEW,
  PROP_HOVER,
  PROP_PLACES,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];
static guint answered_signal;

/* The details of PenSession::answered. */
static const char *const answers[PEN_JOBS] = {
  [PEN_JOB_OVERVIEW] = "overview",
  [PEN_JOB_MAP] = "map",
  [PEN_JOB_CPUS] = "tasks",
  [PEN_JOB_PROCESSES] = "tasks",
  [PEN_JOB_COUNT] = "counts",
  [PEN_JOB_FUNCTIONS] = "functions",
  [PEN_JOB_ANNOTATION] = "annotation",
  [PEN_JOB_STRIPS] = "annotation",
  [PEN_JOB_SIDES] = "sides",
  [PEN_JOB_HISTORY] = "history",
  [PEN_JOB_CHANGES] = "changes",
  [PEN_JOB_CHANGE_ROWS] = "change-rows",
  [PEN_JOB_FIND_CHANGE] = "change",
  [PEN_JOB_OCCUPANTS] = "occupants",
  [PEN_JOB_RECORDING] = "recording",
  [PEN_JOB_CHOICES] = "choices",
  [PEN_JOB_NOTES] = "notes",
};

G_DEFINE_FINAL_TYPE (PenSession, pen_session, G_TYPE_OBJECT)

/* ---- places ---- */

static gboolean
visit (gpointer data)
{
  PenSession *self = data;
  const PenPlace *from = pen_places_peek (self->places, 0);
  PenPlace here = { .view = self->view };
  PenClock clock = pen_session_get_clock (self);
  g_autofree char *name = NULL;

  self->visit_id = 0;
  if (!from)
    name = g_strdup (_ ("Start"));
  else if (self->settling)
    name = g_strdup (from->name);
  else
    name = pen_place_name_step (pen_place_compare (from, &here), &from->view, &here.view,
                                pen_session_get_answers (self), &clock);
  here.name = name;
  if (self->settling)
    pen_places_settle (self->places, &here);
  else
    pen_places_visit (self->places, &here, g_get_monotonic_time ());
  self->settling = FALSE;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PLACES]);
  return G_SOURCE_REMOVE;
}

const char *
pen_session_get_place_name (PenSession *self, int steps)
{
  const PenPlace *place = pen_places_peek (self->places, steps);

  return place ? place->name : NULL;
}

/* ---- what is kept of a view ---- */

static PenLastView *
make_last_view (PenSession *self)
{
  const PenAnswers *known = pen_session_get_answers (self);
  const PenFunction *function = pen_answers_find_function (known, self->view.function);
  const PenAnnotatedText *text = known->annotation ? known->annotation->text : NULL;
  PenLastView *last = pen_last_view_new ();

  pen_filter_free (last->state.filter);
  last->state = self->view;
  last->state.filter = pen_filter_copy (self->view.filter);
  last->span = self->opened->span;
  last->samples = self->opened->samples;
  last->state.has_function = FALSE;
  if (self->view.has_function && function) {
    last->state.has_function = TRUE;
    last->symbol = g_strdup (function->symbol);
    last->start = function->start;
  } else if (self->view.has_function && text && text->function == self->view.function) {
    last->state.has_function = TRUE;
    last->symbol = g_strdup (text->annotated->symbol);
    last->start = text->annotated->start;
  }
  if (self->has_addresses) {
    last->has_addresses = TRUE;
    last->address_from = self->address_from;
    last->address_to = self->address_to;
  } else if (known->axis && (self->view.axis_view.from > 0 || self->view.axis_view.to < 1)) {
    last->has_addresses = TRUE;
    last->address_from = pen_address_axis_get_address (known->axis, self->view.axis_view.from);
    last->address_to = pen_address_axis_get_address (known->axis, self->view.axis_view.to);
  }
  return last;
}

static gboolean
save (gpointer data)
{
  PenSession *self = data;
  g_autoptr (PenLastView) view = make_last_view (self);

  self->save_id = 0;
  pen_last_view_save_later (self->opened->view_file, view);
  return G_SOURCE_REMOVE;
}

static void
keep_view (PenSession *self)
{
  if (self->remembers && self->state == PEN_SESSION_READY && self->opened->view_file
      && self->save_id == 0)
    self->save_id = g_timeout_add_seconds (SAVE_AFTER_S, save, self);
}

/* Nothing is told of it. */
static void
restore_view (PenSession *self)
{
  const PenLastView *last = self->remembers ? self->opened->last_view : NULL;

  if (!last)
    return;
  pen_filter_free (self->view.filter);
  self->view = last->state;
  self->view.filter = pen_filter_copy (last->state.filter);
  self->view.visible = pen_span_clamp (last->state.visible, self->opened->span);
  self->view.playhead
      = CLAMP (last->state.playhead, self->opened->span.from, self->opened->span.to);
  self->view.axis_view = (PenAxisView){ 0, 1 };
  self->has_addresses = last->has_addresses;
  self->address_from = last->address_from;
  self->address_to = last->address_to;
  /* Which one it is was found out when the capture was opened. */
  self->view.has_function = self->opened->has_last_function;
  self->view.function = self->opened->last_function;
  self->view.has_line = self->view.has_function && last->state.has_line;
}

void
pen_session_set_remembers (PenSession *self, gboolean remembers)
{
  self->remembers = remembers;
}

gboolean
pen_session_get_remembers (PenSession *self)
{
  return self->remembers;
}

/* ---- telling ---- */

static void
notify (PenSession *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
  switch (property) {
  case PROP_VISIBLE:
  case PROP_FILTER:
  case PROP_FUNCTION:
  case PROP_LINE:
  case PROP_PAGE:
  case PROP_AXIS_VIEW:
  case PROP_LANES:
    /* What changes in one turn of the main loop is one step. */
    if (self->state == PEN_SESSION_READY && self->visit_id == 0)
      self->visit_id = g_idle_add_full (G_PRIORITY_DEFAULT, visit, self, NULL);
    keep_view (self);
    break;
  case PROP_PLAYHEAD:
  case PROP_CLOCK:
    keep_view (self);
    break;
  default:
    break;
  }
}

static void
tell_answer (PenSession *self, PenJobKind kind)
{
  g_signal_emit (self, answered_signal, g_quark_from_static_string (answers[kind]));
}

static void
notify_all (PenSession *self)
{
  g_object_freeze_notify (G_OBJECT (self));
  for (guint i = PROP_0 + 1; i < N_PROPS; i++)
    notify (self, i);
  g_object_thaw_notify (G_OBJECT (self));
  for (guint i = 0; i < PEN_JOBS; i++) {
    if (answers[i])
      tell_answer (self, i);
  }
}

/* ---- opening ---- */

static void
close_capture (PenSession *self)
{
  if (self->save_id != 0) {
    g_source_remove (self->save_id);
    save (self);
  }
  if (self->progress)
    pen_progress_box_disown (self->progress);
  g_clear_pointer (&self->progress, pen_progress_box_unref);
  g_clear_handle_id (&self->visit_id, g_source_remove);
  pen_places_clear (self->places);
  self->settling = FALSE;
  pen_loader_close (self->loader);
  g_clear_pointer (&self->opened, pen_opened_unref);
  g_clear_error (&self->failure);

  pen_filter_free (self->view.filter);
  self->view = (PenViewState){ .filter = pen_filter_new (),
                               .times = self->view.times,
                               .axis_view = { 0, 1 } };
  g_clear_pointer (&self->search, g_free);
  self->search = g_strdup ("");
  self->hover = (PenHover){ 0 };
  self->has_addresses = FALSE;
  self->wants_hottest = FALSE;
}

static gboolean
on_progress (gpointer owner)
{
  notify (PEN_SESSION (owner), PROP_PROGRESS);
  return G_SOURCE_REMOVE;
}

static void
add_start_filters (PenSession *self)
{
  if (!self->start_filters)
    return;
  pen_filter_free (self->view.filter);
  self->view.filter = pen_filter_new ();
  for (guint i = 0; self->start_filters[i]; i++) {
    g_autoptr (GError) error = NULL;

    if (!pen_filter_add_text (self->view.filter, self->start_filters[i], self->opened->span.from,
                              self->opened->span.to, &error))
      g_message ("--filter: %s", error->message);
  }
}

void
pen_session_set_start_filters (PenSession *self, const char *const *texts)
{
  g_strfreev (self->start_filters);
  self->start_filters = g_strdupv ((char **) texts);
}

static void
on_opened (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenSession *self = user_data;

  if (pen_worker_was_dropped (result))
    return;
  self->opened = pen_load_capture_finish (result, &self->failure);
  if (g_error_matches (self->failure, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    pen_session_cancel (self);
    return;
  }
  if (!self->opened) {
    self->state = PEN_SESSION_FAILED;
    notify (self, PROP_STATE);
    return;
  }

  self->view.visible = self->opened->span;
  self->view.playhead = self->opened->span.from;
  restore_view (self);
  add_start_filters (self);
  self->state = PEN_SESSION_READY;
  pen_loader_start (self->loader, self->opened);
  pen_loader_make_stale (self->loader,
                         FILTERED_JOBS | 1u << PEN_JOB_RECORDING | 1u << PEN_JOB_NOTES);
  notify_all (self);
}

void
pen_session_open (PenSession *self, const char *path)
{
  g_autofree char *copy = g_strdup (path);

  g_return_if_fail (PEN_IS_SESSION (self));
  g_return_if_fail (path != NULL);

  close_capture (self);
  g_free (self->path);
  self->path = g_steal_pointer (&copy);
  self->progress = pen_progress_box_new (on_progress, self);
  self->opened_at = g_get_monotonic_time ();
  self->state = PEN_SESSION_IMPORTING;
  pen_load_capture_async (pen_loader_open (self->loader), self->path, self->progress, on_opened,
                          self);
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
  if (self->progress)
    pen_progress_box_get_newest (self->progress, progress);
}

PenSketch *
pen_session_dup_sketch (PenSession *self)
{
  return self->state == PEN_SESSION_IMPORTING ? pen_progress_box_dup_sketch (self->progress) : NULL;
}

const PenOpened *
pen_session_get_opened (PenSession *self)
{
  return self->opened;
}

PenLoader *
pen_session_get_loader (PenSession *self)
{
  return self->loader;
}

/* ---- answers ---- */

const PenAnswers *
pen_session_get_answers (PenSession *self)
{
  return pen_loader_get_answers (self->loader);
}

const GError *
pen_session_get_error (PenSession *self, PenJobKind kind)
{
  PenWorker *worker = pen_loader_get_worker (self->loader);

  return worker ? pen_worker_get_error (worker, kind) : NULL;
}

gboolean
pen_session_is_busy (PenSession *self, PenJobKind kind)
{
  return pen_loader_is_busy (self->loader, kind);
}

gboolean
pen_session_is_settled (PenSession *self)
{
  return pen_loader_is_settled (self->loader);
}

/* There was no axis yet when it was known which addresses were looked at last. */
static void
restore_addresses (PenSession *self, const PenAddressAxis *axis)
{
  PenAxisView view = { pen_address_axis_get_position (axis, self->address_from),
                       pen_address_axis_get_position (axis, self->address_to) };

  self->has_addresses = FALSE;
  if (view.to > view.from && (view.from > 0 || view.to < 1)) {
    self->settling = TRUE;
    pen_session_set_axis_view (self, view);
  }
}

static void
choose_hottest (PenSession *self)
{
  guint32 hottest;

  if ((self->view.has_function && !self->wants_hottest)
      || !pen_answers_find_hottest_function (pen_session_get_answers (self), &hottest))
    return;
  self->settling = TRUE;
  self->wants_hottest = FALSE;
  pen_session_set_function (self, hottest);
}

/* It turned out that what was looked for has samples or changes. */
static void
take_known_function (PenSession *self, const PenStrips *strips)
{
  guint32 function = strips ? strips->text->function : PEN_NO_FUNCTION;

  if (self->view.function != PEN_NO_FUNCTION || function == PEN_NO_FUNCTION)
    return;
  self->settling = TRUE;
  self->view.function = function;
  self->view.text_address = self->view.text_time = 0;
  notify (self, PROP_FUNCTION);
}

static void
on_loaded (gpointer owner, PenJobKind kind)
{
  PenSession *self = owner;
  const PenAnswers *known = pen_session_get_answers (self);

  if (kind == PEN_JOBS) {
    notify (self, PROP_BUSY);
    return;
  }
  if (kind == PEN_JOB_MAP && known->axis && self->has_addresses)
    restore_addresses (self, known->axis);
  tell_answer (self, kind);
  if (kind == PEN_JOB_FUNCTIONS)
    choose_hottest (self);
  else if (kind == PEN_JOB_ANNOTATION)
    take_known_function (self, known->annotation);
}

void
pen_session_want_choices (PenSession *self)
{
  if (!pen_session_get_answers (self)->choices && !pen_session_is_busy (self, PEN_JOB_CHOICES))
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_CHOICES);
}

/* ---- what is looked at ---- */

const PenViewState *
pen_session_get_view (PenSession *self)
{
  return &self->view;
}

PenSpan
pen_session_get_span (PenSession *self)
{
  return self->opened ? self->opened->span : (PenSpan){ 0, 0 };
}

void
pen_session_set_visible (PenSession *self, PenSpan visible)
{
  if (!self->opened)
    return;
  visible = pen_span_clamp (visible, self->opened->span);
  if (pen_span_equal (visible, self->view.visible))
    return;
  self->view.visible = visible;
  pen_loader_make_stale (self->loader, PICTURE_JOBS | 1u << PEN_JOB_STRIPS);
  notify (self, PROP_VISIBLE);
}

void
pen_session_set_filter (PenSession *self, const PenFilter *filter)
{
  g_return_if_fail (filter != NULL);

  if (pen_filter_equal (self->view.filter, filter))
    return;
  pen_filter_free (self->view.filter);
  self->view.filter = pen_filter_copy (filter);
  pen_loader_make_stale (self->loader, FILTERED_JOBS);
  notify (self, PROP_FILTER);
}

void
pen_session_set_page (PenSession *self, PenPage page)
{
  g_return_if_fail (page < PEN_PAGES);

  if (self->view.page == page)
    return;
  self->view.page = page;
  notify (self, PROP_PAGE);
  pen_loader_ask_deferred (self->loader);
}

void
pen_session_set_times (PenSession *self, PenTimes times)
{
  g_return_if_fail (times < PEN_TIMES);

  if (self->view.times == times)
    return;
  self->view.times = times;
  notify (self, PROP_CLOCK);
}

PenClock
pen_session_get_clock (PenSession *self)
{
  PenClock clock = { .times = self->view.times, .span = pen_session_get_span (self) };

  if (self->opened) {
    clock.has_wall = self->opened->has_wall;
    clock.wall_offset = self->opened->wall_offset;
  }
  return clock;
}

PenSyntax
pen_session_get_syntax (PenSession *self)
{
  return pen_loader_get_syntax (self->loader);
}

void
pen_session_set_syntax (PenSession *self, PenSyntax syntax)
{
  pen_loader_set_syntax (self->loader, syntax);
}

void
pen_session_set_playhead (PenSession *self, guint64 time)
{
  PenSpan span = pen_session_get_span (self);

  time = CLAMP (time, span.from, span.to);
  if (time == self->view.playhead)
    return;
  self->view.playhead = time;
  notify (self, PROP_PLAYHEAD);
}

/* The time of the change nearest to @time in that direction; FALSE: there is none. */
static gboolean
find_change (PenSession *self, guint64 time, int direction, guint64 *found)
{
  const PenStrips *strips = pen_session_get_answers (self)->annotation;
  GArray *pokes = strips ? strips->text->annotated->pokes : NULL;
  gboolean of_text = pokes && pokes->len > 0;
  guint n = of_text ? pokes->len : self->opened->outline->ticks->len;
  gboolean any = FALSE;

  *found = time;
  for (guint i = 0; i < n; i++) {
    guint64 at = of_text ? g_array_index (pokes, PenPoke, i).moment.time
                         : g_array_index (self->opened->outline->ticks, PenPokeTick, i).time;

    if (direction > 0 ? at > time && (!any || at < *found) : at < time && (!any || at > *found)) {
      *found = at;
      any = TRUE;
    }
  }
  return any;
}

void
pen_session_show_time (PenSession *self, guint64 time)
{
  guint64 half = pen_span_length (self->view.visible) / 2;
  guint64 from = time > half ? time - half : 0;

  if (time < self->view.visible.from || time > self->view.visible.to)
    pen_session_set_visible (self, (PenSpan){ from, from + pen_span_length (self->view.visible) });
}

void
pen_session_step_change (PenSession *self, int direction)
{
  guint64 found;

  if (!self->opened || !find_change (self, self->view.playhead, direction, &found))
    return;
  pen_session_show_time (self, found);
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
  g_autofree char *shown = NULL;
  g_autofree char *folded = NULL;

  if (self->search[0] == '\0')
    return TRUE;
  shown = pen_display_text (function->symbol ? function->symbol : function->occupant);
  folded = g_utf8_casefold (shown, -1);
  return strstr (folded, self->search) != NULL;
}

gboolean
pen_session_get_function (PenSession *self, guint32 *function)
{
  *function = self->view.function;
  return self->view.has_function;
}

static void
set_text (PenSession *self, guint32 function, guint64 address, guint64 time)
{
  PenViewState *view = &self->view;

  if (view->has_function && view->function == function && view->text_address == address
      && view->text_time == time)
    return;
  view->has_function = TRUE;
  view->function = function;
  view->text_address = address;
  view->text_time = time;
  pen_session_set_line (self, NULL);
  pen_loader_make_stale (self->loader, 1u << PEN_JOB_ANNOTATION);
  notify (self, PROP_FUNCTION);
}

void
pen_session_set_function (PenSession *self, guint32 function)
{
  g_return_if_fail (function != PEN_NO_FUNCTION);

  set_text (self, function, 0, 0);
}

void
pen_session_show_text (PenSession *self, guint64 address, guint64 time)
{
  set_text (self, PEN_NO_FUNCTION, address, time);
}

static void
on_looked_up (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenSession *self = user_data;
  g_autofree PenTextTarget *target = NULL;

  if (pen_worker_was_dropped (result))
    return;
  target = pen_load_target_finish (result, NULL);
  if (!target) {
    notify (self, PROP_FUNCTION);
    return;
  }
  if (target->has_function)
    pen_session_set_function (self, target->function);
  else
    pen_session_show_text (self, target->address, self->view.playhead);
  if (target->is_line)
    pen_session_set_line (self, &target->address);
  pen_session_set_page (self, PEN_PAGE_CODE);
}

void
pen_session_look_up (PenSession *self, const char *text)
{
  if (self->state == PEN_SESSION_READY)
    pen_load_target_async (pen_loader_get_worker (self->loader), text, self->view.playhead,
                           on_looked_up, self);
}

gboolean
pen_session_get_line (PenSession *self, guint64 *address)
{
  *address = self->view.line;
  return self->view.has_line;
}

void
pen_session_set_line (PenSession *self, const guint64 *address)
{
  PenViewState *view = &self->view;

  if (address ? view->has_line && view->line == *address : !view->has_line)
    return;
  view->has_line = address != NULL;
  view->line = address ? *address : 0;
  if (address) {
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_HISTORY);
  } else {
    pen_loader_forget (self->loader, PEN_JOB_HISTORY);
    tell_answer (self, PEN_JOB_HISTORY);
  }
  notify (self, PROP_LINE);
}

void
pen_session_set_overview_bins (PenSession *self, guint n_bins)
{
  pen_loader_set_overview_bins (self->loader, n_bins);
}

void
pen_session_set_folded (PenSession *self, guint32 folded)
{
  if (self->view.folded == folded)
    return;
  self->view.folded = folded;
  notify (self, PROP_LANES);
}

void
pen_session_set_shows_tasks (PenSession *self, PenTaskKey key, gboolean shows)
{
  if (self->view.shows_tasks[key] == shows)
    return;
  self->view.shows_tasks[key] = shows;
  if (shows)
    pen_loader_make_stale (self->loader, 1u << task_jobs[key]);
  else
    pen_loader_forget (self->loader, task_jobs[key]);
  notify (self, PROP_LANES);
}

void
pen_session_set_map_cells (PenSession *self, guint n_columns, const guint64 *edges, guint n_rows)
{
  pen_loader_set_map_cells (self->loader, n_columns, edges, n_rows);
}

void
pen_session_set_axis_view (PenSession *self, PenAxisView view)
{
  const PenAxisView *old = &self->view.axis_view;

  view.from = CLAMP (view.from, 0, 1);
  view.to = CLAMP (view.to, 0, 1);
  if (!(view.to > view.from) || (view.from == old->from && view.to == old->to))
    return;
  self->view.axis_view = view;
  self->has_addresses = FALSE;
  notify (self, PROP_AXIS_VIEW);
}

const PenHover *
pen_session_get_hover (PenSession *self)
{
  return &self->hover;
}

void
pen_session_set_hover (PenSession *self, const PenHover *hover)
{
  static const PenHover nothing = { 0 };

  if (!hover)
    hover = &nothing;
  if (pen_hover_equal (hover, &self->hover))
    return;
  self->hover = *hover;
  notify (self, PROP_HOVER);
}

/* ---- changes ---- */

static void
on_change_found (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenSession *self = user_data;
  g_autofree guint32 *id = NULL;

  if (pen_worker_was_dropped (result))
    return;
  id = pen_load_change_id_finish (result, NULL);
  self->has_change = id != NULL;
  self->change = id ? *id : 0;
  tell_answer (self, PEN_JOB_FIND_CHANGE);
}

void
pen_session_show_change (PenSession *self, PenMoment moment)
{
  if (self->state != PEN_SESSION_READY)
    return;
  pen_load_change_id_async (pen_loader_get_worker (self->loader), moment, on_change_found, self);
  pen_session_set_page (self, PEN_PAGE_CHANGES);
}

gboolean
pen_session_get_change (PenSession *self, guint32 *id)
{
  *id = self->change;
  return self->has_change;
}

void
pen_session_take_change (PenSession *self)
{
  self->has_change = FALSE;
}

const PenChangeOrder *
pen_session_get_change_order (PenSession *self)
{
  return pen_loader_get_change_order (self->loader);
}

void
pen_session_set_change_order (PenSession *self, const PenChangeOrder *order)
{
  pen_loader_set_change_order (self->loader, order);
}

void
pen_session_want_change_rows (PenSession *self, GArray *ids)
{
  pen_loader_ask_change_rows (self->loader, ids);
}

/* ---- going ---- */

void
pen_session_go (PenSession *self, int steps)
{
  const PenPlace *there;
  g_autoptr (PenPlace) place = NULL;
  const PenViewState *view;

  /* What was done in this very turn of the main loop is a place to come back to, too. */
  if (self->visit_id != 0) {
    g_source_remove (self->visit_id);
    visit (self);
  }
  there = steps != 0 ? pen_places_go (self->places, steps) : NULL;
  if (!there)
    return;
  place = pen_place_copy (there);
  view = &place->view;
  g_object_freeze_notify (G_OBJECT (self));
  pen_session_set_filter (self, view->filter);
  pen_session_set_visible (self, view->visible);
  if (view->has_function)
    set_text (self, view->function, view->text_address, view->text_time);
  pen_session_set_line (self, view->has_line ? &view->line : NULL);
  pen_session_set_page (self, view->page);
  pen_session_set_axis_view (self, view->axis_view);
  pen_session_set_folded (self, view->folded);
  for (guint key = 0; key < G_N_ELEMENTS (view->shows_tasks); key++)
    pen_session_set_shows_tasks (self, key, view->shows_tasks[key]);
  notify (self, PROP_PLACES);
  g_object_thaw_notify (G_OBJECT (self));
}

void
pen_session_start_afresh (PenSession *self)
{
  if (self->state != PEN_SESSION_READY)
    return;
  pen_session_clear_filter (self);
  pen_session_set_visible (self, self->opened->span);
  pen_session_set_playhead (self, self->opened->span.from);
  pen_session_set_search (self, "");
  pen_session_set_line (self, NULL);
  pen_session_set_page (self, PEN_PAGE_CODE);
  self->has_addresses = FALSE;
  pen_session_set_axis_view (self, (PenAxisView){ 0, 1 });
  pen_session_set_folded (self, 0);
  pen_session_set_shows_tasks (self, PEN_TASKS_BY_CPU, FALSE);
  pen_session_set_shows_tasks (self, PEN_TASKS_BY_PROCESS, FALSE);
  /* Which one that is, all functions will tell. */
  self->wants_hottest = TRUE;
  pen_loader_make_stale (self->loader, 1u << PEN_JOB_FUNCTIONS);
  g_clear_handle_id (&self->save_id, g_source_remove);
  if (self->remembers && self->opened->view_file)
    pen_last_view_save_later (self->opened->view_file, NULL);
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
    g_value_set_uint64 (value, self->view.playhead);
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
  close_capture (PEN_SESSION (object));

  G_OBJECT_CLASS (pen_session_parent_class)->dispose (object);
}

static void
pen_session_finalize (GObject *object)
{
  PenSession *self = PEN_SESSION (object);

  pen_loader_free (self->loader);
  pen_filter_free (self->view.filter);
  pen_places_free (self->places);
  g_strfreev (self->start_filters);
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
  static const char *const plain[N_PROPS] = {
    [PROP_PROGRESS] = "progress", [PROP_VISIBLE] = "visible", [PROP_FILTER] = "filter",
    [PROP_CLOCK] = "clock",       [PROP_PAGE] = "page",       [PROP_FUNCTION] = "function",
    [PROP_LINE] = "line",         [PROP_LANES] = "lanes",     [PROP_AXIS_VIEW] = "axis-view",
    [PROP_HOVER] = "hover",       [PROP_PLACES] = "places",
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
  for (guint i = 0; i < N_PROPS; i++) {
    if (plain[i])
      properties[i] = g_param_spec_pointer (plain[i], NULL, NULL, flags);
  }
  g_object_class_install_properties (object_class, N_PROPS, properties);

  answered_signal
      = g_signal_new ("answered", PEN_TYPE_SESSION, G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 0);
}

static void
pen_session_init (PenSession *self)
{
  self->loader = pen_loader_new (&self->view, on_loaded, self);
  self->view.filter = pen_filter_new ();
  self->view.axis_view = (PenAxisView){ 0, 1 };
  self->places = pen_places_new ();
  self->remembers = TRUE;
  self->search = g_strdup ("");
}

PenSession *
pen_session_new (void)
{
  return g_object_new (PEN_TYPE_SESSION, NULL);
}
