/* pen-gone-rows.c: widgets of rows that go are freed after the frame that shows others
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-gone-rows.h"

#include "pen-row-item.h"

#define GONE_KEY "pen-gone-rows"
#define STEP 256
#define STEP_MS 30

typedef struct {
  GPtrArray *widgets; /* (element-type GtkWidget) */
  guint free_id;
} GoneRows;

static void
gone_rows_free (gpointer data)
{
  GoneRows *self = data;

  g_clear_handle_id (&self->free_id, g_source_remove);
  g_ptr_array_unref (self->widgets);
  g_free (self);
}

static gboolean
free_some (gpointer data)
{
  GoneRows *self = data;
  guint n = MIN (STEP, self->widgets->len);

  if (n > 0)
    g_ptr_array_remove_range (self->widgets, self->widgets->len - n, n);
  if (self->widgets->len > 0)
    return G_SOURCE_CONTINUE;
  self->free_id = 0;
  return G_SOURCE_REMOVE;
}

/* A row is taken apart down to what its cells hold. */
static void
keep (GPtrArray *widgets, GtkWidget *widget, guint depth)
{
  g_ptr_array_add (widgets, g_object_ref (widget));
  for (GtkWidget *child = depth > 0 ? gtk_widget_get_first_child (widget) : NULL; child;
       child = gtk_widget_get_next_sibling (child))
    keep (widgets, child, depth - 1);
}

void
pen_gone_rows_keep (GtkWidget *view)
{
  GtkWidget *list = pen_row_item_find_list (view);
  GoneRows *self = g_object_get_data (G_OBJECT (view), GONE_KEY);

  if (!self) {
    self = g_new0 (GoneRows, 1);
    self->widgets = g_ptr_array_new_with_free_func (g_object_unref);
    g_object_set_data_full (G_OBJECT (view), GONE_KEY, self, gone_rows_free);
  }
  for (GtkWidget *row = gtk_widget_get_first_child (list); row;
       row = gtk_widget_get_next_sibling (row))
    keep (self->widgets, row, 2);
  if (self->free_id == 0 && self->widgets->len > 0)
    self->free_id = g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, STEP_MS, free_some, self, NULL);
}
