/* pen-kept-rows.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kept-rows.h"

#include "pen-row-item.h"

void
pen_kept_rows_splice (GtkColumnView *view, GListStore *store, GPtrArray *items,
                      const PenKeptRows *rows)
{
  GtkAdjustment *down = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
  gboolean is_at_top = gtk_adjustment_get_value (down) <= gtk_adjustment_get_lower (down);
  g_autoptr (GHashTable) known
      = g_hash_table_new_full (rows->hash, rows->equal, g_object_unref, NULL);
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  guint n = g_list_model_get_n_items (G_LIST_MODEL (store));

  for (guint i = 0; i < n; i++)
    g_hash_table_add (known, g_list_model_get_item (G_LIST_MODEL (store), i));
  for (guint i = 0; i < items->len; i++) {
    GObject *old = g_hash_table_lookup (known, items->pdata[i]);

    if (!old)
      continue;
    g_object_ref (old);
    g_hash_table_remove (known, old);
    rows->take (old, items->pdata[i]);
    g_object_unref (items->pdata[i]);
    items->pdata[i] = old;
    g_ptr_array_add (kept, old);
  }
  g_list_store_splice (store, 0, n, items->pdata, items->len);
  for (guint i = 0; i < kept->len; i++)
    g_signal_emit_by_name (kept->pdata[i], "changed");
  if (is_at_top && gtk_column_view_get_model (view)
      && g_list_model_get_n_items (G_LIST_MODEL (gtk_column_view_get_model (view))) > 0)
    gtk_widget_activate_action (pen_row_item_find_list (GTK_WIDGET (view)), "list.scroll-to-item",
                                "u", 0u);
}
