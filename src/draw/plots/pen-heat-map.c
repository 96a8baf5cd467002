/* pen-heat-map.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-heat-map.h"

#include "pen-format.h"
#include "pen-palette.h"

/* Marks along a column: its quarters. */
#define FRACTIONS 4
/* Logical pixels. */
#define TICK 3
#define FRAME 2

PenSpan
pen_heat_map_get_span (const PenHeat *heat)
{
  return (PenSpan){ heat->from, heat->from + heat->n_columns * heat->column };
}

/* Where a part begins, in whole pixels, so that cells leave no gaps. */
static int
get_edge (guint index, guint n, int length)
{
  return (int) ((gint64) index * length / n);
}

static PenBox
get_cell (const PenHeat *heat, guint column, guint row, int width, int height)
{
  int x = get_edge (column, heat->n_columns, width);
  int y = get_edge (row, heat->n_rows, height);

  return (PenBox){ x, y, MAX (get_edge (column + 1, heat->n_columns, width) - x, 1),
                   MAX (get_edge (row + 1, heat->n_rows, height) - y, 1) };
}

/* In proportion to the samples, but for the least, which differs from none. */
static guint32
get_color (const PenHeat *heat, guint32 count, guint32 hot, guint32 ground)
{
  if (count == 0)
    return ground;
  return pen_raster_blend (hot, ground, 0.12 + 0.88 * count / heat->max);
}

void
pen_heat_map_draw (const PenHeat *heat, PenRaster *raster, int scale, gboolean dark)
{
  guint32 ground = pen_palette_lane (dark);
  guint32 hot = pen_palette_kind (PEN_KIND_KERNEL, dark);

  for (guint c = 0; c < heat->n_columns; c++) {
    for (guint r = 0; r < heat->n_rows; r++)
      pen_raster_fill (raster, get_cell (heat, c, r, raster->width, raster->height),
                       get_color (heat, heat->counts[(gsize) c * heat->n_rows + r], hot, ground));
  }
  for (guint i = 0; i < heat->ticks->len; i++) {
    const PenHeatTick *tick = &g_array_index (heat->ticks, PenHeatTick, i);
    PenBox box = get_cell (heat, tick->column, tick->row, raster->width, raster->height);

    box.width = MIN (TICK * scale, box.width);
    pen_raster_fill (raster, box, pen_palette_cause (tick->cause, dark));
  }
}

void
pen_heat_map_draw_words (const PenHeat *heat, const PenPlot *plot, PenPainter *painter,
                         const PenTheme *theme)
{
  for (guint i = 0; i < FRACTIONS; i++) {
    g_autofree char *time
        = i == 0 ? g_strdup ("0") : pen_format_duration (i * heat->column / FRACTIONS);
    int y = get_edge (i, FRACTIONS, plot->height);
    int room = get_edge (i + 1, FRACTIONS, plot->height) - y;

    if (room < painter->em)
      continue;
    pen_painter_fill (painter, theme->line, plot->is_rtl ? plot->gutter_x : plot->x - 4,
                      plot->y + y, 4, 1);
    pen_plot_draw_title (plot, painter, time, PEN_LOOK_SMALL, theme->dim, y, (int) painter->em, 0);
  }
}

gboolean
pen_heat_map_find (const PenHeat *heat, const PenPlot *plot, double x, double y, guint *column,
                   guint *row)
{
  if (x < 0 || y < 0 || x >= plot->width || y >= plot->height)
    return FALSE;
  *column = (guint) (x * heat->n_columns / plot->width);
  *row = (guint) (y * heat->n_rows / plot->height);
  return TRUE;
}

/* In whole rows: where a stretch begins or ends. */
static guint
get_row (const PenHeat *heat, guint64 time)
{
  guint64 within = (time - heat->from) % heat->column;

  return (guint) ((double) within * heat->n_rows / (double) heat->column);
}

void
pen_heat_map_draw_selection (const PenHeat *heat, const PenPlot *plot, PenPainter *painter,
                             const PenTheme *theme, guint64 from, guint64 to)
{
  PenSpan span = pen_heat_map_get_span (heat);
  guint first, last;

  from = MAX (from, span.from);
  to = MIN (to, span.to);
  if (from >= to)
    return;
  first = (guint) ((from - heat->from) / heat->column);
  last = (guint) ((to - 1 - heat->from) / heat->column);
  for (guint c = first; c <= last; c++) {
    guint top = c == first ? get_row (heat, from) : 0;
    guint bottom = c == last ? get_row (heat, to - 1) + 1 : heat->n_rows;
    int x = get_edge (c, heat->n_columns, plot->width);
    int y = get_edge (top, heat->n_rows, plot->height);

    pen_painter_frame (painter, theme->accent, plot->x + x, plot->y + y,
                       MAX (get_edge (c + 1, heat->n_columns, plot->width) - x, 1),
                       MAX (get_edge (bottom, heat->n_rows, plot->height) - y, 1), FRAME);
  }
}
