/* pen-raster.c: time drawn into pixels, without a toolkit
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-raster.h"

#include <math.h>
#include <string.h>

PenRaster *
pen_raster_new (int width, int height)
{
  PenRaster *self = g_new0 (PenRaster, 1);

  self->width = MAX (width, 1);
  self->height = MAX (height, 1);
  self->pixels = g_new (guint32, (gsize) self->width * self->height);
  return self;
}

PenRaster *
pen_raster_new_vector (cairo_t *cr, int width, int height)
{
  PenRaster *self = g_new0 (PenRaster, 1);

  self->width = MAX (width, 1);
  self->height = MAX (height, 1);
  self->cr = cr;
  return self;
}

void
pen_raster_free (PenRaster *self)
{
  g_free (self->pixels);
  g_free (self);
}

static gboolean
cut (const PenRaster *self, PenBox *box)
{
  int right = MIN (box->x + box->width, self->width);
  int bottom = MIN (box->y + box->height, self->height);

  box->x = MAX (box->x, 0);
  box->y = MAX (box->y, 0);
  box->width = right - box->x;
  box->height = bottom - box->y;
  return box->width > 0 && box->height > 0;
}

static void
set_color (cairo_t *cr, guint32 color)
{
  cairo_set_source_rgb (cr, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0,
                        (color & 0xff) / 255.0);
}

void
pen_raster_fill (PenRaster *self, PenBox box, guint32 color)
{
  if (!cut (self, &box))
    return;
  if (self->cr) {
    set_color (self->cr, color);
    cairo_rectangle (self->cr, box.x, box.y, box.width, box.height);
    cairo_fill (self->cr);
    return;
  }

  for (int y = box.y; y < box.y + box.height; y++) {
    guint32 *row = self->pixels + (gsize) y * self->width;

    for (int x = box.x; x < box.x + box.width; x++)
      row[x] = color;
  }
}

/* Stripes where x + y is a multiple of the period, as in pixels. */
static void
hatch_vector (cairo_t *cr, PenBox box, guint32 color, int period)
{
  int width = MAX (period / 4, 1);
  int first = (box.x + box.y) / period * period;

  cairo_save (cr);
  cairo_rectangle (cr, box.x, box.y, box.width, box.height);
  cairo_clip (cr);
  set_color (cr, color);
  for (int sum = first; sum < box.x + box.width + box.y + box.height; sum += period) {
    cairo_move_to (cr, sum - box.y, box.y);
    cairo_line_to (cr, sum + width - box.y, box.y);
    cairo_line_to (cr, sum + width - box.y - box.height, box.y + box.height);
    cairo_line_to (cr, sum - box.y - box.height, box.y + box.height);
    cairo_close_path (cr);
  }
  cairo_fill (cr);
  cairo_restore (cr);
}

void
pen_raster_hatch (PenRaster *self, PenBox box, guint32 color, int period)
{
  if (!cut (self, &box))
    return;

  period = MAX (period, 2);
  if (self->cr) {
    hatch_vector (self->cr, box, color, period);
    return;
  }
  for (int y = box.y; y < box.y + box.height; y++) {
    guint32 *row = self->pixels + (gsize) y * self->width;

    for (int x = box.x; x < box.x + box.width; x++) {
      if ((x + y) % period < MAX (period / 4, 1))
        row[x] = color;
    }
  }
}

/* Two channels of two pixels at a time, in 256ths: no product leaves its 16 bits. */
typedef struct {
  guint64 outer; /* the color's part */
  guint64 inner;
  guint64 rest; /* weight of the ground */
} Tint;

#define OUTER G_GUINT64_CONSTANT (0x00ff00ff00ff00ff)
#define INNER G_GUINT64_CONSTANT (0x0000ff000000ff00)

static Tint
start_tint (guint32 color, guint weight)
{
  guint64 both = (guint64) color << 32 | color;

  return (Tint){ (both & OUTER) * weight, (both & INNER) * weight, 256 - weight };
}

static inline guint64
mix_two (const Tint *tint, guint64 ground)
{
  guint64 outer = (tint->outer + (ground & OUTER) * tint->rest) >> 8;
  guint64 inner = (tint->inner + (ground & INNER) * tint->rest) >> 8;

  return G_GUINT64_CONSTANT (0xff000000ff000000) | (outer & OUTER) | (inner & INNER);
}

static void
tint_row (const Tint *tint, guint32 *row, int n)
{
  int x = 0;

  for (; x + 1 < n; x += 2) {
    guint64 two;

    memcpy (&two, row + x, sizeof two);
    two = mix_two (tint, two);
    memcpy (row + x, &two, sizeof two);
  }
  if (x < n)
    row[x] = (guint32) mix_two (tint, row[x]);
}

void
pen_raster_tint (PenRaster *self, PenBox box, guint32 color, guint opacity)
{
  Tint tint = start_tint (color, opacity);

  if (!self->pixels || !cut (self, &box))
    return;
  for (int y = box.y; y < box.y + box.height; y++)
    tint_row (&tint, self->pixels + (gsize) y * self->width + box.x, box.width);
}

static guint32
blend_channel (guint32 color, guint32 ground, int shift, double opacity)
{
  double value = ((color >> shift) & 0xff) * opacity + ((ground >> shift) & 0xff) * (1 - opacity);

  return (guint32) lround (value) << shift;
}

guint32
pen_raster_blend (guint32 color, guint32 ground, double opacity)
{
  opacity = CLAMP (opacity, 0, 1);
  return 0xff000000u | blend_channel (color, ground, 16, opacity)
         | blend_channel (color, ground, 8, opacity) | blend_channel (color, ground, 0, opacity);
}

/* One bin: @width pixels from @x. */
static void
stack_bin (PenRaster *self, PenBox box, int x, int width, const guint64 *counts, guint n_series,
           const guint8 *order, guint64 max, const guint32 *colors)
{
  int bottom = box.y + box.height;
  int y = bottom;
  guint64 sum = 0;

  for (guint i = 0; i < n_series; i++) {
    guint64 count = counts[order[i]];
    int top;

    if (count == 0)
      continue;
    sum += count;
    top = bottom - (int) MIN ((double) sum * box.height / (double) max, box.height);
    top = MAX (MIN (top, y - 1), box.y);
    if (top < y)
      pen_raster_fill (self, (PenBox){ x, top, width, y - top }, colors[order[i]]);
    y = top;
  }
}

int
pen_raster_find_bin (PenBox box, PenSpan view, PenSpan span, guint n_bins, int x)
{
  guint64 time = pen_span_time_at (view, (x + 0.5) / box.width);
  double bin = pen_span_position (span, time) * n_bins;

  return bin < 0 || bin >= n_bins ? -1 : (int) bin;
}

void
pen_raster_stack (PenRaster *self, PenBox box, PenSpan view, PenSpan span, const guint64 *counts,
                  guint n_bins, guint n_series, const guint8 *order, guint64 max,
                  const guint32 *colors)
{
  int start = 0;
  int bin = -1;

  if (n_bins == 0 || max == 0)
    return;

  for (int x = 0; x <= box.width; x++) {
    int next = x < box.width ? pen_raster_find_bin (box, view, span, n_bins, x) : -1;

    if (next == bin)
      continue;
    if (bin >= 0)
      stack_bin (self, box, box.x + start, x - start, counts + (gsize) bin * n_series, n_series,
                 order, max, colors);
    start = x;
    bin = next;
  }
}

gboolean
pen_raster_interval (PenBox box, PenSpan view, guint64 from, guint64 to, PenBox *part)
{
  double left, right;

  if (to < view.from || from > view.to)
    return FALSE;

  left = CLAMP (pen_span_position (view, from), 0, 1) * box.width;
  right = CLAMP (pen_span_position (view, to), 0, 1) * box.width;
  *part = box;
  part->x = box.x + MIN ((int) floor (left), MAX (box.width - 1, 0));
  part->width = MAX ((int) lround (right) - (part->x - box.x), 1);
  return TRUE;
}

void
pen_raster_tick (PenRaster *self, PenBox box, PenSpan view, guint64 time, int width, guint32 color)
{
  int x;

  if (time < view.from || time > view.to)
    return;

  x = box.x + (int) floor (pen_span_position (view, time) * box.width) - (width - 1) / 2;
  x = CLAMP (x, box.x, MAX (box.x, box.x + box.width - width));
  pen_raster_fill (self, (PenBox){ x, box.y, width, box.height }, color);
}
