/* pen-missing-banner.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-missing-banner.h"

#include <glib/gi18n-lib.h>

#include "pen-display.h"
#include "pen-format.h"

struct _PenMissingBanner {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GtkRevealer *revealer;
  GtkLabel *text;
  GtkWidget *copy;
  GtkWidget *show;    /* of changes without a record */
  gboolean is_closed; /* by a person, for this recording */
};

G_DEFINE_FINAL_TYPE (PenMissingBanner, pen_missing_banner, ADW_TYPE_BIN)

/* Returns: NULL: there is nothing to say */
static const PenBetterRecording *
get_better (PenSession *session)
{
  const PenOpened *opened = pen_session_get_opened (session);

  if (pen_session_get_state (session) != PEN_SESSION_READY)
    return NULL;
  return opened->better->witness.unannounced > 0 || opened->better->witness.unheld > 0
                 || (!opened->better->has_pokes && pen_opened_has_kernel_samples (opened))
             ? opened->better
             : NULL;
}

/* Of text that nobody is known to hold, the holder has changed as a rule. */
static void
tell_unannounced (PenMissingBanner *self, const PenWitnessCount *witness)
{
  gboolean is_alarm = witness->unannounced > 0;
  guint64 n = is_alarm ? witness->unannounced : witness->unheld;
  g_autofree char *count = pen_format_count (n);
  g_autofree char *text = g_strdup_printf (
      is_alarm ? ngettext ("%s change of kernel text has no record",
                           "%s changes of kernel text have no record", n)
               : ngettext ("Unknown kernel text changed at %s place: probably another module",
                           "Unknown kernel text changed at %s places: probably other modules", n),
      count);

  gtk_label_set_text (self->text, text);
}

static void
show (PenMissingBanner *self)
{
  const PenBetterRecording *better = get_better (self->session);
  gboolean has_changes = better && (better->witness.unannounced > 0 || better->witness.unheld > 0);
  g_autofree char *command = NULL;

  gtk_revealer_set_reveal_child (self->revealer, better && !self->is_closed);
  if (!better)
    return;
  gtk_widget_set_visible (self->show, has_changes);
  if (has_changes) {
    tell_unannounced (self, &better->witness);
    gtk_widget_set_visible (self->copy, FALSE);
    return;
  }
  gtk_label_set_text (self->text,
                      better->can_have_pokes
                          ? _ ("Kernel text patches were not recorded: patched code may be wrong")
                          : _ ("This architecture records no kernel text patches: patched code may "
                               "be wrong"));
  command = pen_display_text (better->command ? better->command : "");
  gtk_widget_set_visible (self->copy, better->can_have_pokes && better->command);
  gtk_widget_set_tooltip_text (self->copy, command);
}

static void
on_state (PenMissingBanner *self)
{
  self->is_closed = FALSE;
  show (self);
}

static void
on_copy (PenMissingBanner *self)
{
  const PenOpened *opened = pen_session_get_opened (self->session);

  if (!opened || !opened->better->command)
    return;
  /* It has the words of the recorded one. */
  if (g_utf8_validate (opened->better->command, -1, NULL))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.copy-text", "s", opened->better->command);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "win.tell", "s",
                                _ ("Cannot copy: a name is not valid UTF-8"));
}

static void
on_show (PenMissingBanner *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.add-filter", "^ay", "cause:unannounced");
  gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "causes");
}

static void
on_close (PenMissingBanner *self)
{
  self->is_closed = TRUE;
  gtk_revealer_set_reveal_child (self->revealer, FALSE);
}

void
pen_missing_banner_set_session (PenMissingBanner *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_state (self);
}

static void
pen_missing_banner_dispose (GObject *object)
{
  PenMissingBanner *self = PEN_MISSING_BANNER (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_missing_banner_parent_class)->dispose (object);
}

static void
pen_missing_banner_class_init (PenMissingBannerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = pen_missing_banner_dispose;
}

static void
pen_missing_banner_init (PenMissingBanner *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");

  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::part", G_CALLBACK (show), self);
  self->revealer = GTK_REVEALER (gtk_revealer_new ());
  self->text = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_wrap (self->text, TRUE);
  gtk_label_set_xalign (self->text, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->text), TRUE);
  self->copy = gtk_button_new_with_mnemonic (_ ("Copy Co_mmand"));
  gtk_widget_set_valign (self->copy, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (self->copy, "clicked", G_CALLBACK (on_copy), self);
  self->show = gtk_button_new_with_mnemonic (_ ("_Show"));
  gtk_widget_set_valign (self->show, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (self->show, FALSE); /* the width of two buttons is too much */
  gtk_widget_set_tooltip_text (self->show, _ ("Show them in Causes"));
  g_signal_connect_swapped (self->show, "clicked", G_CALLBACK (on_show), self);
  gtk_widget_set_valign (close, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (close, "flat");
  gtk_widget_add_css_class (close, "circular");
  gtk_widget_set_tooltip_text (close, _ ("Close"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (close), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Close"), -1);
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (on_close), self);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->text));
  gtk_box_append (GTK_BOX (box), self->copy);
  gtk_box_append (GTK_BOX (box), self->show);
  gtk_box_append (GTK_BOX (box), close);
  gtk_widget_add_css_class (box, "missing-banner");
  gtk_revealer_set_transition_type (self->revealer, GTK_REVEALER_TRANSITION_TYPE_SLIDE_DOWN);
  gtk_revealer_set_child (self->revealer, box);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->revealer));
}
