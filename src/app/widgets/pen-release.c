/* pen-release.c: lets go of what is pressed, where it would keep a window that was closed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-release.h"

void
pen_release_below (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (GTK_IS_GESTURE (controller))
      gtk_event_controller_reset (controller);
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    pen_release_below (child);
}

static void
on_windows (GListModel *windows, guint position, guint removed, guint added)
{
  for (guint i = position; i < position + added; i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

    g_signal_connect (window, "unrealize", G_CALLBACK (pen_release_below), NULL);
  }
}

void
pen_release_closed_windows (void)
{
  g_signal_connect (gtk_window_get_toplevels (), "items-changed", G_CALLBACK (on_windows), NULL);
}
