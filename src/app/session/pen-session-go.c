/* pen-session-go.c: ways through a capture: to a time, a text, a change, another place
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include "pen-load-lists.h"
#include "pen-store-pokes.h"

/* ---- times ---- */

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
  pen_session_tell (self, PEN_JOB_FIND_CHANGE);
}

void
pen_session_show_change (PenSession *self, PenMoment moment)
{
  if (self->state != PEN_SESSION_READY)
    return;
  pen_load_change_id_async (pen_loader_get_worker (self->loader), moment, on_change_found, self);
  pen_session_set_page (self, PEN_PAGE_CAUSES);
}

/* ---- places ---- */

void
pen_session_go (PenSession *self, int steps)
{
  const PenVisit *there;
  g_autoptr (PenVisit) place = NULL;
  const PenViewState *view;

  /* The place set in this very turn of the main loop is one to come back to, too. */
  if (self->visit_id != 0) {
    g_source_remove (self->visit_id);
    pen_session_visit (self);
  }
  there = steps != 0 ? pen_places_go (self->places, steps) : NULL;
  if (!there)
    return;
  place = pen_visit_copy (there);
  view = &place->view;
  g_object_freeze_notify (G_OBJECT (self));
  pen_session_set_filter (self, view->filter);
  pen_session_set_visible (self, view->visible);
  if (view->has_function)
    pen_session_set_text (self, view->function, view->text_address, view->text_time);
  pen_session_set_load (self, view->load, view->all_loads);
  pen_session_set_line (self, view->has_line ? &view->line : NULL);
  pen_session_set_mark (self, view->has_mark ? &view->mark : NULL);
  pen_session_set_compared (self, view->compared);
  pen_session_set_page (self, view->page);
  pen_session_set_axis_view (self, view->axis_view);
  pen_session_set_folded (self, view->folded);
  pen_session_set_flame (self, view->flame);
  for (guint key = 0; key < G_N_ELEMENTS (view->shows_tasks); key++)
    pen_session_set_shows_tasks (self, key, view->shows_tasks[key]);
  pen_session_notify (self, PROP_PLACES);
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
  pen_session_set_mark (self, NULL);
  pen_session_set_compared (self, NULL);
  pen_session_set_page (self, pen_session_get_first_page (self));
  self->has_addresses = FALSE;
  pen_session_set_axis_view (self, (PenAxisView){ 0, 1 });
  pen_session_set_folded (self, 0);
  pen_session_set_flame (self, NULL);
  pen_session_set_shows_tasks (self, PEN_TASKS_BY_CPU, FALSE);
  pen_session_set_shows_tasks (self, PEN_TASKS_BY_PROCESS, FALSE);
  /* Which one that is, all functions will tell. */
  self->wants_hottest = TRUE;
  self->wants_line = TRUE;
  pen_loader_make_stale (self->loader, 1u << PEN_JOB_FUNCTIONS);
  g_clear_handle_id (&self->save_id, g_source_remove);
  if (self->remembers && self->opened->view_file)
    pen_last_view_save_later (self->opened->view_file, NULL);
}
