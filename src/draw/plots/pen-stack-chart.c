/* pen-stack-chart.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-chart.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-display.h"
#include "pen-flame.h"
#include "pen-palette.h"
#include "pen-stack-shade.h"

/* Of a frame, for words of PEN_EM. */
#define ROW 15
/* Between rows. */
#define GAP 5
/* Times the height of a line: the width that a name wants at least. */
#define NAME_MIN 2.5

int
pen_stack_chart_get_row (double em)
{
  return (int) MAX (lround (ROW * em / PEN_EM), 6);
}

static int
get_gap (double em)
{
  return (int) MAX (lround (GAP * em / PEN_EM), 2);
}

static const PenChartRow *
get_row (const PenStackChart *chart, guint index)
{
  return &g_array_index (chart->rows, PenChartRow, index);
}

/* A row without any stack has room for its name. */
static int
get_row_height (const PenStackChart *chart, guint index, double em)
{
  return (int) MAX (get_row (chart, index)->n_levels, 1) * pen_stack_chart_get_row (em)
         + get_gap (em);
}

/* Where each row begins, and after them the end. Returns: (transfer full) */
static int *
list_tops (const PenStackChart *chart, double em)
{
  int *tops = g_new (int, chart->rows->len + 1);

  tops[0] = 0;
  for (guint i = 0; i < chart->rows->len; i++)
    tops[i + 1] = tops[i] + get_row_height (chart, i, em);
  return tops;
}

int
pen_stack_chart_get_height (const PenStackChart *chart, double em)
{
  g_autofree int *tops = list_tops (chart, em);

  return tops[chart->rows->len];
}

/* Logical pixels, from the plot's corner. */
static PenBox
get_box (const PenStackChart *chart, const int *tops, const PenChartBox *box, int width, double em)
{
  int height = pen_stack_chart_get_row (em);
  int from = (int) ((gint64) box->first * width / chart->n_columns);
  int to = (int) (((gint64) box->last + 1) * width / chart->n_columns);

  return (PenBox){ from, tops[box->row] + (int) (box->depth - 1) * height, MAX (to - from, 1),
                   height };
}

void
pen_stack_chart_draw (const PenStackChart *chart, PenRaster *raster, int scale, double em,
                      gboolean dark)
{
  g_autofree int *tops = list_tops (chart, em);
  guint32 ground = pen_palette_ground (dark);

  pen_raster_fill (raster, (PenBox){ 0, 0, raster->width, raster->height }, ground);
  for (guint i = 0; i < chart->boxes->len; i++) {
    const PenChartBox *frame = &g_array_index (chart->boxes, PenChartBox, i);
    PenBox box = get_box (chart, tops, frame, raster->width / scale, em);
    guint32 color = pen_raster_blend (pen_palette_kind (chart->groups[frame->group].kind, dark),
                                      ground, pen_stack_shade (frame->group));
    /* An edge between frames that are wide enough to be told apart. */
    int edge = box.width >= 4 ? 1 : 0;

    pen_raster_fill (raster,
                     (PenBox){ box.x * scale, box.y * scale, (box.width - edge) * scale,
                               (box.height - 1) * scale },
                     color);
  }
}

static char *
name_row (const PenChartRow *row, gboolean is_task)
{
  g_autofree char *comm = NULL;

  if (row->number < 0)
    return g_strdup (_ ("(unknown)"));
  if (!is_task)
    return g_strdup_printf (_ ("CPU %d"), (int) row->number);
  comm = pen_display_text (row->comm ? row->comm : "");
  return g_strdup_printf ("%s [%d]", comm, (int) row->number);
}

void
pen_stack_chart_draw_words (const PenStackChart *chart, const PenPlot *plot, PenPainter *painter,
                            const PenTheme *theme)
{
  /* For its names alone. */
  const PenFlameTree tree = { .groups = chart->groups, .n_groups = chart->n_groups };
  g_autofree int *tops = list_tops (chart, plot->em);
  int height = pen_stack_chart_get_row (plot->em);

  for (guint i = 0; i < chart->rows->len; i++) {
    g_autofree char *name = name_row (get_row (chart, i), chart->key == PEN_CHART_BY_TASK);

    if (tops[i] + height > plot->height)
      break;
    pen_plot_draw_title (plot, painter, name, PEN_LOOK_PLAIN, theme->text, tops[i], height, 0);
  }
  for (guint i = 0; i < chart->boxes->len; i++) {
    const PenChartBox *frame = &g_array_index (chart->boxes, PenChartBox, i);
    PenBox box = get_box (chart, tops, frame, plot->width, plot->em);
    g_autofree char *name = NULL;

    if (box.width < NAME_MIN * plot->em || box.y + box.height > plot->height)
      continue;
    name = pen_flame_dup_name (&tree, frame->group);
    pen_painter_name (painter, name, PEN_LOOK_SMALL, theme->text, plot->x + box.x + 3,
                      plot->y + box.y, box.width - 6, box.height - 1, 0);
  }
}
