/* pen-filter-entry.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-filter-entry.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-css-class.h"
#include "pen-filter-words.h"
#include "pen-format.h"

/* As many as are read at a glance; typing more finds the rest. */
#define OFFERS_MAX 10

struct _PenFilterEntry {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;

  GtkMenuButton *button;
  AdwButtonContent *content;
  GtkPopover *popover;
  GtkEntry *entry;
  GtkListBox *offers;
  GtkLabel *error;
};

G_DEFINE_FINAL_TYPE (PenFilterEntry, pen_filter_entry, ADW_TYPE_BIN)

#define TERM_KEY "pen-term"

/* ---- offers ---- */

static void
add_offer (PenFilterEntry *self, const PenFilterTerm *term)
{
  static const PenFilter everything = { 0 };
  PenClock clock = pen_session_get_clock (self->session);
  g_autofree char *text = pen_filter_words_describe (term, &everything, &clock);
  GtkWidget *label = gtk_label_new (text);
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_object_set_data_full (G_OBJECT (row), TERM_KEY, pen_filter_term_copy (term),
                          (GDestroyNotify) pen_filter_term_free);
  gtk_list_box_append (self->offers, row);
}

static void
show_offers (PenFilterEntry *self)
{
  PenFilterChoices *choices = pen_session_get_answers (self->session)->choices;
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autoptr (GPtrArray) terms
      = choices ? pen_filter_choices_match (choices, text, OFFERS_MAX) : NULL;
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->offers, 0)))
    gtk_list_box_remove (self->offers, GTK_WIDGET (row));
  for (guint i = 0; terms && i < terms->len; i++)
    add_offer (self, terms->pdata[i]);
  gtk_widget_set_visible (GTK_WIDGET (self->offers), terms && terms->len > 0);
}

static void
set_error (PenFilterEntry *self, const char *text)
{
  gtk_label_set_text (self->error, text);
  gtk_widget_set_visible (GTK_WIDGET (self->error), text[0] != '\0');
  pen_css_class_set (GTK_WIDGET (self->entry), "error", text[0] != '\0');
  gtk_accessible_update_state (
      GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_STATE_INVALID,
      text[0] != '\0' ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

/* ---- adding ---- */

static void
finish (PenFilterEntry *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  gtk_popover_popdown (self->popover);
}

static void
on_row_activated (PenFilterEntry *self, GtkListBoxRow *row)
{
  pen_session_add_term (self->session, g_object_get_data (G_OBJECT (row), TERM_KEY));
  finish (self);
}

/* A choice from the list goes before the typed text; a bare word takes the first offer. */
static void
on_activate (PenFilterEntry *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->offers);
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  if (row) {
    on_row_activated (self, row);
    return;
  }
  if (pen_session_add_filter_text (self->session, text, &error)) {
    finish (self);
    return;
  }
  row = gtk_list_box_get_row_at_index (self->offers, 0);
  if (row && text[0] != '\0' && !strchr (text, ':')) {
    on_row_activated (self, row);
    return;
  }
  message = pen_format_error (error);
  set_error (self, message);
}

static void
on_changed (PenFilterEntry *self)
{
  set_error (self, "");
  show_offers (self);
}

/* Up and Down go through the offers while the text keeps the focus. */
static gboolean
on_key (PenFilterEntry *self, guint key)
{
  GtkListBoxRow *selected = gtk_list_box_get_selected_row (self->offers);
  int position = selected ? gtk_list_box_row_get_index (selected) : -1;
  GtkListBoxRow *row;

  if (key != GDK_KEY_Down && key != GDK_KEY_Up)
    return GDK_EVENT_PROPAGATE;
  position += key == GDK_KEY_Down ? 1 : -1;
  row = position >= 0 ? gtk_list_box_get_row_at_index (self->offers, position) : NULL;
  if (row || position < 0)
    gtk_list_box_select_row (self->offers, row);
  return GDK_EVENT_STOP;
}

/* ---- popover ---- */

static void
on_popover_shown (PenFilterEntry *self)
{
  pen_session_want_choices (self->session);
  on_changed (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
}

void
pen_filter_entry_set_narrow (PenFilterEntry *self, gboolean narrow)
{
  adw_button_content_set_label (self->content, narrow ? "" : _ ("Filter"));
}

void
pen_filter_entry_popup (PenFilterEntry *self)
{
  gtk_menu_button_popup (self->button);
}

void
pen_filter_entry_set_session (PenFilterEntry *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
}

/* ---- object ---- */

static void
pen_filter_entry_dispose (GObject *object)
{
  PenFilterEntry *self = PEN_FILTER_ENTRY (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_filter_entry_parent_class)->dispose (object);
}

static void
pen_filter_entry_class_init (PenFilterEntryClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = pen_filter_entry_dispose;
}

static GtkWidget *
make_content (PenFilterEntry *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->entry = GTK_ENTRY (gtk_entry_new ());
  gtk_entry_set_placeholder_text (self->entry, "comm:sh, !kind:dso, time:10%,20%");
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 30);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("New filter"), -1);
  self->error = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_wrap (self->error, TRUE);
  gtk_label_set_wrap_mode (self->error, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (self->error, 34);
  gtk_label_set_xalign (self->error, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->error), "error");
  gtk_widget_set_visible (GTK_WIDGET (self->error), FALSE);
  self->offers = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->offers), "offers");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->offers), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Matching values"), -1);

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->entry), keys);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (self->offers, "row-activated", G_CALLBACK (on_row_activated), self);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->entry));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->error));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->offers));
  return box;
}

static void
pen_filter_entry_init (PenFilterEntry *self)
{
  self->content = ADW_BUTTON_CONTENT (adw_button_content_new ());
  adw_button_content_set_icon_name (self->content, "list-add-symbolic");
  pen_filter_entry_set_narrow (self, FALSE);
  self->popover = GTK_POPOVER (gtk_popover_new ());
  gtk_popover_set_child (self->popover, make_content (self));
  g_signal_connect_swapped (self->popover, "show", G_CALLBACK (on_popover_shown), self);
  self->button = GTK_MENU_BUTTON (gtk_menu_button_new ());
  gtk_menu_button_set_child (self->button, GTK_WIDGET (self->content));
  gtk_menu_button_set_popover (self->button, GTK_WIDGET (self->popover));
  gtk_widget_add_css_class (GTK_WIDGET (self->button), "add-filter");
  gtk_widget_set_valign (GTK_WIDGET (self->button), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), _ ("Add a filter (Ctrl+L)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Add a filter"), -1);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->button));

  self->session = pen_session_new ();
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::choices", G_CALLBACK (show_offers),
                                  self);
}
