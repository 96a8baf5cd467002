/* pen-window-find.c: the box over the window, and the trace beside it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

static void
find_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_find_box_open (PEN_WINDOW (widget)->find);
}

static void
find_text_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_find_box_search (PEN_WINDOW (widget)->find, g_variant_get_string (parameter, NULL));
}

/* A trace takes its room from what it leads to: with large text, more than usual. */
static void
make_room (PenWindow *self)
{
  int width = 0;

  pen_find_box_set_width (self->find, pen_fold_get_width_class (self->fold));
  if (pen_find_box_is_beside (self->find))
    gtk_widget_measure (GTK_WIDGET (self->find), GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL,
                        NULL);
  gtk_widget_set_margin_end (GTK_WIDGET (self->stack), width);
}

int
pen_window_get_find_room (PenWindow *self)
{
  return gtk_widget_get_margin_end (GTK_WIDGET (self->stack));
}

void
pen_window_install_find (GtkWidgetClass *widget_class)
{
  g_type_ensure (PEN_TYPE_FIND_BOX);
  gtk_widget_class_install_action (widget_class, "win.find", NULL, find_action);
  gtk_widget_class_install_action (widget_class, "win.find-text", "s", find_text_action);
}

void
pen_window_init_find (PenWindow *self)
{
  pen_find_box_set_session (self->find, self->session);
  g_signal_connect_swapped (self->find, "notify::is-trace", G_CALLBACK (make_room), self);
  g_signal_connect_swapped (self->fold, "notify::width-class", G_CALLBACK (make_room), self);
  /* What it lists is of the part that is shown. */
  g_signal_connect_object (self->find, "show", G_CALLBACK (pen_session_hold_part), self->session,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->find, "hide", G_CALLBACK (pen_session_release_part), self->session,
                           G_CONNECT_SWAPPED);
  make_room (self);
}
