/* pen-jump-gutter.c: the arrows of jumps beside one line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-jump-gutter.h"

#define LANE 5
#define HEAD 4.0
/* From the lane that is nearest to the instruction to the end of the cell. */
#define INNER 7

static void
draw_lane (cairo_t *cr, const PenJumpCell *cell, guint lane, double width, double height)
{
  guint bit = 1u << lane;
  double x = width - INNER - lane * LANE + 0.5;
  double y = (int) (height / 2) + 0.5;

  if (cell->up & bit) {
    cairo_move_to (cr, x, 0);
    cairo_line_to (cr, x, y);
  }
  if (cell->down & bit) {
    cairo_move_to (cr, x, y);
    cairo_line_to (cr, x, height);
  }
  if ((cell->origin | cell->arrow) & bit) {
    cairo_move_to (cr, x, y);
    cairo_line_to (cr, width - 1, y);
  }
  cairo_stroke (cr);
  if (cell->arrow & bit) {
    cairo_move_to (cr, width, y);
    cairo_line_to (cr, width - HEAD, y - HEAD * 0.75);
    cairo_line_to (cr, width - HEAD, y + HEAD * 0.75);
    cairo_close_path (cr);
    cairo_fill (cr);
  }
}

int
pen_jump_gutter_get_width (guint n_lanes)
{
  return n_lanes > 0 ? INNER + (int) n_lanes * LANE : 0;
}

void
pen_jump_gutter_draw (GtkSnapshot *snapshot, const PenJumpCell *cell, guint n_lanes,
                      const GdkRGBA *color, int x, int height)
{
  guint lanes = cell->up | cell->down | cell->origin | cell->arrow;
  int width = pen_jump_gutter_get_width (n_lanes);
  cairo_t *cr;

  if (lanes == 0 || width == 0)
    return;
  cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT ((float) x, 0, (float) width, (float) height));
  cairo_translate (cr, x, 0);
  for (guint lane = PEN_JUMP_LANES; lane-- > 0;) {
    gboolean marked = (cell->marked & (1u << lane)) != 0;

    if ((lanes & (1u << lane)) == 0)
      continue;
    cairo_set_source_rgba (cr, color->red, color->green, color->blue,
                           color->alpha * (marked ? 1.0 : 0.38));
    cairo_set_line_width (cr, marked ? 2 : 1);
    draw_lane (cr, cell, lane, width, height);
  }
  cairo_destroy (cr);
}
