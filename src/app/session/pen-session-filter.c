/* pen-session-filter.c: changes of one part of a session's filter
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session.h"

void
pen_session_set_selected (PenSession *self, const PenSpan *span)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_view (self)->filter);

  filter->has_time = span != NULL;
  filter->from = span ? span->from : 0;
  filter->to = span ? span->to : 0;
  pen_session_set_filter (self, filter);
}

gboolean
pen_session_get_selected (PenSession *self, PenSpan *span)
{
  if (pen_session_get_view (self)->filter->has_time)
    *span = (PenSpan){ pen_session_get_view (self)->filter->from,
                       pen_session_get_view (self)->filter->to };
  return pen_session_get_view (self)->filter->has_time;
}

void
pen_session_set_changed_only (PenSession *self, gboolean changed)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_view (self)->filter);

  filter->changed = changed;
  pen_session_set_filter (self, filter);
}

void
pen_session_set_kinds (PenSession *self, guint32 kinds)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_view (self)->filter);

  filter->only.kinds = kinds;
  filter->none.kinds &= ~kinds;
  pen_session_set_filter (self, filter);
}

void
pen_session_toggle_left_out (PenSession *self, PenKind kind)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_view (self)->filter);

  filter->none.kinds ^= 1u << kind;
  filter->only.kinds &= ~(1u << kind);
  pen_session_set_filter (self, filter);
}

void
pen_session_add_term (PenSession *self, const PenFilterTerm *term)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_view (self)->filter);

  if (pen_filter_add_term (filter, term))
    pen_session_set_filter (self, filter);
}

void
pen_session_remove_term (PenSession *self, const PenFilterTerm *term)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_view (self)->filter);

  pen_filter_remove_term (filter, term);
  pen_session_set_filter (self, filter);
}

gboolean
pen_session_add_filter_text (PenSession *self, const char *text, GError **error)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_view (self)->filter);
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
