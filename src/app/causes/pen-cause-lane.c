/* pen-cause-lane.c: when a row of the tree of causes was on, over the time that the overview shows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-lane.h"

#include "pen-binary-search.h"
#include "pen-palette.h"

/* Heights of the bar while it is on, and of the line while it is off: they differ in height, not
 * only in colour. */
#define BAR 10
#define LINE 2
#define HATCH 4

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
draw (gpointer item, PenRaster *raster, int scale, gboolean dark)
{
  const PenCauseRow *row = pen_cause_item_get_row (item);
  const PenCauseShow *show = pen_cause_item_get_show (item);
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

GtkWidget *
pen_cause_lane_new (void)
{
  return pen_row_strip_new (draw);
}

void
pen_cause_lane_set_item (PenRowStrip *strip, PenCauseItem *item)
{
  g_autofree char *times = item ? pen_cause_item_dup_times (item) : NULL;

  pen_row_strip_set_item (strip, item, times, times);
}
