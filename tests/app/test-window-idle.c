/* test-window-idle.c: a window in which nothing happens hardly wakes and draws nothing, and without
 * animations what happens is drawn once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pair-support.h"
#include "recorder-support.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

#include "pen-help-window.h"
#include "pen-import-page.h"
#include "pen-late-spinner.h"
#include "pen-preferences-window.h"

/* An animation wakes 300 times and more. */
#define IDLE_MS 5000
#define WAKES_MAX 2
/* What just changed may fade for a while, and a cursor blinks: 1.2 s from one to the next. */
#define FADING_MS 1500
#define FADINGS_MAX 20
#define BLINKING_S 1
#define SETTLING_MS 200

/* ---- wakes and frames ---- */

/* Times that the main loop slept, and no longer did: for a source, a file or another thread. */
static guint n_wakes;

static int
poll_and_count (GPollFD *files, guint n_files, int timeout)
{
  int n_ready = g_poll (files, n_files, timeout);

  n_wakes += timeout != 0;
  return n_ready;
}

/* But for the one that ends it. */
static guint
count_wakes (guint ms)
{
  n_wakes = 0;
  app_support_pass (ms);
  return MAX (n_wakes, 1) - 1;
}

/* All of the program: whatever windows it has. */
static void
assert_quiet (const char *what)
{
  guint wakes;

  for (guint i = 0; i < FADINGS_MAX && count_wakes (FADING_MS) > 1; i++)
    ;
  wakes = count_wakes (IDLE_MS);
  g_test_message ("%s: %u wakes in %u ms", what, wakes, IDLE_MS);
  g_assert_cmpuint (wakes, <=, WAKES_MAX);
}

/* ---- windows in which nothing happens ---- */

static void
test_start (void)
{
  PenWindow *window = window_support_new_window ();
  PenPreferencesWindow *preferences;
  PenHelpWindow *help;

  assert_quiet ("start page");
  window_support_activate (window, "app.preferences");
  preferences
      = pen_preferences_window_show (gtk_window_get_application (GTK_WINDOW (window)), NULL);
  while (pen_late_spinner_is_started (window_support_child (preferences, "busy")))
    app_support_run (5);
  assert_quiet ("preferences");
  gtk_window_destroy (GTK_WINDOW (preferences));
  assert_quiet ("start page after preferences");
  help = pen_help_window_show (gtk_window_get_application (GTK_WINDOW (window)), NULL);
  assert_quiet ("help");
  gtk_window_destroy (GTK_WINDOW (help));
  window_support_close_window (window);
}

static void
test_record (void)
{
  PenWindow *window = window_support_new_window ();
  PenRecordWindow *recorder = recorder_support_open (window);

  assert_quiet ("record");
  recorder_support_close (recorder);
  window_support_close_window (window);
}

static void
test_error (void)
{
  g_autofree char *path = app_support_temporary ("picture.data");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  PenWindow *window = window_support_new_window ();

  g_assert_true (g_file_set_contents (path, "\x89PNG\r\n\x1a\n", 8, &error));
  pen_window_open (window, file);
  app_support_wait_for (g_str_equal (window_support_get_page (window), "error"));
  assert_quiet ("error page");
  window_support_close_window (window);
  g_assert_no_errno (g_remove (path));
}

static void
test_pages (void)
{
  static const char *const pages[]
      = { "code", "callers", "map", "causes", "occupants", "recording", "code" };
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  assert_quiet ("after the import");
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++) {
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", pages[i]));
    app_support_settle (window->session);
    assert_quiet (pages[i]);
  }
  window_support_close_window (window);
}

/* What lies over a page, or beside it. */
static void
test_boxes (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  guint64 mark = 6200000000;
  GtkEditable *entry = window_support_child (window->find, "entry");

  window_support_activate (window, "win.find");
  assert_quiet ("find, with the cursor in its entry");
  gtk_editable_set_text (entry, "vfs");
  app_support_settle (window->session);
  assert_quiet ("what was found");
  gtk_editable_set_text (entry, "[    6.5] vfs_read+0x1c/0xf0\n[    6.5] ksys_read+0x5f/0xe0\n");
  app_support_settle (window->session);
  g_assert_true (pen_find_box_is_trace (window->find));
  assert_quiet ("a trace");
  pen_find_box_close (window->find);
  window_support_select_function (window, "vfs_read");
  pen_session_set_playhead (window->session, 7500000000);
  pen_session_set_mark (window->session, &mark);
  app_support_settle (window->session);
  assert_quiet ("two instants");
  pen_session_set_mark (window->session, NULL);
  window_support_activate (window, "win.notes");
  assert_quiet ("notes");
  gtk_window_destroy (GTK_WINDOW (window->notes));
  window_support_close_window (window);
}

static void
test_pair (void)
{
  PenWindow *window = pair_support_open ("b-ftrace.data", "c-kprobes.data");

  assert_quiet ("comparison");
  pair_support_choose_detail (window, 1);
  assert_quiet ("its sources");
  window_support_close_window (window);
}

/* Also where a heat map is above the stacks, and one of its cells is pointed at. */
static void
test_heat (void)
{
  PenWindow *window = window_support_open_window ("f-everything-z.data");
  g_autoptr (PenFlameState) state = pen_session_dup_flame (window->session);
  PenHover hover = { .has_time = TRUE };

  state->is_heat = TRUE;
  pen_session_set_flame (window->session, state);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "callers"));
  app_support_settle (window->session);
  assert_quiet ("callers with a heat map");
  g_assert_nonnull (pen_session_get_answers (window->session)->heat);
  hover.time = pen_session_get_answers (window->session)->heat->from;
  pen_session_set_hover (window->session, &hover);
  assert_quiet ("a cell of it");
  window_support_close_window (window);
}

static void
open_all (GListModel *rows)
{
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (GtkTreeListRow) row = g_list_model_get_item (rows, i);

    gtk_tree_list_row_set_expanded (row, TRUE);
  }
}

/* Also where rows are listed as they come into sight, in whatever order. */
static void
test_causes (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  GtkColumnView *view = window_support_child (window->causes, "view");
  GListModel *columns = gtk_column_view_get_columns (view);

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "causes"));
  app_support_settle (window->session);
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

    open_all (G_LIST_MODEL (gtk_column_view_get_model (view)));
    gtk_column_view_sort_by_column (view, column,
                                    i % 2 == 0 ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING);
    app_support_settle (window->session);
    assert_quiet (gtk_column_view_column_get_title (column));
  }
  window_support_close_window (window);
}

/* Quick work shows no spinner. */
static void
test_late_spinner (void)
{
  g_autoptr (GtkWidget) widget = g_object_ref_sink (gtk_spinner_new ());
  GtkSpinner *spinner = GTK_SPINNER (widget);

  pen_late_spinner_start (spinner);
  g_assert_false (gtk_spinner_get_spinning (spinner));
  g_assert_true (pen_late_spinner_is_started (spinner));
  pen_late_spinner_stop (spinner);
  g_assert_false (pen_late_spinner_is_started (spinner));
  app_support_run (PEN_LATE_SPINNER_MS + SETTLING_MS);
  g_assert_false (gtk_spinner_get_spinning (spinner));
  pen_late_spinner_start (spinner);
  while (!gtk_spinner_get_spinning (spinner))
    app_support_run (5);
  pen_late_spinner_stop (spinner);
  g_assert_false (gtk_spinner_get_spinning (spinner));
  /* One that goes takes it along. */
  pen_late_spinner_start (spinner);
}

/* ---- where a desktop asks for no animations ---- */

static void
count_frame (guint *frames)
{
  (*frames)++;
}

static guint
count_frames (gpointer window, guint ms)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  guint frames = 0;
  gulong id = g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (count_frame), &frames);

  app_support_pass (ms);
  g_signal_handler_disconnect (clock, id);
  return frames;
}

/* As many as it takes to lay out and to draw what is new: an animation of a quarter of a second has
 * fifteen. */
#define STILL_FRAMES_MAX 6
#define STILL_MS 1000

/* The cursor of an entry has a setting of its own. */
static void
set_animations (gboolean are_on)
{
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", are_on, "gtk-cursor-blink",
                are_on, NULL);
}

static void
assert_still (gpointer window, const char *what)
{
  guint frames = count_frames (window, STILL_MS);

  g_test_message ("%s: %u frames in %u ms", what, frames, STILL_MS);
  g_assert_cmpuint (frames, <=, STILL_FRAMES_MAX);
}

/* What opens, folds and moves is at its end at once. */
static void
test_still_window (void)
{
  static const char *const actions[]
      = { "win.fold-overview", "win.fold-overview", "win.overview", "win.overview",
          "win.history-pane",  "win.history-pane",  "win.find",     "win.cancel" };
  PenWindow *window;

  set_animations (FALSE);
  window = window_support_open_window ("b-ftrace.data");
  assert_quiet ("after the import");
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++) {
    gtk_widget_activate_action (GTK_WIDGET (window), actions[i], NULL);
    assert_still (window, actions[i]);
  }
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "recording");
  assert_quiet ("recording");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "callers");
  app_support_settle (window->session);
  assert_still (window, "another page");
  window_support_close_window (window);
  set_animations (TRUE);
}

static guint
count_spinner_frames (PenWindow *window)
{
  GtkSpinner *spinner = GTK_SPINNER (window->busy);
  guint frames;

  gtk_spinner_start (spinner);
  app_support_run (SETTLING_MS);
  frames = count_frames (window, STILL_MS);
  gtk_spinner_stop (spinner);
  return frames;
}

static void
test_still_spinner (void)
{
  PenWindow *window = window_support_new_window ();

  assert_quiet ("start page");
  g_assert_cmpuint (count_spinner_frames (window), >, STILL_FRAMES_MAX);
  set_animations (FALSE);
  g_assert_cmpuint (count_spinner_frames (window), <=, STILL_FRAMES_MAX);
  set_animations (TRUE);
  window_support_close_window (window);
}

/* An import that waits for its file knows no end: its bar moves to and fro, or not at all. */
static guint
count_import_frames (void)
{
  g_autofree char *path = app_support_temporary ("perf.data");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  PenWindow *window = window_support_new_window ();
  guint frames;

  g_assert_no_errno (mkfifo (path, 0600));
  pen_window_open (window, file);
  app_support_wait_for (pen_import_page_is_revealed (window->import_page));
  app_support_run (2 * SETTLING_MS);
  frames = count_frames (window, STILL_MS);
  pen_session_cancel (window->session);
  window_support_close_window (window);
  g_assert_no_errno (g_remove (path));
  return frames;
}

static void
test_still_import (void)
{
  g_assert_cmpuint (count_import_frames (), >, STILL_FRAMES_MAX);
  set_animations (FALSE);
  /* Numbers that change are drawn. */
  g_assert_cmpuint (count_import_frames (), <=, 2 * STILL_FRAMES_MAX);
  set_animations (TRUE);
}

/* Animations are what this is about; the other tests do without. */
static void
add_tests (void)
{
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE,
                "gtk-cursor-blink-timeout", BLINKING_S, NULL);
  g_main_context_set_poll_func (NULL, poll_and_count);
  g_test_add_func ("/window/idle/start", test_start);
  g_test_add_func ("/window/idle/pages", test_pages);
  g_test_add_func ("/window/idle/boxes", test_boxes);
  g_test_add_func ("/window/idle/record", test_record);
  g_test_add_func ("/window/idle/error", test_error);
  g_test_add_func ("/window/idle/pair", test_pair);
  g_test_add_func ("/window/idle/heat", test_heat);
  g_test_add_func ("/window/idle/causes", test_causes);
  g_test_add_func ("/window/idle/late-spinner", test_late_spinner);
  g_test_add_func ("/window/still/window", test_still_window);
  g_test_add_func ("/window/still/spinner", test_still_spinner);
  g_test_add_func ("/window/still/import", test_still_import);
}

int
main (int argc, char **argv)
{
  return recorder_support_main (argc, argv, add_tests);
}
