/* pen-strip.c: an annotation row over time: who stood there, and when samples landed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-strip.h"

#include <adwaita.h>

#define MIN_WIDTH 84
#define HEIGHT 14

struct _PenStrip {
  GtkWidget parent_instance;

  PenSlot *slot;
};

G_DEFINE_FINAL_TYPE (PenStrip, pen_strip, GTK_TYPE_WIDGET)

static void
pen_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  static const cairo_user_data_key_t key;
  PenStrip *self = PEN_STRIP (widget);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  int scale = gtk_widget_get_scale_factor (widget);
  int width = gtk_widget_get_width (widget);
  int height = MIN (gtk_widget_get_height (widget), HEIGHT);
  int y = (gtk_widget_get_height (widget) - height) / 2;
  cairo_surface_t *surface;
  PenRaster *raster;
  cairo_t *cr;

  if (!self->slot || width < 1 || height < 1)
    return;

  raster = pen_raster_new (width * scale, height * scale);
  pen_slot_draw_strip (self->slot, raster, scale, dark);
  surface = cairo_image_surface_create_for_data ((guchar *) raster->pixels, CAIRO_FORMAT_RGB24,
                                                 raster->width, raster->height, raster->width * 4);
  cairo_surface_set_user_data (surface, &key, raster, (cairo_destroy_func_t) pen_raster_free);
  cairo_surface_set_device_scale (surface, scale, scale);
  cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (0, (float) y, (float) width, (float) height));
  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface (cr, surface, 0, y);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
pen_strip_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                   int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : HEIGHT;
}

static void
pen_strip_dispose (GObject *object)
{
  g_clear_object (&PEN_STRIP (object)->slot);

  G_OBJECT_CLASS (pen_strip_parent_class)->dispose (object);
}

static void
pen_strip_class_init (PenStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_strip_dispose;
  widget_class->snapshot = pen_strip_snapshot;
  widget_class->measure = pen_strip_measure;
  gtk_widget_class_set_css_name (widget_class, "strip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
pen_strip_init (PenStrip *self)
{
}

GtkWidget *
pen_strip_new (void)
{
  return g_object_new (PEN_TYPE_STRIP, NULL);
}

void
pen_strip_set_slot (PenStrip *self, PenSlot *slot)
{
  const PenAnnotationLine *line;
  g_autofree char *label = NULL;

  g_set_object (&self->slot, slot);
  if (slot) {
    line = pen_slot_get_nth_line (slot, 0);
    label
        = g_strdup_printf ("Samples over time of offset 0x%" G_GINT64_MODIFIER
                           "x: %u versions, %" G_GUINT64_FORMAT " samples",
                           line->offset, pen_slot_get_n_lines (slot), pen_slot_get_samples (slot));
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                    -1);
  }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
