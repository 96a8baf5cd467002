/* pen-painter.c: what lays words, lines and veils over a picture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-painter.h"

#include "pen-short-name.h"

typedef struct {
  PenPainter *painter;
  PenLook look;
  double width;
} Room;

static gboolean
has_room (const char *text, gpointer data)
{
  const Room *room = data;

  return room->painter->measure (room->painter, text, room->look) <= room->width;
}

char *
pen_painter_shorten (PenPainter *self, const char *name, gsize n_common, PenLook look, double width)
{
  Room room = { self, look, width };

  return pen_short_name_new_among (name, n_common, has_room, &room);
}

void
pen_painter_name (PenPainter *self, const char *name, PenLook look, guint32 color, double x,
                  double y, double width, double height, double align)
{
  g_autofree char *text = pen_painter_shorten (self, name, 0, look, width);

  pen_painter_text (self, text, look, color, x, y, width, height, align);
}

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
