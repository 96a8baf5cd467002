/* test-window-gone-rows.c: rows that go make place at once, and are freed afterwards;
 * those in their place are no more than fill the list
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-growing-list.h"
#include "pen-row-item.h"

#define HEIGHT 400
#define ROW_HEIGHT 80
#define N_ROWS 100

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
set_up_row (GtkSignalListItemFactory *factory G_GNUC_UNUSED, GtkListItem *item)
{
  GtkWidget *row = gtk_label_new ("row");

  gtk_widget_set_size_request (row, -1, ROW_HEIGHT);
  gtk_list_item_set_child (item, row);
}

static void
replace_all (GListStore *store)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < N_ROWS; i++)
    g_ptr_array_add (items, g_object_new (G_TYPE_OBJECT, NULL));
  g_list_store_splice (store, 0, g_list_model_get_n_items (G_LIST_MODEL (store)), items->pdata,
                       items->len);
}

/* Rows are higher than their text. */
static void
test_first (void)
{
  g_autoptr (GListStore) store = g_list_store_new (G_TYPE_OBJECT);
  PenGrowingList *list = pen_growing_list_new (G_LIST_MODEL (store), FALSE, N_ROWS / 2);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *view, *scrolled = gtk_scrolled_window_new ();
  GtkWidget *window = gtk_window_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (set_up_row), NULL);
  view = gtk_list_view_new (
      GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (g_object_ref (list)))), factory);
  pen_growing_list_set_view (list, view);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_set_size_request (scrolled, -1, HEIGHT);
  gtk_window_set_child (GTK_WINDOW (window), scrolled);
  gtk_window_present (GTK_WINDOW (window));
  replace_all (store);
  app_support_wait_for (g_list_model_get_n_items (G_LIST_MODEL (list)) == N_ROWS);
  app_support_wait_for (gtk_widget_get_height (gtk_widget_get_first_child (view)) >= ROW_HEIGHT);
  replace_all (store);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), >=, HEIGHT / ROW_HEIGHT);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), <=, HEIGHT / ROW_HEIGHT + 2);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (list);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/gone-rows/first", test_first);
  g_test_add_func ("/window/gone-rows/sorted", test_sorted);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
