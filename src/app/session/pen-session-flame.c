/* pen-session-flame.c: how the stacks of samples are looked at, and what is asked anew for it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include "pen-load-flame.h"

PenFlameState *
pen_session_dup_flame (PenSession *self)
{
  return pen_flame_state_copy (self->view.flame);
}

/* What the callers and callees are of: they are asked anew only if that is another. */
static gboolean
has_same_neighbours (const PenFlameState *a, const PenFlameState *b)
{
  g_autoptr (PenFlameState) first = pen_flame_state_copy (a);
  g_autoptr (PenFlameState) second = pen_flame_state_copy (b);

  return first->grouping == second->grouping && first->measure == second->measure
         && first->subject == second->subject && first->is_as_of == second->is_as_of
         && pen_flame_pair_equal (&first->pair, &second->pair);
}

/* Wherever one has zoomed to. */
static gboolean
has_same_stacks (const PenFlameState *a, const PenFlameState *b)
{
  g_autoptr (PenFlameState) first = pen_flame_state_copy (a);
  g_autoptr (PenFlameState) second = pen_flame_state_copy (b);

  pen_flame_state_set_zoom (first, NULL);
  pen_flame_state_set_zoom (second, NULL);
  second->sort = first->sort;
  return pen_flame_state_has_same_tree (first, second);
}

/* Where two stretches are compared, all is about samples. */
static gboolean
is_about_waits (const PenFlameState *state)
{
  return state && state->measure == PEN_STACK_OFF_CPU && !state->pair.is_set;
}

gboolean
pen_session_is_off_cpu (PenSession *self)
{
  return self->opened && self->opened->has_waits && is_about_waits (self->view.flame);
}

/* Also where none is shown now. */
static gboolean
has_same_chart (const PenFlameState *a, const PenFlameState *b)
{
  if (!pen_flame_state_shows_chart (b))
    return TRUE;
  return pen_flame_state_shows_chart (a) && a->grouping == b->grouping
         && a->chart_key == b->chart_key && is_about_waits (a) == is_about_waits (b);
}

void
pen_session_set_flame (PenSession *self, PenFlameState *flame)
{
  g_autoptr (PenFlameState) old = NULL;

  if (pen_flame_state_equal (self->view.flame, flame))
    return;
  old = self->view.flame;
  self->view.flame = pen_flame_state_ref (flame);
  if (!pen_flame_state_has_same_tree (old, flame))
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_FLAME);
  if (!has_same_stacks (old, flame))
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_MATCHES);
  if (!has_same_neighbours (old, flame))
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_NEIGHBOURS);
  if (flame && flame->is_heat && !(old && old->is_heat))
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_HEAT);
  if (is_about_waits (flame) != is_about_waits (old))
    pen_loader_make_stale (
        self->loader, 1u << PEN_JOB_OVERVIEW | 1u << PEN_JOB_MAP | 1u << PEN_JOB_FUNCTIONS
                          | 1u << PEN_JOB_HEAT | 1u << PEN_JOB_OCCUPANTS | 1u << PEN_JOB_HISTORY
                          | 1u << PEN_JOB_ANNOTATION | 1u << PEN_JOB_COUNT | 1u << PEN_JOB_CPUS
                          | 1u << PEN_JOB_PROCESSES | 1u << PEN_JOB_CAUSES);
  if (!has_same_chart (old, flame))
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_CHART);
  pen_session_notify (self, PROP_FLAME);
}

void
pen_session_set_flame_width (PenSession *self, guint pixels)
{
  pen_loader_set_flame_width (self->loader, pixels);
}

void
pen_session_set_flame_search (PenSession *self, const char *text)
{
  pen_loader_set_flame_search (self->loader, text);
}

void
pen_session_set_chart_width (PenSession *self, guint pixels)
{
  pen_loader_set_chart_width (self->loader, pixels);
}

void
pen_session_set_heat_columns (PenSession *self, guint n)
{
  pen_loader_set_heat_columns (self->loader, n);
}

void
pen_session_show_callers (PenSession *self, guint32 function)
{
  g_autoptr (PenFlameState) flame = pen_session_dup_flame (self);

  flame->subject = function;
  pen_session_set_flame (self, flame);
  pen_session_set_page (self, PEN_PAGE_CALLERS);
}

void
pen_session_compare_batch (PenSession *self, guint32 batch)
{
  g_autoptr (PenFlameState) flame = pen_session_dup_flame (self);

  pen_flame_state_compare_batch (flame, batch, flame->pair.rules);
  pen_session_set_flame (self, flame);
  pen_session_set_page (self, PEN_PAGE_CALLERS);
}

/* The selection in two at the second instant, or else as much time from there on as is selected. */
static gboolean
find_windows (PenSession *self, PenFlameWindow windows[2])
{
  const PenFilter *filter = self->view.filter;
  guint64 mark = self->view.mark, length;

  if (!filter->has_time || !self->view.has_mark || filter->to <= filter->from)
    return FALSE;
  length = filter->to - filter->from;
  if (mark > filter->from && mark < filter->to) {
    windows[0] = (PenFlameWindow){ filter->from, mark - 1 };
    windows[1] = (PenFlameWindow){ mark, filter->to };
  } else if (mark < filter->from) {
    windows[0] = (PenFlameWindow){ mark, MIN (mark + length, filter->from - 1) };
    windows[1] = (PenFlameWindow){ filter->from, filter->to };
  } else if (mark > filter->to) {
    windows[0] = (PenFlameWindow){ filter->from, filter->to };
    windows[1] = (PenFlameWindow){ mark, mark + MIN (length, G_MAXUINT64 - mark) };
  } else {
    return FALSE;
  }
  return TRUE;
}

gboolean
pen_session_can_compare_stretches (PenSession *self)
{
  PenFlameWindow windows[2];

  return find_windows (self, windows);
}

void
pen_session_find_two_times (PenSession *self, PenSpan times[2])
{
  const PenFilter *filter = self->view.filter;
  PenSpan whole = pen_session_get_span (self);
  guint64 middle = whole.from + pen_span_length (whole) / 2;
  PenFlameWindow windows[2];
  PenSpan selected;

  times[0] = (PenSpan){ whole.from, middle };
  times[1] = (PenSpan){ MIN (middle + 1, whole.to), whole.to };
  if (find_windows (self, windows)) {
    for (guint i = 0; i < 2; i++)
      times[i] = (PenSpan){ windows[i].from, windows[i].to };
    return;
  }
  selected = (PenSpan){ CLAMP (filter->from, whole.from, whole.to),
                        CLAMP (filter->to, whole.from, whole.to) };
  if (!filter->has_time || (selected.from == whole.from && selected.to == whole.to))
    return;
  times[0] = selected;
  if (whole.to - selected.to >= selected.from - whole.from)
    times[1] = (PenSpan){ selected.to + 1,
                          MIN (selected.to + 1 + pen_span_length (selected), whole.to) };
  else
    times[1] = (PenSpan){ selected.from
                              - MIN (1 + pen_span_length (selected), selected.from - whole.from),
                          selected.from - 1 };
}

void
pen_session_compare_stretches (PenSession *self)
{
  g_autoptr (PenFlameState) flame = NULL;
  PenFlameWindow windows[2];

  if (!find_windows (self, windows))
    return;
  flame = pen_session_dup_flame (self);
  pen_flame_state_compare (flame, windows);
  pen_session_set_flame (self, flame);
  pen_session_set_page (self, PEN_PAGE_CALLERS);
}
