/* test-window-start.c: a window as it was left, and what the desktop says of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

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

/* ---- the last recording ---- */

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

static void
test_reopen (void)
{
  g_autofree char *path = app_support_capture ("b-ftrace.data");
  PenWindow *window = window_support_new_window ();

  pen_recents_clear ();
  pen_recents_add (path);
  app_support_run (300);
  /* Only where it is wanted. */
  pen_window_reopen_last (window);
  app_support_run (300);
  g_assert_cmpint (pen_session_get_state (window->session), ==, PEN_SESSION_EMPTY);

  set_reopens (TRUE);
  pen_window_reopen_last (window);
  while (pen_session_get_state (window->session) != PEN_SESSION_READY)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (pen_session_get_path (window->session), ==, path);
  app_support_settle (window->session);
  window_support_close_window (window);

  pen_recents_clear ();
  app_support_run (300);
  window = window_support_new_window ();
  pen_window_reopen_last (window);
  app_support_run (300);
  g_assert_cmpint (pen_session_get_state (window->session), ==, PEN_SESSION_EMPTY);
  window_support_close_window (window);
  set_reopens (FALSE);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/start/notice", test_notice);
  g_test_add_func ("/window/start/no-bus", test_no_bus);
  g_test_add_func ("/window/start/short", test_short);
  g_test_add_func ("/window/start/size", test_size);
  g_test_add_func ("/window/start/reopen", test_reopen);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
