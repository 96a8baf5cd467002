/* pen-strip.h: an annotation row over time: who stood there, and when samples landed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-slot.h"
#include "pen-snapshot-painter.h"

G_BEGIN_DECLS

#define PEN_STRIP_HEIGHT 20

/* PenStrip: the picture of a slot, kept from frame to frame; what follows it is what it was drawn
 * for. All 0: there is none. */
typedef struct {
  GskRenderNode *picture;
  PenSpan span;
  int width;
  int height;
  int scale;
  PenTheme theme;
} PenStrip;

/* After the slot has changed, and in the end. */
void pen_strip_clear (PenStrip *self);

/* Draws @slot over @span, as wide and high as that. @scale: raster pixels to a logical one */
void pen_strip_draw (PenStrip *self, PenSlot *slot, PenSpan span, int width, int height, int scale,
                     const PenTheme *theme, PenSnapshotPainter *painter, GtkSnapshot *snapshot);

/*
 * PenStripTimes: times that are marked in all strips of a table
 * @selected: a stretch of time; both 0: none
 * @playhead: always there
 */
typedef struct {
  PenSpan selected;
  gboolean has_hover;
  guint64 hover;
  gboolean has_mark;
  guint64 mark;
  guint64 playhead;
} PenStripTimes;

void pen_strip_draw_times (const PenStripTimes *times, PenSpan span, int width, int height,
                           const PenTheme *theme, PenPainter *painter);

G_END_DECLS
