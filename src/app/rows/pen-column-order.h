/* pen-column-order.h: the order of a table's columns: as they are made, as a person wants them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* After all columns are there. The order that a person drags titles to is kept in settings.ini.
 *
 * @table: under which it is kept; @titles: (array length=n): of the columns, not translated
 * @on_change: called with @view when a person changed it
 */
void pen_column_order_keep (GtkColumnView *view, const char *table, const char *const *titles,
                            guint n, void (*on_change) (GtkColumnView *view));

/* As it is kept. */
void pen_column_order_restore (GtkColumnView *view);

/* As it was made, from now on. */
void pen_column_order_reset (GtkColumnView *view);

/* Whether a person changed it */
gboolean pen_column_order_is_chosen (GtkColumnView *view);

/* (transfer none): the column that was made as the @i-th one, wherever it is */
GtkColumnViewColumn *pen_column_order_get_made (GtkColumnView *view, guint i);

G_END_DECLS
