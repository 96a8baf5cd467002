/* pen-cause-item.h: one row of the tree of causes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-answers.h"
#include "pen-clock.h"

G_BEGIN_DECLS

/* Shared by all rows of one answer: @visible is the stretch that the lanes show, and changes.
 * @most_cost: the largest cost of a row, in samples or ns off CPU; 0: none has one */
typedef struct {
  PenCauseTable *table;
  PenClock clock;
  PenSpan visible;
  guint64 most_cost;
} PenCauseShow;

PenCauseShow *pen_cause_show_new (const PenCauseTable *table, PenClock clock, PenSpan visible);
PenCauseShow *pen_cause_show_ref (PenCauseShow *self);
void pen_cause_show_unref (PenCauseShow *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenCauseShow, pen_cause_show_unref)

#define PEN_TYPE_CAUSE_ITEM (pen_cause_item_get_type ())
G_DECLARE_FINAL_TYPE (PenCauseItem, pen_cause_item, PEN, CAUSE_ITEM, GObject)

PenCauseItem *pen_cause_item_new (PenCauseShow *show, guint index);
/* Stands for row @index and the @n - 1 after it, which are not listed. */
PenCauseItem *pen_cause_item_new_more (PenCauseShow *show, guint index, guint n);
gboolean pen_cause_item_is_more (PenCauseItem *self);
guint pen_cause_item_get_index (PenCauseItem *self);
const PenCauseRow *pen_cause_item_get_row (PenCauseItem *self);
/* (nullable): for the row that stands for others, too */
const PenCauseCost *pen_cause_item_get_cost (PenCauseItem *self);
const PenCauseShow *pen_cause_item_get_show (PenCauseItem *self);

/* "Static key", "__tracepoint_sched_switch", "vfs_read+0x1c" */
char *pen_cause_item_dup_name (PenCauseItem *self);
/* Further facts: "unnamed", "fe_read (10), fx_read (11)"; "" */
char *pen_cause_item_dup_detail (PenCauseItem *self);
/* "sh [131] and 2 more" */
char *pen_cause_item_dup_task (PenCauseItem *self);
/* "on for 1.4 s in 8 stretches, off for 13.7 s, unknown for 0.2 s" */
char *pen_cause_item_dup_times (PenCauseItem *self);

/* A GListModel of the rows [@first, @first + @n) of the answer; they are made as they are looked
 * at. Of many rows the first ones are listed, and an item for the rest. */
#define PEN_TYPE_CAUSE_LIST (pen_cause_list_get_type ())
G_DECLARE_FINAL_TYPE (PenCauseList, pen_cause_list, PEN, CAUSE_LIST, GObject)

PenCauseList *pen_cause_list_new (PenCauseShow *show, guint first, guint n);
/* @position: less than @n */
gboolean pen_cause_list_has (PenCauseList *self, guint position);
/* Lists as many more again, a thousand at most: a GtkTreeListModel makes something for each. */
void pen_cause_list_extend (PenCauseList *self);

G_END_DECLS
