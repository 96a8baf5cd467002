/* pen-row-hover.c: the row that is pointed at, and the rows that light up for it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-row-hover.h"

#include "pen-css-class.h"
#include "pen-row-item.h"

#define LIT "lit"

typedef struct {
  GtkWidget *list;
  PenRowHoverFunc point;
  gpointer owner;
} RowHover;

static void
on_motion (RowHover *hover, double x, double y)
{
  GtkWidget *under = gtk_widget_pick (hover->list, x, y, GTK_PICK_DEFAULT);
  gpointer item = pen_row_item_find (hover->list, under);
  double there = 0, ignored;

  if (item)
    gtk_widget_translate_coordinates (hover->list, under, x, y, &there, &ignored);
  hover->point (item, under, there, hover->owner);
}

static void
on_leave (RowHover *hover)
{
  hover->point (NULL, NULL, 0, hover->owner);
}

static void
free_hover (gpointer data, GClosure *closure)
{
  g_free (data);
}

void
pen_row_hover_add (GtkWidget *list, PenRowHoverFunc point, gpointer owner)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  RowHover *hover = g_new0 (RowHover, 1);

  *hover = (RowHover){ list, point, owner };
  g_signal_connect_data (motion, "motion", G_CALLBACK (on_motion), hover, free_hover,
                         G_CONNECT_SWAPPED);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), hover);
  gtk_widget_add_controller (list, motion);
}

/* ---- light ---- */

void
pen_row_hover_light (GtkWidget *list, PenRowMatchFunc match, gpointer owner)
{
  GtkWidget *view = pen_row_item_find_list (list);

  for (GtkWidget *row = view ? gtk_widget_get_first_child (view) : NULL; row;
       row = gtk_widget_get_next_sibling (row)) {
    gpointer item = pen_row_item_find (list, row);

    pen_css_class_set (row, LIT, item && match (item, owner));
  }
}

void
pen_row_hover_forget (GtkWidget *child)
{
  for (GtkWidget *widget = child; widget && !GTK_IS_LIST_VIEW (widget);
       widget = gtk_widget_get_parent (widget))
    gtk_widget_remove_css_class (widget, LIT);
}
