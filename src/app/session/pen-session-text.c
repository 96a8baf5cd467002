/* pen-session-text.c: which text is shown: that of a function, or one without samples and changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include "pen-query-resolve.h"

void
pen_session_set_text (PenSession *self, guint32 function, guint64 address, guint64 time)
{
  if (function != PEN_SESSION_NO_FUNCTION)
    address = time = 0;
  if (self->has_function && self->function == function && self->text_address == address
      && self->text_time == time)
    return;
  self->has_function = TRUE;
  self->function = function;
  self->text_address = address;
  self->text_time = time;
  pen_session_set_line (self, NULL);
  pen_session_make_stale (self, 1u << PEN_JOB_ANNOTATION);
  pen_session_notify (self, PEN_SESSION_PROP_FUNCTION);
}

void
pen_session_set_function (PenSession *self, guint32 function)
{
  g_return_if_fail (function != PEN_SESSION_NO_FUNCTION);

  pen_session_set_text (self, function, 0, 0);
}

void
pen_session_show_text (PenSession *self, guint64 address, guint64 time)
{
  pen_session_set_text (self, PEN_SESSION_NO_FUNCTION, address, time);
}

/* ---- looking up ---- */

static void
on_looked_up (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  g_autofree PenTextTarget *target = result;

  pen_session_set_error (self, PEN_JOB_LOOK_UP, error);
  if (target && target->has_function)
    pen_session_set_function (self, target->function);
  else if (target)
    pen_session_show_text (self, target->address, self->playhead);
  if (target && target->is_line)
    pen_session_set_line (self, &target->address);
  if (target)
    pen_session_set_page (self, PEN_PAGE_CODE);
  else
    pen_session_notify (self, PEN_SESSION_PROP_FUNCTION);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

void
pen_session_look_up (PenSession *self, const char *text)
{
  PenQuestion *question;

  if (self->state != PEN_SESSION_READY)
    return;
  question = pen_question_new (NULL);
  question->path = g_strdup (text);
  question->moment = pen_moment (self->playhead, G_MAXUINT64);
  pen_session_ask (self, PEN_JOB_LOOK_UP, pen_question_look_up, question, g_free, on_looked_up);
}
