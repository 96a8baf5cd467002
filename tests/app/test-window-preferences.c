/* test-window-preferences.c: what the cache holds, its limit, and removing all of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-cache-row.h"
#include "pen-cache-settings.h"
#include "pen-late-spinner.h"
#include "pen-preferences-window.h"
#include "pen-recording-rows.h"
#include "pen-sandbox.h"

#include <glib/gstdio.h>

#define GB (G_GUINT64_CONSTANT (1000) * 1000 * 1000)

static void
assert_has (const char *text, const char *part)
{
  g_assert_nonnull (text);
  if (!strstr (text, part))
    g_error ("“%s” is not in: %s", part, text);
}

static char *
settings_file (void)
{
  return g_build_filename (g_get_user_config_dir (), "pentimento", "settings.ini", NULL);
}

/* An import of a capture of that name, which nothing has open. */
static void
add_import (const char *name)
{
  PenTestCapture *capture = app_support_new_capture ();
  g_autofree char *path = app_support_write_capture (capture, name);
  PenWindow *window = window_support_open_path (path);

  window_support_close_window (window);
  pen_worker_wait_all ();
  pen_test_capture_free (capture);
}

static void
settle (PenPreferencesWindow *preferences)
{
  while (pen_late_spinner_is_started (window_support_child (preferences, "busy")))
    g_main_context_iteration (NULL, TRUE);
  app_support_run (50);
}

/* As the menu does it. */
static PenPreferencesWindow *
open_preferences (PenWindow *window)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  PenPreferencesWindow *preferences;

  window_support_activate (window, "app.preferences");
  preferences = pen_preferences_window_show (application, NULL);
  g_assert_true (gtk_window_get_transient_for (GTK_WINDOW (preferences)) == GTK_WINDOW (window));
  settle (preferences);
  return preferences;
}

static void
close_preferences (PenPreferencesWindow *preferences)
{
  gpointer watched = preferences;

  g_object_add_weak_pointer (G_OBJECT (preferences), &watched);
  gtk_window_destroy (GTK_WINDOW (preferences));
  while (watched)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
is_toast (GtkWidget *widget, gpointer data)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), "AdwToastWidget");
}

static gboolean
is_heading (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "heading");
}

/* The words of the toast that is shown, or NULL. */
static const char *
get_toast (PenPreferencesWindow *preferences)
{
  GtkWidget *toast = window_support_find_widget (GTK_WIDGET (preferences), is_toast, NULL);
  GtkWidget *label = toast ? window_support_find_widget (toast, is_heading, NULL) : NULL;

  return label ? gtk_label_get_text (GTK_LABEL (label)) : NULL;
}

static void
collect_rows (GtkWidget *widget, GString *titles, guint *n)
{
  if (PEN_IS_CACHE_ROW (widget)) {
    g_string_append_printf (titles, "%s|%s\n",
                            adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)),
                            adw_action_row_get_subtitle (ADW_ACTION_ROW (widget)));
    (*n)++;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    collect_rows (child, titles, n);
}

/* Returns: (transfer full): a line for each */
static char *
dup_rows (PenPreferencesWindow *preferences, guint *n)
{
  GString *titles = g_string_new (NULL);

  *n = 0;
  collect_rows (GTK_WIDGET (preferences), titles, n);
  return g_string_free (titles, FALSE);
}

static void
assert_n_rows (PenPreferencesWindow *preferences, guint expected)
{
  guint n;
  g_autofree char *rows = dup_rows (preferences, &n);

  g_assert_cmpuint (n, ==, expected);
}

static void
choose (PenPreferencesWindow *preferences, const char *name)
{
  AdwComboRow *row = window_support_child (preferences, "limit");
  GtkStringList *names = GTK_STRING_LIST (adw_combo_row_get_model (row));

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (names)); i++) {
    if (g_str_equal (gtk_string_list_get_string (names, i), name)) {
      adw_combo_row_set_selected (row, i);
      /* A little later only. */
      g_assert_true (pen_late_spinner_is_started (window_support_child (preferences, "busy")));
      g_assert_false (gtk_spinner_get_spinning (window_support_child (preferences, "busy")));
      settle (preferences);
      return;
    }
  }
  g_error ("no choice: %s", name);
}

static void
assert_limit (PenPreferencesWindow *preferences, guint64 expected)
{
  g_autoptr (GError) error = NULL;
  guint64 limit = 0;

  GtkStringObject *shown
      = adw_combo_row_get_selected_item (window_support_child (preferences, "limit"));
  g_autofree char *words = expected == PEN_CACHE_NO_LIMIT ? g_strdup ("No Limit")
                           : expected % GB == 0 ? g_strdup_printf ("%u GB", (guint) (expected / GB))
                                                : g_format_size (expected);

  g_assert_cmpstr (gtk_string_object_get_string (shown), ==, words);
  g_assert_true (pen_cache_get_limit (&limit, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (limit, ==, expected);
}

/* ---- tests ---- */

static void
test_entries (void)
{
  PenWindow *window;
  PenPreferencesWindow *preferences;
  guint n;
  g_autofree char *rows = NULL;

  app_support_clear_cache ();
  add_import ("first.data");
  add_import ("odd <b>& name.data");
  window = window_support_new_window ();
  preferences = open_preferences (window);
  rows = dup_rows (preferences, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_true (g_str_has_prefix (rows, "odd <b>& name.data|"));
  assert_has (rows, "\nfirst.data|");
  assert_has (rows, "Complete, used today at ");
  assert_has (adw_action_row_get_subtitle (window_support_child (preferences, "total")),
              "2 imports, ");
  g_assert_null (get_toast (preferences));
  close_preferences (preferences);
  window_support_close_window (window);
}

static void
test_limit (void)
{
  PenWindow *window = window_support_new_window ();
  PenPreferencesWindow *preferences;
  g_autofree char *path = settings_file ();
  g_autofree char *text = NULL;
  g_autofree char *odd = g_format_size (1000);
  g_autoptr (GError) error = NULL;

  app_support_clear_cache ();
  add_import ("first.data");
  g_remove (path);
  preferences = open_preferences (window);
  assert_limit (preferences, PEN_CACHE_DEFAULT_LIMIT);
  choose (preferences, "20 GB");
  assert_limit (preferences, 20 * GB);
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  assert_has (text, "limit=20GB");
  choose (preferences, "No Limit");
  assert_limit (preferences, PEN_CACHE_NO_LIMIT);
  g_assert_null (get_toast (preferences));
  close_preferences (preferences);

  /* One that the command has set is a choice of its own. */
  g_assert_true (pen_cache_set_limit (1000, &error));
  preferences = open_preferences (window);
  assert_limit (preferences, 1000);
  assert_n_rows (preferences, 1);
  choose (preferences, "50 GB");
  choose (preferences, odd);
  assert_limit (preferences, 1000);
  assert_n_rows (preferences, 0);
  assert_has (get_toast (preferences), "freed: 1 import removed");
  close_preferences (preferences);
  g_remove (path);
  window_support_close_window (window);
}

/* The window is gone at once: what was chosen is kept all the same. */
static void
test_close_at_once (void)
{
  PenWindow *window = window_support_new_window ();
  PenPreferencesWindow *preferences = open_preferences (window);
  PenLimitRow *row = window_support_child (preferences, "limit");
  g_autofree char *path = settings_file ();
  g_autoptr (GError) error = NULL;
  guint64 limit;

  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 0);
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 2);
  close_preferences (preferences);
  g_assert_true (pen_cache_get_limit (&limit, &error));
  g_assert_cmpuint (limit, ==, 5 * GB);
  g_remove (path);
  window_support_close_window (window);
}

static GtkWindow *
find_question (PenPreferencesWindow *preferences)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

    if (ADW_IS_MESSAGE_DIALOG (window)
        && gtk_window_get_transient_for (window) == GTK_WINDOW (preferences))
      return window;
  }
  return NULL;
}

static void
answer (PenPreferencesWindow *preferences, const char *response)
{
  GtkWindow *question;

  g_assert_true (
      gtk_widget_activate_action (GTK_WIDGET (preferences), "preferences.remove-all", NULL));
  question = find_question (preferences);
  g_assert_nonnull (question);
  app_support_run (50);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (question), response);
  gtk_window_destroy (question);
  settle (preferences);
  g_assert_null (find_question (preferences));
}

static void
test_remove_all (void)
{
  PenWindow *window;
  PenPreferencesWindow *preferences;
  guint n;
  g_autofree char *rows = NULL;

  app_support_clear_cache ();
  add_import ("first.data");
  add_import ("second.data");
  window = window_support_open_window ("b-ftrace.data");
  preferences = open_preferences (window);
  assert_n_rows (preferences, 3);
  answer (preferences, "cancel");
  assert_n_rows (preferences, 3);
  answer (preferences, "remove");
  rows = dup_rows (preferences, &n);
  g_assert_cmpuint (n, ==, 1);
  assert_has (rows, "In use, used ");
  assert_has (get_toast (preferences), "freed: 2 imports removed; in use");
  close_preferences (preferences);
  window_support_close_window (window);
  pen_worker_wait_all ();

  window = window_support_new_window ();
  preferences = open_preferences (window);
  answer (preferences, "remove");
  assert_n_rows (preferences, 0);
  g_assert_cmpstr (adw_action_row_get_subtitle (window_support_child (preferences, "total")), ==,
                   "None");
  close_preferences (preferences);
  window_support_close_window (window);
}

static void
test_errors (void)
{
  PenWindow *window = window_support_new_window ();
  PenPreferencesWindow *preferences;
  g_autofree char *path = settings_file ();
  g_autofree char *directory = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (directory, 0700);
  g_file_set_contents (path, "[cache]\nlimit=much\n", -1, &error);
  g_assert_no_error (error);
  preferences = open_preferences (window);
  g_assert_null (adw_combo_row_get_selected_item (window_support_child (preferences, "limit")));
  assert_has (get_toast (preferences), "“much”");
  assert_has (get_toast (preferences), "select a limit");
  choose (preferences, "2 GB");
  assert_limit (preferences, 2 * GB);
  close_preferences (preferences);

  /* What cannot be kept is not shown as if it were. */
  g_remove (path);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  preferences = open_preferences (window);
  choose (preferences, "5 GB");
  g_assert_null (adw_combo_row_get_selected_item (window_support_child (preferences, "limit")));
  assert_has (get_toast (preferences), "settings.ini");
  close_preferences (preferences);
  g_rmdir (path);
  window_support_close_window (window);
}

/* The file has the last of the choices. */
static void
wait_for_source_lines (void)
{
  g_autoptr (PenSettings) settings = pen_settings_load ();

  while (!settings->source_lines) {
    app_support_run (10);
    pen_settings_free (settings);
    settings = pen_settings_load ();
  }
}

static gboolean
is_row_titled (GtkWidget *widget, gpointer title)
{
  return ADW_IS_PREFERENCES_ROW (widget)
         && g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title);
}

static GtkSwitch *
find_switch (PenSettingsPage *page, const char *title)
{
  return window_support_find_type (
      window_support_find_widget (GTK_WIDGET (page), is_row_titled, (gpointer) title),
      GTK_TYPE_SWITCH);
}

static gboolean
has_intel_text (PenSession *session)
{
  GPtrArray *lines = pen_session_get_answers (session)->annotation->text->annotated->lines;

  for (guint i = 0; i < lines->len; i++) {
    const PenAnnotationLine *line = g_ptr_array_index (lines, i);

    if (line->instruction && strchr (line->instruction, '%'))
      return FALSE;
  }
  return TRUE;
}

/* What is chosen holds for what is open, is kept, and leaves the rest of the file. */
static void
test_settings (void)
{
  PenWindow *window = window_support_open_window ("c-kprobes.data");
  PenPreferencesWindow *preferences = open_preferences (window);
  PenSettingsPage *page = window_support_child (preferences, "settings");
  g_autofree char *file = settings_file ();
  g_autofree char *kept = NULL;
  g_autoptr (PenSettings) settings = NULL;
  PenSources sources;

  while (!gtk_widget_get_sensitive (GTK_WIDGET (page)))
    g_main_context_iteration (NULL, TRUE);
  choose (preferences, "20 GB");
  settle (preferences);
  window_support_select_function (window, "vfs_read");
  g_assert_false (has_intel_text (window->session));
  adw_combo_row_set_selected (window_support_find_type (page, ADW_TYPE_COMBO_ROW), 1);
  app_support_settle (window->session);
  g_assert_true (has_intel_text (window->session));

  pen_settings_page_set_path (page, PEN_SOURCE_VMLINUX, "/nowhere/vm=\xfflinux");
  pen_settings_page_set_path (page, PEN_SOURCE_SYMFS, "/nowhere/symfs");
  gtk_switch_set_active (find_switch (page, "_Debuginfod Servers"), TRUE);
  gtk_switch_set_active (find_switch (page, "_Large Debug Files"), TRUE);
  gtk_switch_set_active (find_switch (page, "_Reopen Recordings"), TRUE);
  wait_for_source_lines ();
  settings = pen_settings_load ();
  sources = pen_settings_get_sources (settings);
  g_assert_cmpint (settings->syntax, ==, PEN_SYNTAX_INTEL);
  g_assert_cmpstr (sources.vmlinux, ==, "/nowhere/vm=\xfflinux");
  g_assert_cmpstr (sources.symfs, ==, "/nowhere/symfs");
  g_assert_null (*sources.kallsyms);
  g_assert_true (sources.debuginfod);
  g_assert_true (sources.source_lines);
  g_assert_true (settings->reopens);
  g_assert_true (g_file_get_contents (file, &kept, NULL, NULL));
  assert_has (kept, "limit=20GB");

  /* of choices made faster than they are kept, the last one holds */
  for (guint i = 0; i < 64; i++)
    gtk_switch_set_active (find_switch (page, "_Debuginfod Servers"), i % 2 != 0);
  pen_settings_page_set_path (page, PEN_SOURCE_VMLINUX, NULL);
  pen_settings_page_set_path (page, PEN_SOURCE_SYMFS, NULL);
  gtk_switch_set_active (find_switch (page, "_Debuginfod Servers"), FALSE);
  /* The page is there until all is written. */
  g_object_add_weak_pointer (G_OBJECT (page), (gpointer *) &page);
  close_preferences (preferences);
  while (page)
    g_main_context_iteration (NULL, TRUE);
  g_clear_pointer (&settings, pen_settings_free);
  settings = pen_settings_load ();
  g_assert_false (settings->debuginfod);
  g_assert_null (settings->paths[PEN_SOURCE_VMLINUX][0]);
  window_support_close_window (window);

  /* in the next window, from the file */
  window = window_support_open_window ("c-kprobes.data");
  g_assert_cmpint (pen_session_get_syntax (window->session), ==, PEN_SYNTAX_INTEL);
  window_support_close_window (window);
  g_unlink (file);
}

static gboolean
is_command_copy (GtkWidget *widget, gpointer data)
{
  return g_strcmp0 (gtk_widget_get_tooltip_text (widget), "Copy the command") == 0;
}

/* In a Flatpak: the commands that open what it hides. */
static void
test_hidden (void)
{
  PenWindow *window = window_support_new_window ();
  PenPreferencesWindow *preferences = open_preferences (window);
  PenSettingsPage *page = window_support_child (preferences, "settings");
  g_autofree char *info = app_support_temporary ("flatpak-info");
  g_autoptr (GPtrArray) hidden = NULL;
  g_autofree char *copied = NULL;
  GtkWidget *copy;

  g_assert_null (window_support_find_widget (GTK_WIDGET (page), is_command_copy, NULL));
  g_assert_true (
      g_file_set_contents (info, "[Context]\nfilesystems=host-os:ro;~/.debug;\n", -1, NULL));
  hidden = pen_sandbox_list_hidden (info, "/home/someone");
  g_assert_cmpuint (hidden->len, ==, 1);
  pen_recording_add_hidden (ADW_PREFERENCES_PAGE (page), hidden);
  copy = window_support_find_widget (GTK_WIDGET (page), is_command_copy, NULL);
  g_assert_nonnull (copy);
  g_signal_emit_by_name (copy, "clicked");
  copied = window_support_dup_clipboard (window);
  g_assert_cmpstr (copied, ==, "flatpak override --user --filesystem=/boot:ro " PEN_APP_ID);
  g_assert_cmpstr (get_toast (preferences), ==, "Copied");
  g_unlink (info);
  close_preferences (preferences);
  window_support_close_window (window);
}

static gboolean
is_remove_button (GtkWidget *widget, gpointer data)
{
  return gtk_widget_get_sensitive (widget)
         && g_strcmp0 (gtk_widget_get_tooltip_text (widget), "Remove this import") == 0;
}

static void
test_remove_one (void)
{
  PenWindow *window;
  PenPreferencesWindow *preferences;
  GtkWidget *button;
  guint before, after;
  g_autofree char *rows_before = NULL;
  g_autofree char *rows_after = NULL;

  add_import ("one-of-them.data");
  window = window_support_new_window ();
  preferences = open_preferences (window);
  rows_before = dup_rows (preferences, &before);
  button = window_support_find_widget (GTK_WIDGET (preferences), is_remove_button, NULL);
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  settle (preferences);
  rows_after = dup_rows (preferences, &after);
  g_assert_cmpuint (after + 1, ==, before);
  g_assert_cmpstr (get_toast (preferences), ==, "Removed");

  /* what is in no cache is not touched */
  {
    g_autofree char *other = app_support_temporary ("one-of-them.data");
    g_autoptr (GVariant) target = g_variant_ref_sink (g_variant_new_bytestring (other));

    gtk_widget_activate_action_variant (GTK_WIDGET (preferences), "preferences.remove-one", target);
    settle (preferences);
    g_assert_true (g_file_test (other, G_FILE_TEST_EXISTS));
  }
  close_preferences (preferences);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/preferences/entries", test_entries);
  g_test_add_func ("/window/preferences/limit", test_limit);
  g_test_add_func ("/window/preferences/close-at-once", test_close_at_once);
  g_test_add_func ("/window/preferences/remove-all", test_remove_all);
  g_test_add_func ("/window/preferences/settings", test_settings);
  g_test_add_func ("/window/preferences/hidden", test_hidden);
  g_test_add_func ("/window/preferences/remove-one", test_remove_one);
  g_test_add_func ("/window/preferences/errors", test_errors);
}

int
main (int argc, char **argv)
{
  g_autofree char *settings = g_dir_make_tmp ("pentimento-settings-XXXXXX", NULL);
  g_autofree char *directory = g_build_filename (settings, "pentimento", NULL);
  int status;

  /* Before anything asks for it. */
  g_setenv ("XDG_CONFIG_HOME", settings, TRUE);
  status = window_support_main (argc, argv, add_tests);
  g_rmdir (directory);
  g_rmdir (settings);
  return status;
}
