/* pen-session-keep.c: what was looked at, from one opening of a capture to the next
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

/* Whoever zooms and filters is not done yet. */
#define SAVE_AFTER_S 3

static PenLastView *
make_last_view (PenSession *self)
{
  const PenAnswers *known = pen_loader_get_answers (self->loader);
  const PenFunction *function = pen_answers_find_function (known, self->view.function);
  const PenAnnotatedText *text = known->annotation ? known->annotation->text : NULL;
  PenLastView *last = pen_last_view_new ();

  pen_filter_free (last->state.filter);
  last->state = self->view;
  last->state.filter = pen_filter_copy (self->view.filter);
  last->state.flame = pen_flame_state_copy (self->view.flame);
  last->state.compared = NULL;
  /* Where its answer has not come yet, nothing is kept of it. */
  if (self->view.flame && self->view.flame->pair.batch > 0 && known->flame && known->flame->batch
      && known->flame->batch->id == self->view.flame->pair.batch)
    last->batch_from = known->flame->batch->from;
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

void
pen_session_keep_view (PenSession *self)
{
  if (self->remembers && self->state == PEN_SESSION_READY && self->opened->view_file
      && self->save_id == 0)
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

void
pen_session_restore_view (PenSession *self)
{
  const PenLastView *last = self->remembers ? self->opened->last_view : NULL;

  if (!last)
    return;
  pen_filter_free (self->view.filter);
  self->view = last->state;
  self->view.filter = pen_filter_copy (last->state.filter);
  self->view.flame = pen_flame_state_copy (last->state.flame);
  self->view.visible = pen_span_clamp (last->state.visible, self->opened->span);
  self->view.playhead
      = CLAMP (last->state.playhead, self->opened->span.from, self->opened->span.to);
  self->view.mark = CLAMP (last->state.mark, self->opened->span.from, self->opened->span.to);
  self->view.load = 0;
  self->view.all_loads = FALSE;
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
