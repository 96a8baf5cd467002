/* pen-find-keys.c: keys in the find box, and where Tab leads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-find-box-private.h"

#include "pen-found-item.h"

/* ---- rows ---- */

guint
pen_find_box_find_active (PenFindBox *self, guint from, int step)
{
  GListModel *model = G_LIST_MODEL (self->store);
  guint n = g_list_model_get_n_items (model);

  for (guint at = from; at < n; at += (guint) step) {
    g_autoptr (PenFoundItem) item = g_list_model_get_item (model, at);

    if (pen_found_item_is_active (item))
      return at;
  }
  return GTK_INVALID_LIST_POSITION;
}

void
pen_find_box_select (PenFindBox *self, guint position)
{
  gtk_single_selection_set_selected (self->selection, position);
  gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position);
}

/* ---- keys ---- */

static void
move (PenFindBox *self, int step)
{
  guint selected = gtk_single_selection_get_selected (self->selection);
  guint next = selected == GTK_INVALID_LIST_POSITION
                   ? pen_find_box_find_active (self, 0, 1)
                   : pen_find_box_find_active (self, selected + (guint) step, step);

  if (next != GTK_INVALID_LIST_POSITION)
    pen_find_box_select (self, next);
}

/* Up and Down go through the rows while the text keeps the focus. */
static gboolean
on_entry_key (PenFindBox *self, guint key)
{
  if (key != GDK_KEY_Down && key != GDK_KEY_Up)
    return GDK_EVENT_PROPAGATE;
  move (self, key == GDK_KEY_Down ? 1 : -1);
  return GDK_EVENT_STOP;
}

static gboolean
focus_selected (PenFindBox *self)
{
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->list)); row;
       row = gtk_widget_get_next_sibling (row)) {
    if (gtk_widget_get_state_flags (row) & GTK_STATE_FLAG_SELECTED)
      return gtk_widget_grab_focus (row);
  }
  return FALSE;
}

/* The list would stop at rows that lead nowhere. */
static gboolean
on_list_key (PenFindBox *self, guint key)
{
  if (on_entry_key (self, key) == GDK_EVENT_PROPAGATE)
    return GDK_EVENT_PROPAGATE;
  focus_selected (self);
  return GDK_EVENT_STOP;
}

static gboolean
on_key (PenFindBox *self, guint key)
{
  if (key != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  pen_find_box_close (self);
  return GDK_EVENT_STOP;
}

/* To the selected row: the first one may lead nowhere, and then what is around the list has the
 * focus. */
static void
enter_list (PenFindBox *self)
{
  GtkWidget *list = GTK_WIDGET (self->list);
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (list));
  gboolean is_around = focus == GTK_WIDGET (self->scroller);
  gboolean has_selected
      = gtk_single_selection_get_selected (self->selection) != GTK_INVALID_LIST_POSITION;

  if (!is_around && (has_selected || !gtk_widget_is_ancestor (focus, list)))
    return;
  if (!has_selected)
    move (self, 1);
  focus_selected (self);
}

/* Rows are within reach of the arrow keys, but in a trace. */
static gboolean
focus_last (PenFindBox *self)
{
  if (self->trace && gtk_widget_child_focus (GTK_WIDGET (self->scroller), GTK_DIR_TAB_BACKWARD)) {
    enter_list (self);
    return TRUE;
  }
  return gtk_widget_grab_focus (self->close);
}

gboolean
pen_find_box_go_round (PenFindBox *self, GtkDirectionType direction)
{
  if (pen_find_box_is_beside (self))
    return FALSE;
  if (direction == GTK_DIR_TAB_FORWARD)
    return gtk_widget_grab_focus (self->trace ? self->again : GTK_WIDGET (self->entry));
  return direction == GTK_DIR_TAB_BACKWARD && focus_last (self);
}

gboolean
pen_find_box_focus (GtkWidget *widget, GtkDirectionType direction)
{
  PenFindBox *self = PEN_FIND_BOX (widget);
  GtkWidgetClass *parent = g_type_class_peek_parent (GTK_WIDGET_GET_CLASS (widget));
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));
  gboolean is_inside = focus && gtk_widget_is_ancestor (focus, widget);

  if (parent->focus (widget, direction)) {
    enter_list (self);
    return TRUE;
  }
  return is_inside && pen_find_box_go_round (self, direction);
}

static void
add_keys (GtkWidget *widget, GCallback pressed, PenFindBox *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", pressed, self);
  gtk_widget_add_controller (widget, keys);
}

void
pen_find_box_add_keys (PenFindBox *self)
{
  add_keys (GTK_WIDGET (self->entry), G_CALLBACK (on_entry_key), self);
  add_keys (GTK_WIDGET (self->list), G_CALLBACK (on_list_key), self);
  add_keys (GTK_WIDGET (self), G_CALLBACK (on_key), self);
}
