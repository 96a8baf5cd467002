/* pen-window-help.c: which page of the help is about what the window shows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

gboolean
pen_window_has_focus_in (PenWindow *self, gpointer widget)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  return focus && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

static const char *
get_callers_topic (PenWindow *self)
{
  const PenFlameState *flame = pen_session_get_view (self->session)->flame;

  if (flame && flame->is_chart)
    return "stacks-in-time";
  return flame && flame->is_heat ? "heat-map" : "callers";
}

static const char *
get_code_topic (PenWindow *self)
{
  if (pen_pair_session_get_state (self->pair) != PEN_PAIR_CLOSED)
    return "comparison";
  if (pen_window_has_focus_in (self, self->functions))
    return "functions";
  if (pen_window_has_focus_in (self, self->history))
    return "history";
  return pen_session_get_view (self->session)->has_mark ? "instants" : "annotation";
}

const char *
pen_window_get_help_topic (PenWindow *self)
{
  static const char *const topics[PEN_PAGES] = {
    [PEN_PAGE_MAP] = "text-map",
    [PEN_PAGE_CAUSES] = "causes",
    [PEN_PAGE_OCCUPANTS] = "occupants",
    [PEN_PAGE_RECORDING] = "recording",
  };
  static const char *const states[] = {
    [PEN_SESSION_EMPTY] = "index",
    [PEN_SESSION_IMPORTING] = "open",
    [PEN_SESSION_READY] = "layout",
    [PEN_SESSION_FAILED] = "errors",
  };
  PenPage page = pen_session_get_view (self->session)->page;

  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "main") != 0)
    return states[pen_session_get_state (self->session)];
  if (pen_window_has_focus_in (self, self->timeline))
    return "overview";
  if (page == PEN_PAGE_CODE)
    return get_code_topic (self);
  if (page == PEN_PAGE_CALLERS)
    return get_callers_topic (self);
  if (page == PEN_PAGE_CAUSES && pen_window_has_focus_in (self, self->changes))
    return "changes";
  return topics[page];
}
