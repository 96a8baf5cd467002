/* pen-window-notice.c: the desktop says what has ended while nobody looked at the window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

#include <glib/gi18n-lib.h>

/* Who waited for less is still there. */
#define LONG_US (10 * G_USEC_PER_SEC)

static char *
dup_id (PenWindow *self)
{
  return g_strdup_printf ("ended-%u",
                          gtk_application_window_get_id (GTK_APPLICATION_WINDOW (self)));
}

void
pen_window_notice (PenWindow *self, gint64 started, const char *title, const char *body)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  g_autoptr (GNotification) notification = NULL;
  g_autofree char *id = NULL;

  /* Without a bus nothing comes of it but a complaint of GLib's. */
  if (!application || !g_application_get_dbus_connection (G_APPLICATION (application))
      || gtk_window_is_active (GTK_WINDOW (self))
      || g_get_monotonic_time () - started < self->notice_after)
    return;
  id = dup_id (self);
  notification = g_notification_new (title);
  g_notification_set_body (notification, body);
  g_notification_set_default_action_and_target (
      notification, "app.show-window", "u",
      gtk_application_window_get_id (GTK_APPLICATION_WINDOW (self)));
  g_application_send_notification (G_APPLICATION (application), id, notification);
  self->has_notice = TRUE;
}

static void
withdraw (PenWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  g_autofree char *id = NULL;

  if (!self->has_notice || !application)
    return;
  id = dup_id (self);
  g_application_withdraw_notification (G_APPLICATION (application), id);
  self->has_notice = FALSE;
}

static void
on_active (PenWindow *self)
{
  if (gtk_window_is_active (GTK_WINDOW (self)))
    withdraw (self);
}

/* Import cancelled: whoever did that knows. */
static void
on_state (PenWindow *self)
{
  PenSessionState state = pen_session_get_state (self->session);

  if (state == PEN_SESSION_IMPORTING) {
    self->import_started = g_get_monotonic_time ();
    return;
  }
  if (self->import_started != 0 && state == PEN_SESSION_READY)
    pen_window_notice (self, self->import_started, _ ("Recording Imported"), self->name);
  else if (self->import_started != 0 && state == PEN_SESSION_FAILED)
    pen_window_notice (self, self->import_started, _ ("Could Not Import"), self->name);
  self->import_started = 0;
}

void
pen_window_init_notice (PenWindow *self)
{
  self->notice_after = LONG_US;
  g_signal_connect_swapped (self->session, "notify::state", G_CALLBACK (on_state), self);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (on_active), NULL);
  /* Quit sends no request to close. */
  g_signal_connect (self, "unmap", G_CALLBACK (withdraw), NULL);
}
