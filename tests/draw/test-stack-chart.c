/* test-stack-chart.c: stacks in time order, in pixels
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-palette.h"
#include "pen-stack-chart.h"
#include "pen-stack-shade.h"

#include <string.h>

static const PenStackGroup groups[] = { { NULL, "", PEN_KIND_UNKNOWN, G_MAXUINT32 },
                                        { "main", "/bin/a", PEN_KIND_DSO, 1 },
                                        { "vfs_read", "[kernel]", PEN_KIND_KERNEL, 2 } };

/* Two rows: of two levels, and of one. */
static PenStackChart
make_chart (GArray *rows, GArray *boxes)
{
  static const PenChartRow both[] = { { 0, -1, NULL, 9, 2 }, { 1, -1, NULL, 4, 1 } };
  static const PenChartBox frames[] = { { 0, 1, 0, 3, 1 }, { 0, 2, 1, 2, 2 }, { 1, 1, 4, 4, 1 } };

  g_array_append_vals (rows, both, G_N_ELEMENTS (both));
  g_array_append_vals (boxes, frames, G_N_ELEMENTS (frames));
  return (PenStackChart){ .from = 1000,
                          .to = 1500,
                          .n_columns = 5,
                          .groups = groups,
                          .n_groups = G_N_ELEMENTS (groups),
                          .rows = rows,
                          .boxes = boxes };
}

static guint32
get_color (guint group)
{
  return pen_raster_blend (pen_palette_kind (groups[group].kind, FALSE), pen_palette_ground (FALSE),
                           pen_stack_shade (group));
}

static void
assert_pixel (const PenRaster *raster, int x, int y, guint32 color)
{
  g_assert_cmphex (raster->pixels[y * raster->width + x] & 0xffffff, ==, color & 0xffffff);
}

static void
test_frames (void)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (PenChartRow));
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (PenChartBox));
  PenStackChart chart = make_chart (rows, boxes);
  g_autoptr (PenRaster) raster = pen_raster_new (500, 60);
  guint32 ground = pen_palette_ground (FALSE);
  PenPlot plot = { .width = 500, .height = 60, .em = PEN_EM, .view = { 1000, 1500 } };

  g_assert_cmpint (pen_stack_chart_get_row (PEN_EM), ==, 15);
  g_assert_cmpint (pen_stack_chart_get_height (&chart, PEN_EM), ==, 3 * 15 + 2 * 5);
  pen_stack_chart_draw (&chart, &plot, 0, NULL, raster, 1, FALSE);

  /* Columns are a hundred pixels; an edge is left between frames. */
  assert_pixel (raster, 0, 0, get_color (1));
  assert_pixel (raster, 398, 13, get_color (1));
  assert_pixel (raster, 399, 0, ground);
  assert_pixel (raster, 0, 14, ground);
  assert_pixel (raster, 99, 16, ground);
  assert_pixel (raster, 100, 15, get_color (2));
  assert_pixel (raster, 298, 28, get_color (2));
  assert_pixel (raster, 300, 16, ground);
  /* The second row, below a gap. */
  assert_pixel (raster, 399, 36, ground);
  assert_pixel (raster, 400, 35, get_color (1));
  assert_pixel (raster, 400, 34, ground);
}

/* Frames that match are strong, others faint. */
static void
test_searched (void)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (PenChartRow));
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (PenChartBox));
  PenStackChart chart = make_chart (rows, boxes);
  g_autoptr (PenRaster) raster = pen_raster_new (500, 60);
  const guint8 matches[G_N_ELEMENTS (groups)] = { 0, 0, 1 };
  guint32 ground = pen_palette_ground (FALSE);
  PenPlot plot = { .width = 500, .height = 60, .em = PEN_EM, .view = { 1000, 1500 } };

  pen_stack_chart_draw (&chart, &plot, 0, matches, raster, 1, FALSE);
  assert_pixel (
      raster, 0, 0,
      pen_raster_blend (pen_palette_kind (groups[1].kind, FALSE), ground, PEN_STACK_SHADE_FADED));
  assert_pixel (
      raster, 100, 15,
      pen_raster_blend (pen_palette_kind (groups[2].kind, FALSE), ground, PEN_STACK_SHADE_MATCH));
}

/* Scrolled, and in another stretch of time, until the chart of that one comes. */
static void
test_moved (void)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (PenChartRow));
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (PenChartBox));
  PenStackChart chart = make_chart (rows, boxes);
  g_autoptr (PenRaster) raster = pen_raster_new (500, 60);
  guint32 ground = pen_palette_ground (FALSE);
  PenPlot plot = { .width = 500, .height = 60, .em = PEN_EM, .view = { 1100, 1350 } };

  pen_stack_chart_draw (&chart, &plot, 15, NULL, raster, 1, FALSE);
  /* The second level is on top; a column takes two hundred pixels. */
  assert_pixel (raster, 0, 0, get_color (2));
  assert_pixel (raster, 398, 13, get_color (2));
  assert_pixel (raster, 401, 0, ground);
  /* The frame of the last column is out of sight. */
  assert_pixel (raster, 499, 20, ground);
}

static void
test_found (void)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (PenChartRow));
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (PenChartBox));
  PenStackChart chart = make_chart (rows, boxes);
  PenPlot plot = { .width = 500, .height = 60, .em = PEN_EM, .view = { 1000, 1500 } };
  PenClock clock = { .span = { 1000, 1500 } };
  const PenChartBox *box = pen_stack_chart_find (&chart, &plot, 0, 150, 20);
  g_autofree char *words = NULL;
  g_autofree char *then = NULL;
  g_autofree char *never = NULL;

  g_assert_true (box == &g_array_index (boxes, PenChartBox, 1));
  g_assert_true (pen_stack_chart_find (&chart, &plot, 15, 150, 5) == box);
  g_assert_null (pen_stack_chart_find (&chart, &plot, 0, 50, 20));
  g_assert_null (pen_stack_chart_find (&chart, &plot, 0, 500, 5));
  words = pen_stack_chart_describe (&chart, &clock, box);
  g_assert_true (g_str_has_prefix (words, "vfs_read\nKernel [kernel]\nCPU 0\n"));
  g_assert_nonnull (strstr (words, "(200 ns)"));
  then = pen_stack_chart_speak (&chart, 1250);
  g_assert_cmpstr (then, ==, "CPU 0: vfs_read, CPU 1: no sample");
  never = pen_stack_chart_speak (&chart, 1500);
  g_assert_cmpstr (never, ==, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stack-chart/frames", test_frames);
  g_test_add_func ("/stack-chart/searched", test_searched);
  g_test_add_func ("/stack-chart/moved", test_moved);
  g_test_add_func ("/stack-chart/found", test_found);
  return g_test_run ();
}
