/* pen-text-map-input.c: pointer, keys and actions of the text map
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>
#include <string.h>

#include "pen-text-map-private.h"

#define ZOOM_STEP 0.8
#define PAN_STEP 0.1
#define DRAG_THRESHOLD 4

/* @x, @y: of the widget */
static void
zoom_time (PenTextMap *self, double x, double factor)
{
  PenPlot plot;
  PenMap map;

  if (!pen_text_map_get_map (self, &map, &plot))
    return;
  pen_session_set_visible (self->session,
                           pen_span_zoom (plot.view, pen_plot_get_time (&plot, x), factor,
                                          pen_session_get_span (self->session)));
}

static double
get_position (const PenMap *map, const PenPlot *plot, double y)
{
  double share = CLAMP ((y - plot->y) / MAX (plot->height, 1), 0, 1);

  return map->axis_view.from + share * (map->axis_view.to - map->axis_view.from);
}

static void
zoom_addresses (PenTextMap *self, double y, double factor)
{
  PenPlot plot;
  PenMap map;

  if (!pen_text_map_get_map (self, &map, &plot))
    return;
  pen_text_map_set_view (
      self, pen_address_axis_zoom (self->axis, self->view, get_position (&map, &plot, y), factor));
}

static void
pan (PenTextMap *self, double time, double addresses)
{
  if (time != 0)
    pen_session_set_visible (self->session,
                             pen_span_pan (pen_session_get_visible (self->session), time,
                                           pen_session_get_span (self->session)));
  if (addresses != 0)
    pen_text_map_set_view (self, pen_axis_view_pan (self->view, addresses));
}

/* ---- what is at the pointer, or else at the playhead ---- */

static void
get_focus (PenTextMap *self, const PenPlot *plot, double *x, double *y)
{
  guint64 playhead = pen_session_get_playhead (self->session);

  if (self->hovered) {
    *x = self->hover_x;
    *y = self->hover_y;
    return;
  }
  *x = CLAMP (pen_plot_get_x (plot, playhead), plot->x, plot->x + plot->width);
  *y = plot->y + plot->height / 2.0;
}

/* The line that was patched there; else the function. */
static gboolean
open_at (PenTextMap *self, double x, double y)
{
  const PenMapMark *mark;
  const PenMapName *name;
  PenPlot plot;
  PenMap map;

  if (!pen_text_map_get_map (self, &map, &plot))
    return FALSE;
  mark = pen_map_find_mark (&map, (int) x - plot.x, (int) y - plot.y);
  name = pen_map_find_name (&map, (int) y - plot.y);
  if (mark && mark->function != G_MAXUINT32) {
    guint64 address = mark->address;

    pen_session_set_playhead (self->session, mark->first);
    pen_session_set_function (self->session, mark->function);
    pen_session_set_line (self->session, &address);
  } else if (name) {
    pen_session_set_function (self->session, name->function);
  } else {
    return FALSE;
  }
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-code", NULL);
  return TRUE;
}

static gboolean
leave_only (PenTextMap *self, double x, double y)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_filter (self->session));
  const PenBar *bar;
  PenPlot plot;
  PenMap map;

  if (!pen_text_map_get_map (self, &map, &plot))
    return FALSE;
  bar = pen_map_find_bar (&map, (int) x - plot.x, (int) y - plot.y);
  if (!bar)
    return FALSE;
  g_clear_pointer (&filter->only.occupants, g_ptr_array_unref);
  filter->only.occupants = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (filter->only.occupants, g_strdup (bar->tenure.occupant));
  pen_session_set_filter (self->session, filter);
  return TRUE;
}

/* ---- actions ---- */

static void
zoom_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  double factor = g_str_has_suffix (name, "in") || g_str_has_suffix (name, "expand")
                      ? ZOOM_STEP * ZOOM_STEP
                      : 1 / (ZOOM_STEP * ZOOM_STEP);
  PenPlot plot;
  PenMap map;
  double x, y;

  if (!pen_text_map_get_map (self, &map, &plot))
    return;
  get_focus (self, &plot, &x, &y);
  if (strstr (name, "zoom"))
    zoom_time (self, x, factor);
  zoom_addresses (self, y, factor);
}

static void
zoom_fit_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);

  pen_session_set_visible (self->session, pen_session_get_span (self->session));
  pen_text_map_set_view (self, (PenAxisView){ 0, 1 });
}

static void
zoom_selection_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  const PenFilter *filter = pen_session_get_filter (self->session);
  PenSpan selected;

  if (pen_session_get_selected (self->session, &selected))
    pen_session_set_visible (self->session, selected);
  if (filter->has_address && self->axis) {
    PenAxisView view = { pen_address_axis_get_position (self->axis, filter->address_from),
                         pen_address_axis_get_position (self->axis, filter->address_to) };

    if (view.to > view.from)
      pen_text_map_set_view (self, view);
  }
}

static void
pan_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  double time = g_str_has_suffix (name, "left")    ? -PAN_STEP
                : g_str_has_suffix (name, "right") ? PAN_STEP
                                                   : 0;
  double addresses = g_str_has_suffix (name, "up")     ? -PAN_STEP
                     : g_str_has_suffix (name, "down") ? PAN_STEP
                                                       : 0;

  pan (PEN_TEXT_MAP (widget), time, addresses);
}

static void
change_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_step_change (PEN_TEXT_MAP (widget)->session,
                           g_str_has_prefix (name, "textmap.next") ? 1 : -1);
}

static void
pick_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  PenPlot plot;
  PenMap map;
  double x, y;

  if (!pen_text_map_get_map (self, &map, &plot))
    return;
  get_focus (self, &plot, &x, &y);
  if (g_str_has_suffix (name, "open"))
    open_at (self, x, y);
  else
    leave_only (self, x, y);
}

static void
clear_selection_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_filter (self->session));

  filter->has_time = filter->has_address = FALSE;
  filter->from = filter->to = filter->address_from = filter->address_to = 0;
  pen_session_set_filter (self->session, filter);
}

void
pen_text_map_install_actions (GtkWidgetClass *widget_class)
{
  static const struct {
    const char *name;
    GtkWidgetActionActivateFunc activate;
    guint keys[3];
  } actions[] = {
    { "textmap.zoom-in", zoom_action, { GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_w } },
    { "textmap.zoom-out", zoom_action, { GDK_KEY_minus, GDK_KEY_s } },
    { "textmap.expand", zoom_action, { GDK_KEY_bracketright } },
    { "textmap.contract", zoom_action, { GDK_KEY_bracketleft } },
    { "textmap.zoom-fit", zoom_fit_action, { GDK_KEY_0, GDK_KEY_Home } },
    { "textmap.zoom-selection", zoom_selection_action, { GDK_KEY_f, GDK_KEY_z } },
    { "textmap.pan-left", pan_action, { GDK_KEY_Left, GDK_KEY_a } },
    { "textmap.pan-right", pan_action, { GDK_KEY_Right, GDK_KEY_d } },
    { "textmap.pan-up", pan_action, { GDK_KEY_Up } },
    { "textmap.pan-down", pan_action, { GDK_KEY_Down } },
    { "textmap.previous-change", change_action, { GDK_KEY_comma } },
    { "textmap.next-change", change_action, { GDK_KEY_period } },
    { "textmap.open", pick_action, { GDK_KEY_Return } },
    { "textmap.only-this", pick_action, { GDK_KEY_o } },
    { "textmap.clear-selection", clear_selection_action, { GDK_KEY_Escape } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++) {
    gtk_widget_class_install_action (widget_class, actions[i].name, NULL, actions[i].activate);
    for (gsize k = 0; k < G_N_ELEMENTS (actions[i].keys) && actions[i].keys[k]; k++)
      gtk_widget_class_add_binding_action (widget_class, actions[i].keys[k], 0, actions[i].name,
                                           NULL);
  }
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_plus, GDK_SHIFT_MASK,
                                       "textmap.zoom-in", NULL);
}

/* ---- pointer ---- */

static void
tell_hover (PenTextMap *self)
{
  PenHover hover = { 0 };
  const PenMapName *name;
  const PenBar *bar;
  PenPlot plot;
  PenMap map;
  int x, y;

  if (!self->hovered || !pen_text_map_get_map (self, &map, &plot)
      || pen_plot_is_in_gutter (&plot, self->hover_x) || self->hover_y < plot.y) {
    pen_session_set_hover (self->session, NULL);
    return;
  }
  x = (int) self->hover_x - plot.x;
  y = (int) self->hover_y - plot.y;
  name = pen_map_find_name (&map, y);
  bar = pen_map_find_bar (&map, x, y);
  hover.has_time = TRUE;
  hover.time = pen_plot_get_time (&plot, self->hover_x);
  hover.has_address = TRUE;
  hover.address_from = name ? name->start : bar ? bar->tenure.start : pen_map_get_address (&map, y);
  hover.address_to = name  ? name->end
                     : bar ? bar->tenure.end
                           : MAX (pen_map_get_address (&map, y + 1), hover.address_from + 1);
  pen_session_set_hover (self->session, &hover);
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, PenTextMap *self)
{
  self->hovered = TRUE;
  self->hover_x = x;
  self->hover_y = y;
  tell_hover (self);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
}

static void
on_leave (GtkEventControllerMotion *motion, PenTextMap *self)
{
  self->hovered = FALSE;
  tell_hover (self);
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, PenTextMap *self)
{
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll));
  double factor;

  /* A touchpad reports pixels, a wheel notches. */
  if (gtk_event_controller_scroll_get_unit (scroll) == GDK_SCROLL_UNIT_SURFACE) {
    dx /= 40;
    dy /= 40;
  }
  factor = pow (1 / ZOOM_STEP, dy);
  if (state & GDK_SHIFT_MASK)
    pan (self, (dy + dx) * PAN_STEP, 0);
  else if (fabs (dx) > fabs (dy))
    pan (self, dx * PAN_STEP, 0);
  else if (state & GDK_CONTROL_MASK)
    zoom_addresses (self, self->hover_y, factor);
  else if (state & GDK_ALT_MASK)
    zoom_time (self, self->hover_x, factor);
  else {
    zoom_addresses (self, self->hover_y, factor);
    zoom_time (self, self->hover_x, factor);
  }
  return TRUE;
}

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, PenTextMap *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->brush_x0 = x;
  self->brush_y0 = y;
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, PenTextMap *self)
{
  PenPlot plot;
  PenMap map;

  if ((!self->brushing && fabs (dx) < DRAG_THRESHOLD && fabs (dy) < DRAG_THRESHOLD)
      || !pen_text_map_get_map (self, &map, &plot))
    return;
  self->brushing = TRUE;
  self->brush_x0 = CLAMP (self->brush_x0, plot.x, plot.x + plot.width);
  self->brush_y0 = CLAMP (self->brush_y0, plot.y, plot.y + plot.height);
  self->brush_x1 = CLAMP (self->brush_x0 + dx, plot.x, plot.x + plot.width);
  self->brush_y1 = CLAMP (self->brush_y0 + dy, plot.y, plot.y + plot.height);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* A drag that is only broad is of time, one that is only high of addresses. */
static void
select_brushed (PenTextMap *self, const PenMap *map, const PenPlot *plot)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_filter (self->session));

  if (fabs (self->brush_x1 - self->brush_x0) >= DRAG_THRESHOLD) {
    filter->has_time = TRUE;
    filter->from = pen_plot_get_time (plot, MIN (self->brush_x0, self->brush_x1));
    filter->to = pen_plot_get_time (plot, MAX (self->brush_x0, self->brush_x1));
  }
  if (fabs (self->brush_y1 - self->brush_y0) >= DRAG_THRESHOLD) {
    guint64 end = pen_map_get_address (map, MAX (self->brush_y0, self->brush_y1) - plot->y);

    filter->has_address = TRUE;
    filter->address_from
        = pen_map_get_address (map, MIN (self->brush_y0, self->brush_y1) - plot->y);
    filter->address_to = MAX (end, filter->address_from + 1) - 1;
  }
  pen_session_set_filter (self->session, filter);
}

static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, PenTextMap *self)
{
  PenPlot plot;
  PenMap map;

  if (!pen_text_map_get_map (self, &map, &plot))
    return;
  if (self->brushing) {
    self->brushing = FALSE;
    select_brushed (self, &map, &plot);
    gtk_widget_queue_draw (GTK_WIDGET (self));
    return;
  }
  if (pen_map_find_mark (&map, (int) self->brush_x0 - plot.x, (int) self->brush_y0 - plot.y))
    open_at (self, self->brush_x0, self->brush_y0);
  else if (!pen_plot_is_in_gutter (&plot, self->brush_x0))
    pen_session_set_playhead (self->session, pen_plot_get_time (&plot, self->brush_x0));
  else
    open_at (self, self->brush_x0, self->brush_y0);
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, PenTextMap *self)
{
  self->brushing = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_pan_begin (GtkGestureDrag *drag, double x, double y, PenTextMap *self)
{
  self->pan_x = 0;
  self->pan_y = 0;
}

static void
on_pan_update (GtkGestureDrag *drag, double dx, double dy, PenTextMap *self)
{
  PenPlot plot;
  PenMap map;

  if (!pen_text_map_get_map (self, &map, &plot))
    return;
  pan (self, (self->pan_x - dx) / plot.width, (self->pan_y - dy) / plot.height);
  self->pan_x = dx;
  self->pan_y = dy;
}

static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, PenTextMap *self)
{
  PenPlot plot;
  PenMap map;

  if (n_press != 2 || !pen_text_map_get_map (self, &map, &plot))
    return;
  if (y < plot.y || pen_plot_is_in_gutter (&plot, x) || !leave_only (self, x, y))
    gtk_widget_activate_action (GTK_WIDGET (self), "textmap.zoom-fit", NULL);
}

static void
on_zoom_begin (GtkGesture *zoom, GdkEventSequence *sequence, PenTextMap *self)
{
  self->pinched_span = pen_session_get_visible (self->session);
  self->pinched_view = self->view;
}

/* @scale is since the pinch began. */
static void
on_zoom_scale (GtkGestureZoom *zoom, double scale, PenTextMap *self)
{
  PenPlot plot;
  PenMap map;
  double x, y;

  if (!pen_text_map_get_map (self, &map, &plot)
      || !gtk_gesture_get_bounding_box_center (GTK_GESTURE (zoom), &x, &y) || !(scale > 0))
    return;
  plot.view = self->pinched_span;
  map.axis_view = self->pinched_view;
  pen_session_set_visible (self->session,
                           pen_span_zoom (self->pinched_span, pen_plot_get_time (&plot, x),
                                          1 / scale, pen_session_get_span (self->session)));
  pen_text_map_set_view (self, pen_address_axis_zoom (self->axis, self->pinched_view,
                                                      get_position (&map, &plot, y), 1 / scale));
}

void
pen_text_map_add_controllers (PenTextMap *self)
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
