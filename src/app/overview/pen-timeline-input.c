/* pen-timeline-input.c: pointer, keys and actions of the overview
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>

#include "pen-timeline-private.h"

static void
zoom_at (PenTimeline *self, guint64 anchor, double factor)
{
  pen_session_set_visible (self->session,
                           pen_span_zoom (pen_session_get_view (self->session)->visible, anchor,
                                          factor, pen_session_get_span (self->session)));
}

static void
pan (PenTimeline *self, double fraction)
{
  pen_session_set_visible (self->session,
                           pen_span_pan (pen_session_get_view (self->session)->visible, fraction,
                                         pen_session_get_span (self->session)));
}

static void
scroll_rows (PenTimeline *self, int rows)
{
  self->first_row = (guint) MAX ((int) self->first_row + rows, 0);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
fold (PenTimeline *self, PenLaneKind lane)
{
  pen_session_set_folded (self->session, pen_session_get_view (self->session)->folded ^ 1u << lane);
}

/* ---- actions ---- */

/* The playhead if it is in sight, else the middle: what keys zoom at. */
static guint64
get_anchor (PenTimeline *self)
{
  PenSpan visible = pen_session_get_view (self->session)->visible;
  guint64 playhead = pen_session_get_view (self->session)->playhead;

  if (playhead > visible.from && playhead < visible.to)
    return playhead;
  return visible.from + pen_span_length (visible) / 2;
}

static void
zoom_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTimeline *self = PEN_TIMELINE (widget);

  zoom_at (self, get_anchor (self), pen_plot_input_get_key_factor (g_str_has_suffix (name, "in")));
}

static void
zoom_fit_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTimeline *self = PEN_TIMELINE (widget);

  pen_session_set_visible (self->session, pen_session_get_span (self->session));
}

static void
zoom_selection_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  PenSpan selected;

  if (pen_session_get_selected (self->session, &selected))
    pen_session_set_visible (self->session, selected);
}

static void
pan_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pan (PEN_TIMELINE (widget),
       g_str_has_suffix (name, "left") ? -PEN_PLOT_PAN_STEP : PEN_PLOT_PAN_STEP);
}

static void
rows_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  scroll_rows (PEN_TIMELINE (widget), g_str_has_suffix (name, "up") ? -1 : 1);
}

static void
change_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_step_change (PEN_TIMELINE (widget)->session,
                           g_str_has_prefix (name, "timeline.next") ? 1 : -1);
}

static void
note_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_step_note (PEN_TIMELINE (widget)->session,
                         g_str_has_prefix (name, "timeline.next") ? 1 : -1);
}

static void
add_note_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_plot_input_add_note (widget, pen_session_get_view (PEN_TIMELINE (widget)->session)->playhead);
}

static void
select_visible_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  PenSpan visible = pen_session_get_view (self->session)->visible;

  pen_session_set_selected (self->session, &visible);
}

/* Folds the lane under the pointer, or else the programs: they take most room. */
static void
fold_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  PenPlot plot = pen_timeline_get_plot (self);
  PenLaneKind lane = PEN_LANES;

  if (self->input.hovered)
    lane = pen_lanes_find_lane (&self->lanes, (int) self->input.y - plot.y);
  fold (self, lane < PEN_LANES ? lane : PEN_LANE_PROGRAMS);
}

static void
fold_lane_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenLaneKind lane;

  if (pen_lane_from_string (g_variant_get_string (parameter, NULL), &lane))
    fold (PEN_TIMELINE (widget), lane);
}

static void
tasks_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenSession *session = PEN_TIMELINE (widget)->session;
  PenTaskKey key = g_str_has_suffix (name, "cpus") ? PEN_TASKS_BY_CPU : PEN_TASKS_BY_PROCESS;

  pen_session_set_shows_tasks (session, key, !pen_session_get_view (session)->shows_tasks[key]);
}

static void
ends_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTimeline *self = PEN_TIMELINE (widget);

  pan (self, g_str_has_suffix (name, "begin") ? -PEN_PLOT_PAN_ALL : PEN_PLOT_PAN_ALL);
}

static void
clear_selection_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_set_selected (PEN_TIMELINE (widget)->session, NULL);
}

void
pen_timeline_install_actions (GtkWidgetClass *widget_class)
{
  static const PenPlotAction actions[] = {
    { "timeline.zoom-in", zoom_action, { GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_w } },
    { "timeline.zoom-out", zoom_action, { GDK_KEY_minus, GDK_KEY_s } },
    { "timeline.zoom-fit", zoom_fit_action, { GDK_KEY_0 } },
    { "timeline.zoom-selection", zoom_selection_action, { GDK_KEY_f, GDK_KEY_z } },
    { "timeline.pan-begin", ends_action, { GDK_KEY_Home } },
    { "timeline.pan-end", ends_action, { GDK_KEY_End } },
    { "timeline.pan-left", pan_action, { GDK_KEY_Left, GDK_KEY_a } },
    { "timeline.pan-right", pan_action, { GDK_KEY_Right, GDK_KEY_d } },
    { "timeline.rows-up", rows_action, { GDK_KEY_Up } },
    { "timeline.rows-down", rows_action, { GDK_KEY_Down } },
    { "timeline.previous-change", change_action, { GDK_KEY_comma } },
    { "timeline.next-change", change_action, { GDK_KEY_period } },
    { "timeline.previous-note", note_action, { GDK_KEY_less } },
    { "timeline.next-note", note_action, { GDK_KEY_greater } },
    { "timeline.add-note", add_note_action, { GDK_KEY_n } },
    { "timeline.select-visible", select_visible_action, { GDK_KEY_Return } },
    { "timeline.clear-selection", clear_selection_action, { GDK_KEY_Escape } },
    { "timeline.fold", fold_action, { GDK_KEY_space } },
    { "timeline.toggle-cpus", tasks_action, { GDK_KEY_c } },
    { "timeline.toggle-processes", tasks_action, { GDK_KEY_p } },
  };

  pen_plot_input_install_actions (widget_class, actions, G_N_ELEMENTS (actions));
  gtk_widget_class_install_action (widget_class, "timeline.fold-lane", "s", fold_lane_action);
}

/* ---- pointer ---- */

/* The same is lit up in the other views. */
static void
tell_hover (PenTimeline *self)
{
  PenPlot plot = pen_timeline_get_plot (self);
  const PenOverview *overview = pen_session_get_answers (self->session)->overview;
  int x = (int) self->input.x - plot.x;
  int y = (int) self->input.y - plot.y;
  PenHover hover = { 0 };
  const PenPatchMark *mark;
  const PenBar *bar;

  if (!self->input.hovered || !pen_session_get_opened (self->session)
      || pen_plot_is_in_gutter (&plot, self->input.x)) {
    pen_session_set_hover (self->session, NULL);
    return;
  }
  hover.has_time = TRUE;
  hover.time = pen_plot_get_time (&plot, self->input.x);
  bar = pen_lanes_find_bar (&self->lanes, plot.view, x, y);
  mark = overview ? pen_lanes_find_mark (&self->lanes, overview, plot.view, x, y) : NULL;
  if (bar) {
    hover.has_address = TRUE;
    hover.address_from = bar->tenure.start;
    hover.address_to = bar->tenure.end;
  } else if (mark) {
    hover.batch = mark->batch;
    hover.has_address = mark->count == 1;
    hover.address_from = hover.has_address ? mark->address : 0;
    hover.address_to = hover.has_address ? mark->address + 1 : 0;
  }
  pen_session_set_hover (self->session, &hover);
}

static void
on_hover (GtkWidget *widget)
{
  tell_hover (PEN_TIMELINE (widget));
}

static void
on_scroll (GtkWidget *widget, double dx, double dy, GdkModifierType state)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  PenPlot plot = pen_timeline_get_plot (self);
  double x = CLAMP (self->input.x, plot.x, plot.x + plot.width);

  if (self->input.hovered && pen_plot_is_in_gutter (&plot, self->input.x)
      && !(state & GDK_CONTROL_MASK)) {
    scroll_rows (self, dy > 0 ? 1 : -1);
    return;
  }
  if (state & GDK_SHIFT_MASK)
    pan (self, (dy + dx) * PEN_PLOT_PAN_STEP);
  else if (fabs (dx) > fabs (dy))
    pan (self, dx * PEN_PLOT_PAN_STEP);
  else
    zoom_at (self, pen_plot_get_time (&plot, x), pow (1 / PEN_PLOT_ZOOM_STEP, dy));
}

/* In the gutter there are titles to be clicked, and a button. */
static gboolean
on_drag_begin (GtkWidget *widget, double x, double y)
{
  PenPlot plot = pen_timeline_get_plot (PEN_TIMELINE (widget));

  return !pen_plot_is_in_gutter (&plot, x);
}

static void
on_drag (GtkWidget *widget, double x0, double y0, double x1, double y1)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  PenPlot plot = pen_timeline_get_plot (self);

  self->brushing = TRUE;
  self->brush_x0 = CLAMP (x0, plot.x, plot.x + plot.width);
  self->brush_x1 = CLAMP (x1, plot.x, plot.x + plot.width);
}

static void
on_drag_end (GtkWidget *widget, gboolean dragged, double x0, double y0)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  PenPlot plot = pen_timeline_get_plot (self);
  PenSpan span;

  self->brushing = FALSE;
  if (!dragged) {
    const PenNoteRow *note
        = pen_note_flags_find (pen_session_get_answers (self->session)->notes, &plot, x0, y0);

    if (note) {
      pen_session_show_note (self->session, note);
      return;
    }
    pen_session_set_playhead (self->session, pen_plot_get_time (&plot, x0));
    return;
  }
  span.from = pen_plot_get_time (&plot, MIN (self->brush_x0, self->brush_x1));
  span.to = pen_plot_get_time (&plot, MAX (self->brush_x0, self->brush_x1));
  pen_session_set_selected (self->session, &span);
}

static void
on_drag_cancel (GtkWidget *widget)
{
  PEN_TIMELINE (widget)->brushing = FALSE;
}

static void
on_pan (GtkWidget *widget, double dx, double dy)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  PenPlot plot = pen_timeline_get_plot (self);

  pan (self, -dx / plot.width);
}

static void
on_press (GtkWidget *widget, int n_press, double x, double y)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  PenPlot plot = pen_timeline_get_plot (self);
  guint64 time = pen_plot_get_time (&plot, x);
  PenSpan selected;

  if (pen_plot_is_in_gutter (&plot, x)) {
    PenLaneKind lane = pen_lanes_find_lane (&self->lanes, (int) y - plot.y);

    if (n_press == 1 && lane < PEN_LANES)
      fold (self, lane);
    return;
  }
  if (n_press != 2)
    return;
  /* The ruler stands for all of it. */
  if (y >= plot.y && pen_session_get_selected (self->session, &selected) && time >= selected.from
      && time <= selected.to)
    gtk_widget_activate_action (widget, "timeline.zoom-selection", NULL);
  else
    gtk_widget_activate_action (widget, "timeline.zoom-fit", NULL);
}

static void
on_pinch_begin (GtkWidget *widget)
{
  PenTimeline *self = PEN_TIMELINE (widget);

  self->pinched = pen_session_get_view (self->session)->visible;
}

static void
on_pinch (GtkWidget *widget, double x, double y, double scale)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  PenPlot plot = pen_timeline_get_plot (self);

  plot.view = self->pinched;
  pen_session_set_visible (self->session,
                           pen_span_zoom (self->pinched, pen_plot_get_time (&plot, x), 1 / scale,
                                          pen_session_get_span (self->session)));
}

const PenPlotInputFuncs pen_timeline_input_funcs = {
  .hover = on_hover,
  .scroll = on_scroll,
  .drag_begin = on_drag_begin,
  .drag = on_drag,
  .drag_end = on_drag_end,
  .drag_cancel = on_drag_cancel,
  .pan = on_pan,
  .press = on_press,
  .pinch_begin = on_pinch_begin,
  .pinch = on_pinch,
};
