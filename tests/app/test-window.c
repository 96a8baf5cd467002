/* test-window.c: the window, used as a person would use it, on bundled recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "app-support.h"

#include "pen-application.h"
#include "pen-format.h"
#include "pen-function-item.h"
#include "pen-history-card.h"
#include "pen-history-item.h"
#include "pen-problems-button.h"
#include "pen-slot.h"
#include "pen-timeline-private.h"
#include "pen-window-private.h"

#include <glib/gstdio.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static PenApplication *application;

static PenWindow *
new_window (void)
{
  PenWindow *window = pen_window_new (GTK_APPLICATION (application));

  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 800);
  gtk_window_present (GTK_WINDOW (window));
  while (!gtk_widget_get_mapped (GTK_WIDGET (window)))
    g_main_context_iteration (NULL, TRUE);
  return window;
}

static PenWindow *
open_window (const char *name)
{
  PenWindow *window = new_window ();
  g_autofree char *path = app_support_capture (name);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  pen_window_open (window, file);
  g_assert_cmpstr (pen_window_get_page (window), ==, "import");
  app_support_settle (window->session);
  app_support_run (50);
  app_support_settle (window->session);
  g_assert_cmpstr (pen_window_get_page (window), ==, "main");
  return window;
}

static void
close_window (PenWindow *window)
{
  gpointer watched = window;

  g_object_add_weak_pointer (G_OBJECT (window), &watched);
  gtk_window_destroy (GTK_WINDOW (window));
  app_support_run (20);
  g_assert_null (watched);
}

static void
activate (PenWindow *window, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), action, NULL));
}

/* ---- finding widgets ---- */

typedef gboolean (*Match) (GtkWidget *widget, gpointer data);

static GtkWidget *
find_widget (GtkWidget *widget, Match match, gpointer data)
{
  if (match (widget, data))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_widget (child, match, data);

    if (found)
      return found;
  }
  return NULL;
}

static gboolean
is_list_view (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LIST_VIEW (widget);
}

static gboolean
is_card (GtkWidget *widget, gpointer data)
{
  return PEN_IS_HISTORY_CARD (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
is_nth_card (GtkWidget *widget, gpointer data)
{
  guint *n = data;

  return is_card (widget, NULL) && (*n)-- == 0;
}

static GtkEventController *
find_controller (GtkWidget *widget, GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    /* The other drag, of the middle button, pans. */
    if (G_OBJECT_TYPE (controller) == type
        && (!GTK_IS_GESTURE_DRAG (controller)
            || gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller))
                   == GDK_BUTTON_PRIMARY))
      return controller;
  }
  g_assert_not_reached ();
}

/* ---- using the views ---- */

/* Selects a row of the list, as a click does. */
static void
select_function (PenWindow *window, const char *symbol)
{
  GListModel *model = pen_functions_view_get_model (window->functions);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (PenFunctionItem) item = g_list_model_get_item (model, i);
    g_autofree char *name = pen_function_item_dup_name (item);

    if (g_str_equal (name, symbol)) {
      gtk_single_selection_set_selected (pen_functions_view_get_selection (window->functions), i);
      app_support_settle (window->session);
      return;
    }
  }
  g_assert_not_reached ();
}

static PenSlot *
dup_slot (PenWindow *window, guint position)
{
  GListModel *model = G_LIST_MODEL (pen_annotation_view_get_selection (window->annotation));
  g_autoptr (GtkTreeListRow) row = g_list_model_get_item (model, position);

  return row ? gtk_tree_list_row_get_item (row) : NULL;
}

/* Position of the first slot with versions. */
static guint
find_patched (PenWindow *window)
{
  GListModel *model = G_LIST_MODEL (pen_annotation_view_get_selection (window->annotation));

  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (PenSlot) slot = dup_slot (window, i);

    if (pen_slot_get_n_lines (slot) > 1)
      return i;
  }
  g_assert_not_reached ();
}

static void
activate_row (PenWindow *window, guint position)
{
  GtkWidget *list = find_widget (GTK_WIDGET (pen_annotation_view_get_table (window->annotation)),
                                 is_list_view, NULL);

  g_assert_true (gtk_widget_activate_action (list, "list.activate-item", "u", position));
  app_support_settle (window->session);
}

/* Opens what was written for a test. */
static PenWindow *
open_path (const char *path)
{
  PenWindow *window = new_window ();
  g_autoptr (GFile) file = g_file_new_for_path (path);

  pen_window_open (window, file);
  app_support_settle (window->session);
  app_support_run (50);
  app_support_settle (window->session);
  g_assert_cmpstr (pen_window_get_page (window), ==, "main");
  return window;
}

/* ---- tests ---- */

static gboolean
is_start_page (GtkWidget *widget, gpointer data)
{
  return PEN_IS_START_PAGE (widget);
}

static void
test_empty (void)
{
  PenWindow *window = new_window ();
  GtkWidget *page;

  g_assert_cmpstr (pen_window_get_page (window), ==, "empty");
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (window->timeline), GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (window->timeline),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Timeline");
  page = find_widget (GTK_WIDGET (window), is_start_page, NULL);
  g_assert_true (gtk_widget_activate_action (page, "start-page.copy-command", NULL));
  close_window (window);
}

/* Open, choose a function, click a patched line, read who did it. */
static void
test_read_history (void)
{
  PenWindow *window = open_window ("b-ftrace.data");
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GError) error = NULL;
  GListModel *history = pen_history_view_get_model (window->history);
  GListModel *lines = G_LIST_MODEL (pen_annotation_view_get_selection (window->annotation));
  g_autoptr (PenSlot) slot = NULL;
  guint position, n_before, n_patches = 0;

  select_function (window, "vfs_read");
  position = find_patched (window);
  n_before = g_list_model_get_n_items (lines);
  slot = dup_slot (window, position);
  g_assert_cmpuint (g_list_model_get_n_items (history), ==, 0);

  activate_row (window, position);
  g_assert_cmpuint (g_list_model_get_n_items (lines), ==, n_before + pen_slot_get_n_lines (slot));
  rows = pen_query_history (query, NULL, pen_slot_get_address (slot), PEN_SYNTAX_ATT, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (history), ==, rows->len);

  app_support_run (100);
  for (guint i = 0; i < rows->len; i++) {
    const PenHistoryRow *row = g_ptr_array_index (rows, i);
    g_autoptr (PenHistoryItem) item = g_list_model_get_item (history, i);
    guint nth = i;
    GtkWidget *card = find_widget (GTK_WIDGET (window->history), is_nth_card, &nth);
    g_autofree char *text = NULL;
    g_autofree char *who = NULL;

    g_assert_cmpuint (pen_history_item_get_row (item)->samples, ==, row->samples);
    if (row->poke == 0)
      continue;
    n_patches++;
    /* Cards out of sight may not have been made. */
    if (!card)
      continue;
    text = pen_history_card_dup_text (PEN_HISTORY_CARD (card));
    who = g_strdup_printf ("by %s [%d]", row->comm, row->pid);
    g_assert_nonnull (strstr (text, who));
    g_assert_nonnull (strstr (text, row->reason));
    g_assert_nonnull (strstr (text, "Ftrace"));
  }
  g_assert_cmpuint (n_patches, >, 1);
  {
    guint nth = 1;

    g_assert_nonnull (find_widget (GTK_WIDGET (window->history), is_nth_card, &nth));
  }

  /* Once more: the line closes, and its history stays. */
  activate_row (window, position);
  g_assert_cmpuint (g_list_model_get_n_items (lines), ==, n_before);
  g_assert_cmpuint (g_list_model_get_n_items (history), ==, rows->len);
  close_window (window);
}

/* The versions of an opened slot share its samples among them. */
static void
test_versions (void)
{
  PenWindow *window = open_window ("c-kprobes.data");
  guint position;
  guint64 sum = 0;
  g_autoptr (PenSlot) slot = NULL;

  select_function (window, "vfs_read");
  position = find_patched (window);
  slot = dup_slot (window, position);
  activate_row (window, position);
  for (guint i = 1; i <= pen_slot_get_n_lines (slot); i++) {
    g_autoptr (PenSlot) version = dup_slot (window, position + i);

    g_assert_true (pen_slot_is_version (version));
    sum += pen_slot_get_samples (version);
  }
  g_assert_cmpuint (sum, ==, pen_slot_get_samples (slot));
  close_window (window);
}

static void
drag (PenTimeline *timeline, double from, double to)
{
  GtkEventController *gesture = find_controller (GTK_WIDGET (timeline), GTK_TYPE_GESTURE_DRAG);

  g_signal_emit_by_name (gesture, "drag-begin", from, 60.0);
  g_signal_emit_by_name (gesture, "drag-update", (to - from) / 2, 0.0);
  g_signal_emit_by_name (gesture, "drag-update", to - from, 0.0);
  g_signal_emit_by_name (gesture, "drag-end", to - from, 0.0);
}

/* Dragging over the overview narrows everything else. */
static void
test_brush (void)
{
  PenWindow *window = open_window ("b-ftrace.data");
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) chips = NULL;
  g_autofree char *count_before = g_strdup (pen_filter_bar_get_count (window->filter_bar));
  guint64 samples_before, matching, total;
  PenSpan selected;

  select_function (window, "vfs_read");
  samples_before = pen_session_get_annotation (window->session)->text->annotated->samples;
  drag (window->timeline, 400, 700);
  app_support_settle (window->session);

  g_assert_true (pen_session_get_selected (window->session, &selected));
  g_assert_cmpuint (selected.from, ==, pen_timeline_get_time_at (window->timeline, 400));
  g_assert_cmpuint (selected.to, ==, pen_timeline_get_time_at (window->timeline, 700));
  pen_query_count (query, pen_session_get_filter (window->session), &matching, &total, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (matching, <, total);
  g_assert_cmpuint (pen_session_get_counts (window->session)->matching, ==, matching);
  g_assert_cmpstr (pen_filter_bar_get_count (window->filter_bar), !=, count_before);
  g_assert_cmpuint (pen_session_get_annotation (window->session)->text->annotated->samples, <,
                    samples_before);
  chips = pen_filter_bar_dup_chips (window->filter_bar);
  g_assert_cmpuint (g_strv_length (chips), ==, 1);
  g_assert_true (g_str_has_prefix (chips[0], "Time "));

  activate (window, "win.clear-time");
  app_support_settle (window->session);
  g_assert_false (pen_session_get_selected (window->session, &selected));
  g_assert_cmpstr (pen_filter_bar_get_count (window->filter_bar), ==, count_before);
  g_assert_cmpuint (pen_session_get_annotation (window->session)->text->annotated->samples, ==,
                    samples_before);

  /* A click is not a selection: it sets the playhead. */
  drag (window->timeline, 500, 501);
  g_assert_false (pen_session_get_selected (window->session, &selected));
  g_assert_cmpuint (pen_session_get_playhead (window->session), ==,
                    pen_timeline_get_time_at (window->timeline, 500));
  close_window (window);
}

static void
test_zoom (void)
{
  PenWindow *window = open_window ("b-ftrace.data");
  GtkWidget *timeline = GTK_WIDGET (window->timeline);
  GtkEventController *motion = find_controller (timeline, GTK_TYPE_EVENT_CONTROLLER_MOTION);
  GtkEventController *scroll = find_controller (timeline, GTK_TYPE_EVENT_CONTROLLER_SCROLL);
  PenSpan all = pen_session_get_span (window->session), zoomed;
  guint64 under = pen_timeline_get_time_at (window->timeline, 600);
  guint64 step = pen_span_length (all) / (guint) gtk_widget_get_width (timeline);
  gboolean handled;

  g_signal_emit_by_name (motion, "motion", 600.0, 60.0);
  for (int i = 0; i < 5; i++)
    g_signal_emit_by_name (scroll, "scroll", 0.0, -1.0, &handled);
  zoomed = pen_session_get_visible (window->session);
  g_assert_cmpuint (pen_span_length (zoomed), <, pen_span_length (all) / 2);
  g_assert_cmpuint (pen_timeline_get_time_at (window->timeline, 600), >, under - step);
  g_assert_cmpuint (pen_timeline_get_time_at (window->timeline, 600), <, under + step);
  app_support_settle (window->session);
  g_assert_cmpuint (pen_session_get_overview (window->session)->from, ==, zoomed.from);

  g_signal_emit_by_name (scroll, "scroll", 1.0, 0.0, &handled);
  g_assert_cmpuint (pen_session_get_visible (window->session).from, >, zoomed.from);
  activate (window, "win.zoom-fit");
  g_assert_true (pen_span_equal (pen_session_get_visible (window->session), all));

  /* The same by keys' actions. */
  gtk_widget_activate_action (timeline, "timeline.zoom-in", NULL);
  g_assert_cmpuint (pen_span_length (pen_session_get_visible (window->session)), <,
                    pen_span_length (all));
  zoomed = pen_session_get_visible (window->session);
  gtk_widget_activate_action (timeline, "timeline.pan-right", NULL);
  g_assert_cmpuint (pen_session_get_visible (window->session).from, >, zoomed.from);
  gtk_widget_activate_action (timeline, "timeline.pan-left", NULL);
  gtk_widget_activate_action (timeline, "timeline.select-visible", NULL);
  g_assert_true (pen_session_get_selected (window->session, &zoomed));
  gtk_widget_activate_action (timeline, "timeline.clear-selection", NULL);
  g_assert_false (pen_session_get_selected (window->session, &zoomed));
  app_support_settle (window->session);
  close_window (window);
}

static gboolean
is_times_button (GtkWidget *widget, gpointer data)
{
  return GTK_IS_MENU_BUTTON (widget) && gtk_widget_has_css_class (widget, "times");
}

/* What a tooltip of the timeline says; NULL where there is none. */
static char *
dup_tooltip (PenWindow *window, guint64 time, PenLaneKind lane)
{
  PenTimeline *timeline = window->timeline;
  PenSpan visible = pen_session_get_visible (window->session);
  double x = PEN_TIMELINE_GUTTER
             + pen_span_position (visible, time) * pen_timeline_get_plot_width (timeline);
  double y = PEN_TIMELINE_RULER + timeline->lanes.boxes[lane].y + 3;

  return pen_timeline_describe_point (timeline, x, y);
}

/* The first card of a patch. */
static char *
dup_patch_text (PenWindow *window)
{
  guint nth = 1;
  GtkWidget *card = find_widget (GTK_WIDGET (window->history), is_nth_card, &nth);

  g_assert_nonnull (card);
  return pen_history_card_dup_text (PEN_HISTORY_CARD (card));
}

/* Times as recorded, since the start and of the day, in every view. */
static void
test_times (void)
{
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autoptr (GDateTime) noon = g_date_time_new_local (2026, 11, 20, 12, 0, 0);
  const guint64 second = 1000000000;
  g_autofree char *path = NULL;
  PenWindow *window;
  GtkMenuButton *button;

  pen_test_capture_set_clock (capture, 1, (guint64) g_date_time_to_unix (noon) * second,
                              100 * second, 1);
  path = app_support_write_capture (capture, "wall.data");
  window = open_path (path);
  button = GTK_MENU_BUTTON (find_widget (GTK_WIDGET (window), is_times_button, NULL));
  g_assert_cmpint (g_menu_model_get_n_items (G_MENU_MODEL (window->times_menu)), ==, PEN_TIMES);

  select_function (window, "bpf_prog_tested");
  pen_window_show_line (window, 0xffffffffc0001000);
  app_support_settle (window->session);
  app_support_run (100);
  for (guint i = 0; i < PEN_TIMES; i++) {
    static const char *const patched[] = { "101.0000 s – end", "+1.0000 s – end",
                                            "12:00:01.0000 – end" };
    static const char *const recorded = "101.0000 s";
    g_autofree char *tooltip = NULL;
    g_autofree char *card = NULL;

    g_assert_true (gtk_widget_activate_action (
        GTK_WIDGET (window), i == PEN_TIMES_WALL ? "win.wall-times" : "win.times", "s",
        pen_times_to_string (i)));
    g_assert_cmpint (pen_session_get_times (window->session), ==, i);
    g_assert_cmpstr (gtk_menu_button_get_label (button), ==, pen_times_get_unit (i));
    app_support_run (100);
    /* Both clocks are told, whatever is chosen. */
    tooltip = dup_tooltip (window, 101 * second, PEN_LANE_PATCHES);
    g_assert_nonnull (strstr (tooltip, "2026-11-20 12:00:01.000000"));
    g_assert_nonnull (strstr (tooltip, "101.000000 s"));
    card = dup_patch_text (window);
    g_assert_nonnull (strstr (card, patched[i]));
    g_assert_nonnull (strstr (card, recorded));
    g_assert_nonnull (strstr (card, "12:00:01.000"));
  }

  /* The choice stays when another recording is opened; what that lacks is not told. */
  {
    g_autofree char *other = app_support_capture ("b-ftrace.data");
    g_autofree char *tooltip = NULL;

    pen_session_open (window->session, other);
    app_support_settle (window->session);
    g_assert_cmpint (pen_session_get_times (window->session), ==, PEN_TIMES_WALL);
    g_assert_cmpstr (gtk_menu_button_get_label (button), ==, "seconds");
    tooltip = dup_tooltip (window, pen_session_get_span (window->session).from, PEN_LANE_SAMPLES);
    g_assert_null (strstr (tooltip, "-"));
  }
  close_window (window);
}

/* Without a wall clock it cannot be chosen, and the menu says why. */
static void
test_no_wall_clock (void)
{
  PenWindow *window = open_window ("b-ftrace.data");
  g_autofree char *label = NULL;

  g_menu_model_get_item_attribute (G_MENU_MODEL (window->times_menu), PEN_TIMES_WALL,
                                   G_MENU_ATTRIBUTE_LABEL, "s", &label);
  g_assert_nonnull (strstr (label, "perf record -k"));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.wall-times", "s", "wall-clock");
  g_assert_cmpint (pen_session_get_times (window->session), ==, PEN_TIMES_RECORDED);
  activate (window, "win.next-times");
  g_assert_cmpint (pen_session_get_times (window->session), ==, PEN_TIMES_RELATIVE);
  activate (window, "win.next-times");
  g_assert_cmpint (pen_session_get_times (window->session), ==, PEN_TIMES_RECORDED);
  close_window (window);
}

/* Search and "changed" narrow the list. */
static void
test_narrow (void)
{
  PenWindow *window = open_window ("b-ftrace.data");
  GListModel *model = pen_functions_view_get_model (window->functions);
  guint all = g_list_model_get_n_items (model), n;

  pen_session_set_search (window->session, "VFS");
  n = g_list_model_get_n_items (model);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <, all);
  for (guint i = 0; i < n; i++) {
    g_autoptr (PenFunctionItem) item = g_list_model_get_item (model, i);
    g_autofree char *name = pen_function_item_dup_name (item);

    g_assert_nonnull (strstr (name, "vfs"));
  }
  pen_session_set_search (window->session, "no such function");
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 0);
  pen_session_set_search (window->session, "");
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, all);

  activate (window, "win.toggle-changed");
  app_support_settle (window->session);
  n = g_list_model_get_n_items (model);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <, all);
  activate (window, "win.clear-changed");
  app_support_settle (window->session);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, all);
  close_window (window);
}

/* The text follows the playhead from change to change. */
static void
test_as_of (void)
{
  PenWindow *window = open_window ("b-ftrace.data");
  g_autoptr (PenSlot) slot = NULL;
  g_autofree char *original = NULL;
  guint versions;

  select_function (window, "vfs_read");
  slot = dup_slot (window, find_patched (window));
  original = g_strdup (pen_slot_get_line (slot)->instruction);
  g_assert_cmpuint (pen_slot_get_line (slot)->version, ==, 0);
  versions = pen_slot_get_n_lines (slot);

  for (guint i = 1; i < versions; i++) {
    activate (window, "win.next-change");
    g_assert_cmpuint (pen_slot_get_line (slot)->version, ==, i);
  }
  activate (window, "win.first-text");
  g_assert_cmpstr (pen_slot_get_line (slot)->instruction, ==, original);
  close_window (window);
}

/* What is written is what the same query writes for the command line. */
static void
test_export (void)
{
  PenWindow *window = open_window ("c-kprobes.data");
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  guint64 address;

  select_function (window, "vfs_read");
  activate_row (window, find_patched (window));
  drag (window->timeline, 300, 900);
  app_support_settle (window->session);
  g_assert_true (pen_session_get_line (window->session, &address));
  for (guint i = 0; i < PEN_EXPORTS; i++) {
    guint64 start = pen_session_get_annotation (window->session)->text->annotated->start;
    g_autofree char *expected
        = app_support_export (query, i, pen_session_get_filter (window->session),
                              i == PEN_EXPORT_HISTORY ? address : start);
    g_autofree char *written = app_support_session_export (window->session, i);

    g_assert_cmpstr (written, ==, expected);
  }
  close_window (window);
}

/* What cannot be opened, and words of the page that tells so. */
static void
assert_error_page (PenWindow *window, const char *path, const char *description,
                   const char *remedy)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *base = g_path_get_basename (path);

  pen_window_open (window, file);
  app_support_settle (window->session);
  g_assert_cmpstr (pen_window_get_page (window), ==, "error");
  g_assert_nonnull (strstr (adw_status_page_get_title (window->error_page), base));
  g_assert_nonnull (strstr (adw_status_page_get_description (window->error_page), description));
  g_assert_nonnull (strstr (gtk_label_get_text (window->error_detail), remedy));
}

static char *
write_temporary (const char *name, gconstpointer bytes, gsize length)
{
  char *path = app_support_temporary (name);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, bytes, (gssize) length, &error);
  g_assert_no_error (error);
  return path;
}

static void
test_error_page (void)
{
  PenWindow *window = new_window ();
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autofree char *text = app_support_capture ("README.md");
  g_autofree char *missing = app_support_capture ("no-such-file");
  g_autofree char *empty = write_temporary ("empty.data", "", 0);
  g_autofree char *folder = app_support_temporary ("folder");
  g_autofree char *whole = app_support_write_capture (capture, "whole.data");
  g_autofree char *damaged = NULL;
  g_autofree char *locked = NULL;
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  uid_t user = geteuid ();
  gsize length;

  assert_error_page (window, text, "is not a perf.data file", "perf record");
  assert_error_page (window, missing, "No such file", "Check the name");
  assert_error_page (window, empty, "is empty", "Record again");
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  assert_error_page (window, folder, "not a perf.data directory", "--kcore");
  assert_error_page (window, "/dev/null", "is not a regular file", "Save");

  g_file_get_contents (whole, &bytes, &length, &error);
  g_assert_no_error (error);
  /* The size of an event's attributes, bytes 16 to 23 of the header. */
  memset (bytes + 16, 0xee, 8);
  damaged = write_temporary ("damaged.data", bytes, length);
  assert_error_page (window, damaged, "is damaged", "sha256sum");

  locked = write_temporary ("locked.data", bytes, length);
  g_assert_cmpint (g_chmod (locked, 0), ==, 0);
  /* Nothing is locked to root. */
  if (user == 0)
    g_assert_cmpint (seteuid (65534), ==, 0);
  assert_error_page (window, locked, "sudo chown", "0600");
  if (user == 0)
    g_assert_cmpint (seteuid (0), ==, 0);

  activate (window, "win.retry");
  g_assert_cmpstr (pen_window_get_page (window), ==, "import");
  app_support_settle (window->session);
  g_assert_cmpstr (pen_window_get_page (window), ==, "error");
  close_window (window);
}

static void
cancel_import (PenWindow *window)
{
  if (pen_session_get_state (window->session) == PEN_SESSION_IMPORTING)
    gtk_widget_activate_action (GTK_WIDGET (window), "win.cancel", NULL);
}

static void
test_cancel (void)
{
  PenWindow *window = new_window ();
  g_autofree char *path = app_support_capture ("f-everything-z.data");
  g_autoptr (GFile) file = g_file_new_for_path (path);

  app_support_clear_cache ();
  g_signal_connect_swapped (window->session, "notify::progress", G_CALLBACK (cancel_import),
                            window);
  pen_window_open (window, file);
  while (pen_session_get_state (window->session) == PEN_SESSION_IMPORTING)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (pen_window_get_page (window), ==, "empty");
  close_window (window);
  app_support_assert_nothing_unfinished ();
}

static void
test_close_during_import (void)
{
  PenWindow *window = new_window ();
  g_autofree char *path = app_support_capture ("f-everything-z.data");
  g_autoptr (GFile) file = g_file_new_for_path (path);

  app_support_clear_cache ();
  pen_window_open (window, file);
  close_window (window);
  app_support_assert_nothing_unfinished ();
}

static void
test_drop (void)
{
  PenWindow *window = new_window ();
  GtkEventController *target = find_controller (GTK_WIDGET (window), GTK_TYPE_DROP_TARGET);
  g_autofree char *path = app_support_capture ("b-ftrace.data");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GSList *files = g_slist_append (NULL, file);
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean handled = FALSE;

  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_set_boxed (&value, files);
  g_slist_free (files);
  g_signal_emit_by_name (target, "drop", &value, 10.0, 10.0, &handled);
  g_assert_true (handled);
  app_support_settle (window->session);
  g_assert_cmpstr (pen_window_get_page (window), ==, "main");
  close_window (window);
}

static char *
compress (const char *path, const char *name)
{
  g_autoptr (GZlibCompressor) gzip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);
  g_autofree char *target = app_support_temporary (name);
  g_autoptr (GFile) from = g_file_new_for_path (path);
  g_autoptr (GFile) to = g_file_new_for_path (target);
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) plain = G_INPUT_STREAM (g_file_read (from, NULL, &error));
  g_autoptr (GInputStream) packed
      = g_converter_input_stream_new (plain, G_CONVERTER (gzip));
  g_autoptr (GOutputStream) out
      = G_OUTPUT_STREAM (g_file_replace (to, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &error));

  g_output_stream_splice (out, packed, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&target);
}

static gpointer
feed (gpointer data)
{
  const char *const *paths = data;
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;
  int fd;

  g_assert_true (g_file_get_contents (paths[0], &bytes, &length, NULL));
  /* Until somebody reads. */
  fd = g_open (paths[1], O_WRONLY | O_CLOEXEC, 0);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, bytes, length), ==, (gssize) length);
  g_close (fd, &error);
  g_assert_no_error (error);
  return NULL;
}

/* The same recording, whatever it comes in. */
static void
test_wrapped (void)
{
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autofree char *plain = app_support_write_capture (capture, "plain.data");
  g_autofree char *packed = compress (plain, "packed.data.gz");
  g_autofree char *fifo = app_support_temporary ("fifo");
  PenWindow *window = open_path (plain);
  const char *const paths[] = { plain, fifo, NULL };
  guint64 total = pen_session_get_counts (window->session)->total;
  g_autoptr (GFile) file = g_file_new_for_path (fifo);
  GThread *feeder;

  g_assert_cmpuint (total, >, 100);
  close_window (window);

  window = open_path (packed);
  g_assert_cmpuint (pen_session_get_counts (window->session)->total, ==, total);
  close_window (window);

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  feeder = g_thread_new ("feeder", feed, (gpointer) paths);
  window = open_path (fifo);
  g_assert_cmpuint (pen_session_get_counts (window->session)->total, ==, total);
  g_thread_join (feeder);

  /* Nobody writes any more: waiting can be given up. */
  pen_window_open (window, file);
  app_support_run (100);
  g_assert_cmpstr (pen_window_get_page (window), ==, "import");
  activate (window, "win.cancel");
  g_assert_cmpstr (pen_window_get_page (window), ==, "empty");
  close_window (window);
  app_support_assert_nothing_unfinished ();
}

static gboolean
is_problems_button (GtkWidget *widget, gpointer data)
{
  return PEN_IS_PROBLEMS_BUTTON (widget);
}

static void
append_labels (GtkWidget *widget, GString *text)
{
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (text, "%s\n", gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    append_labels (child, text);
}

static char *
dup_problems (PenWindow *window)
{
  GtkWidget *button = find_widget (GTK_WIDGET (window), is_problems_button, NULL);
  GString *text = g_string_new (NULL);

  append_labels (pen_problems_button_get_groups (PEN_PROBLEMS_BUTTON (button)), text);
  return g_string_free (text, FALSE);
}

static void
assert_has (const char *text, const char *part)
{
  if (!strstr (text, part))
    g_error ("“%s” is not in: %s", part, text);
}

static gboolean
is_loss_row (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LIST_BOX_ROW (widget)
         && gtk_list_box_row_get_activatable (GTK_LIST_BOX_ROW (widget));
}

/* A file that ends early is shown as far as it goes, and the window says that it does. */
static void
test_truncated (void)
{
  g_autofree char *path = app_support_capture ("b-ftrace.data/data");
  g_autofree char *cut = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *problems = NULL;
  g_autofree char *kept = NULL;
  g_autoptr (GError) error = NULL;
  PenWindow *window;
  GtkWidget *button;
  gsize length;

  g_file_get_contents (path, &bytes, &length, &error);
  g_assert_no_error (error);
  cut = write_temporary ("cut.data", bytes, length / 2);

  window = open_path (cut);
  button = find_widget (GTK_WIDGET (window), is_problems_button, NULL);
  g_assert_cmpuint (pen_session_get_counts (window->session)->total, >, 0);
  g_assert_true (gtk_widget_get_visible (button));
  g_assert_nonnull (window->early_end);
  assert_has (adw_toast_get_title (window->early_end), "ends early");
  kept = pen_format_count (pen_session_get_counts (window->session)->total);
  assert_has (adw_toast_get_title (window->early_end), kept);
  problems = dup_problems (window);
  assert_has (problems, "Ended here");
  assert_has (problems, "cut.data · offset 0x");
  activate (window, "win.problems");
  app_support_run (100);
  /* An open list is told anew, and goes with its recording. */
  activate (window, "win.next-times");
  activate (window, "win.problems");
  app_support_run (100);

  /* Another one that is whole has nothing to tell. */
  {
    g_autofree char *whole = app_support_capture ("c-kprobes.data");

    pen_session_open (window->session, whole);
    g_assert_false (gtk_widget_get_visible (button));
    app_support_settle (window->session);
    app_support_run (50);
    g_assert_null (window->early_end);
  }
  close_window (window);
}

/* Losses, by CPU, with when; what a filter left out is told apart. */
static void
test_losses (void)
{
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  const guint64 second = 1000000000;
  g_autofree char *path = NULL;
  g_autofree char *problems = NULL;
  g_autofree char *tooltip = NULL;
  const char *filtered;
  PenWindow *window;
  GtkWidget *button, *row;
  PenSpan all;

  pen_test_capture_at (capture, 102 * second, 42, 42, 3);
  pen_test_capture_add_lost (capture, 1, 1204);
  pen_test_capture_at (capture, 102 * second + 1, 42, 42, 2);
  pen_test_capture_add_lost_samples (capture, 1 << 15, 77);
  pen_test_capture_at (capture, 103 * second, 42, 42, 1);
  pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffff81000010, 1);
  path = app_support_write_capture (capture, "losses.data");

  window = open_path (path);
  problems = dup_problems (window);
  assert_has (problems, "Lost records on CPU 3: 1\342\200\211204");
  filtered = strstr (problems, "Left out by a Filter");
  g_assert_nonnull (filtered);
  assert_has (filtered, "77");
  g_assert_null (strstr (filtered, "Lost records"));

  g_assert_cmpint (window->timeline->lanes.boxes[PEN_LANE_LOST].height, >, 0);
  tooltip = dup_tooltip (window, 102 * second, PEN_LANE_LOST);
  assert_has (tooltip, "Lost records on CPU 3: 1\342\200\211204");

  /* A row leads to its time. */
  all = pen_session_get_visible (window->session);
  activate (window, "win.problems");
  app_support_run (100);
  button = find_widget (GTK_WIDGET (window), is_problems_button, NULL);
  row = find_widget (pen_problems_button_get_groups (PEN_PROBLEMS_BUTTON (button)), is_loss_row,
                     NULL);
  g_assert_nonnull (row);
  g_assert_true (gtk_widget_activate (row));
  g_assert_cmpuint (pen_span_length (pen_session_get_visible (window->session)), <,
                    pen_span_length (all));
  app_support_settle (window->session);
  close_window (window);
}

/* ---- strings that somebody else wrote ---- */

#define BOLD "<b>bold&"
#define ESCAPE "\033[31m"
#define FLIP "\342\200\256"
#define NOT_UTF8 "\377\300"
#define HOSTILE BOLD ESCAPE FLIP NOT_UTF8 "\nline"
#define HOSTILE_SHOWN "<b>bold&\\x1b[31m\\u{202e}\\xff\\xc0\\nline"

/* Nothing that moves what is drawn, or is not text at all. Our own tooltips have lines. */
static void
assert_harmless (const char *text)
{
  if (!text)
    return;
  g_assert_true (g_utf8_validate (text, -1, NULL));
  for (const char *p = text; *p; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);
    GUnicodeType type = g_unichar_type (c);

    if ((type == G_UNICODE_CONTROL && c != '\n') || type == G_UNICODE_FORMAT)
      g_error ("U+%04x in “%s”", c, text);
  }
}

static void
assert_all_harmless (GtkWidget *widget, guint *n_hostile)
{
  assert_harmless (gtk_widget_get_tooltip_text (widget));
  if (GTK_IS_LABEL (widget)) {
    const char *text = gtk_label_get_text (GTK_LABEL (widget));

    assert_harmless (text);
    *n_hostile += strstr (text, HOSTILE_SHOWN) != NULL;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    assert_all_harmless (child, n_hostile);
}

static PenTestCapture *
new_hostile_capture (void)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 call[] = { 0xe8, 0x10, 0x20, 0x30, 0x00 };
  PenTestCapture *capture = app_support_new_capture ();
  guint64 time = 102 * G_GUINT64_CONSTANT (1000000000);

  pen_test_capture_at (capture, time, 66, 66, 0);
  pen_test_capture_add_comm (capture, 66, 66, TRUE, BOLD ESCAPE);
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, 66, 66, 0x400000, 0x1000, 0, 5, 0, NULL,
                              "/tmp/" HOSTILE);
  pen_test_capture_add_ksymbol (capture, 0xffffffffc0002000, 0x40, 1, 0, HOSTILE);
  for (guint i = 0; i < 40; i++) {
    pen_test_capture_at (capture, time + i * 10000000, 66, 66, 0);
    if (i == 20)
      pen_test_capture_add_text_poke (capture, 0xffffffffc0002000, nop, 5, call, 5);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffffc0002000, 1);
    pen_test_capture_add_sample (capture, PEN_TEST_USER, 0x400010, 1);
  }
  pen_test_capture_add_lost (capture, 1, 5);
  pen_test_capture_set_os_release (capture, HOSTILE);
  return capture;
}

static void
test_hostile_strings (void)
{
  g_autoptr (PenTestCapture) capture = new_hostile_capture ();
  g_autofree char *path = app_support_write_capture (capture, HOSTILE ".data");
  g_autofree char *card = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *broken = NULL;
  PenWindow *window = open_path (path);
  guint n_hostile = 0;
  gsize length;

  g_assert_cmpstr (adw_window_title_get_title (window->title), ==, HOSTILE_SHOWN ".data");
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, HOSTILE_SHOWN ".data");
  assert_has (adw_window_title_get_subtitle (window->title), HOSTILE_SHOWN);

  select_function (window, HOSTILE_SHOWN);
  pen_window_show_line (window, 0xffffffffc0002000);
  app_support_settle (window->session);
  app_support_run (100);
  card = dup_patch_text (window);
  assert_has (card, "by <b>bold&\\x1b[");
  assert_all_harmless (GTK_WIDGET (window), &n_hostile);
  /* Title, subtitle, two rows of the list, the annotation's heading, the history's. */
  g_assert_cmpuint (n_hostile, >=, 6);
  for (guint row = 0; row < window->timeline->lanes.n_rows; row++) {
    g_autofree char *tooltip = NULL;
    PenBox box;

    if (!pen_lanes_get_row_box (&window->timeline->lanes, row, &box))
      continue;
    tooltip = pen_timeline_describe_point (window->timeline, 1150, PEN_TIMELINE_RULER + box.y + 1);
    assert_harmless (tooltip);
  }

  /* Names in the search are those that are seen. */
  pen_session_set_search (window->session, "\\x1b[31m");
  g_assert_cmpint (g_list_model_get_n_items (pen_functions_view_get_model (window->functions)), ==,
                   2);

  /* A page of an error, and what is told of a damaged file. */
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  broken = write_temporary (HOSTILE "cut", bytes, length / 2);
  pen_session_open (window->session, broken);
  app_support_settle (window->session);
  app_support_run (50);
  assert_all_harmless (GTK_WIDGET (window), &n_hostile);
  memset (bytes, 'x', 8);
  g_assert_true (g_file_set_contents (broken, bytes, (gssize) length, NULL));
  pen_session_open (window->session, broken);
  app_support_settle (window->session);
  g_assert_cmpstr (pen_window_get_page (window), ==, "error");
  assert_has (adw_status_page_get_title (window->error_page), "&lt;b&gt;");
  assert_has (adw_status_page_get_description (window->error_page), "&lt;b&gt;");
  app_support_run (50);
  assert_all_harmless (GTK_WIDGET (window), &n_hostile);
  close_window (window);
}

/* ---- accessibility ---- */

static gboolean
is_nameless_button (GtkWidget *widget, gpointer data)
{
  if (!GTK_IS_BUTTON (widget) || !gtk_button_get_icon_name (GTK_BUTTON (widget)))
    return FALSE;
  /* The window's own controls are GTK's. */
  if (gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW_CONTROLS))
    return FALSE;
  return !gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

static gboolean
is_nameless_picture (GtkWidget *widget, gpointer data)
{
  const char *css = gtk_widget_get_css_name (widget);

  return (g_str_equal (css, "timeline") || g_str_equal (css, "strip")
          || g_str_equal (css, "samplebar"))
         && gtk_widget_get_mapped (widget)
         && !gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget),
                                               GTK_ACCESSIBLE_PROPERTY_LABEL);
}

static gboolean
has_css_name (GtkWidget *widget, gpointer name)
{
  return g_str_equal (gtk_widget_get_css_name (widget), name) && gtk_widget_get_mapped (widget);
}

static void
test_accessible (void)
{
  PenWindow *window = open_window ("b-ftrace.data");
  GtkWidget *top = GTK_WIDGET (window);
  GtkWidget *strip, *bar;

  select_function (window, "vfs_read");
  app_support_run (100);
  g_assert_null (find_widget (top, is_nameless_button, NULL));
  g_assert_null (find_widget (top, is_nameless_picture, NULL));
  strip = find_widget (top, has_css_name, (gpointer) "strip");
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (strip), GTK_ACCESSIBLE_ROLE_IMG);
  bar = find_widget (top, has_css_name, (gpointer) "samplebar");
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_ROLE_METER);
  g_assert_true (gtk_test_accessible_has_property (GTK_ACCESSIBLE (window->timeline),
                                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION));
  g_assert_true (gtk_widget_get_focusable (GTK_WIDGET (window->timeline)));

  /* F6 goes round the panes. */
  gtk_widget_grab_focus (GTK_WIDGET (window->timeline));
  activate (window, "win.next-pane");
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)),
                                         GTK_WIDGET (window->functions)));
  activate (window, "win.history-pane");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (window->history)));
  activate (window, "win.history-pane");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window->history)));
  close_window (window);
}

static gboolean
is_shown_shortcut (GtkWidget *widget, gpointer data)
{
  return GTK_IS_SHORTCUTS_SHORTCUT (widget) && gtk_widget_get_mapped (widget);
}

/* The window of keys comes up without a warning, which would end this test. */
static void
test_shortcuts (void)
{
  PenWindow *window = new_window ();
  GtkShortcutsWindow *help
      = gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (window));

  g_assert_nonnull (help);
  activate (window, "win.show-help-overlay");
  app_support_run (200);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (help)));
  g_assert_nonnull (find_widget (GTK_WIDGET (help), is_shown_shortcut, NULL));
  gtk_window_close (GTK_WINDOW (help));
  app_support_run (50);
  close_window (window);
}

/* Every view draws in both palettes and at both sizes. */
static void
test_dark_and_small (void)
{
  PenWindow *window = open_window ("d-bpf.data");
  AdwStyleManager *style = adw_style_manager_get_default ();
  guint n_turns = 0;

  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  app_support_run (100);
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 600);
  while (gtk_widget_get_width (GTK_WIDGET (window)) > 900 && n_turns++ < 600)
    app_support_run (50);
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_LIGHT);
  app_support_run (100);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 900);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (window)), <=, 600);
  close_window (window);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
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

  g_test_add_func ("/window/empty", test_empty);
  g_test_add_func ("/window/read-history", test_read_history);
  g_test_add_func ("/window/versions", test_versions);
  g_test_add_func ("/window/brush", test_brush);
  g_test_add_func ("/window/zoom", test_zoom);
  g_test_add_func ("/window/times", test_times);
  g_test_add_func ("/window/no-wall-clock", test_no_wall_clock);
  g_test_add_func ("/window/narrow", test_narrow);
  g_test_add_func ("/window/as-of", test_as_of);
  g_test_add_func ("/window/export", test_export);
  g_test_add_func ("/window/error-page", test_error_page);
  g_test_add_func ("/window/cancel", test_cancel);
  g_test_add_func ("/window/close-during-import", test_close_during_import);
  g_test_add_func ("/window/drop", test_drop);
  g_test_add_func ("/window/wrapped", test_wrapped);
  g_test_add_func ("/window/truncated", test_truncated);
  g_test_add_func ("/window/losses", test_losses);
  g_test_add_func ("/window/hostile-strings", test_hostile_strings);
  g_test_add_func ("/window/accessible", test_accessible);
  g_test_add_func ("/window/shortcuts", test_shortcuts);
  g_test_add_func ("/window/dark-and-small", test_dark_and_small);
  status = g_test_run ();

  g_clear_object (&application);
  app_support_end ();
  return status;
}
