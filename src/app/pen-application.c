/* pen-application.c: windows, files from the command line, keys, About
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-application.h"

#include <glib/gi18n-lib.h>

#include "pen-app-resources.h"
#include "pen-format.h"
#include "pen-help.h"
#include "pen-preferences-window.h"
#include "pen-record-command.h"
#include "pen-release.h"
#include "pen-screenshot.h"
#include "pen-versions.h"
#include "pen-window.h"

#define STANDARD_INPUT "/dev/stdin"

struct _PenApplication {
  AdwApplication parent_instance;

  gboolean reads_standard_input;
  char *screenshot; /* file name, or NULL */
  int width;
  int height;
  gboolean dark;
  gboolean has_page;
  PenPage page;   /* of the first picture, in place of the recording's own */
  char **filters; /* (nullable) */
  char *compare;  /* file name, or NULL */
  int exit_status;
};

G_DEFINE_FINAL_TYPE (PenApplication, pen_application, ADW_TYPE_APPLICATION)

/* ---- command line ---- */

static gboolean
parse_size (PenApplication *self, const char *text)
{
  char rest;

  return sscanf (text, "%dx%d%c", &self->width, &self->height, &rest) == 2 && self->width >= 200
         && self->width <= 8192 && self->height >= 200 && self->height <= 8192;
}

static int
pen_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  PenApplication *self = PEN_APPLICATION (application);
  const char *size = NULL;
  const char *page = NULL;

  /* Answered before anything needs a display. */
  if (g_variant_dict_contains (options, "version")) {
    g_print ("pentimento %s (GTK %u.%u.%u, libadwaita %u.%u.%u)\n", PEN_VERSION,
             gtk_get_major_version (), gtk_get_minor_version (), gtk_get_micro_version (),
             adw_get_major_version (), adw_get_minor_version (), adw_get_micro_version ());
    return 0;
  }
  g_variant_dict_lookup (options, "screenshot", "^ay", &self->screenshot);
  if (g_variant_dict_lookup (options, "size", "&s", &size) && !parse_size (self, size)) {
    g_printerr (_ ("pentimento: --size=%s: expected WIDTHxHEIGHT, e.g. 1280x800\n"), size);
    return 2;
  }
  self->has_page = g_variant_dict_lookup (options, "page", "&s", &page);
  if (self->has_page && !pen_page_from_string (page, &self->page)) {
    g_printerr (
        _ ("pentimento: --page=%s: expected code, callers, map, causes, occupants or recording\n"),
        page);
    return 2;
  }
  self->dark = g_variant_dict_contains (options, "dark");
  g_variant_dict_lookup (options, "filter", "^aay", &self->filters);
  g_variant_dict_lookup (options, "compare", "^ay", &self->compare);
  /* A picture is taken in this very process, whatever else is running; and what runs would not know
   * of the filters, nor of what to compare with. */
  if (self->screenshot || self->filters || self->compare)
    g_application_set_flags (application,
                             g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
  /* The running application creates it, and opens the files in it. */
  if (g_variant_dict_contains (options, "new-window")
      && g_application_register (application, NULL, NULL))
    g_action_group_activate_action (G_ACTION_GROUP (application), "new-window", NULL);
  return -1;
}

/* "-" would be taken for the name of a file. Standard input is this process's, and no other's. */
static gboolean
pen_application_local_command_line (GApplication *application, char ***arguments, int *exit_status)
{
  PenApplication *self = PEN_APPLICATION (application);

  for (char **word = *arguments; *word; word++) {
    if (!g_str_equal (*word, "-"))
      continue;
    g_free (*word);
    *word = g_strdup (STANDARD_INPUT);
    self->reads_standard_input = TRUE;
    g_application_set_flags (application,
                             g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
  }
  return G_APPLICATION_CLASS (pen_application_parent_class)
      ->local_command_line (application, arguments, exit_status);
}

static void
add_options (GApplication *application)
{
  const GOptionEntry entries[] = {
    { "version", 0, 0, G_OPTION_ARG_NONE, NULL, _ ("Print the version and exit"), NULL },
    { "filter", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL,
      _ ("Open with this filter: comm:sh, !kind:dso, time:10%,20%"), _ ("PART:VALUE") },
    { "compare", 0, 0, G_OPTION_ARG_FILENAME, NULL,
      _ ("Compare the recording that opens with this one"), _ ("RECORDING") },
    { "new-window", 0, 0, G_OPTION_ARG_NONE, NULL, _ ("Open in a new window"), NULL },
    { "screenshot", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, NULL,
      _ ("Write a picture of the window and quit"), _ ("FILE.png") },
    { "size", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, NULL, _ ("Size of the window"),
      _ ("WIDTHxHEIGHT") },
    { "page", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, NULL, _ ("First view"), _ ("PAGE") },
    { "dark", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, NULL, _ ("Dark colours"), NULL },
    { NULL },
  };
  g_autofree char *description = g_strdup_printf (
      _ ("RECORDING is a perf.data file, a folder written by perf record --kcore, a store, a "
         "named pipe, or - for standard input.\nTo record: %s\n"),
      pen_record_command_get ());

  g_application_add_main_option_entries (application, entries);
  g_application_set_option_context_parameter_string (application, _ ("[RECORDING…]"));
  g_application_set_option_context_summary (
      application,
      _ ("Shows which code was actually at each kernel address when a sample landed."));
  g_application_set_option_context_description (application, description);
}

/* ---- windows ---- */

static PenWindow *
make_window (PenApplication *self)
{
  PenWindow *window = pen_window_new (GTK_APPLICATION (self));

  if (self->width > 0)
    gtk_window_set_default_size (GTK_WINDOW (window), self->width, self->height);
  pen_session_set_start_filters (pen_window_get_session (window),
                                 (const char *const *) self->filters);
  /* Pictures are of the capture, not of who looked at it before. */
  if (self->screenshot)
    pen_session_set_remembers (pen_window_get_session (window), FALSE);
  return window;
}

static PenWindow *
new_window (PenApplication *self)
{
  PenWindow *window = make_window (self);

  if (self->width > 0 || self->screenshot)
    gtk_window_present (GTK_WINDOW (window));
  else
    pen_window_present_as_left (window);
  return window;
}

static void
on_screenshot (GObject *source, GAsyncResult *result, gpointer user_data)
{
  PenApplication *self = user_data;
  g_autoptr (GError) error = NULL;

  if (!pen_screenshot_finish (result, &error)) {
    g_autofree char *message = pen_format_error (error);

    g_printerr ("pentimento: %s\n", message);
    self->exit_status = 1;
  }
  gtk_window_destroy (GTK_WINDOW (source));
  g_application_release (G_APPLICATION (self));
}

static void
take_screenshot (PenApplication *self, PenWindow *window)
{
  if (!self->screenshot)
    return;
  g_application_hold (G_APPLICATION (self));
  if (self->has_page)
    pen_session_set_page (pen_window_get_session (window), self->page);
  pen_screenshot_async (window, self->screenshot, on_screenshot, self);
}

static void
pen_application_activate (GApplication *application)
{
  PenApplication *self = PEN_APPLICATION (application);
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));

  if (window) {
    gtk_window_present (window);
  } else if (self->compare) {
    g_printerr (_ ("pentimento: --compare=%s: expected a recording to compare it with\n"),
                self->compare);
    self->exit_status = 2;
  } else {
    gboolean is_as_asked = self->width > 0 || self->screenshot;
    PenWindow *made = is_as_asked ? new_window (self) : make_window (self);

    if (!is_as_asked)
      pen_window_present_with_last (made);
    take_screenshot (self, made);
  }
}

static void
compare (PenApplication *self, PenWindow *window)
{
  g_autoptr (GFile) file = NULL;

  if (!self->compare)
    return;
  file = g_file_new_for_commandline_arg (self->compare);
  pen_window_compare_with (window, file);
}

/* An empty window takes the file; otherwise it gets one of its own. */
static PenWindow *
get_window_for_file (PenApplication *self)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));

  if (PEN_IS_WINDOW (active)
      && pen_session_get_state (pen_window_get_session (PEN_WINDOW (active))) == PEN_SESSION_EMPTY)
    return PEN_WINDOW (active);
  return new_window (self);
}

static void
pen_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  PenApplication *self = PEN_APPLICATION (application);

  for (int i = 0; i < n_files; i++) {
    PenWindow *window = get_window_for_file (self);

    if (self->reads_standard_input && g_strcmp0 (g_file_peek_path (files[i]), STANDARD_INPUT) == 0)
      pen_session_open (pen_window_get_session (window), "-");
    else
      pen_window_open (window, files[i]);
    compare (self, window);
    if (i == 0)
      take_screenshot (self, window);
  }
}

/* ---- actions ---- */

static void
new_window_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  new_window (user_data);
}

/* Of a notification: its window may be gone. */
static void
show_window_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GtkWindow *window
      = gtk_application_get_window_by_id (user_data, g_variant_get_uint32 (parameter));

  if (window)
    gtk_window_present (window);
  else
    g_application_activate (user_data);
}

static void
preferences_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  pen_preferences_window_show (user_data, gtk_application_get_active_window (user_data));
}

static void
about_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const char *const developers[] = { _ ("The Pentimento developers"), NULL };
  g_autofree char *debug = pen_versions_dup_text ();

  adw_show_about_window (gtk_application_get_active_window (user_data), "application-name",
                         "Pentimento", "application-icon", PEN_APP_ID, "version", PEN_VERSION,
                         "developer-name", _ ("The Pentimento developers"), "developers",
                         developers, "license-type", GTK_LICENSE_GPL_3_0, "comments",
                         _ ("Kernels rewrite their own code while they run. Pentimento shows which "
                            "code was actually at each address when a sample landed."),
                         "debug-info", debug, NULL);
}

static void
help_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GtkWindow *window = gtk_application_get_active_window (user_data);

  pen_help_show (user_data, window,
                 PEN_IS_WINDOW (window) ? pen_window_get_help_topic (PEN_WINDOW (window))
                                        : "index");
}

static void
quit_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GList *windows;

  pen_window_keep_all (user_data);
  while ((windows = gtk_application_get_windows (user_data)))
    gtk_window_destroy (windows->data);
}

static void
add_keys (GtkApplication *application)
{
  static const struct {
    const char *action;
    const char *keys[3];
  } keys[] = {
    { "app.quit", { "<Control>q" } },
    { "app.help", { "F1" } },
    { "app.new-window", { "<Control>n" } },
    { "app.preferences", { "<Control>comma" } },
    { "window.close", { "<Control>w" } },
    { "win.open", { "<Control>o" } },
    { "win.open-folder", { "<Control><Shift>o" } },
    { "win.record", { "<Control>r" } },
    { "win.export-functions", { "<Control>e" } },
    { "win.search", { "<Control>f" } },
    { "win.find", { "<Control>k" } },
    { "win.type-filter", { "<Control>l" } },
    { "win.clear-filters", { "<Control><Shift>l" } },
    { "win.add-note", { "<Control>d" } },
    { "win.notes", { "<Control><Shift>d" } },
    { "win.back", { "<Alt>Left", "Back" } },
    { "win.forward", { "<Alt>Right", "Forward" } },
    { "win.toggle-changed", { "<Control>h" } },
    { "win.history-pane", { "F9" } },
    { "win.next-pane", { "F6" } },
    { "win.previous-pane", { "<Shift>F6" } },
    { "win.overview", { "F8" } },
    { "win.fold-overview", { "<Shift>F8" } },
    { "win.page::code", { "<Control>1", "<Alt>1" } },
    { "win.page::callers", { "<Control>2", "<Alt>2" } },
    { "win.page::map", { "<Control>3", "<Alt>3" } },
    { "win.page::causes", { "<Control>4", "<Alt>4" } },
    { "win.page::occupants", { "<Control>5", "<Alt>5" } },
    { "win.page::recording", { "<Control>6", "<Alt>6" } },
    { "win.next-times", { "<Control>t" } },
    { "win.next-change", { "<Alt>period" } },
    { "win.previous-change", { "<Alt>comma" } },
    { "win.zoom-in", { "<Control>plus", "<Control>equal" } },
    { "win.zoom-out", { "<Control>minus" } },
    { "win.zoom-fit", { "<Control>0" } },
    { "win.show-help-overlay", { "<Control>question" } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_application_set_accels_for_action (application, keys[i].action, keys[i].keys);
}

static void
pen_application_startup (GApplication *application)
{
  static const GActionEntry actions[] = {
    { .name = "new-window", .activate = new_window_action },
    { .name = "show-window", .activate = show_window_action, .parameter_type = "u" },
    { .name = "preferences", .activate = preferences_action },
    { .name = "about", .activate = about_action },
    { .name = "help", .activate = help_action },
    { .name = "quit", .activate = quit_action },
  };
  PenApplication *self = PEN_APPLICATION (application);

  g_resources_register (pen_app_get_resource ());
  G_APPLICATION_CLASS (pen_application_parent_class)->startup (application);
  g_action_map_add_action_entries (G_ACTION_MAP (application), actions, G_N_ELEMENTS (actions),
                                   application);
  add_keys (GTK_APPLICATION (application));
  pen_release_closed_windows ();
  /* A text that can be copied gets the focus in a dialog without buttons: selected, it looks as if
   * it meant something. */
  g_object_set (gtk_settings_get_default (), "gtk-label-select-on-focus", FALSE, NULL);
  if (self->dark)
    adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                        ADW_COLOR_SCHEME_FORCE_DARK);
}

int
pen_application_get_exit_status (PenApplication *self)
{
  return self->exit_status;
}

static void
pen_application_finalize (GObject *object)
{
  g_free (PEN_APPLICATION (object)->screenshot);
  g_strfreev (PEN_APPLICATION (object)->filters);
  g_free (PEN_APPLICATION (object)->compare);

  G_OBJECT_CLASS (pen_application_parent_class)->finalize (object);
}

static void
pen_application_class_init (PenApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = pen_application_finalize;
  application_class->startup = pen_application_startup;
  application_class->activate = pen_application_activate;
  application_class->open = pen_application_open;
  application_class->local_command_line = pen_application_local_command_line;
  application_class->handle_local_options = pen_application_handle_local_options;
}

static void
pen_application_init (PenApplication *self)
{
  add_options (G_APPLICATION (self));
}

PenApplication *
pen_application_new (GApplicationFlags flags)
{
  return g_object_new (PEN_TYPE_APPLICATION, "application-id", PEN_APP_ID, "flags",
                       flags | G_APPLICATION_HANDLES_OPEN, NULL);
}
