/* test-window-export.c: exports of a window: the name that is proposed, and what is said of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pen-recents.h"

#define CAPTURE "b-ftrace.data"

static char *
dup_suggestion (PenWindow *window, const char *action)
{
  char *name;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), action, NULL));
  g_assert_nonnull (window->chooser);
  name = gtk_file_chooser_get_current_name (GTK_FILE_CHOOSER (window->chooser));
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (window->chooser));
  return name;
}

static void
assert_suggestion (PenWindow *window, const char *action, const char *expected)
{
  g_autofree char *name = dup_suggestion (window, action);

  g_assert_cmpstr (name, ==, expected);
}

static void
test_names (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);

  window_support_select_function (window, "vfs_read");
  app_support_settle (window->session);
  assert_suggestion (window, "win.export-occupants", "b-ftrace-data.occupants.csv");
  assert_suggestion (window, "win.export-annotation", "b-ftrace-data.vfs_read.annotation.csv");
  assert_suggestion (window, "win.picture-overview", "b-ftrace-data.overview.png");
  assert_suggestion (window, "win.picture-annotation", "b-ftrace-data.vfs_read.annotation.png");
  assert_suggestion (window, "win.profile-pprof", "b-ftrace-data.stacks.pb.gz");
  assert_suggestion (window, "win.profile-firefox", "b-ftrace-data.stacks.json.gz");
  assert_suggestion (window, "win.profile-speedscope", "b-ftrace-data.stacks.speedscope.json");
  assert_suggestion (window, "win.profile-folded", "b-ftrace-data.stacks.folded");
  window_support_close_window (window);
}

/* The pointer rests on the button of an open menu. */
static void
test_tooltip (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  GtkWidget *button = GTK_WIDGET (window->export_button);
  GtkWidget *split = GTK_WIDGET (window->open_button);

  g_assert_true (gtk_widget_get_has_tooltip (button));
  gtk_menu_button_popup (window->export_button);
  g_assert_false (gtk_widget_get_has_tooltip (button));
  gtk_menu_button_popdown (window->export_button);
  app_support_wait_for (gtk_widget_get_has_tooltip (button));

  /* The arrow is a part of another button. */
  g_assert_true (gtk_widget_get_has_tooltip (split));
  adw_split_button_popup (window->open_button);
  g_assert_false (gtk_widget_get_has_tooltip (split));
  adw_split_button_popdown (window->open_button);
  app_support_wait_for (gtk_widget_get_has_tooltip (split));
  window_support_close_window (window);
}

static GBytes *
draw (GtkWidget *widget)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;

  /* It fades there. */
  app_support_run (300);
  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (widget),
                          gtk_widget_get_height (widget));
  node = gtk_snapshot_free_to_node (snapshot);
  return gsk_render_node_serialize (node);
}

/* GTK keeps a menu's button hovered when a key closes the menu, with all that it is a part of. */
static void
test_hover (void)
{
  PenWindow *window = window_support_new_window ();
  GtkWidget *split = GTK_WIDGET (window->open_button);
  GtkWidget *half = gtk_widget_get_first_child (split);
  g_autoptr (GBytes) before = draw (split);
  g_autoptr (GBytes) after = NULL;
  g_autoptr (GBytes) hovered = NULL;

  gtk_widget_set_state_flags (split, GTK_STATE_FLAG_PRELIGHT, FALSE);
  after = draw (split);
  g_assert_true (g_bytes_equal (before, after));
  gtk_widget_set_state_flags (half, GTK_STATE_FLAG_PRELIGHT, FALSE);
  hovered = draw (split);
  g_assert_false (g_bytes_equal (before, hovered));
  window_support_close_window (window);
}

/* perf.data is what they are all called. */
static void
test_name_of_perf_data (void)
{
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autofree char *folder = app_support_temporary ("boot");
  g_autofree char *path = NULL;
  PenWindow *window;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  path = app_support_write_capture (capture, "boot/perf.data");
  window = window_support_open_path (path);
  assert_suggestion (window, "win.export-functions", "boot-perf-data.functions.csv");
  window_support_close_window (window);
}

static gboolean
is_toast_text (GtkWidget *widget, gpointer part)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_label (GTK_LABEL (widget)), part);
}

static gboolean
is_toast_button (GtkWidget *widget, gpointer action)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), action) == 0;
}

/* Whether the dialog would answer with that file: it reads the folder first. */
static gboolean
has_chosen (PenWindow *window, const char *path)
{
  g_autoptr (GFile) file
      = window->chooser ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (window->chooser)) : NULL;

  return file && g_str_equal (g_file_peek_path (file), path);
}

/* Answers the dialog with the name that it proposes, in the folder of @path: then that is @path.
 * Returns: the toast's button */
static GtkWidget *
export_to (PenWindow *window, const char *action, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *before = g_get_current_dir ();
  GtkWidget *button;

  /* The folder that the dialog begins with. */
  g_assert_cmpint (g_chdir (folder), ==, 0);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), action, NULL));
  app_support_wait_for (has_chosen (window, path));
  app_support_run (100);
  g_signal_emit_by_name (window->chooser, "response", GTK_RESPONSE_ACCEPT);
  g_assert_cmpint (g_chdir (before), ==, 0);
  app_support_wait_for (
      (button = window_support_find_widget (GTK_WIDGET (window->toasts), is_toast_button,
                                            (gpointer) "win.show-file")));
  return button;
}

/* Of a profile: how many samples. */
static void
test_toast_of_profile (void)
{
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autofree char *recording = app_support_write_capture (capture, "one.data");
  PenWindow *window = window_support_open_path (recording);
  g_autofree char *path = app_support_temporary ("one-data.stacks.pb.gz");
  g_autofree char *expected
      = g_strdup_printf ("%" G_GUINT64_FORMAT " samples exported to one-data.stacks.pb.gz",
                         pen_session_get_opened (window->session)->samples);

  export_to (window, "win.profile-pprof", path);
  g_assert_nonnull (
      window_support_find_widget (GTK_WIDGET (window->toasts), is_toast_text, expected));
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  window_support_close_window (window);
}

/* How many rows, where to; the button shows the file. */
static void
test_toast (void)
{
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autofree char *recording = app_support_write_capture (capture, "all & sundry.data");
  PenWindow *window = window_support_open_path (recording);
  g_autofree char *path = app_support_temporary ("all & sundry-data.functions.csv");
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  g_autofree char *expected = NULL;
  g_autofree char *text = NULL;
  GtkWidget *button = export_to (window, "win.export-functions", path);
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  /* A title, and nothing after the last line's end. */
  expected = g_strdup_printf ("%u rows exported to all &amp; sundry-data.functions.csv",
                              g_strv_length (lines) - 2);
  g_assert_nonnull (
      window_support_find_widget (GTK_WIDGET (window->toasts), is_toast_text, expected));
  g_assert_cmpstr (
      g_variant_get_string (gtk_actionable_get_action_target_value (GTK_ACTIONABLE (button)), NULL),
      ==, uri);
  window_support_close_window (window);
}

/* The dialog puts what was written among what was used last, in the name of the program. */
static void
test_not_recent (void)
{
  g_autofree char *path = app_support_temporary ("table.csv");
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  GtkRecentData data = { .mime_type = (char *) "text/csv",
                         .app_name = (char *) "Pentimento",
                         .app_exec = (char *) "pentimento %u" };
  g_autoptr (GPtrArray) recents = NULL;

  g_assert_true (g_file_set_contents (path, "a\n", -1, NULL));
  g_assert_true (gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data));
  app_support_wait_for (gtk_recent_manager_has_item (gtk_recent_manager_get_default (), uri));
  recents = pen_recents_list (100);
  for (guint i = 0; i < recents->len; i++)
    g_assert_cmpstr (((PenRecent *) recents->pdata[i])->uri, !=, uri);
  gtk_recent_manager_remove_item (gtk_recent_manager_get_default (), uri, NULL);
}

static void
add_tests (void)
{
  g_test_add_func ("/export/names", test_names);
  g_test_add_func ("/export/tooltip", test_tooltip);
  g_test_add_func ("/export/hover", test_hover);
  g_test_add_func ("/export/name-of-perf-data", test_name_of_perf_data);
  g_test_add_func ("/export/toast", test_toast);
  g_test_add_func ("/export/toast/profile", test_toast_of_profile);
  g_test_add_func ("/export/not-recent", test_not_recent);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
