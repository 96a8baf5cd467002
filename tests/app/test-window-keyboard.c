/* test-window-keyboard.c: everything can be reached with keys, and left again
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-function-item.h"
#include "pen-help-window.h"

/* Stops of Tab in a whole window, the rows of the recording among them; long lists have more. */
#define STOPS_MAX 130

static GtkWidget *
get_focus (PenWindow *window)
{
  return gtk_window_get_focus (GTK_WINDOW (window));
}

static gboolean
is_in (GtkWidget *focus, gpointer pane)
{
  return focus == pane || gtk_widget_is_ancestor (focus, pane);
}

/* Tab from the overview until it is there again. Returns: how many stops that took; those in @pane
 * are counted in @n_in_pane. */
static guint
walk (PenWindow *window, GtkDirectionType direction, gpointer pane, guint *n_in_pane)
{
  GtkWidget *start = GTK_WIDGET (window->timeline);
  guint n = 0;

  *n_in_pane = 0;
  g_assert_true (gtk_widget_grab_focus (start));
  do {
    g_signal_emit_by_name (window, "move-focus", direction);
    if (get_focus (window) && is_in (get_focus (window), pane)) {
      ++*n_in_pane;
      g_assert_true (gtk_widget_get_mapped (get_focus (window)));
    }
    n++;
    g_assert_cmpuint (n, <, STOPS_MAX);
  } while (get_focus (window) != start);
  return n;
}

/* No list, however long, keeps the focus to itself. */
static void
test_tab (void)
{
  static const char *const pages[]
      = { "code", "callers", "map", "causes", "occupants", "recording" };
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++) {
    guint n_forward, n_backward;

    window_support_show_page (window, pages[i]);
    walk (window, GTK_DIR_TAB_FORWARD, adw_view_stack_get_visible_child (window->views),
          &n_forward);
    g_assert_cmpuint (n_forward, >, 0);
    walk (window, GTK_DIR_TAB_BACKWARD, adw_view_stack_get_visible_child (window->views),
          &n_backward);
    g_assert_cmpuint (n_backward, >, 0);
  }
  window_support_close_window (window);
}

/* F6 goes to the lists themselves, in the order of the panes, and Shift+F6 back. */
static void
test_panes (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  gpointer panes[] = { window->timeline, window->functions, window->annotation, window->history };
  guint n = G_N_ELEMENTS (panes);
  guint64 address;

  window_support_select_function (window, "vfs_read");
  g_assert_true (
      pen_answers_find_hottest_line (pen_session_get_answers (window->session), &address));
  pen_window_show_line (window, address);
  app_support_settle (window->session);
  app_support_run (50);
  gtk_widget_grab_focus (GTK_WIDGET (window->timeline));
  for (guint i = 1; i <= n; i++) {
    window_support_activate (window, "win.next-pane");
    g_assert_true (is_in (get_focus (window), panes[i % n]));
    g_assert_true (i == n || !GTK_IS_EDITABLE (get_focus (window)));
  }
  for (guint i = 1; i <= n; i++) {
    window_support_activate (window, "win.previous-pane");
    g_assert_true (is_in (get_focus (window), panes[n - i]));
  }
  window_support_close_window (window);
}

static char *
dup_first_name (PenWindow *window)
{
  g_autoptr (PenFunctionItem) item = g_list_model_get_item (
      G_LIST_MODEL (window_support_child (window->functions, "selection")), 0);

  return pen_function_item_dup_name (item);
}

static gboolean
is_table (GtkWidget *widget, gpointer data)
{
  return GTK_IS_COLUMN_VIEW (widget);
}

/* Titles do not take the focus: the menu of a row sorts, too. */
static void
test_sort (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  GtkWidget *table = window_support_find_widget (GTK_WIDGET (window->functions), is_table, NULL);
  g_autofree char *hottest = dup_first_name (window);
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;
  g_autofree char *again = NULL;

  g_assert_true (gtk_widget_activate_action (table, "row-menu.sort-by", "u", 0));
  first = dup_first_name (window);
  g_assert_true (gtk_widget_activate_action (table, "row-menu.sort-by", "u", 0));
  last = dup_first_name (window);
  g_assert_cmpint (g_ascii_strcasecmp (first, last), <, 0);
  g_assert_true (gtk_widget_activate_action (table, "row-menu.sort-by", "u", 1));
  again = dup_first_name (window);
  g_assert_cmpstr (again, ==, hottest);
  window_support_close_window (window);
}

/* Columns that go with their window change the order of what they sorted: views that are half gone
 * do not listen any more. */
static void
test_sorted_to_the_end (void)
{
  static const char *const pages[] = { "code", "changes", "occupants" };

  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++) {
    PenWindow *window = window_support_open_window ("b-ftrace.data");
    GtkWidget *page;

    window_support_select_function (window, "vfs_read");
    window_support_show_page (window, pages[i]);
    page = adw_view_stack_get_visible_child (window->views);
    g_assert_true (gtk_widget_activate_action (window_support_find_widget (page, is_table, NULL),
                                               "row-menu.sort-by", "u", 1));
    g_assert_true (gtk_widget_activate_action (window_support_find_widget (page, is_table, NULL),
                                               "row-menu.sort-by", "u", 0));
    app_support_settle (window->session);
    window_support_close_window (window);
  }
}

static gboolean
is_search (GtkWidget *widget, gpointer data)
{
  return GTK_IS_SEARCH_ENTRY (widget);
}

static PenHelpWindow *
find_help (void)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();

  for (GList *at = all; at; at = at->next) {
    if (PEN_IS_HELP_WINDOW (at->data))
      return at->data;
  }
  return NULL;
}

/* Escape leads out of the search of the manual, and then out of the manual. */
static void
test_help (void)
{
  PenWindow *window = window_support_new_window ();
  GtkWidget *search;

  pen_help_window_show (gtk_window_get_application (GTK_WINDOW (window)), NULL);
  app_support_run (50);
  g_assert_nonnull (find_help ());
  search = window_support_find_widget (GTK_WIDGET (find_help ()), is_search, NULL);
  gtk_editable_set_text (GTK_EDITABLE (search), "tenure");
  g_signal_emit_by_name (search, "stop-search");
  g_assert_nonnull (find_help ());
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (search)), ==, "");
  g_signal_emit_by_name (search, "stop-search");
  app_support_run (20);
  g_assert_null (find_help ());
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/keyboard/tab", test_tab);
  g_test_add_func ("/keyboard/panes", test_panes);
  g_test_add_func ("/keyboard/sort", test_sort);
  g_test_add_func ("/keyboard/sorted-to-the-end", test_sorted_to_the_end);
  g_test_add_func ("/keyboard/help", test_help);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
