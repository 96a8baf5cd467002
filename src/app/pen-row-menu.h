/* pen-row-menu.h: the menu of a list's selected row, by the second button, Menu or Shift+F10
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pane.h"

G_BEGIN_DECLS

/* PenRowMenu: selects the row under the pointer first, as a click does. */
typedef struct _PenRowMenu PenRowMenu;

/* @list: in @pane; a GtkColumnView or GtkListView whose model is a GtkSingleSelection
 * @menu: of actions of @pane and its parents */
PenRowMenu *pen_row_menu_new (PenPane *pane, GtkWidget *list, GMenuModel *menu);
/* Before the pane is disposed of. */
void pen_row_menu_free (PenRowMenu *self);

G_END_DECLS
