/* pen-slot-table-pointer.c: clicks and drags on the strips of time, clicks on the arrows of slots
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slot-table-private.h"

#include <math.h>

#include "pen-slot-row.h"

#define DRAG_THRESHOLD 4

static void
forget (PenSlotTable *self)
{
  self->brushing = self->dragging = FALSE;
  g_clear_object (&self->pressed);
  g_clear_object (&self->pressed_row);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* @x: (inout): of the table, then of the row */
static PenSlotRow *
find_row (PenSlotTable *self, double *x, double y)
{
  GtkWidget *under = gtk_widget_pick (GTK_WIDGET (self), *x, y, GTK_PICK_DEFAULT);
  double ignored;

  if (!PEN_IS_SLOT_ROW (under) || !pen_slot_row_get_slot (PEN_SLOT_ROW (under)))
    return NULL;
  gtk_widget_translate_coordinates (GTK_WIDGET (self), under, *x, y, x, &ignored);
  return PEN_SLOT_ROW (under);
}

static gboolean
is_on_arrow (PenSlotTable *self, PenSlotRow *row, double x)
{
  double start = self->boxes[PEN_SLOT_OFFSET].x;

  return self->boxes[PEN_SLOT_OFFSET].width > 0 && x >= start
         && x < start + PEN_SLOT_PADDING + PEN_SLOT_ARROW + PEN_SLOT_ARROW_GAP
         && gtk_tree_list_row_is_expandable (pen_slot_row_get_row (row));
}

/* Before the row itself, which would be selected; it gets the focus as if it were clicked
 * elsewhere. */
static void
on_drag_begin (PenSlotTable *self, double x, double y, GtkGesture *drag)
{
  PenSlotRow *row = find_row (self, &x, y);
  guint64 time;

  forget (self);
  self->is_arrow = row && is_on_arrow (self, row, x);
  if (!row || !self->session
      || (!self->is_arrow
          && !pen_slot_table_find_time (self, pen_slot_row_get_slot (row), x, &time))) {
    gtk_gesture_set_state (drag, GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  gtk_gesture_set_state (drag, GTK_EVENT_SEQUENCE_CLAIMED);
  self->pressed = g_object_ref (pen_slot_row_get_slot (row));
  self->pressed_row = g_object_ref (pen_slot_row_get_row (row));
  self->press_x = x;
  gtk_widget_grab_focus (gtk_widget_get_parent (GTK_WIDGET (row)));
}

static PenSpan
get_brush (PenSlotTable *self, double dx)
{
  PenSpan span = pen_slot_table_get_span (self, self->pressed);
  double from, to;
  int x, width;

  if (!pen_slot_table_get_strip (self, &x, &width))
    return self->brush;
  from = CLAMP ((MIN (self->press_x, self->press_x + dx) - x) / width, 0, 1);
  to = CLAMP ((MAX (self->press_x, self->press_x + dx) - x) / width, 0, 1);
  return (PenSpan){ pen_span_time_at (span, from), pen_span_time_at (span, to) };
}

/* All strips show it: they are drawn anew whenever another time is pointed at. */
static void
on_drag_update (PenSlotTable *self, double dx, double dy, GtkGesture *drag)
{
  PenHover hover = { .has_time = TRUE };

  if (!self->pressed || self->is_arrow || (!self->dragging && fabs (dx) < DRAG_THRESHOLD))
    return;
  self->dragging = TRUE;
  self->brushing = TRUE;
  self->brush = get_brush (self, dx);
  hover.time = dx < 0 ? self->brush.from : self->brush.to;
  pen_session_set_hover (self->session, &hover);
}

static void
click (PenSlotTable *self, PenSlot *slot, GdkModifierType state)
{
  guint64 address = pen_slot_get_address (slot);
  guint64 time;

  if (!pen_slot_table_find_time (self, slot, self->press_x, &time))
    return;
  pen_slot_table_find_version (self, slot, self->press_x, &time);
  pen_session_set_line (self->session, &address);
  if (state & GDK_SHIFT_MASK)
    pen_session_set_mark (self->session, &time);
  else
    pen_session_set_playhead (self->session, time);
}

static void
on_drag_end (PenSlotTable *self, double dx, double dy, GtkGesture *drag)
{
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag));
  g_autoptr (PenSlot) slot = g_steal_pointer (&self->pressed);
  g_autoptr (GtkTreeListRow) row = g_steal_pointer (&self->pressed_row);
  gboolean dragging = self->dragging;
  PenSpan brush = self->brush;

  forget (self);
  if (!slot)
    return;
  if (self->is_arrow)
    gtk_tree_list_row_set_expanded (row, !gtk_tree_list_row_get_expanded (row));
  else if (!dragging)
    click (self, slot, state);
  else if (pen_span_length (brush) > 0)
    pen_session_set_selected (self->session, &brush);
}

void
pen_slot_table_add_pointer (PenSlotTable *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect_swapped (drag, "cancel", G_CALLBACK (forget), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}
