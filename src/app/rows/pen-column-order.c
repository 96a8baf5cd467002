/* pen-column-order.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-column-order.h"

#include "pen-layout.h"

#define KEY "pen-column-order"

typedef struct {
  char *key;
  GPtrArray *titles;
  GPtrArray *made; /* (element-type GtkColumnViewColumn), one for each title */
  void (*on_change) (GtkColumnView *view);
  gboolean is_restoring;
} Order;

static void
order_free (gpointer data)
{
  Order *self = data;

  g_free (self->key);
  g_ptr_array_unref (self->titles);
  g_ptr_array_unref (self->made);
  g_free (self);
}

static Order *
get (GtkColumnView *view)
{
  return g_object_get_data (G_OBJECT (view), KEY);
}

GtkColumnViewColumn *
pen_column_order_get_made (GtkColumnView *view, guint i)
{
  return get (view)->made->pdata[i];
}

gboolean
pen_column_order_is_chosen (GtkColumnView *view)
{
  return pen_layout_get (pen_layout_get_default (), get (view)->key) != NULL;
}

/* "Samples;Function;Share" */
static char *
name_order (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  const Order *self = get (view);
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    guint made;

    if (g_ptr_array_find (self->made, column, &made))
      g_string_append_printf (words, "%s%s", words->len > 0 ? ";" : "",
                              (const char *) self->titles->pdata[made]);
  }
  return g_string_free (g_steal_pointer (&words), FALSE);
}

static char *
name_made_order (const Order *self)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; i < self->titles->len; i++)
    g_string_append_printf (words, "%s%s", i > 0 ? ";" : "", (const char *) self->titles->pdata[i]);
  return g_string_free (g_steal_pointer (&words), FALSE);
}

/* Columns that are not named come last, as they were made. */
static void
put_in_order (GtkColumnView *view, const char *words)
{
  Order *self = get (view);
  g_auto (GStrv) wanted = g_strsplit (words, ";", -1);
  guint n = 0;

  self->is_restoring = TRUE;
  for (guint i = 0; wanted[i] && n < self->titles->len; i++) {
    guint made;

    if (g_ptr_array_find_with_equal_func (self->titles, wanted[i], g_str_equal, &made)) {
      g_autoptr (GtkColumnViewColumn) at
          = g_list_model_get_item (gtk_column_view_get_columns (view), n);

      if (at != self->made->pdata[made])
        gtk_column_view_insert_column (view, n, self->made->pdata[made]);
      n++;
    }
  }
  self->is_restoring = FALSE;
}

void
pen_column_order_restore (GtkColumnView *view)
{
  g_autofree char *made = name_made_order (get (view));
  g_autofree char *kept = g_strdup (pen_layout_get (pen_layout_get_default (), get (view)->key));

  put_in_order (view, made);
  if (kept)
    put_in_order (view, kept);
}

void
pen_column_order_reset (GtkColumnView *view)
{
  pen_layout_set (pen_layout_get_default (), get (view)->key, NULL);
  pen_column_order_restore (view);
}

/* A column that is moved is gone for a moment. */
static void
on_columns (GtkColumnView *view)
{
  Order *self = get (view);
  g_autofree char *made = NULL;
  g_autofree char *words = NULL;

  if (self->is_restoring
      || g_list_model_get_n_items (gtk_column_view_get_columns (view)) != self->made->len)
    return;
  made = name_made_order (self);
  words = name_order (view);
  pen_layout_set (pen_layout_get_default (), self->key, g_str_equal (made, words) ? NULL : words);
  self->on_change (view);
}

void
pen_column_order_keep (GtkColumnView *view, const char *table, const char *const *titles, guint n,
                       void (*on_change) (GtkColumnView *view))
{
  GListModel *columns = gtk_column_view_get_columns (view);
  Order *self = g_new0 (Order, 1);

  self->key = g_strconcat ("order.", table, NULL);
  self->titles = g_ptr_array_new_with_free_func (g_free);
  self->made = g_ptr_array_new_with_free_func (g_object_unref);
  self->on_change = on_change;
  for (guint i = 0; i < n; i++) {
    g_ptr_array_add (self->titles, g_strdup (titles[i]));
    g_ptr_array_add (self->made, g_list_model_get_item (columns, i));
  }
  g_object_set_data_full (G_OBJECT (view), KEY, self, order_free);
  g_signal_connect_object (columns, "items-changed", G_CALLBACK (on_columns), view,
                           G_CONNECT_SWAPPED);
  pen_column_order_restore (view);
}
