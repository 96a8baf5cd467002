/* pen-flame-pointer.c: pointer, wheel and fingers on the stacks, and their tooltip
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame-view-private.h"

#include "pen-flame-difference.h"

/* Pixels of a touchpad for a notch of a wheel; rows that a notch scrolls. */
#define NOTCH 40
#define ROWS_A_NOTCH 3

static void
tell_hover (gpointer data)
{
  PenFlameView *self = data;
  PenHover hover = { 0 };
  PenFlameSpot spot = { .thing = PEN_FLAME_NOTHING };
  const PenFunction *function = NULL;

  if (self->pointer.is_over && self->flame)
    spot = pen_flame_find (self->flame, self->pointer.x,
                           self->pointer.y + pen_flame_view_get_top (self));
  if (spot.thing == PEN_FLAME_FRAME)
    function = pen_flame_view_get_function (self, spot.node);
  if (function && pen_query_is_kernel_text (function)) {
    hover.has_address = TRUE;
    hover.address_from = function->start;
    hover.address_to = function->start + function->length;
  }
  pen_session_set_hover (self->session, &hover);
  gtk_widget_queue_draw (data);
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, PenFlameView *self)
{
  double step = gtk_adjustment_get_step_increment (self->down) * ROWS_A_NOTCH;

  if (gtk_event_controller_scroll_get_unit (scroll) == GDK_SCROLL_UNIT_SURFACE)
    dy /= NOTCH;
  gtk_adjustment_set_value (self->down, gtk_adjustment_get_value (self->down) + dy * step);
  return TRUE;
}

/* Into a frame; into who called merged frames, where they have room. */
static void
on_released (GtkGestureClick *gesture, int n_press, double x, double y, PenFlameView *self)
{
  PenFlameSpot spot;

  if (!self->flame || n_press != 1)
    return;
  spot = pen_flame_find (self->flame, x, y + pen_flame_view_get_top (self));
  if (spot.thing == PEN_FLAME_NOTHING)
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  pen_flame_view_set_selected (self, spot.node);
  pen_flame_view_zoom (self, spot.node);
}

static void
on_secondary (GtkGesture *gesture, int n_press, double x, double y, PenFlameView *self)
{
  PenFlameSpot spot;

  if (!self->flame)
    return;
  spot = pen_flame_find (self->flame, x, y + pen_flame_view_get_top (self));
  if (spot.thing == PEN_FLAME_NOTHING)
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  pen_flame_view_set_selected (self, spot.node);
  g_signal_emit (self, pen_flame_view_signals[PEN_FLAME_VIEW_MENU], 0, x, y);
}

static void
on_long_press (GtkGesture *gesture, double x, double y, PenFlameView *self)
{
  on_secondary (gesture, 1, x, y, self);
}

static char *
describe_frame (PenFlameView *self, guint node)
{
  return self->answer->diff
             ? pen_flame_difference_describe (self->answer->diff, node)
             : pen_flame_describe (pen_flame_view_get_tree (self), node, self->answer->seconds);
}

char *
pen_flame_view_describe_point (PenFlameView *self, double x, double y)
{
  PenFlameSpot spot;

  if (!self->flame)
    return NULL;
  spot = pen_flame_find (self->flame, x, y + pen_flame_view_get_top (self));
  return spot.thing == PEN_FLAME_FRAME ? describe_frame (self, spot.node)
                                       : pen_flame_describe_spot (pen_flame_view_get_tree (self),
                                                                  &spot, self->answer->seconds);
}

gboolean
pen_flame_view_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard,
                              GtkTooltip *tooltip)
{
  PenFlameView *self = PEN_FLAME_VIEW (widget);
  g_autofree char *text = NULL;

  if (keyboard && self->selected != PEN_FLAME_NONE)
    text = describe_frame (self, self->selected);
  else if (!keyboard)
    text = pen_flame_view_describe_point (self, x, y);
  if (text)
    gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

void
pen_flame_view_add_controllers (PenFlameView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *secondary = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();

  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (click, "released", G_CALLBACK (on_released), self);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect (secondary, "pressed", G_CALLBACK (on_secondary), self);
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect (press, "pressed", G_CALLBACK (on_long_press), self);
  pen_picture_widget_track (widget, &self->pointer, tell_hover);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (secondary));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (press));
}
