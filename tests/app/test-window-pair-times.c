/* test-window-pair-times.c: two times of one recording, or of two, are compared
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pair-support.h"

#include <string.h>

#include "pen-pair-timeline.h"

static const char *
get_code_page (PenWindow *window)
{
  return gtk_stack_get_visible_child_name (window->code_stack);
}

static void
check_list (PenWindow *window)
{
  const char *symbol = pair_support_get_selected (window);
  g_autofree char *command = NULL;
  g_autofree char *csv = NULL;
  g_autofree char *printed = NULL;
  g_autofree char *list = pair_support_export (window, PEN_WINDOW_EXPORT_COMPARISON, "pair.csv");
  const char *at;

  pair_support_choose_detail (window, 0);
  command = pen_window_dup_pair_command (window);
  at = strstr (command, symbol);
  /* The command is for one function: without its name, it is that of the list. */
  g_assert_nonnull (at);
  csv = g_strdup_printf ("%.*s%s --format=csv", (int) (at - command), command,
                         at + strlen (symbol));
  printed = app_support_run_command (csv);
  g_assert_true (g_str_equal (list, printed));
}

static const char *
get_stretch (PenWindow *window, const char *stretch)
{
  return gtk_label_get_text (
      window_support_child (window_support_child (window->pair_view, stretch), "time"));
}

/* The recording, and a time of it beside another one: it begins with two halves, or the selected
 * time; both can be chosen. */
static void
test_two_times (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  PenSpan span = pen_session_get_span (window->session);
  PenSpan part = { span.from + pen_span_length (span) / 5, span.from + pen_span_length (span) / 2 };
  PenSpan selected;
  const PenFilter *b;

  window_support_activate (window, "win.compare-times");
  pair_support_wait (window);
  g_assert_cmpstr (get_code_page (window), ==, "pair");
  g_assert_true (pen_session_get_selected (window->session, &selected));
  b = pen_pair_session_get_list (window->pair)->filters[1];
  g_assert_cmpuint (selected.from, ==, span.from);
  g_assert_cmpuint (b->from, ==, selected.to + 1);
  g_assert_cmpuint (b->to, ==, span.to);
  pair_support_select_row (window, "vfs_read");
  check_list (window);
  pair_support_check_exports (window);
  window_support_activate (window, "win.end-comparison");

  pen_session_set_selected (window->session, &part);
  window_support_activate (window, "win.compare-times");
  pair_support_wait (window);
  g_assert_true (pen_session_get_selected (window->session, &selected));
  g_assert_true (pen_span_equal (selected, part));
  b = pen_pair_session_get_list (window->pair)->filters[1];
  g_assert_cmpuint (b->from, ==, part.to + 1);
  g_assert_cmpuint (b->to, <=, span.to);
  pair_support_select_row (window, "vfs_read");
  check_list (window);
  /* Each is a place. */
  window_support_activate (window, "win.back");
  pair_support_wait (window);
  window_support_close_window (window);
}

/* Times are chosen on the timelines and typed; B has that of its own, or the part that A has. */
static void
test_choose_times (void)
{
  PenWindow *window = pair_support_open ("b-ftrace.data", "c-kprobes.data");
  PenPairTimeline *timelines[] = { window_support_child (window->pair_view, "first_timeline"),
                                   window_support_child (window->pair_view, "second_timeline") };
  double width = gtk_widget_get_width (GTK_WIDGET (timelines[0]));
  GtkWidget *second = window_support_child (window->pair_view, "second_stretch");
  GtkEntry *entry = window_support_child (second, "entry");
  guint64 all = pair_support_sum_rows (window, 1), part;
  PenSpan selected;

  g_assert_cmpstr (get_stretch (window, "first_stretch"), ==, "Entire recording");
  g_assert_cmpstr (get_stretch (window, "second_stretch"), ==, "Entire recording");
  pair_support_select_row (window, "vfs_read");
  pen_pair_timeline_choose (timelines[1], width * 0.7, width * 0.4);
  pair_support_wait (window);
  part = pair_support_sum_rows (window, 1);
  g_assert_cmpuint (part, <, all);
  g_assert_false (pen_session_get_selected (window->session, &selected));
  g_assert_cmpstr (get_stretch (window, "first_stretch"), ==, "Entire recording");
  g_assert_cmpstr (get_stretch (window, "second_stretch"), !=, "Entire recording");
  g_assert_cmpstr (pair_support_get_selected (window), ==, "vfs_read");
  check_list (window);

  pen_pair_timeline_choose (timelines[0], width * 0.5, width * 0.8);
  pair_support_wait (window);
  g_assert_true (pen_session_get_selected (window->session, &selected));
  g_assert_cmpuint (pair_support_sum_rows (window, 1), ==, part);
  check_list (window);
  pair_support_check_exports (window);

  gtk_editable_set_text (GTK_EDITABLE (entry), "2%");
  g_signal_emit_by_name (entry, "activate");
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (entry), "error"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "20%,30%");
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (entry), "error"));
  g_signal_emit_by_name (entry, "activate");
  pair_support_wait (window);
  check_list (window);
  window_support_activate (window, "win.back");
  pair_support_wait (window);
  g_assert_cmpuint (pair_support_sum_rows (window, 1), ==, part);

  g_signal_emit_by_name (window_support_child (second, "entire"), "clicked");
  pair_support_wait (window);
  g_assert_cmpstr (pen_session_get_place_name (window->session, 0), ==, "B: Entire recording");
  g_assert_cmpuint (pair_support_sum_rows (window, 1), ==, all);
  check_list (window);
  g_signal_emit_by_name (window_support_child (second, "same"), "clicked");
  pair_support_wait (window);
  g_assert_cmpuint (pair_support_sum_rows (window, 1), <, all);
  gtk_widget_activate_action (GTK_WIDGET (timelines[0]), "pair-timeline.clear", NULL);
  pair_support_wait (window);
  g_assert_cmpuint (pair_support_sum_rows (window, 1), ==, all);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window-pair-times/two", test_two_times);
  g_test_add_func ("/window-pair-times/choose", test_choose_times);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
