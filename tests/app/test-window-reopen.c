/* test-window-reopen.c: coming back to a capture, recents, several windows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pen-recents.h"

static void
settle (PenWindow *window)
{
  app_support_settle (window->session);
  app_support_run (50);
  app_support_settle (window->session);
}

static void
assert_chips (PenWindow *window, const char *expected)
{
  g_autofree char *text = window_support_dup_chips (window);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_comes_back (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  PenSession *session = window->session;
  PenSpan span = pen_session_get_span (session), zoomed, visible = { span.from + 5000, 0 };
  guint32 function, again, hottest;
  guint64 address = 0, line;

  visible.to = visible.from + 2000000000;
  g_assert_true (pen_answers_find_hottest_function (pen_session_get_answers (session), &hottest));
  window_support_select_function (window, "pipe_write");
  settle (window);
  g_assert_true (pen_session_get_function (session, &function));
  g_assert_true (pen_answers_find_hottest_line (pen_session_get_answers (session), &address));
  pen_session_set_line (session, &address);
  g_assert_true (pen_session_add_filter_text (session, "!comm:sh", NULL));
  pen_session_set_visible (session, visible);
  zoomed = pen_session_get_view (session)->visible;
  pen_session_set_times (session, PEN_TIMES_RELATIVE);
  settle (window);
  window_support_close_window (window);
  pen_last_view_wait_all ();

  window = window_support_open_again ("b-ftrace.data");
  session = window->session;
  assert_chips (window, "not comm: sh");
  g_assert_true (pen_span_equal (pen_session_get_view (session)->visible, zoomed));
  g_assert_cmpint (pen_session_get_view (session)->times, ==, PEN_TIMES_RELATIVE);
  g_assert_true (pen_session_get_function (session, &again));
  g_assert_cmpuint (again, ==, function);
  g_assert_true (pen_session_get_line (session, &line));
  g_assert_cmpuint (line, ==, address);
  g_assert_nonnull (pen_session_get_answers (session)->annotation);
  g_assert_nonnull (pen_session_get_answers (session)->history);

  window_support_activate (window, "win.start-afresh");
  settle (window);
  assert_chips (window, "");
  g_assert_true (pen_span_equal (pen_session_get_view (session)->visible, span));
  g_assert_true (pen_session_get_function (session, &again));
  g_assert_cmpuint (again, ==, hottest);
  /* it can be undone */
  window_support_activate (window, "win.back");
  settle (window);
  assert_chips (window, "not comm: sh");
  /* Where the function stays the same, too, it has a selected line and its history. */
  for (guint i = 0; i < 2; i++) {
    window_support_activate (window, "win.start-afresh");
    settle (window);
    g_assert_true (pen_session_get_line (session, &line));
    g_assert_nonnull (pen_session_get_answers (session)->history);
  }
  window_support_close_window (window);
  pen_last_view_wait_all ();

  window = window_support_open_again ("b-ftrace.data");
  assert_chips (window, "");
  window_support_close_window (window);
}

static gboolean
shows_about (PenSession *session, guint64 from, guint64 to)
{
  PenAxisView view = pen_session_get_view (session)->axis_view;
  const PenAddressAxis *axis = pen_session_get_answers (session)->axis;

  return axis && view.to - view.from < 0.9 && pen_address_axis_get_address (axis, view.from) == from
         && ABS ((gint64) (pen_address_axis_get_address (axis, view.to) - to)) <= 1;
}

/* Lanes and the addresses of the map: places to go back to, and there again when it is reopened. */
static void
test_lanes_and_addresses (void)
{
  PenWindow *window = window_support_open_window ("f-everything-z.data");
  PenSession *session = window->session;
  guint32 folded = 1u << PEN_LANE_PATCHES;
  guint64 from, to;

  pen_session_set_page (session, PEN_PAGE_MAP);
  settle (window);
  gtk_widget_activate_action (GTK_WIDGET (window->timeline), "timeline.fold-lane", "s", "patches");
  settle (window);
  gtk_widget_activate_action (GTK_WIDGET (window->timeline), "timeline.toggle-cpus", NULL);
  settle (window);
  g_assert_nonnull (pen_session_get_answers (session)->tasks[PEN_TASKS_BY_CPU]);
  pen_session_set_axis_view (session, (PenAxisView){ 0.25, 0.5 });
  settle (window);
  g_assert_true (
      g_str_has_prefix (pen_session_get_place_name (session, 0), "Addresses 0xffffffff"));
  from = pen_address_axis_get_address (pen_session_get_answers (session)->axis, 0.25);
  to = pen_address_axis_get_address (pen_session_get_answers (session)->axis, 0.5);

  pen_session_go (session, -1);
  g_assert_cmpstr (pen_session_get_place_name (session, 0), ==, "Rows for CPUs");
  g_assert_cmpfloat (pen_session_get_view (session)->axis_view.to, ==, 1);
  pen_session_go (session, -1);
  g_assert_cmpstr (pen_session_get_place_name (session, 0), ==, "Fold Patches");
  g_assert_false (pen_session_get_view (session)->shows_tasks[PEN_TASKS_BY_CPU]);
  g_assert_cmphex (pen_session_get_view (session)->folded, ==, folded);
  pen_session_go (session, -1);
  g_assert_cmphex (pen_session_get_view (session)->folded, ==, 0);
  pen_session_go (session, 3);
  settle (window);
  g_assert_true (shows_about (session, from, to));
  window_support_close_window (window);
  pen_last_view_wait_all ();

  window = window_support_open_again ("f-everything-z.data");
  session = window->session;
  settle (window);
  g_assert_true (shows_about (session, from, to));
  g_assert_cmphex (pen_session_get_view (session)->folded, ==, folded);
  g_assert_true (pen_session_get_view (session)->shows_tasks[PEN_TASKS_BY_CPU]);
  g_assert_nonnull (pen_session_get_answers (session)->tasks[PEN_TASKS_BY_CPU]);
  g_assert_null (pen_session_get_place_name (session, -1));
  window_support_activate (window, "win.start-afresh");
  settle (window);
  g_assert_cmphex (pen_session_get_view (session)->folded, ==, 0);
  g_assert_cmpfloat (pen_session_get_view (session)->axis_view.to, ==, 1);
  window_support_close_window (window);
}

/* A recording of the same name that is another one has a view of its own. */
static void
test_another_capture_of_that_name (void)
{
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autofree char *path = app_support_write_capture (capture, "same-name.data");
  PenWindow *window = window_support_open_path (path);
  g_autoptr (PenTestCapture) other = app_support_new_capture ();
  g_autofree char *written = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (pen_session_add_filter_text (window->session, "cpu:1", NULL));
  settle (window);
  window_support_close_window (window);
  pen_last_view_wait_all ();
  pen_test_capture_add_sample (other, PEN_TEST_KERNEL, 0xffffffff81000000, 1);
  written = app_support_write_capture (other, "same-name.data");

  window = window_support_new_window ();
  pen_window_open (window, file);
  settle (window);
  g_assert_cmpint (pen_session_get_state (window->session), ==, PEN_SESSION_READY);
  assert_chips (window, "");
  window_support_close_window (window);
}

static guint
count_windows (PenWindow *window)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  guint n = 0;

  for (GList *l = gtk_application_get_windows (application); l; l = l->next)
    n += PEN_IS_WINDOW (l->data);
  return n;
}

static PenWindow *
find_other (PenWindow *window)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));

  for (GList *l = gtk_application_get_windows (application); l; l = l->next) {
    if (PEN_IS_WINDOW (l->data) && l->data != window)
      return l->data;
  }
  g_assert_not_reached ();
}

static void
test_beside (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_autofree char *first = g_strdup (pen_session_get_path (window->session));
  g_autofree char *path = app_support_capture ("c-kprobes.data");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  PenWindow *other;

  pen_window_open_beside (window, file);
  g_assert_cmpuint (count_windows (window), ==, 2);
  other = find_other (window);
  settle (other);
  g_assert_cmpstr (pen_session_get_path (window->session), ==, first);
  g_assert_cmpstr (pen_session_get_path (other->session), ==, path);
  window_support_close_window (other);

  /* an empty one is taken */
  other = window_support_new_window ();
  pen_window_open_beside (other, file);
  g_assert_cmpuint (count_windows (window), ==, 2);
  settle (other);
  window_support_close_window (other);
  window_support_close_window (window);
}

static void
test_several_files (void)
{
  PenWindow *window = window_support_new_window ();
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  g_autofree char *a = app_support_capture ("b-ftrace.data");
  g_autofree char *b = app_support_capture ("c-kprobes.data");
  g_autoptr (GFile) first = g_file_new_for_path (a);
  g_autoptr (GFile) second = g_file_new_for_path (b);
  GFile *files[] = { first, second };
  guint before = count_windows (window);
  PenWindow *other;

  g_application_open (G_APPLICATION (application), files, 2, "");
  g_assert_cmpuint (count_windows (window), >, before);
  other = find_other (window);
  settle (window);
  settle (other);
  window_support_close_window (other);
  while (count_windows (window) > 1)
    window_support_close_window (find_other (window));
  window_support_close_window (window);
}

/* ---- recents ---- */

static gboolean
is_recent (const char *path)
{
  g_autoptr (GPtrArray) recents = pen_recents_list (100);
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);

  for (guint i = 0; i < recents->len; i++) {
    if (g_str_equal (((PenRecent *) recents->pdata[i])->uri, uri))
      return TRUE;
  }
  return FALSE;
}

static void
test_recents (void)
{
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autofree char *path = app_support_write_capture (capture, "recent.data");
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  PenWindow *window = window_support_open_path (path);

  while (!is_recent (path) || g_menu_model_get_n_items (G_MENU_MODEL (window->recents_menu)) < 2)
    g_main_context_iteration (NULL, TRUE);
  window_support_close_window (window);

  window = window_support_new_window ();
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.open-recent", "s", uri));
  settle (window);
  g_assert_cmpstr (window_support_get_page (window), ==, "main");
  window_support_close_window (window);

  /* what is gone is told of, and not offered again */
  g_unlink (path);
  window = window_support_new_window ();
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.open-recent", "s", uri));
  settle (window);
  g_assert_cmpstr (window_support_get_page (window), ==, "error");
  while (is_recent (path))
    g_main_context_iteration (NULL, TRUE);
  window_support_activate (window, "win.clear-recents");
  while (g_menu_model_get_n_items (G_MENU_MODEL (window->recents_menu)) > 0)
    g_main_context_iteration (NULL, TRUE);
  window_support_close_window (window);
}

/* A folder with perf's own name in it is as good as the file. */
static void
test_folder (void)
{
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autofree char *folder = app_support_temporary ("folder");
  g_autofree char *path = NULL;
  PenWindow *window;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  path = app_support_write_capture (capture, "folder/perf.data");
  window = window_support_open_path (folder);
  g_assert_cmpuint (pen_session_get_opened (window->session)->samples, ==, 200);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/reopen/comes-back", test_comes_back);
  g_test_add_func ("/window/reopen/lanes-and-addresses", test_lanes_and_addresses);
  g_test_add_func ("/window/reopen/another-of-that-name", test_another_capture_of_that_name);
  g_test_add_func ("/window/reopen/beside", test_beside);
  g_test_add_func ("/window/reopen/several-files", test_several_files);
  g_test_add_func ("/window/reopen/recents", test_recents);
  g_test_add_func ("/window/reopen/folder", test_folder);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
