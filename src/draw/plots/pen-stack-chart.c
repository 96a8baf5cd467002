/* pen-stack-chart.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-chart.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-display.h"
#include "pen-flame.h"
#include "pen-format.h"
#include "pen-palette.h"
#include "pen-stack-shade.h"

/* Of a frame, for words of PEN_EM. */
#define ROW 15
/* Between rows. */
#define GAP 5
/* Times the height of a line: the width that a name wants at least. */
#define NAME_MIN 2.5
/* Columns at least. */
#define LEAST_COLUMNS 20
/* Rows that are read out. */
#define SPOKEN_MAX 8

/* ---- the question ---- */

static guint
choose_columns (const PenStackChart *chart)
{
  guint64 most = 0;

  for (guint i = 0; i < chart->rows->len; i++)
    most = MAX (most, g_array_index (chart->rows, PenChartRow, i).samples);
  return (guint) CLAMP (most, MIN (LEAST_COLUMNS, chart->n_columns), chart->n_columns);
}

PenStackChart *
pen_stack_chart_load (PenQuery *query, const PenFilter *filter, PenStackGrouping grouping,
                      PenChartKey key, PenSpan span, guint width, guint max_rows, guint max_levels,
                      GError **error)
{
  g_autoptr (PenStackChart) chart
      = pen_query_stack_chart (query, filter, grouping, key, span.from, span.to, MAX (width, 1),
                               max_rows, max_levels, error);
  guint n_columns = chart ? choose_columns (chart) : 0;

  if (!chart || n_columns == chart->n_columns)
    return g_steal_pointer (&chart);
  return pen_query_stack_chart (query, filter, grouping, key, span.from, span.to, n_columns,
                                max_rows, max_levels, error);
}

/* ---- layout ---- */

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

/* Logical pixels from the plot's left edge. */
static int
get_column_x (const PenStackChart *chart, const PenPlot *plot, guint column)
{
  double length = (double) (chart->to - chart->from) / chart->n_columns;
  double time;

  if (plot->view.from == chart->from && plot->view.to == chart->to)
    return (int) ((gint64) column * plot->width / chart->n_columns);
  /* Another stretch, until the chart of this one comes. */
  time = (double) chart->from - (double) plot->view.from + column * length;
  return (int) CLAMP (time / (double) MAX (pen_span_length (plot->view), 1) * plot->width, 0,
                      plot->width);
}

/* From the plot's corner. */
static PenBox
get_box (const PenStackChart *chart, const PenPlot *plot, const int *tops, int top,
         const PenChartBox *box)
{
  int height = pen_stack_chart_get_row (plot->em);
  int from = get_column_x (chart, plot, box->first);
  int to = get_column_x (chart, plot, box->last + 1);
  gboolean is_out = to <= 0 || from >= plot->width;

  return (PenBox){ from, tops[box->row] + (int) (box->depth - 1) * height - top,
                   is_out ? 0 : MAX (to - from, 1), height };
}

/* ---- drawing ---- */

static double
get_shade (const guint8 *matches, guint32 group)
{
  if (!matches)
    return pen_stack_shade (group);
  return matches[group] ? PEN_STACK_SHADE_MATCH : PEN_STACK_SHADE_FADED;
}

void
pen_stack_chart_draw (const PenStackChart *chart, const PenPlot *plot, int top,
                      const guint8 *matches, PenRaster *raster, int scale, gboolean dark)
{
  g_autofree int *tops = list_tops (chart, plot->em);
  guint32 ground = pen_palette_ground (dark);

  pen_raster_fill (raster, (PenBox){ 0, 0, raster->width, raster->height }, ground);
  for (guint i = 0; i < chart->boxes->len; i++) {
    const PenChartBox *frame = &g_array_index (chart->boxes, PenChartBox, i);
    PenBox box = get_box (chart, plot, tops, top, frame);
    guint32 color = pen_raster_blend (pen_palette_kind (chart->groups[frame->group].kind, dark),
                                      ground, get_shade (matches, frame->group));
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

static char *
name_group (const PenStackChart *chart, guint32 group)
{
  /* For its names alone. */
  const PenFlameTree tree = { .groups = chart->groups, .n_groups = chart->n_groups };

  return pen_flame_dup_name (&tree, group);
}

static gboolean
is_in_sight (const PenPlot *plot, const PenBox *box)
{
  return box->y >= 0 && box->y + box->height <= plot->height;
}

/* At the upper end of what is in sight of each row. */
static void
draw_titles (const PenStackChart *chart, const PenPlot *plot, const int *tops, int top,
             PenPainter *painter, const PenTheme *theme)
{
  int height = pen_stack_chart_get_row (plot->em);

  for (guint i = 0; i < chart->rows->len; i++) {
    int last = tops[i + 1] - top - get_gap (plot->em) - height;
    PenBox box = { 0, MIN (MAX (tops[i] - top, 0), last), 0, height };
    g_autofree char *name = name_row (get_row (chart, i), chart->key == PEN_CHART_BY_TASK);

    if (is_in_sight (plot, &box))
      pen_plot_draw_title (plot, painter, name, PEN_LOOK_PLAIN, theme->text, box.y, height, 0);
  }
}

void
pen_stack_chart_draw_words (const PenStackChart *chart, const PenPlot *plot, int top,
                            const guint8 *matches, PenPainter *painter, const PenTheme *theme)
{
  g_autofree int *tops = list_tops (chart, plot->em);

  draw_titles (chart, plot, tops, top, painter, theme);
  for (guint i = 0; i < chart->boxes->len; i++) {
    const PenChartBox *frame = &g_array_index (chart->boxes, PenChartBox, i);
    PenBox box = get_box (chart, plot, tops, top, frame);
    gboolean is_faded = matches && !matches[frame->group];
    g_autofree char *name = NULL;

    if (box.width < NAME_MIN * plot->em || !is_in_sight (plot, &box))
      continue;
    name = name_group (chart, frame->group);
    pen_painter_name (painter, name, PEN_LOOK_SMALL, is_faded ? theme->dim : theme->text,
                      plot->x + box.x + 3, plot->y + box.y, box.width - 6, box.height - 1, 0);
  }
}

/* ---- what is where ---- */

const PenChartBox *
pen_stack_chart_find (const PenStackChart *chart, const PenPlot *plot, int top, double x, double y)
{
  g_autofree int *tops = list_tops (chart, plot->em);

  if (x < 0 || y < 0 || x >= plot->width || y >= plot->height)
    return NULL;
  for (guint i = 0; i < chart->boxes->len; i++) {
    const PenChartBox *frame = &g_array_index (chart->boxes, PenChartBox, i);
    PenBox box = get_box (chart, plot, tops, top, frame);

    if (x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height)
      return frame;
  }
  return NULL;
}

char *
pen_stack_chart_dup_name (const PenStackChart *chart, const PenChartBox *box)
{
  return name_group (chart, box->group);
}

static guint64
get_time (const PenStackChart *chart, guint column)
{
  return chart->from
         + (guint64) ((double) (chart->to - chart->from) * column / (double) chart->n_columns);
}

void
pen_stack_chart_get_time (const PenStackChart *chart, const PenChartBox *box, guint64 *from,
                          guint64 *to)
{
  *from = get_time (chart, box->first);
  *to = get_time (chart, box->last + 1);
}

char *
pen_stack_chart_describe (const PenStackChart *chart, const PenClock *clock, const PenChartBox *box)
{
  const PenStackGroup *group = &chart->groups[box->group];
  guint64 from = get_time (chart, box->first);
  guint64 to = get_time (chart, box->last + 1);
  guint64 resolution = MAX ((chart->to - chart->from) / chart->n_columns, 1);
  g_autofree char *name = name_group (chart, box->group);
  g_autofree char *occupant = pen_display_text (group->occupant ? group->occupant : "");
  g_autofree char *row = name_row (get_row (chart, box->row), chart->key == PEN_CHART_BY_TASK);
  g_autofree char *first = pen_clock_format (clock, from, resolution);
  g_autofree char *last = pen_clock_format_long (clock, to, resolution);
  g_autofree char *length = pen_format_duration (to - from);
  GString *text = g_string_new (name);

  if (box->group != PEN_STACK_UNRECORDED)
    g_string_append_printf (text, "\n%s%s%s", pen_palette_kind_title (group->kind),
                            occupant[0] ? " " : "", occupant);
  g_string_append_printf (text, "\n%s\n%s–%s (%s)", row, first, last, length);
  return g_string_free (text, FALSE);
}

/* The innermost frame of @row in @column; NULL: there is none. */
static const PenChartBox *
find_innermost (const PenStackChart *chart, guint row, guint column)
{
  const PenChartBox *found = NULL;

  for (guint i = 0; i < chart->boxes->len; i++) {
    const PenChartBox *box = &g_array_index (chart->boxes, PenChartBox, i);

    if (box->row == row && box->first <= column && box->last >= column
        && (!found || box->depth > found->depth))
      found = box;
  }
  return found;
}

char *
pen_stack_chart_speak (const PenStackChart *chart, guint64 time)
{
  GString *text = g_string_new (NULL);
  guint column;

  if (time < chart->from || time >= chart->to)
    return g_string_free (text, FALSE);
  column = (guint) ((double) (time - chart->from) / (double) (chart->to - chart->from)
                    * chart->n_columns);
  for (guint i = 0; i < MIN (chart->rows->len, SPOKEN_MAX); i++) {
    const PenChartBox *box = find_innermost (chart, i, column);
    g_autofree char *row = name_row (get_row (chart, i), chart->key == PEN_CHART_BY_TASK);
    g_autofree char *name = box ? name_group (chart, box->group) : g_strdup (_ ("no sample"));

    g_string_append_printf (text, "%s%s: %s", text->len > 0 ? ", " : "", row, name);
  }
  return g_string_free (text, FALSE);
}
