/* pen-row-strip.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-row-strip.h"

#include <adwaita.h>

#include "pen-tooltip.h"

#define MIN_WIDTH 60
#define HEIGHT 14

struct _PenRowStrip {
  GtkWidget parent_instance;

  PenRowStripDraw draw;
  GObject *item;
};

G_DEFINE_FINAL_TYPE (PenRowStrip, pen_row_strip, GTK_TYPE_WIDGET)

static void
pen_row_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  static const cairo_user_data_key_t key;
  PenRowStrip *self = PEN_ROW_STRIP (widget);
  int scale = gtk_widget_get_scale_factor (widget);
  int width = gtk_widget_get_width (widget);
  int y = (gtk_widget_get_height (widget) - HEIGHT) / 2;
  cairo_surface_t *surface;
  PenRaster *raster;
  cairo_t *cr;

  if (!self->item || width < 1)
    return;
  raster = pen_raster_new (width * scale, HEIGHT * scale);
  self->draw (self->item, raster, scale,
              adw_style_manager_get_dark (adw_style_manager_get_default ()));
  surface = cairo_image_surface_create_for_data ((guchar *) raster->pixels, CAIRO_FORMAT_RGB24,
                                                 raster->width, raster->height, raster->width * 4);
  cairo_surface_set_user_data (surface, &key, raster, (cairo_destroy_func_t) pen_raster_free);
  cairo_surface_set_device_scale (surface, scale, scale);
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, (float) y, (float) width, HEIGHT));
  cairo_set_source_surface (cr, surface, 0, y);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
pen_row_strip_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                       int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : HEIGHT;
}

static void
pen_row_strip_dispose (GObject *object)
{
  g_clear_object (&PEN_ROW_STRIP (object)->item);

  G_OBJECT_CLASS (pen_row_strip_parent_class)->dispose (object);
}

static void
pen_row_strip_class_init (PenRowStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_row_strip_dispose;
  widget_class->snapshot = pen_row_strip_snapshot;
  widget_class->measure = pen_row_strip_measure;
  gtk_widget_class_set_css_name (widget_class, "strip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
pen_row_strip_init (PenRowStrip *self)
{
}

GtkWidget *
pen_row_strip_new (PenRowStripDraw draw)
{
  PenRowStrip *self = g_object_new (PEN_TYPE_ROW_STRIP, NULL);

  self->draw = draw;
  return GTK_WIDGET (self);
}

void
pen_row_strip_set_item (PenRowStrip *self, gpointer item, const char *label, const char *tooltip)
{
  g_set_object (&self->item, item);
  if (label)
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                    -1);
  pen_tooltip_set (GTK_WIDGET (self), tooltip);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
