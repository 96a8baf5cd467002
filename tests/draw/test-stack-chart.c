/* test-stack-chart.c: stacks in time order, in pixels
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-palette.h"
#include "pen-stack-chart.h"
#include "pen-stack-shade.h"

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
  return (PenStackChart){ .n_columns = 5,
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

  g_assert_cmpint (pen_stack_chart_get_row (PEN_EM), ==, 15);
  g_assert_cmpint (pen_stack_chart_get_height (&chart, PEN_EM), ==, 3 * 15 + 2 * 5);
  pen_stack_chart_draw (&chart, raster, 1, PEN_EM, FALSE);

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stack-chart/frames", test_frames);
  return g_test_run ();
}
