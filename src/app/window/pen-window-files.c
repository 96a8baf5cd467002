/* pen-window-files.c: how captures come into a window: dialog, drop, recents
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

#include <glib/gi18n-lib.h>

#include "pen-chooser.h"
#include "pen-recents.h"
#include "pen-record-window.h"
#include "pen-sandbox.h"

/* More windows at once are a slip of the hand. */
#define DROPPED_MAX 10
/* As many as a menu takes without scrolling. */
#define RECENTS_MAX 10

/* ---- open ---- */

GtkFileChooserNative *
pen_window_new_chooser (PenWindow *self, const char *title, GtkFileChooserAction action,
                        const char *accept)
{
  g_clear_pointer (&self->chooser, pen_chooser_release);
  self->chooser = gtk_file_chooser_native_new (title, GTK_WINDOW (self), action, accept, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  return self->chooser;
}

PenWindow *
pen_window_new (GtkApplication *application)
{
  return g_object_new (PEN_TYPE_WINDOW, "application", application, NULL);
}

void
pen_window_open (PenWindow *self, GFile *file)
{
  const char *path = g_file_peek_path (file);

  if (!path) {
    g_autofree char *name = g_file_get_parse_name (file);
    g_autofree char *shown = pen_display_text (name);
    g_autofree char *message
        = g_markup_printf_escaped (_ ("“%s” is not on this machine. Copy it here first."), shown);

    adw_toast_overlay_add_toast (self->toasts, adw_toast_new (message));
    return;
  }
  pen_session_open (self->session, path);
}

/* An open capture stays open: a window that shows something is not taken. */
void
pen_window_open_beside (PenWindow *self, GFile *file)
{
  PenSessionState state = pen_session_get_state (self->session);
  PenWindow *window = self;

  if (state != PEN_SESSION_EMPTY && state != PEN_SESSION_FAILED) {
    window = pen_window_new (gtk_window_get_application (GTK_WINDOW (self)));
    pen_window_present_as_left (window);
  }
  pen_window_open (window, file);
}

static void
on_open_response (PenWindow *self, int response, GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = NULL;

  g_clear_pointer (&self->chooser, pen_chooser_release);
  if (response != GTK_RESPONSE_ACCEPT)
    return;
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  if (file)
    pen_window_open_beside (self, file);
}

/* Names say little about recordings: the reader decides by what is in the file. */
void
pen_window_add_recording_filters (GtkFileChooser *chooser)
{
  static const char *const patterns[] = {
    "perf.data*", "*.data", "*.pentimento", "*.data.gz", "*.data.xz", "*.data.zst",
  };
  g_autoptr (GtkFileFilter) recordings = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();

  gtk_file_filter_set_name (recordings, _ ("Recordings"));
  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    gtk_file_filter_add_pattern (recordings, patterns[i]);
  gtk_file_filter_add_mime_type (recordings, "application/x-perf-data");
  gtk_file_filter_add_mime_type (recordings, "application/x-pentimento");
  gtk_file_filter_set_name (all, _ ("All Files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (chooser, recordings);
  gtk_file_chooser_add_filter (chooser, all);
}

static void
open_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenWindow *self = PEN_WINDOW (widget);
  gboolean folder = g_str_equal (name, "win.open-folder");
  GtkFileChooserNative *chooser = pen_window_new_chooser (
      self, folder ? _ ("Open Folder") : _ ("Open Recording"),
      folder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"));

  if (!folder)
    pen_window_add_recording_filters (GTK_FILE_CHOOSER (chooser));
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_open_response), self,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* A key is pressed quickly: what took minutes can be begun again as quickly. A capture that came
 * through standard input is gone. */
static void
tell_of_cancel (PenWindow *self, const char *path)
{
  AdwToast *toast = adw_toast_new (_ ("Import cancelled"));

  if (!g_str_equal (path, "-")) {
    g_autoptr (GFile) file = g_file_new_for_path (path);
    g_autofree char *uri = g_file_get_uri (file);

    adw_toast_set_button_label (toast, _ ("Import _Again"));
    adw_toast_set_action_name (toast, "win.open-recent");
    adw_toast_set_action_target (toast, "s", uri);
  }
  adw_toast_overlay_add_toast (self->toasts, toast);
}

static void
cancel_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenWindow *self = PEN_WINDOW (widget);
  g_autofree char *path = g_strdup (pen_session_get_path (self->session));

  if (pen_session_get_state (self->session) != PEN_SESSION_IMPORTING)
    return;
  pen_session_cancel (self->session);
  tell_of_cancel (self, path);
}

static void
retry_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenSession *session = PEN_WINDOW (widget)->session;

  if (pen_session_get_path (session))
    pen_session_open (session, pen_session_get_path (session));
}

/* ---- record ---- */

/* Returns: (nullable): the first window, or the one that shows @path, if that is given */
static PenWindow *
find_window (GtkApplication *application, const char *path)
{
  for (GList *at = gtk_application_get_windows (application); at; at = at->next) {
    PenWindow *window = PEN_IS_WINDOW (at->data) ? at->data : NULL;

    if (window && (!path || g_strcmp0 (pen_session_get_path (window->session), path) == 0))
      return window;
  }
  return NULL;
}

static gboolean
is_shown (PenWindow *window)
{
  return pen_session_get_state (window->session) != PEN_SESSION_FAILED
         && pen_session_get_live (window->session) != PEN_LIVE_FAILED;
}

/* What grows is shown behind the recorder, which has the button that ends it. The window that was
 * asked may be gone. */
static void
on_recorded (PenRecordWindow *recorder, const char *path)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (recorder));
  PenRecorderClient *client = pen_record_window_get_client (recorder);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  PenWindow *shown = find_window (application, path);
  PenWindow *window = shown ? shown : find_window (application, NULL);

  if (!window) {
    window = pen_window_new (application);
    pen_window_present_as_left (window);
  }
  if (shown && !is_shown (shown))
    pen_window_open (shown, file);
  else if (!shown)
    pen_window_open_beside (window, file);
  if (client && pen_recorder_client_is_busy (client))
    gtk_window_present (GTK_WINDOW (recorder));
  else
    gtk_window_present (GTK_WINDOW (window));
}

/* One recorder is enough: one recording is made at a time. */
static void
record_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (widget));
  GtkWindow *recorder = NULL;

  for (GList *at = gtk_application_get_windows (application); !recorder && at; at = at->next)
    recorder = PEN_IS_RECORD_WINDOW (at->data) ? at->data : NULL;
  if (!recorder) {
    recorder = GTK_WINDOW (pen_record_window_new (application, pen_sandbox_is_inside ()));
    g_signal_connect (recorder, "recorded", G_CALLBACK (on_recorded), NULL);
  }
  gtk_window_present (recorder);
}

/* ---- drop ---- */

static gboolean
on_drop (PenWindow *self, const GValue *value)
{
  GSList *files = g_value_get_boxed (value);

  if (!files)
    return FALSE;
  /* Each window that comes is empty, and takes no more than one. */
  for (guint n = 0; files && n < DROPPED_MAX; files = files->next, n++)
    pen_window_open_beside (self, files->data);
  return TRUE;
}

/* What is dragged out of a window of ours is no recording. */
static gboolean
on_accept (GtkDropTarget *target, GdkDrop *drop)
{
  return !gdk_drop_get_drag (drop) && (gdk_drop_get_actions (drop) & GDK_ACTION_COPY)
         && gdk_content_formats_contain_gtype (gdk_drop_get_formats (drop), GDK_TYPE_FILE_LIST);
}

static void
add_drop_target (PenWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect (target, "accept", G_CALLBACK (on_accept), NULL);
  g_signal_connect_swapped (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

/* ---- recents ---- */

static void
open_recent_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  pen_window_open_beside (PEN_WINDOW (widget), file);
}

static void
clear_recents_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_recents_clear ();
}

static void
show_recents (PenWindow *self)
{
  pen_recents_fill_menu (self->recents_menu, RECENTS_MAX);
}

/* An opened file is remembered; one that is gone is not offered again. */
static void
on_state (PenWindow *self)
{
  const PenOpened *opened = pen_session_get_opened (self->session);
  const char *path = pen_session_get_path (self->session);
  const GError *failure = pen_session_get_failure (self->session);

  switch (pen_session_get_state (self->session)) {
  case PEN_SESSION_READY:
    if (opened->view_file && pen_session_get_remembers (self->session))
      pen_recents_add (path);
    break;
  case PEN_SESSION_FAILED:
    if (pen_error_advice_is_gone (failure, path))
      pen_recents_remove (path);
    break;
  case PEN_SESSION_EMPTY:
  case PEN_SESSION_IMPORTING:
  default:
    break;
  }
}

/* ---- */

void
pen_window_install_files (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.open", NULL, open_action);
  gtk_widget_class_install_action (widget_class, "win.open-folder", NULL, open_action);
  gtk_widget_class_install_action (widget_class, "win.record", NULL, record_action);
  gtk_widget_class_install_action (widget_class, "win.open-recent", "s", open_recent_action);
  gtk_widget_class_install_action (widget_class, "win.clear-recents", NULL, clear_recents_action);
  gtk_widget_class_install_action (widget_class, "win.cancel", NULL, cancel_action);
  gtk_widget_class_install_action (widget_class, "win.retry", NULL, retry_action);
}

void
pen_window_init_files (PenWindow *self)
{
  add_drop_target (self);
  show_recents (self);
  pen_recents_watch (G_OBJECT (self), G_CALLBACK (show_recents));
  g_signal_connect_swapped (self->session, "notify::state", G_CALLBACK (on_state), self);
  g_signal_connect_swapped (self->session, "notify::part", G_CALLBACK (on_state), self);
}
