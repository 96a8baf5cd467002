/* pen-function-item.h: one row of the list of functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-amount.h"
#include "pen-answers.h"
#include "pen-query-functions.h"

G_BEGIN_DECLS

#define PEN_TYPE_FUNCTION_ITEM (pen_function_item_get_type ())
G_DECLARE_FINAL_TYPE (PenFunctionItem, pen_function_item, PEN, FUNCTION_ITEM, GObject)

PenFunctionItem *pen_function_item_new (const PenFunctionList *table, guint index);
const PenFunctionRow *pen_function_item_get_row (PenFunctionItem *self);
PenAmount pen_function_item_get_amount (PenFunctionItem *self);

/* The same function in another list. For pen_kept_rows_splice(). */
guint pen_function_item_hash (gconstpointer item);
gboolean pen_function_item_equal (gconstpointer a, gconstpointer b);
void pen_function_item_take (gpointer item, gpointer like);

/* The name as shown: of the symbol, or in its place the occupant's. (transfer full) */
char *pen_function_item_dup_name (PenFunctionItem *self);

G_END_DECLS
