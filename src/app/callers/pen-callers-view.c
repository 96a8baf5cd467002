/* pen-callers-view.c: the page of callers: stacks of samples, and who calls one function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-callers-private.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"
#include "pen-text-size.h"

/* Widths, in pixels at the usual size of text, below which something has no room. */
#define BESIDE_MIN_WIDTH 700     /* the lists of callers and callees beside the stacks */
#define BESIDE_LOW_MIN_WIDTH 500 /* the same, where there is little height, too */
#define GROUPING_MIN_WIDTH 620
#define COUNT_MIN_WIDTH 470
#define INVERTED_MIN_WIDTH 270
/* The part that the stacks have. */
#define SHARE_BESIDE 0.7
/* Heights below which the lists have no room together: below the stacks, and beside them. */
#define BESIDE_BELOW 300
#define LOW_BELOW 420
#define LOW_BESIDE 240
#define SHARE_ABOVE 0.58

G_DEFINE_FINAL_TYPE (PenCallersView, pen_callers_view, PEN_TYPE_PANE)

/* ---- what is shown ---- */

static void
show_empty (PenCallersView *self, const char *title, const char *description, gboolean can_copy)
{
  adw_status_page_set_title (self->empty, title);
  adw_status_page_set_description (self->empty, description);
  gtk_widget_set_visible (self->copy, can_copy);
  gtk_stack_set_visible_child_name (self->stack, "empty");
}

/* In a narrow window, the heat map takes their place. */
static gboolean
has_neighbours (PenCallersView *self)
{
  const PenFlameAnswer *answer = pen_session_get_answers (self->session)->flame;
  const PenFlameState *state = pen_session_get_view (self->session)->flame;

  return !(answer && answer->command) && !(self->is_narrow && state && state->is_heat);
}

static void
show_what_is_there (PenCallersView *self)
{
  const PenFlameAnswer *answer = pen_session_get_answers (self->session)->flame;
  const PenFlameState *state = pen_session_get_view (self->session)->flame;
  const GError *error = pen_session_get_error (self->session, PEN_JOB_FLAME);
  g_autofree char *message = error ? pen_format_error (error) : NULL;
  g_autofree char *escaped = message ? g_markup_escape_text (message, -1) : NULL;
  gboolean is_empty = answer && answer->tree->n_levels == 0;
  gboolean has_choices
      = state && (state->focus != PEN_FLAME_NO_FUNCTION || state->lens != PEN_FLAME_NO_FUNCTION);

  gtk_widget_set_visible (GTK_WIDGET (self->neighbours), has_neighbours (self));
  if (error) {
    show_empty (
        self, state && state->pair.is_set ? _ ("Cannot Compare Stacks") : _ ("Cannot Read Stacks"),
        escaped, FALSE);
  } else if (answer && answer->command) {
    g_autofree char *command = g_markup_escape_text (answer->command, -1);
    g_autofree char *text = g_strdup_printf (
        /* Translators: a command */
        _ ("Callers are recorded with -g:\n<tt>%s</tt>"), command);

    show_empty (self, _ ("No Callers Recorded"), text, TRUE);
  } else if (is_empty && has_choices) {
    show_empty (self, _ ("No Matching Stacks"), _ ("No stacks go through this function."), FALSE);
  } else if (is_empty) {
    if (answer->tree->measure == PEN_STACK_OFF_CPU)
      show_empty (self, _ ("No Matching Waits"), _ ("No waits match the filters."), FALSE);
    else
      show_empty (self, _ ("No Matching Samples"), _ ("No samples match the filters."), FALSE);
  } else {
    gtk_stack_set_visible_child_name (self->stack, pen_flame_state_shows_chart (state) ? "chart"
                                                   : state && state->is_table          ? "table"
                                                                                       : "picture");
  }
}

/* "48 836 samples, 12 % matched" */
static void
show_count (PenCallersView *self)
{
  const PenFlameAnswer *answer = pen_session_get_answers (self->session)->flame;
  const PenMatchAnswer *found;
  const char *search = gtk_editable_get_text (GTK_EDITABLE (self->search));
  PenStackCount matching;
  guint n = pen_flame_view_search (self->flame, search, &matching);
  gboolean is_all = !answer || answer->tree->n_left_out == 0;
  g_autofree char *count = NULL;
  g_autofree char *text = NULL;

  pen_chart_picture_search (self->chart, search);
  /* Frames too narrow to be drawn are not in the picture: they are searched meanwhile. */
  pen_session_set_flame_search (self->session, is_all ? "" : search);
  found = pen_session_get_answers (self->session)->matches;
  if (!is_all && found && g_str_equal (found->search, search)
      && !pen_session_is_busy (self->session, PEN_JOB_MATCHES)) {
    n = found->found.n_groups;
    matching = found->found.count;
    is_all = TRUE;
  }
  if (answer && !answer->command) {
    count = pen_flame_format_count (answer->tree, pen_flame_tree_get (answer->tree, 0)->total);
    if (search[0] == '\0') {
      text = g_steal_pointer (&count);
    } else {
      g_autofree char *share = pen_format_share (pen_flame_get_share (answer->tree, matching));

      if (n == 0 && is_all)
        text = g_strdup_printf (_ ("%s, no match"), count);
      else
        text = g_strdup_printf (is_all ? _ ("%s, %s matched") : _ ("%s, at least %s matched"),
                                count, share);
    }
  }
  gtk_label_set_text (self->count, text ? text : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->count), text);
}

static void
on_flame (PenCallersView *self)
{
  pen_callers_fill_table (self);
  pen_callers_show_state (self);
  show_what_is_there (self);
  show_count (self);
}

static void
on_state (PenCallersView *self)
{
  pen_callers_fill_table (self);
  pen_callers_show_state (self);
  show_what_is_there (self);
}

/* ---- buttons ---- */

static void
on_search_changed (PenCallersView *self)
{
  show_count (self);
}

static void
on_search_stopped (PenCallersView *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->flame));
}

static void
on_grouping (PenCallersView *self)
{
  static const char *const actions[PEN_STACK_GROUPINGS] = {
    [PEN_STACK_BY_FUNCTION] = "by-occupant", /* which is left */
    [PEN_STACK_BY_OCCUPANT] = "by-occupant",
    [PEN_STACK_BY_FILE] = "by-file",
  };
  guint chosen = gtk_drop_down_get_selected (self->grouping);

  if (!self->is_updating && chosen < PEN_STACK_GROUPINGS)
    g_action_group_change_action_state (G_ACTION_GROUP (self->actions), actions[chosen],
                                        g_variant_new_boolean (chosen != PEN_STACK_BY_FUNCTION));
}

static void
on_copy (PenCallersView *self)
{
  const PenFlameAnswer *answer = pen_session_get_answers (self->session)->flame;

  if (answer && answer->command)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.copy-text", "s", answer->command);
}

/* The lists beside follow the frame that a person chose. */
static void
on_frame_selected (PenCallersView *self)
{
  const PenFlameAnswer *answer = pen_flame_view_get_answer (self->flame);
  g_autoptr (PenFlameState) state = NULL;
  const PenFunction *function;
  guint node;

  if (!answer || answer != pen_session_get_answers (self->session)->flame
      || !pen_flame_view_get_selected (self->flame, &node))
    return;
  function = pen_callers_find_function (answer, node);
  if (!function)
    return;
  state = pen_session_dup_flame (self->session);
  state->subject = function->id;
  pen_session_set_flame (self->session, state);
}

static void
on_menu (PenCallersView *self, double x, double y)
{
  pen_callers_popup (self, GTK_WIDGET (self->flame), x, y);
}

/* ---- room ---- */

static int
get_length (PenCallersView *self)
{
  return self->is_narrow ? gtk_widget_get_height (GTK_WIDGET (self->paned))
                         : gtk_widget_get_width (GTK_WIDGET (self->paned));
}

/* Of the handle; changes before the length does, while sizes are being given out. */
static int
get_most (PenCallersView *self)
{
  int most;

  g_object_get (self->paned, "max-position", &most, NULL);
  return most;
}

static gboolean
arrange (gpointer data)
{
  PenCallersView *self = data;
  double share = self->share > 0 ? self->share : self->is_narrow ? SHARE_ABOVE : SHARE_BESIDE;

  self->arrange_id = 0;
  self->is_arranging = TRUE;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned), self->is_narrow
                                                                    ? GTK_ORIENTATION_VERTICAL
                                                                    : GTK_ORIENTATION_HORIZONTAL);
  pen_neighbours_view_set_low (self->neighbours, gtk_widget_get_height (GTK_WIDGET (self->paned))
                                                     < (self->is_narrow ? LOW_BELOW : LOW_BESIDE)
                                                           * pen_text_size_get_scale ());
  gtk_paned_set_position (self->paned, (int) (get_length (self) * share));
  self->most = get_most (self);
  self->is_arranging = FALSE;
  return G_SOURCE_REMOVE;
}

/* A person moved the handle, unless its range is another now. */
static void
on_position (PenCallersView *self)
{
  int length = get_length (self);

  if (!self->is_arranging && self->arrange_id == 0 && get_most (self) == self->most && length > 0)
    self->share = (double) gtk_paned_get_position (self->paned) / length;
}

static void
pen_callers_view_resized (PenPane *pane, int width)
{
  PenCallersView *self = PEN_CALLERS_VIEW (pane);
  int height = gtk_widget_get_height (GTK_WIDGET (self->paned));
  gboolean is_low = height < BESIDE_BELOW * pen_text_size_get_scale ();
  gboolean is_narrow = width < (is_low ? BESIDE_LOW_MIN_WIDTH : BESIDE_MIN_WIDTH);

  pen_column_fit (self->view, is_narrow ? width : (int) (width * SHARE_BESIDE));
  pen_pane_set_visible_later (GTK_WIDGET (self->count), width >= COUNT_MIN_WIDTH);
  /* They are in menus, too. */
  pen_pane_set_visible_later (self->inverted, width >= INVERTED_MIN_WIDTH);
  pen_pane_set_visible_later (self->table, width >= COUNT_MIN_WIDTH);
  pen_pane_set_visible_later (self->export, width >= COUNT_MIN_WIDTH);
  pen_pane_set_visible_later (GTK_WIDGET (self->grouping), width >= GROUPING_MIN_WIDTH);
  if (is_narrow != self->is_narrow)
    self->share = 0;
  self->is_narrow = is_narrow;
  pen_pane_set_visible_later (GTK_WIDGET (self->neighbours), has_neighbours (self));
  /* Not while sizes are being given out. */
  if ((get_length (self) != self->length || height != self->height) && self->arrange_id == 0)
    self->arrange_id = g_idle_add_full (G_PRIORITY_HIGH_IDLE, arrange, self, NULL);
  self->length = get_length (self);
  self->height = height;
}

/* ---- object ---- */

void
pen_callers_view_start_search (PenCallersView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

GtkWidget *
pen_callers_view_get_neighbours (PenCallersView *self)
{
  return GTK_WIDGET (self->neighbours);
}

GtkWidget *
pen_callers_view_get_heat (PenCallersView *self)
{
  return GTK_WIDGET (self->heat);
}

void
pen_callers_view_set_session (PenCallersView *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  /* Before this, which shows the frame that it has selected. */
  pen_flame_view_set_session (self->flame, session);
  pen_neighbours_view_set_session (self->neighbours, session);
  pen_heat_view_set_session (self->heat, session);
  pen_plot_view_set_session (PEN_PLOT_VIEW (self->chart), session);
  g_signal_group_set_target (self->signals, session);
  on_flame (self);
}

static void
pen_callers_view_dispose (GObject *object)
{
  PenCallersView *self = PEN_CALLERS_VIEW (object);

  self->is_updating = TRUE;
  g_clear_handle_id (&self->arrange_id, g_source_remove);
  g_clear_object (&self->signals);
  if (self->selection)
    gtk_single_selection_set_model (self->selection, NULL);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "callers", NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_CALLERS_VIEW);
  g_clear_object (&self->actions);
  g_clear_object (&self->rows);
  g_clear_object (&self->model);
  g_clear_pointer (&self->listed, pen_flame_answer_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_callers_view_parent_class)->dispose (object);
}

static void
pen_callers_view_class_init (PenCallersViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_callers_view_dispose;
  PEN_PANE_CLASS (klass)->resized = pen_callers_view_resized;
  g_type_ensure (PEN_TYPE_CHART_PICTURE);
  g_type_ensure (PEN_TYPE_FLAME_VIEW);
  g_type_ensure (PEN_TYPE_HEAT_VIEW);
  g_type_ensure (PEN_TYPE_NEIGHBOURS_VIEW);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/callers/pen-callers-view.ui");
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, search);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, inverted);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, grouping);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, count);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, table);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, export);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, choices);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, difference);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, compared);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, meaning);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, rules);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, paned);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, stack);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, flame);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, scrollbar);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, chart);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, chart_scrollbar);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, view);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, selection);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, empty);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, copy);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, neighbours);
  gtk_widget_class_bind_template_child (widget_class, PenCallersView, heat);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_h, 0, "callers.heat", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_t, 0, "callers.in-time", NULL);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_search_stopped);
  gtk_widget_class_bind_template_callback (widget_class, on_grouping);
  gtk_widget_class_bind_template_callback (widget_class, on_copy);
  gtk_widget_class_bind_template_callback_full (widget_class, "on_selected",
                                                G_CALLBACK (pen_callers_on_selected));
  gtk_widget_class_bind_template_callback_full (widget_class, "on_activate",
                                                G_CALLBACK (pen_callers_on_activate));
}

static void
pen_callers_view_init (PenCallersView *self)
{
  self->is_updating = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->is_updating = FALSE;
  self->session = pen_session_new ();
  gtk_scrollbar_set_adjustment (self->scrollbar, pen_flame_view_get_adjustment (self->flame));
  gtk_scrollbar_set_adjustment (self->chart_scrollbar,
                                pen_chart_picture_get_adjustment (self->chart));
  pen_callers_init_table (self);
  pen_callers_init_actions (self);
  g_signal_connect_object (self->flame, "selected", G_CALLBACK (on_frame_selected), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->flame, "menu", G_CALLBACK (on_menu), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->paned, "notify::position", G_CALLBACK (on_position), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_flame),
                           self, G_CONNECT_SWAPPED);
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::flame", G_CALLBACK (on_flame), self);
  g_signal_group_connect_swapped (self->signals, "answered::matches", G_CALLBACK (show_count),
                                  self);
  g_signal_group_connect_swapped (self->signals, "answered::neighbours",
                                  G_CALLBACK (pen_callers_show_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::flame", G_CALLBACK (on_state), self);
}
