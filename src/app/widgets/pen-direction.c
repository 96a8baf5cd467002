/* pen-direction.c: what goes from left to right in every language
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-direction.h"

void
pen_direction_keep_left_to_right (GtkWidget *widget)
{
  gtk_widget_set_direction (widget, GTK_TEXT_DIR_LTR);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    pen_direction_keep_left_to_right (child);
}
