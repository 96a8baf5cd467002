/* pen-timeline-over.c: labels, ruler, selection, hover and playhead of the overview
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <adwaita.h>

#include "pen-format.h"
#include "pen-palette.h"
#include "pen-timeline-private.h"

#define RULER_MARK_SPACE 90
#define WALL_MARK_SPACE 140
#define LABEL_MIN_WIDTH 40
#define LABELS_MAX 200

typedef struct {
  PenTimeline *timeline;
  GtkSnapshot *snapshot;
  GdkRGBA text;
  GdkRGBA dim;
  GdkRGBA accent;
  int width;
  int height;
} PenOver;

static GdkRGBA
with_alpha (GdkRGBA color, float alpha)
{
  color.alpha *= alpha;
  return color;
}

static GdkRGBA
rgba (guint32 color)
{
  return (GdkRGBA){ ((color >> 16) & 0xff) / 255.f, ((color >> 8) & 0xff) / 255.f,
                    (color & 0xff) / 255.f, 1 };
}

static void
fill (PenOver *over, const GdkRGBA *color, double x, double y, double width, double height)
{
  gtk_snapshot_append_color (
      over->snapshot, color,
      &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width, (float) height));
}

/* @align: 0 left of the box, 0.5 its middle, 1 right. Returns the width. */
static int
draw_text (PenOver *over, const char *text, const GdkRGBA *color, double x, double y, double width,
           double height, double align)
{
  g_autoptr (PangoLayout) layout
      = gtk_widget_create_pango_layout (GTK_WIDGET (over->timeline), text);
  int text_width, text_height;

  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_get_pixel_size (layout, &text_width, &text_height);
  if (width > 0 && text_width > width) {
    pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
    pango_layout_set_width (layout, (int) width * PANGO_SCALE);
    text_width = (int) width;
  }
  gtk_snapshot_save (over->snapshot);
  gtk_snapshot_translate (over->snapshot,
                          &GRAPHENE_POINT_INIT ((float) (x + (width - text_width) * align),
                                                (float) (y + (height - text_height) / 2)));
  gtk_snapshot_append_layout (over->snapshot, layout, color);
  gtk_snapshot_restore (over->snapshot);
  return text_width;
}

static double
get_x (PenOver *over, guint64 time)
{
  PenSpan visible = pen_session_get_visible (over->timeline->session);

  return PEN_TIMELINE_GUTTER
         + pen_span_position (visible, time) * pen_timeline_get_plot_width (over->timeline);
}

static void
draw_ruler (PenOver *over)
{
  PenSpan visible = pen_session_get_visible (over->timeline->session);
  PenClock clock = pen_session_get_clock (over->timeline->session);
  int plot = pen_timeline_get_plot_width (over->timeline);
  int space = clock.times == PEN_TIMES_WALL ? WALL_MARK_SPACE : RULER_MARK_SPACE;
  guint64 step = pen_span_step (visible, (guint) MAX (plot / space, 1));
  GdkRGBA line = with_alpha (over->text, 0.08f);
  GdkRGBA mark = with_alpha (over->text, 0.35f);

  fill (over, &line, PEN_TIMELINE_GUTTER, PEN_TIMELINE_RULER - 1, plot, 1);
  for (guint64 time = pen_clock_get_first_mark (&clock, visible.from, step); time <= visible.to;
       time += step) {
    g_autofree char *label = NULL;
    double x = get_x (over, time);

    if (time >= visible.from) {
      label = pen_clock_format (&clock, time, step);
      fill (over, &mark, x, PEN_TIMELINE_RULER - 6, 1, 5);
      fill (over, &line, x, PEN_TIMELINE_RULER, 1, over->height - PEN_TIMELINE_RULER);
      if (x < over->width - 30)
        draw_text (over, label, &over->dim, x + 4, 0, 0, PEN_TIMELINE_RULER - 3, 0);
    }
    if (time > G_MAXUINT64 - step)
      break;
  }
}

static void
draw_lane_title (PenOver *over, const char *title, PenBox box)
{
  if (box.height > 0)
    draw_text (over, title, &over->text, 10, PEN_TIMELINE_RULER + box.y, PEN_TIMELINE_GUTTER - 18,
               MAX (box.height, 12), 1);
}

static void
draw_gutter (PenOver *over)
{
  PenTimeline *self = over->timeline;
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  const PenOverview *overview = pen_session_get_overview (self->session);
  PenBox samples = self->lanes.boxes[PEN_LANE_SAMPLES];
  PenBox programs = self->lanes.boxes[PEN_LANE_PROGRAMS];

  samples.height = MIN (samples.height, 18);
  draw_lane_title (over, "Samples", samples);
  if (overview && overview->n_bins > 0 && overview->max_in_bin > 0) {
    g_autofree char *width
        = pen_format_duration ((overview->to - overview->from) / overview->n_bins);
    g_autofree char *most = g_strdup_printf ("≤ %u", overview->max_in_bin);
    g_autofree char *per = g_strdup_printf ("in %s", width);

    draw_text (over, most, &over->dim, 4, PEN_TIMELINE_RULER + 16, PEN_TIMELINE_GUTTER - 12, 14, 1);
    draw_text (over, per, &over->dim, 4, PEN_TIMELINE_RULER + 30, PEN_TIMELINE_GUTTER - 12, 14, 1);
  }

  for (guint i = 0; i < self->lanes.n_causes; i++) {
    PenCause cause = self->lanes.causes[i];
    GdkRGBA color = rgba (pen_palette_cause (cause, dark));
    PenBox box = pen_lanes_get_cause_box (&self->lanes, i);
    double y = PEN_TIMELINE_RULER + box.y;

    draw_text (over, pen_palette_cause_title (cause), &over->text, 4, y, PEN_TIMELINE_GUTTER - 26,
               box.height, 1);
    draw_text (over, pen_palette_cause_letter (cause), &color, PEN_TIMELINE_GUTTER - 18, y, 12,
               box.height, 0.5);
  }

  programs.height = MIN (programs.height, 14);
  draw_lane_title (over, "Programs", programs);
  if (pen_lanes_get_visible_rows (&self->lanes) < self->lanes.n_rows
      && self->lanes.boxes[PEN_LANE_PROGRAMS].height >= 28) {
    g_autofree char *rows = g_strdup_printf (
        "%u–%u of %u", self->lanes.first_row + 1,
        self->lanes.first_row + pen_lanes_get_visible_rows (&self->lanes), self->lanes.n_rows);

    draw_text (over, rows, &over->dim, 4, PEN_TIMELINE_RULER + programs.y + 14,
               PEN_TIMELINE_GUTTER - 12, 14, 1);
  }
  draw_lane_title (over, "Lost", self->lanes.boxes[PEN_LANE_LOST]);
}

/* Names on bars that are wide enough. */
static void
draw_bar_names (PenOver *over)
{
  PenTimeline *self = over->timeline;
  const PenOpened *opened = pen_session_get_opened (self->session);
  PenSpan visible = pen_session_get_visible (self->session);
  guint n_drawn = 0;

  if (self->lanes.row_height < 12)
    return;
  for (guint i = 0; i < opened->outline->bars->len && n_drawn < LABELS_MAX; i++) {
    const PenBar *bar = &g_array_index (opened->outline->bars, PenBar, i);
    g_autofree char *name = NULL;
    PenBox row, part;

    if (!pen_lanes_get_row_box (&self->lanes, bar->lane, &row)
        || !pen_raster_interval (row, visible, bar->tenure.from.time, bar->tenure.to.time, &part)
        || part.width < LABEL_MIN_WIDTH)
      continue;
    /* A module is recorded by its path. */
    name = pen_display_text (bar->tenure.kind == PEN_KIND_MODULE ? bar->tenure.occupant
                                                                 : bar->tenure.name);
    draw_text (over, name, &over->text, PEN_TIMELINE_GUTTER + part.x + 6,
               PEN_TIMELINE_RULER + part.y, part.width - 8, part.height, 0);
    n_drawn++;
  }
}

static void
draw_selection (PenOver *over)
{
  PenTimeline *self = over->timeline;
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GdkRGBA veil = with_alpha (rgba (pen_palette_ground (dark)), 0.62f);
  GdkRGBA tint = with_alpha (over->accent, 0.10f);
  double left, right;
  PenSpan selected;

  if (self->brushing) {
    left = MIN (self->brush_x0, self->brush_x1);
    right = MAX (self->brush_x0, self->brush_x1);
  } else if (pen_session_get_selected (self->session, &selected)) {
    left = get_x (over, selected.from);
    right = get_x (over, selected.to);
  } else {
    return;
  }

  left = CLAMP (left, PEN_TIMELINE_GUTTER, over->width);
  right = CLAMP (right, PEN_TIMELINE_GUTTER, over->width);
  fill (over, &veil, PEN_TIMELINE_GUTTER, PEN_TIMELINE_RULER, left - PEN_TIMELINE_GUTTER,
        over->height - PEN_TIMELINE_RULER);
  fill (over, &veil, right, PEN_TIMELINE_RULER, over->width - right,
        over->height - PEN_TIMELINE_RULER);
  fill (over, &tint, left, 0, right - left, over->height);
  fill (over, &over->accent, left, 0, 1, over->height);
  fill (over, &over->accent, MAX (right - 1, left), 0, 1, over->height);
}

static void
draw_playhead (PenOver *over)
{
  double x = get_x (over, pen_session_get_playhead (over->timeline->session));
  cairo_t *cr;

  if (x < PEN_TIMELINE_GUTTER - 0.5 || x > over->width + 0.5)
    return;
  x = CLAMP (x, PEN_TIMELINE_GUTTER, over->width - 1);
  fill (over, &over->text, x, PEN_TIMELINE_RULER - 8, 1, over->height - PEN_TIMELINE_RULER + 8);

  cr = gtk_snapshot_append_cairo (
      over->snapshot, &GRAPHENE_RECT_INIT ((float) x - 6, PEN_TIMELINE_RULER - 14, 13, 10));
  gdk_cairo_set_source_rgba (cr, &over->text);
  cairo_move_to (cr, x - 4.5, PEN_TIMELINE_RULER - 13);
  cairo_line_to (cr, x + 5.5, PEN_TIMELINE_RULER - 13);
  cairo_line_to (cr, x + 0.5, PEN_TIMELINE_RULER - 5);
  cairo_close_path (cr);
  cairo_fill (cr);
  cairo_destroy (cr);
}

void
pen_timeline_draw_over (PenTimeline *self, GtkSnapshot *snapshot)
{
  GtkStyleContext *style = gtk_widget_get_style_context (GTK_WIDGET (self));
  PenOver over = { .timeline = self,
                   .snapshot = snapshot,
                   .width = gtk_widget_get_width (GTK_WIDGET (self)),
                   .height = gtk_widget_get_height (GTK_WIDGET (self)) };

  gtk_style_context_get_color (style, &over.text);
  over.dim = with_alpha (over.text, 0.62f);
  if (!gtk_style_context_lookup_color (style, "accent_color", &over.accent))
    over.accent = over.text;

  draw_bar_names (&over);
  draw_ruler (&over);
  draw_selection (&over);
  if (self->hovered && !self->brushing && self->hover_x >= PEN_TIMELINE_GUTTER) {
    GdkRGBA hover = with_alpha (over.text, 0.4f);

    fill (&over, &hover, self->hover_x, 0, 1, over.height);
  }
  draw_playhead (&over);
  draw_gutter (&over);
}
