/* test-window-ahead.c: pages are made before somebody looks at them, and no more of them than the
 * first look shows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

/* Longer than a list takes to grow a few times. */
#define WHILE_MS 300

static guint
count_rows (gpointer view)
{
  return g_list_model_get_n_items (window_support_child (view, "selection"));
}

static gboolean
is_text (GtkWidget *widget, gpointer text)
{
  return GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text);
}

static gboolean
has_text (gpointer view, const char *text)
{
  return window_support_find_widget (view, is_text, (gpointer) text) != NULL;
}

static void
show_page (PenWindow *window, const char *page)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", page));
}

static void
test_lists (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  guint n_first;

  app_support_run (WHILE_MS);
  n_first = count_rows (window->occupants);
  g_test_message ("%u occupants listed while hidden", n_first);
  g_assert_cmpuint (n_first, >, 0);
  g_assert_cmpuint (n_first, <, 50);
  show_page (window, "occupants");
  app_support_wait_for (count_rows (window->occupants) > 50);

  g_assert_cmpuint (count_rows (window->causes), >, 0);
  g_assert_cmpuint (count_rows (window->changes), >, 0);
  window_support_close_window (window);
}

static void
test_recording (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");

  app_support_run (WHILE_MS);
  g_assert_true (has_text (window->recording, "Recording Quality"));
  g_assert_false (has_text (window->recording, "All Details"));
  show_page (window, "recording");
  app_support_wait_for (has_text (window->recording, "All Details"));
  window_support_close_window (window);
}

/* Each page once, and then there is peace. */
static void
test_measured (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  g_autoptr (GtkSelectionModel) pages = adw_view_stack_get_pages (window->views);

  app_support_wait_for (window->ahead_id == 0);
  g_assert_cmpuint (window->n_measured, ==, g_list_model_get_n_items (G_LIST_MODEL (pages)));
  app_support_run (WHILE_MS);
  g_assert_cmpuint (window->ahead_id, ==, 0);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/ahead/lists", test_lists);
  g_test_add_func ("/window/ahead/recording", test_recording);
  g_test_add_func ("/window/ahead/measured", test_measured);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
