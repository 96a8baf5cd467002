/* test-window-numbers.c: the window has the numbers of the locale, and what it writes for programs
 * has not
 *
 * Run by in_language.py where the decimal mark is a comma, and groups of digits have a point.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <locale.h>
#include <string.h>

#include "pen-format.h"
#include "pen-numbers.h"

#define CAPTURE "f-everything-z.data"

static void
check_freed (char *text, const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_format (void)
{
  PenNumbers numbers;

  check_freed (pen_format_time (4812345678, 1000000), "4,812");
  check_freed (pen_format_duration (2380000000), "2,38 s");
  check_freed (pen_format_count (19649), "19.649");
  check_freed (pen_format_share (0.1234), "12,3 %");
  check_freed (pen_format_share (0.0001), "< 0,1 %");
  numbers = pen_numbers_begin_plain ();
  check_freed (pen_format_time (4812345678, 1000000), "4.812");
  check_freed (pen_format_count (19649), "19\342\200\257649");
  check_freed (pen_format_share (0.1234), "12.3 %");
  check_freed (g_strdup_printf ("%.2f", 1.5), "1.50");
  pen_numbers_end_plain (numbers);
  check_freed (g_strdup_printf ("%.2f", 1.5), "1,50");
}

/* Releases of kernels have points. */
static void
assert_no_match (const char *pattern, const char *labels, const char *page)
{
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (g_regex_match (regex, labels, 0, &match)) {
    g_autofree char *found = g_match_info_fetch (match, 0);

    g_error ("%s: “%s”", page, found);
  }
}

/* A number with its unit, whatever is in front of it. */
#define WITH_POINT "[0-9]\\.[0-9]{1,2}(?:[0-9]{4,})? ?(?:s|ms|µs|%|×|/s)(?![a-z]).*"
#define WITH_COMMA "[0-9],[0-9]+ (?:s|ms|µs|%)"

static void
test_labels (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);

  for (PenPage page = 0; page < PEN_PAGES; page++) {
    const char *name = pen_page_to_string (page);
    g_autofree char *labels = NULL;

    window_support_show_page (window, name);
    labels = window_support_dup_labels (window);
    assert_no_match (WITH_POINT, labels, name);
    g_assert_true (g_regex_match_simple (WITH_COMMA, labels, 0, 0));
  }
  window_support_close_window (window);
}

/* The same bytes as where the locale is C. */
static void
test_export (void)
{
  static const PenExport tables[]
      = { PEN_EXPORT_FUNCTIONS, PEN_EXPORT_SAMPLES,    PEN_EXPORT_CHANGES, PEN_EXPORT_CAUSES,
          PEN_EXPORT_OCCUPANTS, PEN_EXPORT_ANNOTATION, PEN_EXPORT_HISTORY, PEN_EXPORT_RECORDING };
  PenWindow *window = window_support_open_window (CAPTURE);
  guint n_points = 0;

  app_support_settle (window->session);
  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++) {
    g_autofree char *here = app_support_session_export (window->session, tables[i]);
    g_autofree char *plain = NULL;

    g_assert_cmpstr (setlocale (LC_NUMERIC, "C"), ==, "C");
    plain = app_support_session_export (window->session, tables[i]);
    g_assert_nonnull (setlocale (LC_NUMERIC, ""));
    g_assert_cmpstr (here, ==, plain);
    n_points += g_regex_match_simple ("[0-9]\\.[0-9]", here, 0, 0);
  }
  g_assert_cmpuint (n_points, >, 2);
  window_support_close_window (window);
}

/* Ctrl+C on a row. */
static char *
copy_row (PenWindow *window, gpointer page)
{
  GtkWidget *list = window_support_child (page, "view");
  GtkSelectionModel *rows = gtk_column_view_get_model (GTK_COLUMN_VIEW (list));

  gtk_selection_model_select_item (rows, 0, TRUE);
  window_support_press (list, "<Control>c");
  return window_support_dup_clipboard (window);
}

static void
test_clipboard (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  g_autofree char *here = copy_row (window, window->functions);
  g_autofree char *plain = NULL;

  setlocale (LC_NUMERIC, "C");
  plain = copy_row (window, window->functions);
  setlocale (LC_NUMERIC, "");
  g_assert_nonnull (strstr (here, " %"));
  g_assert_null (strchr (here, ','));
  g_assert_cmpstr (here, ==, plain);
  window_support_close_window (window);
}

/* What is typed and what is copied for a shell has a point: a comma is between two times. */
static void
test_filters (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  PenSession *session = window->session;
  g_autofree char *command = NULL;

  g_assert_true (pen_session_add_filter_text (session, "time:5.25,6.5", NULL));
  app_support_settle (session);
  window_support_activate (window, "win.copy-view-command");
  command = window_support_dup_clipboard (window);
  if (!g_regex_match_simple ("--time=5\\.250*,6\\.50*( |$)", command, 0, 0))
    g_error ("%s", command);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  /* GTK has taken the locale. */
  g_assert_cmpstr (pen_numbers_get_mark (), ==, ",");
  g_assert_cmpstr (pen_numbers_get_group (), ==, ".");
  g_test_add_func ("/window/numbers/format", test_format);
  g_test_add_func ("/window/numbers/labels", test_labels);
  g_test_add_func ("/window/numbers/export", test_export);
  g_test_add_func ("/window/numbers/clipboard", test_clipboard);
  g_test_add_func ("/window/numbers/filters", test_filters);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
