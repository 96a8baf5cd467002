/* pen-kept-rows.h: rows of a list that stay themselves when the list is filled anew
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * PenKeptRows: how items are compared
 * @take: @item becomes what @like, which is equal, is
 */
typedef struct {
  GHashFunc hash;
  GEqualFunc equal;
  void (*take) (gpointer item, gpointer like);
} PenKeptRows;

/*
 * pen_kept_rows_splice:
 * @view: shows @store
 * @items: (element-type GObject): all that @store has from now on; some are replaced by equal ones
 *   that it had. Items emit "changed"
 *
 * GTK's lists keep the focus, the selection and what is in sight at items that stay; one whose top
 * is in sight stays there, with what is first now.
 */
void pen_kept_rows_splice (GtkColumnView *view, GListStore *store, GPtrArray *items,
                           const PenKeptRows *rows);

G_END_DECLS
