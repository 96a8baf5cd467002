/* pen-settings-page.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-settings-page.h"

#include <glib/gi18n-lib.h>

#include "pen-chooser.h"
#include "pen-display.h"
#include "pen-format.h"
#include "pen-recording-rows.h"
#include "pen-sandbox.h"

typedef struct {
  PenSettingsPage *page;
  PenSourcePath which;
  AdwActionRow *row;
  GtkWidget *clear;
} SourceRow;

struct _PenSettingsPage {
  AdwPreferencesPage parent_instance;

  PenSettings *settings; /* NULL until they were read */
  GtkFileChooserNative *chooser;
  PenSourcePath choosing;
  gboolean updating;

  GtkSwitch *reopens;
  AdwComboRow *syntax;
  SourceRow rows[PEN_SOURCE_PATHS];
  GtkSwitch *source_lines;
  GtkSwitch *debuginfod;
};

G_DEFINE_FINAL_TYPE (PenSettingsPage, pen_settings_page, ADW_TYPE_PREFERENCES_PAGE)

enum { CHANGED, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

static const struct {
  const char *title;
  const char *none;
} words[PEN_SOURCE_PATHS] = {
  [PEN_SOURCE_VMLINUX] = { N_ ("Kernel Image (vmlinux)"), N_ ("Found by build ID") },
  [PEN_SOURCE_KALLSYMS] = { N_ ("Kernel Symbols (kallsyms)"), N_ ("Included in the recording") },
  [PEN_SOURCE_KCORE] = { N_ ("Kernel Bytes (kcore)"), N_ ("Included in the recording") },
  [PEN_SOURCE_MODULES] = { N_ ("Modules"), N_ ("Included in the recording") },
  [PEN_SOURCE_SYMFS]
  = { N_ ("Files of the Recorded Machine"), N_ ("Files of this machine with the same build ID") },
};

/* ---- showing ---- */

static void
show_source (SourceRow *row)
{
  const char *path = row->page->settings ? row->page->settings->paths[row->which][0] : NULL;
  g_autofree char *shown = path ? pen_display_text (path) : NULL;

  adw_action_row_set_subtitle (row->row, shown ? shown : _ (words[row->which].none));
  gtk_widget_set_visible (row->clear, path != NULL);
}

static void
show (PenSettingsPage *self)
{
  self->updating = TRUE;
  gtk_widget_set_sensitive (GTK_WIDGET (self), self->settings != NULL);
  if (self->settings) {
    adw_combo_row_set_selected (self->syntax, self->settings->syntax == PEN_SYNTAX_INTEL);
    gtk_switch_set_active (self->reopens, self->settings->reopens);
    gtk_switch_set_active (self->source_lines, self->settings->source_lines);
    gtk_switch_set_active (self->debuginfod, self->settings->debuginfod);
  }
  for (guint i = 0; i < PEN_SOURCE_PATHS; i++)
    show_source (&self->rows[i]);
  self->updating = FALSE;
}

/* ---- keeping ---- */

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PenSettingsPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!pen_settings_save_finish (result, &error)) {
    g_autofree char *message = pen_format_error (error);

    g_signal_emit (self, signals[FAILED], 0, message);
  }
}

static void
keep (PenSettingsPage *self)
{
  pen_settings_save_async (self->settings, on_saved, g_object_ref (self));
  show (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
pen_settings_page_set_path (PenSettingsPage *self, PenSourcePath which, const char *path)
{
  if (!self->settings || g_strcmp0 (self->settings->paths[which][0], path) == 0)
    return;
  g_free (self->settings->paths[which][0]);
  self->settings->paths[which][0] = g_strdup (path);
  keep (self);
}

const PenSettings *
pen_settings_page_get_settings (PenSettingsPage *self)
{
  return self->settings;
}

/* ---- choosing ---- */

static void
on_choice (PenSettingsPage *self)
{
  PenSyntax syntax
      = adw_combo_row_get_selected (self->syntax) == 1 ? PEN_SYNTAX_INTEL : PEN_SYNTAX_ATT;
  PenSettings *settings = self->settings;

  if (self->updating || !settings)
    return;
  settings->reopens = gtk_switch_get_active (self->reopens);
  settings->syntax = syntax;
  settings->source_lines = gtk_switch_get_active (self->source_lines);
  settings->debuginfod = gtk_switch_get_active (self->debuginfod);
  keep (self);
}

static void
on_chosen (PenSettingsPage *self, int response, GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = NULL;

  g_clear_pointer (&self->chooser, pen_chooser_release);
  if (response != GTK_RESPONSE_ACCEPT)
    return;
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  if (file && g_file_peek_path (file))
    pen_settings_page_set_path (self, self->choosing, g_file_peek_path (file));
}

static void
on_choose (SourceRow *row)
{
  PenSettingsPage *self = row->page;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  g_clear_pointer (&self->chooser, pen_chooser_release);
  self->choosing = row->which;
  self->chooser = gtk_file_chooser_native_new (_ (words[row->which].title), GTK_WINDOW (root),
                                               row->which == PEN_SOURCE_SYMFS
                                                   ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
                                                   : GTK_FILE_CHOOSER_ACTION_OPEN,
                                               _ ("_Select"), NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (on_chosen), self,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
on_clear (SourceRow *row)
{
  pen_settings_page_set_path (row->page, row->which, NULL);
}

/* ---- object ---- */

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (PenSettingsPage) self = user_data;

  self->settings = pen_settings_load_finish (result);
  show (self);
}

static void
pen_settings_page_dispose (GObject *object)
{
  PenSettingsPage *self = PEN_SETTINGS_PAGE (object);

  g_clear_pointer (&self->chooser, pen_chooser_release);

  G_OBJECT_CLASS (pen_settings_page_parent_class)->dispose (object);
}

static void
pen_settings_page_finalize (GObject *object)
{
  g_clear_pointer (&PEN_SETTINGS_PAGE (object)->settings, pen_settings_free);

  G_OBJECT_CLASS (pen_settings_page_parent_class)->finalize (object);
}

static void
pen_settings_page_class_init (PenSettingsPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = pen_settings_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = pen_settings_page_finalize;
  signals[CHANGED] = g_signal_new ("changed", PEN_TYPE_SETTINGS_PAGE, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", PEN_TYPE_SETTINGS_PAGE, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static AdwPreferencesGroup *
add_group (PenSettingsPage *self, const char *title, const char *description)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());

  adw_preferences_group_set_title (group, title);
  adw_preferences_group_set_description (group, description);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (self), group);
  return group;
}

static void
add_code (PenSettingsPage *self)
{
  static const char *const syntaxes[] = { "AT&T", "Intel", NULL };
  AdwPreferencesGroup *group = add_group (self, _ ("Code"), NULL);
  g_autoptr (GtkStringList) list = gtk_string_list_new (syntaxes);

  self->syntax = ADW_COMBO_ROW (adw_combo_row_new ());
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->syntax), _ ("Instruction _Syntax"));
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (self->syntax), TRUE);
  adw_combo_row_set_model (self->syntax, G_LIST_MODEL (list));
  g_signal_connect_swapped (self->syntax, "notify::selected", G_CALLBACK (on_choice), self);
  adw_preferences_group_add (group, GTK_WIDGET (self->syntax));
}

static GtkWidget *
add_button (SourceRow *row, const char *icon, const char *tooltip, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  g_signal_connect_swapped (button, "clicked", clicked, row);
  adw_action_row_add_suffix (row->row, button);
  return button;
}

static GtkSwitch *
add_switch (PenSettingsPage *self, AdwPreferencesGroup *group, const char *title,
            const char *subtitle)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_switch_new ();

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (row), TRUE);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), button);
  g_signal_connect_swapped (button, "notify::active", G_CALLBACK (on_choice), self);
  adw_preferences_group_add (group, row);
  return GTK_SWITCH (button);
}

static void
add_start (PenSettingsPage *self)
{
  AdwPreferencesGroup *group = add_group (self, C_ ("preferences", "Start"), NULL);

  self->reopens = add_switch (
      self, group, _ ("_Reopen Recordings"),
      _ ("Windows that were open at the end, if Pentimento is started without a recording"));
}

/* What a Flatpak may open is for its user to say, outside. */
static void
add_hidden (PenSettingsPage *self)
{
  g_autoptr (GPtrArray) hidden = pen_sandbox_list_hidden (PEN_SANDBOX_INFO, g_get_home_dir ());

  pen_recording_add_hidden (ADW_PREFERENCES_PAGE (self), hidden);
}

static void
add_sources (PenSettingsPage *self)
{
  AdwPreferencesGroup *group = add_group (
      self, _ ("Sources"),
      _ ("Names and bytes for imports. These settings override the sources included in every "
         "recording. A recording imported with other sources is imported again when opened."));

  for (guint i = 0; i < PEN_SOURCE_PATHS; i++) {
    SourceRow *source = &self->rows[i];

    *source = (SourceRow){ .page = self, .which = i };
    source->row = ADW_ACTION_ROW (adw_action_row_new ());
    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (source->row), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (source->row), _ (words[i].title));
    source->clear = add_button (source, "edit-clear-symbolic", _ ("Clear"), G_CALLBACK (on_clear));
    add_button (source, "document-open-symbolic", _ ("Select…"), G_CALLBACK (on_choose));
    adw_preferences_group_add (group, GTK_WIDGET (source->row));
  }
  self->source_lines
      = add_switch (self, group, _ ("_Large Debug Files"),
                    _ ("Source lines from large files too (slow: 6 ms per megabyte)"));
  self->debuginfod = add_switch (self, group, _ ("_Debuginfod Servers"),
                                 _ ("Sends the build IDs of the files that ran"));
}

static void
pen_settings_page_init (PenSettingsPage *self)
{
  adw_preferences_page_set_title (ADW_PREFERENCES_PAGE (self), _ ("General"));
  adw_preferences_page_set_icon_name (ADW_PREFERENCES_PAGE (self), "preferences-system-symbolic");
  add_code (self);
  add_sources (self);
  add_start (self);
  add_hidden (self);
  show (self);
  pen_settings_load_async (on_loaded, g_object_ref (self));
}
