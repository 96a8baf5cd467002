/* pen-life-strip.c: when an occupant was there, as a bar over the time of the capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-life-strip.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>

#include "pen-palette.h"
#include "pen-raster.h"
#include "pen-tooltip.h"

#define MIN_WIDTH 60
#define HEIGHT 14
/* The height of the bar: the rest is its ground. */
#define BAR 8

struct _PenLifeStrip {
  GtkWidget parent_instance;

  PenOccupantItem *item;
};

G_DEFINE_FINAL_TYPE (PenLifeStrip, pen_life_strip, GTK_TYPE_WIDGET)

/* As the overview draws programs: a light bar, dark where it begins. */
static void
draw (PenLifeStrip *self, PenRaster *raster, int scale, gboolean dark)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (self->item);
  PenSpan span = pen_occupant_item_get_clock (self->item)->span;
  guint32 color = pen_palette_kind (row->kind, dark);
  guint32 ground = pen_palette_ground (dark);
  PenBox box = { 0, 3 * scale, raster->width, BAR * scale };

  pen_raster_fill (raster, (PenBox){ 0, 0, raster->width, raster->height }, ground);
  pen_raster_fill (raster, (PenBox){ 0, raster->height / 2, raster->width, MAX (scale, 1) },
                   pen_palette_lane (dark));
  for (guint i = 0; i < row->lives->len; i++) {
    const PenLife *life = &g_array_index (row->lives, PenLife, i);
    PenBox part;

    if (!pen_raster_interval (box, span, life->from, life->to, &part))
      continue;
    pen_raster_fill (raster, part, pen_raster_blend (color, ground, 0.45));
    part.width = MIN (part.width, 2 * scale);
    pen_raster_fill (raster, part, color);
  }
}

static void
pen_life_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  static const cairo_user_data_key_t key;
  PenLifeStrip *self = PEN_LIFE_STRIP (widget);
  int scale = gtk_widget_get_scale_factor (widget);
  int width = gtk_widget_get_width (widget);
  int y = (gtk_widget_get_height (widget) - HEIGHT) / 2;
  cairo_surface_t *surface;
  PenRaster *raster;
  cairo_t *cr;

  if (!self->item || width < 1)
    return;
  raster = pen_raster_new (width * scale, HEIGHT * scale);
  draw (self, raster, scale, adw_style_manager_get_dark (adw_style_manager_get_default ()));
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
pen_life_strip_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : HEIGHT;
}

static void
pen_life_strip_dispose (GObject *object)
{
  g_clear_object (&PEN_LIFE_STRIP (object)->item);

  G_OBJECT_CLASS (pen_life_strip_parent_class)->dispose (object);
}

static void
pen_life_strip_class_init (PenLifeStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_life_strip_dispose;
  widget_class->snapshot = pen_life_strip_snapshot;
  widget_class->measure = pen_life_strip_measure;
  gtk_widget_class_set_css_name (widget_class, "strip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
pen_life_strip_init (PenLifeStrip *self)
{
}

GtkWidget *
pen_life_strip_new (void)
{
  return g_object_new (PEN_TYPE_LIFE_STRIP, NULL);
}

void
pen_life_strip_set_item (PenLifeStrip *self, PenOccupantItem *item)
{
  g_autofree char *life = item ? pen_occupant_item_dup_life (item) : NULL;
  g_autofree char *label = life ? g_strdup_printf (_ ("Present: %s"), life) : NULL;

  g_set_object (&self->item, item);
  if (label)
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                    -1);
  pen_tooltip_set (GTK_WIDGET (self), life);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
