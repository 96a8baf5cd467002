/* pen-cause-lane.c: when a row of the tree of causes was on, over the time that the overview shows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-lane.h"

#include <adwaita.h>

#include "pen-binary-search.h"
#include "pen-palette.h"
#include "pen-raster.h"

#define MIN_WIDTH 60
#define HEIGHT 14
/* Of a bar where it is on, and of the line where it is off: they differ in height, not only in
 * colour. */
#define BAR 10
#define LINE 2
#define HATCH 4

struct _PenCauseLane {
  GtkWidget parent_instance;

  PenCauseItem *item;
};

G_DEFINE_FINAL_TYPE (PenCauseLane, pen_cause_lane, GTK_TYPE_WIDGET)

static PenBox
get_box (const PenRaster *raster, int height, int scale)
{
  return (PenBox){ 0, (raster->height - height * scale) / 2, raster->width, height * scale };
}

static void
draw_stretch (PenRaster *raster, PenBox part, PenCauseState state, guint32 color, int scale,
              gboolean dark)
{
  PenBox line = get_box (raster, LINE, scale);

  if (state == PEN_CAUSE_ON) {
    pen_raster_fill (raster, part, color);
  } else if (state == PEN_CAUSE_UNSURE) {
    pen_raster_hatch (raster, part, pen_palette_loss (dark), HATCH * scale);
  } else {
    part.y = line.y;
    part.height = line.height;
    pen_raster_fill (raster, part, pen_palette_lane (dark));
  }
}

/* Stretches by their beginning; of those that fall on one pixel the first is drawn, and any that is
 * on. */
static void
draw (PenCauseLane *self, PenRaster *raster, int scale, gboolean dark)
{
  const PenCauseRow *row = pen_cause_item_get_row (self->item);
  const PenCauseShow *show = pen_cause_item_get_show (self->item);
  const PenCauseStretch *stretches
      = &g_array_index (show->table->tree->stretches, PenCauseStretch, row->first_stretch);
  guint32 color = pen_palette_cause (row->cause, dark);
  PenBox box = get_box (raster, BAR, scale);
  guint first = PEN_BINARY_SEARCH (i, 0, row->n_stretches, stretches[i].to <= show->visible.from);
  int drawn = -1;

  pen_raster_fill (raster, (PenBox){ 0, 0, raster->width, raster->height },
                   pen_palette_ground (dark));
  for (guint i = first; i < row->n_stretches && stretches[i].from <= show->visible.to; i++) {
    PenBox part;
    gboolean is_on = stretches[i].state == PEN_CAUSE_ON;

    if (!pen_raster_interval (box, show->visible, stretches[i].from, stretches[i].to, &part)
        || (!is_on && part.x + part.width <= drawn))
      continue;
    draw_stretch (raster, part, stretches[i].state, color, scale, dark);
    if (is_on)
      drawn = part.x + part.width;
  }
}

static void
pen_cause_lane_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  static const cairo_user_data_key_t key;
  PenCauseLane *self = PEN_CAUSE_LANE (widget);
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
pen_cause_lane_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : HEIGHT;
}

static void
pen_cause_lane_dispose (GObject *object)
{
  g_clear_object (&PEN_CAUSE_LANE (object)->item);

  G_OBJECT_CLASS (pen_cause_lane_parent_class)->dispose (object);
}

static void
pen_cause_lane_class_init (PenCauseLaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_cause_lane_dispose;
  widget_class->snapshot = pen_cause_lane_snapshot;
  widget_class->measure = pen_cause_lane_measure;
  gtk_widget_class_set_css_name (widget_class, "strip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
pen_cause_lane_init (PenCauseLane *self)
{
}

GtkWidget *
pen_cause_lane_new (void)
{
  return g_object_new (PEN_TYPE_CAUSE_LANE, NULL);
}

void
pen_cause_lane_set_item (PenCauseLane *self, PenCauseItem *item)
{
  g_autofree char *times = item ? pen_cause_item_dup_times (item) : NULL;

  g_set_object (&self->item, item);
  if (times)
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, times,
                                    -1);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), times);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
