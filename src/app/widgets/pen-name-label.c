/* pen-name-label.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-name-label.h"

#include "pen-short-name.h"

/* A column can be made as narrow as that. */
#define MIN_CHARS 3

struct _PenNameLabel {
  GtkWidget parent_instance;

  char *name;
  PangoLayout *layout; /* NULL: to be laid out; of what has room in @width */
  int width;
};

G_DEFINE_FINAL_TYPE (PenNameLabel, pen_name_label, GTK_TYPE_WIDGET)

static PangoLayout *
new_layout (PenNameLabel *self, const char *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);

  pango_layout_set_single_paragraph_mode (layout, TRUE);
  return layout;
}

static gboolean
fits (const char *text, gpointer data)
{
  PenNameLabel *self = data;
  int width;

  pango_layout_set_text (self->layout, text, -1);
  pango_layout_get_pixel_size (self->layout, &width, NULL);
  return width <= self->width;
}

static void
lay_out (PenNameLabel *self, int width)
{
  g_autofree char *shown = NULL;

  if (self->layout && self->width == width)
    return;
  g_clear_object (&self->layout);
  self->layout = new_layout (self, "");
  self->width = width;
  shown = pen_short_name_new (self->name, fits, self);
  pango_layout_set_text (self->layout, shown, -1);
}

static void
pen_name_label_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
  PenNameLabel *self = PEN_NAME_LABEL (widget);
  g_autoptr (PangoLayout) layout = new_layout (self, self->name);
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    PangoContext *context = pango_layout_get_context (layout);
    PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
    int letter = PANGO_PIXELS_CEIL (pango_font_metrics_get_approximate_char_width (metrics));

    pango_font_metrics_unref (metrics);
    *minimum = MIN (width, MIN_CHARS * letter);
    *natural = width;
  } else {
    *minimum = *natural = height;
    *minimum_baseline = *natural_baseline = PANGO_PIXELS (pango_layout_get_baseline (layout));
  }
}

static void
pen_name_label_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PenNameLabel *self = PEN_NAME_LABEL (widget);
  int width = gtk_widget_get_width (widget);
  gboolean is_rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int text_width, text_height;

  lay_out (self, width);
  pango_layout_get_pixel_size (self->layout, &text_width, &text_height);
  gtk_snapshot_render_layout (snapshot, gtk_widget_get_style_context (widget),
                              is_rtl ? width - text_width : 0,
                              (gtk_widget_get_height (widget) - text_height) / 2.0, self->layout);
}

static void
pen_name_label_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (pen_name_label_parent_class)->css_changed (widget, change);
  g_clear_object (&PEN_NAME_LABEL (widget)->layout);
}

static void
pen_name_label_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (pen_name_label_parent_class)->system_setting_changed (widget, setting);
  g_clear_object (&PEN_NAME_LABEL (widget)->layout);
}

static void
pen_name_label_direction_changed (GtkWidget *widget, GtkTextDirection before)
{
  GTK_WIDGET_CLASS (pen_name_label_parent_class)->direction_changed (widget, before);
  g_clear_object (&PEN_NAME_LABEL (widget)->layout);
}

static void
pen_name_label_finalize (GObject *object)
{
  PenNameLabel *self = PEN_NAME_LABEL (object);

  g_clear_object (&self->layout);
  g_free (self->name);

  G_OBJECT_CLASS (pen_name_label_parent_class)->finalize (object);
}

static void
pen_name_label_class_init (PenNameLabelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = pen_name_label_finalize;
  widget_class->measure = pen_name_label_measure;
  widget_class->snapshot = pen_name_label_snapshot;
  widget_class->css_changed = pen_name_label_css_changed;
  widget_class->system_setting_changed = pen_name_label_system_setting_changed;
  widget_class->direction_changed = pen_name_label_direction_changed;
  gtk_widget_class_set_css_name (widget_class, "label");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
pen_name_label_init (PenNameLabel *self)
{
  self->name = g_strdup ("");
}

GtkWidget *
pen_name_label_new (void)
{
  return g_object_new (PEN_TYPE_NAME_LABEL, NULL);
}

void
pen_name_label_set_name (PenNameLabel *self, const char *name)
{
  if (g_str_equal (self->name, name))
    return;
  g_free (self->name);
  self->name = g_strdup (name);
  g_clear_object (&self->layout);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

const char *
pen_name_label_get_name (PenNameLabel *self)
{
  return self->name;
}
