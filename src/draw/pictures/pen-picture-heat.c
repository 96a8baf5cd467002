/* pen-picture-heat.c: the heat map as a picture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-heat-map.h"
#include "pen-outline.h"
#include "pen-picture-private.h"

#define HEIGHT 420

typedef struct {
  PenContent content;
  PenQuery *query;
  const PenPictureOptions *options;
} HeatMap;

static int
get_height (PenContent *content G_GNUC_UNUSED, int width G_GNUC_UNUSED)
{
  return HEIGHT;
}

static gboolean
draw (PenContent *content, PenSheet *sheet, int width, int height, GError **error)
{
  HeatMap *self = (HeatMap *) content;
  const PenFilter *filter = self->options->filter;
  PenPlot plot = pen_plot_new (width, height, PEN_PLOT_GUTTER, PEN_EM, FALSE, content->span);
  guint64 column = pen_heat_choose_column (content->span.from, content->span.to,
                                           (guint) MAX (plot.width / PEN_HEAT_COLUMN_WIDTH, 1));
  g_autoptr (PenHeat) heat
      = pen_query_heat (self->query, filter, content->span.from, content->span.to, column, error);
  PenRaster *raster;
  int scale;

  if (!heat)
    return FALSE;
  plot.view = pen_heat_map_get_span (heat);
  raster = pen_sheet_begin_pixels (sheet, plot.width, plot.height, &scale);
  pen_heat_map_draw (heat, raster, scale, sheet->theme.dark);
  pen_sheet_end (sheet, raster, plot.x, plot.y, scale);
  pen_heat_map_draw_end (heat, &plot, sheet->painter, &sheet->theme);
  pen_heat_map_draw_words (heat, &plot, sheet->painter, &sheet->theme);
  pen_plot_draw_ruler (&plot, sheet->painter, &sheet->theme, &content->clock);
  return TRUE;
}

static void
heat_map_free (PenContent *content)
{
  g_free (content);
}

PenContent *
pen_picture_load_heat (PenQuery *query, const PenPictureOptions *options, GError **error)
{
  g_autoptr (PenOutline) outline = pen_outline_load (query, error);
  HeatMap *self;

  if (!outline)
    return NULL;
  self = g_new0 (HeatMap, 1);
  self->content.get_height = get_height;
  self->content.draw = draw;
  self->content.free = heat_map_free;
  self->content.causes = outline->causes;
  self->query = query;
  self->options = options;
  pen_content_set_time (&self->content, query, options);
  return &self->content;
}
