/* pen-tooltip.c: tooltips of what changes often
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-tooltip.h"

#include <adwaita.h>

#define KEY "pen-tooltip" /* the text; "": none */

static gboolean
on_query (GtkWidget *widget, int x, int y, gboolean by_key, GtkTooltip *shown)
{
  const char *text = g_object_get_data (G_OBJECT (widget), KEY);

  gtk_tooltip_set_text (shown, text);
  return text[0] != '\0';
}

void
pen_tooltip_set (GtkWidget *widget, const char *text)
{
  const char *before = g_object_get_data (G_OBJECT (widget), KEY);

  if (!before)
    g_signal_connect (widget, "query-tooltip", G_CALLBACK (on_query), NULL);
  else if (g_str_equal (before, text ? text : ""))
    return;
  g_object_set_data_full (G_OBJECT (widget), KEY, g_strdup (text ? text : ""), g_free);
  gtk_widget_set_has_tooltip (widget, text != NULL);
}

/* ---- menus ---- */

static void
on_menu_visible (GtkWidget *button, GParamSpec *pspec, GtkWidget *menu)
{
  GtkWidget *parent = gtk_widget_get_parent (button);
  gboolean is_open = gtk_widget_get_visible (menu);

  gtk_widget_set_has_tooltip (button, !is_open && gtk_widget_get_tooltip_text (button));
  /* Without one of its own, it would have that of the button that it is a part of. */
  if (ADW_IS_SPLIT_BUTTON (parent))
    gtk_widget_set_has_tooltip (parent, !is_open && gtk_widget_get_tooltip_text (parent));
}

/* Another menu is another popover. */
static void
on_menu (GtkMenuButton *button)
{
  GtkPopover *menu = gtk_menu_button_get_popover (button);

  if (!menu)
    return;
  g_signal_connect_object (menu, "notify::visible", G_CALLBACK (on_menu_visible), button,
                           G_CONNECT_SWAPPED);
}

void
pen_tooltip_yield_to_menus (GtkWidget *widget)
{
  if (GTK_IS_MENU_BUTTON (widget)) {
    g_signal_connect (widget, "notify::popover", G_CALLBACK (on_menu), NULL);
    on_menu (GTK_MENU_BUTTON (widget));
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    pen_tooltip_yield_to_menus (child);
}
