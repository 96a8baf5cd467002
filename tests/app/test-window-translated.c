/* test-window-translated.c: every text of the window is translated
 *
 * Run by test_translated.py in a language whose every translation is in ⟦brackets⟧. All views are
 * walked: labels, tooltips, titles, menus, entries' hints, and the names that a screen reader says.
 * Outside of brackets there may be what translated-words.h says; anything else is text that nobody
 * can translate.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <libintl.h>

#include "pen-error-page.h"
#include "pen-find-box.h"
#include "pen-instants-view.h"
#include "pen-missing-banner.h"
#include "pen-start-page.h"
#include "pen-translations.h"
#include "pen-verdict-bar.h"
#include "translated-words.h"

#define CAPTURE "f-everything-z.data"

static GHashTable *found; /* (element-type utf8): said already */
static guint n_strays;
static guint n_menus;
static guint n_titles;

/* One text of many with the same word is enough. */
static void
check (GtkWidget *widget, const char *what, const char *text)
{
  g_autofree char *word = NULL;
  GtkWidget *parent = gtk_widget_get_parent (widget);

  if (!text || translated_words_is_free (text, &word))
    return;
  n_strays++;
  if (g_hash_table_add (found, g_strdup (word)))
    g_printerr ("untranslated “%s” in the %s of %s in %s: %s\n", word, what,
                G_OBJECT_TYPE_NAME (widget), parent ? G_OBJECT_TYPE_NAME (parent) : "nothing",
                text);
}

/* ---- a widget and all below it ---- */

static void
check_menu (GtkWidget *widget, GMenuModel *menu)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    static const char *const links[] = { G_MENU_LINK_SECTION, G_MENU_LINK_SUBMENU };
    g_autofree char *label = NULL;

    if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label)) {
      g_autoptr (GString) shown = g_string_new (label);

      g_string_replace (shown, "__", "_", 0);
      check (widget, "menu item", shown->str);
    }
    for (gsize link = 0; link < G_N_ELEMENTS (links); link++) {
      g_autoptr (GMenuModel) below = g_menu_model_get_item_link (menu, i, links[link]);

      if (below)
        check_menu (widget, below);
    }
  }
}

static void
check_choices (GtkWidget *widget, GListModel *choices)
{
  for (guint i = 0; choices && i < g_list_model_get_n_items (choices); i++) {
    g_autoptr (GObject) item = g_list_model_get_item (choices, i);

    if (GTK_IS_STRING_OBJECT (item))
      check (widget, "choice", gtk_string_object_get_string (GTK_STRING_OBJECT (item)));
  }
}

static void
check_properties (GtkWidget *widget)
{
  GObjectClass *klass = G_OBJECT_GET_CLASS (widget);
  GParamSpec *hint = g_object_class_find_property (klass, "placeholder-text");
  GParamSpec *menu = g_object_class_find_property (klass, "menu-model");

  if (hint) {
    g_autofree char *text = NULL;

    g_object_get (widget, "placeholder-text", &text, NULL);
    check (widget, "hint", text);
  }
  if (menu && menu->value_type == G_TYPE_MENU_MODEL) {
    g_autoptr (GMenuModel) model = NULL;

    g_object_get (widget, "menu-model", &model, NULL);
    if (model)
      check_menu (widget, model);
  }
  if (GTK_IS_DROP_DOWN (widget))
    check_choices (widget, gtk_drop_down_get_model (GTK_DROP_DOWN (widget)));
  if (ADW_IS_COMBO_ROW (widget))
    check_choices (widget, adw_combo_row_get_model (ADW_COMBO_ROW (widget)));
}

/* A property that no widget has says what it has. */
static void
check_spoken (GtkWidget *widget)
{
  static const GtkAccessibleProperty properties[]
      = { GTK_ACCESSIBLE_PROPERTY_LABEL, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION };

  for (gsize i = 0; i < G_N_ELEMENTS (properties); i++) {
    g_autofree char *text = NULL;

    if (gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget), properties[i]))
      text = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), properties[i], "");
    check (widget, "spoken name", text);
  }
}

/* The message of an error, as the command line prints it. */
static gboolean
is_error (GtkWidget *widget)
{
  GtkWidget *page = gtk_widget_get_ancestor (widget, ADW_TYPE_STATUS_PAGE);

  return GTK_IS_LABEL (widget) && page && gtk_widget_get_ancestor (page, PEN_TYPE_ERROR_PAGE)
         && g_strcmp0 (gtk_label_get_label (GTK_LABEL (widget)),
                       adw_status_page_get_description (ADW_STATUS_PAGE (page)))
                == 0;
}

static gboolean
is_skipped (GtkWidget *widget)
{
  /* The manual has translations of its own; what is typed is typed by a person. */
  return GTK_IS_TEXT_VIEW (widget)
         || GTK_IS_TEXT (widget)
         /* Keys, as GTK names them. */
         || g_str_equal (gtk_widget_get_css_name (widget), "accelerator")
         || GTK_IS_SHORTCUT_LABEL (widget) || is_error (widget);
}

/* -1: as wide as need be */
static int
get_column_width (GtkWidget *title)
{
  GtkWidget *view = gtk_widget_get_ancestor (title, GTK_TYPE_COLUMN_VIEW);
  g_autoptr (GtkColumnViewColumn) column = NULL;
  guint i = 0;

  for (GtkWidget *at = title; (at = gtk_widget_get_prev_sibling (at));)
    i++;
  column = g_list_model_get_item (gtk_column_view_get_columns (GTK_COLUMN_VIEW (view)), i);
  return gtk_column_view_column_get_fixed_width (column);
}

static gboolean
has_translated_title (GtkWidget *box)
{
  GtkWidget *label = gtk_widget_get_first_child (box);

  return GTK_IS_LABEL (label) && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (label)), "⟦");
}

/* A column has room for its title, in whatever language. GTK cuts off what has none. */
static void
check_room (GtkWidget *widget)
{
  GtkWidget *box = gtk_widget_get_first_child (widget);
  int wanted;
  int width;

  if (!g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkColumnViewTitle")
      || !gtk_widget_get_mapped (widget) || !has_translated_title (box))
    return;
  gtk_widget_measure (box, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &wanted, NULL, NULL);
  wanted += gtk_widget_get_allocated_width (widget) - gtk_widget_get_width (widget);
  width = get_column_width (widget);
  n_titles += width >= 0;
  if (width < 0 || width >= wanted)
    return;
  n_strays++;
  g_printerr ("a title has %d pixels of %d: %s\n", width, wanted,
              window_support_get_tooltip (widget));
}

static void
check_all (GtkWidget *widget)
{
  /* Bytes, instructions, addresses, and the commands that are to be copied. */
  gboolean is_code = gtk_widget_has_css_class (widget, "monospace");

  if (is_skipped (widget))
    return;
  if (GTK_IS_LABEL (widget) && !is_code)
    check (widget, "label", gtk_label_get_text (GTK_LABEL (widget)));
  if (GTK_IS_WINDOW (widget))
    check (widget, "title", gtk_window_get_title (GTK_WINDOW (widget)));
  if (!is_code)
    check (widget, "tooltip", window_support_get_tooltip (widget));
  check_properties (widget);
  check_room (widget);
  if (!is_code)
    check_spoken (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    check_all (child);
}

/* Whatever windows there are. */
static void
check_windows (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *at = windows; at; at = at->next) {
    if (gtk_widget_get_mapped (at->data))
      check_all (at->data);
  }
}

/* ---- views ---- */

static void
check_dialog (PenWindow *window, const char *action)
{
  g_autoptr (GList) windows = NULL;

  if (g_str_has_prefix (action, "app."))
    g_action_group_activate_action (G_ACTION_GROUP (g_application_get_default ()),
                                    action + strlen ("app."), NULL);
  else
    window_support_activate (window, action);
  app_support_run (150);
  check_windows ();
  windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at; at = at->next) {
    if (at->data != window && gtk_widget_get_mapped (at->data))
      gtk_window_destroy (at->data);
  }
  app_support_run (20);
}

static void
check_page (PenWindow *window, const char *page)
{
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", page);
  app_support_run (50);
  app_support_settle (window->session);
  app_support_run (50);
  check_windows ();
}

/* Rows of a folded list are made when it is unfolded. */
static void
unfold_lists (GtkWidget *widget)
{
  if (ADW_IS_EXPANDER_ROW (widget))
    adw_expander_row_set_expanded (ADW_EXPANDER_ROW (widget), TRUE);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    unfold_lists (child);
}

static void
check_pages (PenWindow *window)
{
  static const char *const pages[]
      = { "code", "callers", "map", "causes", "occupants", "recording" };

  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++)
    check_page (window, pages[i]);
  unfold_lists (GTK_WIDGET (window->recording));
  check_page (window, "recording");
}

static gboolean
is_menu_key (GtkShortcut *shortcut)
{
  g_autofree char *trigger = gtk_shortcut_trigger_to_string (gtk_shortcut_get_trigger (shortcut));

  return g_str_has_prefix (trigger, "Menu|");
}

/* Presses the menu key in every list, and looks at what comes up. */
static void
check_row_menus (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) keys = g_list_model_get_item (controllers, i);

    for (guint j = 0;
         GTK_IS_SHORTCUT_CONTROLLER (keys) && j < g_list_model_get_n_items (G_LIST_MODEL (keys));
         j++) {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (keys), j);

      if (!is_menu_key (shortcut)
          || !gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget, NULL))
        continue;
      n_menus++;
      check_all (widget);
      for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
           child = gtk_widget_get_next_sibling (child)) {
        if (GTK_IS_POPOVER (child))
          gtk_popover_popdown (GTK_POPOVER (child));
      }
      app_support_run (20);
    }
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child)) {
    if (gtk_widget_get_mapped (child))
      check_row_menus (child);
  }
}

/* What is looked at has to be there. */
static void
assert_shown (PenWindow *window, GType type)
{
  g_assert_true (gtk_widget_get_mapped (window_support_find_type (window, type)));
}

/* The text of two instants: where they differ, and all of it. */
static void
check_instants (PenWindow *window)
{
  static const guint64 instants[] = { 7500000000, 6200000000, 6300000000 };
  PenSession *session = window->session;

  window_support_select_function (window, "vfs_read");
  pen_session_set_mark (session, &instants[1]);
  for (gsize i = 0; i < G_N_ELEMENTS (instants); i += 2) {
    pen_session_set_playhead (session, instants[i]);
    check_page (window, "code");
    assert_shown (window, PEN_TYPE_INSTANTS_VIEW);
  }
  gtk_toggle_button_set_active (
      window_support_child (window_support_find_type (window, PEN_TYPE_INSTANTS_VIEW), "all"),
      TRUE);
  check_page (window, "code");
  pen_session_set_mark (session, NULL);
  app_support_settle (session);
}

static void
check_verdict (PenWindow *window)
{
  gpointer bar = window_support_find_type (window, PEN_TYPE_VERDICT_BAR);

  assert_shown (window, PEN_TYPE_VERDICT_BAR);
  gtk_toggle_button_set_active (window_support_child (bar, "unfold"), TRUE);
  app_support_run (50);
  check_windows ();
}

/* Every row that can be unfolded, and what belongs to one at the bottom. */
static void
check_causes (PenWindow *window)
{
  GtkSingleSelection *rows;

  check_page (window, "causes");
  rows = GTK_SINGLE_SELECTION (
      gtk_column_view_get_model (window_support_child (window->causes, "view")));
  for (guint i = 0; i < 64 && i < g_list_model_get_n_items (G_LIST_MODEL (rows)); i++) {
    g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (rows), i);

    gtk_tree_list_row_set_expanded (row, TRUE);
    gtk_single_selection_set_selected (rows, i);
    app_support_settle (window->session);
    app_support_run (20);
    check_windows ();
  }
}

/* What may be typed or pasted; each part of it is data. */
static void
check_find (PenWindow *window)
{
  static const char *const searches[] = {
    "vfs_read",
    "vfs_read+0x1c",
    "ffffffffc0000c10",
    "0x1",
    "sh",
    "nothing of that name",
    "[    5.100004] RIP: 0010:vfs_read+0x1c/0x310\n"
    "[    5.100008] Call Trace:\n"
    "[    5.100011]  nowhere+0x1c/0x310\n"
    "[    5.100013]  [<ffffffffc0000c10>] 0xffffffffc0000c10\n",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (searches); i++) {
    translated_words_add (searches[i]);
    window_support_activate (window, "win.find");
    gtk_editable_set_text (window_support_child (window->find, "entry"), searches[i]);
    app_support_run (250);
    app_support_settle (window->session);
    app_support_run (50);
    assert_shown (window, PEN_TYPE_FIND_BOX);
    check_windows ();
    pen_find_box_close (window->find);
  }
}

static void
check_recording (void)
{
  g_autofree char *path = app_support_capture (CAPTURE);
  g_autofree char *folder = g_path_get_dirname (path);
  PenWindow *window = window_support_open_window (CAPTURE);

  translated_words_add (path);
  translated_words_add (folder);
  window_support_select_function (window, "vfs_read");
  window_support_activate_row (window, window_support_find_patched (window));
  translated_words_learn (window->session);
  check_pages (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "code");
  app_support_run (50);
  check_verdict (window);
  check_row_menus (GTK_WIDGET (window));
  g_assert_cmpuint (n_menus, >, 0);
  g_assert_cmpuint (n_titles, >, 0);
  window_support_activate (window, "win.next-change");
  window_support_activate (window, "win.next-times");
  check_pages (window);
  check_causes (window);
  check_instants (window);
  check_find (window);
  check_dialog (window, "win.add-note");
  check_dialog (window, "win.notes");
  translated_words_add ("nobody");
  pen_session_add_filter_text (window->session, "!kind:kernel", NULL);
  pen_session_add_filter_text (window->session, "comm:nobody", NULL);
  check_pages (window);
  window_support_close_window (window);
}

static void
check_others (void)
{
  static const char *const dialogs[]
      = { "app.preferences", "win.record", "win.show-help-overlay", "app.help" };
  static const char *const broken[] = { "", "\x89PNG\r\n", "PERFILE2", NULL };
  PenWindow *window = window_support_new_window ();

  check_windows ();
  for (gsize i = 0; i < G_N_ELEMENTS (dialogs); i++)
    check_dialog (window, dialogs[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (broken); i++) {
    g_autofree char *path = app_support_temporary ("recording.data");
    g_autoptr (GFile) file = g_file_new_for_path (path);

    translated_words_add ("recording.data");
    g_remove (path);
    if (broken[i])
      g_file_set_contents (path, broken[i], -1, NULL);
    pen_window_open (window, file);
    check_windows ();
    app_support_settle (window->session);
    app_support_run (50);
    check_windows ();
  }
  window_support_close_window (window);
}

static void
check_without_pokes (void)
{
  PenWindow *window = window_support_open_without_pokes ();

  translated_words_learn_facts (window->session);
  translated_words_add ("no-pokes.data worker");
  app_support_run (300);
  assert_shown (window, PEN_TYPE_MISSING_BANNER);
  check_pages (window);
  window_support_close_window (window);
}

static void
test_all (void)
{
  check_recording ();
  check_without_pokes ();
  check_others ();
  g_assert_cmpuint (n_strays, ==, 0);
}

static void
add_tests (void)
{
  const char *language = g_getenv ("LANGUAGE");

  /* Theirs would be in a language that is installed, or not. */
  bindtextdomain ("glib20", "/nonexistent");
  bindtextdomain ("gtk40", "/nonexistent");
  bindtextdomain ("libadwaita", "/nonexistent");
  gtk_widget_set_default_direction (g_strcmp0 (language, "he") == 0 ? GTK_TEXT_DIR_RTL
                                                                    : GTK_TEXT_DIR_LTR);
  translated_words_begin ();
  translated_words_add (CAPTURE);
  found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_test_add_func ("/translated", test_all);
}

int
main (int argc, char **argv)
{
  int status;

  pen_translations_init ();
  status = window_support_main (argc, argv, add_tests);
  translated_words_end ();
  g_clear_pointer (&found, g_hash_table_unref);
  return status;
}
