/* pen-preferences-window.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-preferences-window.h"

#include <glib/gi18n-lib.h>

#include "pen-cache-report.h"
#include "pen-cache-row.h"
#include "pen-format.h"
#include "pen-late-spinner.h"
#include "pen-spoken-names.h"
#include "pen-window.h"

/* More than anyone reads; the rest is counted. */
#define ROWS_MAX 100
/* An error wants to be read. */
#define ERROR_TOAST_S 15
/* A toast takes the width that it would like: no more than the narrowest window has. */
#define TOAST_CHARS 26

struct _PenPreferencesWindow {
  AdwPreferencesWindow parent_instance;

  PenSettingsPage *settings;
  AdwActionRow *total;
  GtkSpinner *busy;
  PenLimitRow *limit;
  AdwPreferencesGroup *entries;

  GPtrArray *rows; /* (element-type GtkWidget): of @entries */
  AdwMessageDialog *question;
  char *removable; /* in words */

  gboolean is_disposed;
  gboolean is_busy;
  gboolean has_next;
  PenCacheRequest next; /* once what runs is done */
};

G_DEFINE_FINAL_TYPE (PenPreferencesWindow, pen_preferences_window, ADW_TYPE_PREFERENCES_WINDOW)

static void request_next (PenPreferencesWindow *self);

/* ---- words ---- */

static char *
imports_in_words (guint n, guint64 size)
{
  g_autofree char *count = pen_format_count (n);
  g_autofree char *bytes = g_format_size (size);

  return g_strdup_printf (ngettext ("%s import, %s", "%s imports, %s", n), count, bytes);
}

/* A plain title would be cut off where the window is narrow. */
static void
add_toast (PenPreferencesWindow *self, const char *text, guint seconds)
{
  AdwToast *toast = adw_toast_new ("");
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), TOAST_CHARS);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  adw_toast_set_custom_title (toast, label);
  adw_toast_set_timeout (toast, seconds);
  adw_preferences_window_add_toast (ADW_PREFERENCES_WINDOW (self), toast);
}

static void
tell_error (PenPreferencesWindow *self, const PenCacheReport *report)
{
  g_autofree char *message = pen_format_error (report->error);
  g_autofree char *text = NULL;
  const char *advice = report->request.clears
                           ? _ ("Check the folder's ownership and permissions, then try again.")
                       : report->request.sets_limit || !report->has_limit
                           ? _ ("Check the file's ownership and contents, then select a limit.")
                           : _ ("Check the folder's ownership and permissions.");

  text = g_strdup_printf (C_ ("error and advice", "%s. %s"), message, advice);
  add_toast (self, text, ERROR_TOAST_S);
}

static void
tell_trimmed (PenPreferencesWindow *self, const PenCacheReport *report)
{
  const PenCacheTrimmed *trimmed = &report->trimmed;
  gboolean is_over = trimmed->kept > (report->request.clears ? 0 : report->request.limit);
  g_autofree char *freed = g_format_size (trimmed->removed);
  g_autofree char *removed = pen_format_count (trimmed->n_removed);
  g_autofree char *kept = imports_in_words (trimmed->n_kept, trimmed->kept);
  g_autoptr (GString) text = g_string_new (NULL);

  if (trimmed->n_removed > 0)
    g_string_append_printf (text,
                            ngettext ("%s freed: %s import removed", "%s freed: %s imports removed",
                                      trimmed->n_removed),
                            freed, removed);
  else if (report->request.clears)
    g_string_append (text, _ ("Nothing removed"));
  if (is_over)
    g_string_append_printf (
        text, text->len > 0 ? _ ("; in use and kept: %s") : _ ("In use and kept: %s"), kept);
  if (text->len > 0)
    add_toast (self, text->str, 5);
}

/* ---- showing ---- */

static void
add_row (PenPreferencesWindow *self, GtkWidget *row)
{
  adw_preferences_group_add (self->entries, row);
  g_ptr_array_add (self->rows, row);
}

static void
add_rest (PenPreferencesWindow *self, guint n)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *count = pen_format_count (n);
  g_autofree char *title
      = g_strdup_printf (ngettext ("%s more, used earlier", "%s more, used earlier", n), count);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  add_row (self, row);
}

static void
show_entries (PenPreferencesWindow *self, GPtrArray *entries)
{
  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (self->entries, g_ptr_array_index (self->rows, i));
  g_ptr_array_set_size (self->rows, 0);

  for (guint i = 0; i < MIN (entries->len, ROWS_MAX); i++)
    add_row (self, pen_cache_row_new (g_ptr_array_index (entries, i)));
  if (entries->len > ROWS_MAX)
    add_rest (self, entries->len - ROWS_MAX);
  gtk_widget_set_visible (GTK_WIDGET (self->entries), entries->len > 0);
}

static void
show_removable (PenPreferencesWindow *self, GPtrArray *entries)
{
  guint n = 0;
  guint64 size = 0;

  for (guint i = 0; i < entries->len; i++) {
    const PenCacheEntry *entry = g_ptr_array_index (entries, i);

    if (!entry->is_in_use) {
      n++;
      size += entry->size;
    }
  }
  g_free (self->removable);
  self->removable = imports_in_words (n, size);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "preferences.remove-all", n > 0);
}

static void
show_report (PenPreferencesWindow *self, const PenCacheReport *report)
{
  g_autofree char *total = imports_in_words (report->entries->len, report->total);

  adw_action_row_set_subtitle (self->total, report->entries->len > 0 ? total : _ ("None"));
  show_entries (self, report->entries);
  show_removable (self, report->entries);
  /* A choice made in the meantime is on its way. */
  if (!self->next.sets_limit && report->has_limit)
    pen_limit_row_set_limit (self->limit, report->limit);
  else if (!self->next.sets_limit)
    pen_limit_row_set_unknown (self->limit);
  if (report->error)
    tell_error (self, report);
  else if (report->request.removes)
    add_toast (self, report->trimmed.n_removed > 0 ? _ ("Removed") : _ ("In use and kept"), 5);
  else if (report->request.sets_limit || report->request.clears)
    tell_trimmed (self, report);
}

/* ---- asking ---- */

static void
on_report (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PenPreferencesWindow) self = user_data;
  g_autoptr (PenCacheReport) report = pen_cache_report_finish (result);

  self->is_busy = FALSE;
  if (!self->is_disposed) {
    pen_late_spinner_stop (self->busy);
    show_report (self, report);
  }
  request_next (self);
}

static void
request_next (PenPreferencesWindow *self)
{
  if (self->is_busy || !self->has_next)
    return;
  self->is_busy = TRUE;
  self->has_next = FALSE;
  if (!self->is_disposed)
    pen_late_spinner_start (self->busy);
  pen_cache_report_async (&self->next, on_report, g_object_ref (self));
  g_free (self->next.removes);
  self->next = (PenCacheRequest){ 0 };
}

static void
on_limit_chosen (PenPreferencesWindow *self, guint64 limit)
{
  self->has_next = self->next.sets_limit = TRUE;
  self->next.limit = limit;
  request_next (self);
}

static void
on_answer (PenPreferencesWindow *self, const char *response)
{
  self->question = NULL;
  if (!g_str_equal (response, "remove"))
    return;
  self->has_next = self->next.clears = TRUE;
  request_next (self);
}

/* Every window shows code in the one syntax; sources hold from the next import on. */
static void
on_settings_changed (PenPreferencesWindow *self)
{
  const PenSettings *settings = pen_settings_page_get_settings (self->settings);
  GApplication *application = g_application_get_default ();
  GList *windows = application ? gtk_application_get_windows (GTK_APPLICATION (application)) : NULL;

  for (GList *l = windows; l; l = l->next) {
    if (PEN_IS_WINDOW (l->data))
      pen_session_set_syntax (pen_window_get_session (l->data), settings->syntax);
  }
}

static void
on_settings_failed (PenPreferencesWindow *self, const char *message)
{
  if (!self->is_disposed)
    add_toast (self, message, ERROR_TOAST_S);
}

static void
remove_one_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenPreferencesWindow *self = PEN_PREFERENCES_WINDOW (widget);

  g_free (self->next.removes);
  self->next.removes = g_strdup (g_variant_get_bytestring (parameter));
  self->has_next = TRUE;
  request_next (self);
}

static void
remove_all_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenPreferencesWindow *self = PEN_PREFERENCES_WINDOW (widget);
  GtkWidget *question;

  if (self->question) {
    gtk_window_present (GTK_WINDOW (self->question));
    return;
  }
  question = adw_message_dialog_new (GTK_WINDOW (self), _ ("Remove All Imports?"), NULL);
  self->question = ADW_MESSAGE_DIALOG (question);
  adw_message_dialog_format_body (self->question,
                                  _ ("This removes %s. Imports in use are kept, and so are the "
                                     "recordings themselves. An import "
                                     "cannot be repeated without its recording."),
                                  self->removable);
  adw_message_dialog_add_responses (self->question, "cancel", _ ("_Cancel"), "remove",
                                    _ ("_Remove All"), NULL);
  adw_message_dialog_set_response_appearance (self->question, "remove", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (self->question, "cancel");
  adw_message_dialog_set_close_response (self->question, "cancel");
  gtk_window_set_destroy_with_parent (GTK_WINDOW (question), TRUE);
  g_signal_connect_object (question, "response", G_CALLBACK (on_answer), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (question));
}

/* ---- the window ---- */

static void
pen_preferences_window_dispose (GObject *object)
{
  PenPreferencesWindow *self = PEN_PREFERENCES_WINDOW (object);

  self->is_disposed = TRUE;
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_PREFERENCES_WINDOW);

  G_OBJECT_CLASS (pen_preferences_window_parent_class)->dispose (object);
}

static void
pen_preferences_window_finalize (GObject *object)
{
  PenPreferencesWindow *self = PEN_PREFERENCES_WINDOW (object);

  g_free (self->removable);
  g_free (self->next.removes);

  G_OBJECT_CLASS (pen_preferences_window_parent_class)->finalize (object);
}

/* Rows with a command have it in other windows, too. */
static void
copy_text_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget),
                          g_variant_get_string (parameter, NULL));
  add_toast (PEN_PREFERENCES_WINDOW (widget), _ ("Copied"), 5);
}

static void
pen_preferences_window_class_init (PenPreferencesWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_preferences_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = pen_preferences_window_finalize;
  g_type_ensure (PEN_TYPE_LIMIT_ROW);
  g_type_ensure (PEN_TYPE_SETTINGS_PAGE);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/preferences/pen-preferences-window.ui");
  gtk_widget_class_bind_template_child (widget_class, PenPreferencesWindow, settings);
  gtk_widget_class_bind_template_child (widget_class, PenPreferencesWindow, total);
  gtk_widget_class_bind_template_child (widget_class, PenPreferencesWindow, busy);
  gtk_widget_class_bind_template_child (widget_class, PenPreferencesWindow, limit);
  gtk_widget_class_bind_template_child (widget_class, PenPreferencesWindow, entries);
  gtk_widget_class_bind_template_callback (widget_class, on_limit_chosen);
  gtk_widget_class_bind_template_callback (widget_class, on_settings_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_settings_failed);
  gtk_widget_class_install_action (widget_class, "win.copy-text", "s", copy_text_action);
  gtk_widget_class_install_action (widget_class, "preferences.remove-all", NULL, remove_all_action);
  gtk_widget_class_install_action (widget_class, "preferences.remove-one", "ay", remove_one_action);
}

static void
pen_preferences_window_init (PenPreferencesWindow *self)
{
  self->rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "preferences.remove-all", FALSE);
  pen_spoken_names_mend (GTK_WIDGET (self));
  self->has_next = TRUE;
  request_next (self);
}

static PenPreferencesWindow *
find_window (GtkApplication *application)
{
  for (GList *l = gtk_application_get_windows (application); l; l = l->next) {
    if (PEN_IS_PREFERENCES_WINDOW (l->data))
      return l->data;
  }
  return NULL;
}

PenPreferencesWindow *
pen_preferences_window_show (GtkApplication *application, GtkWindow *parent)
{
  PenPreferencesWindow *self = find_window (application);

  if (!self)
    self = g_object_new (PEN_TYPE_PREFERENCES_WINDOW, "application", application,
                         "destroy-with-parent", TRUE, "transient-for", parent, NULL);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
