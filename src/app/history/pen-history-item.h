/* pen-history-item.h: one tenure and revision of the clicked line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-clock.h"
#include "pen-query-history.h"
#include "pen-query-notes.h"

G_BEGIN_DECLS

/* Emits "changed" when more is known of it. */
#define PEN_TYPE_HISTORY_ITEM (pen_history_item_get_type ())
G_DECLARE_FINAL_TYPE (PenHistoryItem, pen_history_item, PEN, HISTORY_ITEM, GObject)

/* @sides: (nullable): of the function that the line is of
 * @notes: (element-type PenNoteRow) (nullable): of the capture
 * @unfolded: of pen_history_item_new_unfolded(), shared by all items of a view */
PenHistoryItem *pen_history_item_new (const PenHistoryTable *table, guint index, PenClock clock,
                                      const PenSides *sides, GPtrArray *notes,
                                      GHashTable *unfolded);
/* Which versions show their details, for as long as the capture is open. */
GHashTable *pen_history_item_new_unfolded (void);
gboolean pen_history_item_is_unfolded (PenHistoryItem *self);
void pen_history_item_set_unfolded (PenHistoryItem *self, gboolean unfolded);
/* The same things, as they are now. */
void pen_history_item_update (PenHistoryItem *self, const PenSides *sides, GPtrArray *notes);
guint64 pen_history_item_get_address (PenHistoryItem *self);
/* Whether this version stood there at @time. */
gboolean pen_history_row_has_time (const PenHistoryRow *row, guint64 time);
gboolean pen_history_item_has_time (PenHistoryItem *self, guint64 time);
/* (transfer container) (element-type PenNote): about the address and a time of this version. */
GPtrArray *pen_history_item_list_notes (PenHistoryItem *self);
/* Shows another row, and emits "changed". */
void pen_history_item_reuse (PenHistoryItem *self, const PenHistoryTable *table, guint index,
                             PenClock clock, const PenSides *sides, GPtrArray *notes);
const PenHistoryRow *pen_history_item_get_row (PenHistoryItem *self);
PenAmount pen_history_item_get_amount (PenHistoryItem *self);
/* Before and after the patch that brought this version, or NULL. */
const PenComparison *pen_history_item_get_comparison (PenHistoryItem *self);
/* The same of all samples of the function. */
const PenComparison *pen_history_item_get_function_comparison (PenHistoryItem *self);
const PenClock *pen_history_item_get_clock (PenHistoryItem *self);

G_END_DECLS
