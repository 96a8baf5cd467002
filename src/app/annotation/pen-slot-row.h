/* pen-slot-row.h: the widget of an annotation row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-slot-table.h"

G_BEGIN_DECLS

/* Has no children and draws nothing by itself: GTK makes some two hundred rows of a list, and its
 * table draws the few that are in sight. */
#define PEN_TYPE_SLOT_ROW (pen_slot_row_get_type ())
G_DECLARE_FINAL_TYPE (PenSlotRow, pen_slot_row, PEN, SLOT_ROW, GtkWidget)

/* @table: outlives it */
GtkWidget *pen_slot_row_new (PenSlotTable *table);

/* @row: (nullable): of a PenSlot; NULL: it is to show another one soon */
void pen_slot_row_set (PenSlotRow *self, GtkTreeListRow *row);
/* (transfer none) (nullable) */
PenSlot *pen_slot_row_get_slot (PenSlotRow *self);
/* (transfer none) (nullable) */
GtkTreeListRow *pen_slot_row_get_row (PenSlotRow *self);

/* Says what it shows, for those who hear it, if that is another thing than before. What is drawn
 * says more. */
void pen_slot_row_name (PenSlotRow *self);
/* At its own origin. */
void pen_slot_row_draw (PenSlotRow *self, GtkSnapshot *snapshot);

G_END_DECLS
