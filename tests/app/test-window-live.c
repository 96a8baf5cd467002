/* test-window-live.c: a recording that grows while its window is open
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>
#include <unistd.h>

#include "live-support.h"
#include "pen-format.h"
#include "pen-function-item.h"

static guint64
get_total (PenWindow *window)
{
  const PenCounts *counts = pen_session_get_answers (window->session)->counts;

  return counts ? counts->total.n : 0;
}

static void
wait_for_more (PenWindow *window, guint64 than)
{
  app_support_wait_for (get_total (window) > than);
  app_support_settle (window->session);
  app_support_run (100);
}

static const char *
get_symbol (PenWindow *window)
{
  const PenStrips *strips = pen_session_get_answers (window->session)->annotation;
  guint n;
  const PenFunction *functions = pen_store_get_functions (
      pen_query_get_store (pen_session_get_opened (window->session)->query), &n, NULL);
  guint32 function;

  g_assert_true (pen_session_get_function (window->session, &function));
  g_assert_cmpuint (function, <, n);
  g_assert_nonnull (strips);
  g_assert_cmpuint (strips->text->function, ==, function);
  return functions[function].symbol;
}

static char *
dup_selected (PenWindow *window)
{
  GtkColumnView *view = window_support_child (window->functions, "view");
  GtkSingleSelection *selection = GTK_SINGLE_SELECTION (gtk_column_view_get_model (view));

  return pen_function_item_dup_name (gtk_single_selection_get_selected_item (selection));
}

/* The first row that is wholly in sight. */
static char *
dup_first_in_sight (PenWindow *window)
{
  GtkColumnView *view = window_support_child (window->functions, "view");
  GListModel *rows = G_LIST_MODEL (gtk_column_view_get_model (view));
  GtkAdjustment *down = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
  double height = gtk_adjustment_get_upper (down) / g_list_model_get_n_items (rows);
  g_autoptr (PenFunctionItem) item
      = g_list_model_get_item (rows, (guint) ceil (gtk_adjustment_get_value (down) / height));

  return pen_function_item_dup_name (item);
}

/* Its samples may be more than others' now: the list may have moved below it. */
static void
check_first_in_sight (PenWindow *window, const char *name)
{
  g_autofree char *first = dup_first_in_sight (window);

  g_assert_cmpstr (first, ==, name);
}

static gboolean
is_bar_shown (PenWindow *window)
{
  return gtk_widget_get_mapped (GTK_WIDGET (window->live_bar));
}

/* What is looked at stays, whatever comes. */
static void
test_no_jump (void)
{
  LiveRecorder recorder;
  PenWindow *window = live_recorder_open (&recorder, 45);
  GtkAdjustment *down
      = gtk_scrollable_get_vadjustment (window_support_child (window->functions, "view"));
  g_autofree char *labels = window_support_dup_labels (window->live_bar);
  g_autofree char *selected = NULL;
  g_autofree char *selected_then = NULL;
  guint64 total = get_total (window);
  PenSpan visible = { LIVE_START + LIVE_SECOND / 2, LIVE_START + LIVE_SECOND };
  guint64 line;
  guint64 line_then;
  GtkWidget *focus;
  g_autofree char *first = NULL;

  g_assert_true (is_bar_shown (window));
  g_assert_nonnull (strstr (labels, "Recording… 2 s, "));
  window_support_select_function (window, "bpf_prog_40");
  app_support_settle (window->session);
  g_assert_cmpstr (get_symbol (window), ==, "bpf_prog_40");
  pen_session_set_visible (window->session, visible);
  pen_session_set_playhead (window->session, LIVE_START + LIVE_SECOND);
  app_support_settle (window->session);
  app_support_run (100);
  g_assert_true (pen_session_get_line (window->session, &line));
  g_assert_false (pen_session_get_follows (window->session));
  selected = dup_selected (window);
  gtk_adjustment_set_value (down, 120);
  gtk_widget_child_focus (window_support_child (window->functions, "view"), GTK_DIR_TAB_FORWARD);
  app_support_run (100);
  first = dup_first_in_sight (window);
  focus = gtk_root_get_focus (GTK_ROOT (window));
  g_assert_true (gtk_widget_is_ancestor (focus, window_support_child (window->functions, "view")));

  live_recorder_write (&recorder, 80);
  wait_for_more (window, total);
  g_assert_cmpstr (get_symbol (window), ==, "bpf_prog_40");
  selected_then = dup_selected (window);
  g_assert_cmpstr (selected_then, ==, selected);
  g_assert_true (pen_session_get_line (window->session, &line_then));
  g_assert_cmphex (line_then, ==, line);
  g_assert_true (pen_span_equal (pen_session_get_view (window->session)->visible, visible));
  g_assert_cmpuint (pen_session_get_view (window->session)->playhead, ==, LIVE_START + LIVE_SECOND);
  check_first_in_sight (window, first);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == focus);

  total = get_total (window);
  live_recorder_end (&recorder);
  wait_for_more (window, total);
  app_support_wait_for (pen_session_get_live (window->session) == PEN_LIVE_NONE);
  app_support_settle (window->session);
  app_support_run (100);
  g_assert_cmpuint (get_total (window), ==, LIVE_SAMPLES);
  g_assert_false (is_bar_shown (window));
  g_assert_cmpstr (get_symbol (window), ==, "bpf_prog_40");
  g_assert_true (pen_span_equal (pen_session_get_view (window->session)->visible, visible));
  check_first_in_sight (window, first);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == focus);
  /* The import is kept, as of any recording. */
  g_assert_true (g_file_test (pen_session_get_opened (window->session)->store, G_FILE_TEST_EXISTS));
  g_assert_nonnull (pen_session_get_opened (window->session)->view_file);
  window_support_close_window (window);
  live_recorder_clear (&recorder);
}

/* The end of what is shown is the newest, until an earlier time is looked at. */
static void
test_follow (void)
{
  LiveRecorder recorder;
  PenWindow *window = live_recorder_open (&recorder, 40);
  PenSession *session = window->session;
  GtkToggleButton *follow = window_support_child (window->live_bar, "follow");
  guint64 total = get_total (window);
  PenSpan span = pen_session_get_span (session);
  PenSpan visible;

  /* All stays all. */
  live_recorder_write (&recorder, 50);
  wait_for_more (window, total);
  g_assert_cmpuint (pen_session_get_span (session).to, >, span.to);
  g_assert_true (
      pen_span_equal (pen_session_get_view (session)->visible, pen_session_get_span (session)));

  /* A stretch at the end stays as long as it is, at the end. */
  span = pen_session_get_span (session);
  pen_session_set_visible (session, (PenSpan){ span.to - LIVE_SECOND, span.to });
  g_assert_true (gtk_toggle_button_get_active (follow));
  total = get_total (window);
  live_recorder_write (&recorder, 60);
  wait_for_more (window, total);
  span = pen_session_get_span (session);
  visible = pen_session_get_view (session)->visible;
  g_assert_cmpuint (visible.to, ==, span.to);
  g_assert_cmpuint (pen_span_length (visible), ==, LIVE_SECOND);

  /* An earlier one stays where it is, until the button is pressed. */
  visible = (PenSpan){ LIVE_START, LIVE_START + LIVE_SECOND };
  pen_session_set_visible (session, visible);
  g_assert_false (gtk_toggle_button_get_active (follow));
  total = get_total (window);
  live_recorder_write (&recorder, 70);
  wait_for_more (window, total);
  g_assert_true (pen_span_equal (pen_session_get_view (session)->visible, visible));
  gtk_toggle_button_set_active (follow, TRUE);
  g_assert_cmpuint (pen_session_get_view (session)->visible.to, ==,
                    pen_session_get_span (session).to);
  g_assert_cmpuint (pen_span_length (pen_session_get_view (session)->visible), ==, LIVE_SECOND);
  window_support_close_window (window);
  close (recorder.fd);
  live_recorder_clear (&recorder);
}

/* New rows above the first are seen where nothing is scrolled to; the title has the new length. */
static void
test_top (void)
{
  LiveRecorder recorder;
  PenWindow *window = live_recorder_open (&recorder, 45);
  GtkColumnView *view = window_support_child (window->functions, "view");
  GtkAdjustment *down = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
  g_autoptr (GtkColumnViewColumn) name
      = g_list_model_get_item (gtk_column_view_get_columns (view), 0);
  guint64 total = get_total (window);
  g_autofree char *first = NULL;
  g_autofree char *first_then = NULL;
  g_autofree char *length = NULL;

  gtk_column_view_sort_by_column (view, name, GTK_SORT_DESCENDING);
  app_support_run (100);
  gtk_adjustment_set_value (down, 0);
  app_support_run (100);
  first = dup_first_in_sight (window);
  g_assert_cmpstr (first, ==, "bpf_prog_40");

  live_recorder_write (&recorder, 80);
  wait_for_more (window, total);
  g_assert_cmpfloat (gtk_adjustment_get_value (down), ==, 0);
  first_then = dup_first_in_sight (window);
  g_assert_cmpstr (first_then, ==, "bpf_prog_79");
  length = pen_format_duration (pen_span_length (pen_session_get_span (window->session)));
  g_assert_nonnull (strstr (adw_window_title_get_subtitle (window->title), length));
  window_support_close_window (window);
  close (recorder.fd);
  live_recorder_clear (&recorder);
}

static void
test_pause (void)
{
  LiveRecorder recorder;
  PenWindow *window = live_recorder_open (&recorder, 40);
  GtkToggleButton *pause = window_support_child (window->live_bar, "pause");
  guint64 total = get_total (window);
  g_autofree char *labels = NULL;

  gtk_toggle_button_set_active (pause, TRUE);
  g_assert_cmpint (pen_session_get_live (window->session), ==, PEN_LIVE_PAUSED);
  live_recorder_write (&recorder, 60);
  app_support_run (1500);
  g_assert_cmpuint (get_total (window), ==, total);
  labels = window_support_dup_labels (window->live_bar);
  g_assert_nonnull (strstr (labels, "Paused at 2 s"));

  gtk_toggle_button_set_active (pause, FALSE);
  wait_for_more (window, total);
  window_support_close_window (window);
  close (recorder.fd);
  live_recorder_clear (&recorder);
}

/* A mark is a note, and one on the whole recording when it has ended. */
static void
test_mark (void)
{
  LiveRecorder recorder;
  PenWindow *window = live_recorder_open (&recorder, 40);
  PenSession *session = window->session;
  guint64 newest = pen_session_get_newest (session);
  const GPtrArray *notes;
  const PenNoteRow *row;

  g_signal_emit_by_name (window_support_child (window->live_bar, "mark"), "clicked");
  app_support_wait_for (pen_session_get_answers (session)->notes
                        && pen_session_get_answers (session)->notes->len == 1);
  live_recorder_end (&recorder);
  app_support_wait_for (pen_session_get_live (session) == PEN_LIVE_NONE);
  app_support_settle (session);
  notes = pen_session_get_answers (session)->notes;
  g_assert_cmpuint (notes->len, ==, 1);
  row = notes->pdata[0];
  g_assert_cmpuint (row->note->time, ==, newest);
  g_assert_cmpstr (row->note->text, ==, "Mark 1");
  window_support_close_window (window);

  window = window_support_open_path (recorder.path);
  g_assert_cmpuint (pen_session_get_answers (window->session)->notes->len, ==, 1);
  window_support_close_window (window);
  live_recorder_clear (&recorder);
}

/* Every page, and a window that is closed, or opens something else, meanwhile. */
static void
test_pages (void)
{
  LiveRecorder recorder;
  PenWindow *window = live_recorder_open (&recorder, 30);
  g_autofree char *other = app_support_capture ("a-jump-labels.data");
  g_autoptr (GFile) file = g_file_new_for_path (other);

  for (guint page = 0; page < PEN_PAGES; page++) {
    guint64 total = get_total (window);

    pen_session_set_page (window->session, page);
    app_support_settle (window->session);
    live_recorder_write (&recorder, 35 + page * 8);
    wait_for_more (window, total);
    g_assert_cmpint (pen_session_get_view (window->session)->page, ==, page);
  }
  live_recorder_write (&recorder, 90);
  pen_window_open (window, file);
  app_support_settle (window->session);
  app_support_run (700);
  g_assert_cmpint (pen_session_get_live (window->session), ==, PEN_LIVE_NONE);
  g_assert_false (is_bar_shown (window));
  window_support_close_window (window);

  window = window_support_open_path (recorder.path);
  g_assert_cmpint (pen_session_get_live (window->session), ==, PEN_LIVE_RUNNING);
  live_recorder_write (&recorder, 95);
  app_support_run (550);
  window_support_close_window (window);
  close (recorder.fd);
  live_recorder_clear (&recorder);
}

static void
add_tests (void)
{
  g_test_add_func ("/app/live/no-jump", test_no_jump);
  g_test_add_func ("/app/live/follow", test_follow);
  g_test_add_func ("/app/live/top", test_top);
  g_test_add_func ("/app/live/pause", test_pause);
  g_test_add_func ("/app/live/mark", test_mark);
  g_test_add_func ("/app/live/pages", test_pages);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
