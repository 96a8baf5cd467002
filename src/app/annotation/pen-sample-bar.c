/* pen-sample-bar.c: a number of samples, and a bar behind it in proportion
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-bar.h"

#include "pen-phrases.h"
#include "pen-format.h"

struct _PenSampleBar {
  GtkWidget parent_instance;

  GtkWidget *label;
  double fraction;
  guint32 color;
};

G_DEFINE_FINAL_TYPE (PenSampleBar, pen_sample_bar, GTK_TYPE_WIDGET)

static void
pen_sample_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PenSampleBar *self = PEN_SAMPLE_BAR (widget);
  float width = (float) gtk_widget_get_width (widget);
  float height = (float) gtk_widget_get_height (widget);
  GdkRGBA color = { ((self->color >> 16) & 0xff) / 255.f, ((self->color >> 8) & 0xff) / 255.f,
                    (self->color & 0xff) / 255.f, 0.32f };

  if (self->fraction > 0) {
    float length = MAX ((float) self->fraction * width, 2);

    gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT (0, 1, length, height - 2));
    color.alpha = 1;
    gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT (0, 1, 2, height - 2));
  }
  gtk_widget_snapshot_child (widget, self->label, snapshot);
}

static void
pen_sample_bar_dispose (GObject *object)
{
  g_clear_pointer (&PEN_SAMPLE_BAR (object)->label, gtk_widget_unparent);

  G_OBJECT_CLASS (pen_sample_bar_parent_class)->dispose (object);
}

static void
pen_sample_bar_class_init (PenSampleBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_sample_bar_dispose;
  widget_class->snapshot = pen_sample_bar_snapshot;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "samplebar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_METER);
}

static void
pen_sample_bar_init (PenSampleBar *self)
{
  self->label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->label), 1);
  gtk_label_set_width_chars (GTK_LABEL (self->label), 6);
  gtk_widget_add_css_class (self->label, "numeric");
  gtk_widget_set_parent (self->label, GTK_WIDGET (self));
}

GtkWidget *
pen_sample_bar_new (void)
{
  return g_object_new (PEN_TYPE_SAMPLE_BAR, NULL);
}

void
pen_sample_bar_set (PenSampleBar *self, guint64 samples, guint64 full, guint32 color)
{
  g_autofree char *text = samples > 0 ? pen_format_count (samples) : g_strdup ("");
  g_autofree char *spoken = pen_phrase_samples (samples, TRUE);

  self->fraction = full > 0 ? (double) samples / (double) full : 0;
  self->color = color;
  gtk_label_set_text (GTK_LABEL (self->label), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, (double) full,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, (double) samples, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
