/* pen-row-hover.h: the row that is pointed at, and the rows that light up for it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @item: NULL: no row is pointed at any more; @under: the widget at the pointer, @x: in it */
typedef void (*PenRowHoverFunc) (gpointer item, GtkWidget *under, double x, gpointer owner);

/* @list: as of pen_row_menu_add(); @owner: outlives it. Called whenever the pointer moves over it.
 */
void pen_row_hover_add (GtkWidget *list, PenRowHoverFunc point, gpointer owner);

typedef gboolean (*PenRowMatchFunc) (gpointer item, gpointer owner);

/* Lights up the rows in sight whose items match, and no others. A row that comes into sight later
 * is dark until the next call. */
void pen_row_hover_light (GtkWidget *list, PenRowMatchFunc match, gpointer owner);
/* A widget in a row is about to show another item. */
void pen_row_hover_forget (GtkWidget *child);

G_END_DECLS
