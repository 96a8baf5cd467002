/* pen-session-last-view.c: coming back to what was looked at when the capture was last open
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include "pen-query-functions.h"

#include <string.h>

/* Whoever zooms and filters is not done yet. */
#define SAVE_AFTER_S 3

/* ---- keeping ---- */

static const PenFunction *
find_function (PenSession *self)
{
  for (guint i = 0; self->functions && i < self->functions->rows->len; i++) {
    const PenFunction *row = &g_array_index (self->functions->rows, PenFunctionRow, i).function;

    if (row->id == self->function)
      return row;
  }
  return NULL;
}

static void
tell_function (PenSession *self, PenLastView *view)
{
  const PenFunction *function = self->has_function ? find_function (self) : NULL;
  const PenAnnotatedText *text = self->annotation ? self->annotation->text : NULL;

  if (function) {
    view->has_function = TRUE;
    view->symbol = g_strdup (function->symbol);
    view->start = function->start;
  } else if (self->has_function && text && text->function == self->function) {
    view->has_function = TRUE;
    view->symbol = g_strdup (text->annotated->symbol);
    view->start = text->annotated->start;
  }
}

static PenLastView *
make_view (PenSession *self)
{
  PenLastView *view = pen_last_view_new ();

  view->span = self->opened->span;
  view->samples = self->opened->samples;
  view->visible = self->visible;
  view->playhead = self->playhead;
  pen_filter_free (view->filter);
  view->filter = pen_filter_copy (self->filter);
  tell_function (self, view);
  view->has_line = self->has_line;
  view->line = self->line;
  view->page = self->page;
  view->times = self->times;
  view->folded = self->drawing.folded;
  memcpy (view->shows_tasks, self->drawing.shows_tasks, sizeof view->shows_tasks);
  view->has_addresses
      = pen_session_get_map_addresses (self, &view->address_from, &view->address_to);
  return view;
}

static gboolean
save (gpointer data)
{
  PenSession *self = data;
  g_autoptr (PenLastView) view = make_view (self);

  self->save_id = 0;
  pen_last_view_save_later (self->opened->view_file, view);
  return G_SOURCE_REMOVE;
}

void
pen_session_keep_view (PenSession *self)
{
  if (!self->remembers || self->state != PEN_SESSION_READY || !self->opened->view_file)
    return;
  if (self->save_id == 0)
    self->save_id = g_timeout_add_seconds (SAVE_AFTER_S, save, self);
}

void
pen_session_keep_view_now (PenSession *self)
{
  if (self->save_id == 0)
    return;
  g_source_remove (self->save_id);
  save (self);
}

/* ---- coming back ---- */

void
pen_session_restore_view (PenSession *self)
{
  const PenLastView *view = self->remembers ? self->opened->last_view : NULL;

  if (!view)
    return;
  self->visible = pen_span_clamp (view->visible, self->opened->span);
  self->playhead = CLAMP (view->playhead, self->opened->span.from, self->opened->span.to);
  pen_filter_free (self->filter);
  self->filter = pen_filter_copy (view->filter);
  self->page = view->page;
  self->times = view->times;
  self->drawing.folded = view->folded;
  memcpy (self->drawing.shows_tasks, view->shows_tasks, sizeof view->shows_tasks);
  self->drawing.has_addresses = view->has_addresses;
  self->drawing.address_from = view->address_from;
  self->drawing.address_to = view->address_to;
  /* Which one it is was found out when the capture was opened. */
  self->has_function = self->opened->has_last_function;
  self->function = self->opened->last_function;
  self->has_line = self->has_function && view->has_line;
  self->line = view->line;
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
  self->drawing.has_addresses = FALSE;
  pen_session_set_axis_view (self, (PenAxisView){ 0, 1 });
  pen_session_set_folded (self, 0);
  pen_session_set_shows_tasks (self, PEN_TASKS_BY_CPU, FALSE);
  pen_session_set_shows_tasks (self, PEN_TASKS_BY_PROCESS, FALSE);
  /* Which one that is, all functions will tell. */
  self->wants_hottest = TRUE;
  pen_session_make_stale (self, 1u << PEN_JOB_FUNCTIONS);
  g_clear_handle_id (&self->save_id, g_source_remove);
  if (self->remembers && self->opened->view_file)
    pen_last_view_save_later (self->opened->view_file, NULL);
}
