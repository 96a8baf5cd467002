/* pen-window-ahead.c: pages that nobody has looked at yet are measured while nothing else is to do
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

/* After what the window shows, and what it loads for other pages. */
#define AHEAD_MS 100

/* GTK keeps the styles of widgets and the sizes of their texts, which are most of the time that the
 * first frame of a page takes. A page in each turn of the main loop. */
static gboolean
measure_next_page (gpointer data)
{
  PenWindow *self = data;
  g_autoptr (GtkSelectionModel) pages = adw_view_stack_get_pages (self->views);
  int width = gtk_widget_get_width (GTK_WIDGET (self->views));

  while (self->n_measured < g_list_model_get_n_items (G_LIST_MODEL (pages))) {
    g_autoptr (AdwViewStackPage) page
        = g_list_model_get_item (G_LIST_MODEL (pages), self->n_measured++);
    GtkWidget *child = adw_view_stack_page_get_child (page);

    if (!gtk_widget_get_mapped (child)) {
      int least;

      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      /* A page in sight may need less, and a window that is not up has no width. */
      gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, MAX (width, least), NULL, NULL, NULL,
                          NULL);
      return G_SOURCE_CONTINUE;
    }
  }
  self->ahead_id = 0;
  return G_SOURCE_REMOVE;
}

static gboolean
measure_pages (gpointer data)
{
  PenWindow *self = data;

  self->n_measured = 0;
  self->ahead_id = g_idle_add_full (G_PRIORITY_LOW, measure_next_page, self, NULL);
  return G_SOURCE_REMOVE;
}

void
pen_window_measure_ahead (PenWindow *self)
{
  pen_window_stop_ahead (self);
  if (self->views && pen_session_get_state (self->session) == PEN_SESSION_READY)
    self->ahead_id = g_timeout_add_full (G_PRIORITY_LOW, AHEAD_MS, measure_pages, self, NULL);
}

void
pen_window_stop_ahead (PenWindow *self)
{
  g_clear_handle_id (&self->ahead_id, g_source_remove);
}
