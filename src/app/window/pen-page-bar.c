/* pen-page-bar.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-page-bar.h"

#include <adwaita.h>

#include "pen-page.h"
#include "pen-text-size.h"

/* px of a button that its label does not have */
#define BESIDE 6

/*
 * @needed: px that the labels take, at @scale of text: measured while they are there, for a hidden
 * widget has another style. 0: not yet
 */
struct _PenPageBar {
  PenPane parent_instance;

  int needed;
  double scale;
  gboolean is_named;
  gboolean has_labels; /* where it is named */
};

G_DEFINE_FINAL_TYPE (PenPageBar, pen_page_bar, PEN_TYPE_PANE)

/* Appends the buttons below @widget, in their order. */
static void
find_buttons (GtkWidget *widget, GPtrArray *buttons)
{
  if (GTK_IS_TOGGLE_BUTTON (widget)) {
    g_ptr_array_add (buttons, widget);
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    find_buttons (child, buttons);
}

/* What is below a button's icon: a label, or, as of libadwaita 1.3, a stack of two. NULL: nothing
 */
static GtkWidget *
find_labels (GtkWidget *widget)
{
  if (gtk_widget_has_css_class (widget, "narrow"))
    return gtk_widget_get_last_child (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *labels = find_labels (child);

    if (labels)
      return labels;
  }
  return NULL;
}

/* All buttons are as wide as the widest one. */
static void
measure (PenPageBar *self, const GPtrArray *buttons)
{
  int most = 0;

  for (guint i = 0; i < buttons->len; i++) {
    GtkWidget *labels = find_labels (buttons->pdata[i]);
    int width;

    if (!labels || !gtk_widget_get_visible (labels))
      return;
    gtk_widget_measure (labels, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
    most = MAX (most, width);
  }
  self->needed = (most + BESIDE) * (int) buttons->len;
  self->scale = pen_text_size_get_scale ();
}

static void
name_buttons (PenPageBar *self, const GPtrArray *buttons, gboolean has_labels)
{
  if (self->is_named && self->has_labels == has_labels)
    return;
  self->is_named = TRUE;
  self->has_labels = has_labels;
  for (guint i = 0; i < MIN (buttons->len, PEN_PAGES); i++) {
    const char *title = pen_page_get_title (i);

    gtk_widget_set_tooltip_text (buttons->pdata[i], has_labels ? NULL : title);
    /* GTK 4.8 says the label of a button that has a name, too. */
    if (has_labels)
      gtk_accessible_reset_property (buttons->pdata[i], GTK_ACCESSIBLE_PROPERTY_LABEL);
    else
      gtk_accessible_update_property (buttons->pdata[i], GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  }
}

static void
pen_page_bar_resized (PenPane *pane, int width G_GNUC_UNUSED)
{
  PenPageBar *self = PEN_PAGE_BAR (pane);
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();
  gboolean has_labels;

  find_buttons (GTK_WIDGET (pane), buttons);
  measure (self, buttons);
  /* With text of another size, they have to be there to be measured. */
  has_labels = self->needed <= gtk_widget_get_width (GTK_WIDGET (pane))
               || self->scale != pen_text_size_get_scale ();
  for (guint i = 0; i < buttons->len; i++) {
    GtkWidget *labels = find_labels (buttons->pdata[i]);

    if (labels)
      pen_pane_set_visible_later (labels, has_labels);
  }
  if (buttons->len > 0)
    name_buttons (self, buttons, has_labels);
}

static void
pen_page_bar_class_init (PenPageBarClass *klass)
{
  PEN_PANE_CLASS (klass)->resized = pen_page_bar_resized;
}

static void
pen_page_bar_init (PenPageBar *self)
{
}
