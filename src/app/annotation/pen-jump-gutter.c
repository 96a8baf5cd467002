/* pen-jump-gutter.c: the arrows of jumps beside one line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-jump-gutter.h"

#define LANE 5
#define HEAD 4.0
/* From the lane that is nearest to the instruction to the end of the cell. */
#define INNER 7

struct _PenJumpGutter {
  GtkWidget parent_instance;

  PenJumpCell cell;
  guint n_lanes;
};

G_DEFINE_FINAL_TYPE (PenJumpGutter, pen_jump_gutter, GTK_TYPE_WIDGET)

static void
draw_lane (cairo_t *cr, const PenJumpCell *cell, guint lane, double width, double top,
           double bottom)
{
  guint bit = 1u << lane;
  double x = width - INNER - lane * LANE + 0.5;
  double y = (int) ((top + bottom) / 2) + 0.5;

  if (cell->up & bit) {
    cairo_move_to (cr, x, top);
    cairo_line_to (cr, x, y);
  }
  if (cell->down & bit) {
    cairo_move_to (cr, x, y);
    cairo_line_to (cr, x, bottom);
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

static void
pen_jump_gutter_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PenJumpGutter *self = PEN_JUMP_GUTTER (widget);
  const PenJumpCell *cell = &self->cell;
  guint lanes = cell->up | cell->down | cell->origin | cell->arrow;
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  GtkWidget *row = gtk_widget_get_ancestor (widget, GTK_TYPE_BOX);
  double top = 0, bottom = height;
  graphene_rect_t bounds;
  GdkRGBA color;
  cairo_t *cr;

  if (lanes == 0 || width < 1)
    return;
  /* Lines meet those of the rows above and below across what a row leaves blank. */
  row = row ? gtk_widget_get_parent (row) : NULL;
  if (row && gtk_widget_compute_bounds (row, widget, &bounds)) {
    top = bounds.origin.y;
    bottom = bounds.origin.y + bounds.size.height;
  }
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (0, (float) top, (float) width, (float) (bottom - top)));
  /* Arrows point at the instruction, on whichever side it is. */
  if (gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL) {
    cairo_translate (cr, width, 0);
    cairo_scale (cr, -1, 1);
  }
  for (guint lane = PEN_JUMP_LANES; lane-- > 0;) {
    gboolean marked = (cell->marked & (1u << lane)) != 0;

    if ((lanes & (1u << lane)) == 0)
      continue;
    cairo_set_source_rgba (cr, color.red, color.green, color.blue,
                           color.alpha * (marked ? 1.0 : 0.38));
    cairo_set_line_width (cr, marked ? 2 : 1);
    draw_lane (cr, cell, lane, width, top, bottom);
  }
  cairo_destroy (cr);
}

static void
pen_jump_gutter_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                         int *natural, int *minimum_baseline, int *natural_baseline)
{
  guint n_lanes = PEN_JUMP_GUTTER (widget)->n_lanes;

  *minimum = *natural
      = orientation == GTK_ORIENTATION_HORIZONTAL && n_lanes > 0 ? INNER + (int) n_lanes * LANE : 0;
}

static void
pen_jump_gutter_class_init (PenJumpGutterClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = pen_jump_gutter_snapshot;
  widget_class->measure = pen_jump_gutter_measure;
  gtk_widget_class_set_css_name (widget_class, "jumps");
  /* The instruction beside it names where it goes. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
pen_jump_gutter_init (PenJumpGutter *self)
{
}

GtkWidget *
pen_jump_gutter_new (void)
{
  return g_object_new (PEN_TYPE_JUMP_GUTTER, NULL);
}

void
pen_jump_gutter_set_cell (PenJumpGutter *self, const PenJumpCell *cell, guint n_lanes)
{
  gboolean resized = self->n_lanes != n_lanes;

  self->cell = *cell;
  self->n_lanes = n_lanes;
  gtk_widget_set_visible (GTK_WIDGET (self), n_lanes > 0);
  if (resized)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
