/* pen-timeline-input.c: pointer, keys and actions of the overview
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>

#include "pen-timeline-private.h"

#define ZOOM_STEP 0.8
#define PAN_STEP 0.1
#define DRAG_THRESHOLD 4
#define HUGE_PAN 1e18

static void
zoom_at (PenTimeline *self, guint64 anchor, double factor)
{
  pen_session_set_visible (self->session,
                           pen_span_zoom (pen_session_get_visible (self->session), anchor, factor,
                                          pen_session_get_span (self->session)));
}

static void
pan (PenTimeline *self, double fraction)
{
  pen_session_set_visible (self->session,
                           pen_span_pan (pen_session_get_visible (self->session), fraction,
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
  pen_session_set_folded (self->session, pen_session_get_folded (self->session) ^ 1u << lane);
}

/* ---- actions ---- */

/* The playhead if it is in sight, else the middle: what keys zoom at. */
static guint64
get_anchor (PenTimeline *self)
{
  PenSpan visible = pen_session_get_visible (self->session);
  guint64 playhead = pen_session_get_playhead (self->session);

  if (playhead > visible.from && playhead < visible.to)
    return playhead;
  return visible.from + pen_span_length (visible) / 2;
}

static void
zoom_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTimeline *self = PEN_TIMELINE (widget);

  zoom_at (self, get_anchor (self),
           g_str_has_suffix (name, "in") ? ZOOM_STEP * ZOOM_STEP : 1 / (ZOOM_STEP * ZOOM_STEP));
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
  pan (PEN_TIMELINE (widget), g_str_has_suffix (name, "left") ? -PAN_STEP : PAN_STEP);
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
select_visible_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  PenSpan visible = pen_session_get_visible (self->session);

  pen_session_set_selected (self->session, &visible);
}

/* Folds the lane under the pointer, or else the programs: they take most room. */
static void
fold_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  PenPlot plot = pen_timeline_get_plot (self);
  PenLaneKind lane = PEN_LANES;

  if (self->hovered)
    lane = pen_lanes_find_lane (&self->lanes, (int) self->hover_y - plot.y);
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

  pen_session_set_shows_tasks (session, key, !pen_session_shows_tasks (session, key));
}

static void
ends_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTimeline *self = PEN_TIMELINE (widget);

  pan (self, g_str_has_suffix (name, "begin") ? -HUGE_PAN : HUGE_PAN);
}

static void
clear_selection_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_set_selected (PEN_TIMELINE (widget)->session, NULL);
}

void
pen_timeline_install_actions (GtkWidgetClass *widget_class)
{
  static const struct {
    const char *name;
    GtkWidgetActionActivateFunc activate;
    guint keys[3];
  } actions[] = {
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
    { "timeline.select-visible", select_visible_action, { GDK_KEY_Return } },
    { "timeline.clear-selection", clear_selection_action, { GDK_KEY_Escape } },
    { "timeline.fold", fold_action, { GDK_KEY_space } },
    { "timeline.toggle-cpus", tasks_action, { GDK_KEY_c } },
    { "timeline.toggle-processes", tasks_action, { GDK_KEY_p } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++) {
    gtk_widget_class_install_action (widget_class, actions[i].name, NULL, actions[i].activate);
    for (gsize k = 0; k < G_N_ELEMENTS (actions[i].keys) && actions[i].keys[k]; k++)
      gtk_widget_class_add_binding_action (widget_class, actions[i].keys[k], 0, actions[i].name,
                                           NULL);
  }
  gtk_widget_class_install_action (widget_class, "timeline.fold-lane", "s", fold_lane_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_plus, GDK_SHIFT_MASK,
                                       "timeline.zoom-in", NULL);
}

/* ---- pointer ---- */

/* The same is lit up in the other views. */
static void
tell_hover (PenTimeline *self)
{
  PenPlot plot = pen_timeline_get_plot (self);
  const PenOverview *overview = pen_session_get_overview (self->session);
  int x = (int) self->hover_x - plot.x;
  int y = (int) self->hover_y - plot.y;
  PenHover hover = { 0 };
  const PenPatchMark *mark;
  const PenBar *bar;

  if (!self->hovered || !pen_session_get_opened (self->session)
      || pen_plot_is_in_gutter (&plot, self->hover_x)) {
    pen_session_set_hover (self->session, NULL);
    return;
  }
  hover.has_time = TRUE;
  hover.time = pen_plot_get_time (&plot, self->hover_x);
  bar = pen_lanes_find_bar (&self->lanes, plot.view, x, y);
  mark = overview ? pen_lanes_find_mark (&self->lanes, overview, plot.view, x, y) : NULL;
  if (bar) {
    hover.has_address = TRUE;
    hover.address_from = bar->tenure.start;
    hover.address_to = bar->tenure.end;
  } else if (mark && mark->count == 1) {
    hover.has_address = TRUE;
    hover.address_from = mark->address;
    hover.address_to = mark->address + 1;
  }
  pen_session_set_hover (self->session, &hover);
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, PenTimeline *self)
{
  self->hovered = TRUE;
  self->hover_x = x;
  self->hover_y = y;
  tell_hover (self);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
}

static void
on_leave (GtkEventControllerMotion *motion, PenTimeline *self)
{
  self->hovered = FALSE;
  tell_hover (self);
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, PenTimeline *self)
{
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll));
  PenPlot plot = pen_timeline_get_plot (self);
  double x = CLAMP (self->hover_x, plot.x, plot.x + plot.width);

  /* A touchpad reports pixels, a wheel notches. */
  if (gtk_event_controller_scroll_get_unit (scroll) == GDK_SCROLL_UNIT_SURFACE) {
    dx /= 40;
    dy /= 40;
  }
  if (self->hovered && pen_plot_is_in_gutter (&plot, self->hover_x)
      && !(state & GDK_CONTROL_MASK)) {
    scroll_rows (self, dy > 0 ? 1 : -1);
    return TRUE;
  }
  if (state & GDK_SHIFT_MASK)
    pan (self, (dy + dx) * PAN_STEP);
  else if (fabs (dx) > fabs (dy))
    pan (self, dx * PAN_STEP);
  else
    zoom_at (self, pen_plot_get_time (&plot, x), pow (1 / ZOOM_STEP, dy));
  return TRUE;
}

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, PenTimeline *self)
{
  PenPlot plot = pen_timeline_get_plot (self);

  /* There are titles to be clicked, and a button. */
  if (pen_plot_is_in_gutter (&plot, x)) {
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->brush_x0 = CLAMP (x, plot.x, plot.x + plot.width);
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, PenTimeline *self)
{
  PenPlot plot = pen_timeline_get_plot (self);

  if (!self->brushing && fabs (dx) < DRAG_THRESHOLD)
    return;
  self->brushing = TRUE;
  self->brush_x1 = CLAMP (self->brush_x0 + dx, plot.x, plot.x + plot.width);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, PenTimeline *self)
{
  PenPlot plot = pen_timeline_get_plot (self);
  PenSpan span;

  if (!self->brushing) {
    pen_session_set_playhead (self->session, pen_plot_get_time (&plot, self->brush_x0));
    return;
  }
  self->brushing = FALSE;
  span.from = pen_plot_get_time (&plot, MIN (self->brush_x0, self->brush_x1));
  span.to = pen_plot_get_time (&plot, MAX (self->brush_x0, self->brush_x1));
  pen_session_set_selected (self->session, &span);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, PenTimeline *self)
{
  self->brushing = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_pan_begin (GtkGestureDrag *drag, double x, double y, PenTimeline *self)
{
  self->pan_x = 0;
}

static void
on_pan_update (GtkGestureDrag *drag, double dx, double dy, PenTimeline *self)
{
  PenPlot plot = pen_timeline_get_plot (self);

  pan (self, (self->pan_x - dx) / plot.width);
  self->pan_x = dx;
}

static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, PenTimeline *self)
{
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
    gtk_widget_activate_action (GTK_WIDGET (self), "timeline.zoom-selection", NULL);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "timeline.zoom-fit", NULL);
}

static void
on_zoom_begin (GtkGesture *zoom, GdkEventSequence *sequence, PenTimeline *self)
{
  self->pinched = pen_session_get_visible (self->session);
}

/* @scale is since the pinch began. */
static void
on_zoom_scale (GtkGestureZoom *zoom, double scale, PenTimeline *self)
{
  PenPlot plot = pen_timeline_get_plot (self);
  double x, y;

  if (!gtk_gesture_get_bounding_box_center (GTK_GESTURE (zoom), &x, &y) || !(scale > 0))
    return;
  plot.view = self->pinched;
  pen_session_set_visible (self->session,
                           pen_span_zoom (self->pinched, pen_plot_get_time (&plot, x), 1 / scale,
                                          pen_session_get_span (self->session)));
}

void
pen_timeline_add_controllers (PenTimeline *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *middle = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *zoom = gtk_gesture_zoom_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_drag_cancel), self);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (middle), GDK_BUTTON_MIDDLE);
  g_signal_connect (middle, "drag-begin", G_CALLBACK (on_pan_begin), self);
  g_signal_connect (middle, "drag-update", G_CALLBACK (on_pan_update), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect (zoom, "begin", G_CALLBACK (on_zoom_begin), self);
  g_signal_connect (zoom, "scale-changed", G_CALLBACK (on_zoom_scale), self);

  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (middle));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (zoom));
}
