/* test-window-changes-fold.c: the handle between causes and changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-layout.h"

static void
settle (PenWindow *window)
{
  app_support_settle (window->session);
  app_support_run (100);
}

static PenWindow *
open_causes (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "causes"));
  settle (window);
  return window;
}

static void
resize (PenWindow *window, int height)
{
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, height);
  app_support_wait_for (ABS (gtk_widget_get_height (GTK_WIDGET (window)) - height) <= 60);
  settle (window);
}

static GtkPaned *
get_paned (PenWindow *window)
{
  return window_support_child (window->causes, "paned");
}

static gboolean
is_folded (PenWindow *window)
{
  return !gtk_widget_get_mapped (window_support_child (window->changes, "stack"));
}

/* The overview folds before, in a low window. */
static void
wait_until_folded (PenWindow *window, gboolean folded)
{
  app_support_wait_for (is_folded (window) == folded);
}

static double
get_share (PenWindow *window)
{
  return (double) gtk_paned_get_position (get_paned (window))
         / gtk_widget_get_height (GTK_WIDGET (get_paned (window)));
}

static void
toggle (PenWindow *window)
{
  GtkWidget *button = window_support_child (window->changes, "fold");

  gtk_widget_activate (button);
  app_support_run (400);
}

static void
forget (void)
{
  static const char *const keys[] = { "changes", "changes-in-low-window", "changes-share" };

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    pen_layout_set (pen_layout_get_default (), keys[i], NULL);
}

/* Folded, there is nothing of the changes but their header; the causes have the rest. */
static void
test_fold (void)
{
  PenWindow *window = open_causes ();
  int height;

  g_assert_false (is_folded (window));
  height = gtk_widget_get_height (GTK_WIDGET (window->changes));
  toggle (window);
  g_assert_true (is_folded (window));
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (window->changes)), <, height / 2);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (window->changes))
                       + gtk_paned_get_position (get_paned (window)),
                   >, gtk_widget_get_height (GTK_WIDGET (get_paned (window))) - 20);
  window_support_close_window (window);

  /* It is kept. */
  window = open_causes ();
  g_assert_true (is_folded (window));
  toggle (window);
  g_assert_false (is_folded (window));
  window_support_close_window (window);
  forget ();
}

/* The place of the handle is a part of the page, in this window and in the next. */
static void
test_share (void)
{
  PenWindow *window = open_causes ();
  int height = gtk_widget_get_height (GTK_WIDGET (get_paned (window)));

  g_assert_cmpfloat_with_epsilon (get_share (window), 0.5, 0.03);
  resize (window, 1100);
  g_assert_cmpfloat_with_epsilon (get_share (window), 0.5, 0.03);
  height = gtk_widget_get_height (GTK_WIDGET (get_paned (window)));
  gtk_paned_set_position (get_paned (window), height * 7 / 10);
  settle (window);
  resize (window, 1300);
  g_assert_cmpfloat_with_epsilon (get_share (window), 0.7, 0.03);
  toggle (window);
  toggle (window);
  g_assert_cmpfloat_with_epsilon (get_share (window), 0.7, 0.03);
  window_support_close_window (window);

  window = open_causes ();
  resize (window, 1300);
  g_assert_cmpfloat_with_epsilon (get_share (window), 0.7, 0.03);
  window_support_close_window (window);
  forget ();
}

/* In a low page there is room for one of them. */
static void
test_low (void)
{
  PenWindow *window = open_causes ();

  resize (window, 450);
  wait_until_folded (window, TRUE);
  resize (window, 1100);
  wait_until_folded (window, FALSE);
  resize (window, 450);
  wait_until_folded (window, TRUE);
  /* By hand, too. */
  gtk_paned_set_position (get_paned (window), 130);
  settle (window);
  wait_until_folded (window, FALSE);
  window_support_close_window (window);
  forget ();
}

static void
add_tests (void)
{
  g_test_add_func ("/changes-fold/fold", test_fold);
  g_test_add_func ("/changes-fold/share", test_share);
  g_test_add_func ("/changes-fold/low", test_low);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
