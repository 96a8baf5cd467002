/* pen-row-item.h: which item a row of a list shows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Says which item the child of a list item shows; NULL: none any more. */
void pen_row_item_set (GtkWidget *child, gpointer item);

/* (transfer none) (nullable): the item of the row that @widget, inside of @list, is in. */
gpointer pen_row_item_find (GtkWidget *list, GtkWidget *widget);

/* The GtkListView in @list, or itself: it has the actions of lists. */
GtkWidget *pen_row_item_find_list (GtkWidget *list);

G_END_DECLS
