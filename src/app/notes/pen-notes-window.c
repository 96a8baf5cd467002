/* pen-notes-window.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-notes-window.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"
#include "pen-spoken-names.h"

struct _PenNotesWindow {
  AdwWindow parent_instance;

  PenSession *session;
  AdwToastOverlay *toasts;
  GtkStack *stack;
  GtkListBox *list;
  GtkLabel *place;
};

G_DEFINE_FINAL_TYPE (PenNotesWindow, pen_notes_window, ADW_TYPE_WINDOW)

#define NOTE_KEY "pen-note"

/* ---- words ---- */

static char *
describe_line (const PenNoteRow *row)
{
  g_autofree char *symbol = row->symbol ? pen_display_text (row->symbol) : NULL;

  if (symbol)
    return g_strdup_printf ("%s +%" G_GINT64_MODIFIER "x", symbol, row->offset);
  return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", row->note->address);
}

static char *
describe_place (PenSession *session, const PenNoteRow *row)
{
  PenClock clock = pen_session_get_clock (session);
  guint64 resolution = MAX (pen_span_length (clock.span) / 100000, 1);
  g_autofree char *line = row->note->has_address ? describe_line (row) : NULL;
  g_autofree char *time
      = row->note->has_time ? pen_clock_format_long (&clock, row->note->time, resolution) : NULL;

  if (line && time)
    return g_strdup_printf ("%s · %s", line, time);
  return g_strdup (line ? line : time ? time : "");
}

/* ---- writing ---- */

/* All but the note is weak: GTK 4.8 keeps a modal dialog that Escape closes while a mouse button is
 * pressed in its parent, and the recording must not stay open with it. */
typedef struct {
  GtkWindow *parent;
  AdwToastOverlay *toasts;
  PenSession *session;
  PenNote *note;
} Edit;

static void
free_edit (Edit *edit)
{
  g_clear_weak_pointer (&edit->parent);
  g_clear_weak_pointer (&edit->toasts);
  g_clear_weak_pointer (&edit->session);
  pen_note_free (edit->note);
  g_free (edit);
}

static void
tell_error (GtkWindow *parent, const GError *error)
{
  g_autofree char *message = pen_format_error (error);
  GtkWidget *dialog = adw_message_dialog_new (parent, _ ("Could Not Save the Note"), message);

  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_changed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GWeakRef *parent = user_data;
  g_autoptr (GtkWindow) window = g_weak_ref_get (parent);
  g_autoptr (GError) error = NULL;

  if (!pen_session_change_notes_finish (PEN_SESSION (source), result, &error) && window
      && gtk_widget_get_visible (GTK_WIDGET (window)))
    tell_error (window, error);
  g_weak_ref_clear (parent);
  g_free (parent);
}

static GWeakRef *
new_weak_ref (GtkWindow *window)
{
  GWeakRef *reference = g_new0 (GWeakRef, 1);

  g_weak_ref_init (reference, window);
  return reference;
}

/* A removed note, for as long as the toast is there. */
typedef struct {
  GtkWindow *parent;   /* weak */
  PenSession *session; /* weak */
  PenNote *note;
  char *file; /* that it was in */
} Removed;

static void
free_removed (Removed *removed)
{
  g_clear_weak_pointer (&removed->parent);
  g_clear_weak_pointer (&removed->session);
  pen_note_free (removed->note);
  g_free (removed->file);
  g_free (removed);
}

/* Under its old number: what was taken away comes back as it was. */
static void
on_undo (AdwToast *toast, Removed *removed)
{
  const PenOpened *opened = removed->session ? pen_session_get_opened (removed->session) : NULL;

  if (opened && g_strcmp0 (opened->notes_file, removed->file) == 0)
    pen_session_put_note_async (removed->session, removed->note, on_changed,
                                new_weak_ref (removed->parent));
}

static const PenNoteRow *
find_note (PenSession *session, gint64 id)
{
  GPtrArray *notes = pen_session_get_answers (session)->notes;

  for (guint i = 0; notes && i < notes->len; i++) {
    const PenNoteRow *row = g_ptr_array_index (notes, i);

    if (row->note->id == id)
      return row;
  }
  return NULL;
}

void
pen_notes_window_remove (GtkWindow *parent, AdwToastOverlay *toasts, PenSession *session, gint64 id)
{
  const PenNoteRow *row = find_note (session, id);
  AdwToast *toast;
  Removed *removed;

  if (!row)
    return;
  toast = adw_toast_new (_ ("Note removed"));
  removed = g_new0 (Removed, 1);
  g_set_weak_pointer (&removed->parent, parent);
  g_set_weak_pointer (&removed->session, session);
  removed->note = pen_note_copy (row->note);
  removed->file = g_strdup (pen_session_get_opened (session)->notes_file);
  adw_toast_set_button_label (toast, _ ("_Undo"));
  g_signal_connect_data (toast, "button-clicked", G_CALLBACK (on_undo), removed,
                         (GClosureNotify) (void (*) (void)) free_removed, 0);
  pen_session_remove_note_async (session, id, on_changed, new_weak_ref (parent));
  adw_toast_overlay_add_toast (toasts, toast);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Edit *edit)
{
  GtkEditable *entry = GTK_EDITABLE (adw_message_dialog_get_extra_child (dialog));
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (entry)));

  if (!edit->session || pen_session_get_state (edit->session) != PEN_SESSION_READY)
    return;
  if (g_str_equal (response, "remove") && edit->toasts)
    pen_notes_window_remove (edit->parent, edit->toasts, edit->session, edit->note->id);
  if (!g_str_equal (response, "keep") || text[0] == '\0')
    return;
  g_free (edit->note->text);
  edit->note->text = g_steal_pointer (&text);
  pen_session_put_note_async (edit->session, edit->note, on_changed, new_weak_ref (edit->parent));
}

static void
on_text (AdwMessageDialog *dialog, GtkEditable *entry)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (entry)));

  adw_message_dialog_set_response_enabled (dialog, "keep", text[0] != '\0');
}

/* GTK 4.8 leaves the parent in a closed dialog that is kept, and asks it later, when it is gone. */
static void
on_unrealize (GtkWindow *dialog)
{
  gtk_window_set_transient_for (dialog, NULL);
}

AdwMessageDialog *
pen_notes_edit (GtkWindow *parent, AdwToastOverlay *toasts, PenSession *session,
                const PenNote *note)
{
  PenNoteRow row = { .note = (PenNote *) note };
  g_autofree char *place = describe_place (session, &row);
  GtkWidget *dialog
      = adw_message_dialog_new (parent, note->id > 0 ? _ ("Edit Note") : _ ("Add Note"), place);
  GtkWidget *entry = gtk_entry_new ();
  Edit *edit = g_new0 (Edit, 1);

  g_set_weak_pointer (&edit->parent, parent);
  g_set_weak_pointer (&edit->toasts, toasts);
  g_set_weak_pointer (&edit->session, session);
  edit->note = pen_note_copy (note);
  gtk_entry_set_max_length (GTK_ENTRY (entry), PEN_NOTE_TEXT_MAX / 4);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Note"),
                                  -1);
  if (note->text) {
    g_autofree char *text = g_utf8_make_valid (note->text, -1);

    gtk_editable_set_text (GTK_EDITABLE (entry), text);
  }
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), entry);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"));
  if (note->id > 0) {
    adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "remove", _ ("_Remove"));
    adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "remove",
                                                ADW_RESPONSE_DESTRUCTIVE);
  }
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "keep", _ ("_Save"));
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "keep",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "keep");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (on_text), dialog);
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), edit,
                         (GClosureNotify) (void (*) (void)) free_edit, 0);
  g_signal_connect (dialog, "unrealize", G_CALLBACK (on_unrealize), NULL);
  on_text (ADW_MESSAGE_DIALOG (dialog), GTK_EDITABLE (entry));
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (entry);
  return ADW_MESSAGE_DIALOG (dialog);
}

/* ---- rows ---- */

static gint64
get_id (GtkWidget *widget)
{
  const gint64 *id = g_object_get_data (G_OBJECT (widget), NOTE_KEY);

  return *id;
}

static void
set_id (GtkWidget *widget, gint64 id)
{
  g_object_set_data_full (G_OBJECT (widget), NOTE_KEY, g_memdup2 (&id, sizeof id), g_free);
}

static void
on_row_activated (PenNotesWindow *self, GtkWidget *widget)
{
  const PenNoteRow *row = find_note (self->session, get_id (widget));

  if (row)
    pen_session_show_note (self->session, row);
}

static void
on_edit_clicked (PenNotesWindow *self, GtkWidget *button)
{
  const PenNoteRow *row = find_note (self->session, get_id (button));

  if (row)
    pen_notes_edit (GTK_WINDOW (self), self->toasts, self->session, row->note);
}

static void
on_remove_clicked (PenNotesWindow *self, GtkWidget *button)
{
  pen_notes_window_remove (GTK_WINDOW (self), self->toasts, self->session, get_id (button));
}

static void
add_button (PenNotesWindow *self, GtkWidget *row, const char *icon, const char *tooltip,
            GCallback clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  set_id (button, get_id (row));
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  g_signal_connect_swapped (button, "clicked", clicked, self);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
}

static GtkWidget *
new_row (PenNotesWindow *self, const PenNoteRow *note)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *text = pen_display_text (note->note->text);
  g_autofree char *place = describe_place (self->session, note);
  g_autofree char *title = g_markup_escape_text (text, -1);
  g_autofree char *subtitle = g_markup_escape_text (place, -1);

  set_id (row, note->note->id);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_widget_set_tooltip_text (row, _ ("Go to this place"));
  add_button (self, row, "document-edit-symbolic", _ ("Edit"), G_CALLBACK (on_edit_clicked));
  add_button (self, row, "user-trash-symbolic", _ ("Remove"), G_CALLBACK (on_remove_clicked));
  return row;
}

static void
show_notes (PenNotesWindow *self)
{
  GPtrArray *notes = pen_session_get_answers (self->session)->notes;
  const PenOpened *opened = pen_session_get_opened (self->session);
  const char *file = opened ? opened->notes_file : NULL;
  g_autofree char *shown = file ? pen_display_text (file) : NULL;
  g_autofree char *place
      = shown ? g_strdup_printf (_ ("Saved in %s"), shown) : g_strdup (_ ("No recording open"));
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->list, 0)))
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
  for (guint i = 0; notes && i < notes->len; i++)
    gtk_list_box_append (self->list, new_row (self, g_ptr_array_index (notes, i)));
  gtk_label_set_text (self->place, place);
  gtk_stack_set_visible_child_name (self->stack, notes && notes->len > 0 ? "list" : "empty");
}

/* ---- object ---- */

static void
pen_notes_window_dispose (GObject *object)
{
  PenNotesWindow *self = PEN_NOTES_WINDOW (object);

  if (self->session)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_notes_window_parent_class)->dispose (object);
}

static void
pen_notes_window_class_init (PenNotesWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = pen_notes_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static GtkWidget *
make_list (PenNotesWindow *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *clamp = adw_clamp_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);

  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Notes"), -1);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
  gtk_widget_set_margin_top (box, 18);
  gtk_widget_set_margin_bottom (box, 18);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->list));
  adw_clamp_set_child (ADW_CLAMP (clamp), box);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), clamp);
  return scroller;
}

static void
pen_notes_window_init (PenNotesWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *empty = adw_status_page_new ();

  self->stack = GTK_STACK (gtk_stack_new ());
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (empty), "user-bookmarks-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (empty), _ ("No Notes"));
  adw_status_page_set_description (ADW_STATUS_PAGE (empty),
                                   _ ("Press Ctrl+D to add a note to the selected line, or to the "
                                      "playhead when the overview has the focus."));
  /* GTK 4.8 complains when a toast goes and its label is what gets the focus then. */
  gtk_widget_set_can_focus (empty, FALSE);
  gtk_stack_add_named (self->stack, empty, "empty");
  gtk_stack_add_named (self->stack, make_list (self), "list");
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  self->place = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_selectable (self->place, TRUE);
  gtk_label_set_wrap (self->place, TRUE);
  gtk_label_set_wrap_mode (self->place, PANGO_WRAP_CHAR);
  gtk_widget_add_css_class (GTK_WIDGET (self->place), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->place), "dim-label");
  gtk_widget_set_margin_top (GTK_WIDGET (self->place), 6);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->place), 6);
  gtk_widget_set_margin_start (GTK_WIDGET (self->place), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->place), 12);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  adw_toast_overlay_set_child (self->toasts, GTK_WIDGET (self->stack));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->toasts));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->place));
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Notes"));
  gtk_window_set_default_size (GTK_WINDOW (self), 460, 520);
  gtk_widget_set_size_request (GTK_WIDGET (self), 340, 300);
  pen_spoken_names_mend (GTK_WIDGET (self));
}

PenNotesWindow *
pen_notes_window_new (GtkWindow *parent, PenSession *session)
{
  PenNotesWindow *self = g_object_new (PEN_TYPE_NOTES_WINDOW, "transient-for", parent,
                                       "destroy-with-parent", TRUE, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_swapped (session, "answered::notes", G_CALLBACK (show_notes), self);
  g_signal_connect_swapped (session, "notify::clock", G_CALLBACK (show_notes), self);
  show_notes (self);
  return self;
}
