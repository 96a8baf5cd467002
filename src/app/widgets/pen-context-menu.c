/* pen-context-menu.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-context-menu.h"

#include "pen-release.h"

static void
make_target (GtkWidget *content)
{
  gtk_widget_set_can_target (content, TRUE);
}

/* Widgets below an open menu have no tooltip: it would cover the menu. */
static void
hide_tooltips (GtkWidget *popover)
{
  GtkRoot *root = gtk_widget_get_root (popover);
  GtkWidget *content = GTK_IS_WINDOW (root) ? gtk_widget_get_first_child (GTK_WIDGET (root)) : NULL;

  if (!content || !gtk_widget_get_mapped (popover))
    return;
  gtk_widget_set_can_target (content, FALSE);
  g_signal_connect_object (popover, "unmap", G_CALLBACK (make_target), content, G_CONNECT_SWAPPED);
}

/* The pointer may still be in a menu for GTK after it has closed; the next layout of the window
 * then falls over the surface that is gone. An insensitive menu loses the pointer. For the same
 * reason no menu is used again with other items: GTK may still point to one of the old. */
static void
remove_menu (GtkWidget *popover)
{
  if (!gtk_widget_get_parent (popover))
    return;
  gtk_widget_set_sensitive (popover, FALSE);
  pen_release_below (popover);
  gtk_widget_unparent (popover);
}

static gboolean
remove_closed (gpointer popover)
{
  remove_menu (popover);
  return G_SOURCE_REMOVE;
}

/* The chosen action comes after the menu was closed. */
static void
on_closed (GtkWidget *popover)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, remove_closed, g_object_ref (popover), g_object_unref);
}

/* The menu has its right size, and gets another with each submenu, only if its parent presents it
 * anew with each layout: layout managers do, lists and others that lay out by themselves do not. */
static GtkWidget *
find_parent (GtkWidget *widget)
{
  while (!gtk_widget_get_layout_manager (widget) && gtk_widget_get_parent (widget))
    widget = gtk_widget_get_parent (widget);
  return widget;
}

void
pen_context_menu_popup (GtkWidget *about, GMenuModel *model, const char *prefix,
                        GActionGroup *actions, const GdkRectangle *place)
{
  GtkWidget *popover = gtk_popover_menu_new_from_model (model);
  GtkWidget *parent = find_parent (about);
  GdkRectangle all = { 0, 0, gtk_widget_get_width (about), gtk_widget_get_height (about) };
  GdkRectangle pointed = place ? *place : all;
  double x, y;

  gtk_widget_set_parent (popover, parent);
  if (actions)
    gtk_widget_insert_action_group (popover, prefix, actions);
  if (place) {
    gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
    gtk_widget_set_halign (popover, GTK_ALIGN_START);
  }
  if (gtk_widget_translate_coordinates (about, parent, pointed.x, pointed.y, &x, &y)) {
    pointed.x = (int) x;
    pointed.y = (int) y;
    gtk_popover_set_pointing_to (GTK_POPOVER (popover), &pointed);
  }
  g_signal_connect (popover, "closed", G_CALLBACK (on_closed), NULL);
  g_signal_connect_object (about, "destroy", G_CALLBACK (remove_menu), popover, G_CONNECT_SWAPPED);
  if (parent != about)
    g_signal_connect_object (parent, "destroy", G_CALLBACK (remove_menu), popover,
                             G_CONNECT_SWAPPED);
  gtk_popover_popup (GTK_POPOVER (popover));
  hide_tooltips (popover);
}
