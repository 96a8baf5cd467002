/* test-window-gone-rows.c: rows that go make place at once, and are freed afterwards
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-row-item.h"

static void
test_sorted (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  GtkColumnView *view = window_support_child (window->causes, "view");
  g_autoptr (GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (view), 0);
  gint64 deadline = app_support_get_deadline ();
  GtkWidget *row;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "causes"));
  app_support_settle (window->session);
  app_support_run (50);
  row = gtk_widget_get_first_child (pen_row_item_find_list (GTK_WIDGET (view)));
  g_assert_nonnull (row);
  g_object_add_weak_pointer (G_OBJECT (row), (gpointer *) &row);

  gtk_column_view_sort_by_column (view, column, GTK_SORT_DESCENDING);
  while (row && gtk_widget_get_parent (row)) {
    g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    g_main_context_iteration (NULL, TRUE);
  }
  g_assert_nonnull (row);
  app_support_wait_for (!row);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/gone-rows/sorted", test_sorted);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
