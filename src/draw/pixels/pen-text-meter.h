/* pen-text-meter.h: how wide words are about, without a layout for each
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-painter.h"

G_BEGIN_DECLS

/* ASCII letters, which almost all names have alone. */
#define PEN_TEXT_METER_LETTERS 128

/*
 * PenTextMeter: the width of a text as the sum of its letters': off by some pixels, and some
 * hundred times as fast as laying it out. A name that is to be cut is measured several times, and a
 * picture may have a thousand names.
 * @widths: 0: not measured yet
 */
typedef struct {
  PenPainter *painter;
  PenLook look;
  double widths[PEN_TEXT_METER_LETTERS];
} PenTextMeter;

/* @painter: has to outlive it, with the same fonts. */
void pen_text_meter_init (PenTextMeter *self, PenPainter *painter, PenLook look);
double pen_text_meter_measure (PenTextMeter *self, const char *text);
/* As pen_short_name_new(), for @width pixels. */
char *pen_text_meter_shorten (PenTextMeter *self, const char *name, double width);

G_END_DECLS
