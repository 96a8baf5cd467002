/* pen-window-steps.c: what a window does with filters, places and the clipboard
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"
#include "pen-notes-window.h"
#include "pen-shell-command.h"

/* The side buttons of a mouse, as X and Wayland number them. */
#define BUTTON_BACK 8
#define BUTTON_FORWARD 9

#define NS G_GUINT64_CONSTANT (1000000000)

/* ---- filters ---- */

static void
add_filter_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenWindow *self = PEN_WINDOW (widget);
  g_autoptr (GError) error = NULL;

  if (!pen_session_add_filter_text (self->session, g_variant_get_bytestring (parameter), &error)) {
    g_autofree char *message = pen_format_error (error);

    pen_window_add_toast (self, message);
  }
}

static void
type_filter_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_filter_bar_add_filter (PEN_WINDOW (widget)->filter_bar);
}

static void
clear_filters_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_clear_filter (PEN_WINDOW (widget)->session);
}

/* ---- places ---- */

static void
back_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_go (PEN_WINDOW (widget)->session, g_str_equal (name, "win.back") ? -1 : 1);
}

static void
go_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_go (PEN_WINDOW (widget)->session, g_variant_get_int32 (parameter));
}

static void
start_afresh_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_start_afresh (PEN_WINDOW (widget)->session);
}

static void
on_side_button (PenWindow *self, int n_press, double x, double y, GtkGesture *gesture)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  if (button != BUTTON_BACK && button != BUTTON_FORWARD)
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_activate_action (GTK_WIDGET (self), button == BUTTON_BACK ? "win.back" : "win.forward",
                              NULL);
}

static void
on_places (PenWindow *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.back",
                                 pen_session_get_place_name (self->session, -1) != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.forward",
                                 pen_session_get_place_name (self->session, 1) != NULL);
}

/* The name of the recording is worth more in the header than these buttons. */
static void
arrange_place_buttons (PenWindow *self)
{
  gboolean ready = pen_session_get_state (self->session) == PEN_SESSION_READY;
  PenWidth width = pen_fold_get_width_class (self->fold);

  gtk_widget_set_visible (GTK_WIDGET (self->place_buttons), ready && width >= PEN_WIDTH_WIDE);
  pen_filter_bar_set_has_places (self->filter_bar, width < PEN_WIDTH_WIDE);
  pen_filter_bar_set_narrow (self->filter_bar, width <= PEN_WIDTH_NARROW);
}

static void
on_state (PenWindow *self)
{
  gboolean ready = pen_session_get_state (self->session) == PEN_SESSION_READY;

  arrange_place_buttons (self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.type-filter", ready);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.copy-view-command", ready);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.start-afresh", ready);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.add-note", ready);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.notes", ready);
  on_places (self);
}

static void
update_stretches (PenWindow *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.compare-stretches",
                                 pen_session_can_compare_stretches (self->session));
}

static void
on_filter (PenWindow *self)
{
  update_stretches (self);
  gtk_widget_action_set_enabled (
      GTK_WIDGET (self), "win.clear-filters",
      !pen_filter_is_empty (pen_session_get_view (self->session)->filter));
}

/* ---- notes ---- */

static void
write_note (PenWindow *self, const PenNote *note)
{
  pen_notes_edit (GTK_WINDOW (self), self->toasts, self->session, note);
}

/* The note about the same thing, if there is one. */
static const PenNote *
find_same_note (PenWindow *self, const PenNote *note)
{
  GPtrArray *notes = pen_session_get_answers (self->session)->notes;

  for (guint i = 0; notes && i < notes->len; i++) {
    const PenNote *other = ((const PenNoteRow *) notes->pdata[i])->note;

    if (other->has_address == note->has_address && other->has_time == note->has_time
        && (!note->has_address || other->address == note->address)
        && (!note->has_time || other->time == note->time))
      return other;
  }
  return NULL;
}

/* About the line, or about the playhead where the time is what one looks at. A note about it is
 * changed: a row's menu writes another one. */
static void
add_note_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenWindow *self = PEN_WINDOW (widget);
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  gboolean on_time = focus
                     && (focus == GTK_WIDGET (self->timeline)
                         || gtk_widget_is_ancestor (focus, GTK_WIDGET (self->timeline)));
  g_autoptr (PenNote) note = pen_note_new ();
  const PenNote *same;

  note->has_address = !on_time && pen_session_get_line (self->session, &note->address);
  note->has_time = !note->has_address;
  note->time = pen_session_get_view (self->session)->playhead;
  same = find_same_note (self, note);
  write_note (self, same ? same : note);
}

/* "btbt": whether there is an address, the address; the same of a time */
static void
add_note_at_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (PenNote) note = pen_note_new ();
  gboolean has_address, has_time;

  g_variant_get (parameter, "(btbt)", &has_address, &note->address, &has_time, &note->time);
  note->has_address = has_address;
  note->has_time = has_time;
  write_note (PEN_WINDOW (widget), note);
}

static const PenNote *
find_note (PenWindow *self, gint64 id)
{
  GPtrArray *notes = pen_session_get_answers (self->session)->notes;

  for (guint i = 0; notes && i < notes->len; i++) {
    const PenNote *note = ((const PenNoteRow *) notes->pdata[i])->note;

    if (note->id == id)
      return note;
  }
  return NULL;
}

static void
edit_note_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenWindow *self = PEN_WINDOW (widget);
  const PenNote *note = find_note (self, g_variant_get_int64 (parameter));

  if (note)
    write_note (self, note);
}

static void
remove_note_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenWindow *self = PEN_WINDOW (widget);

  pen_notes_window_remove (GTK_WINDOW (self), self->toasts, self->session,
                           g_variant_get_int64 (parameter));
}

static void
notes_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenWindow *self = PEN_WINDOW (widget);

  if (!self->notes)
    g_set_weak_pointer (&self->notes,
                        GTK_WINDOW (pen_notes_window_new (GTK_WINDOW (self), self->session)));
  gtk_window_present (GTK_WINDOW (self->notes));
}

/* ---- going to the subject of a row ---- */

static void
go_to_time_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenWindow *self = PEN_WINDOW (widget);

  pen_session_show_time (self->session, g_variant_get_uint64 (parameter));
  pen_session_set_playhead (self->session, g_variant_get_uint64 (parameter));
}

/* "tt": times, with a little before and after them */
static void
zoom_to_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenSession *session = PEN_WINDOW (widget)->session;
  PenSpan whole = pen_session_get_span (session);
  PenSpan span;
  guint64 margin;

  g_variant_get (parameter, "(tt)", &span.from, &span.to);
  span.from = CLAMP (span.from, whole.from, whole.to);
  span.to = CLAMP (span.to, span.from, whole.to);
  margin = pen_span_length (span) / 20;
  span.from -= MIN (margin, span.from - whole.from);
  span.to += MIN (margin, whole.to - span.to);
  pen_session_set_visible (session, span);
}

/* "tt": addresses of the kernel, the second exclusive */
static void
show_in_map_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  guint64 from, to;

  g_variant_get (parameter, "(tt)", &from, &to);
  pen_session_show_addresses (PEN_WINDOW (widget)->session, from, to);
}

/* Whatever had one of the addresses, at any time: what else is filtered for is another question. */
static void
show_holders_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenSession *session = PEN_WINDOW (widget)->session;
  g_autoptr (PenFilter) filter = pen_filter_new ();
  guint64 from, to;

  g_variant_get (parameter, "(tt)", &from, &to);
  filter->has_address = TRUE;
  filter->address_from = from;
  filter->address_to = MAX (to, from + 1) - 1;
  pen_session_set_filter (session, filter);
  pen_session_set_page (session, PEN_PAGE_OCCUPANTS);
}

/* "u": a function */
static void
compare_stacks_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_compare_batch (PEN_WINDOW (widget)->session, g_variant_get_uint32 (parameter));
}

static void
compare_stretches_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_compare_stretches (PEN_WINDOW (widget)->session);
}

static void
show_callers_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_show_callers (PEN_WINDOW (widget)->session, g_variant_get_uint32 (parameter));
}

/* "tt": of a moment */
static void
show_change_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenMoment moment;

  g_variant_get (parameter, "(tt)", &moment.time, &moment.position);
  pen_session_show_change (PEN_WINDOW (widget)->session, moment);
}

static void
tell_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_window_add_toast (PEN_WINDOW (widget), g_variant_get_string (parameter, NULL));
}

/* ---- the clipboard ---- */

static void
copy_text_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget),
                          g_variant_get_string (parameter, NULL));
  pen_window_add_toast (PEN_WINDOW (widget), _ ("Copied"));
}

static void
give_command (PenWindow *self, const char *command)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
  pen_window_add_toast (self, _ ("Command copied"));
}

/* The command that gives the same answer, under the filters that are set, and in the same measure
 * where it has it. */
static void
copy_command (PenWindow *self, const char *const *words)
{
  static const char *const measured[]
      = { "annotate", "callers", "callees", "functions", "history", "occupants", "stacks", NULL };
  static const char *const off_cpu[] = { "--measure=off-cpu", NULL };
  gboolean is_off_cpu
      = pen_session_is_off_cpu (self->session) && g_strv_contains (measured, words[0]);
  g_autofree char *command = pen_shell_command_new (words, pen_session_get_path (self->session),
                                                    pen_session_get_view (self->session)->filter,
                                                    is_off_cpu ? off_cpu : NULL);

  give_command (self, command);
}

static void
copy_command_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree const char **words = g_variant_get_bytestring_array (parameter, NULL);

  copy_command (PEN_WINDOW (widget), words);
}

/* (nullable): for which of the loads, or for all */
static char *
dup_load_option (const PenAnnotatedText *text)
{
  if (text->load != 0)
    return g_strdup_printf ("--tenure=%u", text->load);
  return text->loads && text->loads->loads->len + text->loads->n_others > 1
             ? g_strdup ("--all-loads")
             : NULL;
}

static char *
dup_window_option (const char *name, const PenFlameWindow *window)
{
  return g_strdup_printf ("--%s=%" G_GUINT64_FORMAT ".%09" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
                          ".%09" G_GUINT64_FORMAT,
                          name, window->from / NS, window->from % NS, window->to / NS,
                          window->to % NS);
}

/* Which stretches are compared: of a length that was chosen, only their times can say it. */
static void
add_stretches (PenWindow *self, const PenFlameState *state, const char **words, char **first,
               char **second)
{
  const PenFlameAnswer *answer = pen_session_get_answers (self->session)->flame;
  const PenFlameDiff *diff = answer ? answer->diff : NULL;
  const PenFlamePair *pair = &state->pair;

  if (pair->batch != 0 && (pair->rules.most == 0 || !diff)) {
    *first = g_strdup_printf ("--batch=%u", pair->batch);
    *second = pair->rules.crosses ? g_strdup ("--across") : NULL;
  } else {
    const PenFlameWindow *windows = diff ? diff->windows : pair->windows;

    *first = dup_window_option ("before", &windows[0]);
    *second = dup_window_option ("after", &windows[1]);
  }
  words[0] = *first;
  words[1] = *second;
}

/* Copies the command of the page that is shown. */
static void
copy_view_command_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenWindow *self = PEN_WINDOW (widget);
  const PenStrips *strips = pen_session_get_answers (self->session)->annotation;
  g_autofree char *target = NULL;
  g_autofree char *load = NULL;
  const PenFlameState *state = pen_session_get_view (self->session)->flame;
  const char *words[5] = { "functions" };

  if (pen_window_shows_pair (self)) {
    g_autofree char *command = pen_window_dup_pair_command (self);

    give_command (self, command);
    return;
  }
  switch (pen_session_get_view (self->session)->page) {
  case PEN_PAGE_CAUSES:
    target = g_strdup_printf (
        "--by=%s",
        pen_cause_grouping_to_string (pen_session_get_cause_order (self->session)->grouping));
    words[0] = "causes";
    words[1] = target;
    break;
  case PEN_PAGE_CALLERS:
    words[0] = "stacks";
    if (state && state->pair.is_set)
      add_stretches (self, state, &words[1], &target, &load);
    if (state && state->grouping == PEN_STACK_BY_OCCUPANT)
      words[g_strv_length ((char **) words)] = "--by=occupant";
    if (state && state->grouping == PEN_STACK_BY_FILE)
      words[g_strv_length ((char **) words)] = "--by=file";
    break;
  case PEN_PAGE_MAP:
  case PEN_PAGE_OCCUPANTS:
    words[0] = "occupants";
    break;
  case PEN_PAGE_RECORDING:
    words[0] = "info";
    break;
  case PEN_PAGE_CODE:
  case PEN_PAGES:
  default:
    if (strips) {
      target = pen_shell_command_target (strips->text->annotated);
      /* Where there are no samples, only the text itself can be had. */
      words[0] = strips->text->function != PEN_NO_FUNCTION ? "annotate" : "text";
      words[1] = target;
      words[2] = load = dup_load_option (strips->text);
    }
    break;
  }
  copy_command (self, words);
}

/* ---- */

void
pen_window_install_steps (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.add-filter", "ay", add_filter_action);
  gtk_widget_class_install_action (widget_class, "win.type-filter", NULL, type_filter_action);
  gtk_widget_class_install_action (widget_class, "win.clear-filters", NULL, clear_filters_action);
  gtk_widget_class_install_action (widget_class, "win.back", NULL, back_action);
  gtk_widget_class_install_action (widget_class, "win.forward", NULL, back_action);
  gtk_widget_class_install_action (widget_class, "win.go", "i", go_action);
  gtk_widget_class_install_action (widget_class, "win.start-afresh", NULL, start_afresh_action);
  gtk_widget_class_install_action (widget_class, "win.add-note", NULL, add_note_action);
  gtk_widget_class_install_action (widget_class, "win.add-note-at", "(btbt)", add_note_at_action);
  gtk_widget_class_install_action (widget_class, "win.edit-note", "x", edit_note_action);
  gtk_widget_class_install_action (widget_class, "win.remove-note", "x", remove_note_action);
  gtk_widget_class_install_action (widget_class, "win.notes", NULL, notes_action);
  gtk_widget_class_install_action (widget_class, "win.go-to-time", "t", go_to_time_action);
  gtk_widget_class_install_action (widget_class, "win.show-callers", "u", show_callers_action);
  gtk_widget_class_install_action (widget_class, "win.compare-stacks", "u", compare_stacks_action);
  gtk_widget_class_install_action (widget_class, "win.compare-stretches", NULL,
                                   compare_stretches_action);
  gtk_widget_class_install_action (widget_class, "win.show-change", "(tt)", show_change_action);
  gtk_widget_class_install_action (widget_class, "win.zoom-to", "(tt)", zoom_to_action);
  gtk_widget_class_install_action (widget_class, "win.show-in-map", "(tt)", show_in_map_action);
  gtk_widget_class_install_action (widget_class, "win.show-holders", "(tt)", show_holders_action);
  gtk_widget_class_install_action (widget_class, "win.tell", "s", tell_action);
  gtk_widget_class_install_action (widget_class, "win.copy-text", "s", copy_text_action);
  gtk_widget_class_install_action (widget_class, "win.copy-command", "aay", copy_command_action);
  gtk_widget_class_install_action (widget_class, "win.copy-view-command", NULL,
                                   copy_view_command_action);
}

void
pen_window_init_steps (PenWindow *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_side_button), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));

  pen_place_buttons_set_session (self->place_buttons, self->session);
  g_signal_connect_swapped (self->session, "notify::state", G_CALLBACK (on_state), self);
  g_signal_connect_swapped (self->session, "notify::places", G_CALLBACK (on_places), self);
  g_signal_connect_swapped (self->session, "notify::filter", G_CALLBACK (on_filter), self);
  g_signal_connect_swapped (self->session, "notify::mark", G_CALLBACK (update_stretches), self);
  g_signal_connect_swapped (self->fold, "notify::width-class", G_CALLBACK (arrange_place_buttons),
                            self);
  on_state (self);
  on_filter (self);
}
