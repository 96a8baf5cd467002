/* pen-context-menu.h: a menu that opens where one asks for it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * pen_context_menu_popup:
 * @parent: what the menu is about; its actions are found
 * @model: what it offers
 * @place: (nullable): where it opens in @parent, in pixels; NULL: it points to all of it
 *
 * The menu goes when it is closed, or with @parent.
 */
void pen_context_menu_popup (GtkWidget *parent, GMenuModel *model, const GdkRectangle *place);

G_END_DECLS
