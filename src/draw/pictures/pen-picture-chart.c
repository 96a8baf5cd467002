/* pen-picture-chart.c: stacks in time order as a picture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gi18n-lib.h>

#include "pen-picture-private.h"
#include "pen-stack-chart.h"

typedef struct {
  PenContent content;
  PenStackChart *chart;
} Chart;

static int
get_height (PenContent *content, int width G_GNUC_UNUSED)
{
  return pen_stack_chart_get_height (((Chart *) content)->chart, PEN_EM)
         + pen_plot_get_ruler (PEN_EM);
}

static gboolean
draw (PenContent *content, PenSheet *sheet, int width, int height, GError **error G_GNUC_UNUSED)
{
  const PenStackChart *chart = ((Chart *) content)->chart;
  PenPlot plot = pen_plot_new (width, height, PEN_PLOT_GUTTER, PEN_EM, FALSE, content->span);
  PenRaster *raster;
  int scale;

  raster = pen_sheet_begin (sheet, plot.x, plot.y, plot.width, plot.height, &scale);
  pen_stack_chart_draw (chart, &plot, 0, NULL, raster, scale, sheet->theme.dark);
  pen_sheet_end (sheet, raster, plot.x, plot.y, scale);
  pen_stack_chart_draw_words (chart, &plot, 0, NULL, sheet->painter, &sheet->theme);
  pen_plot_draw_ruler (&plot, sheet->painter, &sheet->theme, &content->clock);
  if (chart->stride > 1)
    pen_plot_draw_note (&plot, sheet->painter, &sheet->theme, _ ("Estimate"), 0);
  return TRUE;
}

static void
chart_free (PenContent *content)
{
  Chart *self = (Chart *) content;

  g_clear_pointer (&self->chart, pen_stack_chart_free);
  g_free (self);
}

PenContent *
pen_picture_load_chart (PenQuery *query, const PenPictureOptions *options, GError **error)
{
  Chart *self = g_new0 (Chart, 1);
  g_autoptr (PenContent) content = &self->content;
  int width = options->width > 0 ? options->width : PEN_PICTURE_WIDTH;
  gboolean is_of_waits
      = pen_store_get_population (pen_query_get_store (query)) == PEN_POPULATION_WAITS;
  /* No CPU waits. */
  PenChartKey key = options->processes || is_of_waits ? PEN_CHART_BY_TASK : PEN_CHART_BY_CPU;
  PenPlot plot;

  content->get_height = get_height;
  content->draw = draw;
  content->free = chart_free;
  pen_content_set_time (content, query, options);
  plot = pen_plot_new (pen_content_get_width (width), 100, PEN_PLOT_GUTTER, PEN_EM, FALSE,
                       content->span);
  self->chart
      = pen_stack_chart_load (query, options->filter, options->flame.grouping, key, content->span,
                              (guint) MAX (plot.width, 1),
                              key == PEN_CHART_BY_TASK ? PEN_CHART_MOST_TASKS : PEN_CHART_MOST_CPUS,
                              PEN_CHART_MOST_LEVELS, error);
  if (!self->chart)
    return NULL;
  if (self->chart->boxes->len == 0) {
    g_set_error_literal (error, PEN_PICTURE_ERROR, PEN_PICTURE_ERROR_EMPTY,
                         is_of_waits ? _ ("no waits of known length match the filters")
                                     : _ ("no samples match the filters"));
    return NULL;
  }
  for (guint i = 0; i < self->chart->boxes->len; i++)
    content->kinds
        |= 1u << self->chart->groups[g_array_index (self->chart->boxes, PenChartBox, i).group].kind;
  return g_steal_pointer (&content);
}
