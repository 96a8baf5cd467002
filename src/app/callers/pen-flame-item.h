/* pen-flame-item.h: one frame of the tree of stacks, as a row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-answers.h"

G_BEGIN_DECLS

#define PEN_TYPE_FLAME_ITEM (pen_flame_item_get_type ())
G_DECLARE_FINAL_TYPE (PenFlameItem, pen_flame_item, PEN, FLAME_ITEM, GObject)

/* @node: of @answer's tree */
PenFlameItem *pen_flame_item_new (const PenFlameAnswer *answer, guint node);
const PenFlameAnswer *pen_flame_item_get_answer (PenFlameItem *self);
guint pen_flame_item_get_node (PenFlameItem *self);

/* The nodes side by side from @first on. Returns: (transfer full) (element-type PenFlameItem) */
GListModel *pen_flame_list_new (const PenFlameAnswer *answer, guint first, guint n);

/* The columns of a table of stacks. */
void pen_flame_columns_add (GtkColumnView *view);

G_END_DECLS
