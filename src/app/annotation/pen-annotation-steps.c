/* pen-annotation-steps.c: from line to line of the annotation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-annotation-private.h"

#include "pen-jump-target.h"
#include "pen-slot-steps.h"

PenSlot *
pen_annotation_dup_selected (PenAnnotationView *self)
{
  GtkTreeListRow *row = gtk_single_selection_get_selected_item (self->selection);

  return row ? gtk_tree_list_row_get_item (row) : NULL;
}

static gboolean
can_follow (const PenJumpTarget *jump)
{
  return jump->kind != PEN_JUMP_TARGET_NONE;
}

/* When the line stood there: at the playhead, if it did so then. */
static guint64
find_time (PenSlot *slot, guint64 playhead)
{
  const PenAnnotationLine *line = pen_slot_get_line (slot);

  return playhead >= line->from.time && playhead < line->to.time ? playhead : line->from.time;
}

void
pen_annotation_follow (PenAnnotationView *self, PenSlot *slot)
{
  PenJumpTarget jump = pen_jump_target_find (slot);

  if (!can_follow (&jump))
    return;
  if (jump.kind == PEN_JUMP_TARGET_FUNCTION)
    pen_session_set_function (self->session, jump.function);
  else if (jump.kind == PEN_JUMP_TARGET_OUTSIDE)
    pen_session_show_text (self->session, jump.address,
                           find_time (slot, pen_session_get_view (self->session)->playhead));
  pen_session_set_line (self->session, &jump.address);
}

void
pen_annotation_update_follow (PenAnnotationView *self)
{
  g_autoptr (PenSlot) slot = pen_annotation_dup_selected (self);
  PenJumpTarget jump = { PEN_JUMP_TARGET_NONE, 0, 0 };

  if (slot)
    jump = pen_jump_target_find (slot);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "annotation.follow", can_follow (&jump));
}

/* ---- find ---- */

static GListModel *
get_slots (PenAnnotationView *self)
{
  return G_LIST_MODEL (self->slots);
}

static guint64
get_line (PenAnnotationView *self)
{
  guint64 address = 0;

  pen_session_get_line (self->session, &address);
  return address;
}

void
pen_annotation_show_matches (PenAnnotationView *self)
{
  const char *needle = pen_line_find_get_text (self->find);
  guint place;
  guint count = pen_slot_steps_count_matching (get_slots (self), needle, get_line (self), &place);

  pen_line_find_set_count (self->find, place, count);
}

static void
step_to_match (PenAnnotationView *self, int direction)
{
  guint64 address = get_line (self);

  if (pen_slot_steps_matching (get_slots (self), pen_line_find_get_text (self->find), direction,
                               &address))
    pen_session_set_line (self->session, &address);
  pen_annotation_show_matches (self);
}

static void
on_find_text (PenAnnotationView *self)
{
  pen_slot_list_set_needle (self->slots, pen_line_find_get_text (self->find));
  step_to_match (self, 0);
}

static void
on_find_closed (PenAnnotationView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

void
pen_annotation_view_start_find (PenAnnotationView *self)
{
  pen_line_find_start (self->find);
}

static void
find_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_annotation_view_start_find (PEN_ANNOTATION_VIEW (widget));
}

static void
match_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  step_to_match (PEN_ANNOTATION_VIEW (widget), g_str_has_suffix (name, "next-match") ? 1 : -1);
}

static void
follow_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenAnnotationView *self = PEN_ANNOTATION_VIEW (widget);
  g_autoptr (PenSlot) slot = pen_annotation_dup_selected (self);

  if (slot)
    pen_annotation_follow (self, slot);
}

static void
hot_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenAnnotationView *self = PEN_ANNOTATION_VIEW (widget);
  guint64 address = get_line (self);

  if (pen_slot_steps_hot (get_slots (self), g_str_has_suffix (name, "next-hot") ? 1 : -1, &address))
    pen_session_set_line (self->session, &address);
}

static void
patched_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenAnnotationView *self = PEN_ANNOTATION_VIEW (widget);
  guint64 address = get_line (self);

  if (pen_slot_steps_patched (get_slots (self), g_str_has_suffix (name, "next-patched") ? 1 : -1,
                              &address))
    pen_session_set_line (self->session, &address);
}

static void
mark_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_mark_pointed (PEN_ANNOTATION_VIEW (widget)->session);
}

/* From version to version of the selected line: the playhead goes to where the next one begins. */
static void
version_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenAnnotationView *self = PEN_ANNOTATION_VIEW (widget);
  gboolean forward = g_str_has_suffix (name, "next-version");
  guint64 playhead = pen_session_get_view (self->session)->playhead;
  guint64 begin = pen_session_get_span (self->session).from;
  guint64 time = G_MAXUINT64;
  guint row;
  g_autoptr (PenSlot) slot = NULL;

  if (!pen_slot_list_find (self->slots, get_line (self), &row))
    return;
  slot = g_list_model_get_item (get_slots (self), row);
  for (guint i = 0; i < pen_slot_get_n_lines (slot); i++) {
    guint64 from = MAX (pen_slot_get_nth_line (slot, i)->from.time, begin);

    if (forward ? from > playhead && time == G_MAXUINT64 : from < playhead)
      time = from;
  }
  if (time == G_MAXUINT64)
    return;
  pen_session_show_time (self->session, time);
  pen_session_set_playhead (self->session, time);
}

/* Back to the text at the start; at the start there is nothing to leave. */
static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PenSession *session = PEN_ANNOTATION_VIEW (widget)->session;

  if (pen_session_get_view (session)->has_mark) {
    pen_session_set_mark (session, NULL);
    return TRUE;
  }
  if (pen_session_get_view (session)->playhead <= pen_session_get_span (session).from)
    return FALSE;
  return gtk_widget_activate_action (widget, "win.first-text", NULL);
}

/* Opens the slot that is selected into its versions, or closes it; from a version to its slot. */
static gboolean
on_fold (GtkWidget *widget, GVariant *arguments, gpointer open)
{
  PenAnnotationView *self = PEN_ANNOTATION_VIEW (widget);
  GtkTreeListRow *row = gtk_single_selection_get_selected_item (self->selection);
  g_autoptr (GtkTreeListRow) parent = row ? gtk_tree_list_row_get_parent (row) : NULL;
  gboolean opens = GPOINTER_TO_INT (open);

  if (row && !opens && parent) {
    gtk_single_selection_set_selected (self->selection, gtk_tree_list_row_get_position (parent));
    pen_annotation_scroll_to (self, gtk_tree_list_row_get_position (parent));
    gtk_tree_list_row_set_expanded (parent, FALSE);
    return TRUE;
  }
  if (!row || !gtk_tree_list_row_is_expandable (row)
      || gtk_tree_list_row_get_expanded (row) == opens)
    return FALSE;
  gtk_tree_list_row_set_expanded (row, opens);
  return TRUE;
}

/* In the capture phase: else the list moves its focus from cell to cell. */
static gboolean
on_key (PenAnnotationView *self, guint key, guint code, GdkModifierType state)
{
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self->view)) == GTK_TEXT_DIR_RTL;
  guint opens = mirrored ? GDK_KEY_Left : GDK_KEY_Right;
  guint closes = mirrored ? GDK_KEY_Right : GDK_KEY_Left;

  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK))
    return FALSE;
  if (key == opens || key == GDK_KEY_plus || key == GDK_KEY_KP_Add)
    return on_fold (GTK_WIDGET (self), NULL, GINT_TO_POINTER (TRUE));
  if (key == closes || key == GDK_KEY_minus || key == GDK_KEY_KP_Subtract)
    return on_fold (GTK_WIDGET (self), NULL, GINT_TO_POINTER (FALSE));
  return FALSE;
}

void
pen_annotation_connect_keys (PenAnnotationView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
}

/* Of the annotated function. */
static void
show_callers_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenAnnotationView *self = PEN_ANNOTATION_VIEW (widget);
  const PenStrips *strips = pen_session_get_answers (self->session)->annotation;

  if (strips && strips->text->function != PEN_NO_FUNCTION)
    pen_session_show_callers (self->session, strips->text->function);
}

void
pen_annotation_install_actions (GtkWidgetClass *widget_class)
{
  static const struct {
    const char *name;
    GtkWidgetActionActivateFunc activate;
    guint key;
    GdkModifierType modifiers;
  } actions[] = {
    { "annotation.find", find_action, GDK_KEY_slash, 0 },
    { "annotation.next-match", match_action, GDK_KEY_g, GDK_CONTROL_MASK },
    { "annotation.previous-match", match_action, GDK_KEY_g, GDK_CONTROL_MASK | GDK_SHIFT_MASK },
    { "annotation.follow", follow_action, GDK_KEY_Return, GDK_CONTROL_MASK },
    { "annotation.next-hot", hot_action, GDK_KEY_h, 0 },
    { "annotation.previous-hot", hot_action, GDK_KEY_h, GDK_SHIFT_MASK },
    { "annotation.next-patched", patched_action, GDK_KEY_p, 0 },
    { "annotation.previous-patched", patched_action, GDK_KEY_p, GDK_SHIFT_MASK },
    { "annotation.next-version", version_action, GDK_KEY_bracketright, 0 },
    { "annotation.previous-version", version_action, GDK_KEY_bracketleft, 0 },
    { "annotation.mark", mark_action, GDK_KEY_b, 0 },
    { "annotation.show-callers", show_callers_action, GDK_KEY_c, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++) {
    gtk_widget_class_install_action (widget_class, actions[i].name, NULL, actions[i].activate);
    gtk_widget_class_add_binding_action (widget_class, actions[i].key, actions[i].modifiers,
                                         actions[i].name, NULL);
  }
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape, NULL);
}

void
pen_annotation_connect_find (PenAnnotationView *self)
{
  g_signal_connect_swapped (self->find, "notify::text", G_CALLBACK (on_find_text), self);
  g_signal_connect_swapped (self->find, "step", G_CALLBACK (step_to_match), self);
  g_signal_connect_swapped (self->find, "closed", G_CALLBACK (on_find_closed), self);
}
