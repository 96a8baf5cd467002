/* pen-change-model.c: the changes of a session as a list whose rows are read as they are looked at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-change-model.h"

#include <gtk/gtk.h>

/* Rows kept for coming back to. */
#define ROWS_MAX 4096

struct _PenChangeModel {
  GObject parent_instance;

  PenSession *session;
  PenChangeTable *table;
  guint n_items;
  GHashTable *rows;  /* id → PenChangeRow */
  GHashTable *items; /* id → PenChangeItem, weak: those that somebody holds */
  guint ask_id;
};

static void pen_change_model_list_init (GListModelInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (PenChangeModel, pen_change_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      pen_change_model_list_init))

static guint32
get_id (PenChangeModel *self, guint position)
{
  return g_array_index (self->table->list->ids, guint32, position);
}

/* ---- rows ---- */

/* What is held and has no row yet: what is in sight, and a little around it. */
static gboolean
ask (gpointer data)
{
  PenChangeModel *self = data;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  GHashTableIter iter;
  gpointer item;

  self->ask_id = 0;
  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, NULL, &item)) {
    guint32 id = pen_change_item_get_id (item);

    if (!pen_change_item_get_row (item))
      g_array_append_val (ids, id);
  }
  if (ids->len > 0)
    pen_session_want_change_rows (self->session, ids);
  return G_SOURCE_REMOVE;
}

static void
ask_later (PenChangeModel *self)
{
  if (self->ask_id == 0)
    self->ask_id = g_idle_add (ask, self);
}

static void
on_rows (PenChangeModel *self)
{
  GPtrArray *rows = pen_session_get_change_rows (self->session);

  if (g_hash_table_size (self->rows) > ROWS_MAX)
    g_hash_table_remove_all (self->rows);
  for (guint i = 0; rows && i < rows->len; i++) {
    PenChangeRow *row = g_ptr_array_index (rows, i);
    PenChangeItem *item = g_hash_table_lookup (self->items, GUINT_TO_POINTER (row->change.id));

    g_hash_table_replace (self->rows, GUINT_TO_POINTER (row->change.id), pen_change_row_ref (row));
    if (item && !pen_change_item_get_row (item))
      pen_change_item_set_row (item, row);
  }
}

/* ---- list ---- */

static GType
pen_change_model_get_item_type (GListModel *model)
{
  return PEN_TYPE_CHANGE_ITEM;
}

static guint
pen_change_model_get_n_items (GListModel *model)
{
  return PEN_CHANGE_MODEL (model)->n_items;
}

static void
on_item_gone (gpointer data, GObject *item)
{
  PenChangeModel *self = data;
  GHashTableIter iter;
  gpointer held;

  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, NULL, &held)) {
    if (held == item) {
      g_hash_table_iter_remove (&iter);
      return;
    }
  }
}

static gpointer
pen_change_model_get_item (GListModel *model, guint position)
{
  PenChangeModel *self = PEN_CHANGE_MODEL (model);
  PenChangeItem *item;
  PenChangeRow *row;
  guint32 id;

  if (position >= self->n_items)
    return NULL;
  id = get_id (self, position);
  item = g_hash_table_lookup (self->items, GUINT_TO_POINTER (id));
  if (item)
    return g_object_ref (item);

  item = pen_change_item_new (id, pen_session_get_clock (self->session));
  g_hash_table_insert (self->items, GUINT_TO_POINTER (id), item);
  g_object_weak_ref (G_OBJECT (item), on_item_gone, self);
  row = g_hash_table_lookup (self->rows, GUINT_TO_POINTER (id));
  if (row)
    pen_change_item_set_row (item, row);
  else
    ask_later (self);
  return item;
}

static void
pen_change_model_list_init (GListModelInterface *interface)
{
  interface->get_item_type = pen_change_model_get_item_type;
  interface->get_n_items = pen_change_model_get_n_items;
  interface->get_item = pen_change_model_get_item;
}

static void
forget_items (PenChangeModel *self)
{
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, NULL, &item))
    g_object_weak_unref (item, on_item_gone, self);
  g_hash_table_remove_all (self->items);
}

/* Another list, or other clocks: every row is another one. */
static void
on_changes (PenChangeModel *self)
{
  const PenChangeTable *table = pen_session_get_changes (self->session);
  guint n_before = self->n_items;

  if (!table)
    g_hash_table_remove_all (self->rows);
  forget_items (self);
  g_clear_pointer (&self->table, pen_change_table_unref);
  self->table = table ? g_atomic_rc_box_acquire ((PenChangeTable *) table) : NULL;
  self->n_items = table ? table->list->ids->len : 0;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_before, self->n_items);
}

guint
pen_change_model_find (PenChangeModel *self, guint32 id)
{
  for (guint i = 0; i < self->n_items; i++) {
    if (get_id (self, i) == id)
      return i;
  }
  return GTK_INVALID_LIST_POSITION;
}

static void
pen_change_model_dispose (GObject *object)
{
  PenChangeModel *self = PEN_CHANGE_MODEL (object);

  g_clear_handle_id (&self->ask_id, g_source_remove);
  if (self->session)
    g_signal_handlers_disconnect_by_data (self->session, self);
  if (self->items)
    forget_items (self);
  g_clear_pointer (&self->items, g_hash_table_unref);
  g_clear_pointer (&self->rows, g_hash_table_unref);
  g_clear_pointer (&self->table, pen_change_table_unref);
  self->n_items = 0;
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_change_model_parent_class)->dispose (object);
}

static void
pen_change_model_class_init (PenChangeModelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = pen_change_model_dispose;
}

static void
pen_change_model_init (PenChangeModel *self)
{
  self->items = g_hash_table_new (NULL, NULL);
  self->rows = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) pen_change_row_unref);
}

PenChangeModel *
pen_change_model_new (PenSession *session)
{
  PenChangeModel *self = g_object_new (PEN_TYPE_CHANGE_MODEL, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_swapped (session, "notify::changes", G_CALLBACK (on_changes), self);
  g_signal_connect_swapped (session, "notify::clock", G_CALLBACK (on_changes), self);
  g_signal_connect_swapped (session, "notify::change-rows", G_CALLBACK (on_rows), self);
  on_changes (self);
  return self;
}
