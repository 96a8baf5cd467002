/* test-window-frees.c: a closed window leaves nothing of its recording open
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <glib/gstdio.h>
#include <stdarg.h>

#include "pen-slot-row.h"
#include "pen-slot-table.h"

#define CAPTURE "b-ftrace.data"
#define TYPED_MS 250

static PenWindow *
open_annotated (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);

  window_support_select_function (window, "vfs_read");
  return window;
}

static void
show_page (PenWindow *window, PenPage page)
{
  pen_session_set_page (window->session, page);
  app_support_settle (window->session);
  app_support_run (20);
}

/* ---- what is shown ---- */

static void
test_empty (void)
{
  window_support_close_window (window_support_new_window ());
}

static void
test_pages (void)
{
  for (PenPage page = 0; page < PEN_PAGES; page++) {
    PenWindow *window = open_annotated ();

    show_page (window, page);
    window_support_close_window (window);
  }
}

static void
test_all_pages (void)
{
  PenWindow *window = open_annotated ();

  for (PenPage page = 0; page < PEN_PAGES; page++)
    show_page (window, page);
  window_support_close_window (window);
}

static void
test_another_recording (void)
{
  PenWindow *window = open_annotated ();
  g_autofree char *path = app_support_capture ("d-bpf.data");
  g_autoptr (GFile) file = g_file_new_for_path (path);

  pen_window_open (window, file);
  app_support_settle (window->session);
  pen_window_open (window, file);
  window_support_close_window (window);
}

/* ---- what is asked ---- */

static void
test_import (void)
{
  PenWindow *window = window_support_new_window ();
  g_autofree char *path = app_support_capture (CAPTURE);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  app_support_clear_cache ();
  pen_window_open (window, file);
  app_support_run (10);
  window_support_close_window (window);
}

static void
test_questions (void)
{
  for (PenPage page = 0; page < PEN_PAGES; page++) {
    PenWindow *window = open_annotated ();
    PenSpan span = pen_session_get_span (window->session);
    guint64 mark = span.to;

    pen_session_set_page (window->session, page);
    pen_session_set_visible (window->session, (PenSpan){ span.from, span.from + 1000000 });
    pen_session_set_changed_only (window->session, TRUE);
    pen_session_set_mark (window->session, &mark);
    /* Once before it is asked, once while it is. */
    if (page % 2 == 0)
      app_support_run (1);
    window_support_close_window (window);
  }
}

static void
test_find (void)
{
  for (guint typed = 0; typed < 3; typed++) {
    PenWindow *window = open_annotated ();

    window_support_activate (window, "win.find");
    gtk_editable_set_text (window_support_child (window->find, "entry"),
                           typed == 0 ? "vfs_read" : "Call Trace:\n vfs_read+0x1c/0x310\n");
    app_support_run (typed == 2 ? 5 * TYPED_MS : TYPED_MS);
    if (typed == 2)
      app_support_settle (window->session);
    window_support_close_window (window);
  }
}

/* ---- the annotation ---- */

static gboolean
is_shown_row (GtkWidget *widget, gpointer data)
{
  return PEN_IS_SLOT_ROW (widget) && gtk_widget_get_mapped (widget);
}

/* A drag over a strip that the window's end breaks off. */
static void
test_strip (void)
{
  for (guint i = 0; i < 2; i++) {
    PenWindow *window = open_annotated ();
    GtkWidget *table = window_support_child (window->annotation, "view");
    GtkWidget *row
        = window_support_find_widget (GTK_WIDGET (window->annotation), is_shown_row, NULL);
    GtkEventController *drag = window_support_find_controller (table, GTK_TYPE_GESTURE_DRAG);
    double left, top;
    int x, width;

    g_assert_nonnull (row);
    g_assert_true (pen_slot_table_get_strip (PEN_SLOT_TABLE (table), &x, &width));
    g_assert_true (gtk_widget_translate_coordinates (row, table, x + 4, 4, &left, &top));
    g_signal_emit_by_name (drag, "drag-begin", left, top);
    if (i == 0)
      g_signal_emit_by_name (drag, "drag-end", 0.0, 0.0);
    else
      g_signal_emit_by_name (drag, "drag-update", 40.0, 0.0);
    app_support_settle (window->session);
    window_support_close_window (window);
  }
}

static void
test_opened_line (void)
{
  PenWindow *window = open_annotated ();

  window_support_activate_row (window, window_support_find_patched (window));
  window_support_close_window (window);
}

static void
test_instants (void)
{
  PenWindow *window = open_annotated ();
  guint64 mark = pen_session_get_span (window->session).to;

  pen_session_set_mark (window->session, &mark);
  app_support_settle (window->session);
  app_support_run (20);
  window_support_close_window (window);
}

/* ---- menus ---- */

static void
list_lists (GtkWidget *widget, GPtrArray *lists)
{
  if (!gtk_widget_get_mapped (widget) || GTK_IS_POPOVER (widget))
    return;
  /* The titles of the annotation are a column view that has no rows. */
  if (PEN_IS_SLOT_TABLE (widget)
      || (GTK_IS_COLUMN_VIEW (widget) && gtk_column_view_get_model (GTK_COLUMN_VIEW (widget))))
    g_ptr_array_add (lists, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    list_lists (child, lists);
}

static void
open_menu (GtkWidget *list)
{
  g_autoptr (GtkSelectionModel) model = NULL;

  g_object_get (list, "model", &model, NULL);
  if (g_list_model_get_n_items (G_LIST_MODEL (model)) == 0)
    return;
  gtk_selection_model_select_item (model, 0, TRUE);
  window_support_press (list, "Menu|<Shift>F10");
}

/* Closed with the menu open, and just closed. */
static void
test_row_menus (void)
{
  for (PenPage page = 0; page < PEN_PAGES; page++) {
    for (guint way = 0; way < 2; way++) {
      PenWindow *window = open_annotated ();
      g_autoptr (GPtrArray) lists = g_ptr_array_new ();

      show_page (window, page);
      list_lists (GTK_WIDGET (window), lists);
      for (guint i = 0; i < lists->len; i++) {
        open_menu (lists->pdata[i]);
        app_support_run (20);
        if (way > 0)
          gtk_popover_popdown (window_support_find_menu (lists->pdata[i]));
      }
      window_support_close_window (window);
    }
  }
}

static void
list_menu_buttons (GtkWidget *widget, GPtrArray *buttons)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_MENU_BUTTON (widget))
    g_ptr_array_add (buttons, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    list_menu_buttons (child, buttons);
}

static void
test_menu_buttons (void)
{
  guint n = 1;

  for (guint i = 0; i < n; i++) {
    PenWindow *window = open_annotated ();
    g_autoptr (GPtrArray) buttons = g_ptr_array_new ();

    list_menu_buttons (GTK_WIDGET (window), buttons);
    n = buttons->len;
    gtk_menu_button_popup (buttons->pdata[i]);
    app_support_run (50);
    window_support_close_window (window);
  }
  g_assert_cmpuint (n, >, 2);
}

static GtkColumnViewColumn *
dup_sortable (GtkColumnView *list)
{
  GListModel *columns = gtk_column_view_get_columns (list);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

    if (gtk_column_view_column_get_sorter (column))
      return g_steal_pointer (&column);
  }
  return NULL;
}

/* Columns that go with the window change the order of their table. */
static void
test_sorted (void)
{
  guint n = 0;

  for (PenPage page = 0; page < PEN_PAGES; page++) {
    PenWindow *window = open_annotated ();
    g_autoptr (GPtrArray) lists = g_ptr_array_new ();

    show_page (window, page);
    list_lists (GTK_WIDGET (window), lists);
    for (guint i = 0; i < lists->len; i++) {
      g_autoptr (GtkColumnViewColumn) column
          = GTK_IS_COLUMN_VIEW (lists->pdata[i]) ? dup_sortable (lists->pdata[i]) : NULL;

      if (column)
        gtk_column_view_sort_by_column (lists->pdata[i], column, GTK_SORT_DESCENDING);
      n += column != NULL;
    }
    app_support_settle (window->session);
    window_support_close_window (window);
  }
  g_assert_cmpuint (n, >, 3);
}

/* ---- what is pressed ---- */

/* A real pointer. */
static gboolean
point (const char *format, ...)
{
  g_autofree char *arguments = NULL;
  g_autofree char *command = NULL;
  va_list list;
  gboolean done;

  va_start (list, format);
  arguments = g_strdup_vprintf (format, list);
  va_end (list);
  command = g_strconcat ("xdotool ", arguments, NULL);
  done = g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL);
  app_support_run (50);
  return done;
}

/* In its middle. Returns: FALSE: there is no xdotool */
static gboolean
press (GtkWidget *widget)
{
  GtkNative *native = gtk_widget_get_native (widget);
  double x = gtk_widget_get_width (widget) / 2.0, y = gtk_widget_get_height (widget) / 2.0;
  double left, top;

  g_assert_true (gtk_widget_translate_coordinates (widget, GTK_WIDGET (native), x, y, &x, &y));
  gtk_native_get_surface_transform (native, &left, &top);
  return point ("mousemove %d %d mousedown 1", (int) (x + left), (int) (y + top));
}

/* GTK 4.8 keeps what was pressed until the button is released in it, and a closed window is not
 * there any more. */
static void
test_pressed (void)
{
  for (guint i = 0; i < 3; i++) {
    PenWindow *window = open_annotated ();
    GtkWidget *pressed[] = { GTK_WIDGET (window->timeline), GTK_WIDGET (window->map),
                             GTK_WIDGET (window->annotation) };
    gboolean is_pressed;

    show_page (window, i == 1 ? PEN_PAGE_MAP : PEN_PAGE_CODE);
    is_pressed = press (pressed[i]);
    window_support_close_window (window);
    if (!is_pressed) {
      g_test_skip ("no xdotool");
      return;
    }
    point ("mouseup 1");
  }
}

/* Returns: (nullable): none yet */
static GtkWindow *
look_for_dialog (PenWindow *window)
{
  GtkWindow *dialog = NULL;

  for (GList *at = gtk_window_list_toplevels (); at; at = g_list_delete_link (at, at)) {
    if (at->data != window && gtk_widget_get_mapped (at->data))
      dialog = at->data;
  }
  return dialog;
}

/* The press goes to the dialog, which is closed by key before the button is released. */
static void
test_pressed_below_dialog (void)
{
  static const char *const actions[]
      = { "app.preferences", "win.add-note", "win.open", "win.show-help-overlay", "app.about" };

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++) {
    PenWindow *window = open_annotated ();
    GtkWindow *dialog = NULL;
    gboolean is_pressed;

    window_support_activate (window, actions[i]);
    app_support_wait_for (look_for_dialog (window));
    app_support_run (100);
    g_set_weak_pointer (&dialog, look_for_dialog (window));
    g_assert_true (gtk_window_get_modal (dialog));
    is_pressed = press (GTK_WIDGET (window->functions));
    gtk_window_close (dialog);
    app_support_run (50);
    point ("mouseup 1");
    app_support_wait_for (!dialog);
    window_support_close_window (window);
    if (!is_pressed) {
      g_test_skip ("no xdotool");
      return;
    }
  }
}

/* Hidden with the focus, or with all that is around it, GTK 4.8 keeps what has it. */
static void
test_hidden_focus (void)
{
  static const char *const panes[] = { "functions", "history", "annotation" };

  for (gsize i = 0; i < G_N_ELEMENTS (panes); i++) {
    PenWindow *window = open_annotated ();
    PenSlotTable *table = window_support_find_type (window->annotation, PEN_TYPE_SLOT_TABLE);

    gtk_window_set_default_size (GTK_WINDOW (window), 400, 700);
    app_support_wait_for (gtk_widget_get_width (GTK_WIDGET (window)) < 450);
    gtk_widget_activate_action (GTK_WIDGET (window), "win.code-pane", "s", "annotation");
    app_support_run (50);
    gtk_widget_grab_focus (GTK_WIDGET (pen_slot_table_get_list (table)));
    app_support_wait_for (gtk_window_get_focus (GTK_WINDOW (window))
                          && gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)),
                                                     GTK_WIDGET (window->annotation)));
    gtk_widget_activate_action (GTK_WIDGET (window), "win.code-pane", "s", panes[i]);
    app_support_run (50);
    g_assert_nonnull (gtk_window_get_focus (GTK_WINDOW (window)));
    g_assert_true (gtk_widget_get_mapped (gtk_window_get_focus (GTK_WINDOW (window))));
    window_support_close_window (window);
  }
}

/* ---- actions ---- */

static gboolean
closes (const char *name)
{
  return g_str_equal (name, "window.close") || g_str_equal (name, "window.enable-debugging");
}

/* All that a window can do without being told more, one after the other, and what they open stays
 * open. */
static void
test_actions (void)
{
  PenWindow *window = open_annotated ();
  const GVariantType *type;
  const char *name, *property;
  guint n = 0;
  GType owner;

  for (guint i = 0; gtk_widget_class_query_action (GTK_WIDGET_GET_CLASS (window), i, &owner, &name,
                                                   &type, &property);
       i++) {
    if (type || closes (name))
      continue;
    gtk_widget_activate_action (GTK_WIDGET (window), name, NULL);
    app_support_run (5);
    n++;
  }
  g_assert_cmpuint (n, >, 40);
  window_support_close_window (window);
}

/* ---- other windows of it ---- */

static void
assert_no_windows (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

    g_test_message ("%s is left", G_OBJECT_TYPE_NAME (window));
    g_assert_false (gtk_widget_get_visible (window));
  }
}

/* Each with what it opens in front. */
static void
test_windows (void)
{
  static const char *const actions[]
      = { "win.notes",        "win.add-note",          "win.open",  "win.open-folder",
          "win.export-notes", "win.show-help-overlay", "app.about", "app.preferences" };

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++) {
    PenWindow *window = open_annotated ();

    window_support_activate (window, actions[i]);
    app_support_run (50);
    window_support_close_window (window);
    app_support_run (50);
  }
  for (GList *left = gtk_window_list_toplevels (); left; left = g_list_delete_link (left, left)) {
    if (gtk_widget_get_visible (left->data))
      gtk_window_destroy (left->data);
  }
  app_support_run (20);
  assert_no_windows ();
}

static GtkWidget *
find_window (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

    if (g_type_is_a (G_OBJECT_TYPE (window), type) && gtk_widget_get_mapped (window))
      return window;
  }
  return NULL;
}

static gboolean
has_chosen (GtkWidget *dialog, const char *path)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

  return file && g_str_equal (g_file_peek_path (file), path);
}

/* The dialog asks whether a file that is there is to be replaced; the window is closed meanwhile,
 * or after it was answered. */
static void
replace_file (const char *action, const char *name, int response)
{
  PenWindow *window = open_annotated ();
  g_autofree char *path = app_support_temporary (name);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *before = g_get_current_dir ();
  GtkWidget *dialog, *question;

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  g_assert_cmpint (g_chdir (folder), ==, 0);
  window_support_activate (window, action);
  app_support_wait_for ((dialog = find_window (GTK_TYPE_FILE_CHOOSER_DIALOG)));
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  app_support_wait_for (has_chosen (dialog, path));
  app_support_run (100);
  gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  app_support_wait_for ((question = find_window (GTK_TYPE_MESSAGE_DIALOG)));
  if (response != GTK_RESPONSE_NONE) {
    gtk_dialog_response (GTK_DIALOG (question), response);
    app_support_run (100);
  }
  g_assert_cmpint (g_chdir (before), ==, 0);
  window_support_close_window (window);
}

static void
test_replace (void)
{
  replace_file ("win.export-functions", "replaced.csv", GTK_RESPONSE_NONE);
  replace_file ("win.picture-map", "replaced.png", GTK_RESPONSE_ACCEPT);
  replace_file ("win.export-functions", "replaced.csv", GTK_RESPONSE_CANCEL);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/frees/empty", test_empty);
  g_test_add_func ("/window/frees/pages", test_pages);
  g_test_add_func ("/window/frees/all-pages", test_all_pages);
  g_test_add_func ("/window/frees/another-recording", test_another_recording);
  g_test_add_func ("/window/frees/import", test_import);
  g_test_add_func ("/window/frees/questions", test_questions);
  g_test_add_func ("/window/frees/find", test_find);
  g_test_add_func ("/window/frees/strip", test_strip);
  g_test_add_func ("/window/frees/opened-line", test_opened_line);
  g_test_add_func ("/window/frees/instants", test_instants);
  g_test_add_func ("/window/frees/row-menus", test_row_menus);
  g_test_add_func ("/window/frees/menu-buttons", test_menu_buttons);
  g_test_add_func ("/window/frees/sorted", test_sorted);
  g_test_add_func ("/window/frees/pressed", test_pressed);
  g_test_add_func ("/window/frees/pressed-below-dialog", test_pressed_below_dialog);
  g_test_add_func ("/window/frees/hidden-focus", test_hidden_focus);
  g_test_add_func ("/window/frees/actions", test_actions);
  g_test_add_func ("/window/frees/replace", test_replace);
  g_test_add_func ("/window/frees/windows", test_windows);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
