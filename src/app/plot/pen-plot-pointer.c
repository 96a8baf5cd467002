/* pen-plot-pointer.c: pointer, wheel and fingers on a picture over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-plot-view-private.h"

#include <math.h>

#define DRAG_THRESHOLD 4
/* A drag over time and addresses that is narrower or lower than this has no side of that sort. */
#define SIDE_MIN 4
/* Pixels of a touchpad for a notch of a wheel. */
#define NOTCH 40

/* ---- pointing ---- */

/* The same is lit up in the other views. */
static void
tell_hover (gpointer data)
{
  PenPlotView *self = data;
  PenPlotViewClass *klass = PEN_PLOT_VIEW_GET_CLASS (self);
  PenPlot plot = pen_plot_view_get_plot (self);
  PenHover hover = { .has_time = TRUE };

  if (!self->pointer.is_over || !pen_plot_view_is_ready (self)
      || pen_plot_is_in_gutter (&plot, self->pointer.x)
      || (klass->has_addresses && self->pointer.y < plot.y)) {
    pen_session_set_hover (self->session, NULL);
    return;
  }
  hover.time = pen_plot_get_time (&plot, self->pointer.x);
  klass->hover (self, &plot, &hover);
  pen_session_set_hover (self->session, &hover);
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, PenPlotView *self)
{
  PenPlotViewClass *klass = PEN_PLOT_VIEW_GET_CLASS (self);
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll));
  PenPlot plot = pen_plot_view_get_plot (self);
  double factor;

  if (gtk_event_controller_scroll_get_unit (scroll) == GDK_SCROLL_UNIT_SURFACE) {
    dx /= NOTCH;
    dy /= NOTCH;
  }
  factor = pow (1 / PEN_PLOT_ZOOM_STEP, dy);
  if (klass->scroll && klass->scroll (self, &plot, dy, state))
    return TRUE;
  if (state & GDK_SHIFT_MASK) {
    pen_plot_view_pan (self, (dy + dx) * PEN_PLOT_PAN_STEP, 0);
  } else if (fabs (dx) > fabs (dy)) {
    pen_plot_view_pan (self, dx * PEN_PLOT_PAN_STEP, 0);
  } else if (pen_plot_view_is_ready (self)) {
    gboolean of_addresses = klass->has_addresses && (state & GDK_CONTROL_MASK);
    gboolean of_time = klass->has_addresses && !of_addresses && (state & GDK_ALT_MASK);
    double x = CLAMP (self->pointer.x, plot.x, plot.x + plot.width);

    if (!of_time)
      pen_plot_view_zoom_addresses (self, &plot, pen_session_get_view (self->session)->axis_view,
                                    self->pointer.y, factor);
    if (!of_addresses)
      pen_plot_view_zoom_time (self, pen_plot_get_time (&plot, x), factor);
  }
  return TRUE;
}

/* ---- dragging ---- */

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, PenPlotView *self)
{
  PenPlot plot = pen_plot_view_get_plot (self);

  self->dragging = FALSE;
  self->drag_x = x;
  self->drag_y = y;
  /* In the gutter of the overview there are titles to be clicked, and a button. */
  if (!PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses && pen_plot_is_in_gutter (&plot, x))
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
  else
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, PenPlotView *self)
{
  PenPlot plot = pen_plot_view_get_plot (self);

  if (!self->dragging && fabs (dx) < DRAG_THRESHOLD && fabs (dy) < DRAG_THRESHOLD)
    return;
  self->dragging = TRUE;
  if (!pen_plot_view_is_ready (self))
    return;
  self->brushing = TRUE;
  self->brush_x0 = CLAMP (self->drag_x, plot.x, plot.x + plot.width);
  self->brush_y0 = CLAMP (self->drag_y, plot.y, plot.y + plot.height);
  self->brush_x1 = CLAMP (self->drag_x + dx, plot.x, plot.x + plot.width);
  self->brush_y1 = CLAMP (self->drag_y + dy, plot.y, plot.y + plot.height);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static guint64
get_address (PenPlotView *self, const PenPlot *plot, double y)
{
  PenAxisView view = pen_session_get_view (self->session)->axis_view;

  return pen_address_axis_get_address (
      pen_session_get_answers (self->session)->axis,
      view.from + pen_plot_view_get_share (plot, y) * (view.to - view.from));
}

/* In a plane, a drag that is only broad is of time, one that is only high of addresses. */
static void
select_brushed (PenPlotView *self, const PenPlot *plot)
{
  gboolean is_plane = PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses;
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_view (self->session)->filter);

  if (!is_plane || fabs (self->brush_x1 - self->brush_x0) >= SIDE_MIN) {
    filter->has_time = TRUE;
    filter->from = pen_plot_get_time (plot, MIN (self->brush_x0, self->brush_x1));
    filter->to = pen_plot_get_time (plot, MAX (self->brush_x0, self->brush_x1));
  }
  if (is_plane && fabs (self->brush_y1 - self->brush_y0) >= SIDE_MIN) {
    guint64 end = get_address (self, plot, MAX (self->brush_y0, self->brush_y1));

    filter->has_address = TRUE;
    filter->address_from = get_address (self, plot, MIN (self->brush_y0, self->brush_y1));
    filter->address_to = MAX (end, filter->address_from + 1) - 1;
  }
  pen_session_set_filter (self->session, filter);
}

static void
click (PenPlotView *self, const PenPlot *plot, double x, double y, GdkModifierType state)
{
  PenPlotViewClass *klass = PEN_PLOT_VIEW_GET_CLASS (self);
  const PenNoteRow *note = pen_plot_view_find_note (self, plot, x, y);
  guint64 time = pen_plot_get_time (plot, x);

  if (state & GDK_SHIFT_MASK)
    pen_session_set_mark (self->session, &time);
  else if (note)
    pen_session_show_note (self->session, note);
  else if (!klass->click || !klass->click (self, plot, x, y))
    pen_session_set_playhead (self->session, time);
}

static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, PenPlotView *self)
{
  PenPlot plot = pen_plot_view_get_plot (self);
  gboolean dragged = self->dragging, brushed = self->brushing;

  self->dragging = self->brushing = FALSE;
  if (pen_plot_view_is_ready (self) && brushed)
    select_brushed (self, &plot);
  else if (pen_plot_view_is_ready (self) && !dragged)
    click (self, &plot, self->drag_x, self->drag_y,
           gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag)));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, PenPlotView *self)
{
  self->dragging = self->brushing = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_pan_begin (GtkGestureDrag *drag, double x, double y, PenPlotView *self)
{
  self->pan_x = 0;
  self->pan_y = 0;
}

static void
pan_by (PenPlotView *self, double dx, double dy)
{
  PenPlot plot = pen_plot_view_get_plot (self);

  if (pen_plot_view_is_ready (self))
    pen_plot_view_pan (self, -dx / plot.width, -dy / plot.height);
}

static void
on_pan_update (GtkGestureDrag *drag, double dx, double dy, PenPlotView *self)
{
  pan_by (self, dx - self->pan_x, dy - self->pan_y);
  self->pan_x = dx;
  self->pan_y = dy;
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, PenPlotView *self)
{
  PenPlot plot = pen_plot_view_get_plot (self);

  if (pen_plot_view_is_ready (self))
    PEN_PLOT_VIEW_GET_CLASS (self)->press (self, &plot, n_press, x, y);
}

static void
on_released (GtkGestureClick *gesture, int n_press, double x, double y, PenPlotView *self)
{
  PenPlotViewClass *klass = PEN_PLOT_VIEW_GET_CLASS (self);
  PenPlot plot = pen_plot_view_get_plot (self);

  if (klass->release && pen_plot_view_is_ready (self))
    klass->release (self, &plot, n_press, x, y);
}

/* ---- two fingers ---- */

void
pen_plot_view_begin_pinch (PenPlotView *self)
{
  self->pinched_span = pen_session_get_view (self->session)->visible;
  self->pinched_axis = pen_session_get_view (self->session)->axis_view;
}

void
pen_plot_view_pinch (PenPlotView *self, double x, double y, double scale)
{
  PenPlot plot = pen_plot_view_get_plot (self);

  if (!pen_plot_view_is_ready (self))
    return;
  plot.view = self->pinched_span;
  pen_session_set_visible (self->session,
                           pen_span_zoom (self->pinched_span, pen_plot_get_time (&plot, x),
                                          1 / scale, pen_session_get_span (self->session)));
  pen_plot_view_zoom_addresses (self, &plot, self->pinched_axis, y, 1 / scale);
}

static void
on_zoom_begin (GtkGesture *zoom, GdkEventSequence *sequence, PenPlotView *self)
{
  pen_plot_view_begin_pinch (self);
}

static void
on_zoom_scale (GtkGestureZoom *zoom, double scale, PenPlotView *self)
{
  double x, y;

  if (scale > 0 && gtk_gesture_get_bounding_box_center (GTK_GESTURE (zoom), &x, &y))
    pen_plot_view_pinch (self, x, y, scale);
}

void
pen_plot_view_add_controllers (PenPlotView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *middle = gtk_gesture_drag_new ();
  GtkGesture *press = gtk_gesture_click_new ();
  GtkGesture *zoom = gtk_gesture_zoom_new ();

  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_drag_cancel), self);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (middle), GDK_BUTTON_MIDDLE);
  g_signal_connect (middle, "drag-begin", G_CALLBACK (on_pan_begin), self);
  g_signal_connect (middle, "drag-update", G_CALLBACK (on_pan_update), self);
  g_signal_connect (press, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect (press, "released", G_CALLBACK (on_released), self);
  g_signal_connect (zoom, "begin", G_CALLBACK (on_zoom_begin), self);
  g_signal_connect (zoom, "scale-changed", G_CALLBACK (on_zoom_scale), self);

  pen_picture_widget_track (widget, &self->pointer, tell_hover);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (middle));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (press));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (zoom));
}
