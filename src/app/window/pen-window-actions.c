/* pen-window-actions.c: what the menus, buttons, keys and drops of a window do
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"

void
pen_window_add_toast (PenWindow *self, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_toast_overlay_add_toast (self->toasts, adw_toast_new (escaped));
}

/* ---- looking ---- */

static void
search_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenWindow *self = PEN_WINDOW (widget);
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));

  if (pen_session_get_view (self->session)->page == PEN_PAGE_CALLERS) {
    pen_callers_view_start_search (self->callers);
    return;
  }
  if (pen_session_get_view (self->session)->page == PEN_PAGE_CAUSES) {
    pen_causes_view_start_search (self->causes);
    return;
  }
  if (pen_session_get_view (self->session)->page == PEN_PAGE_OCCUPANTS) {
    pen_occupants_view_start_search (self->occupants);
    return;
  }
  /* In the annotation it is a line that one looks for. */
  if (focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->annotation))) {
    pen_annotation_view_start_find (self->annotation);
    return;
  }
  pen_session_set_page (self->session, PEN_PAGE_CODE);
  if (!pen_window_shows_code_pane (self, PEN_CODE_PANE_FUNCTIONS)) {
    pen_window_fold_show_code_pane (self, PEN_CODE_PANE_FUNCTIONS);
    pen_window_notify_panes (self);
  }
  pen_functions_view_start_search (self->functions);
}

static void
change_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_step_change (PEN_WINDOW (widget)->session,
                           g_str_equal (name, "win.next-change") ? 1 : -1);
}

static void
first_text_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_set_playhead (PEN_WINDOW (widget)->session, 0);
}

static void
toggle_changed_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenSession *session = PEN_WINDOW (widget)->session;

  pen_session_set_changed_only (session, !pen_session_get_view (session)->filter->changed);
}

static void
problems_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_filter_bar_show_problems (PEN_WINDOW (widget)->filter_bar);
}

static void
clear_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenSession *session = PEN_WINDOW (widget)->session;
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_view (session)->filter);

  if (g_str_equal (name, "win.clear-time"))
    filter->has_time = FALSE;
  else if (g_str_equal (name, "win.clear-kinds"))
    filter->only.kinds = 0;
  else if (g_str_equal (name, "win.clear-changed"))
    filter->changed = FALSE;
  if (!filter->has_time)
    filter->from = filter->to = 0;
  pen_session_set_filter (session, filter);
}

/* Round what there is to choose from. */
static void
next_times_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenSession *session = PEN_WINDOW (widget)->session;
  PenTimes next = (pen_session_get_view (session)->times + 1) % PEN_TIMES;

  if (next == PEN_TIMES_WALL && !pen_session_get_clock (session).has_wall)
    next = (next + 1) % PEN_TIMES;
  pen_session_set_times (session, next);
}

static void
timeline_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *action = g_strdup_printf ("timeline.%s", name + strlen ("win."));

  gtk_widget_activate_action (GTK_WIDGET (PEN_WINDOW (widget)->timeline), action, NULL);
}

static void
focus_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_window_fold_focus_next (PEN_WINDOW (widget), g_str_equal (name, "win.next-pane") ? 1 : -1);
}

static void
focus_page_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_window_fold_focus_page (PEN_WINDOW (widget));
}

/* Not under the name that GTK looks for: it would be made with every window, and stay hidden.
 * GTK 4.8 breaks when assistive technology asks for a window that was just closed, and hidden ones
 * are there. */
#define SHORTCUTS "/io/github/pentimento/Pentimento/shortcuts.ui"

static gboolean
destroy_shortcuts (gpointer window)
{
  gtk_window_destroy (window);
  return G_SOURCE_REMOVE;
}

static void
on_shortcuts_hidden (GtkWindow *shortcuts, PenWindow *self)
{
  if (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (self))
      != GTK_SHORTCUTS_WINDOW (shortcuts))
    return;
  gtk_application_window_set_help_overlay (GTK_APPLICATION_WINDOW (self), NULL);
  g_idle_add_full (G_PRIORITY_DEFAULT, destroy_shortcuts, g_object_ref (shortcuts), g_object_unref);
}

static void
shortcuts_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GtkApplicationWindow *self = GTK_APPLICATION_WINDOW (widget);
  GtkShortcutsWindow *shortcuts = gtk_application_window_get_help_overlay (self);

  if (!shortcuts) {
    g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (SHORTCUTS);

    shortcuts = GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "help_overlay"));
    gtk_application_window_set_help_overlay (self, shortcuts);
    g_signal_connect_object (shortcuts, "hide", G_CALLBACK (on_shortcuts_hidden), self, 0);
  }
  gtk_window_present (GTK_WINDOW (shortcuts));
}

static void
show_code_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_window_show_code (PEN_WINDOW (widget));
}

static void
show_recording_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenWindow *self = PEN_WINDOW (widget);

  if (pen_session_get_state (self->session) != PEN_SESSION_READY)
    return;
  pen_session_set_page (self->session, PEN_PAGE_RECORDING);
  gtk_stack_set_visible_child_name (self->stack, "main");
}

static void
set_enabled (PenWindow *self, const char *action, gboolean enabled)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), action, enabled);
}

void
pen_window_update_actions (PenWindow *self)
{
  static const char *const looking[] = {
    "win.search",         "win.next-change", "win.previous-change", "win.first-text",
    "win.toggle-changed", "win.zoom-in",     "win.zoom-out",        "win.zoom-fit",
    "win.zoom-selection", "win.next-times",  "win.problems",        "win.find",
  };
  PenSessionState state = pen_session_get_state (self->session);
  const PenFilter *filter = pen_session_get_view (self->session)->filter;
  gboolean ready = state == PEN_SESSION_READY;

  for (gsize i = 0; i < G_N_ELEMENTS (looking); i++)
    set_enabled (self, looking[i], ready);
  set_enabled (self, "win.toggle-changed",
               ready && pen_opened_has_changes (pen_session_get_opened (self->session)));
  for (guint i = 0; i < PEN_EXPORTS; i++) {
    g_autofree char *action = g_strdup_printf ("win.export-%s", pen_export_to_string (i));

    set_enabled (self, action, pen_session_can_export (self->session, i));
  }
  for (guint i = 0; i < PEN_PROFILE_FORMATS; i++) {
    g_autofree char *action = g_strdup_printf ("win.profile-%s", pen_profile_format_to_string (i));

    set_enabled (self, action, pen_session_can_export_profile (self->session));
  }
  for (guint i = 0; i < PEN_VIEWS; i++) {
    g_autofree char *action = g_strdup_printf ("win.picture-%s", pen_view_to_string (i));

    set_enabled (self, action, pen_session_can_export_picture (self->session, i));
  }
  set_enabled (self, "win.compare-with",
               ready && pen_session_get_live (self->session) == PEN_LIVE_NONE);
  set_enabled (self, "win.compare-times",
               ready && pen_session_get_live (self->session) == PEN_LIVE_NONE);
  set_enabled (self, "win.end-comparison",
               pen_pair_session_get_state (self->pair) != PEN_PAIR_CLOSED);
  set_enabled (self, "win.export-comparison", pen_pair_session_can_export (self->pair));
  set_enabled (self, "win.export-compared", pen_pair_session_can_export (self->pair));
  set_enabled (self, "win.cancel", state == PEN_SESSION_IMPORTING);
  /* A capture that came through standard input is gone. */
  set_enabled (self, "win.retry",
               state == PEN_SESSION_FAILED
                   && !g_str_equal (pen_session_get_path (self->session), "-"));
  set_enabled (self, "win.clear-time", ready && filter->has_time);
  set_enabled (self, "win.clear-kinds", ready && filter->only.kinds != 0);
  set_enabled (self, "win.clear-changed", ready && filter->changed);
}

/* The last entry says why it cannot be chosen, where it cannot. */
void
pen_window_update_times_menu (PenWindow *self)
{
  gboolean ready = pen_session_get_state (self->session) == PEN_SESSION_READY;
  gboolean has_wall = pen_session_get_clock (self->session).has_wall;
  g_autoptr (GMenuItem) item = g_menu_item_new (
      !ready || has_wall ? _ ("Wall Cloc_k")
                         : _ ("Wall Clock: not recorded (perf record -k CLOCK__MONOTONIC)"),
      NULL);

  g_menu_item_set_action_and_target (item, "win.wall-times", "s",
                                     pen_times_to_string (PEN_TIMES_WALL));
  if (g_menu_model_get_n_items (G_MENU_MODEL (self->times_menu)) > PEN_TIMES_WALL)
    g_menu_remove (self->times_menu, PEN_TIMES_WALL);
  g_menu_append_item (self->times_menu, item);
  set_enabled (self, "win.wall-times", ready && has_wall);
}

/* Out of what was begun last. */
static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  PenSession *session = PEN_WINDOW (widget)->session;
  gboolean importing = pen_session_get_state (session) == PEN_SESSION_IMPORTING;

  if (pen_session_get_view (session)->has_mark) {
    pen_session_set_mark (session, NULL);
    return TRUE;
  }
  return gtk_widget_activate_action (widget, importing ? "win.cancel" : "win.clear-time", NULL);
}

void
pen_window_install_actions (GtkWidgetClass *widget_class)
{
  static const struct {
    const char *name;
    GtkWidgetActionActivateFunc activate;
  } actions[] = {
    { "win.search", search_action },
    { "win.next-change", change_action },
    { "win.previous-change", change_action },
    { "win.first-text", first_text_action },
    { "win.toggle-changed", toggle_changed_action },
    { "win.problems", problems_action },
    { "win.clear-time", clear_action },
    { "win.clear-kinds", clear_action },
    { "win.clear-changed", clear_action },
    { "win.next-times", next_times_action },
    { "win.zoom-in", timeline_action },
    { "win.zoom-out", timeline_action },
    { "win.zoom-fit", timeline_action },
    { "win.zoom-selection", timeline_action },
    { "win.next-pane", focus_action },
    { "win.previous-pane", focus_action },
    { "win.focus-page", focus_page_action },
    { "win.show-code", show_code_action },
    { "win.show-recording", show_recording_action },
    { "win.show-help-overlay", shortcuts_action },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, NULL, actions[i].activate);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape, NULL);
  gtk_widget_class_install_property_action (widget_class, "win.history-pane", "history-visible");
  gtk_widget_class_install_property_action (widget_class, "win.overview", "overview-visible");
  gtk_widget_class_install_property_action (widget_class, "win.fold-overview", "overview-folded");
  gtk_widget_class_install_property_action (widget_class, "win.code-pane", "code-pane");
  gtk_widget_class_install_property_action (widget_class, "win.page", "page");
  gtk_widget_class_install_property_action (widget_class, "win.times", "times");
  /* The same once more, since an action is sensitive for all that it may be told, or for nothing.
   */
  gtk_widget_class_install_property_action (widget_class, "win.wall-times", "times");
}
