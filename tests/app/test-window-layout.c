/* test-window-layout.c: how a person arranges a window, and that it stays so
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-column-widths.h"
#include "pen-column.h"
#include "pen-layout.h"
#include "pen-pane.h"
#include "pen-slot-table.h"
#include "pen-verdict-bar.h"

#define CAPTURE "b-ftrace.data"
#define COLUMNS "columns.PenFunctionsView"
#define ORDER "order.PenFunctionsView"

static GtkColumnViewColumn *
get_column (PenWindow *window, guint position)
{
  GtkColumnView *view = window_support_child (window->functions, "view");
  g_autoptr (GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (view), position);

  return column;
}

static int
get_width (PenWindow *window, guint position)
{
  return gtk_column_view_column_get_fixed_width (get_column (window, position));
}

/* As it is after the next start of the program. */
static PenLayout *
read_layout (void)
{
  PenLayout *layout;
  gboolean is_loaded = FALSE;

  pen_layout_flush (pen_layout_get_default ());
  layout = pen_layout_new ();
  g_signal_connect_swapped (layout, "loaded", G_CALLBACK (g_atomic_int_inc), &is_loaded);
  while (!is_loaded)
    g_main_context_iteration (NULL, TRUE);
  return layout;
}

static void
test_column_widths (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  GtkWidget *view = window_support_child (window->functions, "view");
  g_autoptr (PenLayout) layout = NULL;
  int width = get_width (window, 1);
  g_autofree char *kept = g_strdup_printf ("Samples=%d", width + 33);
  g_autofree char *item = NULL;

  g_assert_cmpint (width, >, 0);
  g_assert_null (pen_layout_get (pen_layout_get_default (), COLUMNS));
  /* As a drag of its edge does. */
  gtk_column_view_column_set_fixed_width (get_column (window, 1), width + 33);
  app_support_run (30);
  window_support_close_window (window);

  layout = read_layout ();
  g_assert_cmpstr (pen_layout_get (layout, COLUMNS), ==, kept);
  window = window_support_open_window (CAPTURE);
  view = window_support_child (window->functions, "view");
  g_assert_cmpint (get_width (window, 1), ==, width + 33);

  g_menu_model_get_item_attribute (gtk_column_view_column_get_header_menu (get_column (window, 1)),
                                   0, G_MENU_ATTRIBUTE_ACTION, "s", &item);
  g_assert_true (gtk_widget_activate_action (view, item, NULL));
  g_assert_cmpint (get_width (window, 1), ==, width);
  g_object_unref (layout);
  layout = read_layout ();
  g_assert_null (pen_layout_get (layout, COLUMNS));
  window_support_close_window (window);
}

static const char *
get_title (PenWindow *window, guint position)
{
  return gtk_column_view_column_get_title (get_column (window, position));
}

/* Titles stay where they were dragged to, in the annotation, too, which draws its rows itself. */
static void
test_column_order (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  GtkColumnView *view = window_support_child (window->functions, "view");
  GtkColumnView *titles;
  PenSlotTable *table;
  g_autoptr (PenLayout) layout = NULL;
  g_autofree char *item = NULL;
  int x, width;

  g_assert_cmpstr (get_title (window, 0), ==, "Function");
  g_assert_null (pen_layout_get (pen_layout_get_default (), ORDER));
  /* As a drag of a title does. */
  gtk_column_view_insert_column (view, 0, get_column (window, 1));
  window_support_select_function (window, "vfs_read");
  titles = window_support_find_type (window->annotation, GTK_TYPE_COLUMN_VIEW);
  table = window_support_find_type (window->annotation, PEN_TYPE_SLOT_TABLE);
  gtk_column_view_insert_column (titles, 0, pen_slot_table_get_column (table, PEN_SLOT_TIME));
  app_support_run (30);
  window_support_close_window (window);

  layout = read_layout ();
  g_assert_cmpstr (pen_layout_get (layout, ORDER), ==, "Samples;Function;↯;Share");
  window = window_support_open_window (CAPTURE);
  window_support_select_function (window, "vfs_read");
  view = window_support_child (window->functions, "view");
  g_assert_cmpstr (get_title (window, 0), ==, "Samples");
  g_assert_cmpstr (get_title (window, 1), ==, "Function");
  titles = window_support_find_type (window->annotation, GTK_TYPE_COLUMN_VIEW);
  table = window_support_find_type (window->annotation, PEN_TYPE_SLOT_TABLE);
  g_assert_true (pen_slot_table_get_strip (table, &x, &width));
  g_assert_cmpint (x, <, 50);
  g_assert_cmpstr (
      gtk_column_view_column_get_title (pen_slot_table_get_column (table, PEN_SLOT_OFFSET)), ==,
      "Offset");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (titles), "columns.reset", NULL));

  g_menu_model_get_item_attribute (gtk_column_view_column_get_header_menu (get_column (window, 1)),
                                   0, G_MENU_ATTRIBUTE_ACTION, "s", &item);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (view), item, NULL));
  g_assert_cmpstr (get_title (window, 0), ==, "Function");
  g_assert_cmpstr (get_title (window, 3), ==, "Share");
  g_object_unref (layout);
  layout = read_layout ();
  g_assert_null (pen_layout_get (layout, ORDER));
  window_support_close_window (window);
}

/* Impossible values in the file are left alone. */
static void
test_odd_widths (void)
{
  PenLayout *layout = pen_layout_get_default ();
  PenWindow *window = window_support_open_window (CAPTURE);
  const int samples = get_width (window, 1), changes = get_width (window, 2);

  window_support_close_window (window);
  pen_layout_set (layout, COLUMNS, "Samples=-5;Share;=7;↯=99999999;Function=300");
  window = window_support_open_window (CAPTURE);
  g_assert_cmpint (get_width (window, 0), ==, 300);
  g_assert_cmpint (get_width (window, 1), ==, samples);
  g_assert_cmpint (get_width (window, 2), ==, changes);
  pen_layout_set (layout, COLUMNS, NULL);
  window_support_close_window (window);
}

/* ---- the overview ---- */

static void
resize (PenWindow *window, int width, int height)
{
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  app_support_wait_for (ABS (gtk_widget_get_height (GTK_WIDGET (window)) - height) <= 40);
  app_support_run (50);
}

static int
get_overview_height (PenWindow *window)
{
  return gtk_widget_get_height (GTK_WIDGET (window->timeline));
}

static gboolean
is_folded (PenWindow *window)
{
  gboolean folded;

  g_object_get (window, "overview-folded", &folded, NULL);
  return folded;
}

/* As the key does. */
static void
toggle (PenWindow *window)
{
  gtk_widget_activate_action (GTK_WIDGET (window), "win.fold-overview", NULL);
  app_support_run (60);
}

static void
test_fold_overview (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  g_autoptr (PenLayout) layout = NULL;
  int height = get_overview_height (window);

  g_assert_false (is_folded (window));
  g_assert_cmpint (height, >, 120);
  toggle (window);
  g_assert_true (is_folded (window));
  g_assert_cmpint (get_overview_height (window), ==, 72);
  toggle (window);
  g_assert_cmpint (get_overview_height (window), ==, height);

  /* To the height that a person gave it. */
  gtk_paned_set_position (window->overview_paned, height + 20);
  app_support_run (50);
  toggle (window);
  g_assert_cmpint (get_overview_height (window), ==, 72);
  toggle (window);
  g_assert_cmpint (get_overview_height (window), ==, height + 20);

  toggle (window);
  window_support_close_window (window);
  layout = read_layout ();
  g_assert_cmpstr (pen_layout_get (layout, "overview"), ==, "folded");
  window = window_support_open_window (CAPTURE);
  g_assert_cmpint (get_overview_height (window), ==, 72);
  /* Whoever drags its edge down wants to see more. */
  gtk_paned_set_position (window->overview_paned, 200);
  app_support_run (60);
  g_assert_false (is_folded (window));
  g_assert_cmpint (get_overview_height (window), >, 150);
  window_support_close_window (window);
}

static void
test_low_window (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  static const int sizes[][2] = { { 900, 600 }, { 400, 700 } };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
    resize (window, sizes[i][0], sizes[i][1]);
    g_assert_true (is_folded (window));
    g_assert_cmpint (get_overview_height (window), ==, 72);
  }
  resize (window, 1280, 800);
  g_assert_false (is_folded (window));
  g_assert_cmpint (get_overview_height (window), >, 120);

  /* Unfolded in a low window, it stays so there. */
  resize (window, 900, 600);
  toggle (window);
  g_assert_cmpint (get_overview_height (window), >, 120);
  resize (window, 1280, 800);
  resize (window, 900, 600);
  g_assert_false (is_folded (window));
  window_support_close_window (window);
  window = window_support_open_window (CAPTURE);
  resize (window, 900, 600);
  g_assert_false (is_folded (window));
  toggle (window);
  window_support_close_window (window);
}

/* One ruler for overview and map. */
static void
test_one_ruler (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "map");
  app_support_settle (window->session);
  g_assert_cmpint (pen_plot_view_get_plot (PEN_PLOT_VIEW (window->map)).y, ==, 0);
  window_support_activate (window, "win.overview");
  app_support_run (50);
  g_assert_cmpint (pen_plot_view_get_plot (PEN_PLOT_VIEW (window->map)).y, >, 0);
  window_support_activate (window, "win.overview");
  app_support_run (50);
  g_assert_cmpint (pen_plot_view_get_plot (PEN_PLOT_VIEW (window->map)).y, ==, 0);
  window_support_close_window (window);
}

/* ---- what is missing ---- */

static gboolean
is_revealed (PenWindow *window)
{
  GtkRevealer *revealer = window_support_find_type (window->missing_banner, GTK_TYPE_REVEALER);

  return gtk_revealer_get_reveal_child (revealer);
}

static gboolean
is_copy (GtkWidget *widget, gpointer data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_visible (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), "Copy Co_mmand") == 0;
}

/* Without patches a bar says so, and nothing points to changes. */
static void
test_missing_patches (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  GtkWidget *toggle;

  g_assert_false (is_revealed (window));
  toggle = window_support_child (window->functions, "changed");
  g_assert_true (gtk_widget_get_visible (toggle));
  g_assert_true (gtk_column_view_column_get_visible (get_column (window, 2)));
  window_support_close_window (window);

  window = window_support_open_without_pokes ();
  app_support_wait_for (is_revealed (window));
  g_assert_nonnull (
      window_support_find_widget (GTK_WIDGET (window->missing_banner), is_copy, NULL));
  toggle = window_support_child (window->functions, "changed");
  g_assert_false (gtk_widget_get_visible (toggle));
  g_assert_false (gtk_column_view_column_get_visible (get_column (window, 2)));
  window_support_close_window (window);
}

/* GTK 4.8 measures for heights that no window may have, too, and complains of panes that are higher
 * for a width than without one. */
static void
test_little_height (void)
{
  static const int widths[] = { 400, 802, 1280 };
  PenWindow *window = window_support_open_window (CAPTURE);
  GtkWidget *verdict;

  window_support_select_function (window, "vfs_read");
  verdict = window_support_find_type (window->annotation, PEN_TYPE_VERDICT_BAR);
  gtk_toggle_button_set_active (window_support_child (verdict, "unfold"), TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++) {
    gtk_window_set_default_size (GTK_WINDOW (window), widths[i], 500);
    for (PenPage page = 0; page < PEN_PAGES; page++) {
      pen_session_set_page (window->session, page);
      app_support_settle (window->session);
      app_support_run (50);
      for (int height = 50; height <= 500; height += 29) {
        int minimum;

        gtk_widget_measure (GTK_WIDGET (window->toasts), GTK_ORIENTATION_HORIZONTAL, height,
                            &minimum, NULL, NULL, NULL);
        g_assert_cmpint (minimum, >, 0);
      }
    }
  }
  window_support_close_window (window);
}

/* Panes that become narrow and wide again before the main loop goes on. */
static void
test_last_request (void)
{
  GtkWidget *label = g_object_ref_sink (gtk_label_new ("pane"));
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new ("column", NULL);

  pen_column_widths_init (column, "column", 50);
  for (guint turn = 0; turn < 4; turn++) {
    for (guint i = 0; i < 2 + turn / 2; i++) {
      pen_pane_set_visible_later (label, (i + turn) % 2 == 0);
      pen_column_set_visible_later (column, (i + turn) % 2 == 0);
    }
    app_support_run (20);
    g_assert_cmpint (gtk_widget_get_visible (label), ==, (turn + turn / 2) % 2 == 1);
    g_assert_cmpint (gtk_column_view_column_get_visible (column), ==, (turn + turn / 2) % 2 == 1);
  }
  g_object_unref (label);
}

static void
add_tests (void)
{
  g_test_add_func ("/layout/missing-patches", test_missing_patches);
  g_test_add_func ("/layout/fold-overview", test_fold_overview);
  g_test_add_func ("/layout/low-window", test_low_window);
  g_test_add_func ("/layout/one-ruler", test_one_ruler);
  g_test_add_func ("/layout/little-height", test_little_height);
  g_test_add_func ("/layout/column-widths", test_column_widths);
  g_test_add_func ("/layout/column-order", test_column_order);
  g_test_add_func ("/layout/odd-widths", test_odd_widths);
  g_test_add_func ("/layout/last-request", test_last_request);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
