/* window-support.c: using a window as a person would, for tests
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <unistd.h>

#include "pen-application.h"
#include "pen-function-item.h"
#include "pen-growing-list.h"
#include "pen-history-card.h"
#include "pen-name-label.h"
#include "pen-timeline-private.h"

static PenApplication *application;

/* A tooltip of GTK 4.8 that was about to come up asks a window that is gone where the pointer is.
 */
static gboolean
is_of_tooltips (const char *message)
{
  return strstr (message, "gdk_surface_get_device_position: assertion 'GDK_IS_SURFACE")
         || strstr (message, "_gtk_widget_find_at_coords: assertion 'GDK_IS_SURFACE");
}

/* Tests ask for windows that are smaller than their contents, which nothing but a window manager
 * keeps them from: newer versions of GTK and libadwaita say so before the window grows. */
static gboolean
is_of_growing (const char *message)
{
  return strstr (message, "Trying to measure ") || strstr (message, " exceeds PenWindow ");
}

static gboolean
is_ours (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  return !is_of_tooltips (message);
}

static GLogFunc log_more;

/* GLib's own handler would end the list of tests with it. */
static void
log_what_is_ours (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  if (!is_of_tooltips (message))
    log_more (domain, level, message, data);
}

/* Newer versions of GTK log with fields, which pass by the handlers above. */
static GLogWriterOutput
write_what_is_ours (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  for (gsize i = 0; i < n_fields; i++) {
    if (strcmp (fields[i].key, "MESSAGE") == 0
        && (is_of_tooltips (fields[i].value) || is_of_growing (fields[i].value)))
      return G_LOG_WRITER_HANDLED;
  }
  return g_log_writer_default (level, fields, n_fields, data);
}

PenWindow *
window_support_new_window (void)
{
  PenWindow *window = pen_window_new (GTK_APPLICATION (application));

  /* GLib forgets it with every test. */
  g_test_log_set_fatal_handler (is_ours, NULL);
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 800);
  gtk_window_present (GTK_WINDOW (window));
  while (!gtk_widget_get_mapped (GTK_WIDGET (window)))
    g_main_context_iteration (NULL, TRUE);
  return window;
}

PenWindow *
window_support_open_window (const char *name)
{
  app_support_forget_views ();
  return window_support_open_again (name);
}

PenWindow *
window_support_open_again (const char *name)
{
  PenWindow *window = window_support_new_window ();
  g_autofree char *path = app_support_capture (name);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  pen_window_open (window, file);
  g_assert_cmpstr (window_support_get_page (window), ==, "import");
  app_support_settle (window->session);
  app_support_run (50);
  app_support_settle (window->session);
  g_assert_cmpstr (window_support_get_page (window), ==, "main");
  return window;
}

PenWindow *
window_support_open_without_pokes (void)
{
  const guint64 start = 0xffffffff81000000, second = 1000000000;
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autofree char *path = NULL;

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, start, 0xe00000, start,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_comm (capture, 42, 42, FALSE, "worker");
  for (guint i = 0; i < 20; i++) {
    pen_test_capture_at (capture, 100 * second + i * second, 42, 42, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, start + i * 16, 1);
  }
  path = app_support_write_capture (capture, "no-pokes.data");
  return window_support_open_path (path);
}

void
window_support_install_example (const char *capture)
{
  g_autofree char *folder = app_support_temporary ("installed");
  g_autofree char *link = g_build_filename (folder, "example.data", NULL);
  g_autofree char *absolute = g_canonicalize_filename (capture, NULL);

  g_assert_no_errno (g_mkdir_with_parents (folder, 0755));
  g_assert_no_errno (symlink (absolute, link));
  g_setenv ("PENTIMENTO_DATA", folder, TRUE);
}

/* What was asked meanwhile may take its time to end. */
static void
wait_until_gone (gpointer *watched)
{
  gint64 deadline = app_support_get_deadline ();

  while (*watched && g_get_monotonic_time () < deadline)
    app_support_run (5);
  if (*watched)
    g_error ("a %s is still there after its window was closed", G_OBJECT_TYPE_NAME (*watched));
}

void
window_support_close_window (PenWindow *window)
{
  gpointer watched = window, session = window->session;

  g_object_add_weak_pointer (G_OBJECT (window), &watched);
  g_object_add_weak_pointer (G_OBJECT (session), &session);
  gtk_window_destroy (GTK_WINDOW (window));
  wait_until_gone (&watched);
  wait_until_gone (&session);
}

void
window_support_activate (PenWindow *window, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), action, NULL));
}

void
window_support_show_page (PenWindow *window, const char *page)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", page));
  app_support_settle (window->session);
  app_support_run (50);
  app_support_settle (window->session);
}

/* ---- finding widgets ---- */

GtkWidget *
window_support_find_widget (GtkWidget *widget, WindowSupportMatch match, gpointer data)
{
  if (match (widget, data))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = window_support_find_widget (child, match, data);

    if (found)
      return found;
  }
  return NULL;
}

static gboolean
window_support_is_of_type (GtkWidget *widget, gpointer type)
{
  return g_type_is_a (G_OBJECT_TYPE (widget), GPOINTER_TO_SIZE (type));
}

gpointer
window_support_find_type (gpointer widget, GType type)
{
  GtkWidget *found
      = window_support_find_widget (widget, window_support_is_of_type, GSIZE_TO_POINTER (type));

  g_assert_nonnull (found);
  return found;
}

gpointer
window_support_child (gpointer widget, const char *id)
{
  GObject *child = gtk_widget_get_template_child (widget, G_OBJECT_TYPE (widget), id);

  g_assert_nonnull (child);
  return child;
}

GListModel *
window_support_list_all (gpointer page)
{
  GtkColumnView *view = window_support_child (page, "view");
  GtkSingleSelection *rows = GTK_SINGLE_SELECTION (gtk_column_view_get_model (view));

  pen_growing_list_ensure (PEN_GROWING_LIST (gtk_single_selection_get_model (rows)), G_MAXUINT);
  return G_LIST_MODEL (rows);
}

static void
window_support_append_labels (GtkWidget *widget, GString *text)
{
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "",
                            gtk_label_get_label (GTK_LABEL (widget)));
  if (PEN_IS_NAME_LABEL (widget))
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "",
                            pen_name_label_get_name (PEN_NAME_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child)) {
    if (gtk_widget_get_visible (child))
      window_support_append_labels (child, text);
  }
}

char *
window_support_dup_labels (gpointer widget)
{
  GString *text = g_string_new (NULL);

  window_support_append_labels (widget, text);
  return g_string_free (text, FALSE);
}

void
window_support_press (GtkWidget *widget, const char *trigger)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (!GTK_IS_SHORTCUT_CONTROLLER (controller))
      continue;
    for (guint j = 0; j < g_list_model_get_n_items (G_LIST_MODEL (controller)); j++) {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), j);
      g_autofree char *text = gtk_shortcut_trigger_to_string (gtk_shortcut_get_trigger (shortcut));

      if (g_str_equal (text, trigger)) {
        gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget,
                                      gtk_shortcut_get_arguments (shortcut));
        return;
      }
    }
  }
  g_error ("nothing listens for %s", trigger);
}

static gboolean
window_support_is_open_menu (GtkWidget *widget, gpointer data)
{
  return GTK_IS_POPOVER_MENU (widget) && gtk_widget_get_mapped (widget);
}

GtkPopover *
window_support_find_menu (GtkWidget *widget)
{
  GtkWidget *found = window_support_find_widget (GTK_WIDGET (gtk_widget_get_root (widget)),
                                                 window_support_is_open_menu, NULL);

  g_assert_nonnull (found);
  return GTK_POPOVER (found);
}

GMenuModel *
window_support_dup_menu (GtkWidget *widget)
{
  GtkPopover *popover;
  GMenuModel *model;

  window_support_press (widget, "Menu|<Shift>F10");
  popover = window_support_find_menu (widget);
  model = g_object_ref (gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (popover)));
  gtk_popover_popdown (popover);
  app_support_run (20);
  return model;
}

const char *
window_support_get_page (PenWindow *window)
{
  return gtk_stack_get_visible_child_name (window->stack);
}

static void
window_support_add_chips (GtkWidget *widget, GPtrArray *chips)
{
  if (gtk_widget_has_css_class (widget, "chip"))
    g_ptr_array_add (chips, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    window_support_add_chips (child, chips);
}

GPtrArray *
window_support_list_chips (PenWindow *window)
{
  GPtrArray *chips = g_ptr_array_new ();

  window_support_add_chips (GTK_WIDGET (window->filter_bar), chips);
  return chips;
}

char *
window_support_dup_chips (PenWindow *window)
{
  g_autoptr (GPtrArray) chips = window_support_list_chips (window);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < chips->len; i++) {
    g_autofree char *label = window_support_dup_labels (chips->pdata[i]);

    g_string_append_printf (text, "%s%s", i > 0 ? " | " : "", label);
  }
  return g_string_free (text, FALSE);
}

static gboolean
window_support_is_card (GtkWidget *widget, gpointer data)
{
  return PEN_IS_HISTORY_CARD (widget) && gtk_widget_get_mapped (widget);
}

gboolean
window_support_is_nth_card (GtkWidget *widget, gpointer data)
{
  guint *n = data;

  return window_support_is_card (widget, NULL) && (*n)-- == 0;
}

GtkEventController *
window_support_find_controller (GtkWidget *widget, GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    /* The drag of the middle button pans; a click of the second one opens a menu. */
    if (G_OBJECT_TYPE (controller) == type
        && (!GTK_IS_GESTURE_SINGLE (controller)
            || gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller))
                   == GDK_BUTTON_PRIMARY))
      return controller;
  }
  g_assert_not_reached ();
}

/* ---- using the views ---- */

/* Selects a row of the list, as a click does. */
void
window_support_select_function (PenWindow *window, const char *symbol)
{
  GListModel *model = G_LIST_MODEL (window_support_child (window->functions, "selection"));

  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (PenFunctionItem) item = g_list_model_get_item (model, i);
    g_autofree char *name = pen_function_item_dup_name (item);

    if (g_str_equal (name, symbol)) {
      gtk_single_selection_set_selected (window_support_child (window->functions, "selection"), i);
      app_support_settle (window->session);
      return;
    }
  }
  g_assert_not_reached ();
}

PenSlot *
window_support_dup_slot (PenWindow *window, guint position)
{
  GListModel *model = G_LIST_MODEL (window_support_child (window->annotation, "selection"));
  g_autoptr (GtkTreeListRow) row = g_list_model_get_item (model, position);

  return row ? gtk_tree_list_row_get_item (row) : NULL;
}

/* Position of the first slot with versions. */
guint
window_support_find_patched (PenWindow *window)
{
  GListModel *model = G_LIST_MODEL (window_support_child (window->annotation, "selection"));

  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (PenSlot) slot = window_support_dup_slot (window, i);

    if (pen_slot_get_n_lines (slot) > 1)
      return i;
  }
  g_assert_not_reached ();
}

void
window_support_activate_row (PenWindow *window, guint position)
{
  GtkWidget *list = window_support_find_type (window_support_child (window->annotation, "view"),
                                              GTK_TYPE_LIST_VIEW);

  g_assert_true (gtk_widget_activate_action (list, "list.activate-item", "u", position));
  app_support_settle (window->session);
}

/* Opens what was written for a test. */
PenWindow *
window_support_open_path (const char *path)
{
  PenWindow *window = window_support_new_window ();
  g_autoptr (GFile) file = g_file_new_for_path (path);

  app_support_forget_views ();
  pen_window_open (window, file);
  app_support_settle (window->session);
  app_support_run (50);
  app_support_settle (window->session);
  g_assert_cmpstr (window_support_get_page (window), ==, "main");
  return window;
}

/* What a tooltip of the timeline says; NULL where there is none. */
char *
window_support_dup_tooltip (PenWindow *window, guint64 time, PenLaneKind lane)
{
  PenTimeline *timeline = window->timeline;
  PenPlot plot = pen_plot_view_get_plot (PEN_PLOT_VIEW (timeline));
  double x = pen_plot_get_x (&plot, time);
  double y = plot.y + timeline->lanes.boxes[lane].y + 3;

  return pen_plot_view_describe_point (PEN_PLOT_VIEW (timeline), x, y);
}

const char *
window_support_get_tooltip (GtkWidget *widget)
{
  const char *text = g_object_get_data (G_OBJECT (widget), "pen-tooltip");

  return text && text[0] != '\0' ? text : gtk_widget_get_tooltip_text (widget);
}

static void
on_text (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

char *
window_support_dup_clipboard (PenWindow *window)
{
  char *text = NULL;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (window)), NULL, on_text,
                                 &text);
  while (!text)
    g_main_context_iteration (NULL, TRUE);
  return text;
}

/* The first card of a patch. */
char *
window_support_dup_patch_text (PenWindow *window)
{
  guint nth = 1;
  GtkWidget *card
      = window_support_find_widget (GTK_WIDGET (window->history), window_support_is_nth_card, &nth);

  g_assert_nonnull (card);
  return pen_history_card_dup_text (PEN_HISTORY_CARD (card));
}

int
window_support_main (int argc, char **argv, void (*add_tests) (void))
{
  g_autoptr (GError) error = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  log_more = g_log_set_default_handler (log_what_is_ours, NULL);
  g_log_set_writer_func (write_what_is_ours, NULL, NULL);
  app_support_begin ();
  if (!gtk_init_check ()) {
    g_print ("1..0 # SKIP no display\n");
    app_support_end ();
    return 0;
  }
  application = pen_application_new (G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);

  add_tests ();
  status = g_test_run ();

  g_clear_object (&application);
  app_support_end ();
  return status;
}
