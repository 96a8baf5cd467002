/* pen-problems-button.c: what could not be read of a recording, where something could not
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-problems-button.h"

#include "pen-format.h"

#define PROBLEMS_SHOWN 50

struct _PenProblemsButton {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GtkMenuButton *button;
  GtkLabel *list;
};

G_DEFINE_FINAL_TYPE (PenProblemsButton, pen_problems_button, ADW_TYPE_BIN)

static void
append_problem (GString *text, const PenStoreProblem *problem)
{
  g_autofree char *reason = pen_display_text (problem->reason ? problem->reason : "");
  g_autofree char *count = pen_format_count (problem->count);

  g_string_append_printf (text, "%s: %s (%s× from offset 0x%" G_GINT64_MODIFIER "x)\n",
                          problem->action, reason, count, problem->offset);
}

static void
on_state (PenProblemsButton *self)
{
  const PenOpened *opened = pen_session_get_opened (self->session);
  guint n = opened ? opened->problems->len : 0;
  g_autofree char *label = g_strdup_printf ("%u %s", n, n == 1 ? "Problem" : "Problems");
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < MIN (n, PROBLEMS_SHOWN); i++)
    append_problem (text, g_ptr_array_index (opened->problems, i));
  if (n > PROBLEMS_SHOWN)
    g_string_append_printf (text, "… and %u more\n", n - PROBLEMS_SHOWN);
  if (text->len > 0)
    g_string_truncate (text, text->len - 1);

  gtk_menu_button_set_label (self->button, label);
  gtk_label_set_text (self->list, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
}

void
pen_problems_button_set_session (PenProblemsButton *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_state (self);
}

static void
pen_problems_button_dispose (GObject *object)
{
  PenProblemsButton *self = PEN_PROBLEMS_BUTTON (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_problems_button_parent_class)->dispose (object);
}

static void
pen_problems_button_class_init (PenProblemsButtonClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = pen_problems_button_dispose;
}

static void
pen_problems_button_init (PenProblemsButton *self)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->list = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->list, TRUE);
  gtk_label_set_selectable (self->list, TRUE);
  gtk_label_set_xalign (self->list, 0);
  gtk_label_set_max_width_chars (self->list, 60);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 320);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->list));
  gtk_popover_set_child (GTK_POPOVER (popover), scroller);

  self->button = GTK_MENU_BUTTON (gtk_menu_button_new ());
  gtk_menu_button_set_popover (self->button, popover);
  gtk_widget_add_css_class (GTK_WIDGET (self->button), "flat");
  gtk_widget_add_css_class (GTK_WIDGET (self->button), "problems");
  gtk_widget_set_valign (GTK_WIDGET (self->button), GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button),
                               "Parts of the recording that were damaged or left out");
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->button));

  self->session = pen_session_new ();
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state), self);
}
