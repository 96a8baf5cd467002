/* pen-window.c: one window, one session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

#include <glib/gi18n-lib.h>

#include "pen-chooser.h"
#include "pen-format.h"
#include "pen-late-spinner.h"
#include "pen-page-bar.h"
#include "pen-problem-list.h"
#include "pen-sandbox.h"
#include "pen-spoken-names.h"
#include "pen-tooltip.h"

enum {
  PROP_0,
  PROP_HISTORY_VISIBLE,
  PROP_OVERVIEW_VISIBLE,
  PROP_OVERVIEW_FOLDED,
  PROP_CODE_PANE,
  PROP_PAGE,
  PROP_TIMES,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (PenWindow, pen_window, ADW_TYPE_APPLICATION_WINDOW)

/* ---- what is shown ---- */

/* Names of captures differ at their beginning and at their end. */
static void
cut_in_the_middle (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    gtk_label_set_ellipsize (GTK_LABEL (widget), PANGO_ELLIPSIZE_MIDDLE);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    cut_in_the_middle (child);
}

/* "perf.data" alone says little: the folder is what people name. */
static void
name_capture (PenWindow *self, const char *path)
{
  g_autofree char *base = path ? pen_format_capture (path) : g_strdup ("Pentimento");
  g_autofree char *folder = path ? g_path_get_dirname (path) : g_strdup ("");
  g_autofree char *folder_base = pen_format_basename (folder);
  gboolean is_joined;

  g_free (self->name);
  g_free (self->short_name);
  self->name = path ? pen_format_capture_in_folder (path) : g_strdup (base);
  is_joined = !g_str_equal (self->name, base);
  self->short_name = g_strdup (is_joined && g_str_equal (base, "perf.data") ? folder_base : base);
}

static void
show_title (PenWindow *self)
{
  const char *path = pen_session_get_path (self->session);
  const PenOpened *opened = pen_session_get_opened (self->session);
  g_autofree char *shown = NULL;
  g_autofree char *whole = NULL;

  name_capture (self, path);
  g_free (self->facts);
  self->facts = g_strdup ("");
  if (opened) {
    g_autofree char *duration = pen_format_duration (pen_span_length (opened->span));
    g_autofree char *release = pen_display_text (opened->release ? opened->release : "");

    g_free (self->facts);
    self->facts = g_strdup_printf ("%s%s%s", release, release[0] ? " · " : "", duration);
  }
  /* Where the header has little room, it is cut. */
  shown = pen_display_text (path ? path : "");
  whole = g_strdup_printf ("%s\n%s\n%s", self->name, self->facts, shown);
  g_strchomp (whole);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), whole);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->centre_title), whole);
  gtk_window_set_title (GTK_WINDOW (self), self->name);
}

/* Returns: FALSE: there is something better to show */
static gboolean
show_advice (PenWindow *self)
{
  const GError *failure = pen_session_get_failure (self->session);
  const PenOpened *opened = pen_session_get_opened (self->session);
  const char *path = pen_session_get_path (self->session);
  g_autoptr (PenErrorAdvice) advice
      = failure  ? pen_error_advice_new (failure, path, pen_sandbox_is_inside ())
        : opened ? pen_error_advice_new_for_nothing (opened, path)
                 : NULL;

  if (advice)
    pen_error_page_show (self->error_page, advice);
  return advice != NULL;
}

static const char *
get_page (PenWindow *self)
{
  return gtk_stack_get_visible_child_name (self->stack);
}

/* A file that ends early is worth seeing all the same; but it is not what was recorded. */
static void
tell_of_early_end (PenWindow *self)
{
  const PenOpened *opened = pen_session_get_opened (self->session);
  PenClock clock = pen_session_get_clock (self->session);
  g_autofree char *kept = NULL;
  g_autofree char *text = NULL;
  g_autofree char *escaped = NULL;

  /* Where nothing was kept, the page says so. */
  if (!pen_problem_list_ends_early (opened) || g_str_equal (get_page (self), "error"))
    return;
  kept = pen_problem_list_describe_kept (opened, &clock);
  text = g_strdup_printf (_ ("The recording ends early. Kept: %s"), kept);
  escaped = g_markup_escape_text (text, -1);
  g_set_weak_pointer (&self->early_end, adw_toast_new (escaped));
  adw_toast_set_button_label (self->early_end, _ ("Details"));
  adw_toast_set_action_name (self->early_end, "win.problems");
  adw_toast_set_timeout (self->early_end, 10);
  adw_toast_overlay_add_toast (self->toasts, self->early_end);
}

static void
tell_remark (PenWindow *self)
{
  const char *remark = pen_error_advice_get_remark (pen_session_get_opened (self->session));
  AdwToast *toast;

  if (!remark || g_str_equal (get_page (self), "error"))
    return;
  toast = adw_toast_new (remark);
  adw_toast_set_button_label (toast, _ ("Recording"));
  adw_toast_set_action_name (toast, "win.show-recording");
  adw_toast_set_timeout (toast, 10);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

static void
tell_of_import (PenWindow *self)
{
  guint32 notes = pen_session_get_opened (self->session)->notes;

  for (guint i = 0; i < PEN_IMPORT_NOTES; i++) {
    if ((notes & 1u << i) != 0)
      adw_toast_overlay_add_toast (self->toasts, adw_toast_new (_ (pen_import_note_to_string (i))));
  }
}

static void
cross_over (PenWindow *self)
{
  if (!self->crossing || pen_session_is_busy (self->session, PEN_JOB_OVERVIEW))
    return;
  self->crossing = FALSE;
  gtk_stack_set_visible_child_full (self->stack, "main", GTK_STACK_TRANSITION_TYPE_CROSSFADE);
}

static void
on_state (PenWindow *self)
{
  static const char *const pages[] = {
    [PEN_SESSION_EMPTY] = "empty",
    [PEN_SESSION_IMPORTING] = "import",
    [PEN_SESSION_READY] = "main",
    [PEN_SESSION_FAILED] = "error",
  };
  PenSessionState state = pen_session_get_state (self->session);
  gboolean has_advice;

  if (self->early_end)
    adw_toast_dismiss (self->early_end);
  has_advice = show_advice (self);
  self->advised_on = pen_session_get_view (self->session)->page;
  show_title (self);
  /* The import's picture stays until the timeline can be drawn in its place. */
  self->crossing = state == PEN_SESSION_READY && !has_advice
                   && pen_import_page_is_revealed (self->import_page)
                   && g_str_equal (get_page (self), "import");
  if (!self->crossing)
    gtk_stack_set_visible_child_full (self->stack, has_advice ? "error" : pages[state],
                                      GTK_STACK_TRANSITION_TYPE_NONE);
  self->code_pane = PEN_CODE_PANE_FUNCTIONS;
  pen_window_fold_update (self);
  pen_window_notify_panes (self);
  if (state != PEN_SESSION_READY)
    pen_window_fold_forget (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  pen_window_update_actions (self);
  pen_window_update_times_menu (self);
  if (state != PEN_SESSION_READY)
    return;
  tell_of_import (self);
  tell_of_early_end (self);
  tell_remark (self);
}

/* A recording that is being made is longer now. */
static void
on_part (PenWindow *self)
{
  show_title (self);
  pen_window_fold_update (self);
}

static void
on_clock (PenWindow *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TIMES]);
}

static void
on_busy (PenWindow *self)
{
  cross_over (self);
  if (pen_session_is_settled (self->session) || pen_session_works_ahead (self->session))
    pen_late_spinner_stop (GTK_SPINNER (self->busy));
  else
    pen_late_spinner_start (GTK_SPINNER (self->busy));
  pen_window_measure_ahead (self);
  pen_window_update_actions (self);
}

static void
on_page (PenWindow *self)
{
  /* Where there is nothing to see, one may still look at all of it. */
  if (g_str_equal (get_page (self), "error")
      && pen_session_get_state (self->session) == PEN_SESSION_READY
      && pen_session_get_view (self->session)->page != self->advised_on)
    gtk_stack_set_visible_child_full (self->stack, "main", GTK_STACK_TRANSITION_TYPE_NONE);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAGE]);
}

PenSession *
pen_window_get_session (PenWindow *self)
{
  return self->session;
}

void
pen_window_show_line (PenWindow *self, guint64 address)
{
  pen_session_set_line (self->session, &address);
  pen_annotation_view_open_line (self->annotation, address);
}

/* ---- object ---- */

static void
pen_window_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PenWindow *self = PEN_WINDOW (object);

  /* Asked for while the template is still being made, too. */
  switch (id) {
  case PROP_HISTORY_VISIBLE:
    g_value_set_boolean (value, !self->session
                                    || pen_window_shows_code_pane (self, PEN_CODE_PANE_HISTORY));
    break;
  case PROP_OVERVIEW_VISIBLE:
    g_value_set_boolean (value, !self->overview_hidden);
    break;
  case PROP_OVERVIEW_FOLDED:
    g_value_set_boolean (value, self->fold && pen_window_overview_is_folded (self));
    break;
  case PROP_CODE_PANE:
    g_value_set_string (value, pen_code_pane_to_string (self->code_pane));
    break;
  case PROP_PAGE:
    g_value_set_string (value, pen_page_to_string (self->session
                                                       ? pen_session_get_view (self->session)->page
                                                       : PEN_PAGE_CODE));
    break;
  case PROP_TIMES:
    g_value_set_string (
        value, pen_times_to_string (self->session ? pen_session_get_view (self->session)->times
                                                  : PEN_TIMES_RECORDED));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
pen_window_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PenWindow *self = PEN_WINDOW (object);
  PenCodePane pane;
  PenPage page;
  PenTimes times;

  switch (id) {
  case PROP_HISTORY_VISIBLE:
    pen_window_fold_set_history_visible (self, g_value_get_boolean (value));
    pen_window_notify_panes (self);
    break;
  case PROP_OVERVIEW_VISIBLE:
    self->overview_hidden = !g_value_get_boolean (value);
    pen_window_fold_update (self);
    g_object_notify_by_pspec (object, pspec);
    break;
  case PROP_OVERVIEW_FOLDED:
    pen_window_overview_set_folded (self, g_value_get_boolean (value));
    break;
  case PROP_CODE_PANE:
    if (pen_code_pane_from_string (g_value_get_string (value), &pane))
      pen_window_fold_show_code_pane (self, pane);
    pen_window_notify_panes (self);
    break;
  case PROP_PAGE:
    if (pen_page_from_string (g_value_get_string (value), &page))
      pen_session_set_page (self->session, page);
    break;
  case PROP_TIMES:
    if (pen_times_from_string (g_value_get_string (value), &times))
      pen_session_set_times (self->session, times);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static gboolean
pen_window_focus (GtkWidget *widget, GtkDirectionType direction)
{
  return pen_window_fold_leave_list (PEN_WINDOW (widget), direction)
         || GTK_WIDGET_CLASS (pen_window_parent_class)->focus (widget, direction);
}

static void
pen_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PenWindow *self = PEN_WINDOW (widget);

  self->arranging = TRUE;
  pen_window_fold_arrange (self, width - pen_window_get_find_room (self), height);
  GTK_WIDGET_CLASS (pen_window_parent_class)->size_allocate (widget, width, height, baseline);
  self->arranging = FALSE;
}

static void
pen_window_dispose (GObject *object)
{
  PenWindow *self = PEN_WINDOW (object);

  pen_window_stop_ahead (self);
  g_clear_pointer (&self->chooser, pen_chooser_release);
  g_clear_weak_pointer (&self->early_end);
  g_clear_weak_pointer (&self->notes);
  if (self->session) {
    g_signal_handlers_disconnect_by_data (self->session, self);
    pen_session_cancel (self->session);
  }
  if (self->pair) {
    g_signal_handlers_disconnect_by_data (self->pair, self);
    pen_pair_session_close (self->pair);
  }
  /* GTK 4.8 keeps what it takes the focus from, for good if that happens twice. */
  gtk_window_set_focus (GTK_WINDOW (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_WINDOW);
  g_clear_object (&self->pair);
  g_clear_object (&self->compare_later);
  g_clear_object (&self->compared);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_window_parent_class)->dispose (object);
}

static void
pen_window_finalize (GObject *object)
{
  PenWindow *self = PEN_WINDOW (object);

  g_free (self->name);
  g_free (self->short_name);
  g_free (self->facts);

  G_OBJECT_CLASS (pen_window_parent_class)->finalize (object);
}

static void
pen_window_class_init (PenWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = pen_window_dispose;
  object_class->finalize = pen_window_finalize;
  object_class->get_property = pen_window_get_property;
  object_class->set_property = pen_window_set_property;
  widget_class->size_allocate = pen_window_size_allocate;
  widget_class->focus = pen_window_focus;
  properties[PROP_HISTORY_VISIBLE]
      = g_param_spec_boolean ("history-visible", NULL, NULL, TRUE,
                              G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_OVERVIEW_VISIBLE]
      = g_param_spec_boolean ("overview-visible", NULL, NULL, TRUE,
                              G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_OVERVIEW_FOLDED]
      = g_param_spec_boolean ("overview-folded", NULL, NULL, FALSE,
                              G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_CODE_PANE]
      = g_param_spec_string ("code-pane", NULL, NULL, "functions",
                             G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_PAGE]
      = g_param_spec_string ("page", NULL, NULL, "code",
                             G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_TIMES]
      = g_param_spec_string ("times", NULL, NULL, "recorded",
                             G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  g_type_ensure (PEN_TYPE_FOLD);
  g_type_ensure (PEN_TYPE_PAGE_BAR);
  g_type_ensure (PEN_TYPE_PLACE_BUTTONS);
  g_type_ensure (PEN_TYPE_START_PAGE);
  g_type_ensure (PEN_TYPE_ERROR_PAGE);
  g_type_ensure (PEN_TYPE_IMPORT_PAGE);
  g_type_ensure (PEN_TYPE_LIVE_BAR);
  g_type_ensure (PEN_TYPE_MISSING_BANNER);
  g_type_ensure (PEN_TYPE_FILTER_BAR);
  g_type_ensure (PEN_TYPE_TIMELINE);
  g_type_ensure (PEN_TYPE_TEXT_MAP);
  g_type_ensure (PEN_TYPE_FUNCTIONS_VIEW);
  g_type_ensure (PEN_TYPE_ANNOTATION_VIEW);
  g_type_ensure (PEN_TYPE_HISTORY_VIEW);
  g_type_ensure (PEN_TYPE_CALLERS_VIEW);
  g_type_ensure (PEN_TYPE_CAUSES_VIEW);
  g_type_ensure (PEN_TYPE_OCCUPANTS_VIEW);
  g_type_ensure (PEN_TYPE_PAIR_VIEW);
  g_type_ensure (PEN_TYPE_RECORDING_VIEW);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/window/pen-window.ui");
  gtk_widget_class_bind_template_child (widget_class, PenWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, title);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, fold);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, centre_title);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, title_stack);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, switcher);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, switcher_clamp);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, switcher_bar);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, views);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, open_button);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, code_panes);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, overview_button);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, export_button);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, history_button);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, place_buttons);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, busy);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, error_page);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, overview_paned);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, find);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, tour);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, functions_paned);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, history_paned);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, import_page);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, strips);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, live_bar);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, missing_banner);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, filter_bar);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, timeline);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, times_menu);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, recents_menu);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, functions);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, annotation);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, history);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, map);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, callers);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, causes);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, recording);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, occupants);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, code_stack);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, pair_view);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, narrow_menu);
  gtk_widget_class_bind_template_child (widget_class, PenWindow, main_button);
  pen_window_install_actions (widget_class);
  pen_window_install_export (widget_class);
  pen_window_install_steps (widget_class);
  pen_window_install_find (widget_class);
  pen_window_install_pair (widget_class);
  pen_window_install_files (widget_class);
  pen_window_install_tour (widget_class);
}

static void
pen_window_init (PenWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->session = pen_session_new ();
  cut_in_the_middle (GTK_WIDGET (self->title));
  cut_in_the_middle (GTK_WIDGET (self->centre_title));
  pen_import_page_set_session (self->import_page, self->session);
  gtk_size_group_add_widget (self->strips, pen_import_page_get_strip (self->import_page));
  gtk_size_group_add_widget (self->strips, GTK_WIDGET (self->filter_bar));
  pen_live_bar_set_session (self->live_bar, self->session);
  pen_missing_banner_set_session (self->missing_banner, self->session);
  pen_filter_bar_set_session (self->filter_bar, self->session);
  pen_plot_view_set_session (PEN_PLOT_VIEW (self->timeline), self->session);
  pen_timeline_set_times_menu (self->timeline, G_MENU_MODEL (self->times_menu));
  pen_functions_view_set_session (self->functions, self->session);
  pen_annotation_view_set_session (self->annotation, self->session);
  pen_history_view_set_session (self->history, self->session);
  pen_callers_view_set_session (self->callers, self->session);
  pen_plot_view_set_session (PEN_PLOT_VIEW (self->map), self->session);
  self->changes = pen_causes_view_get_changes (self->causes);
  pen_causes_view_set_session (self->causes, self->session);
  pen_occupants_view_set_session (self->occupants, self->session);
  pen_recording_view_set_session (self->recording, self->session);

  g_signal_connect_swapped (self->session, "notify::state", G_CALLBACK (on_state), self);
  g_signal_connect_swapped (self->session, "notify::part", G_CALLBACK (on_part), self);
  g_signal_connect_swapped (self->session, "notify::page", G_CALLBACK (on_page), self);
  g_signal_connect_swapped (self->session, "notify::clock", G_CALLBACK (on_clock), self);
  g_signal_connect_swapped (self->session, "notify::busy", G_CALLBACK (on_busy), self);
  g_signal_connect_swapped (self->session, "notify::filter", G_CALLBACK (pen_window_update_actions),
                            self);
  g_signal_connect_swapped (self->session, "notify::line", G_CALLBACK (pen_window_update_actions),
                            self);
  g_signal_connect_swapped (self->session, "notify::flame", G_CALLBACK (pen_window_update_actions),
                            self);
  g_signal_connect_swapped (self->session, "notify::live", G_CALLBACK (pen_window_update_actions),
                            self);
  pen_window_init_pair (self);
  pen_window_fold_init (self);
  pen_window_overview_init (self);
  pen_window_init_steps (self);
  pen_window_init_find (self);
  pen_window_init_files (self);
  pen_window_init_drag (self);
  pen_window_init_tour (self);
  pen_window_init_notice (self);
  pen_window_init_start (self);
  on_state (self);
  pen_spoken_names_mend (GTK_WIDGET (self));
  pen_tooltip_yield_to_menus (GTK_WIDGET (self));
}
