/* pen-painter.h: what lays words, lines and veils over a picture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  PEN_LOOK_PLAIN,
  PEN_LOOK_BOLD,
  PEN_LOOK_SMALL,
  PEN_LOOK_CODE, /* digits and letters of one width */
  PEN_LOOKS,
} PenLook;

/*
 * PenPainter: an interface: the window paints with its toolkit's nodes, pictures with cairo.
 * Lengths are logical pixels, colours 0xAARRGGBB.
 * @em: the height of a line of plain words: what layouts are made of
 * @fill: a rectangle
 * @triangle: one that points down, in that box
 * @text: @text on one line in the box; @align 0: from its left, 0.5: in its middle, 1: to its
 * right. Where @width is not 0, what does not fit is cut with an ellipsis. Returns: the width taken
 * @measure: the width that @text takes on one line
 */
typedef struct _PenPainter PenPainter;
struct _PenPainter {
  double em;
  void (*fill) (PenPainter *self, guint32 color, double x, double y, double width, double height);
  void (*triangle) (PenPainter *self, guint32 color, double x, double y, double width,
                    double height);
  double (*text) (PenPainter *self, const char *text, PenLook look, guint32 color, double x,
                  double y, double width, double height, double align);
  double (*measure) (PenPainter *self, const char *text, PenLook look);
};

/* The height of a line, where pictures were laid out for one of @PEN_EM. */
#define PEN_EM 17.0

static inline void
pen_painter_fill (PenPainter *self, guint32 color, double x, double y, double width, double height)
{
  if (width > 0 && height > 0)
    self->fill (self, color, x, y, width, height);
}

static inline double
pen_painter_text (PenPainter *self, const char *text, PenLook look, guint32 color, double x,
                  double y, double width, double height, double align)
{
  return self->text (self, text, look, color, x, y, width, height, align);
}

/* As pen_short_name_new_among(), for @width pixels. */
char *pen_painter_shorten (PenPainter *self, const char *name, gsize n_common, PenLook look,
                           double width);

/* As PenPainter.text, but cut as pen_short_name_new() does. */
void pen_painter_name (PenPainter *self, const char *name, PenLook look, guint32 color, double x,
                       double y, double width, double height, double align);

/* A frame of lines @thickness wide, inside of the box. */
void pen_painter_frame (PenPainter *self, guint32 color, double x, double y, double width,
                        double height, double thickness);

G_END_DECLS
