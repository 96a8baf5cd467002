/* pen-strip.c: an annotation row over time: who stood there, and when samples landed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-strip.h"

#include <adwaita.h>
#include <math.h>

#include "pen-palette.h"
#include "pen-raster.h"

#define MIN_WIDTH 84
#define HEIGHT 14

struct _PenStrip {
  GtkWidget parent_instance;

  PenSlot *slot;
};

G_DEFINE_FINAL_TYPE (PenStrip, pen_strip, GTK_TYPE_WIDGET)

/* The ground says who stood there: a line for what was there by itself, a tint for a patch, blank
 * where nobody of this slot did. */
static void
draw_versions (PenStrip *self, PenRaster *raster, int scale, gboolean dark)
{
  PenBox box = { 0, 0, raster->width, raster->height };
  PenSpan view = pen_slot_get_strips (self->slot)->span;
  guint32 ground = pen_palette_ground (dark);

  pen_raster_fill (raster, box, ground);
  for (guint i = 0; i < pen_slot_get_n_lines (self->slot); i++) {
    const PenAnnotationLine *line = pen_slot_get_nth_line (self->slot, i);
    const PenStoredPoke *poke = pen_slot_find_poke (self->slot, line);
    PenBox part;

    if (!pen_raster_interval (box, view, line->from.time, line->to.time, &part))
      continue;
    if (!poke) {
      part.y = raster->height - 2 * scale;
      part.height = 2 * scale;
      pen_raster_fill (raster, part, pen_palette_lane (dark));
      continue;
    }
    pen_raster_fill (raster, part,
                     pen_raster_blend (pen_palette_cause (poke->cause, dark), ground, 0.3));
    pen_raster_tick (raster, box, view, line->from.time, 2 * scale,
                     pen_palette_cause (poke->cause, dark));
  }
}

static void
draw_samples (PenStrip *self, PenRaster *raster, gboolean dark)
{
  const PenStrips *strips = pen_slot_get_strips (self->slot);
  guint32 color = pen_palette_kind (strips->text->annotated->kind, dark);

  for (int x = 0; x < raster->width && strips->n_bins > 0; x++) {
    guint bin = (guint) ((guint64) x * strips->n_bins / (guint) raster->width);
    guint32 count = pen_slot_get_bin (self->slot, bin);
    int height;

    if (count == 0)
      continue;
    /* By the square root: one sample beside a thousand is still to be seen. */
    height = (int) lround (sqrt ((double) count / MAX (strips->max, 1)) * raster->height);
    height = CLAMP (height, MAX (raster->height / 5, 2), raster->height);
    pen_raster_fill (raster, (PenBox){ x, raster->height - height, 1, height }, color);
  }
}

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
  draw_versions (self, raster, scale, dark);
  draw_samples (self, raster, dark);
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
