/* pen-filter-bar.c: what the views are narrowed to, part by part, and how much is left
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-filter-bar.h"

#include <glib/gi18n-lib.h>

#include "pen-amount-words.h"
#include "pen-format.h"
#include "pen-kind-legend.h"
#include "pen-place-buttons.h"
#include "pen-problems-button.h"

struct _PenFilterBar {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;

  GtkBox *row;
  PenKindLegend *legend;
  PenPlaceButtons *places;
  PenFilterEntry *entry;
  PenChipList *chips;
  GtkLabel *count;
  PenProblemsButton *problems;
};

G_DEFINE_FINAL_TYPE (PenFilterBar, pen_filter_bar, ADW_TYPE_BIN)

/* ---- keeping up with the session ---- */

static void
on_counts (PenFilterBar *self)
{
  const PenCounts *counts = pen_session_get_answers (self->session)->counts;
  const GError *error = pen_session_get_error (self->session, PEN_JOB_COUNT);
  g_autofree char *matching = counts ? pen_amount_format (counts->matching) : NULL;
  g_autofree char *total = counts ? pen_amount_phrase (counts->total, FALSE) : NULL;
  g_autofree char *text = NULL;

  if (error)
    text = pen_format_error (error);
  else if (!counts)
    text = g_strdup ("");
  else if (counts->matching.n == counts->total.n)
    text = g_steal_pointer (&total);
  else
    text = g_strdup_printf (C_ ("count", "%s of %s"), matching, total);
  gtk_label_set_text (self->count, text);
}

void
pen_filter_bar_set_session (PenFilterBar *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  pen_problems_button_set_session (self->problems, session);
  pen_place_buttons_set_session (self->places, session);
  pen_chip_list_set_session (self->chips, session);
  pen_filter_entry_set_session (self->entry, session);
  pen_kind_legend_set_session (self->legend, session);
  on_counts (self);
}

void
pen_filter_bar_show_problems (PenFilterBar *self)
{
  pen_problems_button_popup (self->problems);
}

/* With a row of its own, or beside the other parts. */
static void
place_legend (PenFilterBar *self, gboolean has_row)
{
  GtkWidget *legend = GTK_WIDGET (self->legend);
  GtkWidget *row = GTK_WIDGET (self->row);
  GtkBox *all = GTK_BOX (gtk_widget_get_parent (row));
  GtkBox *from = has_row ? self->row : all;

  if (gtk_widget_get_parent (legend) != GTK_WIDGET (from))
    return;
  g_object_ref (legend);
  gtk_box_remove (from, legend);
  gtk_box_insert_child_after (has_row ? all : self->row, legend,
                              has_row ? row : GTK_WIDGET (self->entry));
  g_object_unref (legend);
}

void
pen_filter_bar_set_narrow (PenFilterBar *self, gboolean narrow)
{
  pen_filter_entry_set_narrow (self->entry, narrow);
  place_legend (self, narrow);
  gtk_widget_set_hexpand (GTK_WIDGET (self->count), narrow);
}

void
pen_filter_bar_set_has_places (PenFilterBar *self, gboolean has_places)
{
  gtk_widget_set_visible (GTK_WIDGET (self->places), has_places);
}

void
pen_filter_bar_add_filter (PenFilterBar *self)
{
  pen_filter_entry_popup (self->entry);
}

static void
pen_filter_bar_dispose (GObject *object)
{
  PenFilterBar *self = PEN_FILTER_BAR (object);

  g_clear_object (&self->signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_FILTER_BAR);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_filter_bar_parent_class)->dispose (object);
}

static void
pen_filter_bar_class_init (PenFilterBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_filter_bar_dispose;
  g_type_ensure (PEN_TYPE_PROBLEMS_BUTTON);
  g_type_ensure (PEN_TYPE_CHIP_LIST);
  g_type_ensure (PEN_TYPE_KIND_LEGEND);
  g_type_ensure (PEN_TYPE_PLACE_BUTTONS);
  g_type_ensure (PEN_TYPE_FILTER_ENTRY);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/filter/pen-filter-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, PenFilterBar, row);
  gtk_widget_class_bind_template_child (widget_class, PenFilterBar, legend);
  gtk_widget_class_bind_template_child (widget_class, PenFilterBar, chips);
  gtk_widget_class_bind_template_child (widget_class, PenFilterBar, entry);
  gtk_widget_class_bind_template_child (widget_class, PenFilterBar, places);
  gtk_widget_class_bind_template_child (widget_class, PenFilterBar, count);
  gtk_widget_class_bind_template_child (widget_class, PenFilterBar, problems);
}

static void
pen_filter_bar_init (PenFilterBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->session = pen_session_new ();
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::counts", G_CALLBACK (on_counts), self);
}
