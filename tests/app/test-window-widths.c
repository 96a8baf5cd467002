/* test-window-widths.c: how much of its bars a window shows, wide or narrow
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-slot-table.h"

/* Of the window, of which GTK takes some pixels for a frame. */
#define FRAME 40

static void
resize (PenWindow *window, int width)
{
  gtk_window_set_default_size (GTK_WINDOW (window), width, 700);
  app_support_wait_for (ABS (gtk_widget_get_width (GTK_WIDGET (window)) - width) <= FRAME);
  app_support_run (50);
}

static gboolean
is_label (GtkWidget *widget, gpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text);
}

/* A label with that text, all of which is seen. */
static gboolean
is_legible (gpointer widget, const char *text)
{
  GtkWidget *label = window_support_find_widget (widget, is_label, (gpointer) text);

  return label && !pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label)));
}

/* The names of the recording and of the page, whatever width there is. */
static void
test_header (void)
{
  static const int widths[] = { 1500, 1280, 1120, 900, 800, 640, 400 };
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++) {
    GtkWidget *header;

    resize (window, widths[i]);
    header = window_support_find_type (window, ADW_TYPE_HEADER_BAR);
    g_assert_true (is_legible (header, "b-ftrace.data"));
    g_assert_true (is_legible (header, "Code"));
  }
  window_support_close_window (window);
}

/* The strips of time are in sight, beside instructions that can be told apart. */
static void
test_strips (void)
{
  static const int widths[] = { 1280, 900, 400 };
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  window_support_select_function (window, "vfs_read");
  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++) {
    PenSlotTable *table;
    int x, width;

    resize (window, widths[i]);
    gtk_widget_activate_action (GTK_WIDGET (window), "win.code-pane", "s", "annotation");
    app_support_settle (window->session);
    app_support_run (200);
    table = window_support_find_type (window->annotation, PEN_TYPE_SLOT_TABLE);
    g_assert_true (pen_slot_table_get_strip (table, &x, &width));
    g_assert_cmpint (width, >=, 70);
    g_assert_cmpint (x + width, <=, gtk_widget_get_width (GTK_WIDGET (window->annotation)));
    g_assert_cmpint (x, >=, 260);
  }
  window_support_close_window (window);
}

/* The picture: where there is room for all, they have two fifths of the pane, and instructions stay
 * legible. */
static void
test_strips_part (void)
{
  static const int widths[] = { 1280, 1600, 1900, 2600 };
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  window_support_select_function (window, "vfs_read");
  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++) {
    PenSlotTable *table;
    int x, width, pane, code;

    resize (window, widths[i]);
    app_support_settle (window->session);
    app_support_run (200);
    table = window_support_find_type (window->annotation, PEN_TYPE_SLOT_TABLE);
    pane = gtk_widget_get_width (GTK_WIDGET (window->annotation));
    code = gtk_column_view_column_get_fixed_width (
        pen_slot_table_get_column (table, PEN_SLOT_INSTRUCTION));
    g_assert_true (pen_slot_table_get_strip (table, &x, &width));
    g_test_message ("window %d, pane %d: instructions %d, strips %d", widths[i], pane, code, width);
    g_assert_cmpint (code, >=, 190);
    g_assert_cmpint (width, >=, pane >= 800 ? pane * 38 / 100 : pane * 30 / 100);
  }
  window_support_close_window (window);
}

static gboolean
is_clipped (GtkWidget *widget, gpointer window)
{
  graphene_rect_t bounds;

  return GTK_IS_TOGGLE_BUTTON (widget) && gtk_widget_has_css_class (widget, "legend")
         && (!gtk_widget_compute_bounds (widget, window, &bounds) || bounds.origin.x < 0
             || bounds.origin.x + bounds.size.width > gtk_widget_get_width (window)
             || bounds.size.width < 20);
}

/* All kinds are there to be clicked, in as many rows as that takes. */
static void
test_legend (void)
{
  PenWindow *window = window_support_open_window ("f-everything-z.data");
  GtkWidget *bar = GTK_WIDGET (window->filter_bar);
  int height = gtk_widget_get_height (bar);

  g_assert_null (window_support_find_widget (bar, is_clipped, window));
  resize (window, 400);
  g_assert_null (window_support_find_widget (bar, is_clipped, window));
  g_assert_cmpint (gtk_widget_get_height (bar), >, height * 3 / 2);
  resize (window, 1280);
  g_assert_cmpint (gtk_widget_get_height (bar), ==, height);
  window_support_close_window (window);
}

static gboolean
is_in_menu (PenWindow *window, const char *action)
{
  for (int i = 0; i < g_menu_model_get_n_items (G_MENU_MODEL (window->narrow_menu)); i++) {
    g_autoptr (GMenuModel) menu
        = g_menu_model_get_item_link (G_MENU_MODEL (window->narrow_menu), i, G_MENU_LINK_SUBMENU);
    g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, 0, G_MENU_LINK_SECTION);
    g_autofree char *first = NULL;

    g_menu_model_get_item_attribute (section, 0, G_MENU_ATTRIBUTE_ACTION, "s", &first);
    if (g_strcmp0 (first, action) == 0)
      return TRUE;
  }
  return FALSE;
}

/* A button that has no room is in the menu. */
static void
test_menu (void)
{
  static const struct {
    int width;
    gboolean opens;
    gboolean exports;
  } cases[]
      = { { 1280, FALSE, FALSE }, { 900, FALSE, TRUE }, { 640, FALSE, TRUE }, { 400, TRUE, TRUE },
          { 1280, FALSE, FALSE }, { 900, FALSE, TRUE }, { 400, TRUE, TRUE } };
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    resize (window, cases[i].width);
    g_assert_cmpint (is_in_menu (window, "win.open"), ==, cases[i].opens);
    g_assert_cmpint (gtk_widget_get_visible (GTK_WIDGET (window->open_button)), !=, cases[i].opens);
    g_assert_cmpint (is_in_menu (window, "win.export-functions"), ==, cases[i].exports);
    g_assert_cmpint (gtk_widget_get_visible (GTK_WIDGET (window->export_button)), !=,
                     cases[i].exports);
  }
  window_support_close_window (window);
}

static int
measure (PenWindow *window)
{
  int least;

  gtk_widget_measure (gtk_widget_get_first_child (GTK_WIDGET (window->fold)),
                      GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return least;
}

/* No page, and no pane, asks for more than a narrow window has, with text at 1.5 times its size,
 * too: it would be cut at the edge. */
static void
test_large_text (void)
{
  static const char *const pages[] = { "code", "map", "causes", "occupants", "recording" };
  static const char *const panes[] = { "functions", "annotation", "history" };
  PenWindow *window;
  int dpi;

  g_object_get (gtk_settings_get_default (), "gtk-xft-dpi", &dpi, NULL);
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 96 * 1024 * 3 / 2, NULL);
  window = window_support_open_window ("f-everything-z.data");
  resize (window, 400);
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++) {
    gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", pages[i]);
    app_support_settle (window->session);
    app_support_run (100);
    g_assert_cmpint (measure (window), <=, gtk_widget_get_width (GTK_WIDGET (window->fold)));
  }
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "code");
  for (gsize i = 0; i < G_N_ELEMENTS (panes); i++) {
    gtk_widget_activate_action (GTK_WIDGET (window), "win.code-pane", "s", panes[i]);
    app_support_settle (window->session);
    app_support_run (100);
    g_assert_cmpint (measure (window), <=, gtk_widget_get_width (GTK_WIDGET (window->fold)));
  }
  resize (window, 360);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "callers");
  app_support_settle (window->session);
  app_support_run (100);
  g_assert_cmpint (measure (window), <=, gtk_widget_get_width (GTK_WIDGET (window->fold)));
  window_support_close_window (window);
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", dpi, NULL);
}

static void
add_tests (void)
{
  g_test_add_func ("/widths/header", test_header);
  g_test_add_func ("/widths/strips", test_strips);
  g_test_add_func ("/widths/strips-part", test_strips_part);
  g_test_add_func ("/widths/legend", test_legend);
  g_test_add_func ("/widths/menu", test_menu);
  g_test_add_func ("/widths/large-text", test_large_text);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
