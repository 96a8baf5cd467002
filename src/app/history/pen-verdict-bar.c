/* pen-verdict-bar.c: what the patches of the shown function did to its samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-verdict-bar.h"

#include <glib/gi18n-lib.h>

#include "pen-display.h"
#include "pen-tooltip.h"

/* Folded, it leaves the room to the instructions. */
#define LINES_FOLDED 3

struct _PenVerdictBar {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;

  GtkLabel *verdict;
  GtkToggleButton *unfold;
  GtkLabel *details;
};

G_DEFINE_FINAL_TYPE (PenVerdictBar, pen_verdict_bar, ADW_TYPE_BIN)

static void
on_unfold (PenVerdictBar *self)
{
  gboolean is_open = gtk_toggle_button_get_active (self->unfold);

  gtk_label_set_lines (self->verdict, is_open ? -1 : LINES_FOLDED);
  gtk_label_set_ellipsize (self->verdict, is_open ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END);
  gtk_widget_set_visible (GTK_WIDGET (self->details), is_open);
  gtk_button_set_icon_name (GTK_BUTTON (self->unfold),
                            is_open ? "pan-up-symbolic" : "pan-down-symbolic");
}

/* Names are as recorded. */
static void
set_text (GtkLabel *label, char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *shown = NULL;

  for (guint i = 0; lines[i]; i++) {
    char *line = pen_display_text (lines[i]);

    g_free (lines[i]);
    lines[i] = line;
  }
  shown = g_strjoinv ("\n", lines);
  gtk_label_set_text (label, shown);
  g_free (text);
}

/* The verdict of the text before stays until the new one is known, but not beside another text. */
static void
show_verdict (PenVerdictBar *self)
{
  const PenAnswers *known = pen_session_get_answers (self->session);
  const PenVerdictAnswer *verdict = known->verdict;
  const PenAnnotated *annotated = known->annotation ? known->annotation->text->annotated : NULL;
  gboolean is_shown = verdict && annotated && verdict->function == annotated->function
                      && verdict->report->causes->len > 0;

  if (is_shown && annotated->population == PEN_POPULATION_WAITS) {
    gtk_label_set_text (self->verdict,
                        _ ("No verdict on time off CPU: waits do not come at random"));
    gtk_toggle_button_set_active (self->unfold, FALSE);
    pen_tooltip_set (GTK_WIDGET (self->verdict),
                     _ ("Only rates of samples before and after a patch are compared."));
  } else if (is_shown) {
    set_text (self->verdict, pen_verdict_report_describe (verdict->report));
    set_text (self->details, pen_verdict_report_describe_more (verdict->report));
    pen_tooltip_set (GTK_WIDGET (self->verdict), gtk_label_get_text (self->verdict));
  }
  gtk_widget_set_visible (GTK_WIDGET (self->unfold),
                          is_shown && annotated->population == PEN_POPULATION_SAMPLES);
  gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
}

void
pen_verdict_bar_set_session (PenVerdictBar *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  show_verdict (self);
}

static void
pen_verdict_bar_dispose (GObject *object)
{
  PenVerdictBar *self = PEN_VERDICT_BAR (object);

  g_clear_object (&self->signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_VERDICT_BAR);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_verdict_bar_parent_class)->dispose (object);
}

static void
pen_verdict_bar_class_init (PenVerdictBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_verdict_bar_dispose;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/history/pen-verdict-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, PenVerdictBar, verdict);
  gtk_widget_class_bind_template_child (widget_class, PenVerdictBar, unfold);
  gtk_widget_class_bind_template_child (widget_class, PenVerdictBar, details);
  gtk_widget_class_bind_template_callback (widget_class, on_unfold);
}

static void
pen_verdict_bar_init (PenVerdictBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::verdict", G_CALLBACK (show_verdict),
                                  self);
  g_signal_group_connect_swapped (self->signals, "answered::annotation", G_CALLBACK (show_verdict),
                                  self);
}
