/* pen-session-live.c: a recording that grows while it is looked at
 *
 * Each part is a store of its own. The answers about it are asked for beside those that are shown,
 * and take their place when all are there: nothing flickers, and nothing jumps.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include "pen-load-capture.h"

/* The newest of a stretch that ends this near the end of all is what is looked at. */
#define END_SHARE 50

/* What goes on in the worker about what is shown, and must not be cut off. */
static const PenJobKind own_jobs[]
    = { PEN_JOB_EXPORT, PEN_JOB_FIND, PEN_JOB_FIND_CHANGE, PEN_JOB_CHANGE_ROWS };

static void start (PenSession *self);

PenLiveState
pen_session_get_live (PenSession *self)
{
  if (!self->live)
    return PEN_LIVE_NONE;
  if (self->live_error)
    return PEN_LIVE_FAILED;
  return self->is_paused ? PEN_LIVE_PAUSED : PEN_LIVE_RUNNING;
}

const GError *
pen_session_get_live_error (PenSession *self)
{
  return self->live_error;
}

gboolean
pen_session_get_follows (PenSession *self)
{
  return self->follows;
}

/* ---- the view of the next part ---- */

static guint32
find_function (const PenOpened *from, const PenOpened *to, guint32 function)
{
  return pen_function_ids_find (from->ids, function, to->ids);
}

/* Functions that are gone are left out; the zoom begins anew where one of its own is. */
static PenFlameState *
make_flame (const PenFlameState *flame, const PenOpened *from, const PenOpened *to)
{
  PenFlameState *copy = pen_flame_state_copy (flame);

  copy->focus = find_function (from, to, copy->focus);
  copy->lens = find_function (from, to, copy->lens);
  copy->subject = find_function (from, to, copy->subject);
  for (guint i = copy->hidden ? copy->hidden->len : 0; i > 0; i--) {
    guint32 *id = &g_array_index (copy->hidden, guint32, i - 1);

    *id = find_function (from, to, *id);
    if (*id == G_MAXUINT32)
      g_array_remove_index (copy->hidden, i - 1);
  }
  for (guint i = 0; copy->zoom && i < copy->zoom->len; i++) {
    guint32 *id = &g_array_index (copy->zoom, guint32, i);

    *id = find_function (from, to, *id);
    if (*id == G_MAXUINT32)
      g_array_set_size (copy->zoom, i);
  }
  return copy;
}

/* In place: what names functions of one import names those of the other. */
static void
translate (PenViewState *view, const PenOpened *from, const PenOpened *to)
{
  if (view->flame) {
    PenFlameState *flame = make_flame (view->flame, from, to);

    pen_flame_state_unref (view->flame);
    view->flame = flame;
  }
  view->load = 0;
  if (!view->has_function || view->function == PEN_NO_FUNCTION)
    return;
  view->function = find_function (from, to, view->function);
  view->has_function = view->function != PEN_NO_FUNCTION;
  view->has_line = view->has_line && view->has_function;
}

/* All stays all; else the end stays the end, if it is followed. */
static PenSpan
follow_end (const PenSession *self, PenSpan visible, PenSpan old, PenSpan span)
{
  guint64 length = pen_span_length (visible);

  if (pen_span_equal (visible, old))
    return span;
  if (self->follows)
    visible = (PenSpan){ span.to - MIN (length, span.to - span.from), span.to };
  return pen_span_clamp (visible, span);
}

static void
make_view (PenSession *self)
{
  const PenOpened *from = self->opened;
  const PenOpened *to = self->next_opened;
  const PenAddressAxis *axis = pen_session_get_answers (self)->axis;
  PenViewState *view = &self->next_view;

  pen_filter_free (view->filter);
  g_clear_pointer (&view->flame, pen_flame_state_unref);
  *view = self->view;
  view->filter = pen_filter_copy (self->view.filter);
  view->flame = pen_flame_state_ref (self->view.flame);
  view->compared = NULL;
  translate (view, from, to);
  view->visible = follow_end (self, view->visible, from->span, to->span);
  view->playhead = CLAMP (view->playhead, to->span.from, to->span.to);
  self->next_serial = self->serial;
  if (axis && (view->axis_view.from > 0 || view->axis_view.to < 1) && !self->has_addresses) {
    self->next_from = pen_address_axis_get_address (axis, view->axis_view.from);
    self->next_to = pen_address_axis_get_address (axis, view->axis_view.to);
  } else {
    self->next_from = self->next_to = 0;
  }
}

/* The changes of one cause can be asked for only when that is known. */
static guint32
get_jobs (PenSession *self)
{
  guint32 jobs = FILTERED_JOBS | 1u << PEN_JOB_INSTANTS;
  guint row;

  if (pen_loader_get_changes_of (self->loader, &row))
    jobs &= ~(1u << PEN_JOB_CHANGES);
  return jobs;
}

/* ---- parts ---- */

static gboolean
can_take (PenSession *self)
{
  PenWorker *worker = pen_loader_get_worker (self->loader);

  if (!self->next_opened || self->n_holds > 0
      || !(pen_loader_is_settled (self->next) || pen_loader_works_ahead (self->next)))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (own_jobs); i++) {
    if (pen_worker_is_busy (worker, own_jobs[i]))
      return FALSE;
  }
  return TRUE;
}

static void
translate_place (PenViewState *view, gpointer user_data)
{
  const PenSession *self = user_data;

  translate (view, self->opened, self->next_opened);
  view->visible = pen_span_equal (view->visible, self->opened->span)
                      ? self->next_opened->span
                      : pen_span_clamp (view->visible, self->next_opened->span);
}

/* The same addresses on the axis of the new part. */
static void
keep_addresses (PenSession *self)
{
  const PenAddressAxis *axis = pen_session_get_answers (self)->axis;

  if (self->next_to == 0)
    return;
  if (axis) {
    self->view.axis_view = (PenAxisView){ pen_address_axis_get_position (axis, self->next_from),
                                          pen_address_axis_get_position (axis, self->next_to) };
    return;
  }
  self->has_addresses = TRUE;
  self->address_from = self->next_from;
  self->address_to = self->next_to;
}

static void
tell_of_part (PenSession *self)
{
  static const guint changed[]
      = { PROP_CLOCK, PROP_VISIBLE, PROP_PART, PROP_LIVE, PROP_PLACES, PROP_BUSY };

  /* Nobody went anywhere. */
  self->settling = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (changed); i++)
    pen_session_notify (self, changed[i]);
  for (guint i = 0; i < PEN_JOBS; i++)
    pen_session_tell (self, i);
}

static void
take (PenSession *self)
{
  PenOpened *old = self->opened;
  PenLoader *loader = self->loader;
  gboolean has_next = self->next_opened->live != NULL;

  /* Of the old part, too. */
  if (self->visit_id != 0) {
    g_source_remove (self->visit_id);
    pen_session_visit (self);
  }
  pen_places_foreach (self->places, translate_place, self);
  pen_filter_free (self->view.filter);
  g_clear_pointer (&self->view.flame, pen_flame_state_unref);
  self->next_view.compared = self->view.compared;
  self->view = self->next_view;
  self->next_view = (PenViewState){ 0 };
  self->opened = g_steal_pointer (&self->next_opened);
  self->loader = g_steal_pointer (&self->next);
  pen_session_adopt_loader (self, self->loader);
  pen_loader_take_changes (self->loader, loader);
  self->has_change = FALSE;
  keep_addresses (self);
  if (!has_next)
    g_clear_pointer (&self->live, pen_live_unref);
  tell_of_part (self);
  /* What they showed is not shown any more. */
  pen_loader_free (loader);
  pen_opened_unref (old);
  start (self);
}

static void
on_next_loaded (gpointer owner, PenJobKind kind)
{
  if (kind == PEN_JOBS)
    pen_session_take_part (owner);
}

void
pen_session_take_part (PenSession *self)
{
  if (!can_take (self))
    return;
  /* What is looked at has become another meanwhile. */
  if (self->next_serial != self->serial) {
    make_view (self);
    pen_loader_make_stale (self->next, get_jobs (self));
    return;
  }
  take (self);
}

static void
on_part (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenSession *self = user_data;

  if (pen_worker_was_dropped (result))
    return;
  self->next_opened = pen_load_part_finish (result, &self->live_error);
  if (!self->next_opened) {
    pen_session_notify (self, PROP_LIVE);
    return;
  }
  make_view (self);
  pen_loader_take_sizes (self->next, self->loader);
  pen_loader_start (self->next, self->next_opened);
  pen_loader_set_syntax (self->next, pen_loader_get_syntax (self->loader));
  pen_loader_make_stale (self->next,
                         get_jobs (self) | 1u << PEN_JOB_RECORDING | 1u << PEN_JOB_NOTES);
  if (pen_session_get_answers (self)->choices)
    pen_loader_make_stale (self->next, 1u << PEN_JOB_CHOICES);
}

static void
start (PenSession *self)
{
  if (!self->live || self->is_paused || self->next || self->live_error)
    return;
  self->next_view = (PenViewState){ .filter = pen_filter_new (), .axis_view = { 0, 1 } };
  self->next = pen_loader_new (&self->next_view, on_next_loaded, self);
  pen_load_part_async (pen_loader_open (self->next), self->live, self->path, on_part, self);
}

static void
drop_next (PenSession *self)
{
  g_clear_pointer (&self->next, pen_loader_free);
  g_clear_pointer (&self->next_opened, pen_opened_unref);
  pen_filter_free (self->next_view.filter);
  g_clear_pointer (&self->next_view.flame, pen_flame_state_unref);
  self->next_view = (PenViewState){ 0 };
}

void
pen_session_start_live (PenSession *self)
{
  if (!self->opened->live)
    return;
  self->live = pen_live_ref (self->opened->live);
  self->is_paused = FALSE;
  self->follows = TRUE;
  start (self);
}

void
pen_session_end_live (PenSession *self)
{
  drop_next (self);
  g_clear_pointer (&self->live, pen_live_unref);
  g_clear_error (&self->live_error);
}

void
pen_session_set_paused (PenSession *self, gboolean paused)
{
  if (!self->live || self->is_paused == paused)
    return;
  self->is_paused = paused;
  if (paused)
    drop_next (self);
  else
    start (self);
  pen_session_notify (self, PROP_LIVE);
}

void
pen_session_hold_part (PenSession *self)
{
  self->n_holds++;
}

void
pen_session_release_part (PenSession *self)
{
  g_return_if_fail (self->n_holds > 0);

  self->n_holds--;
  pen_session_take_part (self);
}

void
pen_session_set_follows (PenSession *self, gboolean follows)
{
  PenSpan span = pen_session_get_span (self);
  PenSpan visible = self->view.visible;

  if (!self->live || self->follows == follows)
    return;
  self->follows = follows;
  if (follows)
    pen_session_set_visible (self, (PenSpan){ span.to - pen_span_length (visible), span.to });
  pen_session_notify (self, PROP_LIVE);
}

/* Whoever looks at what has been does not want to be taken away from it. */
void
pen_session_judge_follows (PenSession *self)
{
  PenSpan span = pen_session_get_span (self);
  PenSpan visible = self->view.visible;
  gboolean is_at_end = span.to - visible.to <= pen_span_length (visible) / END_SHARE;

  if (!self->live || self->follows == is_at_end)
    return;
  self->follows = is_at_end;
  pen_session_notify (self, PROP_LIVE);
}

guint64
pen_session_get_newest (PenSession *self)
{
  PenSpan span = pen_session_get_span (self);

  return span.to > span.from ? span.to - 1 : span.to;
}
