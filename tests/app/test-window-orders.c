/* test-window-orders.c: every list, sorted by each of its columns, in both directions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-cause-item.h"
#include "pen-column.h"
#include "pen-growing-list.h"

/* Rows that are looked at, spread over the list. */
#define LOOKED_AT 120
#define DEPTH 4

static void
settle (PenWindow *window)
{
  for (guint i = 0; i < 3; i++) {
    app_support_settle (window->session);
    app_support_run (30);
  }
}

/* Every column is visible, and few rows: each way to sort them draws them anew. */
static PenWindow *
open_wide (const char *page)
{
  PenWindow *window = window_support_open_window ("f-everything-z.data");

  gtk_window_set_default_size (GTK_WINDOW (window), 3000, 500);
  app_support_wait_for (gtk_widget_get_width (GTK_WIDGET (window)) >= 2900);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", page));
  settle (window);
  return window;
}

/* Position of a column among those that are visible. */
static guint
find_visible (GListModel *columns, guint position)
{
  guint n = 0;

  for (guint i = 0; i < position; i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

    n += gtk_column_view_column_get_visible (column);
  }
  return n;
}

/* (element-type GObject): they are held, so that their rows are loaded */
static GPtrArray *
list_items (GtkColumnView *view)
{
  GtkSingleSelection *model = GTK_SINGLE_SELECTION (gtk_column_view_get_model (view));
  GListModel *listed = gtk_single_selection_get_model (model);
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);
  guint n;
  guint step;

  if (PEN_IS_GROWING_LIST (listed))
    pen_growing_list_ensure (PEN_GROWING_LIST (listed), G_MAXUINT);
  n = g_list_model_get_n_items (G_LIST_MODEL (model));
  step = MAX (n / LOOKED_AT, 1);
  for (guint i = 0; i < n; i += step)
    g_ptr_array_add (items, g_list_model_get_item (G_LIST_MODEL (model), i));
  return items;
}

static gboolean
is_tree_row (gpointer item)
{
  return GTK_IS_TREE_LIST_ROW (item);
}

/* Programs stand after all causes, in any order. */
static gboolean
is_program (gpointer item)
{
  return PEN_IS_CAUSE_ITEM (item) && pen_cause_item_get_row (item)->is_program;
}

/* Nothing comes after an empty cell but empty cells, below the same row.
 * Returns: whether there are both */
static gboolean
assert_empty_last (GtkColumnView *view, GPtrArray *items, guint position, const char *title)
{
  gboolean is_over[DEPTH] = { FALSE };
  guint n_empty = 0;

  for (guint i = 0; i < items->len; i++) {
    gpointer row = items->pdata[i];
    g_autoptr (GObject) item
        = is_tree_row (row) ? gtk_tree_list_row_get_item (row) : g_object_ref (row);
    guint depth = is_tree_row (row) ? gtk_tree_list_row_get_depth (row) : 0;
    g_auto (GStrv) texts = pen_column_dup_texts (view, item);
    gboolean is_empty = texts[position][0] == '\0';

    g_assert_cmpuint (depth, <, DEPTH);
    if (depth == 0 && is_program (item))
      is_over[0] = FALSE;
    for (guint k = depth + 1; k < DEPTH; k++)
      is_over[k] = FALSE;
    if (is_over[depth] && !is_empty)
      g_error ("%s: \"%s\" comes after an empty cell", title, texts[position]);
    is_over[depth] = is_empty;
    n_empty += is_empty;
  }
  return n_empty > 0 && n_empty < items->len;
}

static void
check_list (PenWindow *window, GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  guint n_sorted = 0, n_mixed = 0;

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

    if (!gtk_column_view_column_get_sorter (column) || !gtk_column_view_column_get_visible (column))
      continue;
    n_sorted++;
    for (GtkSortType type = GTK_SORT_ASCENDING; type <= GTK_SORT_DESCENDING; type++) {
      g_autoptr (GPtrArray) items = NULL;

      gtk_column_view_sort_by_column (view, column, type);
      settle (window);
      items = list_items (view);
      settle (window);
      n_mixed += assert_empty_last (view, items, find_visible (columns, i),
                                    gtk_column_view_column_get_title (column));
    }
  }
  g_assert_cmpuint (n_sorted, >=, 4);
  g_assert_cmpuint (n_mixed, >, 0);
}

static void
test_functions (void)
{
  PenWindow *window = open_wide ("code");

  check_list (window, window_support_child (window->functions, "view"));
  window_support_close_window (window);
}

static void
test_occupants (void)
{
  PenWindow *window = open_wide ("occupants");

  check_list (window, window_support_child (window->occupants, "view"));
  window_support_close_window (window);
}

static void
test_causes (void)
{
  PenWindow *window = open_wide ("causes");

  check_list (window, window_support_child (window->causes, "view"));
  window_support_close_window (window);
}

/* All of them: maps, and programs, have no cause. */
static void
test_changes (void)
{
  PenWindow *window = open_wide ("causes");

  gtk_drop_down_set_selected (window_support_child (window->changes, "scope"), 2);
  settle (window);
  check_list (window, window_support_child (window->changes, "view"));
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/orders/functions", test_functions);
  g_test_add_func ("/orders/occupants", test_occupants);
  g_test_add_func ("/orders/causes", test_causes);
  g_test_add_func ("/orders/changes", test_changes);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
