/* pen-tooltip.h: tooltips of what changes often
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* As gtk_widget_set_tooltip_text(), which asks the X server where the pointer is, and waits for the
 * answer, each time: for hundreds of cells at once that is most of what a click takes. This one is
 * looked up when the pointer rests. @text: NULL: none */
void pen_tooltip_set (GtkWidget *widget, const char *text);

/* Menu buttons below @widget, which are all there already, have no tooltip while their menu is
 * open: the pointer rests on the button, and the tooltip would lie over the menu. */
void pen_tooltip_yield_to_menus (GtkWidget *widget);

G_END_DECLS
