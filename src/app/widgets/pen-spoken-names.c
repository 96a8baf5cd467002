/* pen-spoken-names.c: names of buttons for assistive technology
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-spoken-names.h"

#include <adwaita.h>

/* The button inside of a widget that has no name for it. */
static const char *
find_name_around (GtkWidget *widget)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);
  GtkWidget *grandparent = parent ? gtk_widget_get_parent (parent) : NULL;

  if (GTK_IS_MENU_BUTTON (widget) && grandparent && ADW_IS_SPLIT_BUTTON (grandparent))
    return adw_split_button_get_dropdown_tooltip (ADW_SPLIT_BUTTON (grandparent));
  if (GTK_IS_MENU_BUTTON (widget) && parent && ADW_IS_SPLIT_BUTTON (parent))
    return adw_split_button_get_dropdown_tooltip (ADW_SPLIT_BUTTON (parent));
  if (GTK_IS_TOGGLE_BUTTON (widget) && parent && GTK_IS_DROP_DOWN (parent))
    return gtk_widget_get_tooltip_text (parent);
  return NULL;
}

void
pen_spoken_names_mend (GtkWidget *widget)
{
  const char *name = find_name_around (widget);

  if (name && name[0] != '\0')
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                    -1);
  /* Not of those that have a name of their own beside an icon. */
  if (GTK_IS_BUTTON (widget) && gtk_button_get_use_underline (GTK_BUTTON (widget))
      && gtk_button_get_label (GTK_BUTTON (widget)))
    gtk_accessible_reset_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    pen_spoken_names_mend (child);
}
