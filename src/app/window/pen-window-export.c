/* pen-window-export.c: tables, profiles and pictures of what a window shows, into files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-chooser.h"
#include "pen-format.h"

/* ---- writing ---- */

void
pen_window_export_async (PenWindow *self, const PenExportChoice *choice, GFile *file,
                         GAsyncReadyCallback callback, gpointer user_data)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());

  switch (choice->sort) {
  case PEN_WINDOW_EXPORT_COMPARISON:
  case PEN_WINDOW_EXPORT_COMPARED:
    pen_window_export_pair (self, choice->sort, file, callback, user_data);
    break;
  case PEN_WINDOW_EXPORT_PROFILE:
    pen_session_export_profile_async (self->session, choice->profile, file, callback, user_data);
    break;
  case PEN_WINDOW_EXPORT_PICTURE:
    pen_session_export_picture_async (self->session, choice->picture, dark, file, callback,
                                      user_data);
    break;
  case PEN_WINDOW_EXPORT_TABLE:
  default:
    pen_session_export_async (self->session, choice->table, file, callback, user_data);
  }
}

gboolean
pen_window_export_finish (GObject *source, GAsyncResult *result, guint64 *n_rows, GError **error)
{
  return PEN_IS_PAIR_SESSION (source)
             ? pen_pair_session_export_finish (PEN_PAIR_SESSION (source), result, n_rows, error)
             : pen_session_export_finish (PEN_SESSION (source), result, n_rows, error);
}

/* ---- after it ---- */

static void
on_folder_shown (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (PenWindow) self = data;
  g_autoptr (GError) error = NULL;

  if (!gtk_show_uri_full_finish (GTK_WINDOW (self), result, &error) && self->session) {
    g_autofree char *message = pen_format_error (error);

    pen_window_add_toast (self, message);
  }
}

typedef struct {
  PenWindow *window;
  char *uri;
} Show;

static void
on_items_shown (GObject *bus, GAsyncResult *result, gpointer data)
{
  Show *show = data;
  g_autoptr (GVariant) answer
      = g_dbus_connection_call_finish (G_DBUS_CONNECTION (bus), result, NULL);

  if (!answer) {
    g_autoptr (GFile) file = g_file_new_for_uri (show->uri);
    g_autoptr (GFile) folder = g_file_get_parent (file);
    g_autofree char *uri = g_file_get_uri (folder ? folder : file);

    /* In a sandbox the portal does it. */
    gtk_show_uri_full (GTK_WINDOW (show->window), uri, GDK_CURRENT_TIME, NULL, on_folder_shown,
                       g_object_ref (show->window));
  }
  g_object_unref (show->window);
  g_free (show->uri);
  g_free (show);
}

/* File managers that can select the file in its folder do so; the desktop opens it elsewhere. */
static void
show_file_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GDBusConnection *bus = g_application_get_dbus_connection (g_application_get_default ());
  const char *uri = g_variant_get_string (parameter, NULL);
  const char *uris[] = { uri, NULL };
  Show *show;

  if (!bus) {
    g_autoptr (GFile) file = g_file_new_for_uri (uri);
    g_autoptr (GFile) folder = g_file_get_parent (file);
    g_autofree char *folder_uri = g_file_get_uri (folder ? folder : file);

    gtk_show_uri_full (GTK_WINDOW (widget), folder_uri, GDK_CURRENT_TIME, NULL, on_folder_shown,
                       g_object_ref (widget));
    return;
  }
  show = g_new (Show, 1);
  *show = (Show){ g_object_ref (PEN_WINDOW (widget)), g_strdup (uri) };
  g_dbus_connection_call (bus, "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1",
                          "org.freedesktop.FileManager1", "ShowItems",
                          g_variant_new ("(^ass)", uris, ""), NULL, G_DBUS_CALL_FLAGS_NONE, -1,
                          NULL, on_items_shown, show);
}

typedef struct {
  PenWindow *window;
  GFile *file;
  PenWindowExport sort;
  gboolean is_of_waits;
  gint64 started;
} Export;

static void
export_free (Export *self)
{
  g_object_unref (self->window);
  g_object_unref (self->file);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Export, export_free)

/* With how many: rows of a table; samples, or waits, of a profile. */
static const char *
get_format (const Export *self, guint64 n)
{
  if (self->sort != PEN_WINDOW_EXPORT_PROFILE)
    /* Translators: number of rows, name of a file */
    return ngettext ("%s row exported to %s", "%s rows exported to %s", n);
  /* Translators: number of waits, or samples, and name of a file */
  return self->is_of_waits ? ngettext ("%s wait exported to %s", "%s waits exported to %s", n)
                           : ngettext ("%s sample exported to %s", "%s samples exported to %s", n);
}

/* "89 rows exported to d-bpf-data.occupants.csv" */
static void
tell_written (const Export *self, guint64 n_rows)
{
  g_autofree char *base = g_file_get_basename (self->file);
  g_autofree char *name = pen_display_text (base);
  g_autofree char *count = pen_format_count (n_rows);
  g_autofree char *uri = g_file_get_uri (self->file);
  g_autofree char *text = self->sort == PEN_WINDOW_EXPORT_PICTURE
                              ? g_strdup_printf (_ ("Exported to %s"), name)
                              : g_strdup_printf (get_format (self, n_rows), count, name);
  g_autofree char *escaped = g_markup_escape_text (text, -1);
  AdwToast *toast = adw_toast_new (escaped);

  adw_toast_set_button_label (toast, _ ("Open _Folder"));
  adw_toast_set_action_name (toast, "win.show-file");
  adw_toast_set_action_target (toast, "s", uri);
  adw_toast_overlay_add_toast (self->window->toasts, toast);
}

static void
notice (const Export *self, gboolean written)
{
  g_autofree char *base = g_file_get_basename (self->file);
  g_autofree char *name = pen_display_text (base);

  pen_window_notice (self->window, self->started,
                     written ? _ ("Export Finished") : _ ("Could Not Export"), name);
}

static void
on_exported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Export) self = user_data;
  g_autoptr (GError) error = NULL;
  guint64 n_rows = 0;
  gboolean written = pen_window_export_finish (source, result, &n_rows, &error);
  g_autofree char *message = error ? pen_format_error (error) : NULL;
  GtkWidget *dialog;

  g_application_release (g_application_get_default ());
  /* The window was closed meanwhile. */
  if (!self->window->session || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  notice (self, written);
  if (written) {
    tell_written (self, n_rows);
    return;
  }
  dialog = adw_message_dialog_new (GTK_WINDOW (self->window), _ ("Could Not Export"), message);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- before it ---- */

static void
on_export_response (PenWindow *self, int response, GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = NULL;
  const PenFlameState *flame;
  Export *export;

  g_clear_pointer (&self->chooser, pen_chooser_release);
  if (response != GTK_RESPONSE_ACCEPT)
    return;
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  if (!file)
    return;

  /* A file that was asked for is written, even if the window is closed. */
  g_application_hold (g_application_get_default ());
  flame = pen_session_get_view (self->session)->flame;
  export = g_new (Export, 1);
  *export = (Export){ g_object_ref (self), g_object_ref (file), self->exporting.sort,
                      flame && flame->measure == PEN_STACK_OFF_CPU, g_get_monotonic_time () };
  pen_window_export_async (self, &self->exporting, file, on_exported, export);
}

/* Recordings are mostly named perf.data: people name the folder. */
static char *
name_capture (const char *path)
{
  g_autofree char *base = pen_format_basename (path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *folder_base = pen_format_basename (folder);
  g_autofree char *name = g_str_equal (path, "-") ? g_strdup (_ ("recording"))
                          : g_str_has_prefix (base, "perf.data") && !strchr ("./", folder_base[0])
                              ? g_strconcat (folder_base, "-", base, NULL)
                              : g_strdup (base);

  if (g_str_has_suffix (name, ".pentimento"))
    name[strlen (name) - strlen (".pentimento")] = '\0';
  return g_strdelimit (g_steal_pointer (&name), ".", '-');
}

/* The word for what is written. */
static const char *
name_choice (const PenExportChoice *choice)
{
  switch (choice->sort) {
  case PEN_WINDOW_EXPORT_PICTURE:
    return pen_view_to_string (choice->picture);
  case PEN_WINDOW_EXPORT_COMPARISON:
    return "comparison";
  case PEN_WINDOW_EXPORT_COMPARED:
    return "compared";
  case PEN_WINDOW_EXPORT_PROFILE:
    return pen_export_to_string (PEN_EXPORT_STACKS);
  case PEN_WINDOW_EXPORT_TABLE:
  default:
    return pen_export_to_string (choice->table);
  }
}

static gboolean
is_of_function (const PenExportChoice *choice)
{
  if (choice->sort == PEN_WINDOW_EXPORT_TABLE)
    return choice->table == PEN_EXPORT_ANNOTATION || choice->table == PEN_EXPORT_HISTORY;
  if (choice->sort == PEN_WINDOW_EXPORT_PICTURE)
    return choice->picture == PEN_VIEW_ANNOTATION;
  return choice->sort == PEN_WINDOW_EXPORT_COMPARED;
}

char *
pen_window_suggest_name (PenWindow *self, const PenExportChoice *choice)
{
  const PenStrips *strips = pen_session_get_answers (self->session)->annotation;
  const char *symbol = strips && is_of_function (choice) ? strips->text->annotated->symbol : NULL;
  g_autofree char *capture = name_capture (pen_session_get_path (self->session));
  g_autofree char *name
      = symbol && symbol[0] ? g_strconcat (capture, ".", symbol, NULL) : g_strdup (capture);
  g_autofree char *end = g_strdup_printf (".%s.%s", name_choice (choice), choice->ending);

  return pen_format_file_name (name, end);
}

/* It is not shown yet. */
static GtkFileChooserNative *
new_chooser (PenWindow *self, const PenExportChoice *choice, const char *title)
{
  g_autofree char *name = pen_window_suggest_name (self, choice);
  GtkFileChooserNative *chooser
      = pen_window_new_chooser (self, title, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"));

  self->exporting = *choice;
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_export_response), self,
                           G_CONNECT_SWAPPED);
  return chooser;
}

static void
ask (PenWindow *self, const PenExportChoice *choice, const char *title)
{
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (new_chooser (self, choice, title)));
}

static void
export_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenExportChoice choice = { .sort = PEN_WINDOW_EXPORT_TABLE };
  gboolean is_folded;

  if (!pen_export_from_string (name + strlen ("win.export-"), &choice.table))
    return;
  is_folded = choice.table == PEN_EXPORT_STACKS;
  choice.ending = is_folded ? "folded" : "csv";
  ask (PEN_WINDOW (widget), &choice, is_folded ? _ ("Export Folded Stacks") : _ ("Export as CSV"));
}

static void
comparison_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const PenExportChoice choice
      = { .sort = g_str_equal (name, "win.export-comparison") ? PEN_WINDOW_EXPORT_COMPARISON
                                                              : PEN_WINDOW_EXPORT_COMPARED,
          .ending = "csv" };

  ask (PEN_WINDOW (widget), &choice, _ ("Export as CSV"));
}

static void
profile_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  static const char *const titles[PEN_PROFILE_FORMATS] = {
    [PEN_PROFILE_FOLDED] = N_ ("Export Folded Stacks"),
    [PEN_PROFILE_PPROF] = N_ ("Export for pprof"),
    [PEN_PROFILE_FIREFOX] = N_ ("Export for Firefox Profiler"),
    [PEN_PROFILE_SPEEDSCOPE] = N_ ("Export for speedscope"),
  };
  PenExportChoice choice = { .sort = PEN_WINDOW_EXPORT_PROFILE };

  if (!pen_profile_format_from_string (name + strlen ("win.profile-"), &choice.profile))
    return;
  choice.ending = pen_profile_format_get_ending (choice.profile);
  ask (PEN_WINDOW (widget), &choice, _ (titles[choice.profile]));
}

static void
picture_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  static const char *const sorts[][2] = {
    { N_ ("PNG image"), "*.png" },
    { N_ ("SVG image"), "*.svg" },
    { N_ ("PDF document"), "*.pdf" },
  };
  PenExportChoice choice = { .sort = PEN_WINDOW_EXPORT_PICTURE, .ending = "png" };
  GtkFileChooserNative *chooser;

  if (!pen_view_from_string (name + strlen ("win.picture-"), &choice.picture))
    return;
  chooser = new_chooser (PEN_WINDOW (widget), &choice, _ ("Export as Picture"));
  for (gsize i = 0; i < G_N_ELEMENTS (sorts); i++) {
    g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

    gtk_file_filter_set_name (filter, _ (sorts[i][0]));
    gtk_file_filter_add_pattern (filter, sorts[i][1]);
    gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), filter);
  }
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

void
pen_window_install_export (GtkWidgetClass *widget_class)
{
  for (guint i = 0; i < PEN_EXPORTS; i++) {
    g_autofree char *action = g_strconcat ("win.export-", pen_export_to_string (i), NULL);

    gtk_widget_class_install_action (widget_class, action, NULL, export_action);
  }
  for (guint i = 0; i < PEN_PROFILE_FORMATS; i++) {
    g_autofree char *action = g_strconcat ("win.profile-", pen_profile_format_to_string (i), NULL);

    gtk_widget_class_install_action (widget_class, action, NULL, profile_action);
  }
  for (guint i = 0; i < PEN_VIEWS; i++) {
    g_autofree char *action = g_strconcat ("win.picture-", pen_view_to_string (i), NULL);

    gtk_widget_class_install_action (widget_class, action, NULL, picture_action);
  }
  gtk_widget_class_install_action (widget_class, "win.export-comparison", NULL, comparison_action);
  gtk_widget_class_install_action (widget_class, "win.export-compared", NULL, comparison_action);
  gtk_widget_class_install_action (widget_class, "win.show-file", "s", show_file_action);
}
