/* pen-change-item.h: one row of the list of changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-clock.h"
#include "pen-query-change-list.h"

G_BEGIN_DECLS

/* Emits "changed" once its row is there. */
#define PEN_TYPE_CHANGE_ITEM (pen_change_item_get_type ())
G_DECLARE_FINAL_TYPE (PenChangeItem, pen_change_item, PEN, CHANGE_ITEM, GObject)

PenChangeItem *pen_change_item_new (guint32 id, PenClock clock);

/* Stands for @n_changes that were one event, the first of which has its id. */
void pen_change_item_set_group (PenChangeItem *self, guint n_changes);
/* 1: it is a change by itself */
guint pen_change_item_get_n_changes (PenChangeItem *self);
void pen_change_item_set_open (PenChangeItem *self, gboolean is_open);
gboolean pen_change_item_is_open (PenChangeItem *self);

guint32 pen_change_item_get_id (PenChangeItem *self);
/* NULL: on its way */
const PenChangeRow *pen_change_item_get_row (PenChangeItem *self);
void pen_change_item_set_row (PenChangeItem *self, PenChangeRow *row);
const PenClock *pen_change_item_get_clock (PenChangeItem *self);

/* "5.748123", "vfs_read+0x0", "0f 1f 44 00 00 → e8 ab c3 ec 3e", "sh [127], CPU 1": "" where not
 * known */
char *pen_change_item_dup_time (PenChangeItem *self);
char *pen_change_item_dup_place (PenChangeItem *self);
/* The name in the place; "" of several. */
char *pen_change_item_dup_name (PenChangeItem *self);
/* Before and after; of several that were patched together, what that did. */
char *pen_change_item_dup_bytes (PenChangeItem *self);
/* Those before, as they begin that text; "" of several. */
char *pen_change_item_dup_before (PenChangeItem *self);
char *pen_change_item_dup_task (PenChangeItem *self);
/* "poke", or of a poke that is not a patch what it is: "write", "erase", "no change" */
const char *pen_change_item_get_what (PenChangeItem *self);
/* The @i-th of these words, for PenColumnSpec.get_word; NULL after the last */
const char *pen_change_item_get_word (guint i);

G_END_DECLS
