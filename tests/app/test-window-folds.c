/* test-window-folds.c: how the window folds, and what stays in sight
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-slot-row.h"

/* Of the window, of which GTK takes some pixels for a frame. */
#define FRAME 40

static gboolean
is_as_wide (PenWindow *window, int width)
{
  return ABS (gtk_widget_get_width (GTK_WIDGET (window)) - width) < FRAME;
}

static void
resize (PenWindow *window, int width, int height)
{
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  app_support_wait_for (is_as_wide (window, width));
  app_support_run (50);
  g_assert_true (is_as_wide (window, width));
}

static gboolean
shows (gpointer widget)
{
  return gtk_widget_get_mapped (GTK_WIDGET (widget));
}

static void
find_buttons (GtkWidget *widget, GPtrArray *buttons)
{
  if (GTK_IS_TOGGLE_BUTTON (widget))
    g_ptr_array_add (buttons, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    find_buttons (child, buttons);
}

/* The label below the icon. */
static GtkWidget *
find_label (GtkWidget *widget)
{
  GtkWidget *label = NULL;

  if (gtk_widget_has_css_class (widget, "narrow"))
    return gtk_widget_get_last_child (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child && !label;
       child = gtk_widget_get_next_sibling (child))
    label = find_label (child);
  return label;
}

/* The pages along the bottom: all of their names are whole, or icons have them as tooltips.
 * Returns: whether names are there */
static gboolean
check_page_bar (PenWindow *window, int width)
{
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();
  gboolean has_names = FALSE;

  resize (window, width, 700);
  app_support_run (100);
  find_buttons (GTK_WIDGET (window->switcher_bar), buttons);
  g_assert_cmpuint (buttons->len, ==, PEN_PAGES);
  for (guint i = 0; i < buttons->len; i++) {
    GtkWidget *label = find_label (buttons->pdata[i]);
    int needed;

    if (i > 0)
      g_assert_cmpint (gtk_widget_get_visible (label), ==, has_names);
    has_names = gtk_widget_get_visible (label);
    gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &needed, NULL, NULL);
    if (has_names)
      g_assert_cmpint (gtk_widget_get_width (label), >=, needed);
    g_assert_cmpstr (gtk_widget_get_tooltip_text (buttons->pdata[i]), ==,
                     has_names ? NULL : pen_page_get_title (i));
    /* Its own label is its name, where that is shown. */
    if (!has_names)
      gtk_test_accessible_assert_property (buttons->pdata[i], GTK_ACCESSIBLE_PROPERTY_LABEL,
                                           pen_page_get_title (i));
  }
  return has_names;
}

static void
test_page_bar (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  for (int width = 360; width < 440; width += 20)
    check_page_bar (window, width);
  g_assert_true (check_page_bar (window, 460));
  g_assert_false (check_page_bar (window, 360));
  g_assert_true (check_page_bar (window, 460));
  window_support_close_window (window);
}

/* One pane at a time where there is no room for more; the whole again when there is. */
static void
test_fold (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  g_assert_true (shows (window->functions) && shows (window->annotation)
                 && shows (window->history));
  g_assert_false (adw_view_switcher_bar_get_reveal (window->switcher_bar));

  /* The kernel's release stands in the title where there is room for it. */
  resize (window, 1400, 800);
  g_assert_nonnull (strstr (adw_window_title_get_subtitle (window->title), " · "));
  resize (window, 900, 600);
  g_assert_null (strstr (adw_window_title_get_subtitle (window->title), " · "));
  g_assert_cmpstr (adw_window_title_get_subtitle (window->title), !=, "");

  resize (window, 400, 700);
  g_assert_true (shows (window->functions));
  g_assert_false (shows (window->annotation) || shows (window->history));
  g_assert_true (adw_view_switcher_bar_get_reveal (window->switcher_bar));
  g_assert_cmpstr (adw_window_title_get_title (window->centre_title), !=, "Pentimento");

  g_assert_true (
      gtk_widget_activate_action (GTK_WIDGET (window), "win.code-pane", "s", "annotation"));
  app_support_run (20);
  g_assert_true (shows (window->annotation));
  g_assert_false (shows (window->functions) || shows (window->history));
  window_support_activate (window, "win.history-pane");
  app_support_run (20);
  g_assert_true (shows (window->history));
  g_assert_false (shows (window->functions) || shows (window->annotation));

  /* The search is for functions: where they are not in sight, they come. */
  window_support_activate (window, "win.search");
  app_support_run (20);
  g_assert_true (shows (window->functions));

  resize (window, 900, 600);
  g_assert_true (shows (window->functions) && shows (window->annotation)
                 && shows (window->history));
  window_support_close_window (window);
}

static void
test_overview_folds (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  g_assert_true (shows (window->timeline));
  window_support_activate (window, "win.overview");
  app_support_run (20);
  g_assert_false (shows (window->timeline));
  g_assert_true (shows (window->functions));
  window_support_activate (window, "win.overview");
  app_support_run (20);
  g_assert_true (shows (window->timeline));
  window_support_close_window (window);
}

/* Sizes of the panes follow the window, until a person moves one. */
static void
test_panes_follow_the_window (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  int functions, history;

  functions = gtk_paned_get_position (window->functions_paned);
  resize (window, 1700, 900);
  g_assert_cmpint (gtk_paned_get_position (window->functions_paned), >, functions + 50);
  history = gtk_widget_get_width (GTK_WIDGET (window->history));
  g_assert_cmpint (history, >, 340);
  resize (window, 1280, 800);
  g_assert_cmpint (ABS (gtk_paned_get_position (window->functions_paned) - functions), <, 8);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window->history)), <, history);

  gtk_paned_set_position (window->functions_paned, 260);
  app_support_run (50);
  history = gtk_widget_get_width (GTK_WIDGET (window->history));
  resize (window, 1700, 900);
  g_assert_cmpint (gtk_paned_get_position (window->functions_paned), ==, 260);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window->history)), ==, history);
  window_support_close_window (window);
}

static int
get_fixed_width (GtkColumnView *view, guint position)
{
  g_autoptr (GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (view), position);

  return gtk_column_view_column_get_fixed_width (column);
}

/* Larger text needs more room: columns are wider, and there is room for less. */
static void
test_large_text (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  GtkColumnView *table = window_support_find_type (
      window_support_child (window->annotation, "view"), GTK_TYPE_COLUMN_VIEW);
  int offset = get_fixed_width (table, 0), dpi;

  g_object_get (gtk_settings_get_default (), "gtk-xft-dpi", &dpi, NULL);
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", 2 * 96 * 1024, NULL);
  app_support_wait_for (pen_fold_get_width_class (window->fold) <= PEN_WIDTH_NARROW);
  g_assert_cmpint (get_fixed_width (table, 0), >=, 2 * offset - 1);

  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", dpi, NULL);
  app_support_wait_for (pen_fold_get_width_class (window->fold) == PEN_WIDTH_WIDE);
  g_assert_cmpint (get_fixed_width (table, 0), ==, offset);
  window_support_close_window (window);
}

/* Of the annotation the whole row: it draws its texts. */
static gboolean
is_cell_text (GtkWidget *widget, gpointer data)
{
  if (PEN_IS_SLOT_ROW (widget))
    return TRUE;
  return GTK_IS_LABEL (widget) && gtk_widget_get_ancestor (widget, GTK_TYPE_LIST_VIEW)
         && gtk_widget_get_ancestor (widget, GTK_TYPE_COLUMN_VIEW)
         && gtk_label_get_text (GTK_LABEL (widget))[0] != '\0';
}

/* Code, numbers and times go from left to right where the rest of the window goes the other way. */
static void
test_right_to_left (void)
{
  PenWindow *window;
  GtkWidget *tables[3], *text;

  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  window = window_support_open_window ("b-ftrace.data");
  tables[0] = GTK_WIDGET (window->functions);
  tables[1] = GTK_WIDGET (window->annotation);
  window_support_show_page (window, "causes");
  tables[2] = GTK_WIDGET (window->changes);
  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++) {
    GtkWidget *view;

    g_assert_cmpint (gtk_widget_get_direction (tables[i]), ==, GTK_TEXT_DIR_RTL);
    text = window_support_find_widget (tables[i], is_cell_text, NULL);
    g_assert_nonnull (text);
    g_assert_cmpint (gtk_widget_get_direction (text), ==, GTK_TEXT_DIR_LTR);
    view = gtk_widget_get_ancestor (text, PEN_IS_SLOT_ROW (text) ? PEN_TYPE_SLOT_TABLE
                                                                 : GTK_TYPE_COLUMN_VIEW);
    g_assert_cmpint (gtk_widget_get_direction (view), ==, GTK_TEXT_DIR_LTR);
  }
  window_support_close_window (window);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

/* The page is the session's: whoever sets it there turns it. */
static void
test_pages (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CODE);
  window_support_show_page (window, "causes");
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CAUSES);
  g_assert_true (shows (window->changes));
  g_assert_false (shows (window->history_button));
  pen_session_set_page (window->session, PEN_PAGE_CODE);
  app_support_run (20);
  g_assert_true (shows (window->functions) && shows (window->history_button));

  /* F6 goes from the overview into the page, and back. */
  window_support_show_page (window, "causes");
  gtk_widget_grab_focus (GTK_WIDGET (window->timeline));
  window_support_activate (window, "win.next-pane");
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)),
                                         GTK_WIDGET (window->causes)));
  g_assert_false (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)),
                                          GTK_WIDGET (window->changes)));
  window_support_activate (window, "win.next-pane");
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)),
                                         GTK_WIDGET (window->changes)));
  window_support_activate (window, "win.next-pane");
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (window->timeline)));
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/folds/page-bar", test_page_bar);
  g_test_add_func ("/folds/fold", test_fold);
  g_test_add_func ("/folds/overview-folds", test_overview_folds);
  g_test_add_func ("/folds/panes-follow-the-window", test_panes_follow_the_window);
  g_test_add_func ("/folds/large-text", test_large_text);
  g_test_add_func ("/folds/right-to-left", test_right_to_left);
  g_test_add_func ("/folds/pages", test_pages);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
