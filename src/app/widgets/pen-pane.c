/* pen-pane.c: a bin that reports its width, so that a view can drop what does not fit
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pane.h"

#include "pen-text-size.h"

G_DEFINE_ABSTRACT_TYPE (PenPane, pen_pane, GTK_TYPE_WIDGET)

static GtkSizeRequestMode
pen_pane_get_request_mode (GtkWidget *widget)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  return child ? gtk_widget_get_request_mode (child) : GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
pen_pane_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                  int *natural, int *minimum_baseline, int *natural_baseline)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);

  if (!child)
    return;
  /* Words wrap where there is little room: a height that is asked for without a width has to do for
   * any, or GTK complains of panes beside each other, which have the width that was given them. */
  if (orientation == GTK_ORIENTATION_VERTICAL && for_size < 0)
    gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &for_size, NULL, NULL, NULL);
  gtk_widget_measure (child, orientation, for_size, minimum, natural, minimum_baseline,
                      natural_baseline);
}

static void
pen_pane_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PenPane *self = PEN_PANE (widget);
  GtkWidget *child = gtk_widget_get_first_child (widget);

  if (child)
    gtk_widget_allocate (child, width, height, baseline, NULL);
  for (GtkWidget *more = child; more; more = gtk_widget_get_next_sibling (more)) {
    if (GTK_IS_POPOVER (more))
      gtk_popover_present (GTK_POPOVER (more));
  }
  if (PEN_PANE_GET_CLASS (self)->resized)
    PEN_PANE_GET_CLASS (self)->resized (self, (int) (width / pen_text_size_get_scale ()));
}

/* What was asked for last, until it is done; none: nothing waits. */
#define REQUEST_KEY "pen-pane-request"
#define HIDE 1
#define SHOW 2

static gboolean
fulfil (gpointer widget)
{
  int request = GPOINTER_TO_INT (g_object_steal_data (widget, REQUEST_KEY));

  gtk_widget_set_visible (widget, request == SHOW);
  return G_SOURCE_REMOVE;
}

void
pen_pane_set_visible_later (GtkWidget *widget, gboolean visible)
{
  gboolean waits = g_object_get_data (G_OBJECT (widget), REQUEST_KEY) != NULL;

  if (!waits && gtk_widget_get_visible (widget) == visible)
    return;
  g_object_set_data (G_OBJECT (widget), REQUEST_KEY, GINT_TO_POINTER (visible ? SHOW : HIDE));
  if (!waits)
    g_idle_add_full (G_PRIORITY_DEFAULT, fulfil, g_object_ref (widget), g_object_unref);
}

static void
pen_pane_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))))
    gtk_widget_unparent (child);

  G_OBJECT_CLASS (pen_pane_parent_class)->dispose (object);
}

static void
pen_pane_class_init (PenPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_pane_dispose;
  widget_class->get_request_mode = pen_pane_get_request_mode;
  widget_class->measure = pen_pane_measure;
  widget_class->size_allocate = pen_pane_size_allocate;
}

static void
pen_pane_init (PenPane *self)
{
}
