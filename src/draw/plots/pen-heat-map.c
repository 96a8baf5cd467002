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
/* As strong as that of the overview. */
#define VEIL 0.62

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
get_color (const PenHeat *heat, guint64 count, guint32 hot, guint32 ground)
{
  if (count == 0)
    return ground;
  return pen_raster_blend (hot, ground, 0.12 + 0.88 * (double) count / (double) heat->max);
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

guint
pen_heat_map_find_time (const PenHeat *heat, guint64 time)
{
  guint column, row;

  pen_heat_find_cell (heat, CLAMP (time, heat->from, heat->to - 1), &column, &row);
  return column * heat->n_rows + row;
}

guint
pen_heat_map_get_last (const PenHeat *heat)
{
  return pen_heat_map_find_time (heat, heat->to - 1);
}

gboolean
pen_heat_map_find (const PenHeat *heat, const PenPlot *plot, double x, double y, guint *cell)
{
  guint column, row;

  if (x < 0 || y < 0 || x >= plot->width || y >= plot->height)
    return FALSE;
  column = (guint) (x * heat->n_columns / plot->width);
  row = (guint) (y * heat->n_rows / plot->height);
  *cell = column * heat->n_rows + row;
  return *cell <= pen_heat_map_get_last (heat);
}

static guint64
get_begin (const PenHeat *heat, guint cell)
{
  return pen_heat_get_time (heat, cell / heat->n_rows, cell % heat->n_rows);
}

PenSpan
pen_heat_map_get_cells_span (const PenHeat *heat, PenHeatCells cells)
{
  return (PenSpan){ get_begin (heat, cells.first), cells.last >= pen_heat_map_get_last (heat)
                                                       ? heat->to
                                                       : get_begin (heat, cells.last + 1) };
}

guint64
pen_heat_map_count (const PenHeat *heat, PenHeatCells cells)
{
  guint64 n = 0;

  for (guint i = cells.first; i <= cells.last; i++)
    n += heat->counts[i];
  return n;
}

/* ---- frames ---- */

/* Rows of a column, [from, to). */
typedef struct {
  guint from;
  guint to;
} Rows;

static Rows
get_rows (const PenHeat *heat, PenHeatCells cells, guint column)
{
  guint first = cells.first / heat->n_rows, last = cells.last / heat->n_rows;

  if (column < first || column > last)
    return (Rows){ 0, 0 };
  return (Rows){ column == first ? cells.first % heat->n_rows : 0,
                 column == last ? cells.last % heat->n_rows + 1 : heat->n_rows };
}

typedef struct {
  const PenHeat *heat;
  const PenPlot *plot;
  PenPainter *painter;
  guint32 color;
  double out; /* how far outside of the cells */
  double thickness;
} Frame;

/* Beside a column, where its neighbour has none of the cells. */
static void
draw_side (const Frame *frame, double x, Rows rows, Rows other)
{
  const Rows parts[] = { { rows.from, MIN (rows.to, MAX (other.from, rows.from)) },
                         { MAX (rows.from, MIN (other.to, rows.to)), rows.to } };
  guint n = other.from < other.to && other.from < rows.to && rows.from < other.to ? 2 : 1;

  for (guint i = 0; i < n; i++) {
    Rows part = n == 1 ? rows : parts[i];
    /* Where the neighbour begins, it has a line of its own. */
    double above = part.from == rows.from ? frame->out : 0;
    double below = part.to == rows.to ? frame->out : 0;
    int top = get_edge (part.from, frame->heat->n_rows, frame->plot->height);
    int bottom = get_edge (part.to, frame->heat->n_rows, frame->plot->height);

    if (part.from < part.to)
      pen_painter_fill (frame->painter, frame->color, x, frame->plot->y + top - above,
                        frame->thickness, bottom - top + above + below);
  }
}

static void
draw_outline (const Frame *frame, PenHeatCells cells)
{
  const PenHeat *heat = frame->heat;
  const PenPlot *plot = frame->plot;

  for (guint c = cells.first / heat->n_rows; c <= cells.last / heat->n_rows; c++) {
    Rows rows = get_rows (heat, cells, c);
    double left = plot->x + get_edge (c, heat->n_columns, plot->width) - frame->out;
    double right = plot->x + get_edge (c + 1, heat->n_columns, plot->width) + frame->out;
    double top = plot->y + get_edge (rows.from, heat->n_rows, plot->height) - frame->out;
    double bottom = plot->y + get_edge (rows.to, heat->n_rows, plot->height) + frame->out;

    pen_painter_fill (frame->painter, frame->color, left, top, right - left, frame->thickness);
    pen_painter_fill (frame->painter, frame->color, left, bottom - frame->thickness, right - left,
                      frame->thickness);
    draw_side (frame, left, rows, c > 0 ? get_rows (heat, cells, c - 1) : (Rows){ 0, 0 });
    draw_side (frame, right - frame->thickness, rows, get_rows (heat, cells, c + 1));
  }
}

void
pen_heat_map_draw_frame (const PenHeat *heat, const PenPlot *plot, PenPainter *painter,
                         const PenTheme *theme, PenHeatCells cells, guint32 color)
{
  Frame ground = { heat, plot, painter, pen_palette_ground (theme->dark), FRAME + 1, FRAME + 1 };
  Frame line = { heat, plot, painter, color, FRAME, FRAME };

  draw_outline (&ground, cells);
  draw_outline (&line, cells);
}

void
pen_heat_map_draw_selection (const PenHeat *heat, const PenPlot *plot, PenPainter *painter,
                             const PenTheme *theme, PenHeatCells cells)
{
  guint32 veil = pen_theme_fade (pen_palette_ground (theme->dark), VEIL);
  guint first = cells.first / heat->n_rows, last = cells.last / heat->n_rows;
  int left = get_edge (first, heat->n_columns, plot->width);
  int right = get_edge (last + 1, heat->n_columns, plot->width);
  int top = get_edge (cells.first % heat->n_rows, heat->n_rows, plot->height);
  int bottom = get_edge (cells.last % heat->n_rows + 1, heat->n_rows, plot->height);

  pen_painter_fill (painter, veil, plot->x, plot->y, left, plot->height);
  pen_painter_fill (painter, veil, plot->x + right, plot->y, plot->width - right, plot->height);
  pen_painter_fill (painter, veil, plot->x + left, plot->y,
                    get_edge (first + 1, heat->n_columns, plot->width) - left, top);
  pen_painter_fill (painter, veil, plot->x + get_edge (last, heat->n_columns, plot->width),
                    plot->y + bottom, right - get_edge (last, heat->n_columns, plot->width),
                    plot->height - bottom);
  pen_heat_map_draw_frame (heat, plot, painter, theme, cells, theme->accent);
}

void
pen_heat_map_draw_end (const PenHeat *heat, const PenPlot *plot, PenPainter *painter,
                       const PenTheme *theme)
{
  guint last = pen_heat_map_get_last (heat);
  int x = get_edge (last / heat->n_rows, heat->n_columns, plot->width);
  int y = get_edge (last % heat->n_rows + 1, heat->n_rows, plot->height);

  pen_painter_fill (painter, pen_palette_ground (theme->dark), plot->x + x, plot->y + y,
                    plot->width - x, plot->height - y);
}
