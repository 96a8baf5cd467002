/* pen-context-menu.h: a menu that opens where one asks for it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * pen_context_menu_popup:
 * @about: the widget that it opens for; actions of the widgets around it are found
 * @model: its items
 * @actions: (nullable): actions with the prefix @prefix, for items about @about itself
 * @place: (nullable): where it opens in @about, in pixels; NULL: it points to all of it
 *
 * The menu goes when it is closed, or with @about.
 */
void pen_context_menu_popup (GtkWidget *about, GMenuModel *model, const char *prefix,
                             GActionGroup *actions, const GdkRectangle *place);

G_END_DECLS
