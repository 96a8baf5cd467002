/* test-window-row-places.c: from a row to the same in another view
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-function-item.h"
#include "pen-occupant-item.h"

#define CAPTURE "d-bpf.data"
#define PROGRAM "bpf_prog_a81104feebb56204_sock_b"

/* The last load of it that came and went. */
static const PenOccupantRow *
select_program (PenWindow *window)
{
  GListModel *model = window_support_list_all (window->occupants);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (PenOccupantItem) item = g_list_model_get_item (model, i);
    const PenOccupantRow *row = pen_occupant_item_get_row (item);

    if (g_str_equal (row->occupant, PROGRAM) && g_array_index (row->lives, PenLife, 0).from > 0) {
      gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (model), i);
      return row;
    }
  }
  g_assert_not_reached ();
}

/* Of the item with that action. (transfer full) (nullable) */
static GVariant *
find_attribute (GMenuModel *menu, const char *wanted, const char *attribute)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
    g_autofree char *action = NULL;

    g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action);
    if (g_strcmp0 (action, wanted) == 0)
      return g_menu_model_get_item_attribute_value (menu, i, attribute, NULL);
    if (section) {
      GVariant *value = find_attribute (section, wanted, attribute);

      if (value)
        return value;
    }
  }
  return NULL;
}

/* As the item of the menu that the menu key opens. */
static void
choose (PenWindow *window, const char *action)
{
  g_autoptr (GMenuModel) menu
      = window_support_dup_menu (window_support_child (window->occupants, "view"));
  g_autoptr (GVariant) target = find_attribute (menu, action, G_MENU_ATTRIBUTE_TARGET);

  g_assert_nonnull (target);
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (window), action, target));
  app_support_run (50);
  app_support_settle (window->session);
}

static PenWindow *
open_occupants (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "occupants");
  app_support_run (50);
  app_support_settle (window->session);
  return window;
}

static void
test_map (void)
{
  PenWindow *window = open_occupants ();
  const PenOccupantRow *row = select_program (window);
  guint64 start = row->start, end = row->end;
  const PenAddressAxis *axis;
  PenAxisView view;

  /* Twice: before there is an axis, and then. */
  for (guint i = 0; i < 2; i++) {
    gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "occupants");
    app_support_run (50);
    app_support_settle (window->session);
    select_program (window);
    choose (window, "win.show-in-map");
    g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_MAP);
    axis = pen_session_get_answers (window->session)->axis;
    view = pen_session_get_view (window->session)->axis_view;
    g_assert_cmpfloat (view.to - view.from, <, 0.9);
    g_assert_cmphex (pen_address_axis_get_address (axis, view.from), <=, start);
    g_assert_cmphex (pen_address_axis_get_address (axis, view.to), >=, end);
    pen_session_set_axis_view (window->session, (PenAxisView){ 0, 1 });
  }
  window_support_close_window (window);
}

static void
test_lifetime (void)
{
  PenWindow *window = open_occupants ();
  const PenOccupantRow *row = select_program (window);
  PenLife life = g_array_index (row->lives, PenLife, 0);
  PenSpan visible;

  choose (window, "win.zoom-to");
  visible = pen_session_get_view (window->session)->visible;
  g_assert_cmpuint (visible.from, <=, life.from);
  g_assert_cmpuint (visible.to, >=, life.to);
  g_assert_cmpuint (pen_span_length (visible), <=, (life.to - life.from) * 6 / 5);
  window_support_close_window (window);
}

/* In the menu of an occupant, too. */
static void
test_holders_item (void)
{
  PenWindow *window = open_occupants ();
  gpointer pages[] = { window->functions, window->occupants };

  select_program (window);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++) {
    g_autoptr (GMenuModel) menu = window_support_dup_menu (window_support_child (pages[i], "view"));
    g_autoptr (GVariant) label = find_attribute (menu, "win.show-holders", G_MENU_ATTRIBUTE_LABEL);

    g_assert_nonnull (label);
    g_assert_cmpstr (g_variant_get_string (label, NULL), ==, "_Who Else Held This");
  }
  window_support_close_window (window);
}

/* All that held one of the addresses, and nothing else, whatever was filtered for before. */
static void
test_holders (void)
{
  PenWindow *window = open_occupants ();
  const PenOccupantRow *row = select_program (window);
  guint64 start = row->start, end = row->end;
  guint n_all = pen_session_get_answers (window->session)->occupants->rows->len, n = 0;
  GPtrArray *rows;

  for (guint i = 0; i < n_all; i++) {
    const PenOccupantRow *one
        = pen_session_get_answers (window->session)->occupants->rows->pdata[i];

    n += one->start < end && one->end > start;
  }
  g_assert_cmpuint (n, >, 3);
  g_assert_true (pen_session_add_filter_text (window->session, "kind:bpf", NULL));
  app_support_settle (window->session);
  select_program (window);
  choose (window, "win.show-holders");
  rows = pen_session_get_answers (window->session)->occupants->rows;
  for (guint i = 0; i < rows->len; i++) {
    const PenOccupantRow *one = rows->pdata[i];

    g_assert_cmphex (one->start, <, end);
    g_assert_cmphex (one->end, >, start);
  }
  g_assert_cmpuint (rows->len, ==, n);
  window_support_close_window (window);
}

/* Empty cells are last in both directions. */
static void
test_empty_last (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  GtkColumnView *view = window_support_child (window->functions, "view");
  GListModel *model = G_LIST_MODEL (window_support_child (window->functions, "selection"));
  GtkColumnViewColumn *changes = g_list_model_get_item (gtk_column_view_get_columns (view), 2);
  guint n = g_list_model_get_n_items (model);
  guint64 first[2] = { 0 };

  for (GtkSortType type = GTK_SORT_ASCENDING; type <= GTK_SORT_DESCENDING; type++) {
    gboolean was_empty = FALSE;

    gtk_column_view_sort_by_column (view, NULL, GTK_SORT_ASCENDING);
    gtk_column_view_sort_by_column (view, changes, type);
    for (guint i = 0; i < n; i++) {
      g_autoptr (PenFunctionItem) item = g_list_model_get_item (model, i);
      guint64 count = pen_function_item_get_row (item)->function.changes;

      if (i == 0)
        first[type] = count;
      g_assert_true (count == 0 || !was_empty);
      was_empty = count == 0;
    }
    g_assert_true (was_empty);
  }
  g_assert_cmpuint (first[GTK_SORT_ASCENDING], >, first[GTK_SORT_DESCENDING]);
  g_object_unref (changes);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/row-places/map", test_map);
  g_test_add_func ("/row-places/lifetime", test_lifetime);
  g_test_add_func ("/row-places/holders", test_holders);
  g_test_add_func ("/row-places/holders-item", test_holders_item);
  g_test_add_func ("/row-places/empty-last", test_empty_last);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
