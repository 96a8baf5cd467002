/* pen-session-pages.c: answers of the pages that are not always looked at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

/* What each page alone shows. */
static const guint32 page_jobs[PEN_PAGES] = {
  [PEN_PAGE_MAP] = 1u << PEN_JOB_MAP,
  [PEN_PAGE_CHANGES] = 1u << PEN_JOB_CHANGES,
  [PEN_PAGE_OCCUPANTS] = 1u << PEN_JOB_OCCUPANTS,
  [PEN_PAGE_RECORDING] = 1u << PEN_JOB_RECORDING,
};

guint32
pen_session_defer (PenSession *self, guint32 jobs)
{
  guint32 now = jobs;

  for (guint i = 0; i < PEN_PAGES; i++) {
    if (i != self->page)
      now &= ~page_jobs[i];
  }
  self->deferred = (self->deferred | jobs) & ~now;
  return now;
}

void
pen_session_ask_deferred (PenSession *self)
{
  guint32 jobs = self->deferred & page_jobs[self->page];

  if (jobs != 0)
    pen_session_make_stale (self, jobs);
}

/* ---- changes ---- */

static void
on_changes (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  g_autoptr (PenChangeTable) old = g_steal_pointer (&self->changes);

  pen_session_set_error (self, PEN_JOB_CHANGES, error);
  self->changes = result;
  pen_session_notify (self, PEN_SESSION_PROP_CHANGES);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

static void
on_change_rows (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;

  pen_session_set_error (self, PEN_JOB_CHANGE_ROWS, error);
  g_clear_pointer (&self->change_rows, g_ptr_array_unref);
  self->change_rows = result;
  pen_session_notify (self, PEN_SESSION_PROP_CHANGE_ROWS);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

static void
on_change_found (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;

  pen_session_set_error (self, PEN_JOB_FIND_CHANGE, error);
  self->has_change = result != NULL;
  self->change = result ? *(guint32 *) result : 0;
  g_free (result);
  pen_session_notify (self, PEN_SESSION_PROP_CHANGE);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

void
pen_session_show_change (PenSession *self, PenMoment moment)
{
  PenQuestion *question;

  if (self->state != PEN_SESSION_READY)
    return;
  question = pen_question_new (NULL);
  question->moment = moment;
  pen_session_ask (self, PEN_JOB_FIND_CHANGE, pen_question_find_change, question, g_free,
                   on_change_found);
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

const PenChangeTable *
pen_session_get_changes (PenSession *self)
{
  return self->changes;
}

const PenChangeOrder *
pen_session_get_change_order (PenSession *self)
{
  return &self->change_order;
}

static void
set_order (PenChangeOrder *order, const PenChangeOrder *from)
{
  char *search = g_strdup (from->search);

  g_free ((char *) order->search);
  *order = *from;
  order->search = search;
}

void
pen_session_set_change_order (PenSession *self, const PenChangeOrder *order)
{
  const PenChangeOrder *old = &self->change_order;

  g_return_if_fail (order->sort < PEN_CHANGE_SORTS);

  if (old->sort == order->sort && old->is_descending == order->is_descending
      && old->scope == order->scope && old->is_grouped == order->is_grouped
      && g_strcmp0 (old->search, order->search) == 0)
    return;
  set_order (&self->change_order, order);
  pen_session_make_stale (self, 1u << PEN_JOB_CHANGES);
}

GPtrArray *
pen_session_get_change_rows (PenSession *self)
{
  return self->change_rows;
}

void
pen_session_want_change_rows (PenSession *self, GArray *ids)
{
  PenQuestion *question;

  if (self->state != PEN_SESSION_READY)
    return;
  question = pen_question_new (NULL);
  question->ids = g_array_ref (ids);
  pen_session_ask (self, PEN_JOB_CHANGE_ROWS, pen_question_change_rows, question,
                   (GDestroyNotify) g_ptr_array_unref, on_change_rows);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

/* ---- occupants ---- */

static void
on_occupants (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  g_autoptr (PenOccupantTable) old = g_steal_pointer (&self->occupants);

  pen_session_set_error (self, PEN_JOB_OCCUPANTS, error);
  self->occupants = result;
  pen_session_notify (self, PEN_SESSION_PROP_OCCUPANTS);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

const PenOccupantTable *
pen_session_get_occupants (PenSession *self)
{
  return self->occupants;
}

/* ---- recording ---- */

static void
on_recording (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  g_autoptr (PenRecording) old = g_steal_pointer (&self->recording);

  pen_session_set_error (self, PEN_JOB_RECORDING, error);
  self->recording = result;
  pen_session_notify (self, PEN_SESSION_PROP_RECORDING);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

const PenRecording *
pen_session_get_recording (PenSession *self)
{
  return self->recording;
}

/* ---- all ---- */

void
pen_session_ask_pages (PenSession *self, guint32 stale)
{
  PenQuestion *question;

  if (stale & (1u << PEN_JOB_CHANGES)) {
    question = pen_question_new (self->filter);
    set_order (&question->change_order, &self->change_order);
    pen_session_ask (self, PEN_JOB_CHANGES, pen_question_changes, question,
                     (GDestroyNotify) pen_change_table_unref, on_changes);
  }
  if (stale & (1u << PEN_JOB_OCCUPANTS))
    pen_session_ask (self, PEN_JOB_OCCUPANTS, pen_question_occupants,
                     pen_question_new (self->filter), (GDestroyNotify) pen_occupant_table_unref,
                     on_occupants);
  if (stale & (1u << PEN_JOB_RECORDING))
    pen_session_ask (self, PEN_JOB_RECORDING, pen_question_recording, pen_question_new (NULL),
                     (GDestroyNotify) pen_recording_unref, on_recording);
}

void
pen_session_forget_pages (PenSession *self)
{
  self->deferred = 0;
  g_clear_pointer (&self->changes, pen_change_table_unref);
  g_clear_pointer (&self->change_rows, g_ptr_array_unref);
  g_clear_pointer (&self->occupants, pen_occupant_table_unref);
  g_clear_pointer (&self->recording, pen_recording_unref);
}
