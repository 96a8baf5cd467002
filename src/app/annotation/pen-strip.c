/* pen-strip.c: an annotation row over time: who stood there, and when samples landed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-strip.h"

#include <math.h>

/* Length of a dash. */
#define DASH 3

void
pen_strip_clear (PenStrip *self)
{
  g_clear_pointer (&self->picture, gsk_render_node_unref);
}

static GskRenderNode *
draw_picture (PenStrip *self, PenSlot *slot, PenSnapshotPainter *painter)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  PenRaster *raster = pen_raster_new (self->width * self->scale, self->height * self->scale);
  PenStripSheet sheet = pen_slot_make_sheet (slot, self->span);
  guint first = pen_slot_get_first (slot), n = pen_slot_get_n_lines (slot);
  g_autoptr (GskRenderNode) pixels = NULL;

  pen_strip_sheet_draw (&sheet, raster, (PenBox){ 0, 0, raster->width, raster->height },
                        self->scale, first, n, self->theme.dark);
  pixels = pen_snapshot_painter_new_picture (raster, self->scale, 0, 0);
  gtk_snapshot_append_node (snapshot, pixels);
  pen_strip_sheet_draw_words (&sheet, pen_snapshot_painter_begin (painter, snapshot), &self->theme,
                              0, 0, self->width, self->height, first, n);
  return gtk_snapshot_free_to_node (snapshot);
}

void
pen_strip_draw (PenStrip *self, PenSlot *slot, PenSpan span, int width, int height, int scale,
                const PenTheme *theme, PenSnapshotPainter *painter, GtkSnapshot *snapshot)
{
  if (!self->picture || self->width != width || self->height != height || self->scale != scale
      || !pen_span_equal (self->span, span) || self->theme.dark != theme->dark
      || self->theme.text != theme->text) {
    pen_strip_clear (self);
    *self = (PenStrip){
      .span = span, .width = width, .height = height, .scale = scale, .theme = *theme
    };
    self->picture = draw_picture (self, slot, painter);
  }
  gtk_snapshot_append_node (snapshot, self->picture);
}

/* ---- times ---- */

static void
draw_time (guint64 time, PenSpan span, int width, int height, guint32 color, int dash,
           PenPainter *painter)
{
  double x;

  if (time < span.from || time > span.to)
    return;
  x = MIN (floor (pen_span_position (span, time) * width), width - 1);
  for (int y = 0; y < height; y += 2 * dash)
    pen_painter_fill (painter, color, x, y, 1, MIN (dash, height - y));
}

static void
draw_selected (PenSpan selected, PenSpan span, int width, int height, const PenTheme *theme,
               PenPainter *painter)
{
  double left = CLAMP (pen_span_position (span, selected.from), 0, 1) * width;
  double right = CLAMP (pen_span_position (span, selected.to), 0, 1) * width;

  pen_painter_fill (painter, pen_theme_fade (theme->accent, 0.16), left, 0, right - left, height);
  if (pen_span_position (span, selected.from) >= 0)
    pen_painter_fill (painter, theme->accent, floor (left), 0, 1, height);
  if (pen_span_position (span, selected.to) <= 1)
    pen_painter_fill (painter, theme->accent, ceil (right) - 1, 0, 1, height);
}

/* The selected stretch, playhead and second marker, and the time that is pointed at in whatever
 * view. */
void
pen_strip_draw_times (const PenStripTimes *times, PenSpan span, int width, int height,
                      const PenTheme *theme, PenPainter *painter)
{
  if (pen_span_length (times->selected) > 0)
    draw_selected (times->selected, span, width, height, theme, painter);
  if (times->has_hover)
    draw_time (times->hover, span, width, height, pen_theme_fade (theme->text, 0.35), height,
               painter);
  if (times->has_mark)
    draw_time (times->mark, span, width, height, theme->text, DASH, painter);
  draw_time (times->playhead, span, width, height, pen_theme_fade (theme->text, 0.8), height,
             painter);
}
