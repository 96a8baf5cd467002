/* pen-row-menu.c: the menu of a list's selected row, by the second button, Menu or Shift+F10
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-row-menu.h"

struct _PenRowMenu {
  GtkWidget *pane;
  GtkWidget *list;
  GtkWidget *popover;
};

/* GTK's list rows take a click of the first button to select; of the second they take none. They
 * offer an action for it, which knows its own position. */
static GtkWidget *
find_row (GtkWidget *list, double x, double y)
{
  GtkWidget *widget = gtk_widget_pick (list, x, y, GTK_PICK_DEFAULT);

  while (widget && widget != list && !g_str_equal (gtk_widget_get_css_name (widget), "row"))
    widget = gtk_widget_get_parent (widget);
  return widget != list ? widget : NULL;
}

static void
popup_at (PenRowMenu *self, double x, double y)
{
  GdkRectangle place = { 0, 0, 1, 1 };

  gtk_widget_translate_coordinates (self->list, self->pane, x, y, &x, &y);
  place.x = (int) x;
  place.y = (int) y;
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), &place);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

static void
on_pressed (PenRowMenu *self, int n_press, double x, double y, GtkGesture *gesture)
{
  GtkWidget *row = find_row (self->list, x, y);

  if (!row)
    return;
  gtk_widget_activate_action (row, "listitem.select", "(bb)", FALSE, FALSE);
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  popup_at (self, x, y);
}

static gboolean
on_menu_key (GtkWidget *list, GVariant *arguments, gpointer data)
{
  PenRowMenu *self = data;
  GtkRoot *root = gtk_widget_get_root (list);
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;
  double x = 24, y = 48;

  if (focus && gtk_widget_is_ancestor (focus, list))
    gtk_widget_translate_coordinates (focus, list, 24, gtk_widget_get_height (focus), &x, &y);
  popup_at (self, x, y);
  return TRUE;
}

static void
add_keys (PenRowMenu *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("Menu|<Shift>F10"),
                        gtk_callback_action_new (on_menu_key, self, NULL)));
  gtk_widget_add_controller (self->list, keys);
}

PenRowMenu *
pen_row_menu_new (PenPane *pane, GtkWidget *list, GMenuModel *menu)
{
  PenRowMenu *self = g_new0 (PenRowMenu, 1);
  GtkGesture *click = gtk_gesture_click_new ();

  self->pane = GTK_WIDGET (pane);
  self->list = list;
  self->popover = gtk_popover_menu_new_from_model (menu);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
  gtk_widget_set_halign (self->popover, GTK_ALIGN_START);
  gtk_widget_set_parent (self->popover, self->pane);

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (list, GTK_EVENT_CONTROLLER (click));
  add_keys (self);
  return self;
}

void
pen_row_menu_free (PenRowMenu *self)
{
  gtk_widget_unparent (self->popover);
  g_free (self);
}
