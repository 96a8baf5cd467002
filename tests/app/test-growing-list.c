/* test-growing-list.c: a long list that is shown from its beginning
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <gtk/gtk.h>

#include "pen-growing-list.h"

/* The items of @list as its signals say, one by one. */
typedef struct {
  GListModel *list;
  GPtrArray *items;
} Shadow;

static void
on_items_changed (GListModel *list, guint position, guint removed, guint added, Shadow *shadow)
{
  g_assert_cmpuint (position + removed, <=, shadow->items->len);
  if (removed > 0)
    g_ptr_array_remove_range (shadow->items, position, removed);
  for (guint i = 0; i < added; i++)
    g_ptr_array_insert (shadow->items, (gint) (position + i),
                        g_list_model_get_item (list, position + i));
}

/* It is the first items of the model, and its signals have said so. */
static void
check (Shadow *shadow, GListModel *model)
{
  guint n = g_list_model_get_n_items (shadow->list);

  g_assert_cmpuint (n, ==, shadow->items->len);
  g_assert_cmpuint (n, <=, g_list_model_get_n_items (model));
  for (guint i = 0; i < n; i++) {
    g_autoptr (GObject) item = g_list_model_get_item (model, i);
    g_autoptr (GObject) listed = g_list_model_get_item (shadow->list, i);

    g_assert_true (item == listed);
    g_assert_true (item == shadow->items->pdata[i]);
  }
  g_assert_null (g_list_model_get_item (shadow->list, n));
}

static void
splice (GListStore *store, guint position, guint removed, guint added)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < added; i++)
    g_ptr_array_add (items, g_object_new (G_TYPE_OBJECT, NULL));
  g_list_store_splice (store, position, removed, items->pdata, added);
}

static void
run_until_all (GListModel *list, GListModel *model)
{
  while (g_list_model_get_n_items (list) < g_list_model_get_n_items (model))
    g_main_context_iteration (NULL, TRUE);
}

static void
test_growing (void)
{
  g_autoptr (GListStore) store = g_list_store_new (G_TYPE_OBJECT);
  g_autoptr (PenGrowingList) list = pen_growing_list_new (G_LIST_MODEL (store), FALSE, 48);
  guint n;

  splice (store, 0, 0, 5000);
  n = g_list_model_get_n_items (G_LIST_MODEL (list));
  g_assert_cmpuint (n, <, 100);
  pen_growing_list_ensure (list, 3000);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 3001);
  pen_growing_list_ensure (list, 2000);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 3001);
  pen_growing_list_ensure (list, 5000);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 5000);
  splice (store, 0, 5000, 4000);
  run_until_all (G_LIST_MODEL (list), G_LIST_MODEL (store));
  /* Then it asks for nothing more. */
  g_assert_false (g_main_context_pending (NULL));
  /* Others in place of all: from the beginning. */
  splice (store, 0, 4000, 4000);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, n);
}

static int
compare_addresses (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return a < b ? -1 : a > b;
}

static void
test_order (void)
{
  g_autoptr (GListStore) store = g_list_store_new (G_TYPE_OBJECT);
  g_autoptr (PenGrowingList) list = pen_growing_list_new (G_LIST_MODEL (store), TRUE, 48);

  splice (store, 0, 0, 500);
  run_until_all (G_LIST_MODEL (list), G_LIST_MODEL (store));
  g_list_store_sort (store, compare_addresses, NULL);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 500);
}

static void
test_random (gconstpointer keeps_items)
{
  g_autoptr (GListStore) store = g_list_store_new (G_TYPE_OBJECT);
  g_autoptr (PenGrowingList) list
      = pen_growing_list_new (G_LIST_MODEL (store), GPOINTER_TO_INT (keeps_items), 48);
  Shadow shadow = { G_LIST_MODEL (list), g_ptr_array_new_with_free_func (g_object_unref) };

  g_signal_connect (list, "items-changed", G_CALLBACK (on_items_changed), &shadow);
  for (guint i = 0; i < 400; i++) {
    guint n = g_list_model_get_n_items (G_LIST_MODEL (store));
    guint position = (guint) g_test_rand_int_range (0, (gint) n + 1);
    guint removed = (guint) g_test_rand_int_range (0, (gint) (n - position) + 1);

    if (i % 17 == 0) {
      position = 0;
      removed = n;
    }
    splice (store, position, removed, (guint) g_test_rand_int_range (0, 200));
    check (&shadow, G_LIST_MODEL (store));
    if (i % 7 == 0)
      pen_growing_list_ensure (list, (guint) g_test_rand_int_range (0, 400));
    if (i % 5 == 0)
      run_until_all (G_LIST_MODEL (list), G_LIST_MODEL (store));
    check (&shadow, G_LIST_MODEL (store));
  }
  g_signal_handlers_disconnect_by_data (list, &shadow);
  g_ptr_array_unref (shadow.items);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/growing-list/growing", test_growing);
  g_test_add_func ("/growing-list/order", test_order);
  g_test_add_data_func ("/growing-list/random", GINT_TO_POINTER (FALSE), test_random);
  g_test_add_data_func ("/growing-list/random-keeping", GINT_TO_POINTER (TRUE), test_random);
  return g_test_run ();
}
