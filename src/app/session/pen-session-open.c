/* pen-session-open.c: opening a capture, and what its first answers lead to
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include "pen-load-capture.h"
#include "pen-query-functions.h"

/* ---- opening ---- */

static gboolean
on_progress (gpointer owner)
{
  pen_session_notify (PEN_SESSION (owner), PROP_PROGRESS);
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

PenPage
pen_session_get_first_page (PenSession *self)
{
  return self->opened->callchains > 0 && !pen_opened_may_have_patches (self->opened)
             ? PEN_PAGE_CALLERS
             : PEN_PAGE_CODE;
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
    pen_session_notify (self, PROP_STATE);
    return;
  }

  self->view.visible = self->opened->span;
  self->view.playhead = self->opened->span.from;
  if (!self->page_is_chosen)
    self->view.page = pen_session_get_first_page (self);
  pen_session_restore_view (self);
  self->wants_line = self->view.has_function && !self->view.has_line;
  add_start_filters (self);
  self->state = PEN_SESSION_READY;
  pen_loader_start (self->loader, self->opened);
  pen_loader_make_stale (self->loader,
                         FILTERED_JOBS | 1u << PEN_JOB_RECORDING | 1u << PEN_JOB_NOTES);
  pen_session_start_live (self);
  pen_session_notify_all (self);
}

void
pen_session_open (PenSession *self, const char *path)
{
  g_autofree char *copy = g_strdup (path);

  g_return_if_fail (PEN_IS_SESSION (self));
  g_return_if_fail (path != NULL);

  pen_session_close (self);
  g_free (self->path);
  self->path = g_steal_pointer (&copy);
  self->progress = pen_progress_box_new (on_progress, self);
  self->opened_at = g_get_monotonic_time ();
  self->state = PEN_SESSION_IMPORTING;
  pen_load_capture_async (pen_loader_open (self->loader), self->path, self->progress, on_opened,
                          self);
  pen_session_notify_all (self);
}

void
pen_session_cancel (PenSession *self)
{
  g_return_if_fail (PEN_IS_SESSION (self));

  if (self->state != PEN_SESSION_IMPORTING)
    return;
  pen_session_close (self);
  g_clear_pointer (&self->path, g_free);
  self->state = PEN_SESSION_EMPTY;
  pen_session_notify_all (self);
}

/* ---- answers ---- */

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
  self->view.load = strips->text->load;
  pen_session_notify (self, PROP_FUNCTION);
}

/* A text that was just opened, or is shown anew, has a selected line, so that there is a history
 * beside it. */
static void
choose_line (PenSession *self, const PenAnswers *known)
{
  guint64 address;

  if (!self->wants_line || !known->annotation)
    return;
  self->wants_line = FALSE;
  if (self->view.has_line || !pen_answers_find_first_line (known, &address))
    return;
  self->settling = TRUE;
  pen_session_set_line (self, &address);
}

static void
on_loaded (gpointer owner, PenJobKind kind)
{
  PenSession *self = owner;
  const PenAnswers *known = pen_session_get_answers (self);

  if (kind == PEN_JOBS) {
    pen_session_notify (self, PROP_BUSY);
    pen_session_take_part (self);
    return;
  }
  if (kind == PEN_JOB_MAP && known->axis && self->has_addresses)
    restore_addresses (self, known->axis);
  pen_session_tell (self, kind);
  if (kind == PEN_JOB_FUNCTIONS) {
    choose_hottest (self);
    /* It may have been that one before: then no text comes. */
    if (known->annotation && known->annotation->text->function == self->view.function)
      choose_line (self, known);
  }
  if (kind == PEN_JOB_ANNOTATION) {
    take_known_function (self, known->annotation);
    choose_line (self, known);
  }
}

void
pen_session_adopt_loader (PenSession *self, PenLoader *loader)
{
  pen_loader_adopt (loader, &self->view, on_loaded);
}

PenSession *
pen_session_new (void)
{
  PenSession *self = g_object_new (PEN_TYPE_SESSION, NULL);

  self->loader = pen_loader_new (&self->view, on_loaded, self);
  return self;
}
