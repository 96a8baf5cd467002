/* pen-cairo-painter.h: words and lines over a picture, with cairo and pango
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <pango/pangocairo.h>

#include "pen-painter.h"

G_BEGIN_DECLS

typedef struct {
  PenPainter painter;
  cairo_t *cr;
  PangoLayout *layout;
  PangoFontDescription *fonts[PEN_LOOKS];
} PenCairoPainter;

/* @cr: of a surface whose units are logical pixels. It has to outlive the painter. */
PenCairoPainter *pen_cairo_painter_new (cairo_t *cr);
void pen_cairo_painter_free (PenCairoPainter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenCairoPainter, pen_cairo_painter_free)

G_END_DECLS
