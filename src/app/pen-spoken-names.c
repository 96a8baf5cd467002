/* pen-spoken-names.c: what assistive technology is told that buttons are called
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-spoken-names.h"

void
pen_spoken_names_mend (GtkWidget *widget)
{
  /* Not of those that have a name of their own beside an icon. */
  if (GTK_IS_BUTTON (widget) && gtk_button_get_use_underline (GTK_BUTTON (widget))
      && gtk_button_get_label (GTK_BUTTON (widget)))
    gtk_accessible_reset_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    pen_spoken_names_mend (child);
}
