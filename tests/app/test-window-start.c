/* test-window-start.c: a window as it was left, and what the desktop says of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-last-view.h"
#include "pen-layout.h"
#include "pen-recents.h"
#include "pen-settings.h"

/* ---- notifications ---- */

static char *sent;      /* body of the last one */
static char *sent_id;   /* of the last one */
static char *withdrawn; /* id of the last one */

void __wrap_g_application_send_notification (GApplication *application, const char *id,
                                             GNotification *notification);
void __wrap_g_application_withdraw_notification (GApplication *application, const char *id);
void __wrap_g_notification_set_body (GNotification *notification, const char *body);
void __real_g_notification_set_body (GNotification *notification, const char *body);

static char *body_set;

GDBusConnection *__wrap_g_application_get_dbus_connection (GApplication *application);

/* Not looked at. */
static GDBusConnection *bus = (GDBusConnection *) &body_set;

GDBusConnection *
__wrap_g_application_get_dbus_connection (GApplication *application)
{
  return bus;
}

void
__wrap_g_notification_set_body (GNotification *notification, const char *body)
{
  g_free (body_set);
  body_set = g_strdup (body);
  __real_g_notification_set_body (notification, body);
}

void
__wrap_g_application_send_notification (GApplication *application, const char *id,
                                        GNotification *notification)
{
  g_free (sent);
  sent = g_strdup (body_set);
  g_free (sent_id);
  sent_id = g_strdup (id);
}

void
__wrap_g_application_withdraw_notification (GApplication *application, const char *id)
{
  g_free (withdrawn);
  withdrawn = g_strdup (id);
}

static void
forget_notifications (void)
{
  g_clear_pointer (&sent, g_free);
  g_clear_pointer (&sent_id, g_free);
  g_clear_pointer (&withdrawn, g_free);
}

static void
open_and_settle (PenWindow *window, const char *name)
{
  g_autofree char *path = app_support_capture (name);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  pen_window_open (window, file);
  while (pen_session_get_state (window->session) != PEN_SESSION_READY)
    g_main_context_iteration (NULL, TRUE);
  app_support_settle (window->session);
}

/* As Ctrl+Q does. */
static void
quit (void)
{
  GApplication *application = g_application_get_default ();

  g_action_group_activate_action (G_ACTION_GROUP (application), "quit", NULL);
  g_assert_null (gtk_application_get_windows (GTK_APPLICATION (application)));
}

/* Where no window manager says who has the focus, no window has it. */
static void
test_notice (void)
{
  PenWindow *window = window_support_new_window ();
  PenWindow *front = window_support_new_window ();
  gboolean is_active;

  app_support_run (300);
  is_active = gtk_window_is_active (GTK_WINDOW (window));
  forget_notifications ();
  window->notice_after = 0;
  open_and_settle (window, "b-ftrace.data");
  if (is_active) {
    /* Who looks at it knows. */
    g_assert_null (sent);
  } else {
    g_assert_cmpstr (sent, ==, window->name);
    g_assert_nonnull (sent_id);
    g_assert_null (withdrawn);
    gtk_window_close (GTK_WINDOW (window));
    app_support_wait_for (withdrawn);
    g_assert_cmpstr (withdrawn, ==, sent_id);
  }
  window_support_close_window (front);
}

/* GLib would complain. */
static void
test_no_bus (void)
{
  PenWindow *window = window_support_new_window ();
  PenWindow *front = window_support_new_window ();
  GDBusConnection *had = bus;

  bus = NULL;
  forget_notifications ();
  window->notice_after = 0;
  open_and_settle (window, "b-ftrace.data");
  g_assert_null (sent);
  bus = had;
  window_support_close_window (front);
  window_support_close_window (window);
}

/* It would bring back a program that has ended. */
static void
test_notice_at_the_end (void)
{
  PenWindow *window = window_support_new_window ();

  forget_notifications ();
  window->has_notice = TRUE;
  quit ();
  g_assert_nonnull (withdrawn);
}

static void
test_short (void)
{
  PenWindow *window = window_support_new_window ();
  PenWindow *front = window_support_new_window ();
  gboolean is_kept = TRUE;

  forget_notifications ();
  open_and_settle (window, "b-ftrace.data");
  g_assert_null (sent);
  window_support_close_window (front);
  /* Nothing keeps it from closing. */
  g_signal_emit_by_name (window, "close-request", &is_kept);
  g_assert_false (is_kept);
  window_support_close_window (window);
}

/* ---- size ---- */

/* (nullable): that shows @path */
static PenWindow *
find_with (const char *path)
{
  GtkApplication *application = GTK_APPLICATION (g_application_get_default ());

  for (GList *at = gtk_application_get_windows (application); at; at = at->next) {
    if (PEN_IS_WINDOW (at->data)
        && g_strcmp0 (pen_session_get_path (PEN_WINDOW (at->data)->session), path) == 0)
      return at->data;
  }
  return NULL;
}

static PenWindow *
new_sized_window (void)
{
  PenWindow *window = pen_window_new (GTK_APPLICATION (g_application_get_default ()));

  pen_window_present_as_left (window);
  app_support_wait_for (gtk_widget_get_mapped (GTK_WIDGET (window)));
  return window;
}

static void
test_size (void)
{
  PenWindow *window = new_sized_window ();
  int width, height;

  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 700);
  app_support_wait_for (gtk_widget_get_width (GTK_WIDGET (window)) < 1010);
  window_support_close_window (window);
  g_assert_cmpstr (pen_layout_get (pen_layout_get_default (), "window.size"), ==, "1000x700");

  window = new_sized_window ();
  gtk_window_get_default_size (GTK_WINDOW (window), &width, &height);
  g_assert_cmpint (width, ==, 1000);
  g_assert_cmpint (height, ==, 700);
  window_support_close_window (window);

  /* Nonsense in the file is no size. */
  for (guint i = 0; i < 4; i++) {
    static const char *const wrong[] = { "1x1", "-5x-5", "many", "99999x800" };

    pen_layout_set (pen_layout_get_default (), "window.size", wrong[i]);
    window = new_sized_window ();
    gtk_window_get_default_size (GTK_WINDOW (window), &width, &height);
    g_assert_cmpint (width, ==, 1280);
    window_support_close_window (window);
  }
}

/* A second window is as large as one was left, and its size is kept. */
static void
test_size_beside (void)
{
  g_autofree char *path = app_support_capture ("c-kprobes.data");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  PenWindow *beside;
  int width, height;

  pen_layout_set (pen_layout_get_default (), "window.size", "1000x700");
  pen_window_open_beside (window, file);
  beside = find_with (path);
  gtk_window_get_default_size (GTK_WINDOW (beside), &width, &height);
  g_assert_cmpint (width, ==, 1000);
  g_assert_cmpint (height, ==, 700);
  app_support_wait_for (pen_session_get_state (beside->session) == PEN_SESSION_READY);
  app_support_settle (beside->session);
  gtk_window_set_default_size (GTK_WINDOW (beside), 960, 690);
  app_support_wait_for (gtk_widget_get_width (GTK_WIDGET (beside)) < 970);
  window_support_close_window (beside);
  g_assert_cmpstr (pen_layout_get (pen_layout_get_default (), "window.size"), ==, "960x690");
  window_support_close_window (window);
}

/* ---- the last recordings ---- */

static void
on_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  g_assert_true (pen_settings_save_finish (result, NULL));
  *(gboolean *) data = TRUE;
}

static void
set_reopens (gboolean reopens)
{
  g_autoptr (PenSettings) settings = pen_settings_load ();
  gboolean is_saved = FALSE;

  settings->reopens = reopens;
  pen_settings_save_async (settings, on_saved, &is_saved);
  while (!is_saved)
    g_main_context_iteration (NULL, TRUE);
}

/* An empty window, as the start of the program makes it. */
static PenWindow *
start (void)
{
  PenWindow *window = pen_window_new (GTK_APPLICATION (g_application_get_default ()));

  pen_window_present_with_last (window);
  app_support_wait_for (gtk_widget_get_mapped (GTK_WIDGET (window)));
  return window;
}

static void
wait_until_ready (PenWindow *window)
{
  app_support_wait_for (pen_session_get_state (window->session) == PEN_SESSION_READY);
  app_support_settle (window->session);
}

static guint
count_windows (void)
{
  return g_list_length (
      gtk_application_get_windows (GTK_APPLICATION (g_application_get_default ())));
}

/* As left by a version that kept no windows. */
static void
forget_kept (void)
{
  pen_layout_set (pen_layout_get_default (), "windows", NULL);
}

static void
test_reopen (void)
{
  g_autofree char *path = app_support_capture ("b-ftrace.data");
  PenWindow *window;

  pen_recents_clear ();
  pen_recents_add (path);
  app_support_run (300);
  /* Only where it is wanted. */
  forget_kept ();
  window = start ();
  app_support_run (300);
  g_assert_cmpint (pen_session_get_state (window->session), ==, PEN_SESSION_EMPTY);
  window_support_close_window (window);

  set_reopens (TRUE);
  forget_kept ();
  window = start ();
  wait_until_ready (window);
  g_assert_cmpstr (pen_session_get_path (window->session), ==, path);
  window_support_close_window (window);

  pen_recents_clear ();
  app_support_run (300);
  forget_kept ();
  window = start ();
  app_support_run (300);
  g_assert_cmpint (pen_session_get_state (window->session), ==, PEN_SESSION_EMPTY);
  window_support_close_window (window);
  set_reopens (FALSE);
}

static void
assert_size (PenWindow *window, int expected_width, int expected_height)
{
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (window), &width, &height);
  g_assert_cmpint (width, ==, expected_width);
  g_assert_cmpint (height, ==, expected_height);
}

static void
test_reopen_all (void)
{
  g_autofree char *a = app_support_capture ("b-ftrace.data");
  g_autofree char *b = app_support_capture ("c-kprobes.data");
  g_autoptr (GFile) other = g_file_new_for_path (b);
  PenWindow *first = window_support_open_window ("b-ftrace.data");
  PenWindow *second = window_support_open_window ("c-kprobes.data");
  PenWindow *empty = window_support_new_window ();

  pen_session_set_page (first->session, PEN_PAGE_CAUSES);
  gtk_window_set_default_size (GTK_WINDOW (first), 1100, 720);
  gtk_window_set_default_size (GTK_WINDOW (second), 1000, 700);
  app_support_wait_for (gtk_widget_get_width (GTK_WIDGET (first)) < 1110
                        && gtk_widget_get_width (GTK_WIDGET (second)) < 1010);
  pen_window_compare_with (second, other);
  app_support_settle (second->session);
  app_support_wait_for (pen_window_shows_pair (second));
  set_reopens (TRUE);
  g_assert_nonnull (empty);
  quit ();
  pen_last_view_wait_all ();

  start ();
  g_assert_cmpuint (count_windows (), ==, 2);
  first = find_with (a);
  second = find_with (b);
  g_assert_nonnull (first);
  g_assert_nonnull (second);
  wait_until_ready (first);
  wait_until_ready (second);
  assert_size (first, 1100, 720);
  assert_size (second, 1000, 700);
  g_assert_cmpint (pen_session_get_view (first->session)->page, ==, PEN_PAGE_CAUSES);
  app_support_wait_for (pen_window_shows_pair (second));
  g_assert_false (pen_window_shows_pair (first));

  /* One after the other: the last one was left open. */
  window_support_close_window (second);
  gtk_window_close (GTK_WINDOW (first));
  app_support_wait_for (count_windows () == 0);
  start ();
  g_assert_cmpuint (count_windows (), ==, 1);
  first = find_with (a);
  g_assert_nonnull (first);
  wait_until_ready (first);
  window_support_close_window (first);

  /* None was. */
  window_support_new_window ();
  quit ();
  first = start ();
  app_support_run (300);
  g_assert_cmpint (pen_session_get_state (first->session), ==, PEN_SESSION_EMPTY);
  window_support_close_window (first);
  set_reopens (FALSE);
}

/* Nonsense in the file opens nothing. */
static void
test_reopen_nonsense (void)
{
  PenWindow *window;

  set_reopens (TRUE);
  pen_layout_set (pen_layout_get_default (), "windows", "3");
  pen_layout_set (pen_layout_get_default (), "window.0", "");
  pen_layout_set (pen_layout_get_default (), "window.1", "1280x800 0");
  pen_layout_set (pen_layout_get_default (), "window.2", "a b c d e");
  window = start ();
  app_support_run (300);
  g_assert_cmpuint (count_windows (), ==, 1);
  g_assert_cmpint (pen_session_get_state (window->session), ==, PEN_SESSION_EMPTY);
  window_support_close_window (window);
  set_reopens (FALSE);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/start/notice", test_notice);
  g_test_add_func ("/window/start/no-bus", test_no_bus);
  g_test_add_func ("/window/start/notice-at-the-end", test_notice_at_the_end);
  g_test_add_func ("/window/start/short", test_short);
  g_test_add_func ("/window/start/size", test_size);
  g_test_add_func ("/window/start/size-beside", test_size_beside);
  g_test_add_func ("/window/start/reopen", test_reopen);
  g_test_add_func ("/window/start/reopen-all", test_reopen_all);
  g_test_add_func ("/window/start/reopen-nonsense", test_reopen_nonsense);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
