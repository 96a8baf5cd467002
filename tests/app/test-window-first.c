/* test-window-first.c: the first minutes: an example and its tour, and the recordings that most
 * people bring
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-layout.h"

#define N_STOPS 5
/* PERF_SAMPLE_CALLCHAIN of linux/perf_event.h */
#define SAMPLE_CALLCHAIN (1u << 5)
#define TEXT 0xffffffff81000000

/* ---- the example ---- */

static gboolean
is_shown (PenWindow *window)
{
  return gtk_widget_get_mapped (GTK_WIDGET (window->tour));
}

static GtkButton *
get_button (PenWindow *window, const char *id)
{
  return GTK_BUTTON (window_support_child (window->tour, id));
}

static char *
dup_words (PenWindow *window)
{
  return window_support_dup_labels (window->tour);
}

static PenWindow *
explore (void)
{
  PenWindow *window = window_support_new_window ();

  window_support_activate (window, "win.explore");
  app_support_wait_for (pen_session_get_state (window->session) == PEN_SESSION_READY);
  app_support_settle (window->session);
  app_support_wait_for (g_str_equal (window_support_get_page (window), "main"));
  app_support_run (50);
  return window;
}

static void
forget_tour (void)
{
  pen_layout_set (pen_layout_get_default (), "tour.shown", NULL);
}

/* The callout is beside what it speaks of, inside the window, and leaves the target in use. */
static void
assert_beside (PenWindow *window, GtkWidget *target)
{
  GtkWidget *card = window_support_child (window->tour, "card");
  graphene_rect_t callout, bounds;

  app_support_run (50);
  g_assert_true (gtk_widget_get_mapped (target));
  g_assert_true (gtk_widget_compute_bounds (card, GTK_WIDGET (window), &callout));
  g_assert_true (gtk_widget_compute_bounds (target, GTK_WIDGET (window), &bounds));
  g_assert_cmpfloat (callout.origin.x, >=, 0);
  g_assert_cmpfloat (callout.origin.y, >=, 0);
  g_assert_cmpfloat (callout.origin.x + callout.size.width, <=,
                     gtk_widget_get_width (GTK_WIDGET (window)));
  g_assert_cmpfloat (callout.origin.y + callout.size.height, <=,
                     gtk_widget_get_height (GTK_WIDGET (window)));
  g_assert_false (graphene_rect_intersection (&callout, &bounds, NULL));
}

static void
test_tour (void)
{
  PenWindow *window;
  g_autofree char *last = NULL;

  forget_tour ();
  window = explore ();
  g_assert_true (is_shown (window));
  {
    GtkWidget *const targets[N_STOPS]
        = { GTK_WIDGET (window->timeline), GTK_WIDGET (window->functions),
            GTK_WIDGET (window->annotation), GTK_WIDGET (window->history),
            GTK_WIDGET (window->switcher) };

    for (guint i = 0; i < N_STOPS; i++) {
      g_autofree char *words = dup_words (window);
      g_autofree char *count = g_strdup_printf ("%u of %u", i + 1, N_STOPS);

      g_assert_nonnull (strstr (words, count));
      assert_beside (window, targets[i]);
      g_assert_cmpint (gtk_widget_get_visible (GTK_WIDGET (get_button (window, "copy"))), ==,
                       i + 1 == N_STOPS);
      if (i + 1 < N_STOPS)
        g_signal_emit_by_name (get_button (window, "next"), "clicked");
    }
  }
  g_signal_emit_by_name (get_button (window, "back"), "clicked");
  last = dup_words (window);
  g_assert_nonnull (strstr (last, "4 of 5"));
  g_signal_emit_by_name (get_button (window, "next"), "clicked");
  g_signal_emit_by_name (get_button (window, "next"), "clicked");
  app_support_run (50);
  g_assert_false (is_shown (window));
  window_support_close_window (window);

  /* It never comes back. */
  window = explore ();
  g_assert_false (is_shown (window));
  window_support_close_window (window);
}

/* At once, by key; and with the recording. */
static void
test_dismissed (void)
{
  PenWindow *window;
  GtkWidget *focus;

  forget_tour ();
  window = explore ();
  focus = gtk_window_get_focus (GTK_WINDOW (window));
  g_assert_true (focus == GTK_WIDGET (get_button (window, "next")));
  window_support_press (GTK_WIDGET (window->tour), "Escape");
  app_support_run (50);
  g_assert_false (is_shown (window));
  window_support_close_window (window);

  forget_tour ();
  window = explore ();
  g_assert_true (is_shown (window));
  window_support_activate (window, "win.explore");
  app_support_run (50);
  g_assert_false (is_shown (window));
  app_support_wait_for (pen_session_get_state (window->session) == PEN_SESSION_READY);
  app_support_settle (window->session);
  g_assert_false (is_shown (window));
  window_support_close_window (window);

  /* While a callout is shown. */
  forget_tour ();
  window = explore ();
  g_assert_true (is_shown (window));
  window_support_close_window (window);
}

/* A narrow window shows one pane at a time, and its views at the bottom. */
static void
test_narrow (void)
{
  PenWindow *window;

  forget_tour ();
  window = window_support_new_window ();
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 700);
  app_support_run (100);
  window_support_activate (window, "win.explore");
  app_support_wait_for (is_shown (window));
  for (guint i = 1; i < N_STOPS; i++) {
    g_signal_emit_by_name (get_button (window, "next"), "clicked");
    app_support_run (100);
    g_assert_true (is_shown (window));
    g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 400);
    if (i == 3)
      g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window->history)));
  }
  assert_beside (window, GTK_WIDGET (window->switcher_bar));
  window_support_close_window (window);
}

/* An example that is not there leaves no tour behind for what is opened next. */
static void
test_no_example (void)
{
  g_autofree char *given = g_strdup (g_getenv ("PENTIMENTO_DATA"));
  g_autofree char *capture = app_support_capture ("b-ftrace.data");
  g_autoptr (GFile) file = g_file_new_for_path (capture);
  PenWindow *window;

  forget_tour ();
  g_setenv ("PENTIMENTO_DATA", "/nowhere", TRUE);
  window = window_support_new_window ();
  window_support_activate (window, "win.explore");
  app_support_wait_for (g_str_equal (window_support_get_page (window), "error"));
  pen_window_open (window, file);
  app_support_wait_for (pen_session_get_state (window->session) == PEN_SESSION_READY);
  app_support_settle (window->session);
  app_support_run (50);
  g_assert_cmpstr (window_support_get_page (window), ==, "main");
  g_assert_false (is_shown (window));
  window_support_close_window (window);
  g_setenv ("PENTIMENTO_DATA", given, TRUE);
}

/* Other recordings have no tour. */
static void
test_no_tour (void)
{
  PenWindow *window;

  forget_tour ();
  window = window_support_open_window ("b-ftrace.data");
  g_assert_false (is_shown (window));
  window_support_close_window (window);
}

/* ---- what most people bring ---- */

/* As of perf record -a, with call chains or without. */
static PenWindow *
open_ordinary (const char *name, gboolean has_chains)
{
  const guint64 second = 1000000000;
  const guint64 chain[] = { TEXT + 64, TEXT + 128 };
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;
  g_autofree char *path = NULL;

  if (has_chains)
    event.sample_type |= SAMPLE_CALLCHAIN;
  pen_test_capture_add_event (capture, &event);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, TEXT, 0xe00000, TEXT,
                             "[kernel.kallsyms]_text");
  for (guint i = 0; i < 20; i++) {
    pen_test_capture_at (capture, 100 * second + i * second, 42, 42, 0);
    if (has_chains)
      pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, chain[0], 1, chain,
                                                  G_N_ELEMENTS (chain));
    else
      pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, chain[0], 1);
  }
  path = app_support_write_capture (capture, name);
  return window_support_open_path (path);
}

static PenPage
get_page (PenWindow *window)
{
  return pen_session_get_view (window->session)->page;
}

/* On callers, if it has them; and no pane is about patches that nobody recorded. */
static void
test_ordinary (void)
{
  PenWindow *window = open_ordinary ("chains.data", TRUE);

  g_assert_cmpint (get_page (window), ==, PEN_PAGE_CALLERS);
  pen_session_set_page (window->session, PEN_PAGE_CODE);
  app_support_settle (window->session);
  window_support_activate (window, "win.start-afresh");
  app_support_settle (window->session);
  g_assert_cmpint (get_page (window), ==, PEN_PAGE_CALLERS);
  pen_session_set_page (window->session, PEN_PAGE_CODE);
  app_support_settle (window->session);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window->annotation)));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (window->history)));
  window_support_activate (window, "win.history-pane");
  app_support_run (50);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window->history)));
  window_support_close_window (window);

  window = open_ordinary ("no-chains.data", FALSE);
  g_assert_cmpint (get_page (window), ==, PEN_PAGE_CODE);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (window->history)));
  window_support_close_window (window);

  /* Patches first, where they were recorded. */
  window = window_support_open_window ("f-everything-z.data");
  g_assert_cmpint (get_page (window), ==, PEN_PAGE_CODE);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window->history)));
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_autofree char *capture = app_support_capture ("f-everything-z.data");

  window_support_install_example (capture);
  g_test_add_func ("/first/tour", test_tour);
  g_test_add_func ("/first/dismissed", test_dismissed);
  g_test_add_func ("/first/narrow", test_narrow);
  g_test_add_func ("/first/no-example", test_no_example);
  g_test_add_func ("/first/no-tour", test_no_tour);
  g_test_add_func ("/first/ordinary", test_ordinary);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
