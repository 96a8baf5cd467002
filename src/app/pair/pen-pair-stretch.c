/* pen-pair-stretch.c: which time of one of two recordings is compared
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-stretch.h"

#include <glib/gi18n-lib.h>

#include "pen-filter-words.h"

enum { SIGNAL_CHOSEN, SIGNALS };

struct _PenPairStretch {
  AdwBin parent_instance;

  PenPairList *list; /* (nullable) */
  guint side;

  GtkMenuButton *button;
  GtkLabel *time;
  GtkPopover *popover;
  GtkEntry *entry;
  GtkLabel *problem;
  GtkWidget *entire;
  GtkWidget *same;
};

G_DEFINE_FINAL_TYPE (PenPairStretch, pen_pair_stretch, ADW_TYPE_BIN)

static guint signals[SIGNALS];

static void
choose (PenPairStretch *self, const PenSpan *span)
{
  gtk_popover_popdown (self->popover);
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0, span);
}

/* Of A, it is no filter at all. */
static void
on_entire (PenPairStretch *self)
{
  const PenSpan entire = PEN_COMPARED_ENTIRE;

  choose (self, self->side == 0 ? NULL : &entire);
}

static void
on_same (PenPairStretch *self)
{
  choose (self, NULL);
}

static void
show_problem (PenPairStretch *self, const char *message)
{
  gtk_label_set_text (self->problem, message ? message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), message != NULL);
  if (message)
    gtk_widget_add_css_class (GTK_WIDGET (self->entry), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->entry), "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_STATE_INVALID,
                               message ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE,
                               -1);
}

/* As the command line takes it. */
static void
on_activate (PenPairStretch *self)
{
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autoptr (GError) error = NULL;
  const PenSpan *range = self->list ? &self->list->ranges[self->side] : NULL;

  if (!range)
    return;
  if (pen_filter_set_time_from_string (filter, gtk_editable_get_text (GTK_EDITABLE (self->entry)),
                                       range->from, range->to, &error))
    choose (self, &(PenSpan){ filter->from, filter->to });
  else
    show_problem (self, error->message);
}

static void
on_changed (PenPairStretch *self)
{
  show_problem (self, NULL);
}

static void
on_popover (PenPairStretch *self)
{
  g_autofree char *time = NULL;

  if (!self->list || !gtk_widget_get_mapped (GTK_WIDGET (self->popover)))
    return;
  time = pen_pair_list_dup_time (self->list, self->side);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), time ? time : "");
  show_problem (self, NULL);
}

void
pen_pair_stretch_show (PenPairStretch *self, const PenPairList *list, guint side, PenTimes times)
{
  g_autofree char *time = NULL;
  g_autofree char *spoken = NULL;
  PenSpan span;

  g_clear_pointer (&self->list, pen_pair_list_unref);
  self->side = side;
  gtk_widget_set_visible (GTK_WIDGET (self), list != NULL);
  gtk_widget_set_visible (self->same, side == 1);
  if (!list)
    return;
  self->list = pen_pair_list_ref ((PenPairList *) list);
  if (pen_pair_list_get_time (list, side, &span)) {
    PenClock clock = pen_pair_list_get_clock (list, side, times);

    time = pen_filter_words_describe_span (span, &clock);
  } else {
    time = g_strdup (_ ("Entire recording"));
  }
  gtk_label_set_text (self->time, time);
  spoken = g_strdup_printf (side == 0 ? _ ("Time of A: %s") : _ ("Time of B: %s"), time);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  spoken, -1);
}

/* ---- object ---- */

static void
pen_pair_stretch_dispose (GObject *object)
{
  PenPairStretch *self = PEN_PAIR_STRETCH (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), PEN_TYPE_PAIR_STRETCH);
  g_clear_pointer (&self->list, pen_pair_list_unref);

  G_OBJECT_CLASS (pen_pair_stretch_parent_class)->dispose (object);
}

static void
pen_pair_stretch_class_init (PenPairStretchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_pair_stretch_dispose;
  signals[SIGNAL_CHOSEN] = g_signal_new ("chosen", PEN_TYPE_PAIR_STRETCH, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/pentimento/Pentimento/pair/pen-pair-stretch.ui");
  gtk_widget_class_bind_template_child (widget_class, PenPairStretch, button);
  gtk_widget_class_bind_template_child (widget_class, PenPairStretch, time);
  gtk_widget_class_bind_template_child (widget_class, PenPairStretch, popover);
  gtk_widget_class_bind_template_child (widget_class, PenPairStretch, entry);
  gtk_widget_class_bind_template_child (widget_class, PenPairStretch, problem);
  gtk_widget_class_bind_template_child (widget_class, PenPairStretch, entire);
  gtk_widget_class_bind_template_child (widget_class, PenPairStretch, same);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_entire);
  gtk_widget_class_bind_template_callback (widget_class, on_popover);
  gtk_widget_class_bind_template_callback (widget_class, on_same);
}

static void
pen_pair_stretch_init (PenPairStretch *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
