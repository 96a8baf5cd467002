/* pen-picture-overview.c: the overview as a picture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-lane-words.h"
#include "pen-picture-private.h"

/* As in the window: narrower columns are noise. */
#define BIN_WIDTH 2
#define CPU_ROWS 64
#define PROCESS_ROWS 10

typedef struct {
  PenContent content;
  PenQuery *query;
  const PenPictureOptions *options;
  PenOutline *outline;
  PenOverview *overview;
  PenTaskBins *cpus;
  PenTaskBins *processes;
} Overview;

static PenLanesShape
get_shape (const Overview *self)
{
  return (PenLanesShape){ .outline = self->outline,
                          .cpus = self->cpus,
                          .tasks = self->processes,
                          .folded = self->options->folded,
                          .em = PEN_EM };
}

/* All programs have their rows: nobody can scroll a picture. */
static int
get_height (PenContent *content, int width G_GNUC_UNUSED)
{
  PenLanesShape shape = get_shape ((Overview *) content);
  guint n_rows = MIN (shape.outline->n_lanes, 60);

  return pen_plot_get_ruler (PEN_EM) + pen_lanes_get_min_height (&shape)
         + pen_lanes_get_extra_height (&shape) + (int) (n_rows > 7 ? (n_rows - 7) * 14 : 0) + 40;
}

static gboolean
draw (PenContent *content, PenSheet *sheet, int width, int height, GError **error G_GNUC_UNUSED)
{
  Overview *self = (Overview *) content;
  PenLanesShape shape = get_shape (self);
  PenPlot plot = pen_plot_new (width, height, PEN_PLOT_GUTTER, PEN_EM, FALSE, content->span);
  const PenFilter *filter = self->options->filter;
  PenRaster *raster;
  PenLanes lanes;
  int scale;

  pen_lanes_layout (&lanes, &shape, plot.width, plot.height);
  raster = pen_sheet_begin (sheet, plot.x, plot.y, plot.width, plot.height, &scale);
  pen_lanes_draw (&lanes, raster, scale, self->overview, content->span, sheet->theme.dark);
  pen_sheet_end (sheet, raster, plot.x, plot.y, scale);
  if (self->options->has_span && filter && filter->has_time)
    pen_plot_draw_selection (&plot, sheet->painter, &sheet->theme,
                             pen_plot_get_x (&plot, filter->from),
                             pen_plot_get_x (&plot, filter->to));
  pen_lane_words_draw_names (&lanes, &plot, sheet->painter, &sheet->theme, self->overview);
  pen_plot_draw_ruler (&plot, sheet->painter, &sheet->theme, &content->clock);
  pen_lane_words_draw_gutter (&lanes, &plot, sheet->painter, &sheet->theme, self->overview);
  return TRUE;
}

static void
overview_free (PenContent *content)
{
  Overview *self = (Overview *) content;

  g_clear_pointer (&self->outline, pen_outline_free);
  pen_overview_free (self->overview);
  pen_task_bins_free (self->cpus);
  pen_task_bins_free (self->processes);
  g_free (self);
}

static gboolean
load_tasks (Overview *self, PenTaskKey key, guint n_bins, guint n_rows, PenTaskBins **tasks,
            GError **error)
{
  *tasks = pen_query_task_bins (self->query, self->options->filter, key, self->content.span.from,
                                self->content.span.to, n_bins, n_rows, G_MAXUINT, error);
  return *tasks != NULL;
}

PenContent *
pen_picture_load_overview (PenQuery *query, const PenPictureOptions *options, GError **error)
{
  Overview *self = g_new0 (Overview, 1);
  g_autoptr (PenContent) content = &self->content;
  int width = options->width > 0 ? options->width : PEN_PICTURE_WIDTH;
  guint n_bins = (guint) MAX ((width - PEN_PLOT_GUTTER) / BIN_WIDTH, 1);

  content->get_height = get_height;
  content->draw = draw;
  content->free = overview_free;
  self->query = query;
  self->options = options;
  pen_content_set_time (content, query, options);
  self->outline = pen_outline_load (query, error);
  if (!self->outline)
    return NULL;
  self->overview = pen_query_overview (query, options->filter, content->span.from, content->span.to,
                                       n_bins, error);
  if (!self->overview
      || (options->cpus
          && !load_tasks (self, PEN_TASKS_BY_CPU, n_bins, CPU_ROWS, &self->cpus, error))
      || (options->processes
          && !load_tasks (self, PEN_TASKS_BY_PROCESS, n_bins, PROCESS_ROWS, &self->processes,
                          error)))
    return NULL;
  content->kinds = self->outline->kinds;
  for (guint i = 0; i < self->outline->bars->len; i++)
    content->kinds |= 1u << g_array_index (self->outline->bars, PenBar, i).tenure.kind;
  return g_steal_pointer (&content);
}
