/* test-window-pair.c: the open recording, compared with another one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pair-support.h"

#include <string.h>

#include "pen-pair-cause-item.h"
#include "pen-pair-item.h"
#include "pen-pair-line-item.h"
#include "pen-pair-path-item.h"
#include "pen-pair-source-item.h"
#include "pen-pair-timeline.h"
#include "pen-pair-words.h"

static const char *
get_code_page (PenWindow *window)
{
  return gtk_stack_get_visible_child_name (window->code_stack);
}

static const char *
get_page (PenWindow *window)
{
  return gtk_stack_get_visible_child_name (window_support_child (window->pair_view, "stack"));
}

static GListModel *
get_lines (PenWindow *window)
{
  return G_LIST_MODEL (
      window_support_child (pen_pair_view_get_detail (window->pair_view), "lines_selection"));
}

/* The list is that of the command line; a row shows its text, and the window its function. */
static void
test_list (void)
{
  PenWindow *window = pair_support_open ("b-ftrace.data", "c-kprobes.data");
  g_autofree char *a = app_support_capture ("b-ftrace.data");
  g_autofree char *b = app_support_capture ("c-kprobes.data");
  g_autofree char *command
      = g_strdup_printf ("pentimento-cli compare '%s' '%s' --format=csv", a, b);
  g_autofree char *printed = app_support_run_command (command);
  g_auto (GStrv) printed_rows = g_strsplit (g_strchomp (printed), "\n", -1);
  GListModel *rows = pair_support_get_rows (window);
  guint64 samples[2] = { 0, 0 };
  const char *first;
  guint32 function;

  g_assert_cmpstr (get_code_page (window), ==, "pair");
  g_assert_cmpstr (get_page (window), ==, "list");
  g_assert_cmpuint (g_list_model_get_n_items (rows), ==, g_strv_length (printed_rows) - 1);
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (PenPairItem) item = g_list_model_get_item (rows, i);
    const PenPairRow *row = pen_pair_item_get_row (item);

    g_assert_true (g_str_has_prefix (printed_rows[i + 1], row->symbol ? row->symbol : ","));
  }
  first = gtk_label_get_text (window_support_child (window->pair_view, "first"));
  g_assert_true (g_str_has_prefix (first, "A  b-ftrace.data · 6.1.0"));
  g_assert_nonnull (strstr (first, "cpu-clock"));
  first = gtk_label_get_text (window_support_child (window->pair_view, "second"));
  g_assert_true (g_str_has_prefix (first, "B  c-kprobes.data"));

  pair_support_select_row (window, "vfs_read");
  g_assert_true (pen_session_get_function (window->session, &function));
  g_assert_cmpstr (pen_session_get_answers (window->session)->annotation->text->annotated->symbol,
                   ==, "vfs_read");
  for (guint i = 0; i < g_list_model_get_n_items (get_lines (window)); i++) {
    g_autoptr (PenPairLineItem) item = g_list_model_get_item (get_lines (window), i);
    const PenPairLine *line = pen_pair_line_item_get_line (item);
    g_autofree char *spoken = pen_pair_line_item_dup_spoken (item);

    g_assert_nonnull (strstr (spoken, "A: "));
    samples[0] += line->rates[0].samples;
    samples[1] += line->rates[1].samples;
  }
  g_assert_cmpuint (samples[0], >, 0);
  g_assert_cmpuint (samples[1], >, 0);
  window_support_close_window (window);
}

/* The filter is for both, and totals are those of the session. */
static void
test_filter (void)
{
  PenWindow *window = pair_support_open ("b-ftrace.data", "c-kprobes.data");
  PenSession *session = window->session;
  g_autoptr (PenQuery) query = app_support_open_query (session);
  guint64 matching, total;

  g_assert_true (pen_query_count (query, NULL, &matching, &total, NULL));
  g_assert_cmpuint (pair_support_sum_rows (window, 0), ==, matching);
  pen_session_set_kinds (session, 1u << PEN_KIND_DSO);
  pair_support_wait (window);
  g_assert_true (
      pen_query_count (query, pen_session_get_view (session)->filter, &matching, &total, NULL));
  g_assert_cmpuint (pair_support_sum_rows (window, 0), ==, matching);
  g_assert_cmpuint (matching, <, total);
  window_support_close_window (window);
}

/* It ends with its button, and with the recording; and it can be begun again. */
static void
test_end (void)
{
  PenWindow *window = pair_support_open ("b-ftrace.data", "c-kprobes.data");
  g_autofree char *path = app_support_capture ("d-bpf.data");

  g_signal_emit_by_name (window_support_child (window->pair_view, "close"), "clicked");
  g_assert_cmpstr (get_code_page (window), ==, "panes");
  g_assert_cmpuint (g_list_model_get_n_items (pair_support_get_rows (window)), ==, 0);
  g_assert_cmpint (pen_pair_session_get_state (window->pair), ==, PEN_PAIR_CLOSED);

  pen_pair_session_open (window->pair, path, NULL);
  pair_support_wait (window);
  g_assert_cmpstr (get_code_page (window), ==, "pair");
  window_support_activate (window, "win.end-comparison");
  g_assert_cmpstr (get_code_page (window), ==, "panes");

  /* Cancelled while it is opened. */
  app_support_clear_cache ();
  pen_pair_session_open (window->pair, path, NULL);
  g_assert_cmpstr (get_page (window), ==, "busy");
  g_signal_emit_by_name (window_support_child (window->pair_view, "cancel"), "clicked");
  g_assert_cmpstr (get_code_page (window), ==, "panes");
  app_support_run (50);
  g_assert_cmpint (pen_pair_session_get_state (window->pair), ==, PEN_PAIR_CLOSED);

  pen_pair_session_open (window->pair, path, NULL);
  pair_support_wait (window);
  pen_session_open (window->session, path);
  g_assert_cmpint (pen_pair_session_get_state (window->pair), ==, PEN_PAIR_CLOSED);
  app_support_settle (window->session);
  window_support_close_window (window);
}

/* What cannot be read says why, and the window goes on. */
static void
test_failure (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  const char *failure;

  pen_pair_session_open (window->pair, "/nowhere/perf.data", NULL);
  pair_support_wait (window);
  g_assert_cmpint (pen_pair_session_get_state (window->pair), ==, PEN_PAIR_FAILED);
  g_assert_cmpstr (get_page (window), ==, "error");
  failure = gtk_label_get_text (window_support_child (window->pair_view, "failure"));
  g_assert_nonnull (strstr (failure, "perf.data"));
  g_signal_emit_by_name (window_support_child (window->pair_view, "close"), "clicked");
  g_assert_cmpstr (get_code_page (window), ==, "panes");
  window_support_close_window (window);
}

/* Words and bars of rows that are sure, and of others. */
static void
test_words (void)
{
  PenWindow *window = pair_support_open ("d-bpf.data", "k7-d-bpf.data");
  GListModel *rows = pair_support_get_rows (window);
  guint n_sure = 0;
  double longest = 0;

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (PenPairItem) item = g_list_model_get_item (rows, i);
    const PenPairTest *test = pen_pair_item_get_test (item);
    g_autofree char *ratio = pen_pair_words_of_ratio (test);
    g_autofree char *sides = pen_pair_words_of_sides (item);
    const char *verdict = pen_pair_words_of_verdict (test->verdict);

    g_assert_cmpint (verdict[0] == '\0', ==, test->verdict == PEN_PAIR_UNSURE);
    g_assert_true (g_str_has_prefix (sides, "A: "));
    g_assert_nonnull (strstr (sides, "\nB: "));
    g_assert_null (strstr (sides, "nan"));
    g_assert_null (strstr (ratio, "inf"));
    for (guint side = 0; side < 2; side++) {
      PenPairBar bar = pen_pair_item_get_bar (item, side);

      g_assert_true (bar.value >= 0 && bar.value <= 1 && bar.low <= bar.high);
      longest = MAX (longest, bar.high);
    }
    n_sure += test->verdict != PEN_PAIR_UNSURE;
  }
  g_assert_cmpfloat (longest, ==, 1);
  g_assert_cmpuint (n_sure, ==, pen_pair_session_get_list (window->pair)->pairs->n_different);
  g_assert_cmpuint (n_sure, >, 0);
  window_support_close_window (window);
}

/* As with --compare: the recording is not open yet. Where it cannot be opened, nothing comes of
 * that, nor does it with the next one. */
static void
test_later (void)
{
  PenWindow *window = window_support_new_window ();
  g_autofree char *a = app_support_capture ("b-ftrace.data");
  g_autofree char *b = app_support_capture ("c-kprobes.data");
  g_autoptr (GFile) nothing = g_file_new_for_path ("/nothing.data");
  g_autoptr (GFile) first = g_file_new_for_path (a);
  g_autoptr (GFile) second = g_file_new_for_path (b);

  pen_window_compare_with (window, second);
  pen_window_open (window, nothing);
  pen_window_compare_with (window, second);
  app_support_wait_for (pen_session_get_state (window->session) == PEN_SESSION_FAILED);
  pen_window_open (window, first);
  app_support_settle (window->session);
  g_assert_cmpint (pen_pair_session_get_state (window->pair), ==, PEN_PAIR_CLOSED);

  pen_window_open (window, first);
  pen_window_compare_with (window, second);
  app_support_settle (window->session);
  pair_support_wait (window);
  g_assert_cmpint (pen_pair_session_get_state (window->pair), ==, PEN_PAIR_READY);
  g_assert_cmpstr (get_code_page (window), ==, "pair");
  window_support_close_window (window);
}

/* ---- what is compared of a function ---- */

static const char *
get_detail_page (PenWindow *window)
{
  return gtk_stack_get_visible_child_name (
      window_support_child (pen_pair_view_get_detail (window->pair_view), "stack"));
}

/* Both timelines have the samples of the row that is chosen, and patches of it. */
static void
test_timelines (void)
{
  PenWindow *window = pair_support_open ("b-ftrace.data", "c-kprobes.data");
  const PenPairList *list = pen_pair_session_get_list (window->pair);
  const PenPairLines *lines;

  pair_support_select_row (window, "vfs_read");
  lines = pen_pair_session_get_lines (window->pair);
  for (guint side = 0; side < 2; side++) {
    PenPairTimeline *timeline = window_support_child (
        window->pair_view, side == 0 ? "first_timeline" : "second_timeline");
    double width = gtk_widget_get_width (GTK_WIDGET (timeline));
    double height = gtk_widget_get_height (GTK_WIDGET (timeline));
    guint n_all = 0, n_function = 0;

    g_assert_cmpuint (list->overviews[side]->total, ==, list->pairs->sides[side].samples);
    g_assert_cmpuint (lines->overviews[side]->total, ==, lines->row->rates[side].samples);
    g_assert_cmpuint (lines->overviews[side]->marks->len, >, 0);
    g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (timeline)));
    for (double x = 0; x < width; x += 4) {
      g_autofree char *all = pen_pair_timeline_describe_point (timeline, x, height * 0.6);
      g_autofree char *function = pen_pair_timeline_describe_point (timeline, x, height * 0.95);

      n_all += all && g_str_has_prefix (all, side == 0 ? "A: all" : "B: all");
      n_function += function && g_str_has_prefix (function, "vfs_read");
    }
    g_assert_cmpuint (n_all, >, 10);
    g_assert_cmpuint (n_function, ==, n_all);
  }
  gtk_toggle_button_set_active (window_support_child (window->pair_view, "timelines_shown"), FALSE);
  app_support_run (50);
  g_assert_false (gtk_widget_get_visible (window_support_child (window->pair_view, "timelines")));
  window_support_close_window (window);
}

/* Callers of the row that is chosen, and all call paths, as the command line prints them. */
static void
test_paths (void)
{
  PenWindow *window = pair_support_open ("f-everything-z.data", "d-bpf.data");
  GListModel *rows = G_LIST_MODEL (
      window_support_child (pen_pair_view_get_detail (window->pair_view), "paths_selection"));
  g_autofree char *a = app_support_capture ("f-everything-z.data");
  g_autofree char *b = app_support_capture ("d-bpf.data");

  for (guint i = 0; i < 2; i++) {
    g_autofree char *command
        = g_strdup_printf ("pentimento-cli compare '%s' '%s' %s --by=path --format=csv", a, b,
                           i == 0 ? "vfs_read" : "");
    g_autofree char *printed = NULL;
    g_auto (GStrv) printed_rows = NULL;
    const PenPairTree *tree;

    if (i == 0)
      pair_support_select_row (window, "vfs_read");
    pair_support_choose_detail (window, i == 0 ? 2 : 3);
    printed = app_support_run_command (command);
    printed_rows = g_strsplit (g_strchomp (printed), "\n", -1);
    tree = pen_pair_session_get_tree (window->pair);
    g_assert_nonnull (tree);
    g_assert_true ((tree->row != NULL) == (i == 0));
    g_assert_cmpuint (tree->paths->paths->len, ==, g_strv_length (printed_rows) - 1);
    g_assert_cmpstr (get_detail_page (window), ==, "paths");
    g_assert_cmpuint (g_list_model_get_n_items (rows), >, 1);
    for (guint k = 0; k < g_list_model_get_n_items (rows); k++) {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (rows, k);
      g_autoptr (PenPairPathItem) item = gtk_tree_list_row_get_item (row);
      g_autofree char *spoken = pen_pair_path_item_dup_spoken (item);

      g_assert_nonnull (strstr (spoken, "A: "));
      g_assert_null (strstr (spoken, "nan"));
    }
  }
  /* Another row has its own callers. */
  pair_support_choose_detail (window, 2);
  pair_support_select_row (window, "read_zero");
  g_assert_cmpstr (pen_pair_session_get_tree (window->pair)->row->symbol, ==, "read_zero");
  window_support_close_window (window);
}

/* What stands differently, as the command line prints it; a row shows its function, too. */
static void
test_causes (void)
{
  PenWindow *window = pair_support_open ("b-ftrace.data", "c-kprobes.data");
  GtkWidget *detail = pen_pair_view_get_detail (window->pair_view);
  GtkSingleSelection *selection = window_support_child (detail, "causes_selection");
  GListModel *rows = G_LIST_MODEL (selection);
  g_autofree char *a = app_support_capture ("b-ftrace.data");
  g_autofree char *b = app_support_capture ("c-kprobes.data");
  g_autofree char *command
      = g_strdup_printf ("pentimento-cli compare '%s' '%s' --by=cause --format=csv", a, b);
  g_autofree char *printed = app_support_run_command (command);
  g_auto (GStrv) printed_rows = g_strsplit (g_strchomp (printed), "\n", -1);
  guint n_different = 0;

  pair_support_select_row (window, "read_zero");
  pair_support_choose_detail (window, 4);
  g_assert_cmpstr (get_detail_page (window), ==, "causes");
  g_assert_cmpuint (g_list_model_get_n_items (rows), ==, g_strv_length (printed_rows) - 1);
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (PenPairCauseItem) item = g_list_model_get_item (rows, i);
    const PenPairCause *cause = pen_pair_cause_item_get_cause (item);
    g_autofree char *begin
        = g_strdup_printf ("%s,%s,", pen_pair_cause_get_word (cause), cause->name);
    g_autofree char *name = pen_pair_cause_item_dup_name (item);
    g_autofree char *spoken = pen_pair_cause_item_dup_spoken (item);
    g_autofree char *first = pen_pair_cause_item_dup_stand (item, 0);

    g_assert_true (g_str_has_prefix (printed_rows[i + 1], begin));
    g_assert_nonnull (strstr (spoken, name));
    g_assert_nonnull (strstr (spoken, first));
    g_assert_nonnull (strstr (spoken, "B: "));
    g_assert_null (strstr (spoken, "nan"));
    n_different
        += cause->verdict != PEN_PAIR_STAND_SAME && cause->verdict != PEN_PAIR_STAND_UNKNOWN;
    if (cause->function && g_strcmp0 (cause->function->symbol, "vfs_read") == 0)
      gtk_single_selection_set_selected (selection, i);
  }
  g_assert_cmpuint (n_different, ==,
                    pen_pair_session_get_causes (window->pair)->causes->n_different);
  g_assert_cmpuint (n_different, >, 0);
  pair_support_wait (window);
  g_assert_cmpstr (pair_support_get_selected (window), ==, "vfs_read");
  g_assert_cmpstr (get_detail_page (window), ==, "causes");
  g_assert_true (gtk_single_selection_get_selected (selection) != GTK_INVALID_LIST_POSITION);

  /* Those of the time that is compared. */
  pen_session_set_selected (window->session, &(PenSpan){ 0, 1 });
  pair_support_wait (window);
  g_assert_cmpstr (get_detail_page (window), ==, "empty");

  /* Rows that are not in sight hold no recording that was closed. */
  pen_session_set_selected (window->session, NULL);
  pair_support_wait (window);
  g_assert_cmpuint (g_list_model_get_n_items (rows), >, 0);
  pair_support_choose_detail (window, 0);
  pen_pair_session_close (window->pair);
  pair_support_wait (window);
  g_assert_cmpuint (g_list_model_get_n_items (rows), ==, 0);
  window_support_close_window (window);
}

/* Lines of source of a program, which are recorded with it; other functions say that there are
 * none. */
static void
test_sources (void)
{
  PenWindow *window = pair_support_open ("d-bpf.data", "k7-d-bpf.data");
  GListModel *rows = G_LIST_MODEL (
      window_support_child (pen_pair_view_get_detail (window->pair_view), "sources_selection"));
  guint64 samples[2] = { 0, 0 };
  const PenPairRow *row;

  pair_support_select_row (window, "sock_b");
  pair_support_choose_detail (window, 1);
  g_assert_cmpstr (get_detail_page (window), ==, "sources");
  row = pen_pair_session_get_lines (window->pair)->row;
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (PenPairSourceItem) item = g_list_model_get_item (rows, i);
    g_autofree char *place = pen_pair_source_item_dup_place (item, 0, FALSE);
    g_autofree char *spoken = pen_pair_source_item_dup_spoken (item);

    if (i == 0)
      g_assert_true (g_str_has_prefix (place, "progs.bpf.c:"));
    g_assert_nonnull (strstr (spoken, "B: "));
    for (guint side = 0; side < 2; side++)
      samples[side] += pen_pair_source_item_get_line (item)->rates[side].samples;
  }
  g_assert_cmpuint (samples[0], ==, row->rates[0].samples);
  g_assert_cmpuint (samples[1], ==, row->rates[1].samples);
  pair_support_select_row (window, "bpf_test_run");
  g_assert_cmpstr (get_detail_page (window), ==, "empty");
  window_support_close_window (window);
}

/* Back and forward go from one function to the other here, too. */
static void
test_back (void)
{
  PenWindow *window = pair_support_open ("b-ftrace.data", "c-kprobes.data");

  pair_support_select_row (window, "vfs_read");
  pair_support_select_row (window, "read_zero");
  window_support_activate (window, "win.back");
  pair_support_wait (window);
  g_assert_cmpstr (pair_support_get_selected (window), ==, "vfs_read");
  g_assert_cmpstr (pen_pair_session_get_lines (window->pair)->row->symbol, ==, "vfs_read");
  window_support_activate (window, "win.forward");
  pair_support_wait (window);
  g_assert_cmpstr (pair_support_get_selected (window), ==, "read_zero");
  window_support_close_window (window);
}

/* An ended comparison is a place to go back to, with the function that was selected; going forward
 * ends it again, and going back to what was before it, too. */
static void
test_back_to_ended (void)
{
  PenWindow *window = pair_support_open ("b-ftrace.data", "c-kprobes.data");
  g_autofree char *name = NULL;

  pair_support_select_row (window, "vfs_read");
  window_support_activate (window, "win.end-comparison");
  app_support_settle (window->session);
  g_assert_cmpstr (get_code_page (window), ==, "panes");
  g_assert_cmpstr (pen_session_get_place_name (window->session, 0), ==, "End the comparison");

  window_support_activate (window, "win.back");
  pair_support_wait (window);
  g_assert_cmpstr (get_code_page (window), ==, "pair");
  g_assert_cmpint (pen_pair_session_get_state (window->pair), ==, PEN_PAIR_READY);
  g_assert_cmpstr (pair_support_get_selected (window), ==, "vfs_read");
  g_assert_cmpstr (pen_pair_session_get_lines (window->pair)->row->symbol, ==, "vfs_read");
  window_support_activate (window, "win.forward");
  app_support_settle (window->session);
  g_assert_cmpstr (get_code_page (window), ==, "panes");
  g_assert_cmpint (pen_pair_session_get_state (window->pair), ==, PEN_PAIR_CLOSED);

  /* The first place of it is that it was begun. */
  window_support_activate (window, "win.back");
  pair_support_wait (window);
  while (pen_pair_session_get_state (window->pair) != PEN_PAIR_CLOSED) {
    g_clear_pointer (&name, g_free);
    name = g_strdup (pen_session_get_place_name (window->session, 0));
    window_support_activate (window, "win.back");
    pair_support_wait (window);
  }
  g_assert_cmpstr (name, ==, "Compare with c-kprobes.data");
  g_assert_cmpstr (get_code_page (window), ==, "panes");
  window_support_close_window (window);
}

/* Texts that differ alone; the function that was selected stays so. */
static void
test_differing (void)
{
  PenWindow *window = pair_support_open ("d-bpf.data", "k7-d-bpf.data");
  GtkToggleButton *differing = window_support_child (window->pair_view, "differing");
  guint n = g_list_model_get_n_items (pair_support_get_rows (window));

  pair_support_select_row (window, "bpf_test_run");
  gtk_toggle_button_set_active (differing, TRUE);
  pair_support_wait (window);
  g_assert_cmpuint (g_list_model_get_n_items (pair_support_get_rows (window)), >, 0);
  g_assert_cmpuint (g_list_model_get_n_items (pair_support_get_rows (window)), <, n);
  for (guint i = 0; i < g_list_model_get_n_items (pair_support_get_rows (window)); i++) {
    g_autoptr (PenPairItem) item = g_list_model_get_item (pair_support_get_rows (window), i);
    PenPairTextState text = pen_pair_item_get_row (item)->text;

    g_assert_true (text == PEN_PAIR_TEXT_PATCHED || text == PEN_PAIR_TEXT_DIFFERS);
  }
  gtk_toggle_button_set_active (differing, FALSE);
  pair_support_wait (window);
  g_assert_cmpuint (g_list_model_get_n_items (pair_support_get_rows (window)), ==, n);
  window_support_close_window (window);
}

/* ---- files and commands ---- */

static void
test_export (void)
{
  PenWindow *window = pair_support_open ("b-ftrace.data", "c-kprobes.data");
  PenSpan span = pen_session_get_span (window->session);
  PenSpan part = { span.from + pen_span_length (span) / 5, span.from + pen_span_length (span) / 2 };
  g_autofree char *a = app_support_capture ("b-ftrace.data");
  g_autofree char *b = app_support_capture ("c-kprobes.data");
  g_autofree char *command
      = g_strdup_printf ("pentimento-cli compare '%s' '%s' --format=csv", a, b);
  g_autofree char *printed = app_support_run_command (command);
  g_autofree char *list = pair_support_export (window, PEN_WINDOW_EXPORT_COMPARISON, "pair.csv");

  g_assert_true (g_str_equal (list, printed));
  pair_support_select_row (window, "vfs_read");
  pair_support_check_exports (window);
  pen_session_set_selected (window->session, &part);
  pair_support_wait (window);
  g_assert_cmpstr (pair_support_get_selected (window), ==, "vfs_read");
  pair_support_check_exports (window);
  g_assert_true (pen_window_shows_pair (window));
  pen_pair_session_close (window->pair);
  g_assert_false (pen_window_shows_pair (window));
  g_assert_false (pen_pair_session_can_export (window->pair));
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window-pair/list", test_list);
  g_test_add_func ("/window-pair/filter", test_filter);
  g_test_add_func ("/window-pair/end", test_end);
  g_test_add_func ("/window-pair/failure", test_failure);
  g_test_add_func ("/window-pair/later", test_later);
  g_test_add_func ("/window-pair/words", test_words);
  g_test_add_func ("/window-pair/timelines", test_timelines);
  g_test_add_func ("/window-pair/paths", test_paths);
  g_test_add_func ("/window-pair/causes", test_causes);
  g_test_add_func ("/window-pair/sources", test_sources);
  g_test_add_func ("/window-pair/back", test_back);
  g_test_add_func ("/window-pair/back-to-ended", test_back_to_ended);
  g_test_add_func ("/window-pair/differing", test_differing);
  g_test_add_func ("/window-pair/export", test_export);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
