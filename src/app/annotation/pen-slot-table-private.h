/* pen-slot-table-private.h: what the files of the table share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-slot-painter.h"
#include "pen-slot-table.h"
#include "pen-snapshot-painter.h"
#include "pen-strip.h"

G_BEGIN_DECLS

/*
 * @serial: of what cells are drawn with: columns, fonts, colours
 * @words: for the strips of time
 * @across: of all columns; the list has its own, up and down
 * @brushing, @brush: the stretch of time that is being selected
 * @pressed: the slot whose strip or arrow was pressed, at @press_x of its row
 */
struct _PenSlotTable {
  GtkWidget parent_instance;

  GtkListView *list;
  GtkColumnView *titles;
  GtkAdjustment *across;
  GtkScrollablePolicy policies[2];
  PenSession *session;
  GSignalGroup *signals;
  PenSlotPainter *painter;
  PenSnapshotPainter *words;
  GtkColumnViewColumn *columns[PEN_SLOT_COLUMNS]; /* of the titles, which has them in its order */
  PenSlotBox boxes[PEN_SLOT_COLUMNS];
  guint serial;
  int titles_height;
  PenStripTimes times; /* of the frame that is being drawn */

  gboolean brushing;
  PenSpan brush;
  PenSlot *pressed;
  GtkTreeListRow *pressed_row;
  gboolean is_arrow;
  double press_x;
  gboolean dragging;
};

/* The visible time, or that which the samples of @slot are counted of. */
PenSpan pen_slot_table_get_span (PenSlotTable *self, PenSlot *slot);
/* @x: of a row. @area: (out): that it is about, across. Returns: (nullable) */
char *pen_slot_table_dup_tooltip (PenSlotTable *self, PenSlot *slot, double x, GdkRectangle *area);

/* ---- pen-slot-table-pointer.c ---- */

void pen_slot_table_add_pointer (PenSlotTable *self);

G_END_DECLS
