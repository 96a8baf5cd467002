/* test-window-instants.c: the text of two instants, side by side in the annotation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <string.h>

#include "pen-instant-item.h"
#include "pen-instants-view.h"

static PenWindow *
open_compared (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  guint64 mark = 6200000000;

  window_support_select_function (window, "vfs_read");
  pen_session_set_playhead (window->session, 7500000000);
  pen_session_set_mark (window->session, &mark);
  app_support_settle (window->session);
  return window;
}

static PenInstantsView *
get_view (PenWindow *window)
{
  return window_support_find_type (window->annotation, PEN_TYPE_INSTANTS_VIEW);
}

static GListModel *
get_rows (PenWindow *window)
{
  return G_LIST_MODEL (window_support_child (get_view (window), "selection"));
}

static const char *
get_page (PenWindow *window)
{
  return gtk_stack_get_visible_child_name (window_support_child (window->annotation, "stack"));
}

static gboolean
is_chip (GtkWidget *widget, gpointer data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_has_css_class (widget, "chip");
}

static void
assert_code (PenWindow *window, const char *a, const char *b)
{
  g_autoptr (PenInstantItem) item = g_list_model_get_item (get_rows (window), 0);
  g_autofree char *first = pen_instant_item_dup_code (item, 0);
  g_autofree char *second = pen_instant_item_dup_code (item, 1);

  g_assert_nonnull (strstr (first, a));
  g_assert_nonnull (strstr (second, b));
}

/* The patched line alone, or all; with the playhead goes A; without a second instant there is one
 * text again. */
static void
test_side_by_side (void)
{
  PenWindow *window = open_compared ();
  PenSession *session = window->session;
  GtkToggleButton *all = window_support_child (get_view (window), "all");
  const char *first, *second;

  g_assert_cmpstr (get_page (window), ==, "instants");
  g_assert_cmpuint (g_list_model_get_n_items (get_rows (window)), ==, 1);
  assert_code (window, "ftrace_caller", "ftrace_trampoline");
  first = gtk_label_get_text (window_support_child (get_view (window), "first"));
  second = gtk_label_get_text (window_support_child (get_view (window), "second"));
  g_assert_true (g_str_has_prefix (first, "A 7.50"));
  g_assert_nonnull (strstr (first, "9 samples"));
  g_assert_true (g_str_has_prefix (second, "B 6.20"));
  g_assert_nonnull (strstr (second, "3 samples"));

  gtk_toggle_button_set_active (all, TRUE);
  app_support_settle (session);
  g_assert_cmpuint (g_list_model_get_n_items (get_rows (window)), ==, 172);
  g_assert_true (pen_session_get_view (session)->mark_all);
  gtk_toggle_button_set_active (all, FALSE);

  pen_session_set_playhead (session, 5000000000);
  app_support_settle (session);
  assert_code (window, "nopl", "ftrace_trampoline");
  pen_session_set_playhead (session, 6300000000);
  app_support_settle (session);
  g_assert_cmpuint (g_list_model_get_n_items (get_rows (window)), ==, 0);
  g_assert_cmpstr (
      gtk_stack_get_visible_child_name (window_support_child (get_view (window), "stack")), ==,
      "empty");

  g_signal_emit_by_name (window_support_find_widget (GTK_WIDGET (get_view (window)), is_chip, NULL),
                         "clicked");
  app_support_settle (session);
  g_assert_cmpstr (get_page (window), ==, "text");
  g_assert_null (pen_session_get_answers (session)->instants);
  window_support_close_window (window);
}

/* Another function is compared at the same instants; one of user space is not patched. */
static void
test_functions (void)
{
  PenWindow *window = open_compared ();
  const char *empty;

  window_support_select_function (window, "finish_task_switch.isra.0");
  g_assert_cmpstr (get_page (window), ==, "instants");
  g_assert_cmpuint (g_list_model_get_n_items (get_rows (window)), ==, 0);
  window_support_select_function (window, "/tmp/job/tools/hot");
  empty = gtk_label_get_text (window_support_child (get_view (window), "empty"));
  g_assert_true (g_str_has_prefix (empty, "Code in user space"));
  window_support_select_function (window, "vfs_read");
  g_assert_cmpuint (g_list_model_get_n_items (get_rows (window)), ==, 1);
  window_support_close_window (window);
}

/* A row is the same line as in the other views. */
static void
test_line (void)
{
  PenWindow *window = open_compared ();
  guint64 address;

  pen_session_set_line (window->session, NULL);
  gtk_single_selection_set_selected (window_support_child (get_view (window), "selection"), 0);
  app_support_settle (window->session);
  g_assert_true (pen_session_get_line (window->session, &address));
  g_assert_cmphex (address, ==, 0xffffffff8134cc50);
  g_assert_nonnull (pen_session_get_answers (window->session)->history);
  window_support_close_window (window);
}

/* An export of the annotation is what it shows. */
static void
test_export (void)
{
  PenWindow *window = open_compared ();
  g_autofree char *text = app_support_session_export (window->session, PEN_EXPORT_ANNOTATION);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  g_assert_true (g_str_has_prefix (lines[0], "address,symbol,offset,difference,a_kind,"));
  g_assert_true (g_str_has_prefix (lines[1], "0xffffffff8134cc50,vfs_read,0x0,changed,kernel,"));
  g_assert_nonnull (strstr (lines[1], ",ftrace_caller,2,"));
  g_assert_true (g_str_has_suffix (lines[1], ",ftrace_trampoline,1"));
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/instants/side-by-side", test_side_by_side);
  g_test_add_func ("/window/instants/functions", test_functions);
  g_test_add_func ("/window/instants/line", test_line);
  g_test_add_func ("/window/instants/export", test_export);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
