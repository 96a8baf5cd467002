/* pen-session-view.c: what of a capture is looked at, and what is to be asked anew for it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

static const PenJobKind task_jobs[] = {
  [PEN_TASKS_BY_CPU] = PEN_JOB_CPUS,
  [PEN_TASKS_BY_PROCESS] = PEN_JOB_PROCESSES,
};

void
pen_session_set_visible (PenSession *self, PenSpan visible)
{
  if (!self->opened)
    return;
  visible = pen_span_clamp (visible, self->opened->span);
  if (pen_span_equal (visible, self->view.visible))
    return;
  self->view.visible = visible;
  pen_session_judge_follows (self);
  pen_loader_make_stale (self->loader, PICTURE_JOBS | 1u << PEN_JOB_STRIPS);
  pen_session_notify (self, PROP_VISIBLE);
}

/* The heat map and stacks in time order have all times. */
static gboolean
differ_in_time_alone (const PenFilter *a, const PenFilter *b)
{
  g_autoptr (PenFilter) copy = pen_filter_copy (b);

  copy->has_time = a->has_time;
  copy->from = a->from;
  copy->to = a->to;
  return pen_filter_equal (a, copy);
}

void
pen_session_set_filter (PenSession *self, const PenFilter *filter)
{
  guint32 jobs = FILTERED_JOBS;

  g_return_if_fail (filter != NULL);

  if (pen_filter_equal (self->view.filter, filter))
    return;
  if (differ_in_time_alone (self->view.filter, filter))
    jobs &= ~(1u << PEN_JOB_HEAT | 1u << PEN_JOB_CHART);
  pen_filter_free (self->view.filter);
  self->view.filter = pen_filter_copy (filter);
  pen_loader_make_stale (self->loader, jobs);
  pen_session_notify (self, PROP_FILTER);
}

void
pen_session_set_page (PenSession *self, PenPage page)
{
  g_return_if_fail (page < PEN_PAGES);

  self->page_is_chosen = TRUE;
  if (self->view.page == page)
    return;
  self->view.page = page;
  pen_session_notify (self, PROP_PAGE);
  pen_loader_ask_deferred (self->loader);
}

void
pen_session_set_times (PenSession *self, PenTimes times)
{
  g_return_if_fail (times < PEN_TIMES);

  if (self->view.times == times)
    return;
  self->view.times = times;
  pen_session_notify (self, PROP_CLOCK);
}

void
pen_session_set_syntax (PenSession *self, PenSyntax syntax)
{
  pen_loader_set_syntax (self->loader, syntax);
}

/* The load follows the playhead into the time of another. */
static void
follow_load (PenSession *self)
{
  const PenStrips *strips = pen_session_get_answers (self)->annotation;
  const PenLoads *loads = strips ? strips->text->loads : NULL;
  const PenLoad *load = loads ? pen_loads_find (loads, self->view.playhead) : NULL;

  if (!load || strips->text->load == 0 || self->view.all_loads
      || load->tenure.id == strips->text->load || self->view.playhead < load->tenure.from.time
      || self->view.playhead >= load->tenure.to.time)
    return;
  self->view.load = 0;
  pen_loader_make_stale (self->loader, 1u << PEN_JOB_ANNOTATION);
}

void
pen_session_set_playhead (PenSession *self, guint64 time)
{
  PenSpan span = pen_session_get_span (self);

  time = CLAMP (time, span.from, span.to);
  if (time == self->view.playhead)
    return;
  self->view.playhead = time;
  if (self->view.has_mark)
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_INSTANTS);
  if (pen_flame_state_follows_playhead (self->view.flame))
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_NEIGHBOURS);
  follow_load (self);
  pen_session_notify (self, PROP_PLAYHEAD);
}

void
pen_session_set_mark (PenSession *self, const guint64 *time)
{
  PenSpan span = pen_session_get_span (self);
  PenViewState *view = &self->view;
  guint64 mark = time ? CLAMP (*time, span.from, span.to) : 0;

  if (time ? view->has_mark && view->mark == mark : !view->has_mark)
    return;
  view->has_mark = time != NULL;
  view->mark = mark;
  if (time) {
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_INSTANTS);
  } else {
    pen_loader_forget (self->loader, PEN_JOB_INSTANTS);
    pen_session_tell (self, PEN_JOB_INSTANTS);
  }
  pen_session_notify (self, PROP_MARK);
}

void
pen_session_set_mark_all (PenSession *self, gboolean all)
{
  if (self->view.mark_all == all)
    return;
  self->view.mark_all = all;
  pen_session_notify (self, PROP_MARK);
}

void
pen_session_set_compared (PenSession *self, PenCompared *compared)
{
  PenCompared *old = self->view.compared;

  if (!self->opened || pen_compared_equal (old, compared))
    return;
  self->view.compared = compared ? pen_compared_ref (compared) : NULL;
  g_clear_pointer (&old, pen_compared_unref);
  pen_session_notify (self, PROP_COMPARED);
}

void
pen_session_mark_pointed (PenSession *self)
{
  guint64 time = self->hover.has_time ? self->hover.time : self->view.playhead;

  if (self->opened)
    pen_session_set_mark (self, &time);
}

void
pen_session_set_search (PenSession *self, const char *search)
{
  g_autofree char *folded = g_utf8_casefold (search, -1);

  if (g_str_equal (folded, self->search))
    return;
  g_free (self->search);
  self->search = g_steal_pointer (&folded);
  pen_session_notify (self, PROP_SEARCH);
}

void
pen_session_set_text (PenSession *self, guint32 function, guint64 address, guint64 time)
{
  PenViewState *view = &self->view;

  if (view->has_function && view->function == function && view->text_address == address
      && view->text_time == time)
    return;
  view->has_function = TRUE;
  view->function = function;
  view->text_address = address;
  view->text_time = time;
  view->load = 0;
  view->all_loads = FALSE;
  /* First: the history of the line before stays while a text comes. */
  pen_loader_make_stale (self->loader, 1u << PEN_JOB_ANNOTATION);
  if (!view->flame || view->flame->subject == PEN_FLAME_NO_FUNCTION)
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_NEIGHBOURS);
  pen_session_set_line (self, NULL);
  self->wants_line = TRUE;
  pen_session_notify (self, PROP_FUNCTION);
}

void
pen_session_set_load (PenSession *self, guint32 load, gboolean all)
{
  PenViewState *view = &self->view;

  if (view->load == load && view->all_loads == all)
    return;
  view->load = load;
  view->all_loads = all;
  pen_loader_make_stale (self->loader, 1u << PEN_JOB_ANNOTATION);
  pen_session_notify (self, PROP_FUNCTION);
}

void
pen_session_set_function (PenSession *self, guint32 function)
{
  g_return_if_fail (function != PEN_NO_FUNCTION);

  pen_session_set_text (self, function, 0, 0);
}

void
pen_session_show_text (PenSession *self, guint64 address, guint64 time)
{
  pen_session_set_text (self, PEN_NO_FUNCTION, address, time);
}

void
pen_session_set_line (PenSession *self, const guint64 *address)
{
  PenViewState *view = &self->view;

  if (address ? view->has_line && view->line == *address : !view->has_line)
    return;
  view->has_line = address != NULL;
  view->line = address ? *address : 0;
  if (address) {
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_HISTORY);
  } else {
    pen_loader_forget (self->loader, PEN_JOB_HISTORY);
    pen_session_tell (self, PEN_JOB_HISTORY);
  }
  pen_session_notify (self, PROP_LINE);
}

void
pen_session_set_overview_bins (PenSession *self, guint n_bins)
{
  pen_loader_set_overview_bins (self->loader, n_bins);
}

void
pen_session_set_folded (PenSession *self, guint32 folded)
{
  if (self->view.folded == folded)
    return;
  self->view.folded = folded;
  pen_session_notify (self, PROP_LANES);
}

void
pen_session_set_shows_tasks (PenSession *self, PenTaskKey key, gboolean shows)
{
  if (self->view.shows_tasks[key] == shows)
    return;
  self->view.shows_tasks[key] = shows;
  if (shows)
    pen_loader_make_stale (self->loader, 1u << task_jobs[key]);
  else
    pen_loader_forget (self->loader, task_jobs[key]);
  pen_session_notify (self, PROP_LANES);
}

void
pen_session_set_map_cells (PenSession *self, guint n_columns, const guint64 *edges, guint n_rows)
{
  pen_loader_set_map_cells (self->loader, n_columns, edges, n_rows);
}

void
pen_session_set_axis_view (PenSession *self, PenAxisView view)
{
  const PenAxisView *old = &self->view.axis_view;

  view.from = CLAMP (view.from, 0, 1);
  view.to = CLAMP (view.to, 0, 1);
  if (!(view.to > view.from) || (view.from == old->from && view.to == old->to))
    return;
  self->view.axis_view = view;
  self->has_addresses = FALSE;
  pen_session_notify (self, PROP_AXIS_VIEW);
}

/* Around a place in the text map, of addresses that are few. */
#define MARGIN_LEAST 512

void
pen_session_show_addresses (PenSession *self, guint64 from, guint64 to)
{
  const PenAddressAxis *axis = pen_session_get_answers (self)->axis;
  guint64 margin = MAX ((to - from) / 2, MARGIN_LEAST);

  from -= MIN (margin, from);
  to += MIN (margin, G_MAXUINT64 - to);
  if (axis) {
    PenAxisView view
        = { pen_address_axis_get_position (axis, from), pen_address_axis_get_position (axis, to) };

    pen_session_set_axis_view (self, view);
  } else {
    /* There is one once the map has been shown. */
    self->has_addresses = TRUE;
    self->address_from = from;
    self->address_to = to;
  }
  pen_session_set_page (self, PEN_PAGE_MAP);
}

void
pen_session_set_hover (PenSession *self, const PenHover *hover)
{
  static const PenHover nothing = { 0 };

  if (!hover)
    hover = &nothing;
  if (pen_hover_equal (hover, &self->hover))
    return;
  self->hover = *hover;
  pen_session_notify (self, PROP_HOVER);
}

void
pen_session_set_cause_order (PenSession *self, const PenCauseOrder *order)
{
  pen_loader_set_cause_order (self->loader, order);
}

void
pen_session_set_changes_of (PenSession *self, const PenCauseTable *causes, guint row)
{
  pen_loader_set_changes_of (self->loader, causes, row);
}

void
pen_session_set_change_order (PenSession *self, const PenChangeOrder *order)
{
  pen_loader_set_change_order (self->loader, order);
}

void
pen_session_want_change_rows (PenSession *self, GArray *ids)
{
  pen_loader_ask_change_rows (self->loader, ids);
}

void
pen_session_take_change (PenSession *self)
{
  self->has_change = FALSE;
}

void
pen_session_want_choices (PenSession *self)
{
  if (!pen_session_get_answers (self)->choices && !pen_session_is_busy (self, PEN_JOB_CHOICES))
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_CHOICES);
}
