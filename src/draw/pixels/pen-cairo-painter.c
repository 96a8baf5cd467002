/* pen-cairo-painter.c: words and lines over a picture, with cairo and pango
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cairo-painter.h"

static const char *const font_names[PEN_LOOKS] = {
  [PEN_LOOK_PLAIN] = "Cantarell,Sans 11.5px",
  [PEN_LOOK_BOLD] = "Cantarell,Sans Bold 11.5px",
  [PEN_LOOK_SMALL] = "Cantarell,Sans 10.5px",
  [PEN_LOOK_CODE] = "Source Code Pro,Monospace 11px",
};

static void
set_color (PenCairoPainter *self, guint32 color)
{
  cairo_set_source_rgba (self->cr, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0,
                         (color & 0xff) / 255.0, (color >> 24) / 255.0);
}

static void
fill (PenPainter *painter, guint32 color, double x, double y, double width, double height)
{
  PenCairoPainter *self = (PenCairoPainter *) painter;

  set_color (self, color);
  cairo_rectangle (self->cr, x, y, width, height);
  cairo_fill (self->cr);
}

static void
triangle (PenPainter *painter, guint32 color, double x, double y, double width, double height)
{
  PenCairoPainter *self = (PenCairoPainter *) painter;

  set_color (self, color);
  cairo_move_to (self->cr, x, y);
  cairo_line_to (self->cr, x + width, y);
  cairo_line_to (self->cr, x + width / 2, y + height);
  cairo_close_path (self->cr);
  cairo_fill (self->cr);
}

static double
text (PenPainter *painter, const char *string, PenLook look, guint32 color, double x, double y,
      double width, double height, double align)
{
  PenCairoPainter *self = (PenCairoPainter *) painter;
  int text_width, text_height;

  pango_layout_set_font_description (self->layout, self->fonts[look]);
  pango_layout_set_width (self->layout, -1);
  pango_layout_set_text (self->layout, string, -1);
  pango_layout_get_pixel_size (self->layout, &text_width, &text_height);
  if (width > 0 && text_width > width) {
    pango_layout_set_ellipsize (self->layout, PANGO_ELLIPSIZE_END);
    pango_layout_set_width (self->layout, (int) (width * PANGO_SCALE));
    text_width = (int) width;
  }
  set_color (self, color);
  cairo_move_to (self->cr, x + (width - text_width) * align, y + (height - text_height) / 2);
  pango_cairo_show_layout (self->cr, self->layout);
  return text_width;
}

static double
measure (PenPainter *painter, const char *string, PenLook look)
{
  PenCairoPainter *self = (PenCairoPainter *) painter;
  int width;

  pango_layout_set_font_description (self->layout, self->fonts[look]);
  pango_layout_set_width (self->layout, -1);
  pango_layout_set_text (self->layout, string, -1);
  pango_layout_get_pixel_size (self->layout, &width, NULL);
  return width;
}

PenCairoPainter *
pen_cairo_painter_new (cairo_t *cr)
{
  PenCairoPainter *self = g_new0 (PenCairoPainter, 1);

  self->painter.em = PEN_EM;
  self->painter.fill = fill;
  self->painter.triangle = triangle;
  self->painter.text = text;
  self->painter.measure = measure;
  self->cr = cr;
  self->layout = pango_cairo_create_layout (cr);
  pango_layout_set_single_paragraph_mode (self->layout, TRUE);
  for (guint i = 0; i < PEN_LOOKS; i++)
    self->fonts[i] = pango_font_description_from_string (font_names[i]);
  return self;
}

void
pen_cairo_painter_free (PenCairoPainter *self)
{
  for (guint i = 0; i < PEN_LOOKS; i++)
    pango_font_description_free (self->fonts[i]);
  g_object_unref (self->layout);
  g_free (self);
}
