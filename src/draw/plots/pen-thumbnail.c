/* pen-thumbnail.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-thumbnail.h"

#include <cairo.h>

#include "pen-palette.h"

/* A step of one pixel is hardly seen where there are many. */
#define STEP_PX 2
#define HATCH_PX 4

typedef struct {
  double x, y, width, height;
} Box;

static guint
get_border (guint size)
{
  return MAX (size / 64, 1);
}

static guint
get_padding (guint size)
{
  return get_border (size) + size / 24;
}

guint
pen_thumbnail_count_steps (guint size)
{
  return MAX ((size - 2 * get_padding (size)) / STEP_PX, 1);
}

PenThumbnail *
pen_thumbnail_new (guint n)
{
  PenThumbnail *self = g_new0 (PenThumbnail, 1);

  self->n = n;
  self->n_read = n;
  self->samples = g_new0 (guint64, (gsize) n * PEN_KINDS);
  self->patches = g_new0 (guint64, (gsize) n * PEN_CAUSES);
  return self;
}

void
pen_thumbnail_free (PenThumbnail *self)
{
  g_free (self->samples);
  g_free (self->patches);
  g_free (self);
}

/* ---- drawing ---- */

static void
set_colour (cairo_t *cr, guint32 colour)
{
  cairo_set_source_rgb (cr, (colour >> 16 & 0xff) / 255.0, (colour >> 8 & 0xff) / 255.0,
                        (colour & 0xff) / 255.0);
}

static void
fill (cairo_t *cr, guint32 colour, Box box)
{
  set_colour (cr, colour);
  cairo_rectangle (cr, box.x, box.y, box.width, box.height);
  cairo_fill (cr);
}

static double
sum (const guint64 *counts, guint n)
{
  double total = 0;

  for (guint i = 0; i < n; i++)
    total += (double) counts[i];
  return total;
}

static double
find_most (const PenThumbnail *self)
{
  double most = 0;

  for (guint i = 0; i < self->n; i++)
    most = MAX (most, sum (self->samples + (gsize) i * PEN_KINDS, PEN_KINDS));
  return most;
}

static Box
get_step (const PenThumbnail *self, Box lane, guint i)
{
  double left = lane.width * i / self->n;
  double right = lane.width * (i + 1) / self->n;

  return (Box){ lane.x + left, lane.y, right - left, lane.height };
}

static void
draw_samples (cairo_t *cr, const PenThumbnail *self, Box lane)
{
  const guint8 *order = pen_palette_stack_order ();
  double most = find_most (self);

  for (guint i = 0; most > 0 && i < self->n; i++) {
    Box bar = get_step (self, lane, i);
    double bottom = lane.y + lane.height;

    for (guint k = 0; k < PEN_KINDS; k++) {
      double count = (double) self->samples[(gsize) i * PEN_KINDS + order[k]];

      bar.height = lane.height * count / most;
      bar.y = bottom - bar.height;
      bottom = bar.y;
      fill (cr, pen_palette_kind (order[k], FALSE), bar);
    }
  }
}

/* The cause of most of a step's patches colours it. */
static void
draw_patches (cairo_t *cr, const PenThumbnail *self, Box lane)
{
  fill (cr, pen_palette_lane (FALSE), lane);
  for (guint i = 0; i < self->n; i++) {
    const guint64 *patches = self->patches + (gsize) i * PEN_CAUSES;
    PenCause cause = 0;

    for (guint k = 1; k < PEN_CAUSES; k++)
      cause = patches[k] > patches[cause] ? k : cause;
    if (patches[cause] > 0)
      fill (cr, pen_palette_cause (cause, FALSE), get_step (self, lane, i));
  }
}

static void
draw_unread (cairo_t *cr, const PenThumbnail *self, Box all)
{
  double left = all.width * self->n_read / self->n;

  if (self->n_read >= self->n)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, all.x + left, all.y, all.width - left, all.height);
  cairo_clip (cr);
  set_colour (cr, pen_palette_lane (FALSE));
  cairo_set_line_width (cr, 1);
  for (double x = left - all.height; x < all.width; x += HATCH_PX) {
    cairo_move_to (cr, all.x + x, all.y + all.height);
    cairo_line_to (cr, all.x + x + all.height, all.y);
  }
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
draw (cairo_t *cr, const PenThumbnail *self, guint size)
{
  double width = size, height = size * 3 / 4, border = get_border (size),
         padding = get_padding (size);
  Box inside = { padding, padding, width - 2 * padding, height - 2 * padding };
  Box samples = inside, patches = inside;

  samples.height = (int) (inside.height * 0.8);
  patches.height = (int) (inside.height * 0.14);
  patches.y = inside.y + inside.height - patches.height;
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  fill (cr, pen_palette_kind (PEN_KIND_UNKNOWN, FALSE), (Box){ 0, 0, width, height });
  fill (cr, pen_palette_ground (FALSE),
        (Box){ border, border, width - 2 * border, height - 2 * border });
  draw_unread (cr, self, samples);
  draw_samples (cr, self, samples);
  draw_patches (cr, self, patches);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
}

static cairo_status_t
append (void *data, const guchar *bytes, guint length)
{
  g_byte_array_append (data, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

GByteArray *
pen_thumbnail_draw (const PenThumbnail *self, guint size)
{
  cairo_surface_t *surface
      = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) size, (int) (size * 3 / 4));
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GByteArray) png = g_byte_array_new ();
  cairo_status_t status;

  draw (cr, self, size);
  status = cairo_status (cr);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream (surface, append, png);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return status == CAIRO_STATUS_SUCCESS ? g_steal_pointer (&png) : NULL;
}
