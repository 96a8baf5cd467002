/* test-window.c: the window, used as a person would use it, on bundled recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-function-item.h"
#include "pen-history-card.h"
#include "pen-history-item.h"

static gboolean
is_start_page (GtkWidget *widget, gpointer data)
{
  return PEN_IS_START_PAGE (widget);
}

static void
test_empty (void)
{
  PenWindow *window = window_support_new_window ();
  GtkWidget *page;

  g_assert_cmpstr (window_support_get_page (window), ==, "empty");
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (window->timeline), GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (window->timeline),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Timeline");
  page = window_support_find_widget (GTK_WIDGET (window), is_start_page, NULL);
  g_assert_true (gtk_widget_activate_action (page, "win.copy-record-command", NULL));
  window_support_close_window (window);
}

/* Open, choose a function, click a patched line, read who did it. */
static void
test_read_history (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GError) error = NULL;
  GListModel *history
      = G_LIST_MODEL (gtk_list_view_get_model (window_support_child (window->history, "list")));
  GListModel *lines = G_LIST_MODEL (window_support_child (window->annotation, "selection"));
  g_autoptr (PenSlot) slot = NULL;
  guint position, n_before, n_patches = 0;

  window_support_select_function (window, "vfs_read");
  position = window_support_find_patched (window);
  n_before = g_list_model_get_n_items (lines);
  slot = window_support_dup_slot (window, position);
  /* The line that was chosen with the function. */
  g_assert_cmpuint (g_list_model_get_n_items (history), >, 1);

  window_support_activate_row (window, position);
  g_assert_cmpuint (g_list_model_get_n_items (lines), ==, n_before + pen_slot_get_n_lines (slot));
  rows = pen_query_history (query, NULL, pen_slot_get_address (slot), PEN_SYNTAX_ATT, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (history), ==, rows->len);

  app_support_run (100);
  for (guint i = 0; i < rows->len; i++) {
    const PenHistoryRow *row = g_ptr_array_index (rows, i);
    g_autoptr (PenHistoryItem) item = g_list_model_get_item (history, i);
    guint nth = i;
    GtkWidget *card = window_support_find_widget (GTK_WIDGET (window->history),
                                                  window_support_is_nth_card, &nth);
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
    g_assert_nonnull (strstr (text, pen_confidence_to_string (row->confidence)));
    if (row->n_sites > 1)
      g_assert_nonnull (strstr (text, "sites patched together: "));
    g_assert_nonnull (strstr (text, "Ftrace"));
  }
  g_assert_cmpuint (n_patches, >, 1);
  {
    guint nth = 1;

    g_assert_nonnull (window_support_find_widget (GTK_WIDGET (window->history),
                                                  window_support_is_nth_card, &nth));
  }

  /* Once more: the line closes, and its history stays. */
  window_support_activate_row (window, position);
  g_assert_cmpuint (g_list_model_get_n_items (lines), ==, n_before);
  g_assert_cmpuint (g_list_model_get_n_items (history), ==, rows->len);
  window_support_close_window (window);
}

/* The versions of an opened slot share its samples among them. */
static void
test_versions (void)
{
  PenWindow *window = window_support_open_window ("c-kprobes.data");
  guint position;
  guint64 sum = 0;
  g_autoptr (PenSlot) slot = NULL;

  window_support_select_function (window, "vfs_read");
  position = window_support_find_patched (window);
  slot = window_support_dup_slot (window, position);
  window_support_activate_row (window, position);
  for (guint i = 1; i <= pen_slot_get_n_lines (slot); i++) {
    g_autoptr (PenSlot) version = window_support_dup_slot (window, position + i);

    g_assert_true (pen_slot_is_version (version));
    sum += pen_slot_get_amount (version).n;
  }
  g_assert_cmpuint (sum, ==, pen_slot_get_amount (slot).n);
  window_support_close_window (window);
}

static guint64
get_time_at (PenTimeline *timeline, double x)
{
  PenPlot plot = pen_plot_view_get_plot (PEN_PLOT_VIEW (timeline));

  return pen_plot_get_time (&plot, x);
}

static void
drag (PenTimeline *timeline, double from, double to)
{
  GtkEventController *gesture
      = window_support_find_controller (GTK_WIDGET (timeline), GTK_TYPE_GESTURE_DRAG);

  g_signal_emit_by_name (gesture, "drag-begin", from, 60.0);
  g_signal_emit_by_name (gesture, "drag-update", (to - from) / 2, 0.0);
  g_signal_emit_by_name (gesture, "drag-update", to - from, 0.0);
  g_signal_emit_by_name (gesture, "drag-end", to - from, 0.0);
}

/* Dragging over the overview narrows everything else. */
static void
test_brush (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  g_autoptr (GError) error = NULL;
  g_autofree char *chips = NULL;
  g_autofree char *count_before
      = g_strdup (gtk_label_get_text (window_support_child (window->filter_bar, "count")));
  guint64 samples_before, matching, total;
  PenSpan selected;

  window_support_select_function (window, "vfs_read");
  samples_before = pen_session_get_answers (window->session)->annotation->text->annotated->samples;
  drag (window->timeline, 400, 700);
  app_support_settle (window->session);

  g_assert_true (pen_session_get_selected (window->session, &selected));
  g_assert_cmpuint (selected.from, ==, get_time_at (window->timeline, 400));
  g_assert_cmpuint (selected.to, ==, get_time_at (window->timeline, 700));
  pen_query_count (query, pen_session_get_view (window->session)->filter, &matching, &total,
                   &error);
  g_assert_no_error (error);
  g_assert_cmpuint (matching, <, total);
  g_assert_cmpuint (pen_session_get_answers (window->session)->counts->matching.n, ==, matching);
  g_assert_cmpstr (gtk_label_get_text (window_support_child (window->filter_bar, "count")), !=,
                   count_before);
  g_assert_cmpuint (pen_session_get_answers (window->session)->annotation->text->annotated->samples,
                    <, samples_before);
  chips = window_support_dup_chips (window);
  g_assert_true (g_str_has_prefix (chips, "time "));
  g_assert_null (strchr (chips, '|'));

  window_support_activate (window, "win.clear-time");
  app_support_settle (window->session);
  g_assert_false (pen_session_get_selected (window->session, &selected));
  g_assert_cmpstr (gtk_label_get_text (window_support_child (window->filter_bar, "count")), ==,
                   count_before);
  g_assert_cmpuint (pen_session_get_answers (window->session)->annotation->text->annotated->samples,
                    ==, samples_before);

  /* A click is not a selection: it sets the playhead. */
  drag (window->timeline, 500, 501);
  g_assert_false (pen_session_get_selected (window->session, &selected));
  g_assert_cmpuint (pen_session_get_view (window->session)->playhead, ==,
                    get_time_at (window->timeline, 500));
  window_support_close_window (window);
}

static void
test_zoom (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  GtkWidget *timeline = GTK_WIDGET (window->timeline);
  GtkEventController *motion
      = window_support_find_controller (timeline, GTK_TYPE_EVENT_CONTROLLER_MOTION);
  GtkEventController *scroll
      = window_support_find_controller (timeline, GTK_TYPE_EVENT_CONTROLLER_SCROLL);
  PenSpan all = pen_session_get_span (window->session), zoomed;
  guint64 under = get_time_at (window->timeline, 600);
  guint64 step = pen_span_length (all) / (guint) gtk_widget_get_width (timeline);
  gboolean handled;

  g_signal_emit_by_name (motion, "motion", 600.0, 60.0);
  for (int i = 0; i < 5; i++)
    g_signal_emit_by_name (scroll, "scroll", 0.0, -1.0, &handled);
  zoomed = pen_session_get_view (window->session)->visible;
  g_assert_cmpuint (pen_span_length (zoomed), <, pen_span_length (all) / 2);
  g_assert_cmpuint (get_time_at (window->timeline, 600), >, under - step);
  g_assert_cmpuint (get_time_at (window->timeline, 600), <, under + step);
  app_support_settle (window->session);
  g_assert_cmpuint (pen_session_get_answers (window->session)->overview->from, ==, zoomed.from);

  g_signal_emit_by_name (scroll, "scroll", 1.0, 0.0, &handled);
  g_assert_cmpuint (pen_session_get_view (window->session)->visible.from, >, zoomed.from);
  window_support_activate (window, "win.zoom-fit");
  g_assert_true (pen_span_equal (pen_session_get_view (window->session)->visible, all));

  /* The same by keys' actions. */
  gtk_widget_activate_action (timeline, "timeline.zoom-in", NULL);
  g_assert_cmpuint (pen_span_length (pen_session_get_view (window->session)->visible), <,
                    pen_span_length (all));
  zoomed = pen_session_get_view (window->session)->visible;
  gtk_widget_activate_action (timeline, "timeline.pan-right", NULL);
  g_assert_cmpuint (pen_session_get_view (window->session)->visible.from, >, zoomed.from);
  gtk_widget_activate_action (timeline, "timeline.pan-left", NULL);
  gtk_widget_activate_action (timeline, "timeline.select-visible", NULL);
  g_assert_true (pen_session_get_selected (window->session, &zoomed));
  gtk_widget_activate_action (timeline, "timeline.clear-selection", NULL);
  g_assert_false (pen_session_get_selected (window->session, &zoomed));
  app_support_settle (window->session);
  window_support_close_window (window);
}

static gboolean
is_times_button (GtkWidget *widget, gpointer data)
{
  return GTK_IS_MENU_BUTTON (widget) && gtk_widget_has_css_class (widget, "times");
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
  window = window_support_open_path (path);
  button
      = GTK_MENU_BUTTON (window_support_find_widget (GTK_WIDGET (window), is_times_button, NULL));
  g_assert_cmpint (g_menu_model_get_n_items (G_MENU_MODEL (window->times_menu)), ==, PEN_TIMES);

  window_support_select_function (window, "bpf_prog_tested");
  pen_window_show_line (window, 0xffffffffc0001000);
  app_support_settle (window->session);
  app_support_run (100);
  for (guint i = 0; i < PEN_TIMES; i++) {
    static const char *const patched[]
        = { "101.0000 s – end", "+1.0000 s – end", "12:00:01.0000 – end" };
    static const char *const recorded = "101.0000 s";
    g_autofree char *tooltip = NULL;
    g_autofree char *card = NULL;

    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window),
                                               i == PEN_TIMES_WALL ? "win.wall-times" : "win.times",
                                               "s", pen_times_to_string (i)));
    g_assert_cmpint (pen_session_get_view (window->session)->times, ==, i);
    g_assert_cmpstr (gtk_menu_button_get_label (button), ==, pen_times_get_unit (i));
    app_support_run (100);
    /* Both clocks are told, whatever is chosen. */
    tooltip = window_support_dup_tooltip (window, 101 * second, PEN_LANE_PATCHES);
    g_assert_nonnull (strstr (tooltip, "2026-11-20 12:00:01.000000"));
    g_assert_nonnull (strstr (tooltip, "101.000000 s"));
    card = window_support_dup_patch_text (window);
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
    g_assert_cmpint (pen_session_get_view (window->session)->times, ==, PEN_TIMES_WALL);
    g_assert_cmpstr (gtk_menu_button_get_label (button), ==, "seconds");
    tooltip = window_support_dup_tooltip (window, pen_session_get_span (window->session).from,
                                          PEN_LANE_SAMPLES);
    g_assert_null (strstr (tooltip, "-"));
  }
  window_support_close_window (window);
}

/* Without a wall clock it cannot be chosen, and the menu says why. */
static void
test_no_wall_clock (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_autofree char *label = NULL;

  g_menu_model_get_item_attribute (G_MENU_MODEL (window->times_menu), PEN_TIMES_WALL,
                                   G_MENU_ATTRIBUTE_LABEL, "s", &label);
  g_assert_nonnull (strstr (label, "perf record -k"));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.wall-times", "s", "wall-clock");
  g_assert_cmpint (pen_session_get_view (window->session)->times, ==, PEN_TIMES_RECORDED);
  window_support_activate (window, "win.next-times");
  g_assert_cmpint (pen_session_get_view (window->session)->times, ==, PEN_TIMES_RELATIVE);
  window_support_activate (window, "win.next-times");
  g_assert_cmpint (pen_session_get_view (window->session)->times, ==, PEN_TIMES_RECORDED);
  window_support_close_window (window);
}

/* Search and "changed" narrow the list. */
static void
test_narrow (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  GListModel *model = G_LIST_MODEL (window_support_child (window->functions, "selection"));
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

  window_support_activate (window, "win.toggle-changed");
  app_support_settle (window->session);
  n = g_list_model_get_n_items (model);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <, all);
  window_support_activate (window, "win.clear-changed");
  app_support_settle (window->session);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, all);
  window_support_close_window (window);
}

/* The text follows the playhead from change to change. */
static void
test_as_of (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_autoptr (PenSlot) slot = NULL;
  g_autofree char *original = NULL;
  guint versions;

  window_support_select_function (window, "vfs_read");
  slot = window_support_dup_slot (window, window_support_find_patched (window));
  original = g_strdup (pen_slot_get_line (slot)->instruction);
  g_assert_cmpuint (pen_slot_get_line (slot)->version, ==, 0);
  versions = pen_slot_get_n_lines (slot);

  for (guint i = 1; i < versions; i++) {
    window_support_activate (window, "win.next-change");
    g_assert_cmpuint (pen_slot_get_line (slot)->version, ==, i);
  }
  window_support_activate (window, "win.first-text");
  g_assert_cmpstr (pen_slot_get_line (slot)->instruction, ==, original);
  window_support_close_window (window);
}

/* What is written is what the same query writes for the command line. */
static void
test_export (void)
{
  PenWindow *window = window_support_open_window ("c-kprobes.data");
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  guint64 address;

  window_support_select_function (window, "vfs_read");
  window_support_activate_row (window, window_support_find_patched (window));
  /* All changes: at first the list has patches and programs. */
  gtk_drop_down_set_selected (window_support_child (window->changes, "scope"), 2);
  drag (window->timeline, 300, 900);
  app_support_settle (window->session);
  g_assert_true (pen_session_get_line (window->session, &address));
  for (guint i = 0; i < PEN_EXPORTS; i++) {
    guint64 start = pen_session_get_answers (window->session)->annotation->text->annotated->start;
    g_autofree char *expected
        = app_support_export (query, i, pen_session_get_view (window->session)->filter,
                              i == PEN_EXPORT_HISTORY ? address : start);
    g_autofree char *written = app_support_session_export (window->session, i);

    g_assert_cmpstr (written, ==, expected);
  }
  window_support_close_window (window);
}

/* ---- accessibility ---- */

static gboolean
is_nameless_button (GtkWidget *widget, gpointer data)
{
  if (!GTK_IS_BUTTON (widget) || !gtk_button_get_icon_name (GTK_BUTTON (widget)))
    return FALSE;
  /* What never shows is not told either, as the close button that each search bar has. */
  if (!gtk_widget_get_visible (widget))
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

  /* Of lines out of sight their row has one. */
  if (g_str_equal (css, "slot"))
    widget = gtk_widget_get_parent (widget);
  return (g_str_equal (css, "timeline") || g_str_equal (css, "slot"))
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
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  GtkWidget *top = GTK_WIDGET (window);
  const char *cells = "↯ +0 4 nopl   0x0(%rax,%rax,1)";
  GtkWidget *line;

  window_support_select_function (window, "vfs_read");
  app_support_run (100);
  g_assert_null (window_support_find_widget (top, is_nameless_button, NULL));
  g_assert_null (window_support_find_widget (top, is_nameless_picture, NULL));
  line = window_support_find_widget (top, has_css_name, (gpointer) "slot");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (line), GTK_ACCESSIBLE_PROPERTY_LABEL, cells);
  gtk_test_accessible_assert_state (GTK_ACCESSIBLE (line), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE);
  g_assert_true (gtk_test_accessible_has_property (GTK_ACCESSIBLE (gtk_widget_get_parent (line)),
                                                   GTK_ACCESSIBLE_PROPERTY_LABEL));
  g_assert_true (gtk_test_accessible_has_property (GTK_ACCESSIBLE (window->timeline),
                                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION));
  g_assert_true (gtk_widget_get_focusable (GTK_WIDGET (window->timeline)));

  /* F6 goes round the panes. */
  gtk_widget_grab_focus (GTK_WIDGET (window->timeline));
  window_support_activate (window, "win.next-pane");
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (window)),
                                         GTK_WIDGET (window->functions)));
  window_support_activate (window, "win.history-pane");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (window->history)));
  window_support_activate (window, "win.history-pane");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window->history)));
  window_support_close_window (window);
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
  static const char *const sections[] = { "code", "pictures", "window" };
  PenWindow *window = window_support_new_window ();
  GtkShortcutsWindow *help;
  gpointer watched;

  window_support_activate (window, "win.show-help-overlay");
  help = gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (window));
  g_assert_nonnull (help);
  watched = help;
  g_object_add_weak_pointer (G_OBJECT (help), &watched);
  app_support_run (200);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (help)));
  g_assert_nonnull (window_support_find_widget (GTK_WIDGET (help), is_shown_shortcut, NULL));
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (help)), <, 760);
  for (gsize i = 0; i < G_N_ELEMENTS (sections); i++) {
    g_object_set (help, "section-name", sections[i], NULL);
    app_support_run (50);
    g_assert_nonnull (window_support_find_widget (GTK_WIDGET (help), is_shown_shortcut, NULL));
  }
  /* Hidden windows are no good to assistive technology. */
  gtk_window_close (GTK_WINDOW (help));
  app_support_run (50);
  g_assert_null (watched);
  g_assert_null (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (window)));
  window_support_close_window (window);
}

static void
collect_shortcuts (GtkWidget *widget, GHashTable *actions, GHashTable *accelerators)
{
  if (GTK_IS_SHORTCUTS_SHORTCUT (widget)) {
    g_autofree char *action = NULL;
    g_autofree char *accelerator = NULL;

    g_object_get (widget, "action-name", &action, "accelerator", &accelerator, NULL);
    if (action)
      g_hash_table_add (actions, g_steal_pointer (&action));
    if (accelerator) {
      g_auto (GStrv) words = g_strsplit (accelerator, " ", -1);

      for (char **word = words; *word; word++)
        g_hash_table_add (accelerators, g_strdup (*word));
    }
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    collect_shortcuts (child, actions, accelerators);
}

/* "Ctrl+O", as the manual has it. */
static char *
name_key (const char *accelerator)
{
  g_autofree char *label = NULL;
  GString *name;
  GdkModifierType modifiers;
  guint key;

  g_assert_true (gtk_accelerator_parse (accelerator, &key, &modifiers));
  label = gtk_accelerator_get_label (key, modifiers);
  name = g_string_new (label);
  g_string_replace (name, "Shift+Ctrl", "Ctrl+Shift", 0);
  g_string_replace (name, "Comma", ",", 0);
  g_string_replace (name, "Period", ".", 0);
  g_string_replace (name, "Question Mark", "?", 0);
  g_string_replace (name, "Question", "?", 0);
  return g_string_free (name, FALSE);
}

/* Each key that does something is in the window of keys, and in the manual. */
static void
test_shortcuts_are_told (void)
{
  static const char *const pages[]
      = { "code", "callers", "map", "causes", "occupants", "recording" };
  PenWindow *window = window_support_new_window ();
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  GtkWidget *help
      = GTK_WIDGET (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (window)));
  g_autoptr (GHashTable) actions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) accelerators
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) named = gtk_application_list_action_descriptions (application);
  g_autoptr (GBytes) manual = g_resources_lookup_data ("/io/github/pentimento/Pentimento/manual.md",
                                                       G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  gboolean is_told = TRUE;

  g_assert_nonnull (manual);
  window_support_activate (window, "win.show-help-overlay");
  help = GTK_WIDGET (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (window)));
  collect_shortcuts (help, actions, accelerators);
  g_assert_cmpuint (g_hash_table_size (actions), >, 20);
  g_assert_true (g_hash_table_contains (accelerators, "<Control>1...6"));
  for (char **action = named; *action; action++) {
    g_auto (GStrv) keys = gtk_application_get_accels_for_action (application, *action);
    g_autofree char *name = keys[0] ? name_key (keys[0]) : NULL;
    gboolean is_page = FALSE;

    for (gsize i = 0; i < G_N_ELEMENTS (pages); i++) {
      g_autofree char *page = g_strconcat ("win.page::", pages[i], NULL);

      is_page |= g_str_equal (*action, page);
    }
    if (!name || is_page)
      continue;
    if (!g_hash_table_contains (actions, *action)) {
      g_test_message ("%s is not in the window of keys", *action);
      is_told = FALSE;
    }
    if (!strstr (g_bytes_get_data (manual, NULL), name)) {
      g_test_message ("%s (%s) is not in the manual", name, *action);
      is_told = FALSE;
    }
  }
  g_assert_true (is_told);
  window_support_close_window (window);
}

/* Every view draws in both palettes and at both sizes. */
static void
test_dark_and_small (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  AdwStyleManager *style = adw_style_manager_get_default ();

  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  app_support_run (100);
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 600);
  app_support_wait_for (gtk_widget_get_width (GTK_WIDGET (window)) <= 900);
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_LIGHT);
  app_support_run (100);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 900);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (window)), <=, 600);
  window_support_close_window (window);
}

static void
add_tests (void)
{
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
  g_test_add_func ("/window/accessible", test_accessible);
  g_test_add_func ("/window/shortcuts", test_shortcuts);
  g_test_add_func ("/window/shortcuts-are-told", test_shortcuts_are_told);
  g_test_add_func ("/window/dark-and-small", test_dark_and_small);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
