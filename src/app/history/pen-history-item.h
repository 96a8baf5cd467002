/* pen-history-item.h: one tenure and revision of the clicked line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-clock.h"

G_BEGIN_DECLS

#define PEN_TYPE_HISTORY_ITEM (pen_history_item_get_type ())
G_DECLARE_FINAL_TYPE (PenHistoryItem, pen_history_item, PEN, HISTORY_ITEM, GObject)

/* @sides: (nullable): of the function that the line is of */
PenHistoryItem *pen_history_item_new (const PenHistoryTable *table, guint index, PenClock clock,
                                      const PenSides *sides);
const PenHistoryRow *pen_history_item_get_row (PenHistoryItem *self);
/* Before and after the patch that brought this version, or NULL. */
const PenComparison *pen_history_item_get_comparison (PenHistoryItem *self);
/* The same of all samples of the function. */
const PenComparison *pen_history_item_get_function_comparison (PenHistoryItem *self);
const PenClock *pen_history_item_get_clock (PenHistoryItem *self);

G_END_DECLS
