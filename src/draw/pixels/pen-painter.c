/* pen-painter.c: what lays words, lines and veils over a picture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-painter.h"

void
pen_painter_frame (PenPainter *self, guint32 color, double x, double y, double width, double height,
                   double thickness)
{
  pen_painter_fill (self, color, x, y, width, thickness);
  pen_painter_fill (self, color, x, y + height - thickness, width, thickness);
  pen_painter_fill (self, color, x, y + thickness, thickness, height - 2 * thickness);
  pen_painter_fill (self, color, x + width - thickness, y + thickness, thickness,
                    height - 2 * thickness);
}
