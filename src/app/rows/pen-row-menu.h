/* pen-row-menu.h: the menu of a row: "Only This", "Not This", copying
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-row.h"

G_BEGIN_DECLS

/* Fills @row with what @item (as handed to PenColumnSpec.show) says of itself. */
typedef void (*PenRowFunc) (gpointer item, PenRow *row, gpointer owner);

/*
 * pen_row_menu_add:
 * @list: a GtkColumnView whose columns are of pen_column_new(), or another list whose rows'
 *   children were given to pen_row_item_set(), or a widget of such a list and then a GtkColumnView
 *   that has but its titles
 * @owner: outlives @list
 *
 * A press of the secondary button, a long press, Menu or Shift+F10 opens the menu of that row,
 * which also sorts by the columns of a GtkColumnView; Ctrl+C copies its cells. The window's actions
 * do the rest: no session is needed.
 */
void pen_row_menu_add (GtkWidget *list, PenRowFunc describe, gpointer owner);

/* The items of the menu of @row, for what is no row of a list. Returns: (transfer full) */
GMenuModel *pen_row_menu_new_model (PenRow *row);

G_END_DECLS
