/* pen-plot-input.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-plot-input.h"

#include <math.h>

#define DRAG_THRESHOLD 4
/* Pixels of a touchpad for a notch of a wheel. */
#define NOTCH 40

double
pen_plot_input_get_key_factor (gboolean in)
{
  double factor = PEN_PLOT_ZOOM_STEP * PEN_PLOT_ZOOM_STEP;

  return in ? factor : 1 / factor;
}

void
pen_plot_input_add_note (GtkWidget *widget, guint64 time)
{
  gtk_widget_activate_action (widget, "win.add-note-at", "(btbt)", FALSE, (guint64) 0, TRUE, time);
}

void
pen_plot_input_install_actions (GtkWidgetClass *widget_class, const PenPlotAction *actions,
                                gsize n_actions)
{
  for (gsize i = 0; i < n_actions; i++) {
    const PenPlotAction *action = &actions[i];

    gtk_widget_class_install_action (widget_class, action->name, NULL, action->activate);
    for (gsize k = 0; k < G_N_ELEMENTS (action->keys) && action->keys[k]; k++) {
      gtk_widget_class_add_binding_action (widget_class, action->keys[k], 0, action->name, NULL);
      /* Where it takes Shift to type it. */
      if (action->keys[k] == GDK_KEY_plus || action->keys[k] == GDK_KEY_less
          || action->keys[k] == GDK_KEY_greater)
        gtk_widget_class_add_binding_action (widget_class, action->keys[k], GDK_SHIFT_MASK,
                                             action->name, NULL);
    }
  }
}

/* ---- pointer ---- */

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, PenPlotInput *self)
{
  self->hovered = TRUE;
  self->x = x;
  self->y = y;
  self->funcs->hover (self->widget);
  gtk_widget_trigger_tooltip_query (self->widget);
}

static void
on_leave (GtkEventControllerMotion *motion, PenPlotInput *self)
{
  self->hovered = FALSE;
  self->funcs->hover (self->widget);
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, PenPlotInput *self)
{
  GtkEventController *controller = GTK_EVENT_CONTROLLER (scroll);

  if (gtk_event_controller_scroll_get_unit (scroll) == GDK_SCROLL_UNIT_SURFACE) {
    dx /= NOTCH;
    dy /= NOTCH;
  }
  self->funcs->scroll (self->widget, dx, dy,
                       gtk_event_controller_get_current_event_state (controller));
  return TRUE;
}

/* ---- dragging ---- */

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, PenPlotInput *self)
{
  self->dragging = FALSE;
  self->drag_x = x;
  self->drag_y = y;
  if (!self->funcs->drag_begin (self->widget, x, y))
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
  else
    gtk_widget_grab_focus (self->widget);
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, PenPlotInput *self)
{
  if (!self->dragging && fabs (dx) < DRAG_THRESHOLD && fabs (dy) < DRAG_THRESHOLD)
    return;
  self->dragging = TRUE;
  self->funcs->drag (self->widget, self->drag_x, self->drag_y, self->drag_x + dx,
                     self->drag_y + dy);
  gtk_widget_queue_draw (self->widget);
}

static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, PenPlotInput *self)
{
  gboolean dragged = self->dragging;

  self->dragging = FALSE;
  self->funcs->drag_end (self->widget, dragged, self->drag_x, self->drag_y);
  gtk_widget_queue_draw (self->widget);
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, PenPlotInput *self)
{
  self->dragging = FALSE;
  self->funcs->drag_cancel (self->widget);
  gtk_widget_queue_draw (self->widget);
}

static void
on_pan_begin (GtkGestureDrag *drag, double x, double y, PenPlotInput *self)
{
  self->pan_x = 0;
  self->pan_y = 0;
}

static void
on_pan_update (GtkGestureDrag *drag, double dx, double dy, PenPlotInput *self)
{
  self->funcs->pan (self->widget, dx - self->pan_x, dy - self->pan_y);
  self->pan_x = dx;
  self->pan_y = dy;
}

static void
on_pressed (GtkGestureClick *click, int n_press, double x, double y, PenPlotInput *self)
{
  self->funcs->press (self->widget, n_press, x, y);
}

/* ---- two fingers ---- */

static void
on_zoom_begin (GtkGesture *zoom, GdkEventSequence *sequence, PenPlotInput *self)
{
  self->funcs->pinch_begin (self->widget);
}

static void
on_zoom_scale (GtkGestureZoom *zoom, double scale, PenPlotInput *self)
{
  double x, y;

  if (scale > 0 && gtk_gesture_get_bounding_box_center (GTK_GESTURE (zoom), &x, &y))
    self->funcs->pinch (self->widget, x, y, scale);
}

void
pen_plot_input_init (PenPlotInput *self, GtkWidget *widget, const PenPlotInputFuncs *funcs)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *middle = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *zoom = gtk_gesture_zoom_new ();

  *self = (PenPlotInput){ .widget = widget, .funcs = funcs };
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
