/* pen-life-strip.c: when an occupant was there, as a bar over the time of the capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-life-strip.h"

#include <glib/gi18n-lib.h>

#include "pen-palette.h"

/* The height of the bar: the rest is its ground. */
#define BAR 8

/* As the overview draws programs: a light bar, dark where it begins. */
static void
draw (gpointer item, PenRaster *raster, int scale, gboolean dark)
{
  const PenOccupantRow *row = pen_occupant_item_get_row (item);
  PenSpan span = pen_occupant_item_get_clock (item)->span;
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

GtkWidget *
pen_life_strip_new (void)
{
  return pen_row_strip_new (draw);
}

void
pen_life_strip_set_item (PenRowStrip *strip, PenOccupantItem *item)
{
  g_autofree char *life = item ? pen_occupant_item_dup_life (item) : NULL;
  g_autofree char *label = life ? g_strdup_printf (_ ("Present: %s"), life) : NULL;

  pen_row_strip_set_item (strip, item, label, life);
}
