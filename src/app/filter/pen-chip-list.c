/* pen-chip-list.c: the terms of a session's filter, each to be removed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chip-list.h"

#include <glib/gi18n-lib.h>

#include "pen-filter-words.h"

struct _PenChipList {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GtkWidget *box;
  GtkWidget *clear;
};

G_DEFINE_FINAL_TYPE (PenChipList, pen_chip_list, ADW_TYPE_BIN)

#define TERM_KEY "pen-term"
#define NAME_CHARS 32

static guint
find_position (PenChipList *self, GtkWidget *chip)
{
  guint n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (self->box); child && child != chip;
       child = gtk_widget_get_next_sibling (child))
    n++;
  return n;
}

static GtkWidget *
get_nth (PenChipList *self, guint n)
{
  GtkWidget *child = gtk_widget_get_first_child (self->box);

  while (child && n-- > 0)
    child = gtk_widget_get_next_sibling (child);
  return child;
}

/* The chips are made anew; the focus stays where it was among them. */
static void
remove_chip (PenChipList *self, GtkWidget *chip)
{
  const PenFilterTerm *term = g_object_get_data (G_OBJECT (chip), TERM_KEY);
  g_autoptr (PenFilterTerm) copy = pen_filter_term_copy (term);
  gboolean had_focus = gtk_widget_has_focus (chip);
  guint position = find_position (self, chip);
  GtkWidget *next;

  pen_session_remove_term (self->session, copy);
  next = get_nth (self, position);
  if (!next && position > 0)
    next = get_nth (self, position - 1);
  if (had_focus && next)
    gtk_widget_grab_focus (next);
}

static void
on_chip_clicked (GtkWidget *chip, PenChipList *self)
{
  remove_chip (self, chip);
}

static gboolean
on_remove_key (GtkWidget *chip, GVariant *arguments, gpointer self)
{
  remove_chip (self, chip);
  return TRUE;
}

static gboolean
on_arrow_key (GtkWidget *chip, GVariant *arguments, gpointer self)
{
  gboolean is_rtl = gtk_widget_get_direction (chip) == GTK_TEXT_DIR_RTL;
  gboolean back = g_variant_get_boolean (arguments) != is_rtl;
  GtkWidget *next = back ? gtk_widget_get_prev_sibling (chip) : gtk_widget_get_next_sibling (chip);

  return next && gtk_widget_grab_focus (next);
}

static void
add_keys (PenChipList *self, GtkWidget *chip)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();
  static const guint remove_keys[] = { GDK_KEY_Delete, GDK_KEY_KP_Delete, GDK_KEY_BackSpace };

  for (gsize i = 0; i < G_N_ELEMENTS (remove_keys); i++)
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (keys),
        gtk_shortcut_new (gtk_keyval_trigger_new (remove_keys[i], 0),
                          gtk_callback_action_new (on_remove_key, self, NULL)));
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new_with_arguments (gtk_keyval_trigger_new (GDK_KEY_Left, 0),
                                       gtk_callback_action_new (on_arrow_key, self, NULL), "b",
                                       TRUE));
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new_with_arguments (gtk_keyval_trigger_new (GDK_KEY_Right, 0),
                                       gtk_callback_action_new (on_arrow_key, self, NULL), "b",
                                       FALSE));
  gtk_widget_add_controller (chip, keys);
}

static void
add_chip (PenChipList *self, const PenFilterTerm *term, const char *text)
{
  GtkWidget *chip = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (text);
  g_autofree char *spoken = g_strdup_printf (_ ("Filter: %s"), text);
  g_autofree char *tooltip = g_strdup_printf (_ ("%s\nRemove this filter (Delete)"), text);

  gtk_widget_add_css_class (label, "numeric");
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (label), (int) MIN (g_utf8_strlen (text, -1), NAME_CHARS));
  gtk_label_set_max_width_chars (GTK_LABEL (label), NAME_CHARS);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("window-close-symbolic"));
  gtk_button_set_child (GTK_BUTTON (chip), box);
  gtk_widget_add_css_class (chip, "chip");
  if (term->excluded)
    gtk_widget_add_css_class (chip, "excluded");
  gtk_widget_set_tooltip_text (chip, tooltip);
  gtk_widget_set_valign (chip, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (chip), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, _ ("Activate to remove"),
                                  -1);
  g_object_set_data_full (G_OBJECT (chip), TERM_KEY, pen_filter_term_copy (term),
                          (GDestroyNotify) pen_filter_term_free);
  g_signal_connect (chip, "clicked", G_CALLBACK (on_chip_clicked), self);
  add_keys (self, chip);
  gtk_box_append (GTK_BOX (self->box), chip);
}

static void
show_chips (PenChipList *self)
{
  const PenFilter *filter = pen_session_get_view (self->session)->filter;
  g_autoptr (GPtrArray) terms = pen_filter_dup_terms (filter);
  PenClock clock = pen_session_get_clock (self->session);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->box)))
    gtk_box_remove (GTK_BOX (self->box), child);
  for (guint i = 0; i < terms->len; i++) {
    g_autofree char *text = pen_filter_words_describe (terms->pdata[i], filter, &clock);

    add_chip (self, terms->pdata[i], text);
  }
  gtk_widget_set_visible (self->clear, terms->len > 1);
  gtk_widget_set_visible (GTK_WIDGET (self), terms->len > 0);
}

void
pen_chip_list_set_session (PenChipList *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  show_chips (self);
}

static void
pen_chip_list_dispose (GObject *object)
{
  PenChipList *self = PEN_CHIP_LIST (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_chip_list_parent_class)->dispose (object);
}

static void
pen_chip_list_class_init (PenChipListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = pen_chip_list_dispose;
}

/* One line, however many there are: it scrolls, and what has the focus is scrolled to. */
static void
pen_chip_list_init (PenChipList *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *end = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->box), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Filters"), -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_EXTERNAL,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->box);
  gtk_widget_set_hexpand (scroller, TRUE);
  self->clear = gtk_button_new_with_mnemonic (_ ("_Clear All"));
  gtk_widget_add_css_class (self->clear, "flat");
  gtk_widget_add_css_class (self->clear, "legend");
  gtk_widget_set_valign (self->clear, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->clear), "win.clear-filters");
  gtk_box_append (GTK_BOX (row), scroller);
  /* As high as the chips: Tab goes by the middles. */
  gtk_box_append (GTK_BOX (end), self->clear);
  gtk_box_append (GTK_BOX (row), end);
  adw_bin_set_child (ADW_BIN (self), row);

  self->session = pen_session_new ();
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::filter", G_CALLBACK (show_chips), self);
  g_signal_group_connect_swapped (self->signals, "notify::clock", G_CALLBACK (show_chips), self);
}
