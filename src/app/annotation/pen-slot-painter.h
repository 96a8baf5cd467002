/* pen-slot-painter.h: the cells of annotation rows, drawn
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-slot-cells.h"
#include "pen-theme.h"

G_BEGIN_DECLS

/* Where a column is, in pixels; @width 0: it is hidden */
typedef struct {
  int x;
  int width;
} PenSlotBox;

/* Between a column's edges and what is in it. */
#define PEN_SLOT_PADDING 6
/* The arrow that opens a slot into its versions. */
#define PEN_SLOT_ARROW 16
#define PEN_SLOT_ARROW_GAP 4

/* PenSlotPainter: the fonts and colours of a table, found once for all of its rows. */
typedef struct _PenSlotPainter PenSlotPainter;

/* @widget: outlives it; the rows have its font and its colour */
PenSlotPainter *pen_slot_painter_new (GtkWidget *widget);
void pen_slot_painter_free (PenSlotPainter *self);

/* After a font, a colour or the theme has changed. */
void pen_slot_painter_forget (PenSlotPainter *self);

int pen_slot_painter_get_height (PenSlotPainter *self);
const PenTheme *pen_slot_painter_get_theme (PenSlotPainter *self);

/*
 * pen_slot_painter_new_node:
 * @row: (nullable): that of @slot in a tree
 * @boxes: PEN_SLOT_COLUMNS of them
 *
 * All cells but the strip of time. Returns: (nullable): NULL: there is nothing to be seen
 */
GskRenderNode *pen_slot_painter_new_node (PenSlotPainter *self, PenSlot *slot, GtkTreeListRow *row,
                                          const PenSlotBox *boxes, int height);

G_END_DECLS
