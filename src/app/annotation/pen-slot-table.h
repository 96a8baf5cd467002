/* pen-slot-table.h: the rows of an annotation under the titles of their columns
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-session.h"
#include "pen-slot-cells.h"

G_BEGIN_DECLS

/*
 * A GtkListView under titles that are those of a GtkColumnView without rows: a row of a column view
 * is some twenty widgets, a row of this is two. Rows are GtkTreeListRow over PenSlot.
 *
 * The column of time shows the session's visible time, with its playhead, second marker, selected
 * and pointed-at time. A click there goes to the version and the time, Shift+click sets the second
 * marker, a drag selects a stretch of time.
 */
#define PEN_TYPE_SLOT_TABLE (pen_slot_table_get_type ())
G_DECLARE_FINAL_TYPE (PenSlotTable, pen_slot_table, PEN, SLOT_TABLE, GtkWidget)

/* Once the table has its place in a template, under whose name widths of columns are kept. */
void pen_slot_table_add_columns (PenSlotTable *self);
/* (transfer none) */
GtkColumnViewColumn *pen_slot_table_get_column (PenSlotTable *self, PenSlotColumn column);
/* What the column of samples has. */
void pen_slot_table_name_counts (PenSlotTable *self, gboolean is_off_cpu);
/* (transfer none) */
GtkListView *pen_slot_table_get_list (PenSlotTable *self);

void pen_slot_table_set_session (PenSlotTable *self, PenSession *session);

/* The texts of @slot in the visible columns, in the order in which these are now. */
GStrv pen_slot_table_dup_texts (PenSlotTable *self, PenSlot *slot);

/* Where the column of time is, in pixels of a row; FALSE: it is hidden */
gboolean pen_slot_table_get_strip (PenSlotTable *self, int *x, int *width);
/* @x: of a row. FALSE: there is no time */
gboolean pen_slot_table_find_time (PenSlotTable *self, PenSlot *slot, double x, guint64 *time);
/* The version at @x. Returns: (transfer none) (nullable): NULL: none stood there. @time: (out): in
 * it, if there is one */
const PenAnnotationLine *pen_slot_table_find_version (PenSlotTable *self, PenSlot *slot, double x,
                                                      guint64 *time);

G_END_DECLS
