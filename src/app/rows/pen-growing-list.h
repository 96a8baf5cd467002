/* pen-growing-list.h: a long list that is shown from its beginning, and grows while nothing is to
 * do
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The first items of a model, which are as many as fill a window; then, a few at a time, the
 * others. GTK 4.8 makes widgets for 200 rows of a list before it draws the first, half a
 * millisecond each. */
#define PEN_TYPE_GROWING_LIST (pen_growing_list_get_type ())
G_DECLARE_FINAL_TYPE (PenGrowingList, pen_growing_list, PEN, GROWING_LIST, GObject)

/* @keeps_items: where as many come as go, they are the same ones in another order, and what is
 * listed stays so: GTK has their widgets
 * @n_first: as many as are in sight at first */
PenGrowingList *pen_growing_list_new (GListModel *model, gboolean keeps_items, guint n_first);
/* @view: where it is shown: nothing more is listed while that is not mapped, and where its height
 * is known, the first ones are no more than fill it */
void pen_growing_list_set_view (PenGrowingList *self, GtkWidget *view);
/* Lists the items up to that at @position of the model now; or all, if it has no such. */
void pen_growing_list_ensure (PenGrowingList *self, guint position);

G_END_DECLS
