/* pen-session.c: one open capture and what is looked at: every view binds to it, none to another
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-place-name.h"

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
  [PEN_JOB_INSTANTS] = "instants",
  [PEN_JOB_VERDICT] = "verdict",
  [PEN_JOB_HISTORY] = "history",
  [PEN_JOB_FLAME] = "flame",
  [PEN_JOB_NEIGHBOURS] = "neighbours",
  [PEN_JOB_HEAT] = "heat",
  [PEN_JOB_CHART] = "chart",
  [PEN_JOB_MATCHES] = "matches",
  [PEN_JOB_CAUSES] = "causes",
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

gboolean
pen_session_visit (gpointer data)
{
  PenSession *self = data;
  const PenVisit *from = pen_places_peek (self->places, 0);
  PenVisit here = { .view = self->view };
  PenClock clock = pen_session_get_clock (self);
  g_autofree char *name = NULL;

  self->visit_id = 0;
  if (!from)
    name = g_strdup (_ ("Start"));
  else if (self->settling)
    name = g_strdup (from->name);
  else
    name = pen_place_name_step (pen_visit_compare (from, &here), &from->view, &here.view,
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
  const PenVisit *place = pen_places_peek (self->places, steps);

  return place ? place->name : NULL;
}

/* ---- telling ---- */

void
pen_session_notify (PenSession *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
  switch (property) {
  case PROP_VISIBLE:
  case PROP_FILTER:
  case PROP_FUNCTION:
  case PROP_LINE:
  case PROP_MARK:
  case PROP_PAGE:
  case PROP_AXIS_VIEW:
  case PROP_LANES:
  case PROP_FLAME:
  case PROP_COMPARED:
    /* All changes in one turn of the main loop are one step. */
    if (self->state == PEN_SESSION_READY && self->visit_id == 0)
      self->visit_id = g_idle_add_full (G_PRIORITY_DEFAULT, pen_session_visit, self, NULL);
    self->serial++;
    pen_session_keep_view (self);
    break;
  case PROP_PLAYHEAD:
  case PROP_CLOCK:
    self->serial++;
    pen_session_keep_view (self);
    break;
  default:
    break;
  }
}

void
pen_session_tell (PenSession *self, PenJobKind kind)
{
  g_signal_emit (self, answered_signal, g_quark_from_static_string (answers[kind]));
}

void
pen_session_notify_all (PenSession *self)
{
  g_object_freeze_notify (G_OBJECT (self));
  for (guint i = PROP_0 + 1; i < N_PROPS; i++)
    pen_session_notify (self, i);
  g_object_thaw_notify (G_OBJECT (self));
  for (guint i = 0; i < PEN_JOBS; i++) {
    if (answers[i])
      pen_session_tell (self, i);
  }
}

/* ---- what is open ---- */

void
pen_session_close (PenSession *self)
{
  pen_session_keep_view_now (self);
  if (self->progress)
    pen_progress_box_disown (self->progress);
  g_clear_pointer (&self->progress, pen_progress_box_unref);
  g_clear_handle_id (&self->visit_id, g_source_remove);
  pen_places_clear (self->places);
  self->settling = FALSE;
  pen_session_end_live (self);
  pen_loader_close (self->loader);
  g_clear_pointer (&self->opened, pen_opened_unref);
  g_clear_error (&self->failure);

  pen_filter_free (self->view.filter);
  g_clear_pointer (&self->view.flame, pen_flame_state_unref);
  g_clear_pointer (&self->view.compared, pen_compared_unref);
  self->view = (PenViewState){ .filter = pen_filter_new (),
                               .times = self->view.times,
                               .axis_view = { 0, 1 } };
  g_clear_pointer (&self->search, g_free);
  self->search = g_strdup ("");
  self->hover = (PenHover){ 0 };
  self->has_addresses = FALSE;
  self->wants_hottest = FALSE;
  self->page_is_chosen = FALSE;
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

gboolean
pen_session_works_ahead (PenSession *self)
{
  return pen_loader_works_ahead (self->loader);
}

const PenCauseOrder *
pen_session_get_cause_order (PenSession *self)
{
  return pen_loader_get_cause_order (self->loader);
}

const PenChangeOrder *
pen_session_get_change_order (PenSession *self)
{
  return pen_loader_get_change_order (self->loader);
}

gboolean
pen_session_get_change (PenSession *self, guint32 *id)
{
  *id = self->change;
  return self->has_change;
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

const char *
pen_session_get_search (PenSession *self)
{
  return self->search;
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

gboolean
pen_session_get_line (PenSession *self, guint64 *address)
{
  *address = self->view.line;
  return self->view.has_line;
}

const PenHover *
pen_session_get_hover (PenSession *self)
{
  return &self->hover;
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
  pen_session_close (PEN_SESSION (object));

  G_OBJECT_CLASS (pen_session_parent_class)->dispose (object);
}

static void
pen_session_finalize (GObject *object)
{
  PenSession *self = PEN_SESSION (object);

  pen_loader_free (self->loader);
  pen_filter_free (self->view.filter);
  g_clear_pointer (&self->view.flame, pen_flame_state_unref);
  g_clear_pointer (&self->view.compared, pen_compared_unref);
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
    [PROP_HOVER] = "hover",       [PROP_PLACES] = "places",   [PROP_MARK] = "mark",
    [PROP_FLAME] = "flame",       [PROP_LIVE] = "live",       [PROP_PART] = "part",
    [PROP_COMPARED] = "compared",
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
  self->view.filter = pen_filter_new ();
  self->view.axis_view = (PenAxisView){ 0, 1 };
  self->places = pen_places_new ();
  self->remembers = TRUE;
  self->search = g_strdup ("");
}
