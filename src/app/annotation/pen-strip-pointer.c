/* pen-strip-pointer.c: clicks and drags on an annotation row over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-strip-private.h"

#include <math.h>

#include "pen-column.h"

#define DRAG_THRESHOLD 4

static PenSpan
get_brush (PenStrip *self, double dx)
{
  int width = MAX (gtk_widget_get_width (GTK_WIDGET (self)), 1);
  PenSpan span = pen_strip_get_span (self);
  double from = CLAMP (MIN (self->drag_x, self->drag_x + dx) / width, 0, 1);
  double to = CLAMP (MAX (self->drag_x, self->drag_x + dx) / width, 0, 1);

  return (PenSpan){ pen_span_time_at (span, from), pen_span_time_at (span, to) };
}

/* The row gets the focus, as if it were clicked elsewhere. */
static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, PenStrip *self)
{
  GtkWidget *row = pen_column_find_row (GTK_WIDGET (self));

  self->drag_x = x;
  self->dragging = FALSE;
  if (!self->slot || !self->table) {
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  if (row)
    gtk_widget_grab_focus (row);
}

/* All strips show it: they are drawn anew whenever another time is pointed at. */
static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, PenStrip *self)
{
  PenHover hover = { .has_time = TRUE };

  if (!self->table || (!self->dragging && fabs (dx) < DRAG_THRESHOLD))
    return;
  self->dragging = TRUE;
  self->table->brushing = TRUE;
  self->table->brush = get_brush (self, dx);
  hover.time = dx < 0 ? self->table->brush.from : self->table->brush.to;
  pen_session_set_hover (self->table->session, &hover);
}

static void
click (PenStrip *self, GdkModifierType state)
{
  PenSession *session = self->table->session;
  guint64 address = pen_slot_get_address (self->slot);
  guint64 time;

  pen_strip_find_version (self, self->drag_x, &time);
  pen_session_set_line (session, &address);
  if (state & GDK_SHIFT_MASK)
    pen_session_set_mark (session, &time);
  else
    pen_session_set_playhead (session, time);
}

static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, PenStrip *self)
{
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag));
  PenSpan brush;

  if (!self->table || !self->slot)
    return;
  brush = self->table->brush;
  self->table->brushing = FALSE;
  if (!self->dragging)
    click (self, state);
  else if (pen_span_length (brush) > 0)
    pen_session_set_selected (self->table->session, &brush);
  self->dragging = FALSE;
}

static void
on_cancel (GtkGesture *gesture, GdkEventSequence *sequence, PenStrip *self)
{
  if (self->table)
    self->table->brushing = FALSE;
  self->dragging = FALSE;
}

void
pen_strip_add_pointer (PenStrip *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_cancel), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}
