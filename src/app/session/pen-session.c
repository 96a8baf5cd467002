/* pen-session.c: one open capture and what is looked at: every view binds to it, none to another
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include <string.h>

static GParamSpec *properties[PEN_SESSION_N_PROPS];

G_DEFINE_FINAL_TYPE (PenSession, pen_session, G_TYPE_OBJECT)

void
pen_session_notify (PenSession *self, PenSessionProperty property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
  switch ((guint) property) {
  case PEN_SESSION_PROP_VISIBLE:
  case PEN_SESSION_PROP_FILTER:
  case PEN_SESSION_PROP_FUNCTION:
  case PEN_SESSION_PROP_LINE:
  case PEN_SESSION_PROP_PAGE:
  case PEN_SESSION_PROP_AXIS_VIEW:
    pen_session_visit (self);
    pen_session_keep_view (self);
    break;
  case PEN_SESSION_PROP_PLAYHEAD:
  case PEN_SESSION_PROP_CLOCK:
    pen_session_keep_view (self);
    break;
  case PEN_SESSION_PROP_BUSY:
    pen_session_refine (self);
    break;
  default:
    break;
  }
}

/* ---- opening ---- */

/* A new capture gets a new worker: nothing that was asked about the old one can come in late. */
static void
close_capture (PenSession *self)
{
  pen_session_keep_view_now (self);
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
  pen_session_forget_answers (self);
  pen_session_forget_places (self);
  if (self->worker)
    pen_worker_shutdown (self->worker);
  g_clear_object (&self->worker);
  g_clear_error (&self->failure);

  pen_filter_free (self->filter);
  self->filter = pen_filter_new ();
  g_clear_pointer (&self->search, g_free);
  self->search = g_strdup ("");
  self->page = PEN_PAGE_CODE;
  self->has_function = FALSE;
  self->wants_hottest = FALSE;
  self->has_line = FALSE;
  self->visible = (PenSpan){ 0, 0 };
  self->playhead = 0;
}

static void
notify_all (PenSession *self)
{
  g_object_freeze_notify (G_OBJECT (self));
  for (guint i = PEN_SESSION_PROP_0 + 1; i < PEN_SESSION_N_PROPS; i++)
    pen_session_notify (self, i);
  g_object_thaw_notify (G_OBJECT (self));
}

static void
set_state (PenSession *self, PenSessionState state)
{
  self->state = state;
  pen_session_notify (self, PEN_SESSION_PROP_STATE);
}

static gboolean
on_progress (gpointer owner)
{
  pen_session_notify (PEN_SESSION (owner), PEN_SESSION_PROP_PROGRESS);
  return G_SOURCE_REMOVE;
}

static void
add_start_filters (PenSession *self)
{
  if (!self->start_filters)
    return;
  pen_filter_free (self->filter);
  self->filter = pen_filter_new ();
  for (guint i = 0; self->start_filters[i]; i++) {
    g_autoptr (GError) error = NULL;

    if (!pen_filter_add_text (self->filter, self->start_filters[i], self->opened->span.from,
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
    pen_session_notify (self, PEN_SESSION_PROP_BUSY);
    return;
  }

  self->opened = result;
  self->visible = self->opened->span;
  self->playhead = self->opened->span.from;
  self->syntax = self->opened->syntax;
  pen_session_restore_view (self);
  add_start_filters (self);
  self->state = PEN_SESSION_READY;
  pen_session_make_stale (
      self, 1u << PEN_JOB_OVERVIEW | 1u << PEN_JOB_COUNT | 1u << PEN_JOB_FUNCTIONS
                | PEN_SESSION_DRAWING_JOBS | PEN_SESSION_PAGE_JOBS | 1u << PEN_JOB_RECORDING
                | 1u << PEN_JOB_ANNOTATION | 1u << PEN_JOB_HISTORY | 1u << PEN_JOB_NOTES);
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
  pen_session_ask (self, PEN_JOB_OPEN, pen_question_open, question,
                   (GDestroyNotify) pen_opened_unref, on_opened);
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

PenSketch *
pen_session_dup_sketch (PenSession *self)
{
  return self->state == PEN_SESSION_IMPORTING ? pen_progress_box_dup_sketch (self->progress) : NULL;
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
  pen_session_make_stale (self,
                          1u << PEN_JOB_OVERVIEW | 1u << PEN_JOB_STRIPS | PEN_SESSION_DRAWING_JOBS);
  pen_session_notify (self, PEN_SESSION_PROP_VISIBLE);
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
  pen_session_make_stale (self, 1u << PEN_JOB_OVERVIEW | 1u << PEN_JOB_COUNT
                                    | 1u << PEN_JOB_FUNCTIONS | 1u << PEN_JOB_ANNOTATION
                                    | 1u << PEN_JOB_HISTORY | PEN_SESSION_DRAWING_JOBS
                                    | PEN_SESSION_PAGE_JOBS);
  pen_session_notify (self, PEN_SESSION_PROP_FILTER);
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

  filter->only.kinds = kinds;
  filter->none.kinds &= ~kinds;
  pen_session_set_filter (self, filter);
}

void
pen_session_toggle_left_out (PenSession *self, PenKind kind)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (self->filter);

  filter->none.kinds ^= 1u << kind;
  filter->only.kinds &= ~(1u << kind);
  pen_session_set_filter (self, filter);
}

void
pen_session_add_term (PenSession *self, const PenFilterTerm *term)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (self->filter);

  if (pen_filter_add_term (filter, term))
    pen_session_set_filter (self, filter);
}

void
pen_session_remove_term (PenSession *self, const PenFilterTerm *term)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (self->filter);

  pen_filter_remove_term (filter, term);
  pen_session_set_filter (self, filter);
}

gboolean
pen_session_add_filter_text (PenSession *self, const char *text, GError **error)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (self->filter);
  g_autoptr (PenFilter) added = pen_filter_new ();
  g_autoptr (GPtrArray) terms = NULL;
  PenSpan span = pen_session_get_span (self);

  if (!pen_filter_add_text (added, text, span.from, span.to, error))
    return FALSE;
  /* One by one: what was asked for and is now left out changes sides. */
  terms = pen_filter_dup_terms (added);
  for (guint i = 0; i < terms->len; i++)
    pen_filter_add_term (filter, terms->pdata[i]);
  pen_session_set_filter (self, filter);
  return TRUE;
}

void
pen_session_clear_filter (PenSession *self)
{
  static const PenFilter everything = { 0 };

  pen_session_set_filter (self, &everything);
}

PenPage
pen_session_get_page (PenSession *self)
{
  return self->page;
}

void
pen_session_set_page (PenSession *self, PenPage page)
{
  g_return_if_fail (page < PEN_PAGES);

  if (self->page == page)
    return;
  self->page = page;
  pen_session_notify (self, PEN_SESSION_PROP_PAGE);
  pen_session_ask_deferred (self);
}

PenTimes
pen_session_get_times (PenSession *self)
{
  return self->times;
}

void
pen_session_set_times (PenSession *self, PenTimes times)
{
  g_return_if_fail (times < PEN_TIMES);

  if (self->times == times)
    return;
  self->times = times;
  pen_session_notify (self, PEN_SESSION_PROP_CLOCK);
}

PenClock
pen_session_get_clock (PenSession *self)
{
  PenClock clock = { .times = self->times, .span = pen_session_get_span (self) };

  if (self->opened) {
    clock.has_wall = self->opened->has_wall;
    clock.wall_offset = self->opened->wall_offset;
  }
  return clock;
}

PenSyntax
pen_session_get_syntax (PenSession *self)
{
  return self->syntax;
}

void
pen_session_set_syntax (PenSession *self, PenSyntax syntax)
{
  if (self->syntax == syntax)
    return;
  self->syntax = syntax;
  pen_session_make_stale (self, 1u << PEN_JOB_ANNOTATION | 1u << PEN_JOB_HISTORY);
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
  pen_session_notify (self, PEN_SESSION_PROP_PLAYHEAD);
}

/* The time of the change nearest to @time in that direction; FALSE: there is none. */
static gboolean
find_change (PenSession *self, guint64 time, int direction, guint64 *found)
{
  GArray *pokes = self->annotation ? self->annotation->text->annotated->pokes : NULL;
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
  guint64 half = pen_span_length (self->visible) / 2;
  guint64 from = time > half ? time - half : 0;

  if (time < self->visible.from || time > self->visible.to)
    pen_session_set_visible (self, (PenSpan){ from, from + pen_span_length (self->visible) });
}

void
pen_session_step_change (PenSession *self, int direction)
{
  guint64 found;

  if (!self->opened || !find_change (self, self->playhead, direction, &found))
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
  pen_session_notify (self, PEN_SESSION_PROP_SEARCH);
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
  *function = self->function;
  return self->has_function;
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
    pen_session_make_stale (self, 1u << PEN_JOB_HISTORY);
  } else {
    if (self->worker)
      pen_worker_cancel (self->worker, PEN_JOB_HISTORY);
    self->stale &= ~(1u << PEN_JOB_HISTORY);
    g_clear_pointer (&self->history, pen_history_table_unref);
    pen_session_notify (self, PEN_SESSION_PROP_HISTORY);
  }
  pen_session_notify (self, PEN_SESSION_PROP_LINE);
}

void
pen_session_set_overview_bins (PenSession *self, guint n_bins)
{
  if (self->overview_bins == n_bins)
    return;
  self->overview_bins = n_bins;
  pen_session_make_stale (self, 1u << PEN_JOB_OVERVIEW | PEN_SESSION_DRAWING_JOBS);
}

/* ---- object ---- */

static void
pen_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PenSession *self = PEN_SESSION (object);

  switch (id) {
  case PEN_SESSION_PROP_STATE:
    g_value_set_uint (value, self->state);
    break;
  case PEN_SESSION_PROP_BUSY:
    g_value_set_boolean (value, !pen_session_is_settled (self));
    break;
  case PEN_SESSION_PROP_PLAYHEAD:
    g_value_set_uint64 (value, self->playhead);
    break;
  case PEN_SESSION_PROP_SEARCH:
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
  pen_places_free (self->places);
  g_strfreev (self->start_filters);
  g_free (self->search);
  g_free (self->path);
  g_free ((char *) self->change_order.search);

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
    { PEN_SESSION_PROP_PROGRESS, "progress" },
    { PEN_SESSION_PROP_VISIBLE, "visible" },
    { PEN_SESSION_PROP_FILTER, "filter" },
    { PEN_SESSION_PROP_CLOCK, "clock" },
    { PEN_SESSION_PROP_FUNCTION, "function" },
    { PEN_SESSION_PROP_LINE, "line" },
    { PEN_SESSION_PROP_OVERVIEW, "overview" },
    { PEN_SESSION_PROP_COUNTS, "counts" },
    { PEN_SESSION_PROP_FUNCTIONS, "functions" },
    { PEN_SESSION_PROP_ANNOTATION, "annotation" },
    { PEN_SESSION_PROP_SIDES, "sides" },
    { PEN_SESSION_PROP_HISTORY, "history" },
    { PEN_SESSION_PROP_PAGE, "page" },
    { PEN_SESSION_PROP_LANES, "lanes" },
    { PEN_SESSION_PROP_HOVER, "hover" },
    { PEN_SESSION_PROP_MAP, "map" },
    { PEN_SESSION_PROP_AXIS_VIEW, "axis-view" },
    { PEN_SESSION_PROP_PLACES, "places" },
    { PEN_SESSION_PROP_CHOICES, "choices" },
    { PEN_SESSION_PROP_NOTES, "notes" },
    { PEN_SESSION_PROP_CHANGES, "changes" },
    { PEN_SESSION_PROP_CHANGE, "change" },
    { PEN_SESSION_PROP_CHANGE_ROWS, "change-rows" },
    { PEN_SESSION_PROP_OCCUPANTS, "occupants" },
    { PEN_SESSION_PROP_RECORDING, "recording" },
  };

  object_class->get_property = pen_session_get_property;
  object_class->dispose = pen_session_dispose;
  object_class->finalize = pen_session_finalize;

  properties[PEN_SESSION_PROP_STATE]
      = g_param_spec_uint ("state", NULL, NULL, 0, PEN_SESSION_FAILED, PEN_SESSION_EMPTY, flags);
  properties[PEN_SESSION_PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, flags);
  properties[PEN_SESSION_PROP_PLAYHEAD]
      = g_param_spec_uint64 ("playhead", NULL, NULL, 0, G_MAXUINT64, 0, flags);
  properties[PEN_SESSION_PROP_SEARCH] = g_param_spec_string ("search", NULL, NULL, "", flags);
  for (gsize i = 0; i < G_N_ELEMENTS (plain); i++)
    properties[plain[i].id] = g_param_spec_pointer (plain[i].name, NULL, NULL, flags);
  g_object_class_install_properties (object_class, PEN_SESSION_N_PROPS, properties);
}

static void
pen_session_init (PenSession *self)
{
  self->filter = pen_filter_new ();
  self->places = pen_places_new ();
  self->remembers = TRUE;
  self->search = g_strdup ("");
  self->drawing.axis_view = (PenAxisView){ 0, 1 };
}

PenSession *
pen_session_new (void)
{
  return g_object_new (PEN_TYPE_SESSION, NULL);
}
