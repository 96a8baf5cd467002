/* pen-row-item.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-row-item.h"

#define ITEM_KEY "pen-row-item"

/* Cells lie this deep in the widgets of a row. */
#define DEPTH_MAX 4

void
pen_row_item_set (GtkWidget *child, gpointer item)
{
  g_object_set_data_full (G_OBJECT (child), ITEM_KEY, item ? g_object_ref (item) : NULL,
                          item ? g_object_unref : NULL);
}

static gpointer
find_item_below (GtkWidget *widget)
{
  for (guint depth = 0; widget && depth < DEPTH_MAX; depth++) {
    gpointer item = g_object_get_data (G_OBJECT (widget), ITEM_KEY);

    if (item)
      return item;
    widget = gtk_widget_get_first_child (widget);
  }
  return NULL;
}

/* From a widget in a row up to the row. */
gpointer
pen_row_item_find (GtkWidget *list, GtkWidget *widget)
{
  for (; widget && widget != list && !GTK_IS_LIST_VIEW (widget);
       widget = gtk_widget_get_parent (widget)) {
    gpointer item = find_item_below (widget);

    if (item)
      return item;
  }
  return NULL;
}

GtkWidget *
pen_row_item_find_list (GtkWidget *list)
{
  GtkWidget *child = gtk_widget_get_first_child (list);

  if (GTK_IS_LIST_VIEW (list))
    return list;
  while (child && !GTK_IS_LIST_VIEW (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}
