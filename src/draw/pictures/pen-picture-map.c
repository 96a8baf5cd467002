/* pen-picture-map.c: the text map as a picture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-map.h"
#include "pen-picture-private.h"

#include <glib/gi18n-lib.h>

#define HEIGHT 640
/* As in the window: smaller cells are noise. */
#define CELL 2

typedef struct {
  PenContent content;
  PenQuery *query;
  const PenPictureOptions *options;
  PenOutline *outline;
  PenAddressAxis *axis;
  PenMapBins *bins;
} TextMap;

static int
get_height (PenContent *content G_GNUC_UNUSED, int width G_GNUC_UNUSED)
{
  return HEIGHT;
}

static PenAxisView
get_axis_view (const TextMap *self)
{
  const PenPictureOptions *options = self->options;
  PenAxisView view = { 0, 1 };

  if (options->has_addresses) {
    view.from = pen_address_axis_get_position (self->axis, options->address_from);
    view.to = pen_address_axis_get_position (self->axis, options->address_to);
  } else if (options->filter && options->filter->has_address) {
    view.from = pen_address_axis_get_position (self->axis, options->filter->address_from);
    view.to = pen_address_axis_get_position (self->axis, options->filter->address_to);
  }
  return view.to > view.from ? view : (PenAxisView){ 0, 1 };
}

/* How high it is, is known only now: what is asked depends on it. */
static gboolean
draw (PenContent *content, PenSheet *sheet, int width, int height, GError **error)
{
  TextMap *self = (TextMap *) content;
  PenPlot plot = pen_plot_new (width, height, PEN_PLOT_GUTTER, PEN_EM, FALSE, content->span);
  PenMap map = { .outline = self->outline,
                 .axis = self->axis,
                 .axis_view = get_axis_view (self),
                 .view = content->span,
                 .width = plot.width,
                 .height = plot.height,
                 .cancellable = sheet->cancellable };
  guint n_rows = (guint) MAX (plot.height / CELL, 1);
  g_autofree guint64 *edges = pen_address_axis_make_edges (self->axis, map.axis_view, n_rows);
  PenRaster *raster;
  int scale;

  self->bins = pen_query_map_exactly (self->query, self->options->filter, content->span.from,
                                      content->span.to, (guint) MAX (plot.width / CELL, 1), edges,
                                      n_rows, error);
  if (!self->bins)
    return FALSE;
  map.bins = self->bins;
  raster = pen_sheet_begin_pixels (sheet, plot.width, plot.height, &scale);
  pen_map_draw (&map, raster, scale, sheet->theme.dark);
  pen_sheet_end (sheet, raster, plot.x, plot.y, scale);
  if (g_cancellable_set_error_if_cancelled (sheet->cancellable, error))
    return FALSE;
  pen_map_draw_words (&map, &plot, sheet->painter, &sheet->theme);
  pen_plot_draw_ruler (&plot, sheet->painter, &sheet->theme, &content->clock);
  return TRUE;
}

static void
text_map_free (PenContent *content)
{
  TextMap *self = (TextMap *) content;

  g_clear_pointer (&self->outline, pen_outline_free);
  g_clear_pointer (&self->axis, pen_address_axis_unref);
  pen_map_bins_free (self->bins);
  g_free (self);
}

PenContent *
pen_picture_load_map (PenQuery *query, const PenPictureOptions *options, GError **error)
{
  TextMap *self = g_new0 (TextMap, 1);
  g_autoptr (PenContent) content = &self->content;

  content->get_height = get_height;
  content->draw = draw;
  content->free = text_map_free;
  self->query = query;
  self->options = options;
  pen_content_set_time (content, query, options);
  self->outline = pen_outline_load (query, error);
  if (!self->outline)
    return NULL;
  self->axis = pen_address_axis_load (query, error);
  if (!self->axis)
    return NULL;
  if (pen_address_axis_is_empty (self->axis)) {
    g_set_error_literal (error, PEN_PICTURE_ERROR, PEN_PICTURE_ERROR_EMPTY,
                         _ ("the recording has no code at kernel addresses"));
    return NULL;
  }
  content->causes = self->outline->causes;
  for (guint i = 0; i < self->axis->ranges->len; i++)
    content->kinds |= 1u << g_array_index (self->axis->ranges, PenAxisRange, i).kind;
  return g_steal_pointer (&content);
}
