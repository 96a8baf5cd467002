/* pen-wrap-layout.c: children in rows, as words are in lines
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-wrap-layout.h"

struct _PenWrapLayout {
  GtkLayoutManager parent_instance;

  int spacing;
};

G_DEFINE_FINAL_TYPE (PenWrapLayout, pen_wrap_layout, GTK_TYPE_LAYOUT_MANAGER)

static int
measure_child (GtkWidget *child, GtkOrientation orientation)
{
  int natural;

  gtk_widget_measure (child, orientation, -1, NULL, &natural, NULL, NULL);
  return natural;
}

/* The first child of the next row, or NULL, and how high this row is. */
static GtkWidget *
find_row_end (PenWrapLayout *self, GtkWidget *first, int width, int *height)
{
  GtkWidget *child = first;
  int x = 0;

  *height = 0;
  for (; child; child = gtk_widget_get_next_sibling (child)) {
    if (!gtk_widget_should_layout (child))
      continue;
    x += measure_child (child, GTK_ORIENTATION_HORIZONTAL);
    if (x > width && child != first)
      break;
    x += self->spacing;
    *height = MAX (*height, measure_child (child, GTK_ORIENTATION_VERTICAL));
  }
  return child;
}

static int
measure_height (PenWrapLayout *self, GtkWidget *widget, int width)
{
  GtkWidget *child = gtk_widget_get_first_child (widget);
  int height = 0;

  while (child) {
    int row;

    child = find_row_end (self, child, width, &row);
    height += row + (child ? self->spacing : 0);
  }
  return height;
}

static void
measure_width (PenWrapLayout *self, GtkWidget *widget, int *minimum, int *natural)
{
  *minimum = *natural = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child)) {
    int width;

    if (!gtk_widget_should_layout (child))
      continue;
    width = measure_child (child, GTK_ORIENTATION_HORIZONTAL);
    *minimum = MAX (*minimum, width);
    *natural += width + (*natural > 0 ? self->spacing : 0);
  }
}

static GtkSizeRequestMode
pen_wrap_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
pen_wrap_layout_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation,
                         int for_size, int *minimum, int *natural, int *minimum_baseline,
                         int *natural_baseline)
{
  PenWrapLayout *self = PEN_WRAP_LAYOUT (manager);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    measure_width (self, widget, minimum, natural);
  else
    *minimum = *natural = measure_height (self, widget, for_size < 0 ? G_MAXINT : for_size);
}

static void
allocate_row (PenWrapLayout *self, GtkWidget *widget, GtkWidget *first, GtkWidget *end, int width,
              GdkRectangle row)
{
  gboolean is_rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;

  for (GtkWidget *child = first; child != end; child = gtk_widget_get_next_sibling (child)) {
    GtkAllocation place = row;

    if (!gtk_widget_should_layout (child))
      continue;
    place.width = MIN (measure_child (child, GTK_ORIENTATION_HORIZONTAL), width);
    row.x += place.width + self->spacing;
    if (is_rtl)
      place.x = width - place.x - place.width;
    gtk_widget_size_allocate (child, &place, -1);
  }
}

static void
pen_wrap_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height,
                          int baseline)
{
  PenWrapLayout *self = PEN_WRAP_LAYOUT (manager);
  GtkWidget *first = gtk_widget_get_first_child (widget);
  GdkRectangle row = { 0, 0, 0, 0 };

  /* In the middle of what is higher. */
  row.y = MAX (height - measure_height (self, widget, width), 0) / 2;
  while (first) {
    GtkWidget *end = find_row_end (self, first, width, &row.height);

    allocate_row (self, widget, first, end, width, row);
    row.y += row.height + self->spacing;
    first = end;
  }
}

static void
pen_wrap_layout_class_init (PenWrapLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->get_request_mode = pen_wrap_layout_get_request_mode;
  layout_class->measure = pen_wrap_layout_measure;
  layout_class->allocate = pen_wrap_layout_allocate;
}

static void
pen_wrap_layout_init (PenWrapLayout *self)
{
}

GtkLayoutManager *
pen_wrap_layout_new (int spacing)
{
  PenWrapLayout *self = g_object_new (PEN_TYPE_WRAP_LAYOUT, NULL);

  self->spacing = spacing;
  return GTK_LAYOUT_MANAGER (self);
}
