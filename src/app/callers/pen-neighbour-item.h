/* pen-neighbour-item.h: a caller or a callee, as a row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-answers.h"

G_BEGIN_DECLS

#define PEN_TYPE_NEIGHBOUR_ITEM (pen_neighbour_item_get_type ())
G_DECLARE_FINAL_TYPE (PenNeighbourItem, pen_neighbour_item, PEN, NEIGHBOUR_ITEM, GObject)

/* @index: of the rows of that side */
PenNeighbourItem *pen_neighbour_item_new (const PenNeighbourAnswer *answer, PenStackSide side,
                                          guint index);
const PenStackNeighbour *pen_neighbour_item_get_row (PenNeighbourItem *self);
/* (nullable): it is no function, or none that is known */
const PenFunction *pen_neighbour_item_get_function (PenNeighbourItem *self);
/* Fit to be shown. */
char *pen_neighbour_item_dup_name (PenNeighbourItem *self);

/* The columns of such a table: of callers, or of callees. */
void pen_neighbour_columns_add (GtkColumnView *view, PenStackSide side);

G_END_DECLS
