/* test-window-idle.c: a window in which nothing happens draws nothing, and without animations what
 * happens is drawn once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

#include "pen-import-page.h"
#include "pen-late-spinner.h"
#include "pen-preferences-window.h"

/* An animation makes sixty; what a loaded machine draws late, one or two. */
#define IDLE_MS 1000
#define FRAMES_MAX 2
/* What just changed may fade for a while. */
#define SETTLING_MS 200
#define SETTLINGS_MAX 20

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

static void
assert_quiet (gpointer window, const char *what)
{
  guint frames;

  for (guint i = 0; i < SETTLINGS_MAX && count_frames (window, SETTLING_MS) > 0; i++)
    app_support_run (SETTLING_MS);
  frames = count_frames (window, IDLE_MS);
  g_test_message ("%s: %u frames in %u ms", what, frames, IDLE_MS);
  g_assert_cmpuint (frames, <=, FRAMES_MAX);
}

static void
test_start (void)
{
  PenWindow *window = window_support_new_window ();
  PenPreferencesWindow *preferences;

  assert_quiet (window, "start page");
  window_support_activate (window, "app.preferences");
  preferences
      = pen_preferences_window_show (gtk_window_get_application (GTK_WINDOW (window)), NULL);
  while (pen_late_spinner_is_started (window_support_child (preferences, "busy")))
    app_support_run (5);
  assert_quiet (preferences, "preferences");
  gtk_window_destroy (GTK_WINDOW (preferences));
  assert_quiet (window, "start page after preferences");
  window_support_close_window (window);
}

static void
test_pages (void)
{
  static const char *const pages[]
      = { "code", "callers", "map", "causes", "occupants", "recording", "code" };
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  assert_quiet (window, "after the import");
  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++) {
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", pages[i]));
    app_support_settle (window->session);
    assert_quiet (window, pages[i]);
  }
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
  assert_quiet (window, "callers with a heat map");
  g_assert_nonnull (pen_session_get_answers (window->session)->heat);
  hover.time = pen_session_get_answers (window->session)->heat->from;
  pen_session_set_hover (window->session, &hover);
  assert_quiet (window, "a cell of it");
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
    assert_quiet (window, gtk_column_view_column_get_title (column));
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

/* As many as it takes to lay out and to draw what is new: an animation of a quarter of a second has
 * fifteen. */
#define STILL_FRAMES_MAX 6

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
  guint frames = count_frames (window, IDLE_MS);

  g_test_message ("%s: %u frames in %u ms", what, frames, IDLE_MS);
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
  assert_quiet (window, "after the import");
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++) {
    gtk_widget_activate_action (GTK_WIDGET (window), actions[i], NULL);
    assert_still (window, actions[i]);
  }
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "recording");
  assert_quiet (window, "recording");
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
  frames = count_frames (window, IDLE_MS);
  gtk_spinner_stop (spinner);
  return frames;
}

static void
test_still_spinner (void)
{
  PenWindow *window = window_support_new_window ();

  assert_quiet (window, "start page");
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
  frames = count_frames (window, IDLE_MS);
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
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  g_test_add_func ("/window/idle/start", test_start);
  g_test_add_func ("/window/idle/pages", test_pages);
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
  return window_support_main (argc, argv, add_tests);
}
