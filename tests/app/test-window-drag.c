/* test-window-drag.c: what is dragged out of a window: the file, who waits for it, and its end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pair-support.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "pen-callers-private.h"
#include "pen-dragged-file.h"
#include "pen-dragged-folder.h"

#define CAPTURE "b-ftrace.data"
#define URIS "text/uri-list"

/* ---- dragging ---- */

static GdkContentProvider *
prepare (GtkWidget *widget, double x, double y)
{
  GtkEventController *source = window_support_find_controller (widget, GTK_TYPE_DRAG_SOURCE);
  GdkContentProvider *provider = NULL;

  g_signal_emit_by_name (source, "prepare", x, y, &provider);
  return provider;
}

static GdkContentProvider *
drag_button (PenWindow *window)
{
  return prepare (GTK_WIDGET (window->export_button), 2, 2);
}

/* At the name of a lane, or beside it. */
static GdkContentProvider *
drag_overview (PenWindow *window, double dx)
{
  PenPlot plot = pen_plot_view_get_plot (PEN_PLOT_VIEW (window->timeline));

  return prepare (GTK_WIDGET (window->timeline), plot.gutter_x + dx, plot.y + 4);
}

typedef struct {
  gboolean is_done;
  GError *error;
} Answer;

static void
on_written (GObject *provider, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;

  gdk_content_provider_write_mime_type_finish (GDK_CONTENT_PROVIDER (provider), result,
                                               &answer->error);
  answer->is_done = TRUE;
}

static void
ask (GdkContentProvider *provider, const char *mime_type, GOutputStream *stream,
     GCancellable *cancellable, Answer *answer)
{
  gdk_content_provider_write_mime_type_async (provider, mime_type, stream, G_PRIORITY_DEFAULT,
                                              cancellable, on_written, answer);
}

/* What a program that takes the drop gets. */
static GBytes *
take (GdkContentProvider *provider, const char *mime_type)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  Answer answer = { 0 };

  ask (provider, mime_type, stream, NULL, &answer);
  app_support_wait_for (answer.is_done);
  g_assert_no_error (answer.error);
  g_output_stream_close (stream, NULL, NULL);
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
}

static char *
take_path (GdkContentProvider *provider)
{
  g_autoptr (GBytes) bytes = take (provider, URIS);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_auto (GStrv) uris = g_uri_list_extract_uris (text);

  g_assert_cmpuint (g_strv_length (uris), ==, 1);
  return g_filename_from_uri (uris[0], NULL, NULL);
}

static char *
read_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

static void
assert_fails (GdkContentProvider *provider, GQuark domain, int code)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  Answer answer = { 0 };

  ask (provider, URIS, stream, NULL, &answer);
  app_support_wait_for (answer.is_done);
  g_assert_error (answer.error, domain, code);
  g_clear_error (&answer.error);
  g_assert_cmpuint (g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (stream)), ==, 0);
}

/* Its folder. */
static char *
dup_dragged (void)
{
  return g_build_filename (g_get_user_cache_dir (), "pentimento", "dragged", NULL);
}

static guint
count_folders (void)
{
  g_autofree char *dragged = dup_dragged ();
  g_autoptr (GDir) dir = g_dir_open (dragged, 0, NULL);
  guint n = 0;

  while (dir && g_dir_read_name (dir))
    n++;
  return n;
}

static gboolean
is_text (GtkWidget *widget, gpointer part)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_label (GTK_LABEL (widget)), part);
}

static gboolean
has_toast (PenWindow *window, const char *part)
{
  return window_support_find_widget (GTK_WIDGET (window->toasts), is_text, (gpointer) part) != NULL;
}

/* ---- what is dragged ---- */

/* Byte for byte as the dialog writes it, where only the user can look. */
static void
test_table (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  g_autoptr (GdkContentProvider) provider = NULL;
  g_autofree char *expected = NULL;
  g_autofree char *path = NULL;
  g_autofree char *base = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *content = NULL;
  struct stat status;

  window_support_show_page (window, "occupants");
  expected = app_support_session_export (window->session, PEN_EXPORT_OCCUPANTS);
  provider = drag_button (window);
  path = take_path (provider);
  base = g_path_get_basename (path);
  folder = g_path_get_dirname (path);
  content = read_file (path);
  g_assert_cmpstr (base, ==, "b-ftrace-data.occupants.csv");
  g_assert_cmpstr (content, ==, expected);
  g_assert_cmpint (g_stat (folder, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0700);
  window_support_close_window (window);
}

/* What only its owner can read, stays so when a file manager copies it. */
static void
test_private (void)
{
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autofree char *recording = app_support_write_capture (capture, "one.data");
  g_autoptr (GdkContentProvider) provider = NULL;
  g_autofree char *path = NULL;
  PenWindow *window;
  struct stat status;

  g_assert_cmpint (g_chmod (recording, 0600), ==, 0);
  window = window_support_open_path (recording);
  provider = drag_button (window);
  path = take_path (provider);
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
  window_support_close_window (window);
}

/* A picture is offered as a file, and as itself. */
static void
test_picture (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  g_autoptr (GdkContentProvider) provider = NULL;
  g_autoptr (GdkContentFormats) formats = NULL;
  g_autoptr (GdkContentFormats) of_table = NULL;
  g_autoptr (GBytes) picture = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree char *path = NULL;
  g_autofree char *content = NULL;
  gsize length;

  window_support_show_page (window, "map");
  provider = drag_button (window);
  formats = gdk_content_provider_ref_formats (provider);
  g_assert_true (gdk_content_formats_contain_mime_type (formats, URIS));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/png"));
  g_assert_false (gdk_content_formats_contain_mime_type (formats, "text/plain;charset=utf-8"));
  picture = take (provider, "image/png");
  path = take_path (provider);
  g_assert_true (g_str_has_suffix (path, "/b-ftrace-data.map.png"));
  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  g_assert_cmpmem (g_bytes_get_data (picture, NULL), g_bytes_get_size (picture), content, length);
  texture = gdk_texture_new_from_bytes (picture, NULL);
  g_assert_nonnull (texture);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, 3200);
  g_clear_object (&provider);

  window_support_show_page (window, "causes");
  provider = drag_button (window);
  of_table = gdk_content_provider_ref_formats (provider);
  g_assert_true (gdk_content_formats_contain_mime_type (of_table, URIS));
  g_assert_false (gdk_content_formats_contain_mime_type (of_table, "image/png"));
  g_free (take_path (provider));
  window_support_close_window (window);
}

static void
assert_dragged (PenWindow *window, const char *expected)
{
  g_autoptr (GdkContentProvider) provider = drag_button (window);
  g_autofree char *path = take_path (provider);
  g_autofree char *base = g_path_get_basename (path);

  g_assert_cmpstr (base, ==, expected);
}

static void
press_in_callers (PenWindow *window, const char *key)
{
  window_support_press (GTK_WIDGET (window->callers), key);
  app_support_settle (window->session);
  app_support_run (20);
}

/* Of several lists, that with the focus. */
static void
test_pages (void)
{
  static const char *const names[] = { "map", "causes", "occupants", "recording" };
  PenWindow *window = window_support_open_window (CAPTURE);
  guint64 line;

  window_support_select_function (window, "vfs_read");
  app_support_settle (window->session);
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  assert_dragged (window, "b-ftrace-data.vfs_read.annotation.csv");
  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (window->functions), GTK_DIR_TAB_FORWARD));
  assert_dragged (window, "b-ftrace-data.functions.csv");
  g_assert_true (pen_answers_find_hottest_line (pen_session_get_answers (window->session), &line));
  pen_window_show_line (window, line);
  app_support_settle (window->session);
  app_support_run (20);
  g_assert_true (gtk_widget_child_focus (GTK_WIDGET (window->history), GTK_DIR_TAB_FORWARD));
  assert_dragged (window, "b-ftrace-data.vfs_read.history.csv");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *expected
        = g_strdup_printf ("b-ftrace-data.%s.%s", names[i], i == 0 ? "png" : "csv");

    window_support_show_page (window, names[i]);
    assert_dragged (window, expected);
  }
  window_support_close_window (window);
}

static void
test_callers (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);

  window_support_show_page (window, "callers");
  assert_dragged (window, "b-ftrace-data.flame.png");
  press_in_callers (window, "h");
  assert_dragged (window, "b-ftrace-data.flame.png");
  gtk_widget_grab_focus (window_support_child (window->callers->heat, "picture"));
  assert_dragged (window, "b-ftrace-data.heat.png");
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  gtk_widget_activate_action (GTK_WIDGET (window->callers), "callers.table", NULL);
  app_support_settle (window->session);
  assert_dragged (window, "b-ftrace-data.stacks.csv");
  window_support_close_window (window);
}

static void
test_pair (void)
{
  PenWindow *window = pair_support_open (CAPTURE, "c-kprobes.data");
  g_autofree char *list = NULL;
  g_autofree char *compared = NULL;

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GdkContentProvider) provider = NULL;
    g_autofree char *path = NULL;
    g_autofree char *content = NULL;
    g_autofree char *expected = NULL;

    if (i == 1) {
      pair_support_select_row (window, "vfs_read");
      gtk_widget_grab_focus (
          window_support_child (pen_pair_view_get_detail (window->pair_view), "choice"));
    }
    expected = pair_support_export (
        window, i == 0 ? PEN_WINDOW_EXPORT_COMPARISON : PEN_WINDOW_EXPORT_COMPARED, "pair.csv");
    provider = drag_button (window);
    path = take_path (provider);
    content = read_file (path);
    g_assert_cmpstr (content, ==, expected);
    g_assert_true (g_str_has_suffix (path, i == 0 ? ".comparison.csv" : ".compared.csv"));
  }
  window_support_close_window (window);
}

/* ---- the overview ---- */

static void
test_overview (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  PenPlot plot = pen_plot_view_get_plot (PEN_PLOT_VIEW (window->timeline));
  g_autofree char *expected_path = app_support_temporary ("overview.png");
  g_autofree char *expected = NULL;
  g_autoptr (GdkContentProvider) provider = drag_overview (window, 4);
  g_autofree char *path = take_path (provider);
  g_autofree char *content = NULL;
  gsize n_expected, n;

  g_assert_true (g_str_has_suffix (path, "/b-ftrace-data.overview.png"));
  app_support_session_export_picture (window->session, expected_path);
  g_assert_true (g_file_get_contents (expected_path, &expected, &n_expected, NULL));
  g_assert_true (g_file_get_contents (path, &content, &n, NULL));
  g_assert_cmpmem (content, n, expected, n_expected);
  /* There, time is selected; above it is the ruler. */
  g_assert_null (drag_overview (window, plot.gutter_width + 20));
  g_assert_null (prepare (GTK_WIDGET (window->timeline), plot.gutter_x + 4, plot.y - 4));
  g_assert_cmpuint (pen_session_get_view (window->session)->folded, ==, 0);
  window_support_close_window (window);
}

/* A click folds, and a drag that GTK did not begin does not. */
static void
test_gutter (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  PenPlot plot = pen_plot_view_get_plot (PEN_PLOT_VIEW (window->timeline));
  GtkEventController *click
      = window_support_find_controller (GTK_WIDGET (window->timeline), GTK_TYPE_GESTURE_CLICK);
  double x = plot.gutter_x + 4, y = plot.y + 4;

  g_signal_emit_by_name (click, "pressed", 1, x, y);
  g_assert_cmpuint (pen_session_get_view (window->session)->folded, ==, 0);
  g_signal_emit_by_name (click, "released", 1, x + 40, y);
  g_assert_cmpuint (pen_session_get_view (window->session)->folded, ==, 0);
  g_signal_emit_by_name (click, "pressed", 1, x, y);
  g_signal_emit_by_name (click, "released", 1, x + 1, y);
  g_assert_cmpuint (pen_session_get_view (window->session)->folded, ==, 1u << PEN_LANE_SAMPLES);
  g_signal_emit_by_name (click, "pressed", 2, x, y);
  g_signal_emit_by_name (click, "released", 2, x, y);
  g_assert_cmpuint (pen_session_get_view (window->session)->folded, ==, 1u << PEN_LANE_SAMPLES);
  window_support_close_window (window);
}

/* ---- its end ---- */

/* What nobody was told of goes; what a program may yet open stays until the end. */
static void
test_removed (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  GdkContentProvider *provider;
  g_autofree char *path = NULL;
  g_autofree char *folder = NULL;

  pen_dragged_file_remove_all (0);
  g_assert_cmpuint (count_folders (), ==, 0);
  provider = drag_button (window);
  g_object_unref (provider);
  app_support_wait_for (!window->dragged);
  app_support_wait_for (count_folders () == 0);

  provider = drag_button (window);
  path = take_path (provider);
  g_object_unref (provider);
  app_support_run (50);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  pen_dragged_file_remove_all (60 * G_USEC_PER_SEC);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  folder = g_path_get_dirname (path);
  pen_dragged_folder_remove (folder);
  g_assert_cmpuint (count_folders (), ==, 0);
  window_support_close_window (window);
}

static void
test_removed_at_end (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  g_autoptr (GdkContentProvider) provider = drag_button (window);
  g_autofree char *path = take_path (provider);

  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  window_support_close_window (window);
  pen_dragged_file_remove_all (0);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* Dropped nowhere, before it was there: nobody gets it, also not who asked. */
static void
test_given_up (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  g_autoptr (GdkContentProvider) provider = NULL;
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  Answer answer = { 0 };

  pen_dragged_file_remove_all (0);
  provider = drag_button (window);
  ask (provider, URIS, stream, NULL, &answer);
  pen_dragged_file_give_up (PEN_DRAGGED_FILE (provider));
  app_support_wait_for (answer.is_done);
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&answer.error);
  assert_fails (provider, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  app_support_wait_for (!window->dragged);
  g_clear_object (&provider);
  app_support_wait_for (count_folders () == 0);
  window_support_close_window (window);
}

/* Who asked does not want it any more; others get it. */
static void
test_cancelled (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  g_autoptr (GdkContentProvider) provider = drag_button (window);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Answer answer = { 0 };

  ask (provider, URIS, stream, cancellable, &answer);
  g_cancellable_cancel (cancellable);
  app_support_wait_for (answer.is_done);
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&answer.error);
  g_free (take_path (provider));
  window_support_close_window (window);
}

/* The window is closed before the file has a place: who took the drop gets it nevertheless. */
static void
test_closed (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  g_autoptr (GdkContentProvider) provider = drag_button (window);
  g_autofree char *path = NULL;
  g_autofree char *content = NULL;

  window_support_close_window (window);
  path = take_path (provider);
  content = read_file (path);
  g_assert_true (g_str_has_suffix (content, "\n"));
}

/* ---- faults ---- */

static void
test_no_place (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  g_autofree char *dragged = dup_dragged ();
  g_autoptr (GdkContentProvider) provider = NULL;

  pen_dragged_file_remove_all (0);
  g_rmdir (dragged);
  g_assert_true (g_file_set_contents (dragged, "", 0, NULL));
  provider = drag_button (window);
  assert_fails (provider, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
  app_support_wait_for (has_toast (window, "dragged"));
  g_assert_null (window->dragged);
  g_assert_cmpint (g_unlink (dragged), ==, 0);
  g_clear_object (&provider);
  provider = drag_button (window);
  g_free (take_path (provider));
  window_support_close_window (window);
}

/* One after the other, and also beside what the dialog writes. */
static void
test_busy (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  g_autoptr (GdkContentProvider) provider = drag_button (window);

  g_assert_null (drag_button (window));
  g_assert_true (has_toast (window, "Another export is in progress"));
  g_free (take_path (provider));
  g_clear_object (&provider);
  provider = drag_button (window);
  g_free (take_path (provider));
  window_support_close_window (window);
}

/* Of an application that fell. */
static void
test_left (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  g_autofree char *dragged = dup_dragged ();
  g_autofree char *old = g_build_filename (dragged, "Old123", NULL);
  g_autofree char *old_file = g_build_filename (old, "a.csv", NULL);
  g_autofree char *young = g_build_filename (dragged, "Young1", NULL);
  const struct timespec times[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
  g_autoptr (GdkContentProvider) provider = NULL;

  g_assert_cmpint (g_mkdir_with_parents (old, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (young, 0700), ==, 0);
  g_assert_true (g_file_set_contents (old_file, "a\n", -1, NULL));
  g_assert_cmpint (utimensat (AT_FDCWD, old, times, 0), ==, 0);
  provider = drag_button (window);
  g_free (take_path (provider));
  g_assert_false (g_file_test (old, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (young, G_FILE_TEST_IS_DIR));
  g_assert_cmpint (g_rmdir (young), ==, 0);
  window_support_close_window (window);
}

/* Nothing is open, or it is still being read. */
static void
test_nothing (void)
{
  PenWindow *window = window_support_new_window ();

  g_assert_null (drag_button (window));
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/drag/table", test_table);
  g_test_add_func ("/drag/private", test_private);
  g_test_add_func ("/drag/picture", test_picture);
  g_test_add_func ("/drag/pages", test_pages);
  g_test_add_func ("/drag/callers", test_callers);
  g_test_add_func ("/drag/pair", test_pair);
  g_test_add_func ("/drag/overview", test_overview);
  g_test_add_func ("/drag/gutter", test_gutter);
  g_test_add_func ("/drag/removed", test_removed);
  g_test_add_func ("/drag/removed-at-end", test_removed_at_end);
  g_test_add_func ("/drag/given-up", test_given_up);
  g_test_add_func ("/drag/cancelled", test_cancelled);
  g_test_add_func ("/drag/closed", test_closed);
  g_test_add_func ("/drag/no-place", test_no_place);
  g_test_add_func ("/drag/busy", test_busy);
  g_test_add_func ("/drag/left", test_left);
  g_test_add_func ("/drag/nothing", test_nothing);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
