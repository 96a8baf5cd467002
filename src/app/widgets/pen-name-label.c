/* pen-name-label.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-name-label.h"

#include <string.h>

#include "pen-short-name.h"

/* A column can be made as narrow as that. */
#define MIN_CHARS 3

struct _PenNameLabel {
  GtkWidget parent_instance;

  char *text;
  gsize begin; /* of the name in the text, in bytes */
  gsize end;
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
fits_whole (const char *text, gpointer data)
{
  PenNameLabel *self = data;
  int width;

  pango_layout_set_text (self->layout, text, -1);
  pango_layout_get_pixel_size (self->layout, &width, NULL);
  return width <= self->width;
}

/* The text with a shorter name. */
static char *
put_into (PenNameLabel *self, const char *name)
{
  return g_strdup_printf ("%.*s%s%s", (int) self->begin, self->text, name, self->text + self->end);
}

static gboolean
fits (const char *name, gpointer data)
{
  g_autofree char *text = put_into (data, name);

  return fits_whole (text, data);
}

/* Where there is no room even for the words around the name, they are cut as well. */
static char *
cut (PenNameLabel *self)
{
  g_autofree char *name = g_strndup (self->text + self->begin, self->end - self->begin);
  g_autofree char *shorter = pen_short_name_new (name, fits, self);
  g_autofree char *text = put_into (self, shorter);

  return fits_whole (text, self) ? g_steal_pointer (&text)
                                 : pen_short_name_new (self->text, fits_whole, self);
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
  shown = cut (self);
  pango_layout_set_text (self->layout, shown, -1);
}

static void
pen_name_label_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
  PenNameLabel *self = PEN_NAME_LABEL (widget);
  g_autoptr (PangoLayout) layout = new_layout (self, self->text);
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
  g_free (self->text);

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
  self->text = g_strdup ("");
}

GtkWidget *
pen_name_label_new (void)
{
  return g_object_new (PEN_TYPE_NAME_LABEL, NULL);
}

void
pen_name_label_set_name_in (PenNameLabel *self, const char *text, const char *name)
{
  const char *found = strstr (text, name);
  gsize begin = found ? (gsize) (found - text) : 0;
  gsize end = found ? begin + strlen (name) : strlen (text);

  if (g_str_equal (self->text, text) && self->begin == begin && self->end == end)
    return;
  g_free (self->text);
  self->text = g_strdup (text);
  self->begin = begin;
  self->end = end;
  g_clear_object (&self->layout);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
pen_name_label_set_name (PenNameLabel *self, const char *name)
{
  pen_name_label_set_name_in (self, name, name);
}

const char *
pen_name_label_get_name (PenNameLabel *self)
{
  return self->text;
}

char *
pen_name_label_dup_shown (PenNameLabel *self)
{
  lay_out (self, gtk_widget_get_width (GTK_WIDGET (self)));
  return g_strdup (pango_layout_get_text (self->layout));
}
