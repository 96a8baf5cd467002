/* pen-callers-actions.c: what can be done with stacks and their frames
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-callers-private.h"

#include <glib/gi18n-lib.h>

#include "pen-context-menu.h"
#include "pen-display.h"
#include "pen-palette.h"
#include "pen-row-facts.h"
#include "pen-row-menu.h"

/* Texts of a frame that its menu has. */
#define TEXTS_MAX 12

/* ---- the selected frame ---- */

const PenFunction *
pen_callers_find_function (const PenFlameAnswer *answer, guint node)
{
  guint32 group = pen_flame_tree_get (answer->tree, node)->group;
  guint32 id
      = group != PEN_STACK_NO_GROUP ? answer->tree->groups[group].function : PEN_FLAME_NO_FUNCTION;

  return id < answer->n_functions ? &answer->functions[id] : NULL;
}

static const PenFunction *
get_selected (PenCallersView *self)
{
  const PenFlameAnswer *answer = pen_flame_view_get_answer (self->flame);
  guint node;

  return answer && pen_flame_view_get_selected (self->flame, &node)
             ? pen_callers_find_function (answer, node)
             : NULL;
}

/* ---- what is shown: switches ---- */

/* Where the actions have their states. */
static const struct {
  const char *action;
  glong offset;
  int on;
} switches[] = {
  { "downwards", G_STRUCT_OFFSET (PenFlameState, is_downwards), TRUE },
  { "recursion", G_STRUCT_OFFSET (PenFlameState, collapses_recursion), TRUE },
  { "by-period", G_STRUCT_OFFSET (PenFlameState, measure), PEN_STACK_PERIOD },
  { "by-off-cpu", G_STRUCT_OFFSET (PenFlameState, measure), PEN_STACK_OFF_CPU },
  { "table", G_STRUCT_OFFSET (PenFlameState, is_table), TRUE },
  { "heat", G_STRUCT_OFFSET (PenFlameState, is_heat), TRUE },
  { "in-time", G_STRUCT_OFFSET (PenFlameState, is_chart), TRUE },
  { "by-task", G_STRUCT_OFFSET (PenFlameState, chart_key), PEN_CHART_BY_TASK },
  { "inverted", G_STRUCT_OFFSET (PenFlameState, is_inverted), TRUE },
  { "by-occupant", G_STRUCT_OFFSET (PenFlameState, grouping), PEN_STACK_BY_OCCUPANT },
  { "by-file", G_STRUCT_OFFSET (PenFlameState, grouping), PEN_STACK_BY_FILE },
  { "as-of", G_STRUCT_OFFSET (PenFlameState, is_as_of), TRUE },
};

/* Frames of another order or grouping are others: there is nothing to be zoomed into. */
static void
set (PenCallersView *self, PenFlameState *state)
{
  const PenFlameState *old = pen_session_get_view (self->session)->flame;
  g_autoptr (PenFlameState) before = pen_flame_state_copy (old);

  if (state->grouping != before->grouping
      || pen_flame_state_get_order (state) != pen_flame_state_get_order (before)
      || (state->measure == PEN_STACK_OFF_CPU) != (before->measure == PEN_STACK_OFF_CPU)
      || state->focus != before->focus || state->collapses_recursion != before->collapses_recursion)
    pen_flame_state_set_zoom (state, NULL);
  pen_session_set_flame (self->session, state);
}

static void
on_switch (GSimpleAction *action, GVariant *value, gpointer data)
{
  PenCallersView *self = data;
  g_autoptr (PenFlameState) state = pen_session_dup_flame (self->session);
  const char *name = g_action_get_name (G_ACTION (action));

  for (guint i = 0; i < G_N_ELEMENTS (switches); i++) {
    if (g_str_equal (name, switches[i].action))
      G_STRUCT_MEMBER (int, state, switches[i].offset)
          = g_variant_get_boolean (value) ? switches[i].on : 0;
  }
  set (self, state);
}

/* ---- what is shown: the order ---- */

/* Most on the left, by name, or in time: where pictures of stacks are alike but for this. */
static const struct {
  const char *word;
  PenFlameSort sort;
  gboolean is_chart;
} orders[] = {
  { "heavy", PEN_FLAME_HEAVY_FIRST, FALSE },
  { "name", PEN_FLAME_BY_NAME, FALSE },
  { "time", PEN_FLAME_HEAVY_FIRST, TRUE },
};

static void
on_order (GSimpleAction *action, GVariant *value, gpointer data)
{
  PenCallersView *self = data;
  g_autoptr (PenFlameState) state = pen_session_dup_flame (self->session);

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++) {
    if (!g_str_equal (g_variant_get_string (value, NULL), orders[i].word))
      continue;
    state->is_chart = orders[i].is_chart;
    /* The order of the picture that one comes back to stays. */
    if (!state->is_chart)
      state->sort = orders[i].sort;
  }
  set (self, state);
}

static void
show_order (PenCallersView *self, const PenFlameState *state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "order");
  const char *word = state->is_chart ? "time" : state->sort == PEN_FLAME_BY_NAME ? "name" : "heavy";

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (word));
}

/* ---- what is shown: a frame ---- */

static void
on_frame (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  PenCallersView *self = data;
  const PenFunction *function = get_selected (self);
  const char *name = g_action_get_name (G_ACTION (action));
  g_autoptr (PenFlameState) state = pen_session_dup_flame (self->session);

  if (!function)
    return;
  if (g_str_equal (name, "focus") || g_str_equal (name, "focus-callers")) {
    state->focus = function->id;
    state->is_inverted = g_str_equal (name, "focus-callers");
  } else if (g_str_equal (name, "hide")) {
    pen_flame_state_hide (state, function->id);
    pen_flame_state_set_zoom (state, NULL);
  } else {
    pen_flame_state_set_lens (state, function->id, g_str_equal (name, "without"));
    pen_flame_state_set_zoom (state, NULL);
  }
  set (self, state);
}

/* "u": an index of the tree's versions */
static void
on_text (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  PenCallersView *self = data;
  const PenFlameAnswer *answer = pen_flame_view_get_answer (self->flame);
  const PenFunction *function = get_selected (self);
  guint index = g_variant_get_uint32 (parameter);
  g_autoptr (PenFlameState) state = pen_session_dup_flame (self->session);

  if (!function || index >= answer->tree->versions->len)
    return;
  pen_flame_state_set_lens (state, function->id, FALSE);
  pen_flame_state_set_lens_text (state,
                                 &g_array_index (answer->tree->versions, PenFlameVersion, index));
  pen_flame_state_set_zoom (state, NULL);
  set (self, state);
}

static void
on_show_code (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  PenCallersView *self = data;
  const PenFunction *function = get_selected (self);

  if (!function)
    return;
  pen_session_set_function (self->session, function->id);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-code", NULL);
}

static void
on_zoom (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  PenCallersView *self = data;
  guint node = 0;

  if (g_str_equal (g_action_get_name (G_ACTION (action)), "zoom-in")
      && !pen_flame_view_get_selected (self->flame, &node))
    return;
  pen_flame_view_zoom (self->flame, node);
}

/* All stacks, shown as they were. */
static void
on_reset (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  PenCallersView *self = data;
  g_autoptr (PenFlameState) old = pen_session_dup_flame (self->session);
  g_autoptr (PenFlameState) state = pen_flame_state_new ();

  state->is_table = old->is_table;
  state->is_heat = old->is_heat;
  state->is_chart = old->is_chart;
  state->chart_key = old->chart_key;
  state->is_downwards = old->is_downwards;
  state->is_as_of = old->is_as_of;
  state->subject = old->subject;
  pen_session_set_flame (self->session, state);
}

/* ---- the menu of a frame ---- */

static void
describe_frame (PenCallersView *self, guint node, PenRow *row)
{
  const PenFlameAnswer *answer = pen_flame_view_get_answer (self->flame);
  const PenFunction *function = pen_callers_find_function (answer, node);

  if (function) {
    pen_row_tell_function (row, function);
    pen_row_add_action (row, _ ("Show in _Code"), "callers.show-code");
  }
  pen_row_add_action (row, _ ("_Zoom In"), "callers.zoom-in");
  pen_row_add_action (row, _ ("Zoom Out to _All"), "callers.zoom-all");
  if (!function)
    return;
  pen_row_add_action (row, _ ("Stacks from _Here"), "callers.focus");
  pen_row_add_action (row, _ ("Callers of T_his"), "callers.focus-callers");
  pen_row_add_action (row, _ ("Only Stacks Throu_gh This"), "callers.through");
  pen_row_add_action (row, _ ("Only Stacks _Without This"), "callers.without");
  pen_row_add_action (row, _ ("Hi_de These Frames"), "callers.hide");
}

static void
describe_row (gpointer item, PenRow *row, gpointer owner)
{
  PenCallersView *self = owner;

  if (pen_flame_item_get_answer (item) != pen_flame_view_get_answer (self->flame))
    return;
  pen_flame_view_select (self->flame, pen_flame_item_get_node (item));
  describe_frame (self, pen_flame_item_get_node (item), row);
}

/* "original", "Ftrace 7" */
static char *
name_text (guint32 revision, PenCause cause)
{
  return revision == 0 ? g_strdup (C_ ("version", "original"))
                       : g_strdup_printf ("%s %u", pen_palette_cause_title (cause), revision);
}

/* The texts that the frame was in: each is a lens. */
static void
append_texts (GMenu *menu, const PenFlameTree *tree, guint index)
{
  const PenFlameNode *node = pen_flame_tree_get (tree, index);
  g_autoptr (GMenu) texts = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();

  for (guint i = 0; i < MIN (node->n_versions, TEXTS_MAX); i++) {
    const PenFlameVersion *version
        = &g_array_index (tree->versions, PenFlameVersion, node->first_version + i);
    g_autofree char *text = name_text (version->revision, version->cause);
    g_autofree char *count = pen_flame_format_count (tree, version->count);
    g_autofree char *label = version->tenure > 1 ? g_strdup_printf (_ ("%s, load %u: %s"), text,
                                                                    version->tenure, count)
                                                 : g_strdup_printf ("%s: %s", text, count);
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

    g_menu_item_set_action_and_target (item, "callers.text", "u", node->first_version + i);
    g_menu_append_item (texts, item);
  }
  if (node->n_versions == 0)
    return;
  g_menu_append_submenu (section, _ ("Only Stacks in One Te_xt"), G_MENU_MODEL (texts));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

void
pen_callers_popup (PenCallersView *self, GtkWidget *about, double x, double y)
{
  const PenFlameAnswer *answer = pen_flame_view_get_answer (self->flame);
  GdkRectangle place = { (int) x, (int) y, 1, 1 };
  g_autoptr (PenRow) row = pen_row_new ();
  g_autoptr (GMenuModel) model = NULL;
  g_autofree char *name = NULL;
  guint node;

  if (!answer || !pen_flame_view_get_selected (self->flame, &node))
    return;
  name = pen_flame_dup_name (answer->tree, pen_flame_tree_get (answer->tree, node)->group);
  pen_row_add_cell (row, name);
  describe_frame (self, node, row);
  model = pen_row_menu_new_model (row);
  append_texts (G_MENU (model), answer->tree, node);
  pen_context_menu_popup (about, model, "callers", G_ACTION_GROUP (self->actions), &place);
}

/* ---- what was done, as chips: a click undoes it ---- */

static char *
name_function (PenCallersView *self, guint32 id)
{
  const PenFlameAnswer *answer = pen_session_get_answers (self->session)->flame;
  const PenFunction *function = answer && id < answer->n_functions ? &answer->functions[id] : NULL;

  if (!function)
    return g_strdup (_ ("a function"));
  return pen_display_text (function->symbol && function->symbol[0] ? function->symbol
                                                                   : function->occupant);
}

static void
on_undo (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  PenCallersView *self = data;
  const char *name = g_action_get_name (G_ACTION (action));
  g_autoptr (PenFlameState) state = pen_session_dup_flame (self->session);

  if (g_str_equal (name, "no-focus"))
    state->focus = PEN_FLAME_NO_FUNCTION;
  else if (g_str_equal (name, "no-lens"))
    pen_flame_state_set_lens (state, PEN_FLAME_NO_FUNCTION, FALSE);
  else if (g_str_equal (name, "no-as-of"))
    state->is_as_of = FALSE;
  else
    g_array_set_size (state->hidden, 0);
  if (!g_str_equal (name, "no-as-of"))
    pen_flame_state_set_zoom (state, NULL);
  set (self, state);
}

static void
add_chip (PenCallersView *self, const char *text, const char *action, const char *tooltip)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *button = gtk_button_new ();
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("window-close-symbolic"));
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_add_css_class (button, "chip");
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_box_append (GTK_BOX (self->choices), button);
}

static void
add_chips_of_tree (PenCallersView *self, const PenFlameState *state)
{
  if (state->focus != PEN_FLAME_NO_FUNCTION) {
    g_autofree char *name = name_function (self, state->focus);
    g_autofree char *text
        = g_strdup_printf (state->is_inverted ? _ ("Callers of %s") : _ ("Stacks from %s"), name);

    add_chip (self, text, "callers.no-focus", _ ("Show all stacks again"));
  }
  if (state->lens != PEN_FLAME_NO_FUNCTION) {
    g_autofree char *name = name_function (self, state->lens);
    g_autofree char *version = name_text (state->lens_revision, state->lens_cause);
    g_autofree char *text
        /* Translators: a function, in one of its texts: "original", "Ftrace 7" */
        = state->has_lens_text      ? g_strdup_printf (_ ("Through %s (%s)"), name, version)
          : state->is_lens_reversed ? g_strdup_printf (_ ("Without %s"), name)
                                    : g_strdup_printf (_ ("Through %s"), name);

    add_chip (self, text, "callers.no-lens", _ ("Show all stacks again"));
  }
  if (state->hidden->len > 0) {
    g_autofree char *name = name_function (self, g_array_index (state->hidden, guint32, 0));
    g_autofree char *text = g_strdup_printf (
        state->hidden->len == 1 ? _ ("%s hidden") : _ ("%s and others hidden"), name);

    add_chip (self, text, "callers.no-hidden", _ ("Show all stacks again"));
  }
}

/* Of the lists beside; the stretch comes with them. */
static void
add_chip_of_playhead (PenCallersView *self)
{
  const PenNeighbourAnswer *answer = pen_session_get_answers (self->session)->neighbours;
  PenSpan span = pen_session_get_span (self->session);
  PenClock clock = pen_session_get_clock (self->session);
  g_autofree char *text = NULL;

  if (answer && answer->has_stretch) {
    guint64 from = CLAMP (answer->from, span.from, span.to);
    guint64 to = CLAMP (answer->to, span.from, span.to);
    guint64 resolution = MAX ((to - from) / 1000, 1);
    g_autofree char *first = pen_clock_format (&clock, from, resolution);
    g_autofree char *last = pen_clock_format_long (&clock, to, resolution);

    /* Translators: callers and callees; times */
    text = g_strdup_printf (_ ("Callers as of the playhead: %s–%s"), first, last);
  }
  add_chip (self, text ? text : _ ("Callers as of the playhead"), "callers.no-as-of",
            _ ("Callers and callees of all times"));
}

/* They do not hold for stacks in time order. */
static void
disable_chips (PenCallersView *self, GtkWidget *first)
{
  GtkWidget *label = gtk_label_new (_ ("Not in time order"));

  for (GtkWidget *chip = first; chip; chip = gtk_widget_get_next_sibling (chip))
    gtk_widget_set_sensitive (chip, FALSE);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (self->choices), label);
}

static void
show_chips (PenCallersView *self, const PenFlameState *state)
{
  GtkWidget *child, *others;

  while ((child = gtk_widget_get_first_child (self->choices)))
    gtk_box_remove (GTK_BOX (self->choices), child);
  if (pen_flame_state_follows_playhead (state))
    add_chip_of_playhead (self);
  child = gtk_widget_get_last_child (self->choices);
  add_chips_of_tree (self, state);
  others = child ? gtk_widget_get_next_sibling (child) : gtk_widget_get_first_child (self->choices);
  if (others && pen_flame_state_shows_chart (state))
    disable_chips (self, others);
  gtk_widget_set_visible (self->choices, gtk_widget_get_first_child (self->choices) != NULL);
}

/* ---- */

static void
set_enabled (PenCallersView *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

void
pen_callers_show_state (PenCallersView *self)
{
  static const char *const of_trees[] = { "downwards", "recursion", "inverted" };
  g_autoptr (PenFlameState) state = pen_session_dup_flame (self->session);

  for (guint i = 0; i < G_N_ELEMENTS (switches); i++) {
    GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), switches[i].action);
    gboolean on = G_STRUCT_MEMBER (int, state, switches[i].offset) == switches[i].on;

    g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (on));
  }
  show_order (self, state);
  /* No CPU waits. */
  set_enabled (self, "by-task",
               pen_flame_state_shows_chart (state) && state->measure != PEN_STACK_OFF_CPU);
  set_enabled (self, "in-time", !state->pair.is_set);
  set_enabled (self, "as-of", !state->pair.is_set && state->grouping == PEN_STACK_BY_FUNCTION);
  for (guint i = 0; i < G_N_ELEMENTS (of_trees); i++)
    set_enabled (self, of_trees[i], !pen_flame_state_shows_chart (state));
  set_enabled (self, "zoom-all", state->zoom->len > 0 && !pen_flame_state_shows_chart (state));
  set_enabled (self, "no-focus", state->focus != PEN_FLAME_NO_FUNCTION);
  set_enabled (self, "no-lens", state->lens != PEN_FLAME_NO_FUNCTION);
  set_enabled (self, "no-hidden", state->hidden->len > 0);
  self->is_updating = TRUE;
  gtk_drop_down_set_selected (self->grouping, state->grouping);
  self->is_updating = FALSE;
  show_chips (self, state);
  pen_callers_show_difference (self, state);
}

void
pen_callers_init_actions (PenCallersView *self)
{
  static const GActionEntry plain[] = {
    { .name = "order", .parameter_type = "s", .state = "'heavy'", .change_state = on_order },
    { .name = "zoom-in", .activate = on_zoom },
    { .name = "zoom-all", .activate = on_zoom },
    { .name = "reset", .activate = on_reset },
    { .name = "text", .activate = on_text, .parameter_type = "u" },
    { .name = "show-code", .activate = on_show_code },
    { .name = "focus", .activate = on_frame },
    { .name = "focus-callers", .activate = on_frame },
    { .name = "through", .activate = on_frame },
    { .name = "without", .activate = on_frame },
    { .name = "hide", .activate = on_frame },
    { .name = "no-focus", .activate = on_undo },
    { .name = "no-lens", .activate = on_undo },
    { .name = "no-hidden", .activate = on_undo },
    { .name = "no-as-of", .activate = on_undo },
  };

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), plain, G_N_ELEMENTS (plain), self);
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++) {
    g_autoptr (GSimpleAction) action
        = g_simple_action_new_stateful (switches[i].action, NULL, g_variant_new_boolean (FALSE));

    g_signal_connect (action, "change-state", G_CALLBACK (on_switch), self);
    g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (action));
  }
  pen_callers_init_difference (self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "callers", G_ACTION_GROUP (self->actions));
  pen_row_menu_add (GTK_WIDGET (self->view), describe_row, self);
}
